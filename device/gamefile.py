"""Files with a game in them: JSON lines or SGF, on a disk or from standard input."""

from __future__ import annotations

import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BufferedReader, BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from device.games import read_object
from referee.errors import BadRecord

LONGEST_LINE = 1 << 20
LARGEST_SGF = 1 << 23

NumberedLines = Iterator[tuple[int, bytes]]


@contextmanager
def opened_game(name: str) -> Iterator[bytes | NumberedLines]:
    """The whole file where it is SGF; else its lines, blank ones among them, each with its number.

    name: a path, or - for standard input. Raises BadRecord, in one sentence, for what is neither or cannot be read.
    """
    with _opened(name) as opened:
        file = _in_utf8(opened, name)
        numbered = enumerate(map(_plain, _lines(file)), 1)
        number, first = next((pair for pair in numbered if pair[1].strip()), (0, b""))
        _check_first(first, name)
        yield _whole(first, file, name) if first.startswith(b"(") else chain([(number, first)], numbered)


def object_of(line: bytes) -> dict[str, object]:
    """The JSON object of a line; raises BadRecord for anything else."""
    text = _decoded(line)
    if text is None:
        raise BadRecord("This is not text in UTF-8.")
    return read_object(text)


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no such file"
        raise BadRecord(f"{name}: cannot be read ({why}); give a file of JSON lines or SGF, or -.") from error


def _in_utf8(file: BinaryIO, name: str) -> BinaryIO:
    """The file, decoded where it begins as UTF-16 does, which has other ends of lines; nothing else is read of it."""
    if not isinstance(file, BufferedReader) or file.peek(2)[:2] not in (BOM_UTF16_LE, BOM_UTF16_BE):
        return file
    try:
        return BytesIO(_whole(b"", file, name).decode("utf-16").encode())
    except UnicodeError as error:
        raise BadRecord(f"{name}: is not the text in UTF-16 that it begins as; save it as UTF-8.") from error


def _whole(first: bytes, file: BinaryIO, name: str) -> bytes:
    data = first + file.read(LARGEST_SGF + 1)
    if len(data) > LARGEST_SGF:
        raise BadRecord(f"{name}: is larger than any game record ({LARGEST_SGF >> 20} MiB).")
    return data


def _check_first(first: bytes, name: str) -> None:
    """Raise BadRecord for an empty or a binary file; first: its first line that is not blank."""
    if not first:
        raise BadRecord(f"{name}: holds no game; give JSON lines or SGF.")
    if not first.startswith(b"(") and (b"\0" in first or _decoded(first) is None):
        raise BadRecord(f"{name}: is neither JSON lines nor SGF; give one of these.")


def _plain(line: bytes) -> bytes:
    return line.removeprefix(b"\xef\xbb\xbf").lstrip()


def _decoded(line: bytes) -> str | None:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The file's lines; of one that is too long only the beginning, marked so that it is neither JSON nor blank."""
    while line := file.readline(LONGEST_LINE):
        sgf = _plain(line).startswith(b"(")
        yield line + b"..." if _goes_on(line) and not sgf else line
        while _goes_on(line):
            line = file.readline(LONGEST_LINE)


def _goes_on(line: bytes) -> bool:
    return len(line) == LONGEST_LINE and not line.endswith(b"\n")
