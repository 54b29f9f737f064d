"""What OpenCV, FFmpeg and libjpeg write to stderr by themselves is in the log, and nowhere else."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.chatter import MOST, chatter_logged
from device.files import logging_to


def logged(tmp_path: Path) -> list[str]:
    return [line for line in (tmp_path / "log").read_text().splitlines() if "A library says" in line]


@pytest.fixture
def log(tmp_path):
    end = logging_to(tmp_path / "log")
    yield
    end()
    logging.getLogger("shinpan").setLevel(logging.NOTSET)


def damaged_jpeg() -> np.ndarray:
    """A picture about which libjpeg complains, though it decodes it."""
    drawn = cv2.blur(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8), (9, 9))
    data = cv2.imencode(".jpg", drawn)[1]
    data[2000:-10:997] ^= 0x55
    return data


def test_each_kind_of_line_is_logged_once_and_our_own_sentences_are_said(tmp_path, log, capfd):
    with chatter_logged():
        for number in range(3):
            assert cv2.imdecode(damaged_jpeg(), cv2.IMREAD_COLOR) is not None
            assert not cv2.VideoCapture(f"/dev/null{number}", cv2.CAP_V4L2).isOpened()
        print("a sentence of ours", file=sys.stderr)
    assert capfd.readouterr().err == "a sentence of ours\n"
    lines = logged(tmp_path)
    assert sum("Corrupt JPEG data" in line for line in lines) == 1, lines
    assert sum("VIDEOIO(V4L2" in line for line in lines) == 1, lines


def test_afterwards_stderr_is_what_it_was(capfd):
    before = sys.stderr
    with pytest.raises(KeyError), chatter_logged():
        raise KeyError
    os.write(2, b"to the terminal\n")
    assert capfd.readouterr().err == "to the terminal\n" and sys.stderr is before


def test_a_flood_neither_stands_in_the_way_nor_fills_the_log(tmp_path, log, capfd):
    with chatter_logged():
        for number in range(10 * MOST):
            word = "".join(chr(ord("a") + int(digit)) for digit in str(number))
            with suppress(BlockingIOError):
                os.write(2, f"{word} is new\n".encode() * 50)
    assert 0 < len(logged(tmp_path)) <= MOST
    assert capfd.readouterr().err == ""
