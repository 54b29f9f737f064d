"""The clocks, the count and the answers as JSON and as words: pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from referee import (
    Act,
    Answer,
    AnyAnswer,
    ClockReading,
    Colour,
    Duration,
    HistoryEntry,
    Snapshot,
    as_on_a_clock,
    message_to_json,
)
from web import openapi
from web.language import ENGLISH, Translator
from web.openapi import MOST_ANSWERS

ROUTINE = (Act.PRESS, Act.ACCEPT)
"""Clock actions of every turn; shown only if they are refused."""


MOST_PIPS = 9
"""Most periods that are drawn as dots."""


@dataclass(frozen=True)
class ClockFace:
    """A player's clock on the page.

    time: the displayed time.
    more: the text beside it.
    running: True if it runs.
    low: True if the flag has fallen.
    ms: time left of the current period, in milliseconds, at t.
    t: in seconds on the box's clock.
    whole: all of it as one text, for paper.
    pips: number of periods left, drawn as dots; 0 if there are none or too many.
    """

    time: str
    more: str
    running: bool
    low: bool
    ms: int
    t: float
    whole: str = ""
    pips: int = 0


def clock_face(game: Snapshot, colour: Colour, say: Translator = ENGLISH) -> ClockFace | None:
    """Return a player's clock, None if there are no clocks."""
    clocks = game.clocks
    face = next((face for face in clocks.faces if face.player is colour), None) if clocks is not None else None
    return None if clocks is None or face is None else _build_face(face, clocks.t, say)


def clock_then(entry: HistoryEntry, colour: Colour, say: Translator = ENGLISH) -> ClockFace | None:
    """Return a player's clock as it was after a turn, None if there were no clocks."""
    return next((_build_face(face, 0.0, say) for face in entry.faces if face.player is colour), None)


def _build_face(face: ClockReading, t: float, say: Translator) -> ClockFace:
    note = say.sentence(face.beside) if face.beside else _after_main(face, say)
    pips = face.periods if face.period and not face.stones and face.periods <= MOST_PIPS else 0
    return ClockFace(face.time, note, face.running, face.fallen, face.stretch, t, say.sentence(face.text), pips)


def _after_main(face: ClockReading, say: Translator) -> str:
    """Return the text for the periods after the main time, before they begin."""
    if face.in_overtime:
        return ""
    if face.stones:
        return say("clock.then-stones", n=face.stones, period=Duration(face.period))
    if face.periods and face.period:
        return say("clock.then-periods", n=face.periods, period=Duration(face.period))
    return say("clock.then-buy", n=face.periods) if face.periods else ""


def answers_list(answers: tuple[AnyAnswer, ...]) -> list[openapi.Answer]:
    """Return the newest answers for other programs, newest first."""
    return [_build_answer(answer) for answer in newest_answers(answers)]


def newest_answers(answers: tuple[AnyAnswer, ...]) -> list[AnyAnswer]:
    """Return the newest answers that are no routine, newest first."""
    notable = [answer for answer in answers[-4 * MOST_ANSWERS :] if not is_routine(answer)]
    return notable[: -MOST_ANSWERS - 1 : -1]


def is_routine(answer: AnyAnswer) -> bool:
    """Return True if the answer is one of every turn, which nobody needs to read."""
    return isinstance(answer, Answer) and answer.is_allowed and answer.act in ROUTINE


def _build_answer(answer: AnyAnswer) -> openapi.Answer:
    encoded_message = message_to_json(answer.message)
    text, author = ENGLISH.sentence(answer.message), answer.author
    if isinstance(answer, Answer):
        act, refused = answer.act.value, not answer.is_allowed
        return {"text": text, "act": act, "refused": refused, "author": author, "message": encoded_message}
    return {"text": text, "act": None, "refused": answer.refused, "author": author, "message": encoded_message}


CURVE_HIGH = 50
"""Height of the curves of the clocks, in the drawing's units; a turn is one unit wide."""
CURVE_POINTS = 120
"""Most turns that a curve is drawn through, so that a long game's is as short: few screens would show more."""


def clock_curves(thens: tuple[HistoryEntry, ...], say: Translator = ENGLISH) -> str:
    """Draw each player's time over the turns; empty without clocks."""
    if not thens or not thens[0].faces:
        return ""
    last = len(thens) - 1
    turns = [*range(0, last, 1 + last // CURVE_POINTS), last]
    stretches = zip(*([face.stretch for face in thens[turn].faces] for turn in turns), strict=True)
    each = list(zip(thens[0].faces, stretches, strict=True))
    most = max(max(of_one) for _, of_one in each) or 1
    curves = "".join(
        f'<path class="of-{face.player.value}" d="{_build_path(turns, of_one, most)}"/>' for face, of_one in each
    )
    caption = escape(say("poster.clocks"))
    box = f'viewBox="0 0 {max(last, 1)} {CURVE_HIGH}" preserveAspectRatio="none"'
    keys = "".join(
        f'<span class="key of-{face.player.value}">{escape(say(f"colour.{face.player.value}"))}</span>'
        for face in thens[0].faces
    )
    return (
        f'<figure class="times"><figcaption>{caption}{keys}</figcaption><div class="axes">'
        f'<span class="scale" aria-hidden="true"><span>{as_on_a_clock(most)}</span><span>0:00</span></span>'
        f'<svg class="clocks" role="img" aria-label="{caption}" {box}>{curves}</svg>'
        f'<span class="turns-of" aria-hidden="true"><span>0</span><span>{last}</span></span></div></figure>'
    )


def _build_path(turns: Iterable[int], stretches: Iterable[int], most: int) -> str:
    """Return a path from turn to turn, in whole units and relative to the point before, so that it is short."""
    heights = [CURVE_HIGH - 2 - round((CURVE_HIGH - 4) * ms / most) for ms in stretches]
    steps = zip(pairwise(turns), pairwise(heights), strict=True)
    path = (f"l{next_x - x} {next_y - y}" if next_y != y else f"h{next_x - x}" for (x, next_x), (y, next_y) in steps)
    return f"M0 {heights[0]}" + "".join(path)
