"""Views of drawn boards for the crossing net: from about above, in any light, partly covered."""

import cv2
import numpy as np

from tests.support.vision.pictures import drawn_board
from vision.training.views import MAP, DrawnTable, make_view


def test_training_views_say_where_the_crossings_are():
    picture = drawn_board(9, 1, stones=0.0)
    table = DrawnTable(picture.pixels, 9, np.array(picture.truth.grid.corners))
    views = [make_view(np.random.default_rng(seed), [table], [table]) for seed in range(12)]
    spots = [cv2.connectedComponents((truth[0] > 0.6).astype(np.uint8))[0] - 1 for _, truth in views]
    assert all(pixels.shape == (2 * MAP, 2 * MAP, 3) for pixels, _ in views)
    assert max(spots) <= 90 and np.median(spots) > 60 and min(spots) == 0
