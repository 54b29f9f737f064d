"""Random legal turns, and a record judged again."""

from __future__ import annotations

import random

from referee.game.board import points_of
from referee.game.record import GameRecord
from referee.game.turns import Delay, Placement
from referee.rules.legality import available_delays, judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup


def opening_of(size: int, rules: str = "chinese", **start: object) -> GameRecord:
    return Setup(rule_set(rules), (size, size), **start).record()  # type: ignore[arg-type]


def play_random(record: GameRecord, rng: random.Random, delay: float = 0.0) -> GameRecord | None:
    """Return the record with a random legal turn, None when there is none."""
    points = list(points_of(legal_placements(record)))
    if available_delays(record) and (not points or rng.random() < delay):
        return judge(record, Delay(record.to_play)).after
    return judge(record, Placement(record.to_play, rng.choice(points))).after if points else None


def judge_again(record: GameRecord) -> GameRecord:
    """Return the same turns judged again from the same start; fail if one is not legal."""
    again = GameRecord.begin_game(record.rules, record.start, record.komi, record.handicap)
    for turn in record.turns:
        verdict = judge(again, turn)
        assert verdict.after is not None, (turn, verdict.prohibition)
        again = verdict.after
    return again
