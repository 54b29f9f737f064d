"""The QR code in a photograph, a scan or a screenshot."""

import cv2
import numpy as np
import pytest

from device.qr_reader import decode_picture, read_qr


def draw_code(text: str) -> np.ndarray:
    code = cv2.QRCodeEncoder.create().encode(text)
    return np.kron(cv2.copyMakeBorder(code, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=255), np.ones((6, 6), np.uint8))


@pytest.mark.parametrize("times", [0.5, 1.0, 3.0])
def test_a_code_is_read_at_any_usual_size(times):
    picture = cv2.resize(draw_code("https://box.local/"), None, fx=times, fy=times, interpolation=cv2.INTER_AREA)
    assert read_qr(np.asarray(picture, np.uint8)) == "https://box.local/"


def test_a_picture_without_a_code_has_no_text():
    assert read_qr(np.full((80, 80), 200, np.uint8)) == ""


def test_bytes_that_are_no_picture_are_none():
    assert decode_picture(b"") is None and decode_picture(b"not a picture") is None
    data = cv2.imencode(".png", draw_code("x"))[1].tobytes()
    picture = decode_picture(data)
    assert picture is not None and picture.ndim == 2
