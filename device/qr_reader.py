"""Reads the QR code in a photograph, a scan or a screenshot."""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera.frame import Grey, Image

READ_AT, MOST_PIXELS = (1.0, 2.0, 1.5, 0.5), 1 << 26
"""Scale factors at which a picture is read, in this order, and the most pixels of an enlarged picture. At scale 1
alone, 7 of 120 clean scans were not read.
"""


def decode_picture(data: bytes) -> Grey | None:
    """Return the picture in these bytes; None if they hold none."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE) if data else None
    return None if pixels is None else np.asarray(pixels, np.uint8)


def read_qr(picture: Grey | Image) -> str:
    """Return the text of the QR code in a picture; empty if none can be read."""
    readers = (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector())
    fit = (times for times in READ_AT if times <= 1 or picture.size * times**2 <= MOST_PIXELS)
    sizes = (cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_AREA) for times in fit)
    return next((text for size in sizes for reader in readers if (text := reader.detectAndDecode(size)[0])), "")
