"""Lights that may be unplugged at any time: fed by a thread of their own, and tried again where they are away."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from device.panel.panel import Closing, Tell
from device.threads import lasting
from referee.messages import Message

Lights = TypeVar("Lights")
AGAIN = 2.0
"""Seconds after which lights that are away are tried again."""


class Tried(Closing, ABC, Generic[Lights]):
    """opened: opens them; raises OSError where they are away, ImportError without the library. fault: of what `tell` is
    told; lacks: where the library is missing; away: where they are. It begins at once: what `_feed` reads is set
    before."""

    def __init__(self, fault: str, opened: Callable[[], Lights], tell: Tell, lacks: Message, away: Message) -> None:
        self._fault, self._open, self._tell = fault, opened, tell
        self._lacks, self._away, self._is_away = lacks, away, False
        self._end = threading.Event()
        self._thread = lasting(fault, self._shine)

    def close(self) -> None:
        """Dark, and given back."""
        self._end.set()
        self._thread.join()

    @abstractmethod
    def _feed(self, lights: Lights) -> None:
        """Frames, until this is closed, and a dark one at last; calls `_reached` where one was taken. Raises OSError
        where the lights are gone."""

    @abstractmethod
    def _give_back(self, lights: Lights) -> None:
        """Close them."""

    def _shine(self) -> None:
        while not self._end.is_set():
            try:
                lights = self._open()
            except ImportError:
                self._tell(self._fault, self._lacks)
                return
            except OSError:
                self._missed(True)
            else:
                self._feed_until_gone(lights)
            self._end.wait(AGAIN)

    def _feed_until_gone(self, lights: Lights) -> None:
        try:
            self._feed(lights)
        except OSError:
            self._missed(True)
        finally:
            self._give_back(lights)

    def _reached(self) -> None:
        """They are there: a port may open that takes nothing."""
        self._missed(False)

    def _missed(self, away: bool) -> None:
        if away != self._is_away:
            self._is_away = away
            self._tell(self._fault, self._away if away else None)
