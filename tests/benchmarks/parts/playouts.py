"""Games played at random to their end, with the sense to fill no eye and to play nothing into atari."""

from __future__ import annotations

import random

from referee import Colour, Placement, Setup, board_of, judge, rule_set
from referee.analysis import FullSituation
from referee.analysis.situation import Stones
from referee.game.board import Board, Position, points_of
from referee.game.record import GameRecord
from referee.game.regions import find_regions

LAST = 8
"""Placements from the end within which a situation is late."""


def late(rng: random.Random, side: int) -> FullSituation:
    """A situation within the last placements of a game on a square board."""
    board, line, bowls = board_of(side), [(0, 0)], [(0, 0)]
    passes = turn = 0
    while passes < 2 and len(line) < 5 * board.points:
        move = _move(rng, board, line, turn)
        passes, turn = 0 if move else passes + 1, 1 - turn
        if move:
            line.append(move[0])
            bowls.append((bowls[-1][0] + move[1] * turn, bowls[-1][1] + move[1] * (1 - turn)))
    last = len(line) - rng.randint(1, LAST)
    before, now = line[last - 1], line[last]
    player = Colour.WHITE if now[0] & ~before[0] else Colour.BLACK
    return FullSituation(board, now, player, frozenset(line[: last + 1]), bowls[last])


def game(rng: random.Random, rules: str, side: int) -> list[GameRecord]:
    """The same as a game by a rule set, up to its last placement: the records after each turn."""
    records = [Setup(rule_set(rules), size=(side, side)).record()]
    while len(records) < 5 * side * side and (after := _sensible(rng, records[-1])) is not None:
        records.append(after)
    return records


def _sensible(rng: random.Random, record: GameRecord) -> GameRecord | None:
    points = list(points_of(record.position.empty))
    rng.shuffle(points)
    board, own = record.position.board, record.position.stones_of(record.to_play)
    for point in points:
        after = judge(record, Placement(record.to_play, point)).after
        if after is None or not board.adjacent_to(1 << point) & ~own:
            continue
        stones = after.position
        captured = stones.occupied.bit_count() <= record.position.occupied.bit_count()
        if captured or stones.liberties_of(stones.chain_at(point)).bit_count() > 1:
            return after
    return None


def undecided(situation: FullSituation) -> int:
    """Empty points in regions that both colours border."""
    all_regions = find_regions(Position(situation.board, situation.stones))
    return sum(region.points.bit_count() for region in all_regions if len(region.colours) > 1)


def _move(rng: random.Random, board: Board, line: list[Stones], turn: int) -> tuple[Stones, int] | None:
    stones = line[-1]
    points = list(points_of(board.full & ~(stones[0] | stones[1])))
    rng.shuffle(points)
    for point in points:
        after, captured, suicide = board.place(stones, turn, point)
        pair, chain = (after[0], after[1]), board.flood(1 << point, after[turn])
        liberties = board.adjacent_to(chain) & ~(after[0] | after[1])
        sense = board.adjacent_to(1 << point) & ~stones[turn] and (captured or liberties & (liberties - 1))
        if sense and not suicide and pair not in line:
            return pair, captured.bit_count()
    return None
