"""Lids composed from photographs: real stones on real woods and cloths, in hollows of any build, in soft light.

Drawn lids alone teach a net to take reflections and the grain of real wood for stones. Pictures are composed at twice
the size that is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.lids.net import ROOM, SIDE
from vision.render.scene import LID_STONE, LidKind, LidStone
from vision.training.drawn_lids import MANNERS, thrown_lid
from vision.training.lids.photos import STONE, Photos, Stones, read_photos
from vision.training.lids.samples import NONE, SCENES, SQUARE_SIDE, Sample, pick_counts

FINE = 2 * SQUARE_SIDE
"""Side of a composed picture, in pixels."""
HALF = FINE * SIDE / (ROOM * SQUARE_SIDE) / 2
"""A lid's half width in those pixels."""
COVERS = 0.015
"""Share of the square's middle above which a hand counts as covering the lid."""
WITHIN = 0.95
"""Share of a cut stone's radius that is used: its rim contains old surroundings."""

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Lid:
    """A lid's build.

    plane: (2, 2), from lid radii to pixels.
    middle: its middle, in pixels.
    corner: as of a LidKind.
    opening, floor: half widths in lid radii.
    sunk: offset of the floor from the rim's middle in the picture, in pixels.
    light: direction the light comes from, a unit vector.
    stone: a stone's radius, in lid radii.
    """

    plane: npt.NDArray[np.float64]
    middle: npt.NDArray[np.float64]
    corner: float
    opening: float
    floor: float
    sunk: npt.NDArray[np.float64]
    light: npt.NDArray[np.float64]
    stone: float

    def radial_distances(self, offset: npt.NDArray[np.float64] | float = 0.0) -> Floats:
        """Return each pixel's distance in lid radii from the middle moved by `offset`."""
        x, y = self.pixel_coordinates(offset)
        return np.asarray((np.abs(x) ** self.corner + np.abs(y) ** self.corner) ** (1 / self.corner), np.float32)

    def pixel_coordinates(self, offset: npt.NDArray[np.float64] | float = 0.0) -> tuple[Floats, Floats]:
        """Return each pixel in lid radii, from the middle moved by `offset`."""
        steps = np.arange(FINE, dtype=np.float32)
        left, top = self.middle + offset
        inverse = np.linalg.inv(self.plane).astype(np.float32)
        x, y = np.meshgrid(steps - np.float32(left), steps - np.float32(top))
        return inverse[0, 0] * x + inverse[0, 1] * y, inverse[1, 0] * x + inverse[1, 1] * y


def paste_lids(folder: Path, seed: int) -> Iterator[Sample]:
    """Yield a few lids composed from the photographs in that folder: pixels, stones and trouble as in `Samples`."""
    rng = np.random.default_rng([seed, 22])
    for _ in range(SCENES):
        yield _paste_sample(read_photos(folder), rng)


def _paste_sample(source: Photos, rng: np.random.Generator) -> Sample:
    picture, stones, trouble = lid_picture(source, rng)
    return simulate_camera(rng, picture), stones, trouble


def lid_picture(source: Photos, rng: np.random.Generator) -> tuple[Floats, Floats, np.int64]:
    """Compose a lid at the finer size; return it with its stones and trouble as in `Samples`."""
    lid = _random_lid_build(rng)
    picture = _paint_empty_lid(rng, lid, source)
    kind = LidKind(corner=lid.corner, wide=LID_STONE / lid.stone, opening=lid.opening, floor=lid.floor)
    lid_stones = thrown_lid(rng, *pick_counts(rng), kind, str(rng.choice(MANNERS, p=[0.3, 0.4, 0.3])))
    outlines = _lay_stones(rng, picture, lid, lid_stones, source.stones[int(rng.integers(len(source.stones)))])
    hand_mask = np.zeros((FINE, FINE), np.uint8)
    if rng.random() < 0.13:
        _paint_hand(rng, picture, hand_mask, source)
    stones = _visible_stones(lid_stones, outlines, hand_mask > 0)
    is_covered = hand_mask[FINE // 8 : -FINE // 8, FINE // 8 : -FINE // 8].mean() > COVERS * 255
    trouble = np.int64(2 if is_covered else int(any(stone.layer for stone in lid_stones)))
    return picture, stones, trouble


# The empty lid


def _random_lid_build(rng: np.random.Generator) -> Lid:
    turn, squat = rng.uniform(0, np.pi), rng.uniform(0.55, 1.0)
    corner = 2.0 if rng.random() < 0.75 else float(rng.uniform(3.0, 9.0))
    spin = rng.uniform(0, np.pi) if rng.random() < 0.4 else 0.0
    stretch = 1.0 if rng.random() < 0.6 else rng.uniform(1.05, 1.45)
    long = _make_rotation(spin) @ np.diag([np.sqrt(stretch), 1 / np.sqrt(stretch)])
    plane = _make_rotation(turn) @ np.diag([1.0, squat]) @ _make_rotation(rng.uniform(0, np.pi)) @ long
    angles = np.linspace(0, 2 * np.pi, 60)
    ring = np.stack([np.cos(angles), np.sin(angles)])
    ring /= (np.abs(ring) ** corner).sum(axis=0) ** (1 / corner)
    reach = float(np.abs(plane @ ring).max())
    plane = plane * HALF / reach * np.exp(rng.normal(0, 0.025))
    opening = float(rng.uniform(0.68, 0.96))
    floor = opening * float(rng.uniform(0.84, 0.97))
    down = _make_rotation(turn) @ np.array([0.0, 1.0]) * HALF * np.sqrt(1 - squat**2)
    sunk = down * rng.uniform(0.02, 0.2) * (1 if rng.random() < 0.5 else -1)
    angle = rng.uniform(0, 2 * np.pi)
    stone = min(float(1 / rng.uniform(4.4, 6.8)) / np.sqrt(stretch), 0.3 * floor)
    middle = FINE / 2 + rng.normal(0, 0.015, 2) * 2 * HALF
    return Lid(plane, middle, corner, opening, floor, sunk, np.array([np.cos(angle), np.sin(angle)]), stone)


def _make_rotation(turn: float) -> npt.NDArray[np.float64]:
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _paint_empty_lid(rng: np.random.Generator, lid: Lid, source: Photos) -> Floats:
    """Paint the lid without stones on its ground, shape (FINE, FINE, 3)."""
    picture = _pick_ground(rng, source)
    outer, foot = (
        lid.radial_distances(),
        lid.radial_distances(-lid.sunk * rng.uniform(0.3, 1.0)) / np.float32(rng.uniform(0.78, 0.95)),
    )
    shade = cv2.GaussianBlur(
        _make_soft_mask(np.minimum(lid.radial_distances(-lid.light * HALF * rng.uniform(0.03, 0.2)), foot)), (0, 0), 9
    )
    picture *= 1 - np.float32(rng.uniform(0.2, 0.75)) * shade[..., None]
    stuff = _random_material(rng, source)
    wall = stuff * np.float32(rng.uniform(0.4, 0.8)) * _slope_light(lid, outer, -rng.uniform(0, 0.5))[..., None]
    _lay_over(picture, wall, _make_soft_mask(np.minimum(outer, foot)))
    rim = stuff * np.float32(rng.uniform(0.8, 1.15)) * _slope_light(lid, outer, rng.uniform(-0.25, 0.25))[..., None]
    _lay_over(picture, rim, _make_soft_mask(outer))
    inside = stuff if rng.random() < 0.7 else _random_material(rng, source)
    _lay_over(
        picture,
        inside * _hollow_light(rng, lid)[..., None] + _draw_gleams(rng, lid),
        _make_soft_mask(outer / lid.opening),
    )
    return picture


def _pick_ground(rng: np.random.Generator, source: Photos) -> Floats:
    """Return a part of a picture without stones, at a random rotation and brightness."""
    picture = source.grounds[int(rng.integers(len(source.grounds)))]
    side = int(min(picture.shape[:2]) * rng.uniform(0.3, 1.0))
    top, left = (int(rng.integers(0, n - side + 1)) for n in picture.shape[:2])
    part = cv2.resize(picture[top : top + side, left : left + side], (FINE, FINE), interpolation=cv2.INTER_LINEAR)
    part = np.rot90(part, int(rng.integers(4)))
    gain = np.exp(rng.normal(-0.15, 0.35)) * np.exp(rng.normal(0, 0.1, 3))
    return np.asarray(np.ascontiguousarray(part, np.float32) * np.asarray(gain, np.float32), np.float32)


def _random_material(rng: np.random.Generator, source: Photos) -> Floats:
    """Return a lid's material: a picture's own colours, or its grain in another colour, from black to white."""
    grain = _pick_ground(rng, source)
    if rng.random() < 0.5:
        return grain
    level = float(rng.choice([rng.uniform(8, 40), rng.uniform(40, 150), rng.uniform(170, 245)], p=[0.3, 0.45, 0.25]))
    colour = level * np.exp(rng.normal(0, 0.12, 3)) * np.array([0.85, 0.97, 1.1]) ** rng.uniform(-0.5, 2.0)
    detail = grain.mean(axis=-1, keepdims=True)
    detail = 1 + (detail / max(float(detail.mean()), 4.0) - 1) * np.float32(rng.uniform(0, 0.8))
    return np.asarray(np.clip(detail, 0.3, 2.5) * np.clip(colour, 4, 250), np.float32)


def _make_soft_mask(distance: Floats) -> Floats:
    """Return 1 inside an outline given by `distance` = 1, with a soft edge."""
    return np.asarray(np.clip((1 - distance) * np.float32(0.6 * HALF) + np.float32(0.5), 0, 1), np.float32)


def _lay_over(picture: Floats, paint: Floats, mask: Floats) -> None:
    picture += (paint - picture) * mask[..., None]


def _slope_light(lid: Lid, distance: Floats, amount: float) -> Floats:
    """Return a gain that is lighter toward the light (darker if `amount` is below 0), by direction from the middle."""
    steps = np.arange(FINE, dtype=np.float32)
    x, y = np.meshgrid(steps - np.float32(lid.middle[0]), steps - np.float32(lid.middle[1]))
    toward = (x * lid.light[0] + y * lid.light[1]) / np.maximum(np.hypot(x, y), 1)
    return np.asarray(1 + amount * toward, np.float32)


def _hollow_light(rng: np.random.Generator, lid: Lid) -> Floats:
    """Return the light inside: dark or light toward the wall, across the hollow, in rings, and under the rim."""
    x, y = lid.pixel_coordinates(lid.sunk)
    distance = lid.radial_distances(lid.sunk)
    across = x * np.float32(lid.light[0]) + y * np.float32(lid.light[1])
    light = 1 + np.float32(rng.normal(0, 0.35)) * across + np.float32(rng.normal(-0.1, 0.25)) * distance**3
    light += np.float32(rng.choice([0.0, rng.uniform(0, 0.06)])) * np.sin(distance * np.float32(rng.uniform(20, 70)))
    wall = np.clip((distance - lid.floor * 0.95) / (lid.opening * 1.05 - lid.floor * 0.95), 0, 1)
    light *= 1 + wall * (np.float32(rng.uniform(-0.5, 0.1)) + np.float32(rng.uniform(-0.6, 0.6)) * across)
    rim = _make_soft_mask(lid.radial_distances(-lid.light * HALF * rng.uniform(0.0, 0.25)) / lid.opening)
    shadow = cv2.GaussianBlur(rim, (0, 0), float(rng.uniform(1, 8)))
    return np.asarray(np.maximum(light, 0.15) * (1 - np.float32(rng.uniform(0, 0.6)) * (1 - shadow)), np.float32)


def _draw_gleams(rng: np.random.Generator, lid: Lid) -> Floats:
    """Return the reflections of lamps and windows: soft spots, crescents along the wall, and rays of turned wood."""
    x, y = lid.pixel_coordinates(lid.sunk)
    light = np.zeros((FINE, FINE, 1), np.float32)
    strength = rng.uniform(10, 110)
    for _ in range(int(rng.integers(0, 3))):
        spot = rng.uniform(-0.7, 0.7, 2)
        along, aside = _make_rotation(rng.uniform(0, np.pi)) @ np.stack([x - spot[0], y - spot[1]]).reshape(2, -1)
        size = rng.uniform(0.05, 0.4, 2)
        power = rng.choice([2, 2, 6])
        glow = np.exp(-((np.abs(along / size[0])) ** power) - np.abs(aside / size[1]) ** power)
        light[..., 0] += np.float32(strength) * glow.reshape(FINE, FINE).astype(np.float32)
    if rng.random() < 0.4:
        angle, out = np.arctan2(y, x) - rng.uniform(0, 2 * np.pi), np.hypot(x, y)
        rays = np.abs(np.cos(angle / rng.choice([1, 2]))) ** rng.uniform(4, 40)
        light[..., 0] += (
            np.float32(strength * rng.uniform(0.3, 1))
            * rays
            * np.exp(-(((out - rng.uniform(0, 0.8)) / rng.uniform(0.15, 0.5)) ** 2))
        )
    return light * rng.uniform(0.75, 1.15, 3).astype(np.float32)


# The stones


def _lay_stones(
    rng: np.random.Generator, picture: Floats, lid: Lid, lid_stones: tuple[LidStone, ...], cuts: Stones
) -> list[npt.NDArray[np.float64]]:
    """Paint the stones into the picture, the lowest first; return their shapes and middles in it, (2, 3) each."""
    gain = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.06, 3))
    turn, depth, dark = int(rng.integers(4)), rng.uniform(0.08, 0.35), rng.uniform(0.15, 0.7)
    up = -lid.sunk / max(float(np.linalg.norm(lid.sunk)), 1e-6)
    squat = np.linalg.svd(lid.plane, compute_uv=False)
    rise = up * squat[0] * lid.stone * 0.7 * float(np.sqrt(max(0.0, 1 - (squat[1] / squat[0]) ** 2)))
    outlines: list[npt.NDArray[np.float64]] = []
    for stone in lid_stones:
        middle = lid.middle + lid.sunk + lid.plane @ np.array([stone.x, stone.y]) + rise * stone.layer
        shape = np.column_stack([_disc_map(lid), middle])
        outlines.append(shape)
    for k in sorted(range(len(lid_stones)), key=lambda k: lid_stones[k].layer):
        pool = cuts.white if lid_stones[k].colour is Colour.WHITE else cuts.black
        paint = np.rot90(pool[int(rng.integers(len(pool)))], turn).astype(np.float32) * gain.astype(np.float32)
        _lay_stone(picture, paint, outlines[k], -lid.light * depth, dark)
    return outlines


def _disc_map(lid: Lid) -> npt.NDArray[np.float64]:
    """Return the map from a stone's unit disc to the picture: a stone is thick, so it looks rounder than the lid."""
    left, (long, short), _ = np.linalg.svd(lid.plane)
    radius = lid.stone * np.sqrt(abs(np.linalg.det(lid.plane)) * long / short)
    squat = short / long
    return np.asarray(left @ np.diag([1.0, np.sqrt(squat**2 + (1 - squat**2) * 0.16)]) @ left.T * radius)


def _lay_stone(
    picture: Floats, paint: Floats, shape: npt.NDArray[np.float64], slide: npt.NDArray[np.float64], dark: float
) -> None:
    """Paint a stone and its shadow.

    picture: the picture to paint into.
    paint: the stone's photograph.
    shape: its shape and middle in the picture, (2, 3).
    slide: offset of its shadow, in its radii.
    dark: darkness of its shadow.
    """
    reach = float(np.abs(shape[:, :2]).sum(axis=1).max()) * 1.6 + 3
    left, top = (max(0, int(n - reach)) for n in shape[:, 2])
    right, bottom = (min(FINE, int(n + reach) + 1) for n in shape[:, 2])
    if right - left < 2 or bottom - top < 2:
        return
    part = picture[top:bottom, left:right]
    steps = np.meshgrid(np.arange(left, right) - shape[0, 2], np.arange(top, bottom) - shape[1, 2])
    inverse = np.linalg.inv(shape[:, :2])
    u, v = (inverse[k, 0] * steps[0] + inverse[k, 1] * steps[1] for k in (0, 1))
    distance = np.hypot(u, v)
    sharp = float(np.sqrt(abs(np.linalg.det(shape[:, :2]))))
    shadow_distance = np.hypot(*(inverse @ slide * sharp)[:, None, None] * -1 + np.stack([u, v]))
    shadow = np.clip((1.35 - shadow_distance) / 0.6, 0, 1) * dark
    part *= (1 - shadow * (distance > 0.9))[..., None].astype(np.float32)
    stone_pixels = (np.stack([u, v]) * STONE / 2 * WITHIN + STONE / 2 - 0.5).astype(np.float32)
    stone_paint = cv2.remap(paint, stone_pixels[0], stone_pixels[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = np.clip((1 - distance) * sharp + 0.5, 0, 1)[..., None].astype(np.float32)
    part += (stone_paint - part) * cover


def _paint_hand(rng: np.random.Generator, picture: Floats, hand_mask: Pixels, source: Photos) -> None:
    """Paint a hand or a sleeve: a bundle of thick lines that comes in from the edge, in skin or cloth."""
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    tip = FINE / 2 + rng.uniform(-0.45, 0.6) * HALF * -way + rng.normal(0, 0.35, 2) * HALF
    thick = rng.uniform(0.16, 0.3) * HALF
    side = np.array([-way[1], way[0]])
    for k in range(int(rng.integers(1, 5))):
        end = tip + side * thick * 0.95 * k - way * rng.uniform(0, 0.3) * HALF
        start = end - way * FINE + side * rng.normal(0, 0.25) * HALF
        ends = np.array([start, end]).astype(int).tolist()
        cv2.line(hand_mask, ends[0], ends[1], 255, int(thick))
    level = rng.uniform(40, 230)
    skin = level * np.array([0.55, 0.68, 1.0]) * np.exp(rng.normal(0, 0.08, 3))
    cover = hand_mask.astype(np.float32) / 255
    edge = cv2.GaussianBlur(cover, (0, 0), thick / 5)
    paint = skin.astype(np.float32) * (0.4 + 0.7 * edge[..., None]) if rng.random() < 0.7 else _pick_ground(rng, source)
    shadow = cv2.GaussianBlur(cover, (0, 0), thick / 2)
    picture *= 1 - np.float32(rng.uniform(0, 0.5)) * shadow[..., None]
    _lay_over(picture, np.asarray(paint, np.float32), np.asarray(cv2.GaussianBlur(cover, (0, 0), 1.2), np.float32))


def _visible_stones(
    lid_stones: tuple[LidStone, ...], outlines: list[npt.NDArray[np.float64]], hand_mask: Mask
) -> Floats:
    """Return the visible stones, in kept pixels, as in `Samples.stones`."""
    stones = NONE.copy()
    owner, areas = np.full((FINE, FINE), -1, np.int16), {}
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    for k in sorted(range(len(lid_stones)), key=lambda k: lid_stones[k].layer):
        mask = np.zeros((FINE, FINE), np.uint8)
        ring = (outlines[k][:, :2] @ circle).T + outlines[k][:, 2]
        cv2.fillConvexPoly(mask, np.rint(ring * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        owner[mask > 0] = k
        areas[k] = max(int(mask.sum()), 1)
    owner[hand_mask] = -1
    for k, area in areas.items():
        down, across = np.nonzero(owner == k)
        middle = (across.mean() / 2 - 0.25, down.mean() / 2 - 0.25) if len(down) else (0.0, 0.0)
        stones[k] = (*middle, lid_stones[k].colour is Colour.WHITE, len(down) / area, lid_stones[k].layer > 0)
    return stones


# The camera


def simulate_camera(rng: np.random.Generator, picture: Floats) -> Pixels:
    """Simulate a camera: blurred, half as large, at a random exposure, with noise and compression."""
    blur = float(rng.choice([rng.uniform(0.4, 1.2), rng.uniform(1.2, 3.0)], p=[0.75, 0.25]))
    small = cv2.resize(
        cv2.GaussianBlur(picture, (0, 0), blur), (SQUARE_SIDE, SQUARE_SIDE), interpolation=cv2.INTER_AREA
    )
    exposure = np.exp(rng.normal(0.1, 0.25)) if rng.random() < 0.85 else rng.uniform(0.15, 0.6)
    warm = rng.normal(0, 0.12)
    levels = small * np.asarray(exposure * np.exp(np.array([-warm, rng.normal(0, 0.03), warm])), np.float32)
    noise = np.asarray(rng.standard_normal(small.shape), np.float32) * np.float32(rng.gamma(1.5, 1.5))
    pixels = np.clip(levels + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 96))])[1]
        pixels = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
    return pixels
