"""A match from the start check to the agreed result, and what is news."""

from __future__ import annotations

from dataclasses import fields

from referee.game.coordinates import Coordinates
from referee.game.messages import message
from referee.game.ruling import Reason, Status
from referee.game.turns import SetUp
from referee.table.display_state import BoxStatus, Final, Phase, Sight
from referee.table.events import Button
from referee.table.match import SHOWN_FOR, Match, observation_key
from referee.table.referee import TableConfig
from tests.support.panel.tables import Hands
from tests.support.play import started
from tests.support.referee.looks import lid, lids_of, look, weighed_lid
from tests.support.table import B, W
from tests.support.wording import english

EMPTY = (".....",) * 5


def begin(rules: str = "ultimate", *rows: str, **start: object) -> tuple[Match, Hands]:
    match = Match(started(rules, *(rows or EMPTY), **start), TableConfig(refereed=True, black_side=1))
    hands = Hands(match.record, match.handle)
    return match, hands


def snapshot_of(match: Match, hands: Hands):
    return match.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))


def test_the_match_starts_when_the_table_is_as_it_must_be():
    match, hands = begin()
    hands.put(B, "C3", "D3").look()
    assert match.phase is Phase.START
    assert snapshot_of(match, hands).trouble.turn == 0
    hands.lift("C3", "D3").look()
    assert match.phase is Phase.PLAY
    assert snapshot_of(match, hands).trouble is None


def test_a_look_like_the_one_before_is_no_news_until_a_button_is_pressed():
    _, hands = begin()
    assert hands.look().is_kept
    assert not hands.look().is_kept
    assert hands.press(1).is_kept
    assert hands.look().is_kept
    assert hands.put(B, "C3").look().is_kept


def test_how_likely_the_counts_of_a_lid_are_is_no_news():
    """It wavers from look to look; the log keeps the reading that came with news."""
    table, (one, other) = (
        begin()[1].position,
        (weighed_lid({2: 0.7, 3: 0.2}, {0: 0.9}), weighed_lid({2: 0.6, 3: 0.3}, {0: 0.9})),
    )
    assert one != other
    assert observation_key(look(table, 1.0, (one, one))) == observation_key(look(table, 2.0, (one, other)))
    assert observation_key(look(table, 1.0, (one, one))) != observation_key(look(table, 2.0, (one, lid(2, 0))))


def test_a_look_from_before_a_press_that_comes_after_it_does_not_hide_the_next_one():
    match, hands = begin()
    hands.look()
    stale = look(hands.position, hands.t, lids_of(hands.lids))
    hands.press(1)
    match.handle(stale)
    assert snapshot_of(match, hands).waiting
    hands.look()
    assert (
        not snapshot_of(match, hands).waiting
        and snapshot_of(match, hands).game.newest.reason is Reason.PASS_NOT_AVAILABLE
    )


def test_a_stone_that_a_press_waits_for_is_judged_once_it_is_surer():
    """It is likely under a hand and sure without it; neither is a doubt of the eyes'."""
    match, hands = begin("chinese")
    hands.look()
    hands.put(B, "C3").press(1)
    likely = {match.record.position.board.point("C3"): (0.07, 0.87, 0.06)}
    for _ in range(2):
        match.handle(look(hands.position, hands.t + 1, changed=likely))
        assert snapshot_of(match, hands).waiting
    match.handle(look(hands.position, hands.t + 2))
    assert not snapshot_of(match, hands).waiting and match.record.number == 1


def test_an_illegal_stone_is_trouble_until_it_is_taken_back():
    match, hands = begin("ultimate", ".O...", "O....", ".....", ".....", ".....")
    hands.look()
    hands.put(B, "A5").done(1)
    assert snapshot_of(match, hands).trouble.reason is Reason.SURROUNDED
    hands.look()
    assert snapshot_of(match, hands).trouble is not None
    hands.lift("A5").look()
    assert snapshot_of(match, hands).trouble is None
    assert snapshot_of(match, hands).game.newest.reason is Reason.SURROUNDED


def test_a_press_out_of_turn_is_shown_for_a_while_though_the_table_is_right():
    match, hands = begin()
    hands.look()
    hands.done(2)
    assert snapshot_of(match, hands).trouble.reason is Reason.NOT_YOUR_TURN
    hands.look(after=SHOWN_FOR / 2)
    assert snapshot_of(match, hands).trouble is not None
    hands.look(after=SHOWN_FOR)
    assert snapshot_of(match, hands).trouble is None


def test_captured_stones_that_stand_are_trouble_until_the_turn_is_complete():
    match, hands = begin("ultimate", ".....", "..X..", ".XO..", "..X..", "....O")
    hands.look()
    hands.put(B, "D3").done(1)
    assert snapshot_of(match, hands).trouble.status is Status.UNFINISHED
    hands.look(after=60)
    assert snapshot_of(match, hands).trouble.status is Status.UNFINISHED
    hands.lift("C3").lid(B, W, +1).done(1)
    assert snapshot_of(match, hands).trouble is None
    assert match.record.number == 1


def test_a_press_waits_and_says_so():
    match, hands = begin()
    hands.look()
    hands.put(B, "C3").press(1)
    assert snapshot_of(match, hands).waiting == (1,)
    hands.look()
    assert snapshot_of(match, hands).waiting == ()


def test_resigning_is_held_confirmed_and_agreed_to():
    match, hands = begin()
    hands.look()
    hands.press(1, Button.CALL, held=True)
    assert snapshot_of(match, hands).resigning == (1,)
    hands.press(1)
    assert (match.phase, match.record.result) == (Phase.RESULT, "W+R")
    hands.press(1)
    assert snapshot_of(match, hands).agreed == (1,)
    assert match.phase is Phase.RESULT
    hands.press(2)
    assert match.phase is Phase.FINAL


def test_a_player_who_disagrees_calls_the_director():
    match, hands = begin()
    hands.look()
    hands.press(1, Button.CALL, held=True)
    hands.press(1)
    hands.press(1)
    hands.press(2, Button.SCORE, held=True)
    now = snapshot_of(match, hands)
    assert (now.agreed, now.called, now.paused, match.phase) == ((), True, True, Phase.RESULT)
    hands.press(1)
    assert "paused" in english(snapshot_of(match, hands).notice)
    hands.press(0, Button.PAUSE)
    hands.press(1)
    hands.press(2)
    assert match.phase is Phase.FINAL


def test_nothing_is_judged_while_the_game_is_paused():
    match, hands = begin()
    hands.look()
    hands.press(0, Button.PAUSE)
    hands.put(B, "C3")
    assert hands.press(1).rulings == ()
    assert not hands.look().is_kept
    assert match.record.number == 0
    hands.press(0, Button.PAUSE)
    assert [r.turn for r in hands.done(1).rulings] == [1]


def test_holding_pause_calls_the_director():
    match, hands = begin()
    hands.look()
    hands.press(0, Button.PAUSE, held=True)
    assert snapshot_of(match, hands).called and snapshot_of(match, hands).paused
    hands.press(0, Button.PAUSE)
    assert not snapshot_of(match, hands).called and not snapshot_of(match, hands).paused


def test_score_says_that_there_is_nothing_to_count():
    match, hands = begin()
    hands.look()
    hands.press(1, Button.SCORE)
    assert "cannot propose to score now" in english(snapshot_of(match, hands).notice)
    assert match.record.number == 0
    hands.press(1, Button.DONE)
    assert snapshot_of(match, hands).notice is None


def test_a_press_of_no_side_is_nobodys():
    match, hands = begin()
    hands.look()
    hands.press(1, Button.CALL, held=True)
    hands.press(1)
    assert not hands.press(0, Button.DONE).is_kept
    assert snapshot_of(match, hands).agreed == ()


def test_what_only_the_box_knows_is_shown_as_it_says():
    match, _ = begin()
    notice, fault = message("notice.no-board"), message("fault.look")
    text = {"seal": "SEAL", "kept": "kept", "match": "match"}
    changes = {"faults": (fault,), "notice": notice, "blind": fault, "asks": notice, "certified": fault}
    final, lying = Final("0", "B+1", ("", "")), SetUp((0, 0))
    rest = {"unable": True, "unheard": True, "finals": (final,), "lying": lying, "coordinates": Coordinates.FIGURES}
    box = BoxStatus(7, 1.5, Sight.LOST, **text, **changes, **rest)
    snapshot = match.build_snapshot(box)
    assert all(getattr(snapshot, field.name) == getattr(box, field.name) for field in fields(BoxStatus))
    assert all(getattr(box, field.name) != field.default for field in fields(BoxStatus)), "each is given"
