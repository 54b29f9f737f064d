"""A stone that lies between points: an unfinished turn, never a guess, unless it is known whose point is its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import codec
from referee.game.likelihoods import BoardLikelihoods
from referee.game.observation import Observation, OffGridStone
from referee.game.ruling import Ruling, Status
from referee.table.events import Button
from tests.support.referee.table import ATARI, MANNERS, B, PlayedTable, W, begin_table, turn
from tests.support.wording import english

HALF = 0.5


def push_stone(table: PlayedTable, point: str, towards: str | None, share: float = HALF) -> Observation:
    """The table as it is seen when the stone of a point lies off it: that much of it is still the point's."""
    observation, at = table.observe(), table.board.point(point)
    to = table.board.point(towards) if towards else None
    points, stone = list(observation.points), observation.points[at]
    for place, part in ((at, share), (to, 1 - share)):
        if place is not None:
            points[place] = (1 - part, *(part * chance for chance in stone[1:]))
    return replace(observation, points=tuple(points), between=(OffGridStone(at, to),))


def close_turn(table: PlayedTable, refereed: bool, observation: Observation) -> Ruling:
    """The last ruling upon this look; at a refereed table after Black's press."""
    rulings = table.press(B, Button.DONE) if refereed else ()
    rulings += table.referee.receive(replace(observation, t=table.t + 0.5)).rulings
    return rulings[-1]


@MANNERS
@pytest.mark.parametrize("share", [0.9, HALF, 0.1])
def test_a_new_stone_between_points_is_an_unfinished_turn(refereed: bool, share: float) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "A1")
    ruling = close_turn(table, refereed, push_stone(table, "A1", "A2", share))
    assert (ruling.status, ruling.turn, ruling.player, table.names(ruling)) == (Status.UNFINISHED, 1, None, ["A1"])
    assert english(ruling) == "The stone between A1 and A2: please set it on a point."
    assert table.referee.record.number == 0
    assert turn(table, B, refereed).status is Status.LEGAL
    assert table.referee.record.number == 1


@MANNERS
def test_a_stone_pushed_over_the_edge_is_asked_back(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "A1")
    ruling = close_turn(table, refereed, push_stone(table, "A1", None))
    assert english(ruling) == "The stone beside A1, off the board's edge: please set it on a point."


@MANNERS
def test_a_stone_of_the_game_that_was_pushed_is_no_matter(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "A1")
    ruling = close_turn(table, refereed, push_stone(table, "B3", "A3", share=0.55))
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)


@MANNERS
def test_a_captured_stone_that_was_pushed_is_only_to_be_lifted(refereed: bool) -> None:
    table = begin_table(ATARI, refereed)
    table.put(B, "D3")
    assert turn(table, B, refereed).status is Status.UNFINISHED
    if not refereed:
        assert table.referee.receive(replace(push_stone(table, "C3", None, 0.6), t=table.t + 1)).rulings == ()
    table.lift("C3").lid(B, W, +1)
    assert turn(table, B, refereed).status is Status.LEGAL


def test_the_press_is_given_back_with_the_clock() -> None:
    table = begin_table(refereed=True, control="10m")
    table.put(B, "A1")
    close_turn(table, True, push_stone(table, "A1", "A2"))
    assert table.running is B
    assert table.referee.players_waiting == ()


def test_it_is_said_once_and_again_if_another_lies_there() -> None:
    table = begin_table(refereed=False)
    table.put(B, "A1")
    observation = push_stone(table, "A1", "A2")
    assert len(table.referee.receive(observation).rulings) == 1
    assert table.referee.receive(replace(observation, t=observation.t + 1)).rulings == ()
    moved = replace(
        observation, between=(OffGridStone(observation.between[0].point, table.board.point("B1")),), t=observation.t + 2
    )
    assert [english(ruling) for ruling in table.referee.receive(moved).rulings] == [
        "The stone between A1 and B1: please set it on a point."
    ]


def test_a_stone_between_points_disagrees_with_the_record() -> None:
    table = begin_table(refereed=True)
    bare = table.observe()
    assert table.referee.is_as_recorded(bare)
    table.put(B, "A1")
    observation = push_stone(table, "A1", "A2")
    assert BoardLikelihoods.from_sights(table.board, observation.points).likeliest == table.referee.record.position
    assert not table.referee.is_as_recorded(observation)
    assert table.referee.find_unpressed(observation) is None


def test_stones_between_points_are_kept_in_the_journal() -> None:
    table = begin_table(refereed=True)
    table.put(B, "A1").put(W, "E5")
    for observation in (table.observe(), push_stone(table, "A1", "A2"), push_stone(table, "E5", None)):
        read_back = codec.observation_from_json(codec.observation_to_json(observation), observation.t)
        assert read_back.between == observation.between
    assert "between" not in codec.observation_to_json(table.observe())


def test_no_more_than_three_are_named_at_once() -> None:
    table = begin_table((".....",) * 5, refereed=False)
    stones = tuple(OffGridStone(point, point + 1) for point in (0, 2, 10, 12, 20))
    ruling = table.referee.receive(replace(table.observe(), between=stones)).rulings[-1]
    assert english(ruling).count("please set it on a point") == 3 and len(ruling.points) == 5
