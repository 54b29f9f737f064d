"""The clocks, the count and what was answered as JSON and as words: pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee import Act, Answer, Colour, Duration, Face, Said, Snapshot, Then
from web import openapi
from web.language import ENGLISH, Tongue
from web.openapi import MOST_ANSWERS

ROUTINE = (Act.PRESS, Act.ACCEPT)
"""What the clock does turn after turn; told only where it is refused."""


@dataclass(frozen=True)
class ClockFace:
    """A player's clock on the page. ms: left of the stretch that runs, at t, in seconds on the box's clock."""

    time: str
    more: str
    running: bool
    low: bool
    ms: int
    t: float


def clock_face(game: Snapshot, colour: Colour, say: Tongue = ENGLISH) -> ClockFace | None:
    """What a player's clock shows, None where there are no clocks."""
    clocks = game.clocks
    face = next((face for face in clocks.faces if face.player is colour), None) if clocks is not None else None
    return None if clocks is None or face is None else _shown(face, clocks.t, say)


def clock_then(then: Then, colour: Colour, say: Tongue = ENGLISH) -> ClockFace | None:
    """What a player's clock showed after a turn, None where there are no clocks."""
    return next((_shown(face, 0.0, say) for face in then.faces if face.player is colour), None)


def _shown(face: Face, t: float, say: Tongue) -> ClockFace:
    beside = say.sentence(face.beside) if face.beside else _after_main(face, say)
    return ClockFace(face.time, beside, face.running, face.fallen, face.stretch, t)


def _after_main(face: Face, say: Tongue) -> str:
    """What comes after the main time, before it has come."""
    if face.in_overtime:
        return ""
    if face.stones:
        return say("clock.then-stones", n=face.stones, period=Duration(face.period))
    if face.periods and face.period:
        return say("clock.then-periods", n=face.periods, period=Duration(face.period))
    return say("clock.then-buy", n=face.periods) if face.periods else ""


def answers_list(answers: tuple[Said, ...]) -> list[openapi.Answer]:
    """The newest answers for other programs, the newest first."""
    return [_answer(answer) for answer in newest_answers(answers)]


def newest_answers(answers: tuple[Said, ...]) -> list[Said]:
    """The newest answers that tell something, the newest first."""
    told = [answer for answer in answers[-4 * MOST_ANSWERS :] if not is_routine(answer)]
    return told[: -MOST_ANSWERS - 1 : -1]


def is_routine(answer: Said) -> bool:
    """Whether it happens turn after turn, so that nobody is told."""
    return isinstance(answer, Answer) and answer.allowed and answer.act in ROUTINE


def _answer(answer: Said) -> openapi.Answer:
    text, by = ENGLISH.sentence(answer.message), answer.author
    if isinstance(answer, Answer):
        return {"text": text, "act": answer.act.value, "refused": not answer.allowed, "author": by}
    return {"text": text, "act": None, "refused": answer.refused, "author": by}
