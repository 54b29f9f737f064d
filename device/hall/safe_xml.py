"""Safe reading of XML that other programs wrote.

Its size is limited, and entity declarations are refused, because they can make a file grow without end or read other
files. No pairing program uses them.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from device.hall.pairing import BadProgram
from vision.input_files import InputFileSpec

MOST = 1 << 25
"""Maximum size of a file in bytes; a tournament of a thousand players has one or two million."""


class _Declares(ValueError):
    """A text that declares entities."""

    def __str__(self) -> str:
        return "it declares entities, as no tournament file does"


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
        raise file.refused(path, f"it is no XML that can be used ({error})") from error
    if root.tag != "Tournament":
        raise file.refused(path, "it holds no tournament")
    return data, root


def _check(data: bytes) -> None:
    """Raise _Declares at the first entity declaration, before anything is expanded."""
    parser = expat.ParserCreate()

    def declared(*_: object) -> None:
        raise _Declares

    parser.EntityDeclHandler = declared
    parser.Parse(data, True)
