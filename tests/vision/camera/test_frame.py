from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.frame import read_image, read_reduced, to_working_size
from vision.errors import UnreadableImage


def picture(height: int = 80, width: int = 100) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (height, width, 3), dtype=np.uint8)


def encode_picture(extension: str, pixels: np.ndarray) -> bytes:
    return cv2.imencode(extension, pixels)[1].tobytes()


@pytest.mark.parametrize("extension", [".jpg", ".png"])
def test_a_whole_picture_is_read(tmp_path, extension):
    path = tmp_path / f"table{extension}"
    path.write_bytes(encode_picture(extension, picture()))
    assert read_image(path).shape == (80, 100, 3)


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_may_be_a_plain_string(tmp_path, kind):
    path = tmp_path / "table.png"
    path.write_bytes(encode_picture(".png", picture()))
    assert (read_image(kind(path)) == picture()).all() and read_reduced(kind(path))[1] == 1
    with pytest.raises(UnreadableImage, match=r"no\.png: there is no such file"):
        read_image(kind(tmp_path / "no.png"))


@pytest.mark.parametrize("extension", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.3, 0.8, 0.99])
def test_a_picture_cut_short_is_refused_in_one_sentence(tmp_path, extension, share):
    whole = encode_picture(extension, picture())
    path = tmp_path / f"table{extension}"
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(UnreadableImage, match="cut short"):
        read_image(path)


def test_a_thumbnails_end_mark_does_not_hide_a_cut(tmp_path):
    whole = encode_picture(".jpg", picture())
    thumbnail = b"\xff\xe1" + (2 + 6).to_bytes(2, "big") + b"\xff\xd8\xff\xd9.."
    path = tmp_path / "table.jpg"
    path.write_bytes(whole[:2] + thumbnail + whole[2 : len(whole) // 2])
    with pytest.raises(UnreadableImage, match="cut short"):
        read_image(path)
    path.write_bytes(whole[:2] + thumbnail + whole[2:])
    assert read_image(path).shape == (80, 100, 3)


@pytest.mark.parametrize("data", [b"", b"this is a text\n", b"\xff\xd8", bytes(range(256))])
def test_what_is_no_picture_is_refused(tmp_path, data):
    path = tmp_path / "notes.jpg"
    path.write_bytes(data)
    with pytest.raises(UnreadableImage, match=r"notes\.jpg"):
        read_image(path)


def test_a_tiny_picture_is_refused(tmp_path):
    path = tmp_path / "dot.png"
    path.write_bytes(encode_picture(".png", picture(1, 1)))
    with pytest.raises(UnreadableImage, match="1x1"):
        read_image(path)


def rotate_jpeg(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF orientation, as telephones write it."""
    tag = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01" + bytes([0, orientation]) + bytes(6)
    app1 = b"Exif\x00\x00" + tag
    return jpeg[:2] + b"\xff\xe1" + (len(app1) + 2).to_bytes(2, "big") + app1 + jpeg[2:]


@pytest.mark.parametrize(("height", "width", "shrunk"), [(2000, 2001, 2), (2000, 2000, 1), (2449, 3265, 2)])
@pytest.mark.parametrize("orientation", [1, 6])
def test_a_large_photograph_is_read_at_half_its_size_and_upright(tmp_path, height, width, shrunk, orientation):
    path = tmp_path / "table.jpg"
    smooth = cv2.resize(picture(6, 8), (width, height), interpolation=cv2.INTER_CUBIC)
    path.write_bytes(rotate_jpeg(encode_picture(".jpg", smooth), orientation))
    whole, (half, times) = read_image(path), read_reduced(path)
    upright = (height, width) if orientation == 1 else (width, height)
    assert whole.shape[:2] == upright and times == shrunk
    assert half.shape[:2] == tuple(-(-side // shrunk) for side in upright)
    expected = cv2.resize(whole, half.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert cv2.absdiff(half, expected).max() <= 4


@pytest.mark.parametrize("extension", [".png", ".bmp"])
def test_what_is_no_jpeg_is_read_as_it_is(tmp_path, extension):
    path = tmp_path / f"table{extension}"
    path.write_bytes(encode_picture(extension, picture(2100, 2000)))
    pixels, times = read_reduced(path)
    assert (pixels.shape, times) == ((2100, 2000, 3), 1)


@pytest.mark.parametrize("data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xc0\x00\x03\x00\xff\xd9", bytes(range(256))])
def test_what_is_no_picture_is_refused_at_half_size_too(tmp_path, data):
    path = tmp_path / "notes.jpg"
    path.write_bytes(data)
    with pytest.raises(UnreadableImage, match=r"notes\.jpg"):
        read_reduced(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UnreadableImage, match="there is no such file"):
        read_image(tmp_path / "nothing.jpg")


def test_blocks_of_pixels_are_averaged_to_about_the_working_size():
    pixels = picture(1080, 1920)
    small, scale = to_working_size(pixels)
    blocks = pixels.reshape(540, 2, 960, 2, 3).mean(axis=(1, 3))
    assert scale == 0.5 and np.abs(small - blocks).max() <= 0.5


@pytest.mark.parametrize(("width", "scale"), [(1280, 1000 / 1280), (2500, 0.4), (3000, 1 / 3), (500, 2.0), (1000, 1.0)])
def test_other_pictures_are_made_exactly_as_wide_as_is_worked_on(width, scale):
    small, small_scale = to_working_size(picture(60, width))
    assert small_scale == pytest.approx(scale) and small.shape[1] == 1000
