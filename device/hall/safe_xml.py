"""Safe reading of XML that other programs wrote.

Its size, its elements and their depth are limited, because a small file of many takes gigabytes when it is read; and
entity declarations are refused, because they can make a file grow without end or read other files. No pairing program
uses them.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from device.hall.pairing import BadProgram
from vision.input_files import InputFileSpec

MOST = 1 << 25
"""Maximum size of a file in bytes; a tournament of a thousand players has one or two million."""


MOST_ELEMENTS, DEEPEST = 500_000, 50
"""Elements of a file, of which that tournament has a hundred thousand, and of one in the other."""


class _NoTournament(ValueError):
    """A text that no pairing program writes; the message says why."""


def tournament_in(path: Path, program: str) -> tuple[bytes, ElementTree.Element]:
    """Return the contents of a tournament file, and its root; raises BadProgram.

    program: the name of the program that wrote it
    """
    file = InputFileSpec(f"a tournament as {program} saves it", MOST, BadProgram, is_kept=True)
    data = file.bytes_of(path)
    try:
        _check(data)
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, expat.ExpatError, LookupError, ValueError) as error:
        raise file.error_for(path, f"it is no XML that can be used ({error})") from error
    if root.tag != "Tournament":
        raise file.error_for(path, "it holds no tournament")
    return data, root


def _check(data: bytes) -> None:
    """Raise _NoTournament at the first thing that no tournament has, before anything is expanded or kept."""
    parser, left, depth = expat.ParserCreate(), MOST_ELEMENTS, 0

    def declared(*_: object) -> None:
        raise _NoTournament("it declares entities, as no tournament file does")

    def begun(*_: object) -> None:
        nonlocal left, depth
        left, depth = left - 1, depth + 1
        if left < 0 or depth > DEEPEST:
            raise _NoTournament("it has more in it than any tournament file")

    def ended(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser.EntityDeclHandler, parser.StartElementHandler, parser.EndElementHandler = declared, begun, ended
    parser.Parse(data, True)
