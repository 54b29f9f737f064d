"""What the lamps show and the buzzer says of a table: pure.

A table is in one State, and MEANINGS, which docs/panel.md repeats word for word, says what the lamps show in it. Where
several states would do, the first in that table is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from referee.board import Colour as Player
from referee.ruling import Reply, Ruling, Status
from referee.snapshot import Phase, Said, Showing, Sight
from referee.time.clock import Face


class Colour(StrEnum):
    """What a lamp can show."""

    OFF = "off"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    BLUE = "blue"
    WHITE = "white"


class Sound(StrEnum):
    """What the buzzer says: a press counted; a turn is refused; something is to be put right; the end; the director; a
    second is counted; main time or a period is used up; all time is."""

    HEARD = "heard"
    REFUSED = "refused"
    PUT_RIGHT = "put-right"
    ENDED = "ended"
    CALLED = "called"
    COUNTED = "counted"
    OVERTIME = "overtime"
    FALLEN = "fallen"


@dataclass(frozen=True)
class Light:
    """What one lamp shows; pulse: it comes and goes."""

    colour: Colour = Colour.OFF
    pulse: bool = False

    def __str__(self) -> str:
        return f"{self.colour} pulsing" if self.pulse else self.colour.value


OFF = Light()


@dataclass(frozen=True)
class Signal:
    """All lamps: sides 1 and 2, their ultimate-stone lamps, and the table's."""

    sides: tuple[Light, Light] = (OFF, OFF)
    ultimate: tuple[bool, bool] = (False, False)
    table: Light = OFF


class State(StrEnum):
    """What the lamps of the two sides say together."""

    CALLED = "director called"
    FINAL = "final"
    PAUSED = "paused"
    RESTORED = "restored"
    CLAIM = "claim"
    RESIGNING = "resigning"
    WAITING = "waiting"
    RESULT = "result"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"
    CHECKING = "start check"
    UNFINISHED = "unfinished"
    PLACES = "places"
    TURN = "turn"


@dataclass(frozen=True)
class Meaning:
    """A state in words and lamps. lamp: on the sides concerned. other: on the other side, None as without the state."""

    state: State
    when: str
    lamp: Light
    other: Light | None
    act: str


def _pulsing(colour: Colour) -> Light:
    return Light(colour, pulse=True)


_WHITE = Light(Colour.WHITE)

MEANINGS = {
    meaning.state: meaning
    for meaning in (
        Meaning(
            State.CALLED,
            "the director has been called; the table lamp pulses white too",
            _pulsing(Colour.WHITE),
            OFF,
            "touch nothing and wait for the director",
        ),
        Meaning(State.FINAL, "both players have agreed to the result", _WHITE, OFF, "clear the board"),
        Meaning(State.PAUSED, "the game is paused", Light(Colour.BLUE), OFF, "wait; pause goes on"),
        Meaning(
            State.RESTORED,
            "after a power cut the clocks stand until this side is ready; the table lamp pulses blue too",
            _pulsing(Colour.BLUE),
            Light(Colour.BLUE),
            "press done to go on",
        ),
        Meaning(
            State.CLAIM,
            "the other side's time is used up, and this side may claim the win before the next move",
            _pulsing(Colour.WHITE),
            _pulsing(Colour.RED),
            "press call to claim, or play on",
        ),
        Meaning(
            State.RESIGNING,
            "this side held call to resign",
            _pulsing(Colour.WHITE),
            Light(Colour.BLUE),
            "press done to confirm, any other button to play on",
        ),
        Meaning(
            State.WAITING,
            "this side's press waits for a look at the table",
            _pulsing(Colour.WHITE),
            None,
            "take hands off the table and wait",
        ),
        Meaning(
            State.RESULT,
            "this side is asked to agree: to a count, or to the result",
            _pulsing(Colour.WHITE),
            _WHITE,
            "press done to agree, hold score to disagree; at the end of play lift the dead stones first",
        ),
        Meaning(
            State.ILLEGAL, "this side's turn is refused", Light(Colour.RED), OFF, "take it back and play another turn"
        ),
        Meaning(
            State.UNEXPLAINED,
            "no turn explains what lies on the table",
            _pulsing(Colour.AMBER),
            OFF,
            "put right the points that are named, or call the director",
        ),
        Meaning(
            State.CHECKING,
            "the table has not been seen ready for the first move",
            _pulsing(Colour.BLUE),
            OFF,
            "set board and lids up as the sentence says",
        ),
        Meaning(
            State.UNFINISHED, "something is missing of this side's turn", Light(Colour.AMBER), OFF, "do what is named"
        ),
        Meaning(
            State.PLACES,
            "the game can begin, and nothing says yet who sits where",
            _pulsing(Colour.GREEN),
            OFF,
            "play; the first to press is taken for the player to move, and holding done claims Black",
        ),
        Meaning(State.TURN, "it is this side's turn", Light(Colour.GREEN), OFF, "play"),
    )
}
"""Every state; a state that concerns nobody in particular, or a player whose side is not known, lights both sides."""

SIGHTS = {
    Sight.NONE: OFF,
    Sight.LOST: Light(Colour.RED),
    Sight.SEARCHING: Light(Colour.AMBER),
    Sight.COVERED: Light(Colour.AMBER),
    Sight.SEEN: Light(Colour.GREEN),
}
"""The table lamp."""

_TABLE_LAMPS = {State.CALLED: _pulsing(Colour.WHITE), State.RESTORED: _pulsing(Colour.BLUE)}
"""What the table lamp shows in these states, whatever the camera gives."""
_BOTH = (1, 2)
_FOUND = {
    Status.ILLEGAL: State.ILLEGAL,
    Status.UNEXPLAINED: State.UNEXPLAINED,
    Status.UNFINISHED: State.UNFINISHED,
}
_SPOKEN = {
    Status.ILLEGAL: Sound.REFUSED,
    Status.UNEXPLAINED: Sound.PUT_RIGHT,
    Status.UNFINISHED: Sound.PUT_RIGHT,
    Status.LEGAL: Sound.HEARD,
}
_GRAVEST = (Sound.REFUSED, Sound.PUT_RIGHT, Sound.HEARD)


def signal_of(showing: Showing) -> Signal:
    """What all lamps show."""
    table = _TABLE_LAMPS.get(state_of(showing)[0], SIGHTS[showing.sight])
    owner = showing.game.bowls.ultimate
    holder = showing.game.side_of(owner) if owner is not None else None
    return Signal(_lamps(showing), (holder == 1, holder == 2), table)


def state_of(showing: Showing) -> tuple[State, tuple[int, ...]]:
    """The state of the table, and the sides it concerns."""
    if showing.resigning and (showing.called or showing.paused):
        return State.RESIGNING, showing.resigning[:1]
    if showing.called:
        return State.CALLED, _BOTH
    if showing.phase is Phase.FINAL:
        return State.FINAL, _BOTH
    if showing.paused:
        return State.PAUSED, _BOTH
    of_time = _of_the_clock(showing)
    if of_time is not None:
        return of_time
    if showing.resigning:
        return State.RESIGNING, showing.resigning[:1]
    if showing.waiting:
        return State.WAITING, (_first_to_be_judged(showing),)
    asked = _asked(showing)
    if asked is not None:
        return (State.RESULT, asked) if asked else (State.FINAL, _BOTH)
    return _in_play(showing)


def _of_the_clock(showing: Showing) -> tuple[State, tuple[int, ...]] | None:
    """The clock waits for the players, or one of them may claim the win; None where neither is."""
    game, clocks = showing.game, showing.game.clocks
    if clocks is None or game.ended:
        return None
    if clocks.restored and game.counting.waits_for is None:
        waits = tuple(face.player for face in clocks.faces if face.player not in clocks.ready)
        return State.RESTORED, _sides_of(showing, waits)
    return (State.CLAIM, _sides_of(showing, clocks.may_claim)) if clocks.may_claim else None


def _asked(showing: Showing) -> tuple[int, ...] | None:
    """The sides that are asked to agree to a count or to the result, None where nobody is."""
    waits_for = showing.game.counting.waits_for
    if waits_for is not None:
        return _sides(showing, waits_for)
    if showing.phase is Phase.RESULT:
        return tuple(side for side in _BOTH if side not in showing.agreed)
    return None


def _first_to_be_judged(showing: Showing) -> int:
    turn = showing.game.side_of(showing.game.to_play)
    return turn if turn is not None and turn in showing.waiting else showing.waiting[0]


def _in_play(showing: Showing) -> tuple[State, tuple[int, ...]]:
    game, trouble = showing.game, showing.trouble
    found = _FOUND.get(trouble.status) if trouble is not None else None
    if showing.phase is Phase.START and found in (None, State.UNFINISHED):
        return State.CHECKING, _BOTH
    if found is State.UNEXPLAINED:
        return found, _BOTH
    if trouble is not None and found is not None:
        return found, _sides(showing, trouble.player)
    if game.black_side is None and game.turn == 0:
        return State.PLACES, _BOTH
    return State.TURN, _sides(showing, game.to_play)


def _sides(showing: Showing, player: Player | None) -> tuple[int, ...]:
    side = showing.game.side_of(player) if player is not None else None
    return _BOTH if side is None else (side,)


def _sides_of(showing: Showing, players: tuple[Player, ...]) -> tuple[int, ...]:
    return tuple(sorted({side for player in players for side in _sides(showing, player)}))


def _lamps(showing: Showing) -> tuple[Light, Light]:
    state, concerned = state_of(showing)
    meaning = MEANINGS[state]
    if meaning.other is not None:
        other = (meaning.other,) * 2
    else:
        other = (OFF, OFF) if _asked(showing) is not None else _lamps(replace(showing, waiting=()))
    one, two = (meaning.lamp if side in concerned else other[side - 1] for side in _BOTH)
    return one, two


def sound_of(before: Showing | None, after: Showing) -> Sound | None:
    """What the buzzer says when the table changes so; of several sounds the one that matters most."""
    if before is None:
        return None
    if after.called and not before.called:
        return Sound.CALLED
    if _over(after) and not _over(before):
        return Sound.ENDED
    of_time = _of_time(before, after)
    if of_time is Sound.FALLEN:
        return of_time
    spoken = {_SPOKEN[ruling.status] for ruling in _new_findings(before, after)}
    if before.waiting:
        # The press that this legal turn was waiting for has had its sound.
        spoken.discard(Sound.HEARD)
    if _press_counted(before, after):
        spoken.add(Sound.HEARD)
    told = _told(before, after)
    return next((sound for sound in _GRAVEST if sound in spoken), of_time or told)


def _told(before: Showing, after: Showing) -> Sound | None:
    """A new notice: something was said about time, or a press was not taken."""
    if after.notice is None or after.notice == before.notice:
        return None
    said = after.game.answers[len(before.game.answers) :]
    heard = any(answer.message == after.notice and not is_refused(answer) for answer in said)
    return Sound.HEARD if heard else Sound.PUT_RIGHT


def is_refused(answer: Said) -> bool:
    """Whether the word or the act has no effect."""
    return answer.refused if isinstance(answer, Reply) else not answer.allowed


def _of_time(before: Showing, after: Showing) -> Sound | None:
    """What the clock did by itself: all time is used up, a stretch of it is, or a second is counted."""
    then, now = before.game.clocks, after.game.clocks
    if then is None or now is None or now.t == then.t:
        return None
    changed = [(old, new) for old, new in zip(then.faces, now.faces, strict=False) if new.running]
    if any(new.fallen and not old.fallen for old, new in changed):
        return Sound.FALLEN
    if any(_next_stretch(old) != _next_stretch(new) for old, new in changed):
        return Sound.OVERTIME
    return Sound.COUNTED if now.counted else None


def _next_stretch(face: Face) -> tuple[bool, int, int]:
    return face.in_overtime, face.periods, face.bought


def _over(showing: Showing) -> bool:
    return showing.phase in (Phase.RESULT, Phase.FINAL)


def _new_findings(before: Showing, after: Showing) -> tuple[Ruling, ...]:
    new = after.game.rulings[len(before.game.rulings) :]
    trouble = after.trouble
    if trouble is None or trouble in new or _is_same(trouble, before.trouble):
        return new
    return (*new, trouble)


def _is_same(one: Ruling, other: Ruling | None) -> bool:
    """The same finding, seen again at another time."""
    return other is not None and replace(one, t=other.t, name=other.name) == other


def _press_counted(before: Showing, after: Showing) -> bool:
    pairs = ((before.waiting, after.waiting), (before.resigning, after.resigning), (before.agreed, after.agreed))
    return before.paused != after.paused or any(set(now) - set(then) for then, now in pairs)
