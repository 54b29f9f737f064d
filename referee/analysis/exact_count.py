"""A check of the expedited count by exact values: its result against that of play, and each of its moves.

Source: Analysis of Ultimate Go, sections IV, VI and VIII. Once Fia has made the first delay, only she can declare a
draw, and only when no prisoner is left in Obi's bowl. Let s be the score with draws left out of account, from her side.
If she wins (s > 0) her moves win here too, because Obi can declare nothing. If she loses, let Obi have a prisoner and
keep the last one for ever: without it he is one prisoner poorer, which is worth 1, so that from s = -1.5 down he still
wins. At s = -0.5 she plays as against that poorer Obi, whom she beats: if he returns the last one after all, she
declares the draw; and since he wins if draws are left out, she has no more than that. So the result is s + 0.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.analysis import move_cost
from referee.analysis.figures import Worth
from referee.game.board import Colour, Mask, opponent_of
from referee.game.count_result import winning_result
from referee.game.messages import Listing, Message, message
from referee.game.record import GameRecord
from referee.game.turns import Resign, Turn
from referee.rules.legality import judge
from referee.score.orders import played_out, result_at_end
from referee.score.procedure import Amendments, Move, ProcedureState, open_table

LONGEST_LINE = 6
"""The number of moves of a line that are named."""
Valuer = Callable[[GameRecord], Worth]
"""A function that returns the value of a situation, as far as it can be found."""


@dataclass(frozen=True)
class Slip:
    """A move of the procedure that cost something.

    Attributes:
        number: the step's number, from 1.
        before: the game before it.
        move: the move.
        cost: its lowest possible cost, 0 for a resignation that left something to be won.
        better: moves that would have cost nothing.
    """

    number: int
    before: GameRecord
    move: Move
    cost: float
    better: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """A count beside the exact result.

    Attributes:
        counted: the result of the count.
        exact: the exact result.
        slip: the first move of the procedure that changes the result; None if there is none, or if it was not found.
        line: the optimal continuation from the slip on.
    """

    counted: str
    exact: str
    slip: Slip | None = None
    line: tuple[Turn, ...] = ()

    @property
    def is_right(self) -> bool:
        """Return True if the count is right."""
        return self.counted == self.exact


def exactness_message(check: Checked) -> Message:
    """Return the message that the count is exact, or inexact, with the line that changes it if one was found."""
    if check.is_right:
        return message("score.exact")
    sentence = message("score.inexact", result=check.exact)
    if check.slip is None or not check.line:
        return sentence
    board = check.slip.before.position.board
    line = tuple(move_cost.spoken_name(move_cost.turn_name(turn, board) or "") for turn in check.line)
    return sentence + message(
        "score.changed-by", step=check.slip.number, player=check.line[0].player, moves=Listing(line)
    )


def exact_result(record: GameRecord, worth: Worth) -> str | None:
    """Return the result of play, written like that of the expedited count; None if it is not proved.

    Args:
        record: the game.
        worth: the value of the record's situation.
    """
    if worth.score is None or record.ended:
        return None
    draws = record.rules.draws
    if draws is None:
        return winning_result(worth.score)
    first = _first_to_delay(record)
    if first is None or not _has_last(record, opponent_of(first)):
        return None
    margin = worth.score + (0.5 if first is Colour.BLACK else -0.5)
    return winning_result(margin, draws.declared_result(record))


def _first_to_delay(record: GameRecord) -> Colour | None:
    """Return the player who made the first delay, while no second ultimate one has been made."""
    bowls = record.bowls
    if bowls.ultimate is not None:
        return opponent_of(bowls.ultimate)
    return bowls.ultimate_delays[0] if len(bowls.ultimate_delays) == 1 else None


def _has_last(record: GameRecord, player: Colour) -> bool:
    """Return True if the second to delay has a prisoner to keep for ever.

    Under the original rules that is the ultimate prisoner itself, else a prisoner.
    """
    return record.bowls.ultimate is None or record.bowls.count_prisoners(player, opponent_of(player)) > 0


def check_count(record: GameRecord, dead: Mask, amendments: Amendments, worth_of: Valuer) -> Checked | None:
    """Return the count beside the exact result, as far as `worth_of` finds that; None if it does not.

    Raise BadCount for a game that cannot be counted in this way.
    """
    table = open_table(record, dead, amendments)
    moves, end = played_out(table)
    exact = exact_result(record, worth_of(record))
    if exact is None:
        return None
    if result_at_end(end) == exact:
        return Checked(exact, exact)
    slip = first_slip(table, moves, worth_of)
    return Checked(result_at_end(end), exact, slip, _best_line(slip, worth_of) if slip is not None else ())


def first_slip(table: ProcedureState, moves: Sequence[Move], worth_of: Valuer) -> Slip | None:
    """Return the first move of the procedure, up to the resignation, that costs something; None if none is found."""
    for number, move in enumerate(moves, 1):
        before = worth_of(table.record)
        if isinstance(move.turn, Resign):
            return Slip(number, table.record, move, 0, before.optimal or ())
        table = table.after_move(move)
        cost = move_cost.cost_of_turn(move.turn, table.record.position.board, before, worth_of(table.record))
        if not isinstance(cost, int):
            return None
        if cost:
            earlier = table.record.before
            assert earlier is not None
            return Slip(number, earlier, move, cost, before.optimal or ())
    return None


def _best_line(slip: Slip, worth_of: Valuer) -> tuple[Turn, ...]:
    """Return the continuation from before the slip if both make a best move, as far as that is found."""
    record, line = slip.before, list[Turn]()
    best = slip.better
    while best and len(line) < LONGEST_LINE:
        turn = move_cost.find_turn(best[0], record)
        after = judge(record, turn).after
        if after is None:
            break
        line.append(turn)
        record = after
        best = worth_of(record).optimal or ()
    return tuple(line)
