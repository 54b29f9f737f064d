"""A rehearsal: what is asked for, what is taken for a fault, and what a box is certified for by it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device.journal.entries import Terms, match_entry, terms_of
from device.journal.replay import Folder
from device.panel.panel import NoPanel
from device.table.certificate import Level
from device.table.controller import TableController
from device.table.rehearsal import (
    GIVEN_UP,
    GOES,
    LEFT,
    MOST_SPREADS,
    SPREAD_WITHIN,
    STAYS,
    WITHIN,
    Ask,
    Rehearsal,
    plan_acts,
    rehearsal_terms,
)
from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.errors import BadSetup
from referee.game.game_info import GameInfo
from referee.game.messages import message, plain_message
from referee.game.observation import LidSight, Observation
from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement, Resign
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Pressed, Remark
from referee.table.table import TableConfig
from tests.support.simulator.rehearsing import Rehearsing
from tests.support.tiers import LONG
from vision.render.looks import club_look
from vision.training.rendered import relight_look

SIZE = 9
TEN = plan_acts(SIZE)
SURE, UNSURE = (0.99, 0.005, 0.005), (0.9, 0.05, 0.05)


def sure_lid(black: int, white: int) -> LidSight:
    return LidSight(black, white, (black, black), (white, white), True, True)


NONE, BLACKS, WHITES = sure_lid(0, 0), sure_lid(2, 3), sure_lid(3, 2)
"""Lids as they lie at first, and Black's and White's with what is put into them."""


def unsure(lid: LidSight) -> LidSight:
    return replace(lid, sure=False, clear=False)


class Table:
    """Players who do what a rehearsal asks for, a turn every ten seconds, and a box that rules as it should."""

    def __init__(self, refereed: bool = True) -> None:
        self.rehearsal, self.t, self.done = Rehearsal(SIZE, refereed, 0.0), 0.0, 0

    def press(self, after: float = 10.0) -> None:
        self.t += after
        side = 1 if TEN[self.done].player is Colour.BLACK else 2
        self.rehearsal.tick(self.t)
        self.rehearsal.handle_press(Pressed(self.t, side, Button.DONE))

    def look(self, doubtful: int = 0, lids: tuple[LidSight, ...] = (NONE, NONE)) -> None:
        points = (UNSURE,) * doubtful + (SURE,) * (SIZE * SIZE - doubtful)
        self.rehearsal.handle_observation(Observation(self.t, points, lids))

    def rule(self, after: float = 0.5, status: Status = Status.LEGAL, point: int | None = None) -> None:
        self.t += after
        act = TEN[self.done]
        move = Placement(act.player, act.point if point is None else point)
        self.rehearsal.handle_rulings(
            [Ruling(status, self.done + 1, plain_message("Why."), act.player, move, t=self.t)]
        )
        self.done += status is Status.LEGAL

    def turn(self, doubtful: int = 0, lids: tuple[LidSight, ...] | None = None) -> None:
        act, captured = TEN[self.done], sum(one.kind is Ask.CAPTURE for one in TEN[: self.done + 1])
        self.press()
        self.look(doubtful, lids or ((NONE, NONE), (BLACKS, NONE), (BLACKS, WHITES))[captured])
        if act.kind is Ask.BETWEEN:
            self.rule(status=Status.UNFINISHED)
            self.press()
        self.rule(after=STAYS + 1 if act.kind is Ask.HAND else 0.5)

    def wait(self, seconds: float) -> None:
        self.t += seconds
        self.rehearsal.tick(self.t)

    def uncounted(self) -> list[object]:
        assert all(reason.key == "rehearsal.lid" for reason in self.rehearsal.lids)
        return [dict(reason.args)["player"] for reason in self.rehearsal.lids]

    def said(self) -> list[str]:
        return [reason.key for reason in self.rehearsal.reasons]


def test_ten_turns_as_they_are_asked_for():
    table, keys = Table(), []
    while not table.rehearsal.over:
        keys.append(table.rehearsal.asks.key)
        table.turn()
    assert keys == 6 * ["rehearsal.stone"] + 2 * ["rehearsal.capture"] + ["rehearsal.between", "rehearsal.hand"]
    assert (table.said(), table.rehearsal.lids, table.rehearsal.slowest) == ([], (), 0.5)


def test_a_press_after_the_last_turn_is_none_of_its_own():
    """It may come before the box has summed up, also while its disk is full."""
    table = Table()
    while not table.rehearsal.over:
        table.turn()
    table.rehearsal.handle_press(Pressed(table.t + 1, 1, Button.DONE))
    table.rehearsal.tick(table.t + 2)
    assert not table.said()


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_acts_are_legal_and_capture_what_they_say(size):
    record = rehearsal_terms(Terms(Setup(rule_set("chinese")), TableConfig()), size).record()
    for act in plan_acts(size):
        turn = Placement(act.player, act.point)
        captured = record.position.place(act.player, act.point).captured
        assert captured == (1 << act.other if act.kind is Ask.CAPTURE else 0)
        assert record.to_play is act.player
        after = judge(record, turn).after
        assert after is not None
        record = after


def test_a_stone_seen_elsewhere_ends_it():
    table = Table()
    table.press()
    table.rule(point=1)
    assert table.rehearsal.over
    assert table.said() == ["rehearsal.elsewhere"]


@pytest.mark.parametrize("status", [Status.ILLEGAL, Status.UNFINISHED, Status.UNEXPLAINED])
def test_a_turn_that_is_not_taken_for_what_it_is_ends_it(status):
    table = Table()
    table.press()
    table.rule(status=status)
    assert table.said() == ["rehearsal.refused"]


def test_another_turn_than_a_stone_ends_it():
    table = Table()
    table.rehearsal.handle_rulings(
        [Ruling(Status.LEGAL, 1, plain_message("Black resigns."), Colour.BLACK, Resign(Colour.BLACK))]
    )
    assert table.said() == ["rehearsal.refused"]


def test_a_stone_between_points_that_is_taken_for_one_on_a_point_ends_it():
    table = Table()
    while TEN[table.done].kind is not Ask.BETWEEN:
        table.turn()
    table.press()
    table.rule()
    assert table.said() == ["rehearsal.not-between"]


def test_a_stone_still_to_be_lifted_is_put_right():
    table = Table()
    while TEN[table.done].kind is not Ask.CAPTURE:
        table.turn()
    table.press()
    table.rule(status=Status.UNFINISHED)
    table.turn()
    assert not table.said()


def test_a_slow_ruling_and_a_silent_box_are_told():
    table = Table()
    table.press()
    table.rule(after=WITHIN + 1)
    assert table.said() == ["rehearsal.slow"]
    assert not table.rehearsal.over
    table.press()
    table.rehearsal.tick(table.t + GIVEN_UP + 1)
    assert table.said() == ["rehearsal.slow", "rehearsal.silent"]
    assert table.rehearsal.over


def test_nobody_is_waited_for_for_ever():
    table = Table()
    table.rehearsal.tick(LEFT + 1)
    assert table.said() == ["rehearsal.left"]


def test_the_hand_is_told_when_to_go_and_its_stay_is_no_slowness():
    table = Table()
    while TEN[table.done].kind is not Ask.HAND:
        table.turn()
    table.press()
    assert table.rehearsal.asks.key == "rehearsal.hand-stays"
    table.rehearsal.tick(table.t + STAYS)
    assert table.rehearsal.asks.key == "rehearsal.hand-goes"
    table.rule(after=STAYS + GOES + WITHIN / 2)
    assert not table.said()


def test_a_ruling_while_the_hand_lies_over_the_board_is_told():
    """It may be right by chance: the stone shows under the fingers now and then, and at other times it does not."""
    table = Table()
    while TEN[table.done].kind is not Ask.HAND:
        table.turn()
    table.press()
    table.look(lids=(BLACKS, WHITES))
    table.rule(after=0.4)
    assert table.said() == ["rehearsal.hand-unseen"]


@pytest.mark.parametrize("key", ["hidden", "unclear"])
def test_that_the_hand_hides_something_is_no_ruling_on_it(key):
    table = Table()
    while TEN[table.done].kind is not Ask.HAND:
        table.turn()
    table.press()
    hides = Ruling(Status.UNEXPLAINED, 10, message(key), t=table.t + 0.4)
    table.rehearsal.handle_rulings([hides])
    table.look(lids=(BLACKS, WHITES))
    table.rule(after=STAYS + 1)
    assert (table.rehearsal.over, table.said(), table.rehearsal.slowest) == (True, [], 0.5)


def test_many_doubtful_points_are_told_and_a_few_are_not():
    few, many = Table(), Table()
    while not few.rehearsal.over:
        few.turn(doubtful=few.done % 2)
        many.turn(doubtful=5)
    assert not few.said()
    assert many.said() == ["rehearsal.doubt"]


def test_stones_in_lids_before_are_uncounted_and_no_prisoners():
    table = Table()
    while not table.rehearsal.over:
        table.turn(lids=(BLACKS, NONE) if table.done < 6 else None)
        table.wait(SPREAD_WITHIN + 1)
    assert table.uncounted() == [Colour.BLACK]


def test_an_uncounted_lid_has_to_be_spread_before_play_goes_on():
    table = Table()
    for _ in range(6):
        table.turn()
    table.turn(lids=(unsure(BLACKS), NONE))
    message = table.rehearsal.asks
    assert (message.key, dict(message.args)) == ("rehearsal.spread", {"turn": 7, "player": Colour.BLACK})
    table.look(lids=(BLACKS, NONE))
    assert table.rehearsal.asks.key == "rehearsal.capture"
    while not table.rehearsal.over:
        table.turn()
    assert table.uncounted() == []


@pytest.mark.parametrize("doubtful", [6, 8, 9])
def test_a_lid_that_was_spread_in_vain_is_told(doubtful):
    """A dim lamp: where stones in the lids count, the games that follow come to a stand."""
    table = Table()
    while table.done < len(TEN):
        table.turn(lids=(unsure(BLACKS), WHITES if doubtful > 6 else NONE) if table.done == doubtful else None)
        table.wait(SPREAD_WITHIN - 2)
        assert (table.rehearsal.asks.key == "rehearsal.spread") == (table.done == doubtful + 1)
        table.wait(3)
    assert table.rehearsal.over
    assert table.uncounted() == [Colour.BLACK]


def test_what_was_given_up_is_not_asked_for_again():
    table, spread_flags = Table(), []
    while table.done < len(TEN):
        table.turn(lids=(NONE, NONE) if table.done < 6 else (unsure(BLACKS), unsure(WHITES)))
        spread_flags.append(table.rehearsal.asks.key == "rehearsal.spread")
        table.wait(SPREAD_WITHIN + 1)
    assert spread_flags == 6 * [False] + 2 * [True] + 2 * [False], "Black, then White, once each"


def test_nobody_spreads_for_ever():
    """Each time the stones are counted once they were spread, and not at the next turn."""
    table, count = Table(), 0
    for _ in range(6):
        table.turn()
    while table.done < len(TEN):
        table.turn(lids=(unsure(BLACKS), NONE if table.done < 7 else WHITES))
        count += table.rehearsal.asks.key == "rehearsal.spread"
        table.look(lids=(BLACKS, WHITES))
    assert (count, table.uncounted()) == (MOST_SPREADS, [Colour.BLACK])


@pytest.mark.parametrize(("missed", "players"), [(2, []), (3, [Colour.BLACK])])
def test_an_uncounted_empty_lid_is_reported_and_not_to_be_spread(missed, players):
    """Nothing in it can be spread: a delay that empties a lid was taken for another's fault."""
    table = Table()
    while not table.rehearsal.over:
        table.turn(lids=(unsure(NONE), NONE) if table.done < missed else None)
        assert table.rehearsal.asks.key != "rehearsal.spread"
    assert table.uncounted() == players


def test_lids_out_of_view_are_told():
    table = Table()
    while not table.rehearsal.over:
        act = TEN[table.done]
        table.press()
        table.look(lids=())
        if act.kind is Ask.BETWEEN:
            table.rule(status=Status.UNFINISHED)
        table.rule()
    assert len(table.rehearsal.lids) == 2


def test_a_button_of_the_other_side_is_none_of_its_own():
    table = Table()
    table.rehearsal.handle_press(Pressed(5.0, 2, Button.DONE))
    table.rehearsal.handle_press(Pressed(5.0, 1, Button.CALL))
    table.rehearsal.tick(5.0 + GIVEN_UP + 1)
    assert not table.rehearsal.over


def test_a_rehearsal_is_told_from_a_match_in_its_journal():
    terms = rehearsal_terms(
        Terms(Setup(rule_set("japanese")), TableConfig(refereed=True), game_info=GameInfo(table="4")), 13
    )
    assert terms_of(match_entry(terms, 0.0)).rehearsal
    assert terms.game_info.table == "4"
    assert not terms_of(match_entry(replace(terms, rehearsal=False), 0.0)).rehearsal


def test_a_box_without_a_board_cannot_rehearse(tmp_path):
    box = TableController(
        Terms(Setup(rule_set("chinese")), TableConfig()), Folder(tmp_path), NoPanel(), lambda snapshot: None
    )
    with pytest.raises(BadSetup) as error:
        box.begin_rehearsal(Remark(0.0, message("director.rehearse"), Actor.DIRECTOR))
    assert error.value.args[0].key == "rehearsal.no-board"


@LONG
def test_a_drawn_table_is_certified_and_its_next_match_tells_it(tmp_path):
    table = Rehearsing(tmp_path, club_look(4, SIZE, 960, 540))
    certificate = table.play()
    assert certificate is not None
    assert (certificate.level, certificate.reasons) == (Level.REFEREE, ())
    assert [message.key.partition(".")[2] for message in table.asked[-4:-1]] == ["hand", "hand-stays", "hand-goes"]
    assert not table.box.table.record.number
    assert certificate.message in [answer.message for answer in table.box.table.snapshot.answers]
    assert table.box.snapshot.certified == certificate.message
    assert b"may referee today" in table.box.sgf_record


@LONG
def test_hands_at_a_dim_table_spread_stones_until_they_count(tmp_path):
    table = Rehearsing(
        tmp_path, relight_look(club_look(29057, SIZE, 1280, 720), "dim", np.random.default_rng([29057, 23]))
    )
    certificate = table.play()
    assert certificate is not None
    assert certificate.level is Level.REFEREE
    assert "rehearsal.spread" in [message.key for message in table.asked]
    assert table.t < 120
