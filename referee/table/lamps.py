"""The lights of the table's and the page's lamps: tables keyed by a player's task and by the table's state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.table.display_state import Sight, State, TableSnapshot, Task


class Tone(StrEnum):
    """The colours of a lamp; the page's banner has the same."""

    OFF = "off"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    BLUE = "blue"
    WHITE = "white"


@dataclass(frozen=True)
class Light:
    """The light of one lamp; pulse: it pulses."""

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
    Task.SCORED: _PULSING[Tone.WHITE],
    Task.JUDGE: _PULSING[Tone.WHITE],
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
"""A player's lamp by task: at the table the lamp of the player's side, on the page that of the player's card."""

SIGHTS = {
    Sight.NONE: OFF,
    Sight.LOST: Light(Tone.RED),
    Sight.SEARCHING: Light(Tone.AMBER),
    Sight.UNSHOWN: _PULSING[Tone.AMBER],
    Sight.COVERED: Light(Tone.AMBER),
    Sight.SEEN: Light(Tone.GREEN),
}
"""The table lamp by what the camera delivers."""

_TABLE = {State.CALLED: _PULSING[Tone.WHITE], State.RESTORED: _PULSING[Tone.BLUE]}
"""The table lamp in these states, whatever the camera delivers."""


def table_lamp(snapshot: TableSnapshot) -> Light:
    """Return the light of the table lamp; that nothing can be judged comes before all else."""
    if snapshot.unable:
        return _PULSING[Tone.RED]
    usual = Light(Tone.RED) if snapshot.unheard else SIGHTS[snapshot.sight]
    return _TABLE.get(snapshot.display_state.state, usual)


def banner_tone(snapshot: TableSnapshot) -> Tone:
    """Return the banner's colour: that of the players whom the state concerns, or of the camera's trouble."""
    standing = snapshot.display_state
    return (SIGHTS[snapshot.sight] if standing.state in (State.LOST, State.SEARCHING) else LAMPS[standing.task]).tone
