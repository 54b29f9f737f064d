"""Section VIII once more, plainly and slowly, on dictionaries: what the fast procedure is held against."""

from __future__ import annotations

from referee.game.board import Colour, Position, opponent_of, points_of
from tests.support.referee.positions import neighbours

Stones = dict[int, Colour]


def stones_of(position: Position) -> Stones:
    return {p: c for p in points_of(position.board.full) if (c := position.colour_at(p)) is not None}


def sees(position: Position, stones: Stones, point: int) -> set[int]:
    """The stones that a stone on the point sees: walk from it over empty points, stop at every stone."""
    visible_points, walked, left = set(), {point}, [point]
    while left:
        for beside in neighbours(position.board, left.pop()):
            if beside in stones and beside != point:
                visible_points.add(beside)
            elif beside not in walked and beside not in stones:
                walked.add(beside)
                left.append(beside)
    return visible_points


def chain_of(position: Position, stones: Stones, point: int) -> set[int]:
    chain, left = {point}, [point]
    while left:
        for beside in neighbours(position.board, left.pop()):
            if beside not in chain and stones.get(beside) is stones[point]:
                chain.add(beside)
                left.append(beside)
    return chain


def breath(position: Position, stones: Stones, chain: set[int], also: set[int]) -> set[int]:
    """The liberties of a chain, and the stones that count as liberties too."""
    around = {beside for point in chain for beside in neighbours(position.board, point)} - chain
    return {point for point in around if point not in stones or point in also}


def place_stone(position: Position, stones: Stones, player: Colour, point: int) -> Stones | None:
    """The stones after a placement and its captures, None where the placed stone would be surrounded."""
    after = {**stones, point: player}
    for beside in neighbours(position.board, point):
        if after.get(beside) is opponent_of(player):
            chain = chain_of(position, after, beside)
            if not breath(position, after, chain, set()):
                after = {p: c for p, c in after.items() if p not in chain}
    return after if breath(position, after, chain_of(position, after, point), set()) else None


def fillings(position: Position, dead: set[int], player: Colour) -> tuple[set[int], set[int]]:
    """The dame-filling and the territory-filling points of a player, superko left out of account."""
    stones, dame, territory = stones_of(position), set(), set()
    for point in points_of(position.empty):
        after = place_stone(position, stones, player, point)
        if after is None:
            continue
        chain, left = chain_of(position, after, point), dead & after.keys()
        visible_points = sees(position, after, point)
        alive = {after[p] for p in visible_points - left}
        dying = {after[p] for p in visible_points & left}
        if alive == {Colour.BLACK, Colour.WHITE} and len(breath(position, after, chain, set())) >= 2:
            dame.add(point)
        theirs = {p for p in left if after[p] is opponent_of(player)}
        fits = alive <= {player} and dying <= {opponent_of(player)}
        if fits and len(breath(position, after, chain, theirs)) >= 2:
            territory.add(point)
    return dame, territory


def may_be_dead(position: Position, dead: set[int]) -> bool:
    """Return True if every dead stone sees only opponent living and friendly dead stones."""
    stones = stones_of(position)
    return all((stones[p] is stones[q]) is (q in dead) for p in dead for q in sees(position, stones, p))
