"""The rate at which a phone took the pictures of a film that it plays faster or slower: slow motion and time-lapse.

Android's camera writes it as `com.android.capture.fps` into the metadata of MP4 (frameworks/av, MPEG4Writer.cpp):
`moov`, `meta`, with the names in `keys` and the values in `ilst`, as in Apple's QuickTime File Format, "Metadata".
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

KEY = b"com.android.capture.fps"
MOST_BYTES = 1 << 20
"""The size above which a box of metadata is not read."""
MOST_BOXES = 4096
"""The number of boxes side by side after which a file is read no further."""
FLOAT_32 = 23
"""The well-known type of a value that is a big-endian 32-bit float."""
SLOWEST, FASTEST = 1 / 3600, 64.0
"""The plausible range of how many times slower a film is than what it shows."""

Box = tuple[bytes, int, int]
"""A box's kind, and where its contents begin and end in the file."""


def slow_motion(path: Path, rate: float) -> float:
    """Return how many times slower a film shows everything than it was; 1 if it does not say so.

    Args:
        path: the film.
        rate: frames a second at which it is played.
    """
    capture_rate = _capture_rate(path)
    slower = capture_rate / rate if capture_rate is not None else 1.0
    # Phones state a rate that they do not quite keep.
    is_plain = 0.75 < slower < 1.5
    return slower if SLOWEST <= slower <= FASTEST and not is_plain else 1.0


def _capture_rate(path: Path) -> float | None:
    """Return the rate at which the pictures were taken, None if the file does not state it."""
    try:
        with path.open("rb") as file:
            if file.read(8)[4:] != b"ftyp":
                return None
            moov = _find_box(file, (b"", 0, path.stat().st_size), b"moov")
            meta = moov and _find_box(file, moov, b"meta")
            keys, values = (_find_box(file, meta, kind) for kind in (b"keys", b"ilst")) if meta else (None, None)
            return _read_value(file, keys, values) if keys and values else None
    except (OSError, struct.error):
        return None


def _read_value(file: BinaryIO, keys: Box, values: Box) -> float | None:
    names = _parse_names(_read_contents(file, keys))
    if KEY not in names:
        return None
    number = names.index(KEY) + 1
    item = _find_box(file, values, struct.pack(">I", number))
    data = _read_contents(file, item)[8:] if item else b""
    if len(data) < 12 or struct.unpack(">I", data[:4])[0] != FLOAT_32:
        return None
    value = float(struct.unpack(">f", data[8:12])[0])
    return value if math.isfinite(value) and value > 0 else None


def _parse_names(data: bytes) -> list[bytes]:
    """Return the names in a box `keys`, in order: they are numbered from 1."""
    names, offset = [], 8
    while offset + 8 <= len(data):
        size = struct.unpack(">I", data[offset : offset + 4])[0]
        if size < 8:
            break
        names.append(data[offset + 8 : offset + size])
        offset += size
    return names


def _find_box(file: BinaryIO, inside: Box, kind: bytes) -> Box | None:
    return next((box for box in _read_boxes(file, inside) if box[0] == kind), None)


def _read_boxes(file: BinaryIO, inside: Box) -> Iterator[Box]:
    """Yield the boxes in a box; nothing but their heads is read."""
    _, offset, end = inside
    for _ in range(MOST_BOXES):
        if offset + 8 > end:
            return
        file.seek(offset)
        size, kind = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", file.read(8))[0], 16
        size = end - offset if size == 0 else size
        if size < head or offset + size > end:
            return
        yield kind, offset + head, offset + size
        offset += size


def _read_contents(file: BinaryIO, box: Box) -> bytes:
    _, begins, ends = box
    file.seek(begins)
    return file.read(min(ends - begins, MOST_BYTES))
