"""Pictures that a phone sends: only the newest, and none that is dangerous to decode."""

from __future__ import annotations

import struct

import cv2
import numpy as np
import pytest

from referee import message
from tests.support.scans import with_scans
from vision.camera.frame import JpegPicture
from vision.camera.phone_camera import LARGEST_BYTES, PhonePictures, check_picture
from vision.errors import CameraLost, UnreadableImage
from web.language import to_english

WHY = message("phone.no-camera")


def jpeg(width: int = 640, height: int = 360, grey: int = 90, *how: int) -> bytes:
    pixels = np.full((height, width, 3), grey, np.uint8)
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 80, *how])[1])


@pytest.fixture
def pictures() -> PhonePictures:
    return PhonePictures(lambda: WHY)


def test_only_the_newest_is_kept(pictures):
    for t, grey in ((1.0, 20), (2.0, 200)):
        pictures.put_picture(jpeg(grey=grey), t)
    camera = pictures.open_camera()
    frame = camera.newest(0)
    assert frame.t == 2.0 and frame.pixels.mean() > 190
    assert camera.newest(0) is None


def test_one_that_was_taken_before_is_dropped(pictures):
    pictures.put_picture(jpeg(grey=200), 2.0)
    pictures.put_picture(jpeg(grey=20), 1.0)
    assert pictures.open_camera().newest(0).t == 2.0


def test_without_pictures_it_says_why(pictures):
    with pytest.raises(CameraLost) as exc_info:
        pictures.open_camera()
    assert exc_info.value.args == (WHY,)


def test_an_upright_picture_is_told(pictures):
    pictures.put_picture(jpeg(360, 640), 1.0)
    assert pictures.open_camera().newest(0).note == message("stream.upright")


def test_a_closed_camera_returns_nothing(pictures):
    pictures.put_picture(jpeg(), 1.0)
    camera = pictures.open_camera()
    camera.close()
    assert camera.newest(0) is None


def bomb(width: int, height: int) -> bytes:
    """A small file whose header claims a large picture."""
    data = jpeg()
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no baseline JPEG"),
        (b"x" * 1000, "no baseline JPEG"),
        (jpeg()[:-300], "cut short"),
        (bomb(65_000, 65_000), "65000×65000"),
        (bomb(5000, 3000), "5000×3000"),
        (jpeg(100, 100), "100×100"),
        (jpeg(640, 360, 90, cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "no baseline JPEG"),
        (jpeg() + b"\0" * LARGEST_BYTES, "more than"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 100 + b"IEND", "no baseline JPEG"),
    ],
    ids=["nothing", "noise", "cut", "bomb", "large", "small", "progressive", "long", "png"],
)
def test_what_is_not_decoded(pictures, data, said):
    with pytest.raises(UnreadableImage) as caught:
        check_picture(data)
    assert said in to_english(caught.value)
    with pytest.raises(UnreadableImage):
        pictures.put_picture(data, 1.0)
    with pytest.raises(CameraLost):
        pictures.open_camera()


def test_a_canvas_picture_is_taken():
    check_picture(jpeg(1920, 1080))


@pytest.mark.parametrize(
    "between", [b"", b"\xff", b"\xff\xd0", b"\xff\x01", b"\xff\xfe\x00\x04ab", b"\x00junk\xff\x00"]
)
@pytest.mark.parametrize("whole", [False, True])
def test_a_second_scan_is_refused_wherever_it_hides(pictures, between, whole):
    data = with_scans(2, between=between, whole=whole)
    with pytest.raises(UnreadableImage, match="more than 1 scan"):
        check_picture(data)
    with pytest.raises(UnreadableImage, match="more than 1 scan"):
        JpegPicture(data)


def test_a_comment_that_looks_like_scans_is_none():
    data = jpeg()
    comment = b"\xff\xda\x00\x02" * 50
    check_picture(data[:2] + b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment + data[2:])


def test_thousands_of_scans_are_refused_before_they_are_decoded():
    data = with_scans(20_000, 1920, 1080)
    assert len(data) < LARGEST_BYTES
    with pytest.raises(UnreadableImage, match="scans"):
        JpegPicture(data)
