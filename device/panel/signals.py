"""The lamps and sounds of the panel for a state of the table. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from referee.game.messages import Message, message
from referee.game.ruling import Ruling, Status
from referee.table.display_state import Phase, State, TableSnapshot
from referee.table.lamps import LAMPS, OFF, Light, table_lamp
from referee.time.clock import ClockReading
from web.language import ENGLISH
from web.page.labels import find_newest_ruling


class Sound(StrEnum):
    """A sound of the buzzer.

    HEARD: a press counted
    REFUSED: a turn is refused
    PUT_RIGHT: something has to be corrected
    ENDED: the game is over
    CALLED: the director was called
    COUNTED: a second is counted
    OVERTIME: main time or a period is used up
    FALLEN: all time is used up
    """

    HEARD = "heard"
    REFUSED = "refused"
    PUT_RIGHT = "put-right"
    ENDED = "ended"
    CALLED = "called"
    COUNTED = "counted"
    OVERTIME = "overtime"
    FALLEN = "fallen"


@dataclass(frozen=True)
class Signal:
    """The state of all lamps.

    sides: one lamp per player
    ultimate: their ultimate-stone lamps
    table: the table's
    """

    sides: tuple[Light, ...] = (OFF, OFF)
    ultimate: tuple[bool, ...] = (False, False)
    table: Light = OFF


_SPOKEN = {
    Status.ILLEGAL: Sound.REFUSED,
    Status.UNEXPLAINED: Sound.PUT_RIGHT,
    Status.UNFINISHED: Sound.PUT_RIGHT,
    Status.LEGAL: Sound.HEARD,
}
_GRAVEST = (Sound.REFUSED, Sound.PUT_RIGHT, Sound.HEARD)


def signal_of(snapshot: TableSnapshot) -> Signal:
    """Return the state of all lamps."""
    sides = snapshot.game.sides
    owner = snapshot.game.bowls.ultimate
    holder = snapshot.game.side_of(owner) if owner is not None else None
    lamps = tuple(LAMPS[snapshot.display_state.task_at(side)] for side in sides)
    return Signal(lamps, tuple(side == holder for side in sides), table_lamp(snapshot))


def sound_of(previous: TableSnapshot | None, snapshot: TableSnapshot) -> Sound | None:
    """Return the sound for this change of the table; of several sounds the most important."""
    if previous is None:
        return None
    if snapshot.called and not previous.called:
        return Sound.CALLED
    if _has_result(snapshot) and not _has_result(previous):
        return Sound.ENDED
    time_sound = _time_sound(previous, snapshot)
    if time_sound is Sound.FALLEN:
        return time_sound
    findings = _find_new(previous, snapshot)
    spoken = {Sound.PUT_RIGHT if one.is_vain_press else _SPOKEN[one.status] for one in findings}
    if previous.waiting and all(one.move is not None for one in findings if one.status is Status.LEGAL):
        # The press that this legal turn was waiting for has had its sound.
        spoken.discard(Sound.HEARD)
    if _is_press_counted(previous, snapshot):
        spoken.add(Sound.HEARD)
    notice_sound = _notice_sound(previous, snapshot)
    return next((sound for sound in _GRAVEST if sound in spoken), time_sound or notice_sound)


def _notice_sound(previous: TableSnapshot, snapshot: TableSnapshot) -> Sound | None:
    """Return the sound for a new notice: about time, or about a press that did not count."""
    if snapshot.notice is None or snapshot.notice == previous.notice or snapshot.notice.key == "lying.offer":
        return None
    return Sound.HEARD if snapshot.is_notice_granted else Sound.PUT_RIGHT


def _time_sound(previous: TableSnapshot, snapshot: TableSnapshot) -> Sound | None:
    """Return the sound for the clock's own events: all time is used up, a period is, or a second is counted."""
    then, now = previous.game.clocks, snapshot.game.clocks
    if then is None or now is None or now.t == then.t:
        return None
    changed = [(old, new) for old, new in zip(then.faces, now.faces, strict=False) if new.running]
    if any(new.fallen and not old.fallen for old, new in changed):
        return Sound.FALLEN
    if any(_next_stretch(old) != _next_stretch(new) for old, new in changed):
        return Sound.OVERTIME
    return Sound.COUNTED if now.counted else None


def _next_stretch(face: ClockReading) -> tuple[bool, int, int]:
    return face.in_overtime, face.periods, face.bought


def _has_result(snapshot: TableSnapshot) -> bool:
    return snapshot.phase in (Phase.RESULT, Phase.FINAL)


def _find_new(previous: TableSnapshot, snapshot: TableSnapshot) -> tuple[Ruling, ...]:
    rulings = snapshot.game.rulings[len(previous.game.rulings) :]
    trouble = snapshot.trouble
    if trouble is None or trouble in rulings or _is_same(trouble, previous.trouble):
        return rulings
    return (*rulings, trouble)


def _is_same(one: Ruling, other: Ruling | None) -> bool:
    """Return True if it is the same finding, observed again at another time."""
    return other is not None and replace(one, t=other.t, name=other.name) == other


def _is_press_counted(previous: TableSnapshot, snapshot: TableSnapshot) -> bool:
    pairs = (
        (previous.waiting, snapshot.waiting),
        (previous.passing, snapshot.passing),
        (previous.resigning, snapshot.resigning),
        (previous.agreed, snapshot.agreed),
    )
    return previous.paused != snapshot.paused or any(set(now) - set(then) for then, now in pairs)


def sentence_of(snapshot: TableSnapshot) -> str:
    """Return the sentence for a panel with a display: a request, the notice, a pass to be confirmed, the trouble, else
    the newest ruling."""
    prompt = snapshot.asks or snapshot.notice or _passing_message(snapshot)
    if prompt is not None:
        return ENGLISH.sentence(prompt)
    ruling = snapshot.trouble or find_newest_ruling(snapshot.game)
    return ENGLISH.sentence(ruling.message) if ruling is not None else ""


def _passing_message(snapshot: TableSnapshot) -> Message | None:
    """Return the instruction to the player who has pressed CALL and may still place a stone; None if nobody has."""
    players = snapshot.display_state.concerned.players
    is_open = snapshot.passing and snapshot.display_state.state in (State.TURN, State.PLACES)
    return message("headline.passing", player=players[0]) if is_open and players else None
