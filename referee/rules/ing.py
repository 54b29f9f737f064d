"""Ing's special rules: handicap by passes of White's, and two passes that only adjourn.

Source: Ing's SST Rules of Go (J. Kim, M. Simon, P. Straus), part 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.board import Colour
from referee.game.record import GameRecord, HandicapRule
from referee.game.ruling import Reason
from referee.rules.opening_and_end import TwoPasses, passes_in_a_row, was_voluntary_pass


@dataclass(frozen=True)
class PassedTurns(HandicapRule):
    """The handicap in which Black plays anywhere, and each of White's first N - 1 turns is a pass.

    A start with stones on the board, or with White to play, has the handicap stones already.
    """

    name: str = "passed"

    def find_restriction(self, record: GameRecord) -> Reason | None:
        """Return `must-pass` on White's first N - 1 turns."""
        start = record.start
        fresh = start.to_play is Colour.BLACK and not start.position.occupied
        must = fresh and record.to_play is Colour.WHITE and record.number // 2 < record.handicap - 1
        return Reason.MUST_PASS if must else None


@dataclass(frozen=True)
class Adjourning(TwoPasses):
    """The ending by two passes in a row that adjourn the game, and two more in a row that end it.

    They may follow at once, if the players agree, or after play was resumed by a placement of the next player.
    """

    name: str = "adjourn"
    can_resume_play: bool = False

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Return True from the second pass in a row on, if two earlier ones in a row adjourned the game."""
        newest = passes_in_a_row(record) + 1
        return newest >= 4 or (newest >= 2 and _has_adjourned_before(record, newest - 1))


def is_adjourned(record: GameRecord) -> bool:
    """Return True if the newest pass adjourned the game: the players discuss the groups' status, and play may go on."""
    return not record.ended and record.rules.ending.name == Adjourning.name and passes_in_a_row(record) == 2


def _has_adjourned_before(record: GameRecord, passes: int) -> bool:
    """Return True if two passes in a row were made before this many newest ones."""
    in_a_row = 0
    for earlier in record.iterate_back():
        if earlier.number > record.number - passes:
            continue
        in_a_row = in_a_row + 1 if was_voluntary_pass(earlier) else 0
        if in_a_row == 2:
            return True
    return False
