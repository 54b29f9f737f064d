"""Computer vision for shinpan: from pictures of a table to the contents of its board and lids.

This package exports the names that most programs need. `read_image` reads a photograph from its file; this example
draws a table instead, so that its contents are known:

>>> from referee import Colour
>>> from vision import LidStone, Scene, Table, club_look, find_board, find_lids, read_frame
>>> rows = (".........", "..X...O..", "......X..", ".........", "....O....", *4 * (".........",))
>>> lids = (tuple(LidStone(x, 0.1, 0, Colour.WHITE) for x in (-0.3, 0.3)), ())
>>> picture = Table(club_look(seed=3, size=9, width=960, height=540)).draw(Scene(rows, lids)).pixels

Find board and lids, then read them:

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

A `BoardTracker` does that for every frame of a camera, and answers once several still frames agree.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

MOST_PIXELS = 90_000_000
"""The pixel limit of a picture. A larger one is refused by its header, before memory is allocated; one of this size
takes 600 MB to decode.
"""
# OpenCV reads these once, when it is loaded. Faults of a picture or a camera get our own messages.
os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MOST_PIXELS)
os.environ.setdefault("OPENCV_LOG_LEVEL", "FATAL")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

FACE = {
    ".board.detect": ("find_board", "find_place", "refine_board"),
    ".board.calibration_fit": ("calibrate", "fitting_calibration"),
    ".calibration.model": ("Box", "Calibration", "Grid", "parse_calibration", "read_calibration"),
    ".camera.recordings": ("open_source",),
    ".errors": ("BadCalibration", "BadSource", "CameraLost", "UnreadableImage", "VisionError"),
    ".camera.frame": ("Frame", "Image", "read_image"),
    ".lids.count": ("LidReading", "find_lids", "read_lid"),
    ".board.lid_positions": ("place_lids",),
    ".camera.live": ("CameraConfig", "LiveCamera", "open_live"),
    ".tracking.tracker": ("BoardTracker", "TrackerConfig"),
    ".tracking.overlay": ("draw_calibration", "draw_overlay"),
    ".tracking.reading": ("Reading", "read_frame"),
    ".render.looks": ("club_look",),
    ".render.scene": ("Appearance", "Hand", "LidStone", "Scene"),
    ".render.table": ("Table",),
}
"""The module of each exported name. A module is imported on first use of one of its names: a program that only
catches VisionError need not load OpenCV.
"""

__all__ = sorted(name for names in FACE.values() for name in names)


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def __getattr__(name: str) -> Any:
    for module, names in FACE.items():
        if name in names:
            return getattr(import_module(module, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
