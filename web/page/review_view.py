"""The analysis of a game's turns on its page: mistakes, a curve of the score, phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee import PhaseOfPlay, Point, Review, points_of
from web.language import Translator
from web.page.navigation import GamePosition
from web.page.svg import svg_start

WIDTH, HEIGHT, ROOM = 600.0, 150.0, 8.0
"""The curve's size, and the margin above and below it."""
LEAST_SCALE = 2.5
"""The curve shows at least that many points to either side."""
MESSAGE_KEYS = tuple(f"worth.phase.{phase}" for phase in PhaseOfPlay)


@dataclass(frozen=True)
class Slip:
    """A mistake. at: its position, just after the turn; is_shown: True if that is shown."""

    text: str
    at: GamePosition
    is_shown: bool


@dataclass(frozen=True)
class Worths:
    """The contents of the analysis.

    pending: True while the analysis runs.
    slips: newest first.
    curve: a drawing.
    phases: kinds, and their names.
    """

    pending: bool
    slips: tuple[Slip, ...] = ()
    curve: str = ""
    phases: tuple[tuple[str, str], ...] = ()


def worths_of(review: Review | None, game_position: GamePosition, say: Translator) -> Worths | None:
    """Build the contents of a review; None if nothing is known, and never will be."""
    if review is None:
        return Worths(pending=True)
    if not review.is_known:
        return None
    slips = tuple(
        Slip(say.sentence(one.message), GamePosition(one.number), game_position.turn == one.number)
        for one in reversed(review.mistakes)
    )
    phases = tuple((phase.value, say(f"worth.phase.{phase}")) for phase in PhaseOfPlay if review.has_phases)
    return Worths(False, slips, curve_svg(review, say), phases)


def better_at(review: Review | None, game_position: GamePosition) -> tuple[Point, ...]:
    """Return the points where a stone would have cost nothing, in place of the shown mistake."""
    slip = (
        review.mistake_at(game_position.turn)
        if review is not None and game_position.turn and not game_position.tried
        else None
    )
    return tuple(points_of(slip.better)) if slip is not None else ()


def curve_svg(review: Review, say: Translator) -> str:
    """Draw the score from the start to the end, above the line if Black is ahead; grey if unknown."""
    scores = [one.score if one is not None else None for one in review.worths]
    known_scores = [(turn, score) for turn, score in enumerate(scores) if score is not None]
    scale = max(LEAST_SCALE, *(abs(score) for _, score in known_scores))
    step = WIDTH / max(len(scores) - 1, 1)
    turn, ahead = review.newest_known
    description = say("worth.curve-known", n=len(known_scores), turn=turn, score=ahead)
    middle = HEIGHT / 2
    parts = (
        svg_start("curve", WIDTH, HEIGHT, "curve", say("worth.curve"), description),
        "".join(_draw_unknown(scores, step)),
        f'<path class="zero" d="M0 {middle:g}H{WIDTH:g}"/>',
        "".join(_draw_runs(scores, step, (middle - ROOM) / scale)),
        "</svg>",
    )
    return "".join(parts)


def _draw_unknown(scores: Sequence[float | None], step: float) -> Iterator[str]:
    for first, last in _find_runs([score is None for score in scores]):
        left = max(first - 0.5, 0) * step
        wide = min((last + 0.5) * step, WIDTH) - left
        yield f'<rect class="unknown" x="{left:.4g}" y="0" width="{wide:.4g}" height="{HEIGHT:g}"/>'


def _draw_runs(scores: Sequence[float | None], step: float, unit: float) -> Iterator[str]:
    for first, last in _find_runs([score is not None for score in scores]):
        run = [(turn * step, HEIGHT / 2 - (scores[turn] or 0) * unit) for turn in range(first, last + 1)]
        dots = "".join(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="2.5"/>' for x, y in run)
        line = "L".join(f"{x:.4g} {y:.4g}" for x, y in run)
        yield f'<path class="score" d="M{line}"/><g class="dots">{dots}</g>'


def _find_runs(which: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of each run of true values."""
    first: int | None = None
    for number, one in enumerate([*which, False]):
        if one and first is None:
            first = number
        elif not one and first is not None:
            yield first, number - 1
            first = None
