"""Seeing: from pictures of a table to what lies on its board and in its lids.

This is its face: the names that most programs need. A photograph is read from its file by `read_image`; here a table is
drawn, so that what truly lies on it is known:

>>> from referee import Colour
>>> from vision import LidStone, Scene, Table, club_look, find_board, find_lids, read_frame
>>> rows = (".........", "..X...O..", "......X..", ".........", "....O....", *4 * (".........",))
>>> lids = (tuple(LidStone(x, 0.1, 0, Colour.WHITE) for x in (-0.3, 0.3)), ())
>>> picture = Table(club_look(seed=3, size=9, width=960, height=540)).draw(Scene(rows, lids)).pixels

Board and lids are found, then read:

>>> grid = find_board(picture)
>>> grid.size
9
>>> reading = read_frame(picture, grid, find_lids(picture, grid))
>>> reading.rows() == rows
True
>>> reading.doubtful()
()
>>> [(lid.black, lid.white, lid.sure) for lid in reading.lids]
[(0, 2, True), (0, 0, True)]

An `Observer` does that for every frame of a camera, and answers once several still frames agree.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

MOST_PIXELS = 90_000_000
"""A larger picture is refused by its header, before memory is taken for it; one of this size is decoded in 600 MB."""
# OpenCV reads these once, when it is loaded. What is wrong with a picture or a camera we say ourselves.
os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MOST_PIXELS)
os.environ.setdefault("OPENCV_LOG_LEVEL", "FATAL")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

FACE = {
    "vision.board.detect": ("find_board", "find_place", "refine_board"),
    "vision.calibrating": ("calibrate", "fitting_calibration"),
    "vision.calibration": ("Box", "Calibration", "Grid", "parse_calibration", "read_calibration"),
    "vision.camera": ("open_source",),
    "vision.errors": ("BadCalibration", "BadSource", "CameraLost", "UnreadableImage", "VisionError"),
    "vision.frame": ("Frame", "Image", "read_image"),
    "vision.lids.count": ("LidReading", "find_lids", "read_lid"),
    "vision.lids.on_mat": ("place_lids",),
    "vision.live": ("LiveCamera", "Wanted", "open_live"),
    "vision.observer": ("Looking", "Observer"),
    "vision.overlay": ("draw_calibration", "draw_overlay"),
    "vision.reading": ("Reading", "read_frame"),
    "vision.render.looks": ("club_look",),
    "vision.render.scene": ("Hand", "LidStone", "Look", "Scene"),
    "vision.render.table": ("Table",),
}
"""Where each name stands. A module is loaded when one of its names is first asked for: who only catches a VisionError
need not wait for OpenCV."""

__all__ = sorted(name for names in FACE.values() for name in names)


def __getattr__(name: str) -> Any:
    for module, names in FACE.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'vision' has no attribute {name!r}")
