"""Whether the expedited count comes to the result that play would: its result and each of its moves, by exact values.

Source: Analysis of Ultimate Go, sections IV, VI and VIII. Once Fia has made the first delay, only she can declare a
draw, and only when no prisoner is left in Obi's bowl. Let s be the score with draws left out of account, from her side.
Where she wins (s > 0) her moves win here too, for Obi can declare nothing. Where she loses, let Obi have a prisoner and
keep the last one for ever: without it he is one prisoner poorer, which is worth 1, so that from s = -1.5 down he still
wins. At s = -0.5 she plays as against that poorer Obi, whom she beats: if he returns the last one after all, she
declares the draw; and since he wins where draws are left out, she has no more than that. So the result is s + 0.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee import costs
from referee.analysis.figures import Worth
from referee.board import Colour, Mask, opponent_of
from referee.counted import won_by
from referee.legality import judge
from referee.messages import Listing, Message, message
from referee.record import GameRecord
from referee.score.orders import played_out, result
from referee.score.procedure import Amendments, Move, Table, opened
from referee.turns import Resign, Turn

LONGEST_LINE = 6
"""Moves of the line that are told."""
Valuer = Callable[[GameRecord], Worth]
"""What a situation is worth, as far as it finds that out."""


@dataclass(frozen=True)
class Slip:
    """A move of the procedure that cost something. number: the step's, from 1; before: the game before it; cost: at
    least so much, 0 for a resignation that left something to be won; better: moves that would have cost nothing."""

    number: int
    before: GameRecord
    move: Move
    cost: float
    better: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """A count beside the exact result. slip: the first move of the procedure that changes it; None where none does, or
    where that was not found out. line: how play goes on instead, optimally, from the slip on."""

    counted: str
    exact: str
    slip: Slip | None = None
    line: tuple[Turn, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the count is right."""
        return self.counted == self.exact


def told(found: Checked) -> Message:
    """Whether the count is exact, and if not the line that changes it."""
    if found.agrees:
        return message("score.exact")
    said = message("score.inexact", result=found.exact)
    if found.slip is None or not found.line:
        return said
    board = found.slip.before.position.board
    line = tuple(costs.said(costs.named(turn, board) or "") for turn in found.line)
    return said + message("score.changed-by", step=found.slip.number, player=found.line[0].player, moves=Listing(line))


def exact_result(record: GameRecord, found: Worth) -> str | None:
    """What play comes to, written as the expedited count writes it; None where that is not proved.

    found: what the record's situation is worth.
    """
    if found.score is None or record.ended:
        return None
    draws = record.rules.draws
    if draws is None:
        return won_by(found.score)
    first = _first_to_delay(record)
    if first is None or not _has_last(record, opponent_of(first)):
        return None
    margin = found.score + (0.5 if first is Colour.BLACK else -0.5)
    return won_by(margin, draws.result(record))


def _first_to_delay(record: GameRecord) -> Colour | None:
    """Who made the first delay, while no second ultimate one has been made."""
    bowls = record.bowls
    if bowls.ultimate is not None:
        return opponent_of(bowls.ultimate)
    return bowls.ultimate_delays[0] if len(bowls.ultimate_delays) == 1 else None


def _has_last(record: GameRecord, player: Colour) -> bool:
    """Whether the second to delay has something that they can keep for ever: under the original rules that is the
    ultimate prisoner itself, else a prisoner."""
    return record.bowls.ultimate is None or record.bowls.count(player, opponent_of(player)) > 0


def checked(record: GameRecord, dead: Mask, amendments: Amendments, worth_of: Valuer) -> Checked | None:
    """The count beside the exact result, as far as `worth_of` finds that out; None where it does not.

    Raises BadCount for a game that cannot be counted so.
    """
    table = opened(record, dead, amendments)
    played, end = played_out(table)
    exact = exact_result(record, worth_of(record))
    if exact is None:
        return None
    if result(end) == exact:
        return Checked(exact, exact)
    slip = first_slip(table, played, worth_of)
    return Checked(result(end), exact, slip, _line(slip, worth_of) if slip is not None else ())


def first_slip(table: Table, played: Sequence[Move], worth_of: Valuer) -> Slip | None:
    """The first move of the procedure, up to the resignation, that costs something; None where none is found."""
    for number, move in enumerate(played, 1):
        before = worth_of(table.record)
        if isinstance(move.turn, Resign):
            return Slip(number, table.record, move, 0, before.optimal or ())
        table = table.after(move)
        cost = costs.cost(move.turn, table.record.position.board, before, worth_of(table.record))
        if not isinstance(cost, int):
            return None
        if cost:
            earlier = table.record.before
            assert earlier is not None
            return Slip(number, earlier, move, cost, before.optimal or ())
    return None


def _line(slip: Slip, worth_of: Valuer) -> tuple[Turn, ...]:
    """How play goes on from before the slip where both make a best move, as far as that is found."""
    record, line = slip.before, list[Turn]()
    best = slip.better
    while best and len(line) < LONGEST_LINE:
        turn = costs.turn_named(best[0], record)
        after = judge(record, turn).after
        if after is None:
            break
        line.append(turn)
        record = after
        best = worth_of(record).optimal or ()
    return tuple(line)
