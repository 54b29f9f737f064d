"""The pictures in a camera's endless answer."""

import io
from http.client import HTTPResponse
from typing import cast

import cv2
import numpy as np

from vision.camera.mjpeg import MOST_BETWEEN, MjpegStream


class Answer(io.BytesIO):
    """What a camera answers, in small pieces."""

    def read1(self, size: int = -1) -> bytes:
        return super().read(min(size, 700) if size > 0 else 700)


def stream(data: bytes) -> MjpegStream:
    return MjpegStream(cast(HTTPResponse, Answer(data)))


def jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((24, 32, 3), grey, np.uint8))[1].tobytes()


def test_every_picture_comes_whole_whatever_lies_between():
    head = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n"
    pictures = stream(head + jpeg(10) + b"\r\n" + head + jpeg(200) + b"\r\n--frame")
    images = []
    while pictures.grab():
        picture = pictures.retrieve()
        assert picture is not None
        images.append(picture)
    assert len(images) == 2


def test_a_stream_without_pictures_ends():
    assert not stream(b"x" * (MOST_BETWEEN + 100_000)).grab()
    assert not stream(b"").grab()


def test_a_picture_cut_off_is_none():
    assert not stream(jpeg(10)[:-20]).grab()
