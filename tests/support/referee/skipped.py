"""Random games of which looks are left out, so that turns hide each other: stones that are placed and captured between
two looks, points that are filled again, delays that cancel a capture; and what the referee made of them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from referee.game.board import points_of
from referee.game.observation import LidSight
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Placement
from referee.rules.legality import available_delays, judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import SourceEnded
from referee.table.table import Table, TableConfig
from tests.support.referee.looks import lids_of, look
from tests.support.wording import english

TAKES, DELAYS = 0.6, 0.12
"""Probabilities that a capture is made if there is one, and that a prisoner is returned."""


@dataclass(frozen=True)
class Gaps:
    """The view of a game. skip: the share of turns after which no look is taken. unsure: of lids that are not counted.
    size: lines of the board, few of which make hidden turns common. turns: of the game."""

    skip: float
    unsure: float = 0.0
    size: int = 5
    turns: int = 24


def hidden_turns(rules: str, seed: int, gaps: Gaps) -> tuple[Counter[str], list[str]]:
    """Return the fates of the turns of one game: right, told (in another order or number after a turn that was marked
    uncertain), waits, wrong; and every ruling that is wrong without a mark, in words."""
    chance = random.Random(f"{rules} {seed} {gaps}")
    true = Setup(rule_set(rules), (gaps.size, gaps.size)).record()
    referee = Table(true, TableConfig(black_side=1))
    rulings = list(referee.receive(look(true.position, 0, _lids(true.bowls, chance, gaps))).rulings)
    while true.number < gaps.turns and (after := random_turn(true, chance)) is not None:
        true = after
        if chance.random() >= gaps.skip:
            rulings += referee.receive(look(true.position, true.number, _lids(true.bowls, chance, gaps))).rulings
    rulings += referee.receive(SourceEnded(1e3)).rulings
    return _compare(true, referee.record, rulings)


def _lids(bowls: Bowls, chance: random.Random, gaps: Gaps) -> tuple[LidSight, ...]:
    return tuple(fuzzy(sight, chance) if chance.random() < gaps.unsure else sight for sight in lids_of(bowls))


def fuzzy(sight: LidSight, chance: random.Random) -> LidSight:
    """Not counted: ranges that hold the truth, and a likeliest count that may be wrong."""
    black, white = ((max(0, n - chance.randint(0, 2)), n + chance.randint(0, 2)) for n in (sight.black, sight.white))
    return LidSight(chance.randint(*black), chance.randint(*white), black, white, False)


def random_turn(record: GameRecord, chance: random.Random) -> GameRecord | None:
    """The record after a turn drawn by lot, None where there is none."""
    points = list(points_of(legal_placements(record)))
    if available_delays(record) and not isinstance(record.turn, Delay) and (not points or chance.random() < DELAYS):
        return judge(record, Delay(record.to_play)).after
    takes = [point for point in points if judge(record, Placement(record.to_play, point)).captured]
    chosen = takes if takes and chance.random() < TAKES else points
    return judge(record, Placement(record.to_play, chance.choice(chosen))).after if chosen else None


def _compare(true: GameRecord, record: GameRecord, rulings: list[Ruling]) -> tuple[Counter[str], list[str]]:
    counts, wrong, has_order = Counter[str](), [], False
    for ruling in rulings:
        has_order = has_order or ruling.order is not None
        is_recorded = ruling.status is Status.LEGAL and ruling.move is not None
        if not has_order and is_recorded and true.turns[ruling.turn - 1 : ruling.turn] != (ruling.move,):
            wrong.append(f"turn {ruling.turn}: {english(ruling)}")
    for number, turn in enumerate(true.turns):
        actual = record.turns[number : number + 1]
        counts["waits" if not actual else "right" if actual == (turn,) else "told" if has_order else "wrong"] += 1
    return counts, wrong
