"""The lights of the rim point at what the page marks, whatever happens at the table."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from device.panel.rim import (
    ASKED,
    COUNTED,
    DARK,
    OWNERS,
    PERIOD,
    REFUSED,
    Step,
    cycle_length,
    frame_at,
    frame_of,
    highlighted_points,
    plan_animation,
)
from referee.game.board import Colour, board_of
from referee.game.count_result import Layout
from referee.table.display_state import Phase
from referee.table.marks import Marks
from tests.benchmarks.parts.rim import frames, meant, on_the_page, read, rim_moments
from tests.support.tiers import seeds
from tests.support.web.snapshots import begun_table, superko, take_snapshot, ultimate_game, unfinished_table


@pytest.mark.parametrize("seed", seeds(1, 54))
def test_the_lights_point_at_what_the_page_marks(seed):
    for moment in rim_moments(seed):
        page, board = meant(moment.now), moment.now.game.position.board
        steps = frames(moment.now, random.Random(seed).uniform(0, 1e5))
        assert read(steps, board) == page, moment.name
        assert read(steps, board, blind=True) == page, f"{moment.name}, without colours"


def test_a_refused_stone_flashes_and_the_stone_to_be_put_back_shines():
    now = take_snapshot(superko())
    point = now.game.position.board.point
    assert on_the_page(now) == {"refused": {point("C8")}, "asked": {point("B8")}}
    assert plan_animation(now) == (
        Step(((1, REFUSED),), ((2, REFUSED),)),
        Step(((1, ASKED),), ((1, ASKED),)),
    )


def test_nothing_is_lit_while_nothing_is_to_be_done():
    for table in (begun_table(), ultimate_game()):
        now = take_snapshot(table)
        assert plan_animation(now) == () and not any(frame_of(now, t / 7).is_lit for t in range(50))


def test_the_lights_are_dark_while_a_press_waits_for_its_look():
    now = take_snapshot(superko(), waiting=(1,))
    assert on_the_page(now) and plan_animation(now) == ()


def test_the_lights_are_dark_once_the_result_is_final():
    snapshot = next(moment.now for moment in rim_moments(1) if moment.name == "count" and on_the_page(moment.now))
    assert plan_animation(snapshot) and plan_animation(replace(snapshot, phase=Phase.FINAL)) == ()


def test_points_that_cross_nowhere_else_are_shown_together():
    now = take_snapshot(unfinished_table())
    assert plan_animation(now) == (Step(((2, ASKED),), ((2, ASKED), (3, ASKED))),)


def test_points_whose_lines_cross_elsewhere_are_shown_one_after_the_other():
    table = begun_table().put(Colour.BLACK, "A1", "E5")
    table.done(table.referee.record.to_play)
    now = take_snapshot(table)
    assert [[line for line, _ in step.rows + step.columns] for step in plan_animation(now)] == [[4, 4], [8, 0]]


def test_no_light_flashes_oftener_than_three_times_a_second():
    """Of all signs, in any second of their steps: more may harm (WCAG 2.3.1)."""
    for sign in (REFUSED, ASKED, COUNTED, *OWNERS.values()):
        steps = (Step(((0, sign),), ((0, sign),)),)
        lit = [frame_at(steps, board_of(9), n / 100).rows[0] != DARK for n in range(round(cycle_length(steps) * 200))]
        begins = [n for n, (before, now) in enumerate(pairwise(lit)) if now and not before]
        assert all(later - begin >= 100 for begin, later in zip(begins, begins[3:], strict=False)), sign
    assert PERIOD >= 1 / 3


def test_signs_differ_in_rhythm_where_they_can_be_mistaken():
    assert REFUSED.flashes != ASKED.flashes
    assert len({sign.flashes for sign in OWNERS.values()}) == len(OWNERS)
    assert max(COUNTED.colour) < 100 < min(max(sign.colour) for sign in (REFUSED, ASKED))


def test_what_is_to_be_put_right_comes_before_the_count():
    count = Layout(begun_table().position, owned=(1 << 3, 1 << 5))
    assert highlighted_points(Marks(count=count)) == {OWNERS[Colour.BLACK]: (3,), OWNERS[Colour.WHITE]: (5,)}
    assert highlighted_points(Marks(asked=(7,), count=count)) == {ASKED: (7,)}
    assert highlighted_points(Marks(beside=(Colour.BLACK, 7))) == {}, "a stone that waits for its captures may stay"
