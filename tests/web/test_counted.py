"""The board in the course of a count: as moves are played in it, or with the dead stones lifted."""

from __future__ import annotations

import pytest

from referee.board import Colour
from referee.score import area
from tests.support.web.showings import Box, begun, expedited_showing, showing
from tests.support.web.showings import counted as counted_table
from web.app import create_app
from web.language import ENGLISH
from web.svg import At, board_at, board_of_showing, counted, steps_of

B, W = Colour.BLACK, Colour.WHITE


def test_each_step_of_an_expedited_count_is_played_on_the_board():
    game = expedited_showing().game
    count = game.counting.count
    assert count is not None
    placed = [number for number, step in enumerate(count.steps, 1) if step.point is not None]
    assert len(placed) > 3
    for number in placed:
        point, player = count.steps[number - 1].point, count.steps[number - 1].player
        position, last = counted(game, count, number)
        assert point is not None and (position.colour_at(point), last) == (player, point)
        assert counted(game, count, number - 1)[0].colour_at(point) is None


def test_where_no_moves_are_played_the_dead_stones_are_lifted():
    game = showing(begun()).game
    dead = 1 << game.position.board.point("D8")
    count = area.count(game.position, dead)
    assert counted(game, count, 1) == (game.position.without(dead), None)


def test_the_page_steps_through_the_count_without_a_script():
    client = create_app(Box(showing(counted_table())).desk).test_client()
    text = client.get("/?step=2").get_data(as_text=True)
    assert 'href="?step=2" data-count="2" aria-current="true"' in text and "Count, step 2 of 4" in text
    assert 'href="?step=1" data-go="back"' in text and 'href="?step=3" data-go="on"' in text
    assert 'href="?step=1" data-go="on"' in client.get("/").get_data(as_text=True)
    assert 'href="./" data-go="back"' in client.get("/?step=1").get_data(as_text=True)
    assert client.get("/board.svg?step=1").status_code == 200


@pytest.mark.parametrize("step", ["0", "5", "x", "-1", ""])
@pytest.mark.parametrize("address", ["/", "/board.svg"])
def test_steps_that_the_count_has_not(address, step):
    client = create_app(Box(showing(counted_table())).desk).test_client()
    answer = client.get(address, query_string={"step": step})
    assert (answer.status_code, answer.get_data(as_text=True)) == (404, ENGLISH("http.no-step") + "\n")


def test_without_a_count_the_board_is_shown_as_it_stands():
    now = showing(begun())
    assert steps_of(now.game) == 0 and board_at(now, At(step=3)) == board_of_showing(now)
