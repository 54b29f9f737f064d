"""AVIF pictures are read as they are turned, HEIC pictures are told from what is no picture."""

from __future__ import annotations

import base64
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps, features

from tests.support import wanting
from vision.camera import heif
from vision.camera.frame import decode_image, read_image, read_reduced
from vision.camera.recordings import Frame, Stills, UnreadableStill, open_source
from vision.errors import BadSource, UnreadableImage

ORIENTATION = 0x0112
"""The tag in EXIF."""
HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100)
DRAWN_HEIC = (
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERA"
    "AAEAAQAAAAABZgABAAAAAAAAAD8AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAAwmlwcnAAAACkaXBjbwAA"
    "AHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbq"
    "SSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOB"
    "AgMAAABHbWRhdAAAADsoAa9Y+Q6SX//xzd//fdJD5HfTet//q5kWenQ7/ObIPXOCz/wfF/ZXw/NjZp6cM9ZNFlJ3hvLqvAeGSg=="
)
"""A drawn picture: red above, black and blue below."""
avif = pytest.mark.skipif(
    not (features.check("avif") and cv2.haveImageWriter("x.avif")), reason="Pillow and OpenCV here have no AVIF"
)


def quadrants() -> Image.Image:
    """A picture that differs from itself however it is turned."""
    pixels = np.zeros((64, 96, 3), np.uint8)
    pixels[:32, :48], pixels[:32, 48:], pixels[32:, :48] = (250, 10, 10), (10, 250, 10), (10, 10, 250)
    return Image.fromarray(pixels)


@avif
@pytest.mark.parametrize("orientation", range(1, 9))
def test_an_avif_is_read_as_it_is_turned(tmp_path: Path, orientation: int) -> None:
    """Pillow writes the orientation as irot and imir, as cameras and libavif do."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    quadrants().save(tmp_path / "table.avif", exif=exif, quality=95)
    image = quadrants()
    image.getexif()[ORIENTATION] = orientation
    upright = np.asarray(ImageOps.exif_transpose(image))[:, :, ::-1]
    for read in (read_image(tmp_path / "table.avif"), read_reduced(tmp_path / "table.avif")[0]):
        assert read.shape == upright.shape and read.flags.c_contiguous
        assert np.abs(read.astype(int) - upright).mean() < 6


@avif
@pytest.mark.parametrize("at", [b"ftyp", b"meta", b"iprp", b"ipma", b"irot", b"pitm"])
def test_a_damaged_avif_is_read_as_it_is_or_refused(tmp_path: Path, at: bytes) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    quadrants().save(tmp_path / "whole.avif", exif=exif)
    data = (tmp_path / "whole.avif").read_bytes()
    where = data.index(at)
    for length in (0, 1, 5):
        damaged = tmp_path / "damaged.avif"
        damaged.write_bytes(data[: where - 4] + bytes(length) + data[where + length :])
        try:
            assert read_image(damaged).ndim == 3
        except UnreadableImage as error:
            assert str(error).startswith(f"{damaged}: ")


def test_a_heic_picture_gets_a_sentence_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "IMG_1.HEIC").write_bytes(HEIC)
    with pytest.raises(UnreadableImage, match="HEIC: HEIC pictures cannot be read here; give a JPEG or PNG file"):
        read_image(tmp_path / "IMG_1.HEIC")
    source = open_source(str(tmp_path))
    assert isinstance(source, Stills)
    (look,) = source.read_frames()
    assert isinstance(look, UnreadableStill) and "HEIC" in look.sentence


def test_a_heic_picture_is_decoded_where_its_decoder_is() -> None:
    wanting.module("pi_heif", wanting.HEIC)
    pixels = decode_image(np.frombuffer(base64.b64decode(DRAWN_HEIC), np.uint8))
    assert pixels is not None and pixels.shape == (64, 96, 3)
    blue_below, red_above = pixels[50, 80].astype(int), pixels[10, 10].astype(int)
    assert np.abs(blue_below - (220, 60, 20)).max() < 12 and np.abs(red_above - (20, 40, 200)).max() < 12
    assert heif.decode_heic(base64.b64decode(DRAWN_HEIC), 96 * 64 - 1) is None
    assert decode_image(np.frombuffer(base64.b64decode(DRAWN_HEIC)[:300], np.uint8)) is None


def test_what_a_mac_leaves_beside_each_picture_is_skipped(tmp_path: Path) -> None:
    for name in ("1.png", "2.png"):
        quadrants().save(tmp_path / name)
        (tmp_path / f"._{name}").write_bytes(b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ")
    source = open_source(str(tmp_path))
    assert isinstance(source, Stills) and [path.name for path in source.paths] == ["1.png", "2.png"]
    assert all(isinstance(look, Frame) for look in source.read_frames())
    for name in ("1.png", "2.png"):
        (tmp_path / name).unlink()
    with pytest.raises(BadSource, match="holds no pictures"):
        open_source(str(tmp_path))
