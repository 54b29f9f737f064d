"""How confident a count of a lid is: Platt scaling of what the net's answers say of it, fitted on rendered lids."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.lids.net import PLACES, ROOM, SIDE, STEP, Answer

WEIGHTS = Path(__file__).parents[1] / "models" / "lids.json"
"""The shipped fit; vision/models/lids.md tells how it was made."""

# Chosen by hand unless said otherwise (docs/vision.md).
THERE, FAINT = 0.5, 0.02
"""A stone is counted where the map says so with this probability; down to FAINT it is a doubt."""
STONE = 16.5
"""A stone's width in the net's pixels, about: a lid is five to six stones across."""
NEAR = 0.45
"""Nearer than so many stone widths no two stones are told apart."""
REACH = 1.05
"""How far from a lid's middle stones are looked for, in its half widths."""
LIGHT, DARKEST, BURNT = 50.0, 20, 245
"""A floor whose darkest fifth is as light as LIGHT shows black stones; from BURNT on nothing shows."""
MOST, PLAIN = 9.0, 4.0
"""Log-odds are clamped to -MOST and PLAIN, above which they are as good as certain."""
VETO = np.array([1.4, 1.4, -MOST, 1.0, 1.0, 0.0, -1.0, NEAR, -4.0, 0.0, -1.0, 1.0, 2.5, -0.05])
"""A count with any feature below this is never sure, whatever the others say: features as in `_features`."""
FLOOR, NEAREST = 12, 7
"""Of the features those that tell how light the floor is, see `_exposed`, and how near two stones lie."""
APART, UNDER = 1.12, 0.5
"""Where stones lie nearer than APART stone widths, log-odds have to be higher by UNDER: one may lie under another."""
SWOLLEN, SWELLING = 1.6, 3.0
"""Where a stone reaches farther than SWOLLEN half widths (vision/lids/outline.py), one may lie under it: log-odds have
to be higher by SWELLING, and by UNDER too."""
DARK, DARKER = 40.0, 0.5
"""On a floor darker than DARK, where black stones or none are seen, log-odds have to be higher by DARKER for each time
that it is darker by a factor of e: a black stone may not show there."""
BEYOND, CERTAIN, NOTHING = 3.0, 3.9, 0.5
"""Two answers suffice for an empty lid, no darker than DARK, when log-odds are BEYOND the threshold, those of a single
layer, against a hand and against no lid are each CERTAIN, and neither answer sees as many as NOTHING stones by their
density. Chosen so that no lid with a stone passes for empty (vision/models/lids.md)."""
KINDS = (4, 5, 11)
"""Of the features those of a single layer, against a hand and against no lid."""

Floats = npt.NDArray[np.float64]
Map = npt.NDArray[np.float32]
"""One value to each place of the net's answer."""


@dataclass(frozen=True)
class Stone:
    """A stone's middle on the net's map, in pixels of its square, its colour (0 black, 1 white), and how likely it is
    there, of the other colour, and whole."""

    x: float
    y: float
    colour: int
    p: float
    other: float
    whole: float


@dataclass(frozen=True)
class Count:
    """What several answers make of a lid. stones: those counted; doubts: places that may be stones. density:
    black and white by their density. piled, covered: how likely stones lie on others, or a hand is over them.
    features: what tells a good count, see `_features`."""

    stones: tuple[Stone, ...]
    doubts: tuple[Stone, ...]
    density: tuple[float, float]
    piled: float
    covered: float
    features: Floats

    def counts(self) -> tuple[int, int]:
        """Black and white stones that are seen."""
        return _counts(self.stones)


def counted(answers: Sequence[Answer], wide: float, tall: float, square: Image) -> Count:
    """Count the stones of a lid by several answers about a square together. wide, tall: the lid's box."""
    inside = _inside(wide, tall)
    seen = np.mean([answer.places for answer in answers], axis=0)
    found = _stones(seen, np.mean([answer.whole for answer in answers], axis=0), inside)
    stones = tuple(stone for stone in found if stone.p >= THERE)
    doubts = tuple(stone for stone in found if stone.p < THERE)
    black, white = (float(density) for density in np.mean([answer.counts for answer in answers], axis=0))
    piled = float(np.mean([answer.piled for answer in answers]))
    count = Count(stones, doubts, (black, white), piled, max(answer.covered for answer in answers), np.zeros(0))
    alone = [_counts(_stones(answer.places, answer.whole, inside)) for answer in answers]
    return replace(count, features=np.array([*_features(count, answers, alone), *_exposed(square, stones, inside)]))


def _stones(seen: Map, whole: Map, inside: Map) -> list[Stone]:
    """The stones and doubts of one map."""
    return _single([s for colour in (0, 1) for s in _peaks(seen[colour] * inside, colour, seen[1 - colour], whole)])


def _counts(found: Sequence[Stone]) -> tuple[int, int]:
    black, white = (sum(1 for s in found if s.colour == colour and s.p >= THERE) for colour in (0, 1))
    return black, white


def _inside(wide: float, tall: float) -> Map:
    """1 where a stone of a lid with such a box can be seen, of whatever shape the lid is, else 0, on the net's map."""
    steps = (np.arange(PLACES) * STEP + 0.5 - SIDE / 2) / (SIDE / 2) * ROOM
    most = max(wide, tall)
    x, y = np.meshgrid(steps * most / wide, steps * most / tall)
    return np.asarray(x**4 + y**4 < REACH**4, np.float32)


def _peaks(chances: Map, colour: int, others: Map, whole: Map) -> list[Stone]:
    if chances.max() <= FAINT:
        return []
    smooth = cv2.GaussianBlur(chances, (5, 5), 1.0)
    down, across = np.nonzero((smooth == cv2.dilate(smooth, np.ones((5, 5)))) & (chances > FAINT))
    return [
        Stone(float(x * STEP), float(y * STEP), colour, float(chances[y, x]), float(others[y, x]), float(whole[y, x]))
        for y, x in zip(down, across, strict=True)
    ]


def _single(found: list[Stone]) -> list[Stone]:
    """Of places too near each other to be two stones the likelier ones."""
    kept: list[Stone] = []
    for stone in sorted(found, key=lambda stone: -stone.p):
        if all(np.hypot(stone.x - one.x, stone.y - one.y) > NEAR * STONE for one in kept):
            kept.append(stone)
    return kept


def _features(count: Count, answers: Sequence[Answer], alone: Sequence[tuple[int, int]]) -> list[float]:
    """What tells a good count: log-odds of the least likely stone, against the likeliest doubt and against all doubts
    together; of the least whole stone; of a single layer and against a hand, as the more doubtful answer has it; how
    far density and count differ; how near two stones lie; how many there are; against the other colour; how far an
    answer alone has counted otherwise; against no lid at all. The higher, the better, each of them. From nearer by
    a lid's rim may not be seen: those answers are asked what lies in it, not whether it is one."""
    stones, doubts, counts = count.stones, count.doubts, np.array(count.counts())
    gaps = [np.hypot(a.x - b.x, a.y - b.y) / STONE for k, a in enumerate(stones) for b in stones[:k]]
    risk = sum(1 - s.p for s in stones) + sum(s.p for s in doubts)
    return [
        min((_log_odds(s.p) for s in stones), default=PLAIN),
        -max((_log_odds(s.p) for s in doubts), default=-PLAIN),
        -float(np.log(risk + 1e-3)),
        min((_log_odds(s.whole) for s in stones), default=PLAIN),
        min(_log_odds(a.single if a.larger == 1 else a.single / max(1 - a.missing, 1e-9)) for a in answers),
        min(_log_odds(1 - a.covered) for a in answers),
        -float(np.abs(np.array(count.density) - counts).max() / np.sqrt(1 + len(stones))),
        min((min(g, 1.4) for g in gaps), default=1.4),
        -min(len(stones), 16) / 4,
        min((_log_odds(1 - s.other) for s in stones), default=PLAIN),
        -float(np.abs(np.array(alone) - counts).max()),
        min(_log_odds(1 - a.missing) for a in answers if a.larger == 1),
    ]


def _exposed(square: Image, stones: tuple[Stone, ...], inside: Map) -> tuple[float, float]:
    """How light the floor beside the stones is where it is darkest, as a logarithm, and how little of it is burnt:
    black stones vanish in the one, white ones in the other."""
    floor = (inside > 0).astype(np.uint8)
    for stone in stones:
        cv2.circle(floor, (round(stone.x / STEP), round(stone.y / STEP)), int(0.6 * STONE / STEP), 0, -1)
    seen = cv2.blur(square, (5, 5))[::STEP, ::STEP][floor > 0]
    if not len(seen):
        return float(np.log(LIGHT)), 0.0
    darkest = float(np.percentile(seen.mean(axis=1), DARKEST))
    return min(float(np.log(darkest + 1)), float(np.log(LIGHT))), -float((seen.min(axis=1) >= BURNT).mean())


def _log_odds(p: float) -> float:
    safe = min(max(p, 1e-9), 1 - 1e-9)
    return float(np.clip(np.log(safe / (1 - safe)), -MOST, PLAIN))


@dataclass(frozen=True, eq=False)
class PlattScaling:
    """A logistic regression of a count's standardised features; coefficients are positive: a better feature never makes
    a count less sure. threshold: the log-odds from which on a count is sure. told: those from which on it confirms what
    is known by other means."""

    mean: Floats
    std: Floats
    coefficients: Floats
    intercept: float
    threshold: float
    told: float

    def log_odds(self, features: Floats) -> Floats:
        """That counts with these features, shape (..., features), are right and of a single open layer."""
        return np.asarray((features - self.mean) / self.std @ self.coefficients + self.intercept)


@cache
def platt_scaling() -> PlattScaling:
    """The one that is shipped."""
    values = json.loads(WEIGHTS.read_text())
    mean, std, coefficients = (np.array(values[name]) for name in ("mean", "std", "coefficients"))
    return PlattScaling(mean, std, coefficients, *(float(values[name]) for name in ("intercept", "threshold", "told")))


def is_sure(count: Count, reach: float = 1.0) -> bool:
    """Whether the count can be relied on to be exact: stones are seen one by one and by their density alike, its
    log-odds are high enough and no single feature forbids it. reach: how far a stone reaches at most, as
    `vision.lids.outline.widest` has it."""
    return _is_confident(count, reach, platt_scaling().threshold)


def is_plainly_empty(count: Count) -> bool:
    """Whether a count by two answers sees an empty lid so plainly that no more need be asked."""
    certain = not count.stones and count.features[list(KINDS)].min() >= CERTAIN
    light = count.features[FLOOR] >= np.log(DARK + 1)
    return bool(certain and light and _is_confident(count, 0.0, platt_scaling().threshold + BEYOND))


def is_clear(count: Count, reach: float = 1.0) -> bool:
    """Whether one who knows that so many stones must lie there may rely on the count: as `is_sure`, but it need not be
    that confident beside that knowledge. Where nothing is seen nothing can confirm it: then it has to be sure."""
    return _is_confident(count, reach, platt_scaling().told if count.stones else platt_scaling().threshold)


def _is_confident(count: Count, reach: float, least: float) -> bool:
    """Whether its log-odds are so high, with margins for what may not show, and nothing forbids it."""
    alike = all(round(density) == seen for density, seen in zip(count.density, count.counts(), strict=True))
    log_odds = float(platt_scaling().log_odds(count.features))
    return bool(alike and not_vetoed(count.features) and log_odds >= least + _margin(count, reach))


def _margin(count: Count, reach: float) -> float:
    """By how much log-odds have to be higher, for stones under others and on dark floors."""
    (black, white), floor, swollen = count.counts(), float(count.features[FLOOR]), reach > SWOLLEN
    under = UNDER if swollen or count.features[NEAREST] < APART else 0.0
    dark = DARKER * max(0.0, float(np.log(DARK + 1)) - floor) if black or not white else 0.0
    return under + SWELLING * swollen + dark


def not_vetoed(features: Floats) -> npt.NDArray[np.bool_]:
    """Whether no single feature forbids relying on counts with these features, shape (..., features)."""
    return np.asarray((features >= VETO).all(axis=-1))
