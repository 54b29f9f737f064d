"""The procedure of Ultimate Go's expedited counting: the end of a game played out by its guidelines.

Source: Analysis of Ultimate Go, section VIII, with both amendments of its remarks. It is no rule of the game: the
players agree to it, and play on if they doubt it. Moves are judged by the rules all the while, superko included.

    0. dame-filling: safe, sees living stones of both colours; only while all own moves so far were dame-filling
       (amendment, if counting began before the first delay: whoever can be the first to delay does so here)
    1. territory-filling: safe enough, sees only own living and the opponent's dead stones
    2. a delay
    3. a declared draw
    4. resigning: the opponent moves on alone, and the margin is the number of their moves
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from referee.game.board import COLOURS, Colour, Mask, Point, Position, opponent_of, points_of
from referee.game.errors import BadCount
from referee.game.messages import message
from referee.game.record import GameRecord
from referee.game.regions import count_liberties, find_regions, last_liberties, visible_stones
from referee.game.turns import Delay, Draw, Placement, Resign, Turn
from referee.rules.legality import judge
from referee.rules.ultimate import is_in_handicap_stretch


class Kind(StrEnum):
    """The kinds of moves in the procedure."""

    DAME = "dame"
    TERRITORY = "territory"
    DELAY = "delay"
    DRAW = "draw"
    RESIGN = "resign"


@dataclass(frozen=True)
class Amendments:
    """The two amendments that section VIII allows.

    Attributes:
        one_sided: dame points designated as Black's and as White's. They are territory-filling for their owner, after
            the common dame, and nothing for the other (our reading).
        first_delay: counting begins before the game's first delay, and a first delay comes before all
            territory-filling.
    """

    one_sided: tuple[Mask, Mask] = (0, 0)
    first_delay: bool = False

    def one_sided_of(self, player: Colour) -> Mask:
        """Return the one-sided dame points of a player."""
        return self.one_sided[COLOURS.index(player)]

    @property
    def all_one_sided(self) -> Mask:
        """Return the one-sided dame points of both."""
        return self.one_sided[0] | self.one_sided[1]


class Move(NamedTuple):
    """One move of the procedure. captured: the stones that it lifts."""

    kind: Kind
    turn: Turn
    captured: Mask = 0


@dataclass(frozen=True)
class Order:
    """The order in which each player fills points.

    Attributes:
        ranks: for Black and for White each point's place in the order, None for reading order from the top left.
        wanted: -1 puts one-sided dame points and those beside dead stones first, 1 puts them last, 0 ignores them.
    """

    ranks: tuple[tuple[int, ...] | None, tuple[int, ...] | None] = (None, None)
    wanted: tuple[int, int] = (-1, -1)

    def sort_points(self, table: ProcedureState, points: Mask) -> list[Point]:
        """Return these points in the order in which the player to move fills them."""
        index = COLOURS.index(table.player)
        ranks, wanted = self.ranks[index], self.wanted[index]
        first = table.preferred_points(table.player) if wanted else 0
        return sorted(points_of(points), key=lambda p: (wanted * (first >> p & 1), ranks[p] if ranks else p))


NATURAL = Order()
"""The documented order: one-sided dame points and those beside dead stones first, each from the top left by rows."""


@dataclass(frozen=True)
class ProcedureState:
    """The state of the procedure.

    Attributes:
        record: the game.
        dead: agreed dead stones still on the board; stones placed in the procedure are never dead.
        amendments: the amendments in use.
        only_dame: all moves of Black, of White, were dame-filling so far.
        resigned: the player who resigned, after which the other moves alone.
        alone: the number of the other's moves since then.
        over: a draw was declared, or the player left alone can do no more.
    """

    record: GameRecord
    dead: Mask
    amendments: Amendments = Amendments()
    only_dame: tuple[bool, bool] = (True, True)
    resigned: Colour | None = None
    alone: int = 0
    over: bool = False

    @property
    def player(self) -> Colour:
        """Return the player to move."""
        return self.record.to_play

    def preferred_points(self, player: Colour) -> Mask:
        """Return the points that lead to lifting dead stones, and the player's one-sided dame points."""
        position = self.record.position
        return position.board.adjacent_to(
            self.dead & position.stones_of(opponent_of(player))
        ) | self.amendments.one_sided_of(player)

    def may_fill_dame(self, player: Colour) -> bool:
        """Return True if all the player's moves of the procedure were dame-filling."""
        return self.only_dame[COLOURS.index(player)]

    def after_move(self, move: Move) -> ProcedureState:
        """Return the table after one of its own moves."""
        if move.kind is Kind.RESIGN:
            return self._leave_alone()
        after = judge(self.record, move.turn).after
        assert after is not None
        table, alone = self._table_after(after, move), self.resigned is not None
        if move.kind is Kind.DRAW:
            return replace(table, over=True, alone=self.alone + alone)
        return replace(table, record=with_player_to_move(after, self.player), alone=self.alone + 1) if alone else table

    def _table_after(self, record: GameRecord, move: Move) -> ProcedureState:
        was = self.only_dame[COLOURS.index(self.player)] and move.kind is Kind.DAME
        only_dame = (was, self.only_dame[1]) if self.player is Colour.BLACK else (self.only_dame[0], was)
        return replace(self, record=record, dead=self.dead & ~move.captured, only_dame=only_dame)

    def _leave_alone(self) -> ProcedureState:
        if self.resigned is not None:
            return replace(self, over=True)
        other = opponent_of(self.player)
        return replace(self, record=with_player_to_move(self.record, other), resigned=self.player)


def open_table(record: GameRecord, dead: Mask, amendments: Amendments) -> ProcedureState:
    """Return the table before the first move. Raise BadCount if this game cannot be counted in this way."""
    if record.ended:
        raise BadCount(message("score.has-ended", result=record.result or ""))
    if record.rules.delays is None or record.players != 2:
        raise BadCount(message("score.needs-delays", rules=record.rules.name))
    occupied = amendments.all_one_sided & record.position.occupied
    if occupied:
        raise BadCount(message("score.no-dame", point=record.position.board.name(next(points_of(occupied)))))
    return ProcedureState(record, dead, amendments)


def list_moves(table: ProcedureState) -> tuple[Move, ...]:
    """Return all moves that the guidelines allow now: several fillings, or one other move."""
    return next(choices for candidates in _moves_by_guideline(table, NATURAL) if (choices := tuple(candidates)))


def first_move(table: ProcedureState, order: Order) -> Move:
    """Return the move of the guidelines; of several fillings the first in this order."""
    return next(move for candidates in _moves_by_guideline(table, order) for move in candidates)


def _moves_by_guideline(table: ProcedureState, order: Order) -> Iterator[Iterable[Move]]:
    """Yield the moves by each of the guidelines 0 to 4; the first that allows a move applies."""
    if table.may_fill_dame(table.player):
        yield _list_fillings(table, Kind.DAME, order)
    if table.amendments.first_delay and not has_first_delay(table.record):
        yield _delay_moves(table.record)
    yield _list_fillings(table, Kind.TERRITORY, order)
    yield _delay_moves(table.record)
    draw = Draw(table.player)
    yield (Move(Kind.DRAW, draw),) if judge(table.record, draw).legal else ()
    yield (Move(Kind.RESIGN, Resign(table.player)),)


def _list_fillings(table: ProcedureState, kind: Kind, order: Order) -> Iterator[Move]:
    player, position = table.player, table.record.position
    for point in order.sort_points(table, _find_candidates(table)[kind is Kind.TERRITORY]):
        fills = _is_filling_dame if kind is Kind.DAME else _is_filling_territory
        if fills(table, position.place(player, point).position, point):
            placement = Placement(player, point)
            verdict = judge(table.record, placement)
            if verdict.legal:
                yield Move(kind, placement, verdict.captured)


def _find_candidates(table: ProcedureState) -> tuple[Mask, Mask]:
    """Return the points that may be dame-filling, and territory-filling, for the player to move; no others can be."""
    common = ~table.amendments.all_one_sided
    dame, territory = _candidates_by_sight(table.record.position, table.dead, table.player)
    own = table.amendments.one_sided_of(table.player) & table.record.position.empty
    return dame & common, territory & common | own


@lru_cache(maxsize=1024)
def _candidates_by_sight(position: Position, dead: Mask, player: Colour) -> tuple[Mask, Mask]:
    """Return the same by the living stones that a point's region sees.

    A point that captures living stones is in both, because it may see anything then.
    """
    mine, theirs = position.stones_of(player) & ~dead, position.stones_of(opponent_of(player)) & ~dead
    dame = territory = last_liberties(position, theirs)
    for region in find_regions(position):
        border = position.board.adjacent_to(region.points)
        if not border & theirs:
            territory |= region.points
        elif border & mine:
            dame |= region.points
    return dame, territory


def _is_filling_dame(table: ProcedureState, after: Position, point: Point) -> bool:
    visible = visible_stones(after, 1 << point) & ~table.dead
    return all(visible & stones for stones in after.stones) and count_liberties(after, point) >= 2


def _is_filling_territory(table: ProcedureState, after: Position, point: Point) -> bool:
    mine, theirs = after.stones_of(table.player), after.stones_of(opponent_of(table.player))
    if count_liberties(after, point, table.dead & theirs) < 2:
        return False
    unfit = (mine & table.dead) | (theirs & ~table.dead)
    return bool(table.amendments.all_one_sided >> point & 1) or not visible_stones(after, 1 << point) & unfit


def _delay_moves(record: GameRecord) -> Iterator[Move]:
    """Yield the possible delay; if the rules have an ultimate one, it comes before all others, or after them."""
    for ultimate in (False, True) if has_first_delay(record) else (True, False):
        delay = Delay(record.to_play, ultimate)
        if judge(record, delay).legal:
            yield Move(Kind.DELAY, delay)
            return


def has_first_delay(record: GameRecord) -> bool:
    """Return True if the game's first delay, handicap apart, was made (under the original rules an ultimate one)."""
    if record.rules.draws is not None:
        return record.bowls.ultimate_owner is not None
    records_before = (earlier.before for earlier in record.iterate_back() if isinstance(earlier.turn, Delay))
    return any(before is not None and not is_in_handicap_stretch(before) for before in records_before)


def with_player_to_move(record: GameRecord, player: Colour) -> GameRecord:
    """Return the record with this player to move."""
    return record.with_situation(record.situation.with_turn(player))
