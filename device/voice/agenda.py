"""What is to be said next: pure, with the time passed in.

New sentences wait behind those before them. One that the table does not show any more is outdated and left out; a
second that is counted goes before all others and is said at once or never. Over the last seconds of a running clock
nothing is said but the count: what would reach into them waits until the clock stands or has more.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from referee.standing import Showing
from web.language import Tongue
from web.voice.speech import Kind, Utterance, silent_from, speech_of, spoken

MOST = 12
"""Sentences that wait at most; of more the oldest are left out."""
COUNTS_FOR = 0.6
"""Seconds for which a counted second can be said."""


@dataclass(frozen=True)
class Waiting:
    """A sentence that waits. t: since when, in seconds on the box's clock."""

    said: Utterance
    t: float


class Agenda:
    """What waits to be said at one table. moves: every turn is."""

    def __init__(self, say: Tongue, moves: bool) -> None:
        self._say, self._moves = say, moves
        self._shown: Showing | None = None
        self._waiting: deque[Waiting] = deque(maxlen=MOST)

    def hear(self, showing: Showing) -> None:
        """The table is shown so now."""
        new = spoken(self._shown, showing, self._say, self._moves)
        there = set(speech_of(showing, self._say))
        still = [one for one in self._waiting if one.said in there]
        self._waiting = deque((*still, *(Waiting(one, showing.t) for one in new)), MOST)
        self._shown = showing

    def next(self, t: float) -> Utterance | None:
        """What is said at time t, which then waits no more; None where nothing is."""
        self._waiting = deque((one for one in self._waiting if not _late(one, t)), MOST)
        counted = next((one for one in self._waiting if one.said.kind is Kind.COUNT), None)
        one = counted or (self._waiting[0] if self._waiting and not self.silent(t) else None)
        if one is None:
            return None
        self._waiting.remove(one)
        return one.said

    def back(self, said: Utterance, t: float) -> None:
        """It was not said, for it would have reached into the last seconds: it is the first that is said after them."""
        if self._shown is not None and said in speech_of(self._shown, self._say):
            self._waiting.appendleft(Waiting(said, t))

    def holds(self, said: Utterance) -> bool:
        """Whether the table still shows what this is about."""
        return self._shown is not None and said in speech_of(self._shown, self._say)

    def silent(self, t: float, seconds: float = 0.0) -> bool:
        """Whether what is begun at t and takes so many seconds reaches into a running clock's last ones."""
        begins = silent_from(self._shown) if self._shown is not None else None
        return begins is not None and t + seconds > begins

    def wakes(self, t: float) -> float | None:
        """When something changes by itself: the last seconds begin; None where nothing does."""
        begins = silent_from(self._shown) if self._shown is not None else None
        return begins if begins is not None and begins > t else None


def _late(one: Waiting, t: float) -> bool:
    return one.said.kind is Kind.COUNT and t - one.t > COUNTS_FOR
