"""Compressed game records: a file of gzip, or an archive of zip. Nothing in them is believed about sizes.

What comes out is limited, however small the file is, so that no archive fills the memory.
"""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath

from referee.game.errors import BadRecord

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
LARGEST = 1 << 23
"""Bytes of a packed record and of what it holds, 8 MiB: no game record is larger."""
MOST_FILES = 5000
_ENTRY = b"PK\x01\x02"
_RECORDS = frozenset((".sgf", ".gib", ".gi", ".ngf", ".ugf", ".ugi", ".jsonl"))


def is_packed(beginning: bytes) -> bool:
    """Return True for the beginning of a file of gzip or zip."""
    return beginning.startswith((_GZIP, _ZIP))


def unpack_record(data: bytes) -> tuple[bytes, str]:
    """Return the record in a packed file, and what was assumed, empty if nothing was; any other file as it is.

    Raises BadRecord, in one sentence, for what cannot be unpacked, is too large, or holds no record.
    """
    try:
        if data.startswith(_GZIP):
            with gzip.GzipFile(fileobj=BytesIO(data)) as file:
                return _check_size(file.read(LARGEST + 1)), ""
        return _unpack_zip(data) if data.startswith(_ZIP) else (data, "")
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
        raise BadRecord("It is damaged or locked and cannot be unpacked; unpack it, and give the record.") from error


def _unpack_zip(data: bytes) -> tuple[bytes, str]:
    if data.count(_ENTRY) > MOST_FILES:
        raise BadRecord(f"It holds more than {MOST_FILES} files; unpack it, and give one record.")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        records = sorted(filter(_is_record, archive.namelist()), key=_build_sort_key)
        if not records:
            raise BadRecord("It holds no game record (.sgf, .gib, .ngf, .ugf); give the record itself.")
        with archive.open(records[0]) as file:
            record = _check_size(file.read(LARGEST + 1))
    if len(records) == 1:
        return record, ""
    return record, f"The archive holds {len(records)} records; the first, {records[0][:60]!r}, was read."


def _is_record(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in _RECORDS and not path.name.startswith("._") and "__MACOSX" not in path.parts


def _build_sort_key(name: str) -> list[tuple[bool, int, str]]:
    """Return a key that sorts game2 before game10."""
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d{1,9})", name)]


def _check_size(data: bytes) -> bytes:
    if len(data) > LARGEST:
        raise BadRecord(f"What it holds is larger than any game record ({LARGEST >> 20} MiB).")
    return data
