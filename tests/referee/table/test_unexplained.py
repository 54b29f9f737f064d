"""Sentences about a board that no turn explains: they name the stone, the point and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from referee.game.board import Colour
from referee.game.observation import PointSight
from referee.game.ruling import Reason, Ruling, Status
from referee.game.turns import Pass
from referee.table.events import Button
from tests.support.referee.looks import look
from tests.support.referee.table import PlayedTable
from tests.support.table import B, W
from tests.support.wording import english

ROWS = (".....", "..X..", ".O...", ".....", ".....")


def changed(table: PlayedTable, change: str) -> None:
    match change:
        case "wrong colour":
            table.put(W, "E1")
        case "gone":
            table.lift("B3")
        case "another":
            table.lift("B3").put(B, "B3")
        case "two":
            table.put(B, "E1").put(B, "E2")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("wrong colour", "There is a new white stone at E1, but it is Black's turn. Please remove it."),
        ("gone", "The white stone at B3 is gone, but no move captured it. Please put it back."),
        ("another", "There is a black stone at B3 where there was a white one. Please put the white stone back."),
        ("two", "The changes at E2 and E1 don't add up to one move. Please restore those points."),
    ],
)
def test_the_sentence(change: str, text: str) -> None:
    table = PlayedTable(ROWS, refereed=True, black_side=1)
    table.look()
    changed(table, change)
    (ruling,) = table.done(B)
    assert (ruling.status, english(ruling)) == (Status.UNEXPLAINED, text)


HIDDEN, EMPTY = (1 / 3,) * 3, (0.98, 0.01, 0.01)
HAND = ("B1", "C1", "D1", "C2", "D2", "C3", "D3")
QUIET = ("........",) * 8


def look_with_hand(table: PlayedTable, hand: Sequence[str]) -> tuple[Ruling, ...]:
    """Return what is said of a look while a hand lies over these points."""
    return rulings_on(table, dict.fromkeys(hand, HIDDEN))


def rulings_on(table: PlayedTable, sights: Mapping[str, PointSight]) -> tuple[Ruling, ...]:
    """Return what is said of a look that shows these points like this."""
    now = table.observe()
    changed = {table.board.point(name): sight for name, sight in sights.items()}
    return table.referee.receive(look(table.position, now.t, now.lids, changed)).rulings


@pytest.mark.parametrize("rules", ["chinese", "ultimate"])
@pytest.mark.parametrize("away", [0, len(HAND) - 1])
def test_done_with_a_hand_over_the_stone_is_no_pass(rules: str, away: int) -> None:
    """Of a stone that a hand hides nothing is known; whoever presses `done` says that it is there."""
    table = PlayedTable(QUIET, refereed=True, black_side=1, rules=rules)
    table.look()
    table.put(B, "D3")
    hand = HAND[away:]
    (ruling,) = table.press(B, Button.DONE) + look_with_hand(table, hand)
    assert (ruling.status, ruling.message.key) == (Status.UNEXPLAINED, "unclear" if away else "hidden")
    assert set(table.names(ruling)) == set(hand)
    assert look_with_hand(table, hand) == (), "it is said once"
    assert away or look_with_hand(table, hand[1:]) == (), "and that the hand stirs is no news"
    (ruling,) = table.look()
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)


def test_a_hand_that_hid_nothing_was_a_pass_that_is_not_to_be_had() -> None:
    table = PlayedTable(QUIET, refereed=True, black_side=1, rules="ultimate")
    table.look()
    (ruling,) = table.press(B, Button.DONE) + look_with_hand(table, HAND)
    assert ruling.status is Status.UNEXPLAINED
    (ruling,) = table.look()
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.PASS_NOT_AVAILABLE)


@pytest.mark.parametrize("sight", [(0.13, 0.11, 0.76), (0.1, 0.09, 0.81), (0.76, 0.1, 0.14), (0.45, 0.35, 0.2)])
def test_a_stone_under_a_hand_that_looks_like_something_else_is_no_pass(sight: PointSight) -> None:
    table = PlayedTable(QUIET, refereed=True, black_side=1, rules="ultimate")
    table.look()
    table.put(B, "D3")
    (ruling,) = table.press(B, Button.DONE) + rulings_on(table, {"D3": sight})
    assert (ruling.status, table.names(ruling)) == (Status.UNEXPLAINED, ["D3"])
    (ruling,) = table.look()
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)


def test_a_pass_that_was_called_stands_whatever_a_hand_hides() -> None:
    table = PlayedTable(QUIET, refereed=True, black_side=1, rules="chinese")
    table.look()
    table.press(B, Button.CALL)
    (ruling,) = table.press(B, Button.DONE) + look_with_hand(table, HAND)
    assert (ruling.status, type(ruling.move)) == (Status.LEGAL, Pass)


@pytest.mark.parametrize("hand", [HAND, ("D3",)])
def test_a_stone_that_is_gone_beside_what_a_hand_hides_is_under_the_hand(hand: Sequence[str]) -> None:
    """A hand as light as the wood lies over two stones: of one nothing is known, the other reads as empty."""
    table = PlayedTable((*QUIET[:6], "....X...", QUIET[7]), refereed=True, black_side=1, rules="chinese", to_play=W)
    table.look()
    table.put(W, "D3")
    sights = dict.fromkeys(hand, HIDDEN) | {"E2": EMPTY, "E3": HIDDEN}
    (ruling,) = table.press(W, Button.DONE) + rulings_on(table, sights)
    assert (ruling.status, ruling.message.key) == (Status.UNEXPLAINED, "hidden" if len(hand) > 1 else "unclear")
    assert "E2" in table.names(ruling)
    (ruling,) = table.look()
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)


def test_a_stone_that_is_gone_away_from_what_is_hidden_is_gone() -> None:
    table = PlayedTable((*QUIET[:6], "....X...", QUIET[7]), refereed=True, black_side=1, rules="chinese", to_play=W)
    table.look()
    table.lift("E2").put(W, "B7")
    (ruling,) = table.press(W, Button.DONE) + rulings_on(table, {"H8": HIDDEN})
    assert (ruling.message.key, table.names(ruling)) == ("unexplained.points", ["B7", "E2"])


@pytest.mark.parametrize("rules", ["chinese", "ultimate"])
@pytest.mark.parametrize("hidden", [HIDDEN, (0.5, 0.2, 0.3), (0.3, 0.2, 0.5)])
@pytest.mark.parametrize("lifted", [True, False])
def test_captured_stones_under_a_hand_are_not_ruled_on(rules: str, hidden: PointSight, lifted: bool) -> None:
    table = PlayedTable(CAPTURES, refereed=True, black_side=1, rules=rules)
    table.look()
    table.put(B, "E3")
    if lifted:
        table.lift("C3", "D3")
    table.lid(B, W, +2 if rules == "ultimate" and lifted else 0)
    (ruling,) = table.press(B, Button.DONE) + rulings_on(table, {"C3": hidden, "D3": hidden})
    assert (ruling.status, table.names(ruling)) == (Status.UNEXPLAINED, ["C3", "D3"])
    (ruling,) = table.look()
    assert (ruling.turn, ruling.status) == (1, Status.LEGAL if lifted else Status.UNFINISHED)


CAPTURES = (".....", "..XX.", ".XOO.", "..XX.", "....O")
"""Black takes C3 and D3 by playing E3."""


@pytest.mark.parametrize("hidden", [HIDDEN, (0.5, 0.2, 0.3), (0.3, 0.2, 0.5)])
def test_hidden_captured_stones_seen_again_in_a_film_still_stand(hidden: PointSight) -> None:
    table = PlayedTable(CAPTURES, rules="chinese")
    table.look()
    table.put(B, "E3")
    rulings_on(table, {"C3": hidden, "D3": hidden})
    table.look()
    (unfinished,) = table.referee.unfinished_rulings
    assert (unfinished.turn, table.names(unfinished)) == (1, ["C3", "D3"])
    assert table.look() == ()
    table.put(W, "A1")
    assert [(ruling.turn, ruling.status) for ruling in table.look()] == [(2, Status.UNFINISHED)]
    table.lift("C3", "D3")
    assert [(ruling.turn, ruling.status) for ruling in table.look()] == [(1, Status.LEGAL), (2, Status.LEGAL)]


@pytest.mark.parametrize("hidden", [HIDDEN, (0.5, 0.2, 0.3), (0.3, 0.2, 0.5)])
def test_hidden_captured_stones_gone_in_a_film_are_lifted(hidden: PointSight) -> None:
    table = PlayedTable(CAPTURES, rules="chinese")
    table.look()
    table.put(B, "E3").lift("C3", "D3")
    rulings_on(table, {"C3": hidden, "D3": hidden})
    table.look()
    assert table.referee.unfinished_rulings == ()
    table.put(W, "D3")
    assert [(ruling.turn, ruling.status) for ruling in table.look()] == [(2, Status.LEGAL)]


def test_hidden_captures_of_a_turn_that_was_not_closed_wait_too() -> None:
    """Black forgot to press; it is not ruled that White's press came too soon."""
    table = PlayedTable(CAPTURES, refereed=True, black_side=1, rules="chinese")
    table.look()
    table.put(B, "E3").lift("C3", "D3").put(W, "A1")
    (ruling,) = table.press(W, Button.DONE) + look_with_hand(table, ("C3", "D3"))
    assert (ruling.status, table.names(ruling)) == (Status.UNEXPLAINED, ["C3", "D3"])
    assert [(ruling.status, ruling.turn) for ruling in table.look()] == [(Status.LEGAL, 1), (Status.LEGAL, 2)]


def test_hidden_captures_after_a_delay_wait_too() -> None:
    table = PlayedTable(
        CAPTURES,
        refereed=True,
        black_side=1,
        rules="ultimate",
        to_play=W,
        bowls={"B": {"W": 3}, "W": {"B": 3}},
        ultimate=W,
    )
    table.look()
    table.lid(W, B, -1).put(B, "E3").lift("C3", "D3").lid(B, W, +2)
    presses = table.press(W, Button.DONE) + table.press(B, Button.DONE)
    (ruling,) = presses + look_with_hand(table, ("C3", "D3"))
    assert (ruling.status, table.names(ruling)) == (Status.UNEXPLAINED, ["C3", "D3"])
    assert [(ruling.status, ruling.turn) for ruling in table.look()] == [(Status.LEGAL, 1), (Status.LEGAL, 2)]


def test_of_two_closed_turns_none_is_judged_while_the_second_may_be_hidden() -> None:
    table = PlayedTable(QUIET, refereed=True, black_side=1, rules="chinese")
    table.look()
    table.put(B, "G7").put(W, "D3")
    rulings = table.press(B, Button.DONE) + table.press(W, Button.DONE) + look_with_hand(table, HAND)
    assert [ruling.status for ruling in rulings] == [Status.UNEXPLAINED]
    assert [(ruling.status, ruling.turn) for ruling in table.look()] == [(Status.LEGAL, 1), (Status.LEGAL, 2)]


@pytest.mark.parametrize("player", [B, W])
def test_a_point_that_cannot_be_the_movers_stone_hides_nothing(player: Colour) -> None:
    """Doubtful between empty and the opponent's colour; or where a stone lay before."""
    table = PlayedTable((*QUIET[:7], "X......."), refereed=True, black_side=1, rules="chinese", to_play=player)
    table.look()
    other = (0.55, 0.01, 0.44) if player is B else (0.55, 0.44, 0.01)
    (ruling,) = table.press(player, Button.DONE) + rulings_on(table, {"D3": other, "A1": (0.3, 0.4, 0.3)})
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.PASS_NOT_AVAILABLE)
