"""The referee of one game: a state machine without I/O. Events in, rulings out, time passed in."""

from __future__ import annotations

import random
from itertools import product

import pytest

from referee.game.board import Position, points_of
from referee.game.observation import LidSight, Observation
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.turns import Delay, Placement
from referee.rules.legality import available_delays, judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Event, Pressed, SourceEnded
from referee.table.referee import Referee, TableConfig
from tests.support.referee.looks import lids_of, look, noisy_look, sight
from tests.support.tiers import LONG, sample
from tests.support.wording import english


def opened(size: int, rules: str = "chinese", **start: object) -> GameRecord:
    return Setup(rule_set(rules), (size, size), **start).record()  # type: ignore[arg-type]


def play_random(record: GameRecord, rng: random.Random, delay: float = 0.0) -> GameRecord | None:
    """The record with a random legal turn, None when there is none."""
    points = list(points_of(legal_placements(record)))
    if available_delays(record) and (not points or rng.random() < delay):
        return judge(record, Delay(record.to_play)).after
    return judge(record, Placement(record.to_play, rng.choice(points))).after if points else None


def replayed(record: GameRecord) -> GameRecord:
    """The same turns judged again from the same start; fails where one is not legal."""
    again = GameRecord.opening(record.rules, record.start, record.komi, record.handicap)
    for turn in record.turns:
        verdict = judge(again, turn)
        assert verdict.after is not None, (turn, verdict.prohibition)
        again = verdict.after
    return again


@pytest.mark.parametrize(
    ("size", "length"), [(9, 120), pytest.param(13, 120, marks=LONG), pytest.param(19, 100, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("noisy", [False, True])
def test_every_turn_of_a_random_game_is_recorded(size: int, length: int, noisy: bool) -> None:
    rng = random.Random(size)
    true: GameRecord = opened(size)
    referee = Referee(true)
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
    referee = Referee(opened(5, rules), TableConfig(refereed))
    for _ in range(150):
        true = play_random(referee.record, rng, 0.2) or referee.record
        for ruling in referee.receive(_garbage(rng, true.position, true.bowls)).rulings:
            assert english(ruling).endswith(".")
    referee.receive(SourceEnded(1.0))
    assert replayed(referee.record).position == referee.record.position
    assert referee.snapshot.turns == referee.record.turns
