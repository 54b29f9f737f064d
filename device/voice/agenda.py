"""The queue of sentences to be spoken. Pure: the time is passed in.

New sentences wait behind those before them. One that the table no longer shows is outdated and left out; a counted
second has priority and is spoken at once or never. Over the last seconds of a running clock only the count is spoken:
what would extend into them waits until the clock stops or has more time.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from referee.table.display_state import TableSnapshot
from web.language import Translator
from web.voice.speech import Kind, Utterance, build_utterances, silent_from, speech_of

MOST = 12
"""Maximum number of waiting sentences; the oldest are dropped."""
COUNTS_FOR = 0.6
"""Seconds for which a counted second may be spoken."""


@dataclass(frozen=True)
class Waiting:
    """A waiting sentence.

    utterance: the sentence
    t: since when, in seconds on the box's clock
    """

    utterance: Utterance
    t: float


class Agenda:
    """The queue of one table.

    say: the language
    moves: whether every turn is spoken
    """

    def __init__(self, say: Translator, moves: bool) -> None:
        self._say, self._moves = say, moves
        self._snapshot: TableSnapshot | None = None
        self._waiting: deque[Waiting] = deque(maxlen=MOST)

    def handle(self, snapshot: TableSnapshot) -> None:
        """Handle the table's new state."""
        utterances = build_utterances(self._snapshot, snapshot, self._say, self._moves)
        current = set(speech_of(snapshot, self._say))
        remaining = [one for one in self._waiting if one.utterance in current]
        self._waiting = deque((*remaining, *(Waiting(one, snapshot.t) for one in utterances)), MOST)
        self._snapshot = snapshot

    def next(self, t: float) -> Utterance | None:
        """Return the sentence to speak at time t, and remove it from the queue; None if there is none."""
        self._waiting = deque((one for one in self._waiting if not _is_late(one, t)), MOST)
        counted = next((one for one in self._waiting if one.utterance.kind is Kind.COUNT), None)
        one = counted or (self._waiting[0] if self._waiting and not self.is_silent_time(t) else None)
        if one is None:
            return None
        self._waiting.remove(one)
        return one.utterance

    def back(self, utterance: Utterance, t: float) -> None:
        """Return a sentence to the front of the queue, because it would have extended into the last seconds."""
        if self._snapshot is not None and utterance in speech_of(self._snapshot, self._say):
            self._waiting.appendleft(Waiting(utterance, t))

    def is_current(self, utterance: Utterance) -> bool:
        """Return True if the table still shows what this is about."""
        return self._snapshot is not None and utterance in speech_of(self._snapshot, self._say)

    def is_silent_time(self, t: float, seconds: float = 0.0) -> bool:
        """Return True if speech that begins at t and takes so many seconds extends into a running clock's last ones."""
        begins = silent_from(self._snapshot) if self._snapshot is not None else None
        return begins is not None and t + seconds > begins

    def wakes(self, t: float) -> float | None:
        """Return when the last seconds begin; None if no clock is approaching them."""
        begins = silent_from(self._snapshot) if self._snapshot is not None else None
        return begins if begins is not None and begins > t else None


def _is_late(one: Waiting, t: float) -> bool:
    return one.utterance.kind is Kind.COUNT and t - one.t > COUNTS_FOR
