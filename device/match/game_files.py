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

from device.match.submitted import read_object
from referee.game.errors import BadRecord, RefereeError
from vision.input_files import InputFileSpec, why
from web.language import english

LONGEST_LINE = 1 << 20
LARGEST_SGF = 1 << 23
SGF = InputFileSpec("an SGF file", LARGEST_SGF, BadRecord)
GIVE = "give a file of JSON lines or SGF, or -"

NumberedLines = Iterator[tuple[int, bytes]]


@contextmanager
def opened_game(name: str) -> Iterator[bytes | NumberedLines]:
    """Open a game: yield the whole file if it is SGF, else its numbered lines, blank ones included.

    name: a path, or - for standard input. Raises BadRecord, in one sentence that names it, for a file that is neither
    or cannot be read, and for any RefereeError of the caller's block.
    """
    file = _opened(name)
    try:
        with file as opened:
            yield _begun(opened)
    except RefereeError as error:
        raise BadRecord(f"{'standard input' if name == '-' else name}: {english(error)}") from error


def object_of(line: bytes) -> dict[str, object]:
    """Return the JSON object of a line; raise BadRecord for anything else."""
    text = _decoded(line)
    if text is None:
        raise BadRecord("This is not text in UTF-8.")
    return read_object(text)


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        return nullcontext(standard_input())
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        raise BadRecord(f"{name}: {why(error)}; {GIVE}.") from error


def _begun(opened: BinaryIO) -> bytes | NumberedLines:
    file = _in_utf8(opened)
    numbered = enumerate(lines_of(file), 1)
    number, first = next((pair for pair in numbered if pair[1].strip()), (0, b""))
    _check_first(first)
    return _whole(first, file) if first.startswith(b"(") else chain([(number, first)], numbered)


def standard_input() -> BinaryIO:
    """Return standard input as bytes; raise BadRecord if it is closed."""
    if sys.stdin is None:
        raise BadRecord("standard input: it is closed; type something, or send it through a pipe.")
    return sys.stdin.buffer


def _in_utf8(file: BinaryIO) -> BinaryIO:
    """Decode a file with a UTF-16 byte order mark, whose line ends differ; return any other file unread."""
    if not isinstance(file, BufferedReader) or file.peek(2)[:2] not in (BOM_UTF16_LE, BOM_UTF16_BE):
        return file
    try:
        return BytesIO(_whole(b"", file).decode("utf-16").encode())
    except UnicodeError as error:
        raise BadRecord("It is not the text in UTF-16 that it begins as; save it as UTF-8.") from error


def _whole(first: bytes, file: BinaryIO) -> bytes:
    data = first + file.read(LARGEST_SGF + 1)
    if len(data) > LARGEST_SGF:
        raise BadRecord(f"It is larger than any game record ({LARGEST_SGF >> 20} MiB).")
    return data


def _check_first(first: bytes) -> None:
    """Raise BadRecord for an empty or a binary file; first: its first line that is not blank."""
    if not first:
        raise BadRecord(f"It holds no game; {GIVE}.")
    if not first.startswith(b"(") and (b"\0" in first or _decoded(first) is None):
        raise BadRecord(f"It is neither JSON lines nor SGF; {GIVE}.")


def _plain(line: bytes) -> bytes:
    return line.removeprefix(b"\xef\xbb\xbf").lstrip()


def _decoded(line: bytes) -> str | None:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the file's lines without BOM and leading blanks, each as soon as it is there.

    Of a line that is too long only the beginning, marked so that it is neither JSON nor a command nor blank.
    """
    return map(_plain, _lines(file))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        sgf = _plain(line).startswith(b"(")
        yield line + b"..." if _goes_on(line) and not sgf else line
        while _goes_on(line):
            line = file.readline(LONGEST_LINE)


def _goes_on(line: bytes) -> bool:
    return len(line) == LONGEST_LINE and not line.endswith(b"\n")
