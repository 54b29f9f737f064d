"""The text that a phone reads from a label's codes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree

import cv2
import numpy as np

from web.page.qr import QUIET

DOTS = 6
"""Pixels a square of the code."""


def read(drawn: str) -> list[str]:
    """Return the texts that a phone reads from the label's codes, from left to right."""
    paths = (one for one in Tree.fromstring(drawn).iter() if one.tag.endswith("path") and "stroke" in one.attrib)
    return [cv2.QRCodeDetectorAruco().detectAndDecode(photographed(path.attrib["d"]))[0] for path in paths]


def photographed(path: str) -> np.ndarray:
    """A code as a picture, from the runs of dark squares in its path."""
    runs, x, y = [], 0.0, 0.0
    for move, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path):
        values = [float(value) for value in re.findall(r"-?[0-9.]+", numbers)]
        if move == "h":
            runs.append((int(x), int(y), int(values[0])))
            x += values[0]
        else:
            x, y = (values[0], values[1]) if move == "M" else (x + values[0], y + values[1])
    side = max(row for _, row, _ in runs) + 1 + QUIET
    squares = np.full((side, side), 255, np.uint8)
    for first, row, length in runs:
        squares[row, first : first + length] = 0
    return np.kron(squares, np.ones((DOTS, DOTS), np.uint8))
