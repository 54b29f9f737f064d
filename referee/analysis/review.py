"""The review of a finished game: the value of each situation, and the turns that were mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.analysis import move_cost
from referee.analysis.figures import PhaseOfPlay, Worth
from referee.analysis.move_cost import Mistake
from referee.game.messages import Message
from referee.game.record import GameRecord

HOPELESS = 6
"""The number of situations in a row without a finding after which the earlier ones are not tried."""


@dataclass(frozen=True)
class Review:
    """The result of a review.

    Attributes:
        worths: the values at the start and after each turn; None if nothing is known.
        mistakes: the mistakes, in the order of play.
    """

    worths: tuple[Worth | None, ...] = ()
    mistakes: tuple[Mistake, ...] = ()

    @property
    def is_known(self) -> bool:
        """Return True if any score is known."""
        return any(one is not None and one.score is not None for one in self.worths)

    @property
    def newest_known(self) -> tuple[int, Message]:
        """Return the newest turn with a known score, and the message about that score; at least one must be known."""
        turns = range(len(self.worths) - 1, -1, -1)
        return next(
            (turn, move_cost.score_message(one))
            for turn in turns
            if (one := self.worths[turn]) and one.score is not None
        )

    @property
    def has_phases(self) -> bool:
        """Return True if any phase is known: a game that is counted has none."""
        return any(one is not None and one.phase is not None for one in self.worths)

    def phase_of(self, turn: int) -> PhaseOfPlay | None:
        """Return the phase in which the turn with this number was made."""
        before = self.worths[turn - 1] if 0 < turn <= len(self.worths) else None
        return before.phase if before is not None else None

    def mistake_at(self, turn: int) -> Mistake | None:
        """Return the mistake made by the turn with this number, or None."""
        return next((one for one in self.mistakes if one.number == turn), None)


def review_record(record: GameRecord, worth_of: Callable[[GameRecord], Worth]) -> Review:
    """Review the game backwards from its end, because its last turns have the fewest points open.

    Args:
        record: the game at its end.
        worth_of: the analysis; the review stops after HOPELESS situations in a row without a score.
    """
    latest_first: list[Worth | None] = []
    failures = 0
    for one in record.iterate_back():
        worth = worth_of(one) if failures < HOPELESS else None
        failures = failures + (not one.ended) if worth is None or worth.score is None else 0
        latest_first.append(worth if worth is not None and worth.bounds != (None, None) else None)
    worths = tuple(reversed(latest_first))
    after = reversed([one for one in record.iterate_back() if one.before is not None])
    return Review(worths, tuple(slip for one in after if (slip := _find_mistake(one, worths)) is not None))


def _find_mistake(after: GameRecord, worths: tuple[Worth | None, ...]) -> Mistake | None:
    before, now = worths[after.number - 1], worths[after.number]
    if after.turn is None or before is None:
        return None
    cost = move_cost.cost_of_turn(after.turn, after.position.board, before, now)
    return move_cost.find_mistake(after, cost, before.optimal or ())
