"""How a delay was judged whose lid could not be counted before the referee waited for it: for journals of those days.

The next look had to lead through the position that was seen; of a film such a delay was taken for made when the
opponent went on.
"""

from __future__ import annotations

from collections.abc import Callable

from referee import texts
from referee.board import Position
from referee.ruling import Status
from referee.table.book import Book
from referee.table.inference import Consensus, Explanation, Search, agreed
from referee.table.lids import Lids
from referee.table.look import Look
from referee.table.ways import BOTH
from referee.turns import Delay


class EarlierWay:
    """That judgement, of a book that does not wait for its lids. waypoint: the position to pass through."""

    def __init__(self, book: Book, deep: bool) -> None:
        self._book, self._deep = book, deep
        self.waypoint: Position | None = None

    def delay(
        self, look: Look, lids: Lids, by_way: Callable[[list[Explanation]], list[Explanation]]
    ) -> Consensus | None:
        """A delay whose lid cannot be counted, and an answer to it, if they would explain the look."""
        record = self._book.record
        if self._book.waits_for_lids or lids.provable(record.bowls) == BOTH:
            return None
        search = Search(look, record, self._book.left, fits=lids.allow, delays=BOTH)
        found = agreed(by_way(search.explanations()))
        delayed = found is not None and any(isinstance(turn, Delay) for turn in found.explanation.legal[:-1])
        return found if delayed else None

    def takes(self) -> bool:
        """Whether that is enough to write it."""
        return self._deep

    def ask(self, look: Look) -> None:
        """Ask for the lid to be spread out."""
        mover = self._book.record.to_play
        self.waypoint = self.waypoint or look.likeliest
        self._book.find(self._book.ruling(Status.UNFINISHED, texts.spread(mover), move=Delay(mover)))

    def by_way(self, found: list[Explanation], counted: bool) -> list[Explanation]:
        """Those that pass through the position; counted: the lids are counted now, which decides it when none does."""
        if self.waypoint is None:
            return found
        through = [one for one in found if not one.turns or any(r.position == self.waypoint for r in one.records)]
        return found if counted and not through else through
