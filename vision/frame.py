"""One picture of the table, and how it is read from a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import cv2
import numpy as np
import numpy.typing as npt

from referee import Message
from vision import MOST_PIXELS
from vision.errors import UnreadableImage
from vision.named import NamedFile

Image = npt.NDArray[np.uint8]
"""Pixels, shape (height, width, 3), blue-green-red, 0 to 255."""

SMALLEST_SIDE = 32
"""Pixels: a picture with a shorter side shows no board."""
PICTURE = NamedFile("a JPEG or PNG file", 1 << 28, UnreadableImage, is_kept=True)
START_OF_SCAN = 0xDA
"""JPEG's marker before the pixels (ITU-T T.81, SOS)."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture and when it was taken.

    pixels: shape (height, width, 3), BGR, uint8. t: seconds on the source's own clock. name: file name, for stills.
    note: what its camera says is wrong with what it shows.
    """

    pixels: Image
    t: float
    name: str | None = None
    note: Message | None = None


def is_picture(pixels: object) -> TypeGuard[Image]:
    """Whether it is an `Image`, and large enough to show a board."""
    if not isinstance(pixels, np.ndarray) or pixels.dtype != np.uint8 or pixels.ndim != 3:
        return False
    return bool(pixels.shape[2] == 3 and min(pixels.shape[:2]) >= SMALLEST_SIDE)


def read_image(path: Path) -> Image:
    """The picture in a file, turned upright by its EXIF orientation.

    Raises UnreadableImage for a file that is no picture, is cut short, or is too small to show a board.
    """
    data = np.frombuffer(PICTURE.bytes_of(path), dtype=np.uint8)
    if not data.size:
        raise PICTURE.refused(path, "it is empty")
    if cut_short(data):
        raise UnreadableImage(f"{path}: the picture is cut short; copy it again from the camera.")
    pixels = decode(data)
    if pixels is None:
        most = f"one of more than {MOST_PIXELS // 10**6} megapixels"
        raise PICTURE.refused(path, f"not a picture that can be read, or {most}")
    if min(pixels.shape[:2]) < SMALLEST_SIDE:
        height, width = pixels.shape[:2]
        raise UnreadableImage(f"{path}: only {width}x{height} pixels, too small for a board; give the full picture.")
    return pixels


def grey_of(image: Image) -> npt.NDArray[np.uint8]:
    """Its grey levels, shape (height, width)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def decode(data: npt.NDArray[np.uint8]) -> Image | None:
    """The picture in these bytes, or None when they hold none."""
    if data.size == 0:
        return None
    try:
        pixels = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if pixels is None else np.asarray(pixels, dtype=np.uint8)


def cut_short(data: npt.NDArray[np.uint8]) -> bool:
    """A JPEG or PNG without its end: decoders fill the rest with grey and say nothing."""
    raw = data.tobytes()
    if raw.startswith(b"\x89PNG"):
        return b"IEND" not in raw
    return raw.startswith(b"\xff\xd8") and b"\xff\xd9" not in raw[_scan_start(raw) :]


def _scan_start(raw: bytes) -> int:
    """Where a JPEG's own pixels begin, past headers that may hold a whole thumbnail with an end mark of its own."""
    at = 2
    while at + 4 <= len(raw) and raw[at] == 0xFF:
        length = int.from_bytes(raw[at + 2 : at + 4], "big")
        if raw[at + 1] == START_OF_SCAN:
            return at + 2 + length
        at += 2 + length
    return len(raw)
