"""Real lids: three black stones and one in two lids of club games, and the fixed camera's two empty ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tests.support.shared import photos
from tests.support.vision.labels import board_labels
from tests.support.vision.photographs import chosen
from vision.calibration.model import Box, Grid
from vision.camera.frame import Image, read_image

CLUB = {"board07": (Box(0, 476, 415, 637), (3, 0)), "board_full_1": (Box(230, 1875, 431, 464), (1, 0))}
"""Boxes as a person would draw them, and what lies in the lids."""
FIXED = (Box(70, 368, 310, 237), Box(3, 675, 352, 305))
"""The fixed camera's lids as a person would box them, the upper one first."""


def _grid(label: dict[str, object]) -> Grid:
    return Grid(int(str(label["size"])), tuple(map(tuple, np.array(label["corners"]).tolist())))


def club_games() -> list[tuple[str, Image, Grid]]:
    """The two pictures with lids in them, and their boards."""
    folder = photos("club-games")
    seven = _grid(json.loads((folder / "labels" / "board07.json").read_text()))
    full = next(label for label in board_labels("club-games") if label.picture().stem == "board_full_1")
    grids = {"board07": seven, "board_full_1": Grid(full.size, tuple(map(tuple, full.corners.tolist())))}
    return [(name, read_image(folder / "images" / f"{name}.jpg"), grid) for name, grid in grids.items()]


def fixed_camera(few: int | None = None) -> list[tuple[Image, Grid]]:
    """Return the fixed camera's pictures and their boards.

    few: so many of them, but in a run of the tier `all` every one
    """
    every = sorted((photos("fixed-camera-13x13") / "labels").glob("*.json"))
    return list(map(_labelled, chosen(every, few) if few else every))


def cases() -> list[tuple[Image, Grid]]:
    """Return pictures and their boards, beside which lie a zipped case, a wallet and bowls, but no lid."""
    return list(map(_labelled, sorted((photos("angles-13x13") / "labels").glob("angled_easy*.json"))))


def _labelled(path: Path) -> tuple[Image, Grid]:
    label = json.loads(path.read_text())
    return read_image(path.parents[1] / label["image"]), _grid(label)
