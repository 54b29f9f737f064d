"""Thirteen kinds of trouble for a camera over a table in a hall, laid over drawn pictures as they come.

Each is made from a seed and the time alone. What moves with the camera (sway, breathing) moves all that lies on the
table; what lies or walks on the table is put in before that; light, lens and the camera's own processing come after.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from vision.calibration.model import Grid
from vision.camera.frame import Image

MAINS = 100.37
"""Flickers of a lamp a second: no camera's clock keeps step with the mains."""
READ_OUT = 1 / 30
"""Seconds in which a rolling shutter reads a picture from top to bottom."""
DAMPING = 0.025
"""The share of the critical damping that a swing of the arm loses, as hardware/ASSEMBLY.md takes it."""
GRAINS = 5
"""So many pictures of noise come in turn."""
SHADOW = 4
"""Soft shadows are worked out in a picture so many times smaller."""


class Trouble(Protocol):
    """One kind of trouble."""

    def over(self, picture: Image, t: float) -> Image:
        """The picture as the trouble leaves it at t, seconds from the start."""

    def disturbs(self, t: float) -> bool:
        """Return whether it moves on the board at t, or lies over it: nobody could read the board then."""


class Calm:
    """A trouble that never lies over the board."""

    def disturbs(self, t: float) -> bool:
        """Never."""
        return False


@dataclass(frozen=True)
class Visit:
    """Something that comes at `begin`, is there from `there` to `leaves`, and is gone at `end`. number: which visit."""

    number: int
    begin: float
    there: float
    leaves: float
    end: float

    def reach(self, t: float) -> float:
        """Return how far it has come, 0 (away) to 1 (there)."""
        came = (t - self.begin) / (self.there - self.begin)
        left = (self.end - t) / (self.end - self.leaves)
        return float(np.clip(min(came, left), 0.0, 1.0))


def visits(seed: str, apart: float, stays: float, until: float) -> tuple[Visit, ...]:
    """Visits some `apart` seconds after each other, of some `stays` seconds."""
    chance, t, visits = random.Random(seed), 0.5 * apart, list[Visit]()
    while t < until:
        there, stay = t + chance.uniform(0.6, 1.2), stays * chance.uniform(0.6, 1.4)
        visits.append(Visit(len(visits), t, there, there + stay, there + stay + chance.uniform(0.5, 1.0)))
        t = visits[-1].end + apart * chance.uniform(0.7, 1.3)
    return tuple(visits)


def visit_at(visits: Sequence[Visit], t: float) -> Visit | None:
    """The visit under way."""
    return next((visit for visit in visits if visit.begin <= t <= visit.end), None)


# What lies, leans and walks on the table


@dataclass(frozen=True, eq=False)
class Visitor:
    """Something of this stuff comes over the board now and then, and lies over it."""

    grid: Grid
    found: tuple[Visit, ...]
    stuff: Image

    def over(self, picture: Image, t: float) -> Image:
        """The picture with whatever lies over the board at t, and its shadow."""
        visit = visit_at(self.found, t)
        if visit is None:
            return picture
        mask = np.zeros(picture.shape[:2], np.uint8)
        self._cut(mask, visit, t)
        return _lay_over(picture, _tile_picture(self.stuff, picture.shape), mask, self.grid.cell())

    def disturbs(self, t: float) -> bool:
        """While it is there."""
        return visit_at(self.found, t) is not None

    def _cut(self, mask: Image, visit: Visit, t: float) -> None:
        """Its outline at t, filled in."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Neighbour(Calm):
    """The board of the next table comes into view at the right, beside a picture of the own one. board: it drawn."""

    board: Image
    scale: float
    comes: float

    def over(self, picture: Image, t: float) -> Image:
        """The picture made wider by the place of that table."""
        high, wide = picture.shape[0], self.board.shape[1]
        beside = np.full((high, wide, 3), 90, np.uint8)
        if t >= self.comes:
            small = cv2.resize(self.board, None, fx=self.scale, fy=self.scale, interpolation=cv2.INTER_AREA)
            top = (high - small.shape[0]) // 2
            beside[top : top + small.shape[0], : small.shape[1]] = small
        return np.hstack([picture, beside])


class LeaningPlayer(Visitor):
    """A player leans over the board, head and shoulders, and hides most of it: from the near or the far side, never
    wholly still."""

    def _cut(self, mask: Image, visit: Visit, t: float) -> None:
        middle, cell = self.grid.middle(), self.grid.cell()
        side = 1 if visit.number % 2 else -1
        away = (1 - visit.reach(t)) * 18 + 2
        x = middle[0] + cell * (4 * math.sin(visit.number * 2.4) + 0.6 * math.sin(3.1 * t))
        y = middle[1] + side * cell * (away + 0.4 * math.sin(2.3 * t))
        for up, wide, tall in ((9.0, 13.0, 8.0), (0.0, 4.6, 5.6)):
            _oval(mask, x, y + side * up * cell, wide * cell, tall * cell)


class Cat(Visitor):
    """A cat walks over the board, sits down on it, and goes: body, head and a tail that swings, from above."""

    def _cut(self, mask: Image, visit: Visit, t: float) -> None:
        cell, middle = self.grid.cell(), self.grid.to_pixels(np.array([0.5, 0.35 + 0.3 * (visit.number % 2)]))
        way = 1 if t < visit.there else -1
        x = middle[0] - way * (1 - visit.reach(t)) * 24 * cell
        y = middle[1] + 0.2 * cell * math.sin(5 * t)
        _oval(mask, x, y, 4.6 * cell, 2.4 * cell)
        _oval(mask, x + 5.2 * cell, y, 1.8 * cell, 1.6 * cell)
        swing = 2.5 * cell * math.sin(2.0 * t)
        tail = np.array([[x - 4 * cell, y], [x - 7 * cell, y + swing / 2], [x - 9.5 * cell, y + swing]])
        cv2.polylines(mask, [np.rint(tail).astype(np.int32)], False, 255, max(2, round(0.8 * cell)))


@dataclass(frozen=True, eq=False)
class Cup(Calm):
    """A cup of tea stands beside the board, and somewhere else every while. spots: pixels."""

    spots: tuple[tuple[float, float], ...]
    wide: float
    every: float = 21.0

    def over(self, picture: Image, t: float) -> Image:
        """The cup from above."""
        turn = int(t / self.every)
        if turn == 0:
            return picture
        x, y = self.spots[turn % len(self.spots)]
        picture, radius = picture.copy(), self.wide / 2
        for share, colour in ((1.0, (196, 204, 210)), (0.88, (150, 158, 165)), (0.82, (28, 52, 86))):
            cv2.circle(picture, (round(x), round(y)), round(share * radius), colour, -1, cv2.LINE_AA)
        glint = (round(x - 0.35 * radius), round(y - 0.3 * radius))
        cv2.ellipse(picture, glint, (round(0.2 * radius), round(0.1 * radius)), 30, 0, 360, (190, 205, 220), -1)
        handle = (round(x + 1.15 * radius), round(y))
        cv2.ellipse(picture, handle, (round(0.3 * radius), round(0.25 * radius)), 0, 0, 360, (196, 204, 210), 4)
        return picture


@dataclass(frozen=True, eq=False)
class GameClock(Calm):
    """A game clock stands beside the board: its figures change each second, and a press moves it a little."""

    x: float
    y: float
    cell: float

    def over(self, picture: Image, t: float) -> Image:
        """The clock from above."""
        picture, cell = picture.copy(), self.cell
        x = round(self.x + 0.15 * cell * math.sin(int(t / 2.3)))
        y = round(self.y)
        wide, tall = round(3.4 * cell), round(6.5 * cell)
        cv2.rectangle(picture, (x - wide // 2, y - tall // 2), (x + wide // 2, y + tall // 2), (40, 38, 36), -1)
        for side, left in ((-1, 600 - int(t) // 2), (1, 600 - (int(t) + 1) // 2)):
            place = (x - wide // 2 + 4, round(y + side * 0.22 * tall))
            cv2.putText(picture, f"{left // 60}:{left % 60:02}", place, 0, cell / 28, (150, 230, 150), 2, cv2.LINE_AA)
            if int(2 * t) % 2:
                cv2.circle(picture, (x, round(y + side * 0.4 * tall)), max(2, round(0.2 * cell)), (40, 40, 250), -1)
        return picture


# How the camera moves


@dataclass(frozen=True)
class Sway(Calm):
    """The camera's arm sways all the time, by `least` to `most` pixels and 2 to 8 times a second."""

    seed: int
    least: float = 0.5
    most: float = 2.0

    def over(self, picture: Image, t: float) -> Image:
        """The picture moved."""
        chance = random.Random(f"sway {self.seed}")
        one, other, first, second = chance.uniform(2, 8), chance.uniform(2, 8), *(chance.uniform(0, 6) for _ in "ab")
        far = self.least + (self.most - self.least) * (0.5 + 0.5 * math.sin(t / 9 + first))
        across, down = math.sin(2 * math.pi * one * t + first), 0.6 * math.sin(2 * math.pi * other * t + second)
        return _warp_picture(picture, far * across, far * down, 1.0)


@dataclass(frozen=True)
class Swing:
    """A way to swing. frequency: Hz; pixels: how far the board's middle moves in the picture at first."""

    frequency: float
    pixels: float

    def at(self, t: float) -> float:
        """Pixels, t seconds after it began."""
        turned = 2 * math.pi * self.frequency * t
        return self.pixels * math.exp(-DAMPING * turned) * math.cos(turned)


@dataclass(frozen=True)
class BrushedArm(Calm):
    """The camera's arm swings as it is built: a sleeve brushes it, the table jumps, in turn. swings: those of each, in
    pixels of a picture in which usual pixels lie from line to line; cell: how many do here."""

    swings: tuple[tuple[Swing, ...], ...]
    cell: float
    usual: float = 29.0
    every: float = 6.0

    def over(self, picture: Image, t: float) -> Image:
        """The picture moved; it comes to rest before the next push."""
        number, since = int(t / self.every), t % self.every
        far = sum(swing.at(since) for swing in self.swings[number % len(self.swings)]) * self.cell / self.usual
        return _warp_picture(picture, far, 0.0, 1.0) if number % 4 < 2 else _warp_picture(picture, 0.0, far, 1.0)


@dataclass(frozen=True)
class FocusHunt(Calm):
    """The lens hunts for focus: the picture grows and shrinks by up to `share`, and blurs a little."""

    share: float = 0.006

    def over(self, picture: Image, t: float) -> Image:
        """The picture as the lens has it, which hunts two seconds in every five."""
        hunts = (t % 5) < 2
        if not hunts:
            return picture
        grown = math.sin(2 * math.pi * 0.9 * (t % 5))
        blurred = cv2.GaussianBlur(picture, (0, 0), 0.35 + 0.5 * abs(grown))
        return _warp_picture(np.asarray(blurred, np.uint8), 0.0, 0.0, 1 + self.share * grown)


# Light, lens and processing


@dataclass(frozen=True)
class Bands(Calm):
    """Lamps flicker a hundred times a second, and a rolling shutter shows it as bands of up to `most` of the light."""

    most: float = 0.3

    def over(self, picture: Image, t: float) -> Image:
        """Lighter and darker bands that roll through the picture; they come and go as lamps are switched."""
        strong = self.most * (0.5 - 0.5 * math.cos(t / 11))
        return draw_bands(picture, t, strong)


def draw_bands(picture: Image, t: float, depth: float, axis: int = 0) -> Image:
    """The picture as a rolling shutter takes it at t, lighter and darker in bands by `depth`, along its rows or (axis
    1) columns."""
    side = picture.shape[axis]
    light = 1 + depth * np.sin(2 * np.pi * MAINS * (np.arange(side) / side * READ_OUT + t))
    return _scale_light(picture, np.expand_dims(light, 1 - axis))


@dataclass(frozen=True)
class Dusk(Calm):
    """It gets dark, to `darkest` of the light in `lasts` seconds; then a warm lamp goes on, and again."""

    seed: int
    lasts: float = 60.0
    darkest: float = 0.25

    def over(self, picture: Image, t: float) -> Image:
        """The picture with that light, and the noise that comes with darkness."""
        share = (t % self.lasts) / self.lasts
        light = self.darkest**share
        warm = np.array([0.8, 0.95, 1.05] if int(t / self.lasts) % 2 else [1.0, 1.0, 1.0], np.float32)
        noise = np.random.default_rng([self.seed, round(t * 10)]).normal(0, 2.0, picture.shape[:2]).astype(np.float32)
        dim = (
            picture * np.float32(light**0.6) * warm + (noise * np.float32(1 / light - 1) ** np.float32(0.5))[..., None]
        )
        return np.asarray(np.clip(dim, 0, 255), np.uint8)


@dataclass(frozen=True)
class SharpeningWebcam(Calm):
    """A webcam that sharpens: halos round every edge."""

    strength: float = 1.5

    def over(self, picture: Image, t: float) -> Image:
        """The picture sharpened."""
        soft = cv2.GaussianBlur(picture, (0, 0), 1.3)
        return np.asarray(cv2.addWeighted(picture, 1 + self.strength, soft, -self.strength, 0), np.uint8)


@dataclass
class DenoisingWebcam(Calm):
    """A webcam that smooths over time where little changes: what is new shows itself bit by bit."""

    keeps: float = 0.75
    moving: float = 12.0
    _shown: Image | None = field(default=None, repr=False)

    def over(self, picture: Image, t: float) -> Image:
        """The picture mixed with those before."""
        if self._shown is None or self._shown.shape != picture.shape:
            self._shown = picture
            return picture
        apart = cv2.blur(cv2.cvtColor(cv2.absdiff(picture, self._shown), cv2.COLOR_BGR2GRAY), (5, 5))
        mixed = cv2.addWeighted(self._shown, self.keeps, picture, 1 - self.keeps, 0)
        self._shown = np.asarray(cv2.copyTo(picture, cv2.compare(apart, self.moving, cv2.CMP_GT), mixed), np.uint8)
        return self._shown


def _oval(mask: Image, x: float, y: float, wide: float, tall: float) -> None:
    cv2.ellipse(mask, (round(x), round(y)), (round(wide), round(tall)), 0, 0, 360, 255, -1)


def _lay_over(picture: Image, over: Image, mask: Image, cell: float) -> Image:
    """The picture with something laid over it, and its soft shadow."""
    small = cv2.resize(mask, None, fx=1 / SHADOW, fy=1 / SHADOW, interpolation=cv2.INTER_AREA)
    shade = cv2.resize(cv2.GaussianBlur(small, (0, 0), 0.6 * cell / SHADOW), mask.shape[::-1])
    darker = _scale_light(picture, 1 - 0.45 / 255 * shade)
    soft = cv2.merge([cv2.GaussianBlur(mask, (0, 0), 1.0)] * 3)
    under = cv2.multiply(darker, cv2.bitwise_not(soft), scale=1 / 255)
    return np.asarray(cv2.add(under, cv2.multiply(over, soft, scale=1 / 255)), np.uint8)


def _scale_light(picture: Image, light: np.ndarray) -> Image:
    """The picture with its light multiplied, place by place (h, w) or row by row (h, 1)."""
    whole = np.broadcast_to(light[..., None], picture.shape).astype(np.float32)
    return np.asarray(cv2.multiply(picture, whole, dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=4)
def _grains(seed: int, shape: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Noise of a deviation of 2 levels, kept, for drawing it takes long."""
    rng = np.random.default_rng([seed, 17])
    return tuple(rng.normal(0, 2.0, shape).astype(np.float32) for _ in range(GRAINS))


def _noise(seed: int, number: int, shape: tuple[int, ...], much: float) -> Image:
    """Return the noise that darkness adds; only what brightens, as whole levels."""
    return np.asarray(cv2.convertScaleAbs(_grains(seed, shape)[number], alpha=much), np.uint8)


def _tile_picture(tile: Image, shape: tuple[int, ...]) -> Image:
    across, down = -(-shape[1] // tile.shape[1]), -(-shape[0] // tile.shape[0])
    return np.tile(tile, (down, across, 1))[: shape[0], : shape[1]]


def _warp_picture(picture: Image, x: float, y: float, scale: float) -> Image:
    """Moved by so many pixels, and scaled about its middle."""
    high, wide = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), 0, scale)
    matrix[:, 2] += (x, y)
    return np.asarray(cv2.warpAffine(picture, matrix, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def stuff(seed: int, colour: Sequence[float], rough: float) -> Image:
    """A tile of cloth or fur in blue, green and red, with threads or hairs."""
    rng = np.random.default_rng([seed, 31])
    grain = cv2.GaussianBlur(rng.normal(0, 60, (256, 256)).astype(np.float32), (0, 0), 2.2, 0.7)
    broad = cv2.GaussianBlur(rng.normal(0, 900, (256, 256)).astype(np.float32), (0, 0), 18)
    return np.asarray(np.clip(np.array(colour) * (1 + rough * (grain + broad)[..., None] / 60), 0, 255), np.uint8)
