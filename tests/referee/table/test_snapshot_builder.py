"""Snapshots of a game, each of which shares with the last what has not changed."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.table.end_of_game import EndOfGame
from referee.table.snapshot_builder import SnapshotBuilder
from tests.support.referee.table import EMPTY, B, PlayedTable, begin_play


def test_there_is_one_snapshot_until_the_next_event():
    table = begin_play(control="10m").play("B C3")
    before = table.referee.snapshot
    assert table.referee.snapshot is before
    assert table.play("W D4").referee.snapshot is not before and before.turn == 1


def test_what_is_read_is_made_with_its_event(monkeypatch: pytest.MonkeyPatch):
    """Other threads read it, also while the next event is being judged."""
    table = PlayedTable(EMPTY, rules="chinese", refereed=True, black_side=1)
    table.put(B, "C3").look()
    monkeypatch.setattr(SnapshotBuilder, "build_snapshot", None)
    monkeypatch.setattr(EndOfGame, "list_penalties", None)
    assert not table.referee.snapshot.ended and table.referee.record.number == 0


def test_turns_that_were_known_are_the_same_values():
    table = begin_play(control="10m").play("B C3", "W D4")
    before = table.referee.snapshot.turns
    after = table.play("B E5").referee.snapshot.turns
    assert all(one is other for one, other in zip(before, after[:2], strict=True)) and len(after) == 3


def test_a_snapshot_has_record_clock_and_rulings_of_one_moment():
    table = begin_play(control="10m").play("B C3")
    now = table.referee.snapshot
    assert (now.turn, now.to_play, now.result, now.black_side) == (1, Colour.WHITE, None, 1)
    assert now.clocks is not None and now.clocks.running_player is Colour.WHITE
    assert now.newest_ruling is not None and now.newest_ruling.turn == 1 and now.position == table.position
