"""The prisoner lids: found beside the board, and their stones counted.

A count is sure only when three answers agree: the stones whose middles the net points to, none of them in doubt or too
near another; the number by their density; and that the lid lies open, without piles or a hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Box, Grid
from vision.frame import Image
from vision.lid_finding import best_pair, box_of, find_circles
from vision.lid_net import ROOM, SIDE, STEP, Answer, ask, cut

PLAIN = 0.8
"""A stone's middle is plain when the map says so with this probability; between that and FAINT it is in doubt."""
FAINT = 0.12
CLOSE = 0.7
"""Two middles nearer than this many stone widths: one lies on the other, or one was seen twice."""
AGREE, AGREE_MANY, MANY = 0.5, 1.0, 6
"""The number by density may be off by this much; by more where there are MANY stones."""
REACH = 0.92
"""A stone's middle lies within this share of the lid's half width."""
OPEN = (0.65, 0.85, 0.85, 0.95, 0.95, 0.96, 0.96)
OPEN_MANY = 0.93
"""How likely the lid must lie open, by the stones seen: a few can hide one under another best."""
STONE = 16.5
"""A stone's width in the net's pixels, about: a lid is five to six stones across."""
TURNS = np.linspace(0, 2 * np.pi, 24, endpoint=False)
MOST = 12
"""More stones than this are never sure."""
FULL, PILE, HIDDEN = 8.0, 0.6, 2.8
"""A lid as full as this that lies open with a lower probability than PILE is a pile: the density then tells of the
stones on top, and there may be HIDDEN times as many in all."""
CUT = 1.0
"""A box that ends within so many pixels of the picture's edge is of a lid that goes on beyond it."""
LOOKED_INTO = 8
"""So many of the plainest circles beside the board are looked into."""
HEAP = 14
"""A dish with more stones than this is a supply bowl."""
LEVEL = 0.5
"""Two lids lie level in the picture when their middles differ by less than this share of their height."""


@dataclass(frozen=True)
class LidReading:
    """What one lid holds. black, white: the likeliest counts; the ranges (lowest, highest) hold the truth.

    sure: both counts are exact. An unsure lid can be a pile, covered, or too dark to tell.
    """

    box: Box
    black: int
    white: int
    black_range: tuple[int, int]
    white_range: tuple[int, int]
    sure: bool


def find_lids(image: Image, grid: Grid) -> tuple[Box, ...]:
    """The boxes of the two lids beside the board, sides 1 and 2, or none when two are not plainly there."""
    circles, matrix = find_circles(image, grid)
    answers = {circle: ask(cut(image, box_of(circle, matrix))) for circle in circles[:LOOKED_INTO]}
    pair = best_pair({circle: said.open for circle, said in answers.items() if sum(said.counts) < HEAP})
    return () if pair is None else in_reading_order(*(box_of(circle, matrix) for circle in pair))


def in_reading_order(one: Box, other: Box) -> tuple[Box, Box]:
    """Two boxes as sides 1 and 2: the upper one first, or the left one when they lie level."""
    down = (other.y + other.h / 2) - (one.y + one.h / 2)
    if abs(down) < LEVEL * (one.h + other.h) / 2:
        return (one, other) if one.x <= other.x else (other, one)
    return (one, other) if down > 0 else (other, one)


def read_lid(image: Image, box: Box, stone: float) -> LidReading:
    """Count the prisoners in a lid. stone: a stone's expected width in pixels, to doubt a box of another scale."""
    square = cut(image, box)
    one, other = (_view(view, box) for view in (square, square[::-1, ::-1]))
    sure = one.sure and other.sure and one.counts == other.counts and _fits(image, box, stone)
    if sure:
        spans = [(count, count) for count in one.counts]
    else:
        spans = [
            (max(0, min(a[0], b[0]) - 1), max(a[1], b[1]) + 1) for a, b in zip(one.spans, other.spans, strict=True)
        ]
    return LidReading(box, one.counts[0], one.counts[1], spans[0], spans[1], sure)


@dataclass(frozen=True)
class _View:
    """What one view of a lid, upright or turned half round, gives: black and white counts, and their spans."""

    counts: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    sure: bool


def _view(square: Image, box: Box) -> _View:
    answer = ask(square)
    inside = _inside(box)
    black, light = (_middles(answer.middles[1 + colour] * inside) for colour in (0, 1))
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(square), cv2.COLOR_BGR2GRAY), np.float64)
    white = [middle for middle in light if not _is_reflection(grey, middle)]
    middles, spare = [black, white], len(light) - len(white)
    counts = tuple(sum(1 for _, _, p in found if p >= PLAIN) for found in middles)
    hidden = HIDDEN if answer.open < PILE and sum(answer.counts) >= FULL else 1.0
    spans = tuple(_range(found, density, hidden) for found, density in zip(middles, answer.counts, strict=True))
    return _View(counts, spans, _is_sure(answer, middles, counts, spare))


def _inside(box: Box) -> npt.NDArray[np.float32]:
    """1 where a stone's middle can lie in the lid's ellipse, else 0, on the net's map."""
    side, most = SIDE // STEP, max(box.w, box.h)
    steps = (np.arange(side) + 0.5 - side / 2) / (side / 2) * ROOM
    x, y = np.meshgrid(steps * most / box.w, steps * most / box.h)
    return np.asarray(x**2 + y**2 < REACH**2, np.float32)


Middle = tuple[float, float, float]
"""x and y in the net's pixels, and the probability."""


def _middles(chances: npt.NDArray[np.float32]) -> list[Middle]:
    """The peaks of a map of probabilities, the likeliest first."""
    smooth = cv2.blur(chances, (3, 3))
    peaks = (smooth == cv2.dilate(smooth, np.ones((3, 3)))) & (chances > FAINT)
    down, across = np.nonzero(peaks)
    order = np.argsort(-smooth[down, across])
    found: list[Middle] = []
    for k in order:
        x, y = float(across[k] * STEP), float(down[k] * STEP)
        if all(np.hypot(x - u, y - v) > 0.45 * STONE for u, v, _ in found):
            found.append((x, y, float(chances[down[k], across[k]])))
    return found


def _is_reflection(grey: npt.NDArray[np.float64], middle: Middle) -> bool:
    """A light place on a dark lid that fades into it, as a window's reflection does: a white stone ends at its rim."""
    x, y, p = middle
    rings = {radius: _ring(grey, x, y, radius) for radius in range(13)}
    inside, around = np.median([rings[r] for r in (0, 2, 4)]), max(20.0, float(np.median(rings[12])))
    steps = np.max([rings[r] - rings[r + 3] for r in range(4, 9)], axis=0)
    ends = float((steps > 0.3 * around).mean())
    return bool(p < 0.93 and around < 130 and inside < 1.9 * around and ends < 0.5)


def _ring(grey: npt.NDArray[np.float64], x: float, y: float, radius: int) -> npt.NDArray[np.float64]:
    across = np.clip(np.rint(x + radius * np.cos(TURNS)).astype(int), 0, grey.shape[1] - 1)
    down = np.clip(np.rint(y + radius * np.sin(TURNS)).astype(int), 0, grey.shape[0] - 1)
    return np.asarray(grey[down, across])


def _range(found: list[Middle], density: float, hidden: float) -> tuple[int, int]:
    """hidden: so many times as many as the density says there may be."""
    plain, all_of_them = sum(1 for _, _, p in found if p >= PLAIN), len(found)
    return min(plain, max(0, floor(density))), max(all_of_them, ceil(density * hidden))


def _is_sure(answer: Answer, middles: list[list[Middle]], counts: tuple[int, ...], spare: int) -> bool:
    """spare: light places that were told from stones; the density may count them or not."""
    every, total = middles[0] + middles[1], sum(counts)
    agree = AGREE if total < MANY else AGREE_MANY
    return (
        answer.open > (OPEN[total] if total < len(OPEN) else OPEN_MANY)
        and total <= MOST
        and all(p >= PLAIN for _, _, p in every)
        and abs(answer.counts[0] - counts[0]) < agree
        and -agree < answer.counts[1] - counts[1] < agree + spare
        and all(_apart(one, other) for k, one in enumerate(every) for other in every[:k])
    )


def _apart(one: Middle, other: Middle) -> bool:
    return float(np.hypot(one[0] - other[0], one[1] - other[1])) > CLOSE * STONE


def _fits(image: Image, box: Box, stone: float) -> bool:
    """The box lies in the picture, does not end just where the picture does, and is of a lid's size: four to nine
    stones across."""
    height, width = image.shape[:2]
    ends = ((box.x, box.w), (box.y, box.h), (width - box.x - box.w, box.w), (height - box.y - box.h, box.h))
    whole = all(room > -0.04 * across and abs(room) > CUT for room, across in ends)
    return whole and 3.8 < max(box.w, box.h) / stone < 9.5
