"""One picture of the table, and its decoding from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeGuard

import cv2
import numpy as np
import numpy.typing as npt

from referee import Message
from vision import MOST_PIXELS
from vision.camera import heif
from vision.errors import UnreadableImage
from vision.input_files import InputFileSpec

Image = npt.NDArray[np.uint8]
"""Pixels, shape (height, width, 3), blue-green-red, 0 to 255."""
Grey = npt.NDArray[np.uint8]
"""Grey levels, shape (height, width), 0 to 255."""
Levels = npt.NDArray[np.uint8]
"""An `Image` or a `Grey`."""

MIN_SIDE_PX = 32
"""The minimum side of a picture; a smaller one shows no board."""
PICTURE = InputFileSpec("a JPEG or PNG file", 1 << 28, UnreadableImage, is_kept=True)
START_OF_SCAN = 0xDA
"""JPEG's marker before the pixels (ITU-T T.81, SOS)."""
START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""JPEG's markers before the picture's height and width (SOF0 to SOF15, without DHT, JPG and DAC)."""
BASELINE = 0xC0
"""The marker of the JPEG that is decoded in one pass (SOF0)."""
ONE_SCAN = {BASELINE, 0xC1}
"""The markers of the JPEG whose pixels are in one scan (SOF0, SOF1), as every camera and browser makes it."""
MOST_SCANS = 16
"""Scans of any other JPEG; each costs a pass over all pixels, and encoders make some ten."""
END_OF_IMAGE = 0xD9
"""JPEG's marker after the pixels (EOI)."""
_MARKER = re.compile(rb"\xff+[^\x00\x01\xd0-\xd7\xff]", re.DOTALL)
"""A marker that a segment follows, or the end: not a stuffed byte of a scan (T.81, B.1.1.5), TEM or a restart."""
WORKING_SIDE_PX, NEARLY = 1000, 0.1
"""The longer side of the picture in which a board is searched, in pixels, and the relative tolerance that allows
shrinking by a whole factor, which takes a tenth of the time. Chosen by hand.
"""
LARGE_PIXELS = 4_000_000
"""The number of pixels above which a JPEG can be read at half its size, in a third of the time. Chosen by hand."""


class JpegPicture:
    """A JPEG as a camera sent it. Its colours are decoded when they are first asked for: a table at rest is watched by
    grey levels alone, which cost two thirds.

    `grey`: the grey levels.
    """

    def __init__(self, data: bytes) -> None:
        """Decode the grey levels; raise UnreadableImage for no picture, and for one that would take too long."""
        check_scans(data)
        self._data = data
        self.grey: Grey = self._decode_as(cv2.IMREAD_GRAYSCALE)

    @cached_property
    def pixels(self) -> Image:
        """Return the pixels."""
        return self._decode_as(cv2.IMREAD_COLOR)

    def _decode_as(self, how: int) -> Levels:
        decoded = decode_image(np.frombuffer(self._data, np.uint8), how)
        if decoded is None:
            raise UnreadableImage("The camera sent something that is no picture.")
        return decoded


Picture = Image | JpegPicture
"""What a camera gives."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture and the time at which it was taken.

    `picture`: the picture, decoded or not.
    `t`: seconds on the source's own clock.
    `name`: file name, for stills.
    `note`: the camera's own message about a fault of its pictures.
    """

    picture: Picture
    t: float
    name: str | None = None
    note: Message | None = None

    @property
    def pixels(self) -> Image:
        """Return the pixels, shape (height, width, 3), BGR, uint8."""
        return self.picture.pixels if isinstance(self.picture, JpegPicture) else self.picture

    @property
    def levels(self) -> Levels:
        """Return what movement and faults are sought in: grey levels if they are cheaper, else the pixels."""
        return self.picture.grey if isinstance(self.picture, JpegPicture) else self.picture

    @property
    def size(self) -> tuple[int, int]:
        """Return the height and width in pixels."""
        height, width = self.levels.shape[:2]
        return height, width

    @property
    def is_picture(self) -> bool:
        """Return True for a picture large enough to show a board, and not what else a broken camera gives."""
        if isinstance(self.picture, JpegPicture):
            return min(self.size) >= MIN_SIDE_PX
        return is_picture(self.picture)


def is_picture(pixels: object) -> TypeGuard[Image]:
    """Return True for an `Image` large enough to show a board."""
    if not isinstance(pixels, np.ndarray) or pixels.dtype != np.uint8 or pixels.ndim != 3:
        return False
    return bool(pixels.shape[2] == 3 and min(pixels.shape[:2]) >= MIN_SIDE_PX)


def read_image(path: Path | str) -> Image:
    """Return the picture in a file, turned upright by its EXIF orientation, an AVIF by its own.

    Raises UnreadableImage for a file that is no picture, is cut short, or is too small to show a board.
    """
    path = Path(path)
    return _decode_checked(path, _read_whole(path), cv2.IMREAD_COLOR)


def read_reduced(path: Path | str) -> tuple[Image, int]:
    """Return the picture in a file, a large JPEG at half its size, and the reduction factor.

    Raises UnreadableImage as `read_image` does.
    """
    path = Path(path)
    data = _read_whole(path)
    if LARGE_PIXELS < _jpeg_pixels(data) <= MOST_PIXELS:
        return _decode_checked(path, data, cv2.IMREAD_REDUCED_COLOR_2), 2
    return _decode_checked(path, data, cv2.IMREAD_COLOR), 1


def _read_whole(path: Path) -> bytes:
    data = PICTURE.bytes_of(path)
    if not data:
        raise PICTURE.error_for(path, "it is empty")
    if is_cut_short(data):
        raise UnreadableImage(f"{path}: the picture is cut short; copy it again from the camera.")
    return data


def _decode_checked(path: Path, data: bytes, how: int) -> Image:
    pixels = decode_image(np.frombuffer(data, np.uint8), how)
    if pixels is None and (kind := heif.kind_of(data)) is not None:
        raise PICTURE.error_for(path, f"{kind} pictures cannot be read here")
    if pixels is None:
        size_limit = f"one of more than {MOST_PIXELS // 10**6} megapixels"
        raise PICTURE.error_for(path, f"not a picture that can be read, or {size_limit}")
    if min(pixels.shape[:2]) < MIN_SIDE_PX:
        height, width = pixels.shape[:2]
        raise UnreadableImage(f"{path}: only {width}x{height} pixels, too small for a board; give the full picture.")
    return pixels


def to_working_size(image: Image) -> tuple[Image, float]:
    """Return the picture resized so that its longer side is about WORKING_SIDE_PX, and the scale."""
    times = max(image.shape[:2]) / WORKING_SIDE_PX
    if times > 1 and abs(times / round(times) - 1) <= NEARLY:
        times = round(times)
    way = cv2.INTER_AREA if times > 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, None, fx=1 / times, fy=1 / times, interpolation=way), np.uint8), 1 / times


def grey_of(image: Levels) -> Grey:
    """Return the grey levels, shape (height, width)."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def green_of(image: Levels) -> Grey:
    """Return the green levels, a view of the pixels, shape (height, width); of grey levels these."""
    return image if image.ndim == 2 else image[:, :, 1]


def decode_image(data: npt.NDArray[np.uint8], how: int = cv2.IMREAD_COLOR) -> Image | None:
    """Return the picture decoded from bytes, or None if they hold none. `how`: one of OpenCV's ImreadModes."""
    if data.size == 0:
        return None
    kind = heif.kind_of(data[: heif.MOST_BRANDS].tobytes())
    if kind == heif.HEIC:
        return heif.decode_heic(data.tobytes(), MOST_PIXELS)
    is_avif = kind == heif.AVIF
    try:
        pixels = cv2.imdecode(data, how | cv2.IMREAD_IGNORE_ORIENTATION if is_avif else how)
    except cv2.error:
        return None
    if pixels is None:
        return None
    decoded = np.asarray(pixels, dtype=np.uint8)
    return heif.turn_as_stored(data.tobytes(), decoded) if is_avif else decoded


def is_cut_short(raw: bytes) -> bool:
    """Return True for a JPEG or PNG without its end: decoders fill the rest with grey and report nothing."""
    if raw.startswith(b"\x89PNG"):
        return raw.rfind(b"IEND") < 0
    return raw.startswith(b"\xff\xd8") and raw.rfind(b"\xff\xd9", scan_start(raw)) < 0


def scan_start(raw: bytes) -> int:
    """Return the offset of a JPEG's own pixels, past headers that may hold a whole thumbnail with an end mark."""
    return next((end for marker, _, end in _read_segments(raw) if marker == START_OF_SCAN), len(raw))


def jpeg_size(raw: bytes) -> tuple[int, int] | None:
    """Return the width and height in a baseline JPEG's header; None for anything else (ITU-T T.81, SOF0)."""
    frames = _frame_headers(raw)
    return frames[0][1:] if len(frames) == 1 and frames[0][0] == BASELINE else None


def check_scans(raw: bytes) -> None:
    """Raise UnreadableImage for a JPEG with more scans than cameras make, before anything is decoded.

    A decoder passes over all pixels for each scan, however short it is, so that a small file can take minutes. With
    this, the time of a picture is bounded by its number of pixels.
    """
    frames = _frame_headers(raw)
    max_scans = 1 if not frames or frames[0][0] in ONE_SCAN else MOST_SCANS
    if _count_scans(raw, max_scans + 1) > max_scans:
        raise UnreadableImage(
            f"The picture has more than {max_scans} scans; send a JPEG as a camera or a browser makes it."
        )


def _count_scans(raw: bytes, limit: int) -> int:
    """Return the number of a JPEG's scans, counted up to `limit`; markers are followed as decoders do."""
    offset, count = 2, 0
    while (
        count < limit and (marker := _MARKER.search(raw, offset)) is not None and raw[marker.end() - 1] != END_OF_IMAGE
    ):
        count += raw[marker.end() - 1] == START_OF_SCAN
        offset = marker.end() + max(int.from_bytes(raw[marker.end() : marker.end() + 2], "big"), 2)
    return count


def _jpeg_pixels(raw: bytes) -> int:
    """Return the number of pixels stated in a JPEG's header; 0 if it is no JPEG."""
    _, width, height = next(iter(_frame_headers(raw)), (0, 0, 0))
    return width * height


def _frame_headers(raw: bytes) -> list[tuple[int, int, int]]:
    """Return marker, width and height of each frame header of a JPEG."""
    if not raw.startswith(b"\xff\xd8"):
        return []
    headers = [
        (marker, start) for marker, start, end in _read_segments(raw) if marker in START_OF_FRAME and end - start >= 9
    ]
    return [
        (marker, int.from_bytes(raw[start + 7 : start + 9], "big"), int.from_bytes(raw[start + 5 : start + 7], "big"))
        for marker, start in headers
    ]


def _read_segments(raw: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield a JPEG's header segments in order: marker, start, end."""
    start = 2
    while start + 4 <= len(raw) and raw[start] == 0xFF:
        end = start + 2 + int.from_bytes(raw[start + 2 : start + 4], "big")
        yield raw[start + 1], start, end
        start = end
