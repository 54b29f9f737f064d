"""Advice about the place of a phone."""

from __future__ import annotations

import json

import numpy as np
import pytest

from device.phones.framing import framing_message
from vision.calibration.model import Calibration, parse_calibration

WIDTH, HEIGHT = 1920, 1080


def place(left: float, top: float, side: float, lids: int = 0) -> Calibration:
    """A board of 19 lines that lies straight."""
    right, bottom = left + side, top + side
    boxes = [[10, 10, 90, 90], [10, 300, 90, 90]][:lids]
    corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
    return parse_calibration(json.dumps({"size": 19, "corners": corners, "lids": boxes}))


@pytest.mark.parametrize(
    ("left", "top", "side", "lids", "key"),
    [
        (660, 240, 600, 0, None),
        (430, 10, 1060, 0, "framing.up"),
        (1150, 240, 600, 0, "framing.right"),
        (20, 240, 600, 0, "framing.left"),
        (480, 60, 960, 2, None),
        (700, 300, 200, 0, "framing.down"),
    ],
)
def test_where_to_move_it(left, top, side, lids, key):
    message = framing_message(place(left, top, side, lids), np.full((HEIGHT, WIDTH, 3), 90, np.uint8))
    assert (message and message.key) == key
    assert message is None or dict(message.args)["cm"] % 5 == 0
