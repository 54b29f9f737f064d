"""Safe reading of XML that other programs wrote.

Its size, its elements and their depth are limited, because a small file of many takes gigabytes when it is read; and
entity declarations are refused, because they can make a file grow without end or read other files. No pairing program
uses them.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from device.hall.input_file import InputFile
from referee.game.messages import Message, error_message, message

MOST = 1 << 25
"""Maximum size of a file in bytes; a tournament of a thousand players has one or two million."""


MOST_ELEMENTS, DEEPEST = 500_000, 50
"""Elements of a file, of which that tournament has a hundred thousand, and of one in the other."""


class _NoTournament(ValueError):
    """A text that no pairing program writes; its message is the reason."""


def tournament_in(path: Path, program: str) -> tuple[bytes, ElementTree.Element]:
    """Return the contents of a tournament file, and its root; raises BadProgram.

    program: the name of the program that wrote it
    """
    file = tournament_file(program)
    data = file.bytes_of(path)
    try:
        _check_document(data)
        root = ElementTree.fromstring(data)
    except _NoTournament as error:
        raise file.error_for(path, error_message(error)) from error
    except (ElementTree.ParseError, expat.ExpatError, LookupError, ValueError) as error:
        raise file.error_for(path, _describe_xml_error(error)) from error
    if root.tag != "Tournament":
        raise file.error_for(path, message("hall.file.no-tournament"))
    return data, root


def tournament_file(program: str) -> InputFile:
    """Return the kind of file that this program writes."""
    return InputFile(message("hall.wanted.tournament", program=program), MOST)


def _describe_xml_error(error: Exception) -> Message:
    if isinstance(error, expat.ExpatError):
        return message("hall.file.xml-place", line=error.lineno, column=error.offset + 1)
    return message("hall.file.xml")


def _check_document(data: bytes) -> None:
    """Raise _NoTournament at the first thing that no tournament has, before anything is expanded or kept."""
    parser, left, depth = expat.ParserCreate(), MOST_ELEMENTS, 0

    def refuse_entity(*_: object) -> None:
        raise _NoTournament(message("hall.file.entities"))

    def enter_element(*_: object) -> None:
        nonlocal left, depth
        left, depth = left - 1, depth + 1
        if left < 0 or depth > DEEPEST:
            raise _NoTournament(message("hall.file.too-much"))

    def leave_element(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser.EntityDeclHandler, parser.StartElementHandler, parser.EndElementHandler = (
        refuse_entity,
        enter_element,
        leave_element,
    )
    parser.Parse(data, True)
