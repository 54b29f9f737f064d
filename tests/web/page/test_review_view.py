"""The worth of the moves, on the page of a game that is over: mistakes, curve, phases, and nothing before that."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from referee import Colour, Pass, Phase, Placement, Setup, judge, rule_set
from referee.analysis.figures import NOT_KNOWN
from referee.analysis.review import Review, review_record
from referee.analysis.worth import worth
from referee.game.record import GameRecord
from tests.support.web.snapshots import Box, resigned_table, take_snapshot, ultimate_game
from web.app import create_app
from web.backend import Replay
from web.language import ENGLISH, find_translator
from web.page.model import PageModel
from web.page.navigation import NOW, GamePosition
from web.page.review_view import better_at, curve_svg, worths_of

NAME = "00002_2026-05-02T09-30-00"


@pytest.fixture(scope="module")
def looked_at() -> Review:
    """Of a game on four points in which Black's first stone is captured."""
    record: GameRecord = Setup(rule_set("fundamental"), size=(4, 1)).record()
    for player, point in ((Colour.BLACK, 0), (Colour.WHITE, 2)):
        after = judge(record, Placement(player, point)).after
        assert after is not None
        record = after
    return review_record(record, lambda one: worth(one, lambda: True))


@pytest.fixture(scope="module")
def counted_review() -> Review:
    """Of a game on two points, by area."""
    record: GameRecord = Setup(rule_set("positional"), size=(2, 1)).record()
    after = judge(record, Pass(Colour.BLACK)).after
    assert after is not None
    return review_record(after, lambda one: worth(one, lambda: True))


def page(review: Review | None, place: str = "") -> str:
    over = replace(take_snapshot(resigned_table()), phase=Phase.FINAL, archive_name=NAME)
    box = Box(take_snapshot(ultimate_game()), replays={NAME: Replay(over, "2026-05-02", review=review)})
    return create_app(box.backend).test_client().get(f"/games/{NAME}/{place}").get_data(as_text=True)


def test_a_game_that_is_counted_has_no_phases_and_can_be_even(counted_review):
    text = page(counted_review)
    assert "Game review" in text and 'class="phases"' not in text
    assert "After turn 1: Neither player is ahead." in text


def test_mistakes_lead_to_their_place_on_the_board(looked_at):
    text = page(looked_at)
    assert "Game review" in text
    assert '<a href="?turn=1" data-place>Black&#39;s A1 at 1 cost 5: B1 or C1 was worth it.</a>' in text
    assert 'class="phase normal"' in text and "time to resign" in text
    then = page(looked_at, "?turn=1")
    assert 'data-place aria-current="true">Black&#39;s A1' in then and "Better would have been" in then


def test_it_says_so_while_it_is_being_worked_out():
    text = page(None)
    assert "The review takes a few minutes" in text and 'class="curve"' not in text


@pytest.mark.parametrize("found", [Review(), Review((None, NOT_KNOWN))])
def test_where_nothing_is_known_nothing_is_shown(found):
    text = page(found)
    assert ENGLISH("worth.title") not in text and ENGLISH("worth.pending") not in text and 'class="curve"' not in text


def test_unknown_stretches_are_grey_and_known_ones_a_line(looked_at):
    worths = looked_at.worths
    svg = curve_svg(Review((None, None, *worths, None)), ENGLISH)
    assert len(re.findall('class="unknown"', svg)) == 2 and len(re.findall("<circle", svg)) == 3
    assert "Known after 3 turns. After turn 4: White is ahead by 3.5." in svg
    assert "線より上" in curve_svg(Review(worths), find_translator("ja")) and 'class="unknown"' not in curve_svg(
        Review(worths), ENGLISH
    )


def test_better_points_are_marked_where_the_mistake_is_looked_at(looked_at):
    assert better_at(looked_at, GamePosition(1)) == (1, 2)
    assert (
        better_at(looked_at, NOW)
        == better_at(looked_at, GamePosition(1, tried=1))
        == better_at(None, GamePosition(1))
        == ()
    )
    review = worths_of(looked_at, GamePosition(1), ENGLISH)
    assert review is not None and [slip.is_shown for slip in review.slips] == [True]


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.RESULT])
def test_a_tables_page_hides_the_review_before_a_final_result(phase):
    over = replace(take_snapshot(resigned_table()), phase=phase, archive_name=NAME)
    text = create_app(Box(over).backend).test_client().get("/").get_data(as_text=True)
    assert ENGLISH("worth.title") not in text and PageModel(over).worths is None
    final = create_app(Box(replace(over, phase=Phase.FINAL)).backend).test_client().get("/").get_data(as_text=True)
    assert f'<a href="/games/{NAME}/">Game review</a>' in final and "worth.curve" not in final
