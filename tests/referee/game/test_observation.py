"""One observation of the table, without pixels: a probability for each point, the lids, stones off the grid."""

import pytest

from referee.game.board import Colour
from referee.game.observation import LEAST_CHANCE, LidSight, Observation

UNSURE = LidSight(2, 0, (1, 3), (0, 0), sure=False, clear=True, chances=((0.1, 0.8, 0.1), (1.0,)))


@pytest.mark.parametrize(("count", "chance"), [(2, 1.0), (1, 0.125), (3, 0.125), (4, LEAST_CHANCE), (0, LEAST_CHANCE)])
def test_a_count_is_as_likely_as_the_eye_says(count, chance):
    assert UNSURE.relative_chance(Colour.BLACK, count) == pytest.approx(chance)


def test_a_sure_lid_leaves_other_counts_the_least_chance():
    sure = UNSURE.as_exact()
    assert sure.sure and sure.black_range == (2, 2) and sure.chances is None
    assert (sure.relative_chance(Colour.BLACK, 2), sure.relative_chance(Colour.BLACK, 3)) == (1.0, LEAST_CHANCE)


def test_an_expected_number_never_outvotes_what_is_seen():
    assert UNSURE.can_confirm(2, 0) and not UNSURE.can_confirm(3, 0)
    assert not LidSight(2, 0, (1, 3), (0, 0), sure=False).can_confirm(2, 0)


def test_a_board_is_bare_once_no_stone_is_likely():
    assert Observation(0.0, ((0.9, 0.1, 0.0),) * 9).is_bare
    assert not Observation(0.0, ((0.9, 0.1, 0.0),) * 8 + ((0.2, 0.8, 0.0),)).is_bare
