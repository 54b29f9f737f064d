"""A search for answers by which chains live, or a whole region becomes their owner's, whatever happens elsewhere.

Theory of operation. The attacker plays in a region against the chains' owner, the defender. All outside is the
attacker's and cannot be captured, except chains of the defender's that live (`walls`). The defender never loses a
stone: after each answer every chain has two liberties, or is connected to walls. So each answer adds a stone that
stays, no board comes again, and no ko is ever taken: a proof holds under every ko rule. Suicide is illegal.

A proof also holds in a region that is cut out of an open one, where stones of the attacker's can be connected to those
outside and be captured there: then the search still has them. What it captures is not connected to the outside, so that
it is captured on the board too; and what the attacker may do on the board is a move in the search, or changes nothing
in it.

- Safe: the chains come to live unconditionally (Benson), or next to walls.
- Owned: they do, and the defender can fill or close all the rest of the region (`territory`). The attacker may wait.

The search is deepened by the number of answers, and a proof names the points that it needs: those of the answers and of
the eyes, the stones that answers capture, two liberties of each chain of the defender's, and one of each of the
attacker's that an answer touches and does not capture. The attacker's moves on these points are answered; no move
elsewhere takes a liberty, a capture or an eye that counts, so that it needs no answer. To find few such points the
search looks first at a pass of the attacker's. Sources: Thomsen, Lambda-search in game trees (2000); Shih and others, A
novel approach to solving goal-achieving problems for board games (2022), which calls them a relevance zone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_
from typing import NamedTuple

from referee.analysis.benson import split_parts
from referee.analysis.safety import Safety, needed_eyes
from referee.analysis.territory import is_fillable
from referee.game.board import Board, Mask, points_of

MOST_WAITING = 7
"""The highest number of empty points with which each move is answered though the defender could not add a stone."""


class Area(NamedTuple):
    """A region in which chains are to live.

    Attributes:
        region: the points, with the stones on them.
        attacker: the attacker's stones, in the region or not.
        defender: the defender's, likewise; in the region those that are to live.
        walls: chains of the defender's beside the region that live.
        is_owned: all of the region is to become the defender's. Then the chains and walls have to enclose it.
    """

    region: Mask
    attacker: Mask
    defender: Mask
    walls: Mask
    is_owned: bool


class _Shape(NamedTuple):
    """The facts of an area that do not depend on the attacker's stones.

    Attributes:
        chains: the defender's chains in the region, each with the points beside it.
        closed: the areas without a stone of the defender's that the outside does not reach, each with those beside it.
    """

    chains: list[tuple[Mask, Mask]]
    closed: list[tuple[Mask, Mask]]


class Effort:
    """The number of positions that searches may still look at together.

    Attributes:
        nodes: the number.
    """

    def __init__(self, nodes: int, go_on: Callable[[], bool]) -> None:
        self.nodes, self._go_on = nodes, go_on

    def is_left(self) -> bool:
        """Count a position; return False if no more may be looked at."""
        self.nodes -= 1
        if not self.nodes & 31 and not self._go_on():
            self.nodes = 0
        return self.nodes > 0


def needed_zone(board: Board, area: Area, answers: int, effort: Effort) -> Mask | None:
    """Return the points where the attacker's moves have to be answered; None if so many answers are not proved enough.

    Args:
        board: the board.
        area: the region and the stones.
        answers: the highest number of answers.
        effort: the positions that may be looked at.
    """
    return _Answers(board, area, effort).zone_before_attack(
        area.attacker & area.region, area.defender & area.region, answers
    )


class _Answers:
    """A search in one region."""

    def __init__(self, board: Board, area: Area, effort: Effort) -> None:
        self._board, self._area, self._effort, self._region = board, area, effort, area.region
        self._walls = area.walls & ~area.region
        self._targets = area.defender & area.region
        self._outside = board.full & ~(area.region | self._walls)
        self._edge = board.adjacent_to(self._outside) & area.region
        self._first_chains = [(chain, board.adjacent_to(chain)) for chain in split_parts(board, self._targets)]
        self._shapes: dict[Mask, _Shape] = {}
        self._zones: dict[tuple[Mask, Mask, int, bool], Mask | None] = {}

    def zone_before_attack(self, attacker: Mask, defender: Mask, answers: int) -> Mask | None:
        """Return the needed points with the attacker to move."""
        question = attacker, defender, answers, True
        if question not in self._zones:
            self._zones[question] = self._answer_all(attacker, defender, answers) if self._effort.is_left() else None
        return self._zones[question]

    def _answer_all(self, attacker: Mask, defender: Mask, answers: int) -> Mask | None:
        zone = self._two_liberties_each(attacker, defender)
        if zone is None:
            return None
        final = self._final_zone(attacker, defender)
        if final is not None:
            return final | zone
        if not answers:
            return None
        empty, done = self._region & ~(attacker | defender), 0
        after_pass = self._zone_before_answer(attacker, defender, answers)
        if after_pass is None:
            if self._area.is_owned or empty.bit_count() > MOST_WAITING:
                return None
            after_pass = self._region
        zone |= after_pass
        while left := zone & empty & ~done:
            move = left & -left
            done |= move
            if not self._can_attack(move, attacker | move, empty ^ move):
                continue
            more = self._zone_before_answer(attacker | move, defender, answers)
            if more is None:
                return None
            zone |= more
        return zone

    def _zone_before_answer(self, attacker: Mask, defender: Mask, answers: int) -> Mask | None:
        """Return the needed points with the defender to move."""
        question = attacker, defender, answers, False
        if question not in self._zones:
            self._zones[question] = self._find_answer(attacker, defender, answers)
        return self._zones[question]

    def _find_answer(self, attacker: Mask, defender: Mask, answers: int) -> Mask | None:
        if not self._area.is_owned:
            zone, final = self._two_liberties_each(attacker, defender), self._final_zone(attacker, defender)
            if zone is not None and final is not None:
                return zone | final
        empty = self._region & ~(attacker | defender)
        for point in self._list_candidates(attacker, defender, empty):
            captured, needed = self._find_captures(point, attacker, empty ^ point)
            zone = self.zone_before_attack(attacker & ~captured, defender | point, answers - 1)
            if zone is not None:
                return zone | point | captured | needed
        return None

    def _list_candidates(self, attacker: Mask, defender: Mask, empty: Mask) -> Iterator[Mask]:
        """Yield the points of answers to be tried: where stones are in atari first."""
        urgent: Mask = 0
        attackers = ((0, self._board.adjacent_to(chain)) for chain in split_parts(self._board, attacker))
        for _, near in (*self._find_shape(defender).chains, *attackers):
            liberties = near & empty
            if not liberties & (liberties - 1):
                urgent |= liberties
        for points in (urgent, empty & ~urgent):
            yield from (1 << point for point in points_of(points))

    def _find_captures(self, point: Mask, attacker: Mask, empty: Mask) -> tuple[Mask, Mask]:
        """Return the stones that an answer captures, and a liberty of each other chain beside it."""
        board, captured, needed, near = self._board, 0, 0, self._board.adjacent_to(point) & attacker
        while near:
            chain = board.flood(near & -near, attacker)
            near &= ~chain
            liberties = board.adjacent_to(chain) & empty
            if not liberties and not chain & self._edge:
                captured |= chain
            elif not chain & self._edge:
                needed |= liberties & -liberties
        return captured, needed

    def _can_attack(self, move: Mask, attacker: Mask, empty: Mask) -> bool:
        """Return True unless a stone of the attacker's would have no liberty: it never captures."""
        chain = self._board.flood(move, attacker)
        return bool(chain & self._edge or self._board.adjacent_to(chain) & empty)

    def _two_liberties_each(self, attacker: Mask, defender: Mask) -> Mask | None:
        """Return two liberties of each chain of the defender's without walls; None if one has less."""
        empty, needed = self._region & ~(attacker | defender), 0
        for _, near in self._find_shape(defender).chains:
            if not near & self._walls:
                liberties = near & empty
                first = liberties & -liberties
                second = (liberties ^ first) & -(liberties ^ first)
                if not second:
                    return None
                needed |= first | second
        return needed

    def _find_shape(self, defender: Mask) -> _Shape:
        """Return the defender's chains and the areas between them."""
        shape = self._shapes.get(defender)
        if shape is None:
            board, free, chains = self._board, self._region & ~defender, list(self._first_chains)
            for added in split_parts(board, defender & ~self._targets):
                near = board.adjacent_to(added)
                joined = [chain for chain in chains if chain[0] & near]
                chains = [chain for chain in chains if not chain[0] & near]
                chains.append(
                    (reduce(or_, (one for one, _ in joined), added), reduce(or_, (one for _, one in joined), near))
                )
            open_points = board.flood(self._edge & free, free)
            closed = [(area, board.adjacent_to(area)) for area in split_parts(board, free & ~open_points)]
            shape = self._shapes[defender] = _Shape(chains, closed)
        return shape

    def _final_zone(self, attacker: Mask, defender: Mask) -> Mask | None:
        """Return the eyes if nothing needs to be answered any more; None if not."""
        shape = self._find_shape(defender)
        chains = shape.chains
        areas = [(area, border, area & ~attacker) for area, border in shape.closed]
        while True:
            living = [chain for chain in chains if chain[1] & self._walls or len(_find_eyes(chain, areas)) > 1]
            if len(living) == len(chains):
                break
            dead = sum(chain for chain, _ in chains) & ~sum(chain for chain, _ in living)
            if dead & self._targets:
                return None
            chains, areas = living, [area for area in areas if not area[1] & dead]
        if self._area.is_owned:
            return self._region if self._is_fillable(attacker, defender, sum(chain for chain, _ in living)) else None
        needed = 0
        for chain in living:
            if not chain[1] & self._walls:
                eyes = sorted(_find_eyes(chain, areas), key=lambda area: (not area & needed, area.bit_count()))
                needed |= eyes[0] | eyes[1]
        return needed

    def _is_fillable(self, attacker: Mask, defender: Mask, living: Mask) -> bool:
        """Return True if the defender can fill or close all that living chains leave of the region."""
        board, walls = self._board, self._walls | living
        eyes = needed_eyes(board, walls, attacker | self._outside, self._walls, 0)
        if eyes is None:
            return False
        safe, stones = Safety(walls, eyes, ()), (defender, attacker)
        return all(is_fillable(board, part, safe, stones) for part in split_parts(board, self._region & ~living))


def _find_eyes(chain: tuple[Mask, Mask], areas: list[tuple[Mask, Mask, Mask]]) -> list[Mask]:
    """Return the areas whose empty points are all liberties of a chain."""
    own, near = chain
    return [area for area, border, space in areas if border & own and not space & ~near]
