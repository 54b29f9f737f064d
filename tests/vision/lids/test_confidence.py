"""Confidence made of the net's answers about a lid: trust only ever grows with better features."""

import numpy as np
import pytest

from vision.lids.confidence import FAINT, count_stones, is_clear, is_sure, load_platt_scaling
from vision.lids.count import _possible_range
from vision.lids.net import PLACES, SIDE, STEP, Answer


def answer(
    *stones: tuple[int, int, int, float],
    single: float = 0.99,
    counts: tuple[float, float] | None = None,
    missing: float = 0.001,
) -> Answer:
    """Return the answer of a net that sees stones (column, row, colour, probability) on its map."""
    places = np.full((2, PLACES, PLACES), 0.001, np.float32)
    for column, row, colour, p in stones:
        places[colour, row, column] = p
    colour_counts = tuple(float(sum(p > 0.5 for _, _, one, p in stones if one == colour)) for colour in (0, 1))
    whole = np.full((PLACES, PLACES), 0.99, np.float32)
    return Answer(places, whole, counts or colour_counts, single, 1 - single, 0.001, missing)


MIDDLE = PLACES // 2
TWO = ((MIDDLE, MIDDLE, 0, 0.99), (MIDDLE + 12, MIDDLE, 1, 0.98))


def count(*answers: Answer, light: int = 120):
    return count_stones((answers[0], answers[-1]), 100.0, 100.0, np.full((SIDE, SIDE, 3), light, np.uint8))


def test_stones_are_counted_where_the_map_peaks():
    two = count(answer(*TWO))
    assert two.colour_counts() == (1, 1)
    assert {(stone.x, stone.y, stone.colour) for stone in two.stones} == {
        (MIDDLE * STEP, MIDDLE * STEP, 0),
        ((MIDDLE + 12) * STEP, MIDDLE * STEP, 1),
    }


def test_a_place_that_could_be_either_colour_is_one_stone():
    one = count(answer((MIDDLE, MIDDLE, 0, 0.9), (MIDDLE + 1, MIDDLE, 1, 0.8)))
    assert one.colour_counts() == (1, 0)


def test_a_faint_place_is_a_doubt_and_a_fainter_one_is_nothing():
    result = count(answer((MIDDLE, MIDDLE, 0, 0.3), (MIDDLE + 16, MIDDLE, 0, FAINT / 2)))
    assert result.colour_counts() == (0, 0) and [stone.p for stone in result.doubts] == [pytest.approx(0.3)]


def test_what_lies_outside_the_lid_is_not_counted():
    assert count(answer((0, 0, 1, 0.99))).colour_counts() == (0, 0)


@pytest.mark.parametrize(
    "worse",
    [
        answer(TWO[0], (*TWO[1][:3], 0.6)),
        answer(*TWO, (MIDDLE, MIDDLE - 12, 0, 0.4)),
        answer(*TWO, single=0.3),
        answer(*TWO, counts=(2.2, 1.0)),
        answer(*TWO, missing=0.9),
    ],
)
def test_doubt_of_any_kind_lowers_the_trust(worse):
    plain, doubtful = (float(load_platt_scaling().log_odds(count(case).features)) for case in (answer(*TWO), worse))
    assert doubtful < plain
    assert not is_sure(count(worse))


def test_the_likeliest_of_several_doubts_counts_most():
    """A fainter one beside it takes little from the trust."""
    doubts = (MIDDLE, MIDDLE - 12, 0, 0.4), (MIDDLE - 12, MIDDLE, 0, 0.1)
    one, both = (count(answer(*TWO, *some)).features for some in (doubts[:1], doubts))
    assert one[1] == both[1] and len(count(answer(*TWO, *doubts)).doubts) == 2


def test_a_dim_lid_is_trusted_less():
    dim, light = count(answer(*TWO), light=10), count(answer(*TWO))
    assert load_platt_scaling().log_odds(dim.features) < load_platt_scaling().log_odds(light.features)


def test_a_lid_whose_floor_is_burnt_is_never_sure():
    assert not is_sure(count(answer(*TWO), light=255))


def test_answers_that_count_differently_are_never_sure():
    assert is_sure(count(answer(*TWO))) and is_sure(count(answer(TWO[0], counts=(1, 0))))
    more = answer(*TWO, (MIDDLE, MIDDLE - 14, 1, 0.9), (MIDDLE - 12, MIDDLE, 1, 0.9))
    assert not is_sure(count(answer(*TWO), more))


def test_stones_and_density_confirm_a_count_if_they_agree():
    assert is_clear(count(answer(*TWO))) and is_clear(count(answer(TWO[0], counts=(1.25, 0.2))))
    assert not is_clear(count(answer(*TWO, counts=(1.0, 1.6))))
    assert not is_clear(count(answer(*TWO, single=0.1)))
    assert not is_clear(count(answer(*TWO, missing=0.9)))


def test_a_colours_range_counts_plain_and_doubtful_stones_of_it():
    plain = [(MIDDLE + 12 * column, MIDDLE, 0, 0.99) for column in (-1, 0, 1)]
    doubts = [(MIDDLE + 12 * column, MIDDLE + 12, 1, 0.3) for column in (-1, 1)]
    result = count(answer(*plain, *doubts))
    assert _possible_range(result, 0) == (1, 5) and _possible_range(result, 1) == (0, 3)


def test_whoever_knows_the_number_needs_less_to_rely_on_a_count():
    assert load_platt_scaling().confirming_threshold < load_platt_scaling().threshold


def test_a_better_clue_never_lowers_the_trust():
    rng = np.random.default_rng(1)
    features = load_platt_scaling().mean + load_platt_scaling().std * rng.normal(
        0, 2, (200, len(load_platt_scaling().mean))
    )
    for k in range(features.shape[1]):
        better = features.copy()
        better[:, k] += rng.uniform(0, 3, 200)
        assert (load_platt_scaling().log_odds(better) >= load_platt_scaling().log_odds(features)).all()
