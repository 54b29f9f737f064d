"""AVIF and HEIC files: their kind, and how the picture in them is turned, which OpenCV's decoder leaves to its caller.

A file is a tree of boxes (ISO/IEC 14496-12). The properties of the primary item say how its picture is turned: `irot`
by quarters against the clock, then `imir` upside down (0) or left to right (1) (ISO/IEC 23008-12, 6.5.10 and 6.5.12);
an orientation in EXIF does not count beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import numpy as np
import numpy.typing as npt

MOST_BRANDS = 256
"""Bytes from the start in which a file's brands are looked for."""
AVIF, HEIC = "AVIF", "HEIC"
_AVIF = {b"avif", b"avis"}
_HEIC = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}


def kind_of(data: bytes) -> str | None:
    """Return AVIF or HEIC, None for any other file."""
    if data[4:8] != b"ftyp":
        return None
    end = min(int.from_bytes(data[:4], "big"), MOST_BRANDS)
    brands = {data[offset : offset + 4] for offset in (8, *range(16, end, 4))}
    return AVIF if brands & _AVIF else HEIC if brands & _HEIC else None


def decode_heic(data: bytes, most_pixels: int) -> npt.NDArray[np.uint8] | None:
    """Return the pixels of a HEIC file as they are turned, in BGR; None if they cannot be decoded or are too many.

    Without the extra `heic` nothing here decodes them.
    """
    try:
        import pi_heif  # 4 MB, and Pillow: most boxes see no iPhone's pictures.
    except ImportError:
        return None
    try:
        picture = pi_heif.open_heif(BytesIO(data), convert_hdr_to_8bit=True, bgr_mode=True)
        width, height = picture.size
        if width * height > most_pixels:
            return None
        pixels = np.asarray(picture, np.uint8)
    except (EOFError, OSError, RuntimeError, SyntaxError, ValueError):
        return None
    coloured = pixels if pixels.ndim == 3 else np.repeat(pixels[:, :, None], 3, axis=2)
    return np.ascontiguousarray(coloured[:, :, :3])


def turn_as_stored(data: bytes, pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the decoded pixels of a file as its properties turn them; as they are if it has none."""
    quarters, mirror = 0, None
    for kind, value in _read_properties(data):
        if kind == b"irot" and value:
            quarters = value[0] & 3
        elif kind == b"imir" and value:
            mirror = value[0] & 1
    rotated = np.rot90(pixels, quarters)
    # The two kinds of `imir` are the two axes of an array: rows, and columns.
    return np.ascontiguousarray(rotated if mirror is None else np.flip(rotated, mirror))


def _read_properties(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the properties of the primary item: each box's kind and contents."""
    try:
        meta = next(body for kind, body in _read_boxes(data) if kind == b"meta")[4:]
        meta_boxes = dict(_read_boxes(meta))
        item = int.from_bytes(meta_boxes[b"pitm"][4:], "big")
        property_boxes = dict(_read_boxes(meta_boxes[b"iprp"]))
        properties = list(_read_boxes(property_boxes[b"ipco"]))
        return [properties[number - 1] for number in _read_associations(property_boxes[b"ipma"], item)]
    except (StopIteration, KeyError, IndexError):
        return []


def _read_boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the boxes that follow each other in the data: kind and contents."""
    offset = 0
    while offset + 8 <= len(data):
        size, head = int.from_bytes(data[offset : offset + 4], "big"), 8
        if size == 1:
            size, head = int.from_bytes(data[offset + 8 : offset + 16], "big"), 16
        end = len(data) if size == 0 else offset + size
        if end < offset + head:
            return
        yield data[offset + 4 : offset + 8], data[offset + head : end]
        offset = end


def _read_associations(ipma: bytes, item: int) -> list[int]:
    """Return the numbers of an item's properties, from 1, in the order in which they apply."""
    wide_item, wide_property = ipma[0] > 0, ipma[3] & 1
    id_bytes, property_bytes = (4 if wide_item else 2), (2 if wide_property else 1)
    offset = 8
    for _ in range(int.from_bytes(ipma[4:8], "big")):
        number, count = int.from_bytes(ipma[offset : offset + id_bytes], "big"), ipma[offset + id_bytes]
        offset += id_bytes + 1
        end = offset + count * property_bytes
        if number == item:
            # The highest bit says that a reader must know the property.
            fields = (
                int.from_bytes(ipma[start : start + property_bytes], "big")
                for start in range(offset, end, property_bytes)
            )
            return [field & (0x7FFF if wide_property else 0x7F) for field in fields]
        offset = end
    return []
