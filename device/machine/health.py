"""The health of a running box, as /health states it: its loops go round, and its game can be written."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from device.file_errors import reason_for
from referee.game.messages import Message, message

LOOPS = ("referee", "camera")
MESSAGE_KEYS = tuple(f"health.{loop}" for loop in LOOPS)
STANDS_AFTER = 5.0
"""Seconds without an iteration after which a loop counts as stalled; each iterates within two."""
PROBE = bytes(4096)


class Health:
    """The health check of a running box.

    folder: the data folder
    beats: returns the number of iterations of each of the LOOPS
    clock: monotonic seconds
    """

    def __init__(
        self, folder: Path, beats: Callable[[], tuple[int, ...]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._folder, self._beats, self._clock = folder, beats, clock
        self._rounds = dict.fromkeys(LOOPS, (-1, 0.0))

    def faults(self, journal: Path | None) -> list[Message]:
        """Return why the table cannot be refereed.

        journal: the match's, if there is one
        """
        return [*self._stalled_loops(), *self._find_unwritable(journal)]

    def _stalled_loops(self) -> Iterator[Message]:
        now = self._clock()
        for loop, beat in zip(LOOPS, self._beats(), strict=True):
            if beat != self._rounds[loop][0]:
                self._rounds[loop] = beat, now
            elif now - self._rounds[loop][1] > STANDS_AFTER:
                yield message(f"health.{loop}", seconds=round(now - self._rounds[loop][1]))

    def _find_unwritable(self, journal: Path | None) -> Iterator[Message]:
        """Yield what cannot be written. The probe never reaches the disk: the file has no name and is deleted at
        once."""
        try:
            with tempfile.TemporaryFile(dir=self._folder) as file:
                file.write(PROBE)
        except OSError as error:
            yield message("health.folder", folder=str(self._folder), error=reason_for(error))
        if journal is not None and not journal.exists():
            yield message("health.journal", journal=str(journal))
