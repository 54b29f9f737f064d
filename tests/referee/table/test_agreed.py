"""Agreements of both players at the table during play: prisoners exchanged, dead stones removed."""

from __future__ import annotations

import pytest

from referee.game.ruling import Reason, Status
from referee.table.events import Button
from tests.support.referee.table import B, PlayedTable, W, begin_table
from tests.support.wording import english

PRISONERS = {"B": {"W": 3}, "W": {"B": 3}}
LATE = {"bowls": PRISONERS, "ultimate": W}


@pytest.mark.parametrize(("count", "start"), [(2, LATE), (1, {}), (1, {"bowls": PRISONERS})])
def test_agreed_exchange(count: int, start: dict[str, object]) -> None:
    table = begin_table(black_side=1, **start)
    table.lid(B, W, -count).lid(W, B, -count)
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNFINISHED
    assert "both press DONE" in english(ruling)
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.turn, ruling.move) == (Status.LEGAL, 0, None)
    assert (table.referee.record.number, table.referee.record.to_play) == (0, B)
    table.put(B, "A1")
    assert table.done(B)[0].status is Status.LEGAL


def test_an_exchange_that_was_offered_and_not_made_leaves_the_turn_open() -> None:
    table = begin_table(black_side=1, bowls=PRISONERS)
    table.lid(B, W, -1).lid(W, B, -1).done(B)
    table.lid(B, W, +1).lid(W, B, +1)
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.NOT_YOUR_TURN)
    table.put(B, "A1")
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)


def test_an_offered_exchange_is_no_turn_of_who_moves_on() -> None:
    """Black plays instead and forgets to press; White plays on."""
    table = begin_table(black_side=1, bowls=PRISONERS)
    table.lid(B, W, -1).lid(W, B, -1).done(B)
    table.lid(B, W, +1).lid(W, B, +1).put(B, "A1").put(W, "A5")
    rulings = table.done(W)
    assert [(ruling.status, ruling.turn) for ruling in rulings] == [(Status.LEGAL, 1), (Status.LEGAL, 2)]


def test_prisoners_that_handicap_turns_need_are_not_exchanged() -> None:
    table = begin_table((".....",) * 5, handicap=3, black_side=1, bowls=PRISONERS)
    table.lid(B, W, -2).lid(W, B, -2)
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNEXPLAINED
    assert "Prisoners are not exchanged before the handicap turns are over." in english(ruling)
    assert table.done(W)[0].reason is Reason.NOT_YOUR_TURN
    assert table.referee.record.settlement is None


# An agreed removal of dead stones

DEAD_STONE = ("..XO.", "O.XO.", "..XO.", "..XO.", "..XO.")


def lifted_as_dead(count: int = 1) -> PlayedTable:
    """White's dead stone is lifted, and so many white stones put into Black's lid."""
    table = begin_table(DEAD_STONE, black_side=1)
    return table.lift("A4").lid(B, W, count)


def test_dead_stones_in_the_lid_are_removed_when_both_press() -> None:
    table = lifted_as_dead()
    (offer,) = table.done(B)
    assert (offer.status, offer.turn, table.names(offer)) == (Status.UNFINISHED, 1, ["A4"])
    assert english(offer).endswith("Is it dead? Then both press DONE; otherwise put it back.")
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.turn, ruling.move) == (Status.LEGAL, 0, None)
    assert english(ruling) == "By agreement A4 left the board as dead. Nobody has used a turn."
    record = table.referee.record
    assert (record.number, record.to_play, record.bowls) == (0, B, table.lids)
    table.put(B, "A1")
    assert table.done(B)[0].status is Status.LEGAL


def test_both_may_press_before_anybody_looks() -> None:
    table = lifted_as_dead()
    table.press(B, Button.DONE)
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 0)


@pytest.mark.parametrize("count", [0, 2])
def test_stones_that_are_gone_and_not_in_the_lid_are_no_agreement(count: int) -> None:
    table = lifted_as_dead(count)
    for player in (B, W):
        (ruling,) = table.done(player)
        assert ruling.status in (Status.UNEXPLAINED, Status.ILLEGAL)
    assert table.referee.record.settlement is None


def test_half_a_chain_is_no_agreement() -> None:
    table = begin_table(("OOXO.", "..XO.", "..XO.", "..XO.", "..XO."), black_side=1)
    table.lift("A5").lid(B, W, +1)
    for player in (B, W):
        (ruling,) = table.done(player)
        assert ruling.status in (Status.UNEXPLAINED, Status.ILLEGAL)
    assert table.referee.record.settlement is None


def test_one_player_alone_agrees_to_nothing() -> None:
    table = lifted_as_dead()
    for _ in range(2):
        (offer,) = table.done(B)
        assert offer.status is Status.UNFINISHED
    assert table.referee.record.settlement is None


def test_what_was_offered_and_put_back_is_no_agreement() -> None:
    table = lifted_as_dead()
    table.done(B)
    table.put(W, "A4").lid(B, W, -1)
    (ruling,) = table.done(W)
    assert ruling.reason is Reason.NOT_YOUR_TURN and table.referee.record.settlement is None


def test_other_stones_than_were_offered_are_another_offer() -> None:
    table = begin_table(("O.XO.", "..XO.", "O.XO.", "..XO.", "..XO."), black_side=1)
    table.lift("A5").lid(B, W, +1).done(B)
    table.lift("A3").lid(B, W, +1)
    (ruling,) = table.done(W)
    assert ruling.status is not Status.LEGAL and table.referee.record.settlement is None


def test_a_stone_lifted_and_a_turn_together_are_unexplained() -> None:
    table = lifted_as_dead().put(B, "A1")
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNEXPLAINED and table.referee.record.number == 0


def test_the_clock_goes_on_for_whose_turn_it_is() -> None:
    table = begin_table(DEAD_STONE, black_side=1, control="10m")
    table.press(W, Button.DONE)
    table.lift("A4").lid(B, W, 1).done(B)
    (ruling,) = table.done(W)
    assert ruling.status is Status.LEGAL and table.running is B
