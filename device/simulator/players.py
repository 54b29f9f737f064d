"""The simulated players' reactions to the box's lamps. Pure.

They show their stones when asked to, and begin when the start check is over. They finish the step in progress, and wait
while the lamps are dark. After a power cut a player whose lamp asks for it presses `done`; a player whose `done` was
pressed while the box could not hear it, and who sees their lamp still green, presses again. Nobody touches the table
after the other's turn before their own lamp is green; meanwhile the other presses again, and spreads the stones in the
lids if something is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from device.simulator.messages import DARK, Lamps
from referee.table.display_state import Sight, Task
from referee.table.lamps import LAMPS, SIGHTS

READY = str(LAMPS[Task.GO_ON])
CHECKING = {str(LAMPS[Task.CHECK])}
SHOW = str(SIGHTS[Sight.UNSHOWN])
TURN = str(LAMPS[Task.PLAY])
MINE = (TURN, str(LAMPS[Task.BEGIN]))
UNFINISHED = str(LAMPS[Task.FINISH])
WAITING = str(LAMPS[Task.PRESSED])
PATIENCE = 240
"""Number of looks at the lamps they wait for the start check, or for a turn, before they go on anyway."""
AGAIN_AFTER, UNHEARD_AFTER = 12, 60
"""Number of looks after which a turn that does not count is closed once more, and one that the box does not react
to, which may only be slow."""
MOST_AGAIN = 5


@dataclass(frozen=True)
class NextAction:
    """The next action: wait for a while, or press `done`.

    side: the side that presses, None to wait
    spread: whether to spread the stones in the lids first
    """

    side: int | None = None
    spread: bool = False


WAIT = NextAction()


class SimulatedPlayers:
    """The simulated players.

    lamps: returns the lamps, None if no box has sent any
    """

    def __init__(self, lamps: Callable[[], Lamps | None]) -> None:
        self.lamps = lamps
        self._unheard: int | None = None
        self._dark = False
        self._patience = PATIENCE
        self._closer: int | None = None
        self._waited = self._closed_again = 0

    def closed(self, side: int) -> None:
        """Record that a player has pressed `done`, and nothing else was done since."""
        if side != self._closer:
            self._closed_again = 0
        self._unheard = self._closer = side

    def note_act(self) -> None:
        """Record any other act."""
        self._unheard, self._patience = None, 0

    def next(self, side: int | None = None) -> NextAction | None:
        """Return what to do before the script goes on; None for nothing.

        side: the side about to touch the table
        """
        lamps = self.lamps()
        if lamps is None:
            return None
        if lamps == DARK:
            self._dark = True
            return WAIT
        if lamps.table == READY and READY in lamps.sides:
            return NextAction(lamps.sides.index(READY) + 1)
        if set(lamps.sides) == CHECKING and lamps.table != SHOW:
            self._patience = max(self._patience - 1, 0)
            return WAIT if self._patience else None
        return self._press_again(lamps) or (self._wait_for_turn(lamps, side) if side is not None else None)

    def _wait_for_turn(self, lamps: Lamps, side: int) -> NextAction | None:
        """Return the wait for `side`'s own lamp, or the other's press.

        The player who ended the last turn may always go on. A wait ends after PATIENCE looks.
        """
        closer = self._closer
        if closer is None or closer == side or lamps.sides[side - 1] in MINE:
            self._waited = 0
            return None
        self._waited += 1
        if self._waited > PATIENCE:
            return None
        lamp = lamps.sides[closer - 1]
        often = UNHEARD_AFTER if lamp == TURN else AGAIN_AFTER
        if self._waited % often or lamp == WAITING or self._closed_again >= MOST_AGAIN:
            return WAIT
        self._closed_again += 1
        return NextAction(closer, lamp == UNFINISHED)

    def _press_again(self, lamps: Lamps) -> NextAction | None:
        """Return another press of an unheard `done`, only once after the lamps were dark, because an answer takes
        time."""
        side, dark = self._unheard, self._dark
        self._dark = False
        return NextAction(side) if side is not None and dark and lamps.sides[side - 1] == TURN else None
