"""What the lamps of table and page show: tables keyed by what a player has to do and by the table's state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.standing import Showing, Sight, State, Task


class Tone(StrEnum):
    """What a lamp can show; the page's banner has the same colours."""

    OFF = "off"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    BLUE = "blue"
    WHITE = "white"


@dataclass(frozen=True)
class Light:
    """What one lamp shows; pulse: it comes and goes."""

    tone: Tone = Tone.OFF
    pulse: bool = False

    def __str__(self) -> str:
        return f"{self.tone} pulsing" if self.pulse else self.tone.value


OFF = Light()
_PULSING = {tone: Light(tone, pulse=True) for tone in Tone}

LAMPS = {
    Task.CONFIRM: _PULSING[Tone.WHITE],
    Task.DIRECTOR: _PULSING[Tone.WHITE],
    Task.AGREES: Light(Tone.WHITE),
    Task.WAIT: Light(Tone.BLUE),
    Task.ASKED: _PULSING[Tone.WHITE],
    Task.PROPOSED: Light(Tone.WHITE),
    Task.GO_ON: _PULSING[Tone.BLUE],
    Task.CLAIM: _PULSING[Tone.WHITE],
    Task.FALLEN: _PULSING[Tone.RED],
    Task.PRESSED: _PULSING[Tone.WHITE],
    Task.LIFT: _PULSING[Tone.WHITE],
    Task.AGAIN: Light(Tone.RED),
    Task.NOT_NEXT: Light(Tone.RED),
    Task.PUT_RIGHT: _PULSING[Tone.AMBER],
    Task.CHECK: _PULSING[Tone.BLUE],
    Task.FINISH: Light(Tone.AMBER),
    Task.BEGIN: _PULSING[Tone.GREEN],
    Task.PLAY: Light(Tone.GREEN),
    Task.PRISONERS: Light(Tone.AMBER),
    Task.NOTHING: OFF,
}
"""A player's lamp: at the table that of the player's side, on the page that of the player's card."""

SIGHTS = {
    Sight.NONE: OFF,
    Sight.LOST: Light(Tone.RED),
    Sight.SEARCHING: Light(Tone.AMBER),
    Sight.UNSHOWN: _PULSING[Tone.AMBER],
    Sight.COVERED: Light(Tone.AMBER),
    Sight.SEEN: Light(Tone.GREEN),
}
"""The table lamp by what the camera gives."""

_TABLE = {State.CALLED: _PULSING[Tone.WHITE], State.RESTORED: _PULSING[Tone.BLUE]}
"""The table lamp in these states, whatever the camera gives."""


def table_lamp(showing: Showing) -> Light:
    """What the table lamp shows; first of all that nothing can be judged."""
    if showing.unable:
        return _PULSING[Tone.RED]
    return _TABLE.get(showing.standing.state, SIGHTS[showing.sight])


def banner_tone(showing: Showing) -> Tone:
    """The colour of those whom the state concerns, or of the camera's trouble."""
    standing = showing.standing
    return (SIGHTS[showing.sight] if standing.state in (State.LOST, State.SEARCHING) else LAMPS[standing.task]).tone
