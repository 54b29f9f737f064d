"""The earlier judgement of delays with an uncountable lid, for journals from before the referee waited for the lid.

The next look had to lead through the position that was seen; in a film such a delay was taken as made when the opponent
moved.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.game.board import Position
from referee.game.likelihoods import BoardLikelihoods
from referee.game.ruling import Status
from referee.game.turns import Delay
from referee.umpire import ruling_messages
from referee.umpire.hypotheses import BOTH
from referee.umpire.inference import Consensus, Explanation, Search, find_consensus
from referee.umpire.ledger import GameLedger
from referee.umpire.lids import Lids


class LegacyDelayInference:
    """The earlier judgement, for a book that does not wait for its lids.

    waypoint: the position to pass through
    """

    def __init__(self, book: GameLedger, deep: bool) -> None:
        self._book, self._deep = book, deep
        self.waypoint: Position | None = None

    def delay(
        self, look: BoardLikelihoods, lids: Lids, by_way: Callable[[list[Explanation]], list[Explanation]]
    ) -> Consensus | None:
        """Return a delay whose lid cannot be counted, with the answer to it, if they would explain the look."""
        record = self._book.record
        if self._book.waits_for_lids or lids.provable(record.bowls) == BOTH:
            return None
        search = Search(look, record, self._book.left, fits=lids.allow, delays=BOTH)
        found = find_consensus(by_way(search.explanations()))
        delayed = found is not None and any(isinstance(turn, Delay) for turn in found.explanation.legal[:-1])
        return found if delayed else None

    def takes(self) -> bool:
        """Return True if that is enough to write it."""
        return self._deep

    def ask(self, look: BoardLikelihoods) -> None:
        """Ask for the lid to be spread out."""
        mover = self._book.record.to_play
        self.waypoint = self.waypoint or look.likeliest
        self._book.find(self._book.ruling(Status.UNFINISHED, ruling_messages.spread(mover), move=Delay(mover)))

    def by_way(self, found: list[Explanation], counted: bool) -> list[Explanation]:
        """Return the explanations that pass through the waypoint.

        counted: the lids are counted now, which decides if no explanation passes through it
        """
        if self.waypoint is None:
            return found
        through = [one for one in found if not one.turns or any(r.position == self.waypoint for r in one.records)]
        return found if counted and not through else through
