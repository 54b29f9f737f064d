"""Lights that may be unplugged at any time: driven by a thread of their own, and reopened while they are gone."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from device.panel.panel import ClosesOnExit, Tell
from device.threads import start_supervised_thread
from referee.game.messages import Message

Lights = TypeVar("Lights")
AGAIN = 2.0
"""Seconds between two attempts to open lights that are gone."""


class ReconnectingDevice(ClosesOnExit, ABC, Generic[Lights]):
    """A reconnecting driver of lights. The thread starts at once, so subclasses set what `_feed` reads before calling
    this.

    fault: the name of the fault for `tell`
    open_lights: opens the lights; raises OSError if they are gone, ImportError without the library
    tell: called with faults
    lacks: the message for a missing library
    away: the message for lights that are gone
    """

    def __init__(
        self, fault: str, open_lights: Callable[[], Lights], tell: Tell, lacks: Message, away: Message
    ) -> None:
        self._fault, self._open, self._tell = fault, open_lights, tell
        self._library_message, self._away_message, self._is_away = lacks, away, False
        self._end = threading.Event()
        self._thread = start_supervised_thread(fault, self._run)

    def close(self) -> None:
        """Darken the lights and close them."""
        self._end.set()
        self._thread.join()

    @abstractmethod
    def _feed(self, lights: Lights) -> None:
        """Send frames until this is closed, and a dark one at the end; calls `_note_success` after a success.

        Raises OSError if the lights are gone.
        """

    @abstractmethod
    def _give_back(self, lights: Lights) -> None:
        """Close the lights."""

    def _run(self) -> None:
        while not self._end.is_set():
            try:
                lights = self._open()
            except ImportError:
                self._tell(self._fault, self._library_message)
                return
            except OSError:
                self._set_away(True)
            else:
                self._feed_until_gone(lights)
            self._end.wait(AGAIN)

    def _feed_until_gone(self, lights: Lights) -> None:
        try:
            self._feed(lights)
        except OSError:
            self._set_away(True)
        finally:
            self._give_back(lights)

    def _note_success(self) -> None:
        """Withdraw the fault after a frame was accepted, because a port may open that takes none."""
        self._set_away(False)

    def _set_away(self, away: bool) -> None:
        if away != self._is_away:
            self._is_away = away
            self._tell(self._fault, self._away_message if away else None)
