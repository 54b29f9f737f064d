"""One game at a table, and what is news to it; rulings on random games, and on garbage."""

from __future__ import annotations

import random
from dataclasses import fields
from itertools import product

import pytest

from referee.game.board import Position
from referee.game.coordinates import Coordinates
from referee.game.messages import message
from referee.game.observation import LidSight, Observation
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.ruling import Reason, Status
from referee.game.turns import SetUp
from referee.table.display_state import BoxStatus, Final, Phase, Sight
from referee.table.events import Button, Event, Pressed, SourceEnded
from referee.table.table import SHOWN_FOR, Table, TableConfig
from tests.support.panel.tables import begin_match, snapshot_of
from tests.support.referee.looks import lids_of, look, noisy_look, sight
from tests.support.referee.random_play import judge_again, opening_of, play_random
from tests.support.table import B, W
from tests.support.tiers import LONG, sample
from tests.support.wording import english


@pytest.mark.parametrize(
    ("size", "length"), [(9, 120), pytest.param(13, 120, marks=LONG), pytest.param(19, 100, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("noisy", [False, True])
def test_every_turn_of_a_random_game_is_recorded(size: int, length: int, noisy: bool) -> None:
    rng = random.Random(size)
    true: GameRecord = opening_of(size)
    referee = Table(true)
    while true.number < length and (after := play_random(true, rng)) is not None:
        true = after
        referee.receive(noisy_look(true.position, rng) if noisy else look(true.position))
    referee.receive(look(true.position))
    assert set(referee.record.turns) == set(true.turns)
    assert referee.record.position == true.position
    if not noisy:
        assert referee.record.turns == true.turns


SEEDS = [0, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 3)), 5, 7]


def _garbage(rng: random.Random, position: Position, bowls: Bowls) -> Event:
    kind = rng.randrange(6)
    count = position.board.cols * position.board.rows
    if kind == 0:
        return Pressed(rng.random(), rng.choice([1, 2]), rng.choice(list(Button)), rng.random() < 0.3)
    if kind == 1:
        return Observation(rng.random(), tuple(sight(rng.randrange(3), rng.random()) for _ in range(count)))
    if kind == 2:
        return Observation(rng.random(), tuple(sight(0) for _ in range(rng.randrange(count + 3))))
    changed = {rng.randrange(count): sight(rng.randrange(3), rng.uniform(0.4, 1)) for _ in range(rng.randrange(5))}
    low = [rng.randrange(4) for _ in range(4)]
    lids = tuple(
        LidSight(a, b, (a, a + rng.randrange(2)), (b, b + rng.randrange(2)), False)
        for a, b in zip(low[:2], low[2:], strict=True)
    )
    return look(position, rng.random(), lids if kind < 5 else lids_of(bowls), changed)


@pytest.mark.parametrize(
    ("seed", "rules", "refereed"), sample(product((0, 1, 2, 3, 5, 7), ("ultimate", "chinese"), (False, True)), 6)
)
def test_garbage_never_raises_and_the_record_replays(seed: int, rules: str, refereed: bool) -> None:
    rng = random.Random(seed)
    referee = Table(opening_of(5, rules), TableConfig(refereed))
    for _ in range(150):
        true = play_random(referee.record, rng, 0.2) or referee.record
        for ruling in referee.receive(_garbage(rng, true.position, true.bowls)).rulings:
            assert english(ruling).endswith(".")
    referee.receive(SourceEnded(1.0))
    assert judge_again(referee.record).position == referee.record.position
    assert referee.snapshot.turns == referee.record.turns


def test_the_game_starts_when_the_table_is_as_it_must_be():
    table, hands = begin_match()
    hands.put(B, "C3", "D3").look()
    assert table.phase is Phase.START
    assert snapshot_of(table, hands).trouble.turn == 0
    hands.lift("C3", "D3").look()
    assert table.phase is Phase.PLAY
    assert snapshot_of(table, hands).trouble is None


def test_an_illegal_stone_is_trouble_until_it_is_taken_back():
    table, hands = begin_match("ultimate", ".O...", "O....", ".....", ".....", ".....")
    hands.look()
    hands.put(B, "A5").done(1)
    assert snapshot_of(table, hands).trouble.reason is Reason.SURROUNDED
    hands.look()
    assert snapshot_of(table, hands).trouble is not None
    hands.lift("A5").look()
    assert snapshot_of(table, hands).trouble is None
    assert snapshot_of(table, hands).game.newest_ruling.reason is Reason.SURROUNDED


def test_a_press_out_of_turn_is_shown_a_while_at_a_correct_table():
    table, hands = begin_match()
    hands.look()
    hands.done(2)
    assert snapshot_of(table, hands).trouble.reason is Reason.NOT_YOUR_TURN
    hands.look(after=SHOWN_FOR / 2)
    assert snapshot_of(table, hands).trouble is not None
    hands.look(after=SHOWN_FOR)
    assert snapshot_of(table, hands).trouble is None


def test_captured_stones_that_stand_are_trouble_until_the_turn_is_complete():
    table, hands = begin_match("ultimate", ".....", "..X..", ".XO..", "..X..", "....O")
    hands.look()
    hands.put(B, "D3").done(1)
    assert snapshot_of(table, hands).trouble.status is Status.UNFINISHED
    hands.look(after=60)
    assert snapshot_of(table, hands).trouble.status is Status.UNFINISHED
    hands.lift("C3").lid(B, W, +1).done(1)
    assert snapshot_of(table, hands).trouble is None
    assert table.record.number == 1


def test_a_press_waits_and_says_so():
    table, hands = begin_match()
    hands.look()
    hands.put(B, "C3").press(1)
    assert snapshot_of(table, hands).waiting == (1,)
    hands.look()
    assert snapshot_of(table, hands).waiting == ()


def test_resigning_is_held_confirmed_and_agreed_to():
    table, hands = begin_match()
    hands.look()
    hands.press(1, Button.CALL, is_held=True)
    assert snapshot_of(table, hands).resigning == (1,)
    hands.press(1)
    assert (table.phase, table.record.result) == (Phase.RESULT, "W+R")
    hands.press(1)
    assert snapshot_of(table, hands).agreed == (1,)
    assert table.phase is Phase.RESULT
    hands.press(2)
    assert table.phase is Phase.FINAL


def test_a_player_who_disagrees_calls_the_director():
    table, hands = begin_match()
    hands.look()
    hands.press(1, Button.CALL, is_held=True)
    hands.press(1)
    hands.press(1)
    hands.press(2, Button.SCORE, is_held=True)
    now = snapshot_of(table, hands)
    assert (now.agreed, now.called, now.paused, table.phase) == ((), True, True, Phase.RESULT)
    hands.press(1)
    assert "paused" in english(snapshot_of(table, hands).notice)
    hands.press(0, Button.PAUSE)
    hands.press(1)
    hands.press(2)
    assert table.phase is Phase.FINAL


def test_nothing_is_judged_while_the_game_is_paused():
    table, hands = begin_match()
    hands.look()
    hands.press(0, Button.PAUSE)
    hands.put(B, "C3")
    assert hands.press(1).rulings == ()
    assert not hands.look().is_kept
    assert table.record.number == 0
    hands.press(0, Button.PAUSE)
    assert [r.turn for r in hands.done(1).rulings] == [1]


def test_holding_pause_calls_the_director():
    table, hands = begin_match()
    hands.look()
    hands.press(0, Button.PAUSE, is_held=True)
    assert snapshot_of(table, hands).called and snapshot_of(table, hands).paused
    hands.press(0, Button.PAUSE)
    assert not snapshot_of(table, hands).called and not snapshot_of(table, hands).paused


def test_score_says_that_there_is_nothing_to_count():
    table, hands = begin_match()
    hands.look()
    hands.press(1, Button.SCORE)
    assert "cannot propose to score now" in english(snapshot_of(table, hands).notice)
    assert table.record.number == 0
    hands.press(1, Button.DONE)
    assert snapshot_of(table, hands).notice is None


def test_a_press_of_no_side_is_nobodys():
    table, hands = begin_match()
    hands.look()
    hands.press(1, Button.CALL, is_held=True)
    hands.press(1)
    assert not hands.press(0, Button.DONE).is_kept
    assert snapshot_of(table, hands).agreed == ()


def test_what_only_the_box_knows_is_shown_as_it_says():
    table, _ = begin_match()
    notice, fault = message("notice.no-board"), message("fault.look")
    text = {"seal": "SEAL", "archive_name": "kept", "match": "match"}
    changes = {"faults": (fault,), "notice": notice, "blind": fault, "asks": notice, "certified": fault}
    final, lying = Final("0", "B+1", ("", "")), SetUp((0, 0))
    rest = {"unable": True, "unheard": True, "finals": (final,), "lying": lying, "coordinates": Coordinates.FIGURES}
    box = BoxStatus(7, 1.5, Sight.LOST, **text, **changes, **rest)
    snapshot = table.build_snapshot(box)
    assert all(getattr(snapshot, field.name) == getattr(box, field.name) for field in fields(BoxStatus))
    assert all(getattr(box, field.name) != field.default for field in fields(BoxStatus)), "each is given"
