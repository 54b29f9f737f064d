"""The ten steps of a rehearsal as a script for the simulated players."""

from __future__ import annotations

from device.simulator.script import Act, Drop, Give, Lean, Place, Play, Press, Push, Put, Script, Step, Wait
from device.table.rehearsal import GOES, MORE, STAYS, Ask, RehearsalStep, acts
from referee.game.board import Colour
from referee.umpire.events import Button

HALFWAY = 0.5
"""Half a cell."""
DRAWN_SIZE, DRAWN_WAITS = 9, 8.0
"""Lines a side of the simulated table of `shinpan rehearse`, and seconds before its players begin."""


def script_of(size: int, look: int, waits: float) -> Script:
    """Return a script that empties the lids, waits until the box has begun, and then does all that it asks for.

    Black sits at side 1.

    size: lines a side
    look: the seed of the table's appearance
    waits: seconds to wait
    """
    empty = (Give(Colour.BLACK, Colour.WHITE, Place.SUPPLY),), (Give(Colour.WHITE, Colour.BLACK, Place.SUPPLY),)
    asked = tuple(step for act in acts(size) for step in _steps(act))
    return Script(size, look, 1, (*empty, (Wait(waits),), *asked, (Wait(GOES),)))


def _steps(act: RehearsalStep) -> tuple[Step, ...]:
    done: Act = Press(act.player, Button.DONE)
    match act.kind:
        case Ask.BETWEEN:
            put = Put(act.player, act.player, act.point)
            there, back = (Push(act.player, act.point, right, 0) for right in (HALFWAY, 0))
            return (put, there, done), (Wait(GOES),), (back, done)
        case Ask.HAND:
            return ((Put(act.player, act.player, act.point), Lean(act.player, act.point, STAYS)),)
        case Ask.CAPTURE:
            more = (Colour.BLACK, Colour.WHITE) * MORE
            return ((Play(act.player, act.point), Drop(act.player, more), done),)
    return ((Play(act.player, act.point), done),)
