"""Charts as SVG: small ones side by side with two shares a step, and how far a reader's confidence can be believed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tests.support.vision.photographs import wilson

WIDE, HIGH, LEFT, TOP, GAP, ACROSS = 170, 90, 34, 26, 26, 4
TONES = ("#1f5fa8", "#c06a00")
NAMES = ("boards found", "points right")


def _size(width: float, height: float) -> str:
    """The attributes of a drawing that a page shows no larger than it is."""
    return f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'


def chart(panels: dict[str, list[tuple[float, float]]]) -> str:
    """An SVG drawing with a panel for each name: its steps from left to right, shares from 0 to 1 upward."""
    rows = -(-len(panels) // ACROSS)
    width, height = ACROSS * (WIDE + GAP) + LEFT, rows * (HIGH + GAP + TOP) + 24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {_size(width, height)} font-family="sans-serif">']
    parts.append(f'<rect width="{width}" height="{height}" fill="#ffffff"/>')
    for number, (name, steps) in enumerate(panels.items()):
        parts += _panel(LEFT + number % ACROSS * (WIDE + GAP), TOP + number // ACROSS * (HIGH + GAP + TOP), name, steps)
    for k, (name, tone) in enumerate(zip(NAMES, TONES, strict=True)):
        parts.append(f'<text x="{LEFT + 130 * k}" y="{height - 8}" font-size="12" fill="{tone}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(left: int, top: int, name: str, steps: list[tuple[float, float]]) -> list[str]:
    parts = [f'<text x="{left}" y="{top - 7}" font-size="13">{name}</text>']
    for share in (0.0, 0.5, 1.0):
        y = top + HIGH * (1 - share)
        parts.append(f'<path d="M{left} {y:g}h{WIDE}" stroke="#cccccc" fill="none"/>')
        parts.append(f'<text x="{left - 4}" y="{y + 4:g}" font-size="9" text-anchor="end">{share:.0%}</text>')
    for k, tone in enumerate(TONES):
        points = [
            (left + WIDE * n / max(1, len(steps) - 1), top + HIGH * (1 - step[k])) for n, step in enumerate(steps)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" stroke="{tone}" stroke-width="2" fill="none"/>')
    return parts


EDGES = (1 / 3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.0 + 1e-6)
Answers = npt.NDArray[np.float64]


def binned(of: Answers) -> Iterator[tuple[float, int, int]]:
    """Mean confidence, points and right points, of every step of confidence that occurs."""
    for low, high in pairwise(EDGES):
        there = of[(of[:, 0] >= low) & (of[:, 0] < high)]
        if len(there):
            yield float(there[:, 0].mean()), len(there), int(there[:, 1].sum())


def expected_error(of: Answers) -> float:
    """Return how far confidence and share of right points lie apart, in the mean over the points."""
    return sum(abs(n * confidence - right) for confidence, n, right in binned(of)) / len(of)


SQUARE, MARGIN = 420, 60
COLOURS = ("#1b6e3c", "#b3541e")


def diagram(series: dict[str, Answers]) -> str:
    """Share of right points over confidence, with 95% intervals, as SVG."""
    parts = [f'<rect x="{MARGIN}" y="20" width="{SQUARE}" height="{SQUARE}" fill="none" stroke="#888"/>']
    parts.append(
        f'<path d="M{_scale_point(1 / 3, 1 / 3)} L{_scale_point(1, 1)}" stroke="#888" '
        f'stroke-dasharray="4 4" fill="none"/>'
    )
    for tick in (0.4, 0.6, 0.8, 1.0):
        x, y = _scale_point(tick, tick).split()
        parts.append(f'<text x="{x}" y="{SQUARE + 38}" text-anchor="middle">{tick:.0%}</text>')
        parts.append(f'<text x="{MARGIN - 6}" y="{y}" text-anchor="end" dominant-baseline="middle">{tick:.0%}</text>')
    for (name, of), colour, line in zip(series.items(), COLOURS, (0, 1), strict=True):
        right, low = (
            MARGIN + SQUARE - 14,
            SQUARE - 20 + 20 * line,
        )  # where no mark of a good reader lies
        parts.append(f'<text x="{right}" y="{low}" fill="{colour}" text-anchor="end">{name}</text>')
        parts += [_mark(*step, colour) for step in binned(of)]
    parts.append(
        f'<text x="{MARGIN + SQUARE / 2}" y="{SQUARE + 62}" text-anchor="middle">confidence of the reader</text>'
    )
    parts.append(
        f'<text transform="translate(16 {20 + SQUARE / 2}) rotate(-90)" text-anchor="middle">points right</text>'
    )
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {_size(SQUARE + MARGIN + 20, SQUARE + 76)} '
        f'font-family="sans-serif" font-size="14" fill="#444">\n{body}\n</svg>\n'
    )


def _scale_point(confidence: float, share: float) -> str:
    x, y = ((value - 1 / 3) * 1.5 for value in (confidence, share))
    return f"{MARGIN + SQUARE * x:.1f} {20 + SQUARE * (1 - y):.1f}"


def _mark(confidence: float, points: int, right: int, colour: str) -> str:
    low, high = (max(end, 1 / 3) for end in wilson(right, points))
    x, y = _scale_point(confidence, max(right / points, 1 / 3)).split()
    bar = f'<path d="M{_scale_point(confidence, low)} L{_scale_point(confidence, high)}" stroke="{colour}" '
    bar += 'stroke-width="2"/>'
    return f'{bar}<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>'


BROAD, TALL = 320, 150
SHADES = ("#1f5fa8", "#c06a00", "#c9c9c9", "#b00020")


def stacked(panels: dict[str, list[list[float]]], names: tuple[str, ...], ends: tuple[str, str]) -> str:
    """An SVG drawing with a panel for each name: at each of its steps, from left to right, shares that add up to 1,
    one upon the other. names: of the shares. ends: what the first and the last step are."""
    width, height = LEFT + len(panels) * (BROAD + GAP), TOP + TALL + 60
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {_size(width, height)} font-family="sans-serif">']
    parts.append(f'<rect width="{width}" height="{height}" fill="#ffffff"/>')
    for number, (name, steps) in enumerate(panels.items()):
        left, bottom = LEFT + number * (BROAD + GAP), TOP + TALL
        parts.append(f'<text x="{left}" y="{TOP - 7}" font-size="13">{name}</text>')
        parts += [_layer(left, steps, k, shade) for k, shade in zip(range(len(names)), SHADES, strict=True)]
        for x, end, anchor in ((left, ends[0], "start"), (left + BROAD, ends[1], "end")):
            parts.append(f'<text x="{x}" y="{bottom + 14}" font-size="11" text-anchor="{anchor}">{end}</text>')
    for k, (name, shade) in enumerate(zip(names, SHADES, strict=True)):
        at = LEFT + 160 * k
        parts.append(f'<rect x="{at}" y="{height - 22}" width="12" height="12" fill="{shade}"/>')
        parts.append(f'<text x="{at + 18}" y="{height - 12}" font-size="12">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _layer(left: int, steps: list[list[float]], k: int, shade: str) -> str:
    """One share of every step, upon those before it."""
    xs = [left + BROAD * n / max(1, len(steps) - 1) for n in range(len(steps))]
    upper = [(x, TOP + TALL * (1 - sum(step[: k + 1]))) for x, step in zip(xs, steps, strict=True)]
    lower = [(x, TOP + TALL * (1 - sum(step[:k]))) for x, step in zip(xs, steps, strict=True)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*upper, *reversed(lower)])
    return f'<polygon points="{points}" fill="{shade}"/>'
