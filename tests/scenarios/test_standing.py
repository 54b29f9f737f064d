"""Lamps, headline, cards and status belong to one state, whatever happens at the table."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from device.journal.entries import Terms
from device.panel.signals import signal_of
from device.table.controller import TableController
from referee.table.display_state import Sight, State, TableSnapshot, Task
from referee.table.events import BoxProposal, Button
from referee.table.lamps import LAMPS, OFF
from tests.support.device.chaos import run_chaos
from tests.support.device.player import Player
from tests.support.panel.tables import state_of
from tests.support.table import B, W
from tests.support.tiers import sample
from web.language import ENGLISH
from web.page.headline import headline_of
from web.page.model import PageModel
from web.page.status import status_of

GAMES = 24
EVENTS = 120
HELD = 2.6


def chinese(folder: Path, control: str | None = None, **how: object) -> Player:
    return Player(folder, rules="chinese", control=control, **how).look()  # type: ignore[arg-type]


def unexplained(folder: Path) -> Player:
    return chinese(folder).put(B, "A1").put(B, "E5").put(W, "C3").press(1).look()


def play_out_of_turn(folder: Path) -> Player:
    return chinese(folder).put(W, "C3").press(2).look()


def unfinished(folder: Path) -> Player:
    """White has taken A1 and left it on the board."""
    player = chinese(folder)
    for side, colour, point in ((1, B, "A1"), (2, W, "A2"), (1, B, "E5")):
        player.put(colour, point).press(side).look()
    return player.put(W, "B1").press(2).look()


def cut(folder: Path) -> Player:
    return chinese(folder, "10m").press(2).restarted()


def passed(folder: Path) -> Player:
    return chinese(folder).press(1, Button.CALL).press(1).look().press(2, Button.CALL).press(2).look()


def resigned(folder: Path) -> Player:
    return chinese(folder).press(1, Button.CALL, HELD).press(1)


def unknown_seats(folder: Path) -> Player:
    player = Player(folder, rules="chinese")
    player.terms = Terms(player.terms.setup, replace(player.terms.config, black_side=None))
    player.box = TableController(player.terms, player.folder, player.panel, player.snapshots.append)
    return player.look()


def with_sight(player: Player, sight: Sight) -> Player:
    player.box.sight(sight, player.t)
    return player


def proposed_by_box(player: Player) -> Player:
    player.box.say(BoxProposal(player.t, player.box.table.record.position, 0, 0, 0))
    return player


Reached = tuple[Callable[[Path], Player], tuple[int, ...], str, str]
REACHED: dict[State, Reached] = {
    State.RESIGNING: (
        lambda folder: chinese(folder).press(1, Button.CALL, HELD),
        (1,),
        "about to resign",
        "about to resign",
    ),
    State.CALLED: (
        lambda folder: chinese(folder).press(0, Button.PAUSE, HELD),
        (1, 2),
        "director",
        "director called",
    ),
    State.FINAL: (lambda folder: resigned(folder).press(1).press(2), (1, 2), "Both players have agreed", "agrees"),
    State.PAUSED: (lambda folder: chinese(folder).press(0, Button.PAUSE), (1, 2), "is paused", "waiting"),
    State.RESULT: (lambda folder: resigned(folder).press(1), (2,), "White has still to agree", "asked to agree"),
    State.RESTORED: (
        lambda folder: cut(folder).press(2),
        (1,),
        "Black: press DONE to continue",
        "press DONE",
    ),
    State.CLAIM: (
        lambda folder: chinese(folder, "10s").press(2).wait(11),
        (2,),
        "White: press CALL",
        "may claim the win",
    ),
    State.LOST: (lambda folder: with_sight(chinese(folder), Sight.LOST), (1,), "no pictures", "to play"),
    State.SEARCHING: (
        lambda folder: with_sight(chinese(folder), Sight.SEARCHING),
        (1,),
        "board cannot be seen",
        "to play",
    ),
    State.UNSHOWN: (lambda folder: with_sight(Player(folder), Sight.UNSHOWN), (1, 2), "not known yet", "start check"),
    State.WAITING: (
        lambda folder: chinese(folder).put(B, "C3").press(1),
        (1,),
        "Black pressed DONE",
        "pressed DONE",
    ),
    State.COUNT: (
        lambda folder: passed(folder).press(1, Button.SCORE).look(),
        (2,),
        "White: are no stones dead?",
        "asked to agree",
    ),
    State.BOX_PROPOSAL: (
        lambda folder: proposed_by_box(passed(folder)),
        (1, 2),
        "Is this count right?",
        "check the count",
    ),
    State.UNCOUNTED: (passed, (1, 2), "remove the dead stones", "lift dead stones"),
    State.ILLEGAL: (play_out_of_turn, (2,), "Not your turn, White", "not your turn"),
    State.UNEXPLAINED: (unexplained, (1, 2), "remove", "something to do"),
    State.CHECKING: (
        lambda folder: with_sight(Player(folder), Sight.SEEN),
        (1, 2),
        "before the first move",
        "start check",
    ),
    State.UNFINISHED: (unfinished, (2,), "White: remove", "something to do"),
    State.PLACES: (unknown_seats, (1, 2), "Black begins", "to play"),
    State.TURN: (lambda folder: chinese(folder), (1,), "Black begins: play", "to play"),
}
"""The way each state comes about; the sides that have to act, what the headline says, and what their cards."""


@pytest.mark.parametrize("state", State)
def test_every_state_comes_about_at_the_table(tmp_path, state):
    make, sides, headline, act = REACHED[state]
    now = make(tmp_path).now
    assert state_of(now) == (state, sides) and status_of(now)["state"] == state
    assert headline in headline_of(now).text
    cards = [card for card in PageModel(now).players if card.side in sides]
    assert {card.act for card in cards} <= {act}, "no card where nobody sits yet"
    assert all(signal_of(now).sides[side - 1] == LAMPS[now.display_state.task_at(side)] for side in sides)


def test_after_an_unexplained_turn_a_press_waits_for_its_look(tmp_path):
    player = unexplained(tmp_path)
    assert headline_of(player.now).label == "Unexplained"
    player.press(2)
    assert state_of(player.now) == (State.WAITING, (2,))
    assert headline_of(player.now).text == "White pressed DONE. Hands off the table, please."
    assert [card.act for card in PageModel(player.now).players] == ["", "pressed DONE"]
    assert signal_of(player.now).sides == (OFF, LAMPS[Task.PRESSED])


def test_who_holds_call_in_trouble_is_asked_to_confirm_it(tmp_path):
    player = unexplained(tmp_path).press(2, Button.CALL, HELD)
    assert state_of(player.now) == (State.RESIGNING, (2,))
    assert headline_of(player.now).text == "White is about to resign. Press DONE to confirm."
    assert [card.act for card in PageModel(player.now).players] == ["waiting", "about to resign"]
    assert signal_of(player.now).sides == (LAMPS[Task.WAIT], LAMPS[Task.CONFIRM])
    assert state_of(player.press(2, Button.SCORE).now)[0] is State.UNEXPLAINED


@pytest.mark.parametrize("act", ["pause", "director", "power cut", "claim"])
def test_where_done_resigns_nothing_says_that_it_goes_on(tmp_path, act):
    player = chinese(tmp_path, "10s").press(2)
    if act == "power cut":
        player.restarted()
    elif act == "claim":
        player.wait(11)
    else:
        player.press(0, Button.PAUSE, HELD if act == "director" else 0.15)
    player.press(1, Button.CALL, HELD)
    assert (
        "Press DONE to confirm" in headline_of(player.now).text
        and PageModel(player.now).players[0].act == "about to resign"
    )
    assert signal_of(player.now).sides == (LAMPS[Task.CONFIRM], LAMPS[Task.WAIT])
    player.press(1)
    assert player.now.game.result == "W+R"


def expected(now: TableSnapshot) -> tuple[str, ...]:
    """Words of the headline that what was pressed and seen last calls for, worked out without the table of states."""
    if now.resigning:
        return ("about to resign",)
    if now.called or now.paused:
        return ("please wait", "have agreed")
    if now.game.result is not None:
        return ("asked", "still to agree", "have agreed")
    clocks = now.game.clocks
    if clocks is not None and not now.game.ended and (clocks.restored or clocks.may_claim):
        return ("The clocks are stopped", "may claim", "press CALL", "asked to agree")
    if now.blind is not None:
        return (ENGLISH.sentence(now.blind),)
    if now.sight in (Sight.LOST, Sight.SEARCHING):
        return ("no pictures", "board cannot be seen")
    if now.sight is Sight.UNSHOWN:
        return ("stones are not known yet",)
    if now.waiting:
        return ("pressed DONE",)
    if now.game.ended or now.game.counting.waits_for is not None:
        return ("asked to agree", "dead stones", "dead?")
    if now.trouble is not None:
        return (
            ENGLISH.sentence(now.trouble.message),
            "play",
            "press DONE",
            "remove",
            "put",
            "another move",
            "no effect",
            "points right",
        )
    return ("play", "first move", "begins", "passes")


@pytest.mark.long
@pytest.mark.parametrize("seed", sample(range(GAMES), 2))
def test_in_games_of_random_events_all_that_is_shown_belongs_together(tmp_path, seed):
    control = (None, "2m+2x20s", "1m+5s")[seed % 3]
    player = Player(tmp_path, seed % 4 != 0, ("ultimate", "chinese")[seed % 2], control=control)
    run_chaos(player, random.Random(f"lamps {seed}"), EVENTS)
    for now in player.snapshots:
        assert any(words in headline_of(now).text for words in expected(now)), (expected(now), headline_of(now))
        by_side = {card.side: card for card in PageModel(now).players}
        lamps, status = signal_of(now).sides, status_of(now)
        assert [by_side[side].lamp for side in (1, 2) if side in by_side] == list(lamps)[: len(by_side)]
        concerned = [by_side[side].act for side in now.display_state.concerned.sides if side in by_side]
        assert len(set(concerned)) <= 1 and all(concerned)
        blind = now.display_state.state in (State.LOST, State.SEARCHING)
        assert blind or status["tone"] in {lamp.tone for lamp in lamps}
    assert len({now.display_state.state for now in player.snapshots}) > 4


def test_a_pass_that_is_called_is_told_before_done_closes_it(tmp_path):
    player = chinese(tmp_path).press(1, Button.CALL)
    assert headline_of(player.now).text == "Black passes: press DONE to confirm, or play a stone."
    assert headline_of(player.press(1).look().now).text == "White: play, then press DONE."


def test_the_page_has_the_board_as_the_camera_agreed_on_it(tmp_path):
    player = chinese(tmp_path).put(W, "C3").look()
    camera_position, position = player.now.seen_position, player.now.game.position
    assert camera_position is not None and camera_position.occupied & ~position.occupied == 1 << position.board.point(
        "C3"
    )
