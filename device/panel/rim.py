"""Lights along two edges of the board, one per line, that point at the points marked on the page. Pure.

The light of a column and the light of a row cross at the point. Several points are shown in steps, each a set of rows
and columns all of whose crossings are meant, so that no other point seems to be. Refused stones, points to correct and
owners of points differ in rhythm and brightness as well as in colour: people who cannot tell the colours apart count
the flashes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from referee.game.board import COLOURS, Board, Colour, Point, points_of
from referee.game.count_result import Layout
from referee.table.display_state import Phase, TableSnapshot
from referee.table.marks import Marks, marks_of

Rgb = tuple[int, int, int]
"""Red, green and blue of a light, 0 to 255."""
DARK: Rgb = (0, 0, 0)
PERIOD = 0.4
"""Seconds from one flash to the next: two and a half a second, because three a second and more may harm (WCAG
2.3.1)."""
FLASH = 0.24
"""Seconds of a period for which a light is lit."""
SHORTEST = 0.8
"""Minimum seconds of a step."""
GAP = 0.7
"""Dark seconds between two steps: flashes beside the board are motion to the camera, and the vision reads only what
has been still for half a second (tests/benchmarks/rim_seen.py)."""
REST = 0.7
"""Additional dark seconds before several steps repeat."""


@dataclass(frozen=True)
class Sign:
    """The way of pointing at something.

    colour: of the light
    flashes: their number; one means steady light
    """

    colour: Rgb
    flashes: int


REFUSED = Sign((255, 0, 0), 3)
"""A stone that was refused."""
ASKED = Sign((255, 110, 0), 1)
"""A point to correct: a stone to lift, or to put back."""
COUNTED = Sign((60, 60, 60), 1)
"""The row whose owners are shown in a count."""
OWNERS: Mapping[Colour, Sign] = {
    Colour.BLACK: Sign((0, 0, 255), 1),
    Colour.WHITE: Sign((255, 255, 255), 2),
    Colour.RED: Sign((255, 0, 0), 3),
    Colour.GREEN: Sign((0, 255, 0), 4),
    Colour.YELLOW: Sign((255, 180, 0), 5),
    Colour.VIOLET: Sign((160, 0, 255), 6),
}
"""Owners of points in a count: as many flashes as the player's number in the order of play."""


@dataclass(frozen=True)
class Step:
    """Lights that are lit together.

    rows: lines with their sign, row 0 the highest
    columns: lines with their sign, column 0 named A
    """

    rows: tuple[tuple[int, Sign], ...]
    columns: tuple[tuple[int, Sign], ...]

    @property
    def lasts(self) -> float:
        """Return the duration in seconds."""
        return max(SHORTEST, PERIOD * max(sign.flashes for _, sign in (*self.rows, *self.columns)))


@dataclass(frozen=True)
class Frame:
    """The lights at one moment.

    columns: of the columns, A first
    rows: of the rows, the highest first
    """

    columns: tuple[Rgb, ...]
    rows: tuple[Rgb, ...]

    @property
    def is_lit(self) -> bool:
        """Return True if any light is lit."""
        return any(light != DARK for light in (*self.columns, *self.rows))


def highlighted_points(marks: Marks) -> dict[Sign, tuple[Point, ...]]:
    """Return the points to show, by sign: the refused stone and the points to correct; if there are none, owners in
    a count."""
    refused = (marks.beside[1],) if marks.beside is not None and marks.refused else ()
    points_by_sign = {REFUSED: refused, ASKED: marks.asked}
    if not any(points_by_sign.values()) and marks.count is not None:
        points_by_sign = _owned_points(marks.count)
    return {sign: points for sign, points in points_by_sign.items() if points}


def plan_animation(snapshot: TableSnapshot) -> tuple[Step, ...]:
    """Return the steps that the lights repeat.

    There are none if nothing is marked, once the result is final, and while a press waits for an observation of the
    table, which the lights would delay.
    """
    if snapshot.waiting or snapshot.phase is Phase.FINAL:
        return ()
    board, points_by_sign = snapshot.game.position.board, highlighted_points(marks_of(snapshot))
    by_sign = (
        ({sign: points} for sign, points in points_by_sign.items())
        if {REFUSED, ASKED} & set(points_by_sign)
        else [points_by_sign]
    )
    return tuple(step for part in by_sign for step in _build_steps(board, part))


def frame_of(snapshot: TableSnapshot, t: float) -> Frame:
    """Return the lights at t, in seconds on any steady clock."""
    return frame_at(plan_animation(snapshot), snapshot.game.position.board, t)


def frame_at(steps: tuple[Step, ...], board: Board, t: float) -> Frame:
    """Return the lights at t, given the steps."""
    step, elapsed = _step_at(steps, t)
    rows, columns = (step.rows, step.columns) if step is not None else ((), ())
    return Frame(_light_lines(board.cols, columns, elapsed), _light_lines(board.rows, rows, elapsed))


def cycle_length(steps: tuple[Step, ...]) -> float:
    """Return the seconds after which the steps repeat; 0 without any."""
    return sum(step.lasts + GAP for step in steps) + (REST if len(steps) > 1 else 0)


def _step_at(steps: tuple[Step, ...], t: float) -> tuple[Step | None, float]:
    """Return the step that is shown at t, None in the dark, and the seconds since it began."""
    if not steps:
        return None, 0.0
    t %= cycle_length(steps)
    begins = [0.0, *accumulate(step.lasts + GAP for step in steps)]
    for step, begin in zip(steps, begins, strict=False):
        if begin <= t < begin + step.lasts:
            return step, t - begin
    return None, 0.0


def _light_lines(count: int, lines: Iterable[tuple[int, Sign]], elapsed: float) -> tuple[Rgb, ...]:
    lights = [DARK] * count
    for line, sign in lines:
        if sign.flashes == 1 or (elapsed < sign.flashes * PERIOD and elapsed % PERIOD < FLASH):
            lights[line] = sign.colour
    return tuple(lights)


def _owned_points(layout: Layout) -> dict[Sign, tuple[Point, ...]]:
    return {OWNERS[colour]: tuple(points_of(mask)) for colour, mask in zip(COLOURS, layout.owned, strict=False) if mask}


def _build_steps(board: Board, points_by_sign: Mapping[Sign, Iterable[Point]]) -> Iterator[Step]:
    """Yield the steps row by row from the top, equal rows together. In a count each point has the sign of its owner."""
    rows: dict[int, list[tuple[int, Sign]]] = defaultdict(list)
    for sign, points in points_by_sign.items():
        for point in points:
            row, col = divmod(point, board.cols)
            rows[row].append((col, sign))
    alike: dict[tuple[tuple[int, Sign], ...], list[int]] = defaultdict(list)
    for row in sorted(rows):
        alike[tuple(sorted(rows[row], key=lambda light: light[0]))].append(row)
    for columns, lines in alike.items():
        sign = columns[0][1] if columns[0][1] in (REFUSED, ASKED) else COUNTED
        yield Step(tuple((row, sign) for row in lines), columns)
