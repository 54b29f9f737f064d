import cv2
import numpy as np
import pytest

from vision.errors import UnreadableImage
from vision.frame import read_image


def picture(height: int = 80, width: int = 100) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (height, width, 3), dtype=np.uint8)


def encoded(extension: str, pixels: np.ndarray) -> bytes:
    return cv2.imencode(extension, pixels)[1].tobytes()


@pytest.mark.parametrize("extension", [".jpg", ".png"])
def test_a_whole_picture_is_read(tmp_path, extension):
    path = tmp_path / f"table{extension}"
    path.write_bytes(encoded(extension, picture()))
    assert read_image(path).shape == (80, 100, 3)


@pytest.mark.parametrize("extension", [".jpg", ".png"])
@pytest.mark.parametrize("kept", [0.3, 0.8, 0.99])
def test_a_picture_cut_short_is_refused_in_one_sentence(tmp_path, extension, kept):
    whole = encoded(extension, picture())
    path = tmp_path / f"table{extension}"
    path.write_bytes(whole[: int(len(whole) * kept)])
    with pytest.raises(UnreadableImage, match="cut short"):
        read_image(path)


def test_a_thumbnails_end_mark_does_not_hide_a_cut(tmp_path):
    whole = encoded(".jpg", picture())
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
    path.write_bytes(encoded(".png", picture(1, 1)))
    with pytest.raises(UnreadableImage, match="1x1"):
        read_image(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UnreadableImage, match="there is no such file"):
        read_image(tmp_path / "nothing.jpg")
