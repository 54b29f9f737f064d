"""A search for another order of filling that would end the expedited count differently.

The guidelines leave open which of several points a player fills; a count keeps one documented order (`NATURAL`). If
every chain lives by itself and borders are closed, it is proved that no other order ends differently; on a small board
all orders are searched; elsewhere many orders are tried, first those that leave dead stones to the last.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.game.board import Colour, Mask, Position
from referee.game.count_result import winning_result
from referee.game.regions import Region, find_chains, find_regions
from referee.score.procedure import NATURAL, Kind, Move, Order, ProcedureState, first_move, list_moves

MOST_TABLES = 1500
"""The number of tables after which the search through all orders is given up."""
OPEN_POINTS = 30
"""The number of points to fill above which a board is not searched at all."""
MOST_MOVES = 6000
"""The number of moves that are played in other orders at most."""
MOST_DEAD_CHAINS = 6

_PLAYERS = (Colour.BLACK, Colour.WHITE)
_ENOUGH = 2


class Ordering(NamedTuple):
    """The result of trying other orders.

    Attributes:
        other: another result, if one was found.
        tried: the number of orders tried (None: all).
    """

    other: str | None
    tried: int | None


def played_out(table: ProcedureState, order: Order = NATURAL) -> tuple[list[Move], ProcedureState]:
    """Return the moves of the whole procedure in this order, with those of the player left alone, and its end."""
    moves = []
    while not table.over:
        move = first_move(table, order)
        if not (move.kind is Kind.RESIGN and table.resigned):
            moves.append(move)
        table = table.after_move(move)
    return moves, table


def result_at_end(end: ProcedureState) -> str:
    """Return the result at the end of the procedure.

    A player left alone who cannot move even once still wins, by a half.
    """
    if end.resigned is None:
        return end.record.result or "0"
    margin = end.alone + 0.5 if end.record.rules.draws is None else end.alone or 0.5
    return winning_result(margin if end.resigned is Colour.WHITE else -margin)


def look_at_orders(table: ProcedureState) -> Ordering:
    """Look for another order of filling that ends differently."""
    if is_settled(table):
        return Ordering(None, None)
    natural, count = result_at_end(played_out(table)[1]), 1
    for other in other_results(table):
        count += 1
        if other != natural:
            return Ordering(other, count)
    every = all_results(table)
    if every is None:
        return Ordering(None, count)
    return Ordering(next((other_result for other_result in sorted(every) if other_result != natural), None), None)


def other_results(table: ProcedureState) -> Iterator[str]:
    """Yield the results of orders that each player keeps to, then of points chosen at random (seeded) at every move."""
    chance, orders, left = random.Random(MOST_MOVES), other_orders(table), MOST_MOVES
    while left > 0:
        order = next(orders, None)
        moves, end = _play_at_random(table, chance) if order is None else played_out(table, order)
        left -= len(moves)
        yield result_at_end(end)


def _play_at_random(table: ProcedureState, chance: random.Random) -> tuple[list[Move], ProcedureState]:
    points, moves = range(table.record.position.board.points), []
    while not table.over:
        ranks = tuple(chance.sample(points, len(points)))
        moves.append(first_move(table, Order((ranks, ranks), (0, 0))))
        table = table.after_move(moves[-1])
    return moves, table


def all_results(table: ProcedureState, most: int = MOST_TABLES) -> set[str] | None:
    """Return the results of all orders of filling; None if there are too many to search."""
    if (table.record.position.empty | table.dead).bit_count() > OPEN_POINTS:
        return None
    results: set[str] = set()
    marks: set[tuple[object, ...]] = set()
    left = [table]
    while left:
        current = left.pop()
        if current.over:
            results.add(result_at_end(current))
            continue
        new = {_key_of(after): after for after in map(current.after_move, list_moves(current))}
        left += [after for mark, after in new.items() if mark not in marks]
        marks.update(new)
        if len(marks) > most:
            return None
    return results


def _key_of(table: ProcedureState) -> tuple[object, ...]:
    """Return the state that decides how the procedure goes on (superko's memory of the way here left out)."""
    now = table.record.situation
    return now.position, now.bowls, now.to_play, table.dead, table.only_dame, table.resigned, table.alone, table.over


def other_orders(table: ProcedureState) -> Iterator[Order]:
    """Yield orders unlike the natural one, each for Black, for White and for both; the likeliest to differ first."""
    for ranks, preference in _one_player_orders(table):
        yield Order((ranks, None), (preference, -1))
        yield Order((None, ranks), (-1, preference))
        yield Order((ranks, ranks), (preference, preference))


def _one_player_orders(table: ProcedureState) -> Iterator[tuple[tuple[int, ...] | None, int]]:
    position = table.record.position
    many = position.board.points
    yield None, 1
    for _, chain in zip(range(MOST_DEAD_CHAINS), find_chains(position, table.dead), strict=False):
        neighbours = position.board.adjacent_to(chain)
        yield tuple((neighbours >> point & 1) * many + point for point in range(many)), 0
    yield tuple(range(many, 0, -1)), 0


def is_settled(table: ProcedureState) -> bool:
    """Return True if no order can end differently.

    That is so without dead stones and one-sided dame, if every chain has two liberties of its own besides the dame, and
    each dame is a single point that cannot join chains that live apart.

    A chain then keeps two liberties whatever is filled, because a stone on one of them joins it. So a player's chains
    that points of their own connect end with two empty points between them in every order, and every dame is filled. (A
    filling refused because the same board stood earlier in the game is left out of account.)
    """
    position = table.record.position
    if table.dead or table.amendments.all_one_sided:
        return False
    all_regions = list(find_regions(position))
    own = {colour: sum(r.points for r in all_regions if r.colours == (colour,)) for colour in _PLAYERS}
    dame = [region for region in all_regions if len(region.colours) == _ENOUGH]
    if any(not region.colours for region in all_regions) or any(region.points.bit_count() > 1 for region in dame):
        return False
    return all(_has_living_chains(position, own[colour], colour, dame) for colour in _PLAYERS)


def _has_living_chains(position: Position, own: Mask, colour: Colour, dame: Sequence[Region]) -> bool:
    stones, beside = position.stones_of(colour), position.board.adjacent_to
    if any((beside(chain) & own).bit_count() < _ENOUGH for chain in find_chains(position, stones)):
        return False
    return all(_is_one_group(position, beside(point.points) & stones, stones | own) for point in dame)


def _is_one_group(position: Position, stones: Mask, group: Mask) -> bool:
    """Return True if these stones are connected by stones and points of their own."""
    return not stones & ~position.board.flood(stones & -stones, group)
