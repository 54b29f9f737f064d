"""The confidence of a lid's count: Platt scaling of features of the net's answers, fitted on rendered lids."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image
from vision.lids.net import PLACES, ROOM, SIDE, STEP, Answer

WEIGHTS = Path(__file__).parents[1] / "models" / "lids.json"
"""The shipped fit; vision/models/lids.md describes its training."""

# Chosen by hand unless said otherwise (docs/vision.md).
THERE, FAINT = 0.5, 0.02
"""The probability from which a stone is counted, and the one from which it is a doubt."""
STONE = 16.5
"""The approximate width of a stone, in the net's pixels: a lid is five to six stones across."""
NEAR = 0.45
"""The distance, in stone widths, below which two stones cannot be distinguished."""
REACH = 1.05
"""The radius around a lid's middle in which stones are searched, in its half widths."""
LIGHT, DARKEST, BURNT = 50.0, 20, 245
"""The level of a floor's darkest DARKEST percent from which black stones show, and the level from which nothing
shows.
"""
MOST, PLAIN = 9.0, 4.0
"""The range to which log-odds are clamped; beyond it they are as good as certain."""
VETO = np.array([1.4, 1.4, -MOST, 1.0, 1.0, 0.0, -1.0, NEAR, -4.0, 0.0, -1.0, 1.0, 2.5, -0.05])
"""The minimum of each feature, as in `_features`; below any of them a count is never sure, whatever the others are."""
FLOOR, NEAREST = 12, 7
"""The indices of two features: the floor's lightness, see `_exposed_floor`, and the distance between two stones."""
APART, UNDER = 1.12, 0.5
"""The distance between stones, in stone widths, below which one may lie under another, and the log-odds then required
in addition.
"""
SWOLLEN, SWELLING = 1.6, 3.0
"""The extent of a stone, in half widths (vision/lids/outline.py), above which one may lie under it; log-odds must then
be higher by SWELLING, and by UNDER too.
"""
DARK, DARKER = 40.0, 0.5
"""The level of a floor below which, if black stones or none are seen, log-odds must be higher by DARKER for each factor
of
e: a black stone may not show there.
"""
BEYOND, CERTAIN, NOTHING = 3.0, 3.9, 0.5
"""Two answers suffice for an empty lid, no darker than DARK, if log-odds are BEYOND the threshold, those of a single
layer, against a hand and against no lid are each CERTAIN, and neither answer sees as many as NOTHING stones by their
density. Chosen so that no lid with a stone passes for empty (vision/models/lids.md).
"""
EXPOSURE = slice(12, 14)
"""The features of the floor's exposure, see `_exposed_floor`."""
KINDS = (4, 5, 11)
"""The indices of the features of a single layer, against a hand and against no lid."""

Floats = npt.NDArray[np.float64]
Map = npt.NDArray[np.float32]
"""A map with one value for each place of the net's answer."""


@dataclass(frozen=True)
class Stone:
    """A stone on the net's map.

    `x`, `y`: its middle, in pixels of the net's square.
    `colour`: 0 black, 1 white.
    `p`: the probability that it is there.
    `other`: the probability that it is there in the other colour.
    `whole`: the probability that it is whole.
    """

    x: float
    y: float
    colour: int
    p: float
    other: float
    whole: float


@dataclass(frozen=True)
class Count:
    """The count of a lid from several answers.

    `stones`: the counted stones.
    `doubts`: the places that may be stones.
    `density`: black and white stones by their density.
    `piled`: the probability that stones lie on others.
    `covered`: the probability that a hand is over them.
    `features`: the features of a good count, see `_features`.
    """

    stones: tuple[Stone, ...]
    doubts: tuple[Stone, ...]
    density: tuple[float, float]
    piled: float
    covered: float
    features: Floats

    def colour_counts(self) -> tuple[int, int]:
        """Return the numbers of black and white stones seen."""
        return _count_by_colour(self.stones)


def count_stones(answers: Sequence[Answer], wide: float, tall: float, square: Image) -> Count:
    """Return the count of a lid's stones from several answers about a square; `wide`, `tall`: the lid's box."""
    inside = _inside_mask(wide, tall)
    places = np.mean([answer.places for answer in answers], axis=0)
    candidates = _find_stones(places, np.mean([answer.whole for answer in answers], axis=0), inside)
    stones = tuple(stone for stone in candidates if stone.p >= THERE)
    doubts = tuple(stone for stone in candidates if stone.p < THERE)
    black, white = (float(density) for density in np.mean([answer.counts for answer in answers], axis=0))
    piled = float(np.mean([answer.piled for answer in answers]))
    count = Count(stones, doubts, (black, white), piled, max(answer.covered for answer in answers), np.zeros(0))
    single_counts = [_count_by_colour(_find_stones(answer.places, answer.whole, inside)) for answer in answers]
    return replace(
        count,
        features=np.array([*_measure_features(count, answers, single_counts), *_exposed_floor(square, stones, inside)]),
    )


def _find_stones(places: Map, whole: Map, inside: Map) -> list[Stone]:
    """Return the stones and doubts of one map."""
    return _drop_duplicates(
        [s for colour in (0, 1) for s in _find_peaks(places[colour] * inside, colour, places[1 - colour], whole)]
    )


def _count_by_colour(stones: Sequence[Stone]) -> tuple[int, int]:
    black, white = (sum(1 for s in stones if s.colour == colour and s.p >= THERE) for colour in (0, 1))
    return black, white


def _inside_mask(wide: float, tall: float) -> Map:
    """Return 1 if a stone of a lid of any shape with such a box can be at a place, else 0, on the net's map."""
    steps = (np.arange(PLACES) * STEP + 0.5 - SIDE / 2) / (SIDE / 2) * ROOM
    longer_side = max(wide, tall)
    across, down = (steps * longer_side / wide) ** 4, (steps * longer_side / tall) ** 4
    return np.asarray(across + down[:, None] < REACH**4, np.float32)


def _find_peaks(chances: Map, colour: int, others: Map, whole: Map) -> list[Stone]:
    if chances.max() <= FAINT:
        return []
    smooth = cv2.GaussianBlur(chances, (5, 5), 1.0)
    down, across = np.nonzero((smooth == cv2.dilate(smooth, np.ones((5, 5)))) & (chances > FAINT))
    return [
        Stone(float(x * STEP), float(y * STEP), colour, float(chances[y, x]), float(others[y, x]), float(whole[y, x]))
        for y, x in zip(down, across, strict=True)
    ]


def _drop_duplicates(candidates: list[Stone]) -> list[Stone]:
    """Return the places without those too near a likelier one to be a second stone."""
    distinct: list[Stone] = []
    for stone in sorted(candidates, key=lambda stone: -stone.p):
        if all(np.hypot(stone.x - one.x, stone.y - one.y) > NEAR * STONE for one in distinct):
            distinct.append(stone)
    return distinct


def _measure_features(count: Count, answers: Sequence[Answer], alone: Sequence[tuple[int, int]]) -> list[float]:
    """Return the features of a good count, each of them the better the higher.

    They are: the log-odds of the least likely stone, against the likeliest doubt and against all doubts together; of
    the least whole stone; of a single layer and against a hand, by the more doubtful answer; the difference between
    density and count; the distance of the two nearest stones; the number of stones; the log-odds against the other
    colour; the difference between a single answer's count and this one; and the log-odds against no lid at all. From
    nearer by a lid's rim may not be visible: those answers count for the lid's content, not for whether it is one.
    """
    stones, doubts, counts = count.stones, count.doubts, np.array(count.colour_counts())
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


def _exposed_floor(square: Image, stones: tuple[Stone, ...], inside: Map) -> tuple[float, float]:
    """Return the floor's lightness beside the stones where it is darkest, as a logarithm, and minus its burnt share.

    Black stones vanish on a dark floor, white ones on a burnt one.
    """
    floor = (inside > 0).astype(np.uint8)
    for stone in stones:
        cv2.circle(floor, (round(stone.x / STEP), round(stone.y / STEP)), int(0.6 * STONE / STEP), 0, -1)
    floor_pixels = cv2.blur(square, (5, 5))[::STEP, ::STEP][floor > 0]
    if not len(floor_pixels):
        return float(np.log(LIGHT)), 0.0
    blue, green, red = floor_pixels.T
    darkest = float(np.percentile((blue.astype(np.float64) + green + red) / 3, DARKEST))
    is_burnt = np.minimum(np.minimum(blue, green), red) >= BURNT
    return min(float(np.log(darkest + 1)), float(np.log(LIGHT))), -float(is_burnt.mean())


def _log_odds(p: float) -> float:
    safe = min(max(p, 1e-9), 1 - 1e-9)
    return float(np.clip(np.log(safe / (1 - safe)), -MOST, PLAIN))


@dataclass(frozen=True, eq=False)
class PlattScaling:
    """A logistic regression of a count's standardised features.

    The coefficients are positive: a better feature never makes a count less sure.

    `mean`, `std`: the features', for their standardisation.
    `coefficients`, `intercept`: the regression's.
    `threshold`: the log-odds from which a count is sure.
    `confirming_threshold`: the log-odds from which a count confirms a number known by other means.
    """

    mean: Floats
    std: Floats
    coefficients: Floats
    intercept: float
    threshold: float
    confirming_threshold: float

    def log_odds(self, features: Floats) -> Floats:
        """Return the log-odds that counts with these features, shape (..., features), are right, of one open layer."""
        return np.asarray((features - self.mean) / self.std @ self.coefficients + self.intercept)


@cache
def load_platt_scaling() -> PlattScaling:
    """Return the shipped scaling."""
    values = json.loads(WEIGHTS.read_text())
    mean, std, coefficients = (np.array(values[name]) for name in ("mean", "std", "coefficients"))
    return PlattScaling(mean, std, coefficients, *(float(values[name]) for name in ("intercept", "threshold", "told")))


def is_sure(count: Count, reach: float = 1.0) -> bool:
    """Return True if the count can be relied on to be exact.

    Stones are then seen one by one and by their density alike, the log-odds are high enough and no single feature
    forbids it.
    `reach`: the maximum extent of a stone, from `vision.lids.outline.measure_widest_stone`.
    """
    return _is_confident(count, reach, load_platt_scaling().threshold)


def is_plainly_empty(count: Count) -> bool:
    """Return True if a count by two answers shows an empty lid so plainly that no more are needed."""
    certain = not count.stones and count.features[list(KINDS)].min() >= CERTAIN
    light = count.features[FLOOR] >= np.log(DARK + 1)
    return bool(certain and light and _is_confident(count, 0.0, load_platt_scaling().threshold + BEYOND))


def is_clear(count: Count, reach: float = 1.0) -> bool:
    """Return True if the count can confirm a number of stones known by other means.

    This is `is_sure` with a lower threshold. An empty count can confirm nothing: it has to be sure.
    """
    return _is_confident(
        count, reach, load_platt_scaling().confirming_threshold if count.stones else load_platt_scaling().threshold
    )


def _is_confident(count: Count, reach: float, least: float) -> bool:
    """Return True if the log-odds reach `least`, with margins for hidden stones, and nothing forbids it."""
    is_alike = all(
        round(density) == number for density, number in zip(count.density, count.colour_counts(), strict=True)
    )
    log_odds = float(load_platt_scaling().log_odds(count.features))
    return bool(is_alike and passes_vetoes(count.features) and log_odds >= least + _extra_log_odds(count, reach))


def _extra_log_odds(count: Count, reach: float) -> float:
    """Return the log-odds required in addition, for stones under others and on dark floors."""
    (black, white), floor, is_swollen = count.colour_counts(), float(count.features[FLOOR]), reach > SWOLLEN
    under = UNDER if is_swollen or count.features[NEAREST] < APART else 0.0
    dark = DARKER * max(0.0, float(np.log(DARK + 1)) - floor) if black or not white else 0.0
    return under + SWELLING * is_swollen + dark


def passes_vetoes(features: Floats) -> npt.NDArray[np.bool_]:
    """Return True if no single feature forbids relying on counts with these features, shape (..., features)."""
    return np.asarray((features >= VETO).all(axis=-1))
