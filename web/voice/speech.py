"""What is said aloud of a table: pure. Every sentence is one that lamps and page have already.

A table as it is shown has utterances. One is said when it is there and was not before, by the box and by the page; once
it is there no more it is outdated, and whatever was not said of it yet is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from referee import COUNTED, Duration, Face, Message, Placement, Ruling, Showing, State, Status, message
from web.headline import headline_of, ordered, reasons_of, unnamed
from web.language import ENGLISH, Tongue
from web.voice.brief import joined, said_of

MOST_RULINGS = 4
"""The newest rulings that can still be said where several come at once."""
WHOLE_FROM = 20
"""From so many seconds on "30 seconds" are counted, below it "10" alone: there is time for no more."""
LAST = 10.0
"""Seconds of a running clock over which nothing is said but the count."""
_ROUTINE = frozenset({State.TURN, State.PLACES, State.WAITING})
"""What comes turn after turn."""


class Kind(StrEnum):
    """What is said: a second that is counted; what is asked for, refused or ruled; a turn like any other."""

    COUNT = "count"
    RULING = "ruling"
    MOVE = "move"


@dataclass(frozen=True)
class Utterance:
    """What is said of one thing. about: what it is of; two about the same are the same. said: the messages, one after
    the other. lang: the language's code."""

    about: str
    said: tuple[str, ...] = field(compare=False)
    lang: str = field(compare=False)
    kind: Kind = field(default=Kind.RULING, compare=False)

    @property
    def text(self) -> str:
        """All of it."""
        return joined(self.said, self.lang)


def speech_of(showing: Showing, say: Tongue = ENGLISH) -> tuple[Utterance, ...]:
    """All that can be said of the table, in the order in which it is."""
    return (*_count(showing, say), *_rulings(showing, say), *_orders(showing, say), *_overtime(showing, say))


def spoken(before: Showing | None, after: Showing, say: Tongue = ENGLISH, moves: bool = False) -> tuple[Utterance, ...]:
    """What is said when the table changes so. before: None where it is the first. moves: every turn is."""
    known = set(speech_of(before, say)) if before is not None else set(speech_of(after, say)) - set(_orders(after, say))
    new = (utterance for utterance in speech_of(after, say) if utterance not in known and utterance.text)
    return tuple(utterance for utterance in new if moves or utterance.kind is not Kind.MOVE)


def spoken_over(showings: Iterable[Showing], say: Tongue = ENGLISH, moves: bool = False) -> Iterator[tuple[float, str]]:
    """The sentences that are said while the table is shown so, each with its time in seconds on the box's clock."""
    before: Showing | None = None
    for after in showings:
        yield from ((after.t, utterance.text) for utterance in spoken(before, after, say, moves))
        before = after


def counts(say: Tongue) -> tuple[str, ...]:
    """Every second that is counted, as it is said."""
    return tuple(_counted(seconds, say) for seconds in COUNTED)


def silent_from(showing: Showing) -> float | None:
    """Return when the last seconds that are counted of the running clock begin, in seconds on the box's clock.

    None if no clock runs, or nothing is counted: as long as overtime follows, main time ends in silence.
    """
    clocks = showing.game.clocks
    running = [face for face in clocks.faces if face.running] if clocks is not None and clocks.counts else []
    return clocks.t + running[0].stretch / 1000 - LAST if clocks is not None and running else None


def _count(now: Showing, say: Tongue) -> Iterator[Utterance]:
    seconds = now.game.clocks.counted if now.game.clocks is not None else 0
    if seconds:
        yield Utterance(f"count {seconds}", (_counted(seconds, say),), say.code, Kind.COUNT)


def _counted(seconds: int, say: Tongue) -> str:
    return say.value(Duration(seconds * 1000)) if seconds >= WHOLE_FROM else str(seconds)


def _rulings(now: Showing, say: Tongue) -> Iterator[Utterance]:
    """Turns that count; what is refused is said with the order. Of the game's count each step but the result, which is
    asked for."""
    rulings = now.game.rulings
    for number, ruling in list(enumerate(rulings))[-MOST_RULINGS:]:
        if ruling.status is Status.LEGAL:
            yield _said(f"ruling {number}", ruling.message, say, _kind(ruling))
    for number, step in enumerate(now.game.counting.count.steps if now.game.counting.count else ()):
        if step.act != "result":
            yield _said(f"step {number} {step.act}", step.message, say)


def _kind(ruling: Ruling) -> Kind:
    """A stone put onto the board is seen there; a delay, a pass, and what follows from a turn is not."""
    plain = isinstance(ruling.move, Placement) and not ruling.message.then
    return Kind.MOVE if plain else Kind.RULING


def _orders(now: Showing, say: Tongue) -> Iterator[Utterance]:
    """The headline and its reasons; why something is refused comes first. What comes turn after turn is said only
    after something else, such as a pause."""
    state, order = now.standing.state, headline_of(now, say).text
    for why in (*reasons_of(now), unnamed(now)):
        if why is not None:
            yield _said("", why, say)
    if state in _ROUTINE:
        yield Utterance("turn", (order,) if state is not State.WAITING else (), say.code)
        return
    found = ordered(now)
    yield Utterance(f"{state} {order}", said_of(found, say) if found is not None else (order,), say.code)


def _overtime(now: Showing, say: Tongue) -> Iterator[Utterance]:
    """What is left of overtime, said when a period begins; not how many turns are to be played in it."""
    for face in now.game.clocks.faces if now.game.clocks is not None else ():
        if face.in_overtime and face.beside is not None and not face.fallen:
            left = message("voice.overtime", player=face.player, left=face.beside)
            yield _said(_stretch(face), left, say)


def _stretch(face: Face) -> str:
    return f"overtime {face.player} {face.periods} {face.bought}"


def _said(about: str, said: Message, say: Tongue, kind: Kind = Kind.RULING) -> Utterance:
    """about: "" where it is the sentence itself."""
    return Utterance(about or say.sentence(said), said_of(said, say), say.foreign(said) or say.code, kind)
