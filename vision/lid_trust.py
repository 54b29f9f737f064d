"""How far a count of a lid can be trusted: what the net's answers say of it, weighed as rendered lids taught."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.lid_net import PLACES, ROOM, SIDE, STEP, Answer

WEIGHTS = Path(__file__).parent / "models" / "lids.json"
THERE, FAINT = 0.5, 0.02
"""A stone is counted where the map says so with this probability; down to FAINT it is a doubt."""
STONE = 16.5
"""A stone's width in the net's pixels, about: a lid is five to six stones across."""
NEAR = 0.45
"""Nearer than so many stone widths no two stones are told apart."""
REACH = 1.05
LIGHT = 80.0
MOST = 9.0
"""Odds are capped, as logarithms."""
AGAINST = np.array([1.4, 1.4, -MOST, 0.0, 0.0, 0.0, -0.5, NEAR, -4.0, 0.0, -2.0, 2.0, 0.0])
"""A count with any clue below this is never sure, whatever the others say: clues as in `_clues`."""

Floats = npt.NDArray[np.float64]


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
    black and white by their density. piled, covered: how likely stones lie on others, or a hand is over them. clues:
    what tells a good count, see `_clues`."""

    stones: tuple[Stone, ...]
    doubts: tuple[Stone, ...]
    density: tuple[float, float]
    piled: float
    covered: float
    clues: Floats

    def counts(self) -> tuple[int, int]:
        """Black and white stones that are seen."""
        black = sum(1 for stone in self.stones if stone.colour == 0)
        return black, len(self.stones) - black


def counted(answers: Sequence[Answer], wide: float, tall: float, square: Image) -> Count:
    """Count the stones of a lid by several answers about a square together. wide, tall: the lid's box."""
    inside = _inside(wide, tall)
    seen = np.mean([answer.places for answer in answers], axis=0)
    whole = np.mean([answer.whole for answer in answers], axis=0)
    found = [stone for colour in (0, 1) for stone in _peaks(seen[colour] * inside, colour, seen[1 - colour], whole)]
    found = _single(found)
    stones = tuple(stone for stone in found if stone.p >= THERE)
    doubts = tuple(stone for stone in found if stone.p < THERE)
    density = np.mean([answer.counts for answer in answers], axis=0)
    piled = float(np.mean([answer.piled for answer in answers]))
    covered = max(answer.covered for answer in answers)
    clues = _clues(answers, stones, doubts, inside, _light(square))
    return Count(stones, doubts, (float(density[0]), float(density[1])), piled, covered, clues)


def _inside(wide: float, tall: float) -> npt.NDArray[np.float32]:
    """1 where a stone of a lid with such a box can be seen, of whatever shape the lid is, else 0, on the net's map."""
    steps = (np.arange(PLACES) * STEP + 0.5 - SIDE / 2) / (SIDE / 2) * ROOM
    most = max(wide, tall)
    x, y = np.meshgrid(steps * most / wide, steps * most / tall)
    return np.asarray(x**4 + y**4 < REACH**4, np.float32)


def _peaks(chances: npt.NDArray[np.float32], colour: int, others: Floats, whole: Floats) -> list[Stone]:
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


def _clues(
    answers: Sequence[Answer],
    stones: tuple[Stone, ...],
    doubts: tuple[Stone, ...],
    inside: npt.NDArray[np.float32],
    light: float,
) -> Floats:
    """What tells a good count: log odds of the least likely stone, against the likeliest doubt and against all doubts
    together; of the least whole stone; of a single layer and against a hand, as the more doubtful answer has it; how
    far density and count differ; how near two stones lie; how many there are; against the other colour; how far the
    answers differ; against no lid at all; how light the lid is. The higher, the better, each of them."""
    counts = np.array([sum(1 for s in stones if s.colour == colour) for colour in (0, 1)])
    off = max(float(np.abs(np.array(answer.counts) - counts).max()) for answer in answers) / np.sqrt(1 + len(stones))
    gaps = [np.hypot(a.x - b.x, a.y - b.y) / STONE for k, a in enumerate(stones) for b in stones[:k]]
    risk = sum(1 - s.p for s in stones) + sum(s.p for s in doubts)
    differ = float((np.ptp([answer.places for answer in answers], axis=0) * inside).max())
    return np.array(
        [
            min((_odds(s.p) for s in stones), default=MOST),
            -max((_odds(s.p) for s in doubts), default=-MOST / 2),
            -np.log(risk + 1e-3),
            min((_odds(s.whole) for s in stones), default=MOST),
            min(_odds(a.single) for a in answers),
            -max(_odds(a.covered) for a in answers),
            -min(off, 2.0),
            min((min(g, 1.4) for g in gaps), default=1.4),
            -min(len(stones), 16) / 4,
            -max((_odds(s.other) for s in stones), default=-MOST),
            -differ,
            -max(_odds(a.missing) for a in answers),
            light,
        ]
    )


def _light(square: Image) -> float:
    """How light the middle of a square is, as a logarithm: dim lids are the noisier, the dimmer."""
    return float(min(np.log(square[SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4].mean() + 1), np.log(LIGHT)))


def _odds(p: float) -> float:
    safe = min(max(p, 1e-9), 1 - 1e-9)
    return float(np.clip(np.log(safe / (1 - safe)), -MOST, MOST))


@dataclass(frozen=True, eq=False)
class Weights:
    """Weighs a count's clues: their middle and spread, the weights of each layer, and from where on a count is sure."""

    middle: Floats
    spread: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: float
    least: float

    def score(self, clues: Floats) -> Floats:
        """Log odds that counts with these clues, shape (..., clues), are right and of a single open layer."""
        normal = (clues - self.middle) / self.spread
        return np.asarray(np.tanh(normal @ self.inner + self.inner_bias) @ self.outer + self.outer_bias)


@cache
def weights() -> Weights:
    """Those that are shipped."""
    values = json.loads(WEIGHTS.read_text())
    arrays = {name: np.array(values[name]) for name in ("middle", "spread", "inner", "inner_bias", "outer")}
    return Weights(**arrays, outer_bias=float(values["outer_bias"]), least=float(values["least"]))


def is_sure(count: Count) -> bool:
    """Whether the count is trusted to be exact: by the weights, and no single clue speaks against it."""
    return bool(speaks_for(count.clues) and weights().score(count.clues) >= weights().least)


def speaks_for(clues: Floats) -> npt.NDArray[np.bool_]:
    """Whether no single clue speaks against counts with these clues, shape (..., clues)."""
    return np.asarray((clues >= AGAINST).all(axis=-1))
