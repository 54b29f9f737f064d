"""XML that other programs wrote, read with care: its size is limited, and what declares entities is refused, for they
are what files are made of that grow without end or read what is none of theirs. No program of this trade uses them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from device.hall.pairing import BadProgram
from vision.named import NamedFile

MOST = 1 << 25
"""Bytes of a file; a tournament of a thousand players has one or two million."""


class _Declares(ValueError):
    """The text declares entities."""

    def __str__(self) -> str:
        return "it declares entities, as no tournament file does"


def tournament_in(path: Path, program: str) -> tuple[bytes, ElementTree.Element]:
    """What is in a tournament file, and its root; raises BadProgram. program: what wrote it."""
    file = NamedFile(f"a tournament as {program} saves it", MOST, BadProgram, is_kept=True)
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
    """Raises _Declares at the first entity that is declared, before anything of it is expanded."""
    parser = expat.ParserCreate()

    def declared(*_: object) -> None:
        raise _Declares

    parser.EntityDeclHandler = declared
    parser.Parse(data, True)
