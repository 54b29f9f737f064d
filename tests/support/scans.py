"""JPEGs that are small and take long to decode: of one scan, repeated."""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera.frame import scan_start

END = b"\xff\xd9"


def plain_jpeg(width: int = 640, height: int = 360, *how: int) -> bytes:
    """Return a grey picture."""
    pixels = np.full((height, width, 3), 90, np.uint8)
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 80, *how])[1])


def with_scans(scans: int, width: int = 640, height: int = 360, between: bytes = b"", whole: bool = False) -> bytes:
    """Return a baseline JPEG of so many scans.

    between: what stands before each further scan. whole: the picture's own scan again and again; otherwise scans of one
    colour each, without pixels, so that a decoder has to pass over the whole picture for each.
    """
    data = plain_jpeg(width, height)
    begin = data.rindex(b"\xff\xda", 0, scan_start(data))
    if whole:
        return data[: -len(END)] + (between + data[begin : -len(END)]) * (scans - 1) + END
    colours = [b"\xff\xda\x00\x08\x01" + bytes([1 + number % 3, 0]) + b"\x00\x3f\x00" for number in range(scans)]
    return data[:begin] + between.join(colours) + END
