"""The director's act that lets the game go on from what lies there: offered, refused, done, undone, replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.journal.entries import as_journaled
from device.journal.replay import replay_journal
from device.panel.panel import Edge
from device.panel.signals import sentence_of
from referee.game.board import Colour
from referee.game.observation import PointSight
from referee.game.turns import SetUp
from referee.table.display_state import Sight, State
from referee.table.events import Button
from tests.support.device.directed import DirectedTable
from tests.support.device.player import SeveralPlayers
from tests.support.referee.looks import look, unsure_lid
from tests.support.wording import english
from web.director.actions import taps_of

B, W = Colour.BLACK, Colour.WHITE
OFFER = "No moves explain what lies there: put it right, or ask the director to let the game go on from it."
WHY = "an arm lay over the board"


class Astray(DirectedTable):
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
            self.event_loop.queue_edge(Edge(side, Button.DONE, down, self.t))
        self.t += 0.1
        self.event_loop.settle()
        self.rest(1)

    def rest(self, looks: int = 5) -> None:
        """Look once a second at what lies there."""
        for _ in range(looks):
            self.event_loop.handle_observation(as_journaled(self.observe()))
            self.event_loop.settle()

    def stray(self) -> None:
        """Put two stones of each player there at once, and press."""
        self.put(B, "A1", "B2").put(W, "E5", "D5")
        self.press(B)

    @property
    def record(self):
        return self.box.table.record

    @property
    def labels(self) -> list[str]:
        return [tap.label for tap in taps_of(self.now)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Astray]:
    table = Astray(tmp_path)
    yield table
    table.close()


def is_same_again(table: DirectedTable) -> bool:
    return replay_journal(table.journals[-1]).differs is None


def test_what_lies_there_unexplained_is_said_and_offered_once_it_rests(table):
    table.stray()
    assert table.now.display_state.state is State.UNEXPLAINED and table.now.lying is None
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
    assert (table.now.paused, table.now.game.clocks.running_player, table.now.trouble) == (True, None, None)
    mains = [face.main for face in table.now.game.clocks.faces]
    table.t += 100.0
    table.act("resume")
    assert [face.main for face in table.now.game.clocks.faces] == mains and table.now.game.clocks.running_player is B
    table.play(B, "E1")
    assert table.record.number == 3 and table.record.position == table.position and is_same_again(table)
    assert b"AB[" in table.box.sgf_record


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
    assert not table.record.settlements and not table.now.paused and table.now.game.clocks.running_player is B
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


def rest_with(table: Astray, doubtful: dict[str, PointSight]) -> None:
    """Look for five seconds while these points are not seen plainly."""
    for _ in range(5):
        table.t += 1.0
        changed = {table.board.point(name): chances for name, chances in doubtful.items()}
        table.event_loop.handle_observation(as_journaled(look(table.position, table.t, changed=changed)))
        table.event_loop.settle()


def test_it_is_refused_under_a_hand(table):
    table.put(B, "A1", "A2").rest()
    table.event_loop.sight(Sight.COVERED, table.t)
    assert "take hands away" in table.refused("go-on", why=WHY)
    rest_with(table, dict.fromkeys(("E5", "D5", "E4", "D3"), (1 / 3,) * 3))
    assert "take hands away" in table.refused("go-on", why=WHY)


def test_a_doubtful_point_is_named_and_does_not_block(table):
    table.put(W, "A1").put(B, "A2", "B2")
    rest_with(table, {"E5": (0.35, 0.6, 0.05)})
    answer = table.act("go-on", why=WHY, to_play="W")
    assert "Not seen plainly, so please compare the board with the page: E5." in answer
    assert table.record.position == table.position, "E5 may be empty, as it was"
    assert is_same_again(table)


def test_a_doubtful_point_that_has_surely_changed_is_taken_as_seen(table):
    table.put(W, "A1", "E5").put(B, "A2", "B2")
    rest_with(table, {"E5": (0.01, 0.29, 0.7)})
    table.act("go-on", why=WHY, to_play="B")
    assert table.record.position == table.position and is_same_again(table)


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


PAUSED = "The game is paused, because no moves explain what lies there."


def is_paused_by_box(table: Astray) -> bool:
    return table.now.pause is not None and table.now.pause.unexplained and table.now.paused


def test_the_box_pauses_when_a_board_stays_unexplained(table):
    table.stray()
    table.rest(19)
    assert not table.now.paused and table.now.game.clocks.running_player is B
    table.rest(1)
    assert is_paused_by_box(table) and table.now.display_state.state is State.PAUSED
    assert table.now.game.clocks.running_player is None and not table.now.called
    assert sentence_of(table.now).startswith(PAUSED) and PAUSED in table.app.test_client().get("/").text
    assert is_same_again(table)


def test_without_a_press_the_box_pauses_as_well(table):
    table.lift("C3").put(B, "C2", "A1").rest(22)
    assert is_paused_by_box(table) and is_same_again(table)


def test_a_board_put_right_lets_the_game_go_on(table):
    table.stray()
    table.rest(22)
    mains = [face.main for face in table.now.game.clocks.faces]
    table.lift("A1", "B2", "E5", "D5").rest(3)
    assert is_paused_by_box(table)
    table.rest(2)
    assert not table.now.paused and table.now.game.clocks.running_player is B and table.now.trouble is None
    assert table.now.game.clocks.faces[1].main == mains[1] and is_same_again(table)
    table.play(B, "E1")
    assert table.record.number == 3


def test_one_tap_goes_on_from_what_lies_there(table):
    table.stray()
    table.rest(22)
    tap = next(json.loads(tap.body) for tap in taps_of(table.now) if "Go on" in tap.label)
    table.act(**tap)
    assert table.record.position == table.position and isinstance(table.record.settlement, SetUp)
    assert not table.now.paused and table.now.game.clocks.running_player is B
    table.play(B, "E1")
    assert table.record.number == 3 and is_same_again(table)


def test_turns_that_the_director_enters_explain_the_board(table):
    table.put(B, "A1", "B2").rest(22)
    assert is_paused_by_box(table)
    for player, turn in (("B", "A1"), ("W", "pass"), ("B", "B2")):
        turn = {"turn": turn} if turn == "pass" else {"turn": "place", "point": turn}
        table.act("enter", player=player, why=WHY, **turn)
    table.rest(4)
    assert not table.now.paused and table.now.game.clocks.running_player is W and is_same_again(table)


def test_undoing_that_tap_brings_the_pause_back(table):
    table.stray()
    table.rest(22)
    table.act("go-on", why=WHY)
    table.act("undo")
    assert is_paused_by_box(table) and not table.record.settlements and is_same_again(table)


def press_pause(table: Astray, lasting_s: float) -> None:
    """Press PAUSE for so many seconds."""
    table.event_loop.queue_edge(Edge(0, Button.PAUSE, True, table.t + 0.1))
    table.t += lasting_s
    table.event_loop.queue_edge(Edge(0, Button.PAUSE, False, table.t))
    table.t += 0.1
    table.event_loop.settle()
    table.rest(1)


def test_pause_lets_the_game_go_on_and_it_stays_so(table):
    table.stray()
    table.rest(22)
    press_pause(table, 0.2)
    assert not table.now.paused and table.now.game.clocks.running_player is B
    table.rest(30)
    assert not table.now.paused and is_same_again(table)


def test_the_director_takes_the_pause_over(table):
    table.stray()
    table.rest(22)
    table.act("pause")
    table.lift("A1", "B2", "E5", "D5").rest(6)
    assert table.now.paused and not is_paused_by_box(table) and is_same_again(table)


def test_a_called_director_ends_the_pause_alone(table):
    table.stray()
    table.rest(22)
    press_pause(table, 3.0)
    assert table.now.called
    table.lift("A1", "B2", "E5", "D5").rest(6)
    assert table.now.called and table.now.paused and is_same_again(table)


ORDINARY = [
    ("a stone of the mover's", lambda table: table.put(B, "A1")),
    ("two turns that nobody closed", lambda table: table.put(B, "A1").put(W, "E5")),
    ("one stone of the wrong colour", lambda table: table.put(W, "A1")),
    ("one stone gone", lambda table: table.lift("D4")),
    ("a cleared board", lambda table: table.lift("C3", "D4")),
    ("a chain without liberties", lambda table: table.put(W, "A1").put(B, "A2", "B1")),
]


@pytest.mark.parametrize("lay", [lay for _, lay in ORDINARY], ids=[name for name, _ in ORDINARY])
def test_an_ordinary_act_pauses_no_game(table, lay):
    lay(table)
    table.rest(60)
    assert not table.now.paused and table.now.game.clocks.running_player is B


@pytest.mark.parametrize("presses", [True, False])
def test_a_ko_retaken_at_once_pauses_no_game(table, presses):
    turns = ((B, "B2"), (W, "D3"), (B, "C1"), (W, "D1"), (B, "A5"), (W, "E2"), (B, "D2"))
    for colour, point in turns:
        table.play(colour, point)
    table.lift("D2").play(W, "C2")
    assert table.record.number == 10
    table.lift("C2").put(B, "D2")
    if presses:
        table.press(B)
        assert table.now.display_state.state is State.ILLEGAL
    table.rest(60)
    assert not table.now.paused and table.now.game.clocks.running_player is B


def test_hands_that_come_and_go_pause_no_game(table):
    table.stray()
    for _ in range(8):
        table.rest(9)
        table.event_loop.sight(Sight.COVERED, table.t)
        table.event_loop.sight(Sight.SEEN, table.t)
    for _ in range(8):
        table.rest(9)
        table.t += 2.0
    assert not table.now.paused


def test_unclear_points_beside_the_change_pause_no_game(table):
    table.put(B, "A1", "A2").put(W, "B1")
    hidden = {table.board.point(name): (1 / 3,) * 3 for name in ("B2", "A3", "C1")}
    for _ in range(40):
        table.t += 1.0
        table.event_loop.handle_observation(as_journaled(look(table.position, table.t, changed=hidden)))
        table.event_loop.settle()
    assert not table.now.paused


def test_the_box_pauses_without_clocks_too(tmp_path):
    table = DirectedTable(tmp_path, "chinese")
    table.event_loop.sight(Sight.SEEN, table.t)
    table.act("enter", player="B", turn="place", point="C3", why=WHY)
    table.put(B, "C3", "A1", "B2")
    for _ in range(23):
        table.t += 1.0
        table.event_loop.handle_observation(as_journaled(table.observe()))
        table.event_loop.settle()
    assert table.now.paused and table.now.pause.unexplained
    table.lift("A1", "B2")
    for _ in range(5):
        table.t += 1.0
        table.event_loop.handle_observation(as_journaled(table.observe()))
        table.event_loop.settle()
    assert not table.now.paused and is_same_again(table)
    table.close()


def test_more_than_two_players_cannot_go_on_so(tmp_path):
    table = SeveralPlayers(tmp_path, 3)
    table.put(B, "A1", "A2").look().wait(4.0).look()
    assert "two players only" in table.refused("go-on", why=WHY)
    assert "two players only" not in " ".join(tap.label for tap in taps_of(table.now)) and table.now.lying is None
    table.close()
