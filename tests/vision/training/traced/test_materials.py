"""Materials as Blender's shader nodes. Texture coordinates are in mm."""

from __future__ import annotations

import numpy as np

from tests.vision.training.traced.tables import plain
from vision.training.traced import materials


def test_lines_cross_where_points_lie():
    goban = plain().goban
    ink = materials.draw_lines(goban)
    on, off = (
        np.rint((np.array(goban.locate_point(r, c)) + goban.half_board) * materials.FINE).astype(int)
        for r, c in ((3, 5), (3.5, 5.5))
    )
    assert ink[on[1], on[0]] == 1 and ink[off[1], off[0]] == 0
    assert (
        len(materials.find_star_points(19)) == 9
        and len(materials.find_star_points(9)) == 5
        and (6, 6) in materials.find_star_points(13)
    )
