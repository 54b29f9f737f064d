"""What players do because of what they see of the box: pure.

They begin when the start check is over. They finish what is in their hands, and wait while the lamps are dark. After a
power cut a player whose lamp asks for it presses `done`; and whose `done` was pressed when the box could not hear it,
and who sees her lamp still green, presses again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from device.panel.signals import MEANINGS, State
from device.virtual.messages import DARK, Lamps

READY = str(MEANINGS[State.RESTORED].lamp)
CHECKING = (str(MEANINGS[State.CHECKING].lamp),) * 2
TURN = str(MEANINGS[State.TURN].lamp)
PATIENCE = 240
"""So many looks at the lamps they wait for the start check before they begin all the same."""


@dataclass(frozen=True)
class Do:
    """Wait for a while, or press `done` on this side."""

    side: int | None = None


WAIT = Do()


class Manners:
    """The players' eyes on the lamps. lamps: what they show now, None where no box has shown any."""

    def __init__(self, lamps: Callable[[], Lamps | None]) -> None:
        self.lamps = lamps
        self._unheard: int | None = None
        self._dark = False
        self._patience = PATIENCE

    def closed(self, side: int) -> None:
        """A player has pressed `done`, and nothing else has been done since."""
        self._unheard = side

    def acted(self) -> None:
        """Something else is done."""
        self._unheard, self._patience = None, 0

    def next(self) -> Do | None:
        """What is to be done before the script goes on; None where nothing is."""
        lamps = self.lamps()
        if lamps is None:
            return None
        if lamps == DARK:
            self._dark = True
            return WAIT
        if lamps.table == READY and READY in lamps.sides:
            return Do(lamps.sides.index(READY) + 1)
        if lamps.sides == CHECKING:
            self._patience = max(self._patience - 1, 0)
            return WAIT if self._patience else None
        return self._again(lamps)

    def _again(self, lamps: Lamps) -> Do | None:
        """Only after the dark, once: what a press is answered with takes its time."""
        side, dark = self._unheard, self._dark
        self._dark = False
        return Do(side) if side is not None and dark and lamps.sides[side - 1] == TURN else None
