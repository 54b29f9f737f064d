"""Who watches the event streams: a cap on their number, and the word that all of them end."""

from __future__ import annotations

from threading import Event, Lock


class Viewers:
    """Places for so many streams at once; from any thread."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._watching = 0
        self._lock = Lock()
        self._closing = Event()

    def enter(self) -> bool:
        """Take a place, which has to be given back by `leave`; False where none is free."""
        with self._lock:
            free = self._watching < self.most and not self._closing.is_set()
            self._watching += free
            return free

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._watching -= 1

    @property
    def closing(self) -> bool:
        """Whether streams have to end."""
        return self._closing.is_set()

    def close(self) -> None:
        """End all streams within a second, and begin none."""
        self._closing.set()
