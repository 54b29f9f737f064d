"""Random prisoner fields: a printed card for each side beside the board, stones on some of its circles."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from tests.support.tiers import LONG, sample
from tests.vision.training.traced.tables import table_with_fields
from vision.calibration.field_layout import CARD
from vision.training.traced import truth
from vision.training.traced.fields import card_corners, random_field_table


@pytest.mark.long
@pytest.mark.parametrize("seed", sample(range(12), 3))
def test_fields_lie_clear_of_board_and_each_other(seed):
    table = random_field_table(seed)
    assert table == random_field_table(seed) != random_field_table(seed + 100)
    shapes_seen = [card_corners(table, field)[:, :2].astype(np.float32) for field in table.fields]
    x, y = table.goban.half_board
    board = np.array([[-x, -y], [x, -y], [x, y], [-x, y]], np.float32)
    for one, other in combinations((board, *shapes_seen), 2):
        assert cv2.intersectConvexConvex(one, other)[0] == 0
    pixels = truth._make_lens(table).project_points(
        np.concatenate([card_corners(table, field) for field in table.fields])
    )
    assert (pixels > 0).all() and (pixels < (table.width, table.height)).all()


@pytest.mark.long
@pytest.mark.parametrize("seed", sample(range(12), 3))
def test_stones_on_a_field_lie_on_their_circles_and_not_in_each_other(seed):
    table = random_field_table(seed)
    for field in table.fields:
        spots = np.array([prisoner.at for prisoner in field.prisoners]).reshape(-1, 2)
        circles = [prisoner.circle for prisoner in field.prisoners]
        assert len(set(circles)) == len(circles)
        assert (np.linalg.norm(spots - np.array(CARD.places)[circles].reshape(-1, 2), axis=1) < 4.0).all()
        gaps = np.linalg.norm(spots[:, None] - spots, axis=2) + 1e9 * np.eye(len(spots))
        assert len(spots) < 2 or gaps.min() > table.stones.across * 0.98


@LONG
def test_random_fields_are_of_every_kind():
    fields = [field for seed in range(40) for field in random_field_table(seed).fields]
    assert 15 < sum(bool(field.waves) for field in fields) < 40
    many = [len(field.prisoners) for field in fields]
    assert min(many) == 0 and max(many) == len(CARD.places)
    assert {len({prisoner.colour for prisoner in field.prisoners}) for field in fields} == {0, 1, 2}


def test_a_turned_fields_places_are_where_a_camera_sees_them():
    table = table_with_fields()
    at = table.on_field(table.fields[1], np.array([10.0, 5.0]))
    assert np.allclose(at[:2], (210 - 5, 10)) and -20 < at[2] < -19.5
