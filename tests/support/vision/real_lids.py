"""Real lids: three black stones and one in two lids of club games, and the fixed camera's two empty ones."""

from __future__ import annotations

import json

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
    folder = photos("fixed-camera-13x13")
    every = sorted((folder / "labels").glob("*.json"))
    paths = chosen(every, few) if few else every
    labels = [json.loads(path.read_text()) for path in paths]
    return [(read_image(folder / label["image"]), _grid(label)) for label in labels]
