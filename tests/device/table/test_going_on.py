"""The director's act that lets the game go on from what lies there: offered, refused, done, undone, replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.journal.entries import as_journaled
from device.journal.replay import replay
from device.panel.panel import Edge
from device.panel.signals import sentence_of
from referee.game.board import Colour
from referee.game.turns import SetUp
from referee.table.display_state import Sight, State
from referee.table.events import Button
from tests.support.device.directed import Directed
from tests.support.device.player import SeveralPlayers
from tests.support.referee.looks import look, sight, unsure_lid
from tests.support.wording import english
from web.director.actions import taps_of

B, W = Colour.BLACK, Colour.WHITE
OFFER = "No moves explain what lies there: put it right, or ask the director to let the game go on from it."
WHY = "an arm lay over the board"


class Astray(Directed):
    """A table of Chinese rules with clocks after two turns."""

    def __init__(self, folder: Path, rules: str = "chinese") -> None:
        super().__init__(folder, rules, "10m+3x30s")
        self.event_loop.sight(Sight.SEEN, self.t)
        self.act("time", step="start")
        self.play(B, "C3")
        self.play(W, "D4")

    def play(self, colour: Colour, point: str) -> None:
        self.put(colour, point)
        self.press(colour)

    def press(self, colour: Colour) -> None:
        """Press DONE, and look."""
        side = 1 if colour is B else 2
        for seconds, down in ((1.0, True), (0.1, False)):
            self.t += seconds
            self.event_loop.edge(Edge(side, Button.DONE, down, self.t))
        self.t += 0.1
        self.event_loop.settle()
        self.rest(1)

    def rest(self, looks: int = 5) -> None:
        """Look once a second at what lies there."""
        for _ in range(looks):
            self.event_loop.handle_observation(as_journaled(self.seen()))
            self.event_loop.settle()

    def stray(self) -> None:
        """Put two stones of each player there at once, and press."""
        self.put(B, "A1", "B2").put(W, "E5", "D5")
        self.press(B)

    @property
    def record(self):
        return self.box.match.record

    @property
    def labels(self) -> list[str]:
        return [tap.label for tap in taps_of(self.now)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Astray]:
    table = Astray(tmp_path)
    yield table
    table.close()


def is_same_again(table: Directed) -> bool:
    return replay(table.journals[-1]).differs is None


def test_what_lies_there_unexplained_is_said_and_offered_once_it_rests(table):
    table.stray()
    assert table.now.standing.state is State.UNEXPLAINED and table.now.lying is None
    table.rest()
    assert english(table.now.notice) == OFFER == sentence_of(table.now)
    assert OFFER in table.app.test_client().get("/").text
    assert "Go on from what lies there (Black to play)" in table.labels


def test_the_act_sets_the_record_to_what_lies_there_in_a_pause(table):
    table.stray()
    table.rest()
    tap = next(json.loads(tap.body) for tap in taps_of(table.now) if "Go on" in tap.label)
    answer = table.act(**tap)
    assert "The director lets the game go on from what lies there. It is Black's turn." in answer
    assert "nobody saw how play went on" in answer
    assert table.record.position == table.position and isinstance(table.record.settlement, SetUp)
    assert (table.now.paused, table.now.game.clocks.running, table.now.trouble) == (True, None, None)
    mains = [face.main for face in table.now.game.clocks.faces]
    table.t += 100.0
    table.act("resume")
    assert [face.main for face in table.now.game.clocks.faces] == mains and table.now.game.clocks.running is B
    table.play(B, "E1")
    assert table.record.number == 3 and table.record.position == table.position and is_same_again(table)
    assert b"AB[" in table.box.sgf


def test_it_is_done_once_though_two_directors_tap(table):
    table.stray()
    table.rest()
    table.act("go-on", why=WHY)
    assert "lie still" in table.refused("go-on", why=WHY)
    table.rest()
    assert "nothing to go on from" in table.refused("go-on", why=WHY)
    assert len(table.record.settlements) == 1 and is_same_again(table)


def test_a_preview_says_it_and_does_nothing(table):
    table.stray()
    table.rest()
    before = table.record
    assert "go on from what lies there" in table.act("go-on", preview=True)
    assert table.record is before and not table.now.paused


def test_it_needs_a_reason_and_the_newest_turn_seen(table):
    table.stray()
    table.rest()
    assert "reason" in table.refused("go-on")
    assert "last" not in table.refused("go-on", why=WHY, last=1) and table.record.number == 2


def test_undoing_it_brings_the_record_and_the_clock_back(table):
    table.stray()
    table.rest()
    before = table.record
    table.act("go-on", why=WHY)
    table.act("undo")
    assert (table.record.position, table.record.to_play) == (before.position, before.to_play)
    assert not table.record.settlements and not table.now.paused and table.now.game.clocks.running is B
    assert is_same_again(table)


def test_in_a_pause_what_is_put_right_meanwhile_counts_and_the_pause_stays(table):
    table.act("pause")
    table.put(W, "E5", "D5", "E1").rest()
    assert len([label for label in table.labels if label.startswith("Go on")]) == 2, "the stones do not tell"
    assert "say who plays next" in table.refused("go-on", why=WHY)
    table.act("go-on", why=WHY, to_play="B")
    assert table.record.position == table.position and table.record.to_play is B and table.now.paused
    table.act("undo")
    assert table.now.paused and table.record.number == 2 and not table.record.settlements
    assert is_same_again(table)


@pytest.mark.parametrize(
    ("lay", "why"),
    [
        (lambda table: table.rest(), "there is nothing to go on from"),
        (lambda table: table.put(B, "A1").rest(), "One turn explains"),
        (lambda table: table.put(B, "A1", "A2").rest(1), "lie still for 3 seconds"),
        (lambda table: table.put(W, "A1").put(B, "A2", "B1").rest(), "A chain without liberties"),
    ],
)
def test_it_is_refused_with_a_sentence(table, lay, why):
    lay(table)
    assert why in table.refused("go-on", why=WHY)
    assert not table.record.settlements and is_same_again(table)


def test_it_is_refused_under_a_hand_and_where_a_point_is_doubtful(table):
    table.put(B, "A1", "A2").rest()
    table.event_loop.sight(Sight.COVERED, table.t)
    assert "take hands away" in table.refused("go-on", why=WHY)
    for _ in range(5):
        table.t += 1.0
        doubtful = {table.board.point("E5"): sight(0, 0.6, 2)}
        table.event_loop.handle_observation(as_journaled(look(table.position, table.t, changed=doubtful)))
        table.event_loop.settle()
    assert "take hands away" in table.refused("go-on", why=WHY)


def test_it_is_refused_once_there_is_a_result(table):
    table.act("report", result="B+R", why="left")
    table.put(B, "A1", "A2").rest()
    assert "The game has a result" in table.refused("go-on", why=WHY)


def test_ultimate_go_takes_over_lids_if_they_can_be_counted(tmp_path):
    table = Astray(tmp_path, "ultimate")
    table.stray()
    table.lid(B, W, 2).rest()
    table.act("go-on", why=WHY, to_play="W")
    assert table.record.bowls == table.lids and table.record.to_play is W
    table.act("resume")
    table.put(B, "A2", "A3").rest()
    table.seen_lids = unsure_lid((0, 4), (0, 4)), unsure_lid((0, 4), (0, 4))
    table.rest()
    assert "cannot be counted" in table.refused("go-on", why=WHY) and is_same_again(table)
    table.close()


def test_more_than_two_players_cannot_go_on_so(tmp_path):
    table = SeveralPlayers(tmp_path, 3)
    table.put(B, "A1", "A2").look().wait(4.0).look()
    assert "two players only" in table.refused("go-on", why=WHY)
    assert "two players only" not in " ".join(tap.label for tap in taps_of(table.now)) and table.now.lying is None
    table.close()
