"""Loudspeakers for tests: one that remembers what it played on a clock that the test turns."""

from __future__ import annotations

from collections.abc import Callable

from referee.messages import Message
from web.voice.sound import Sound


class Remembering:
    """Plays each clip for as long as it lasts, on the test's clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._until = clock, 0.0
        self.played: list[tuple[float, Sound]] = []
        self.broken_off = 0
        self.fault: Message | None = None

    def play(self, sound: Sound) -> None:
        self.played.append((self._clock(), sound))
        self._until = self._clock() + sound.seconds

    def stop(self) -> None:
        self.broken_off += self.plays
        self._until = 0.0

    @property
    def plays(self) -> bool:
        return self._clock() < self._until
