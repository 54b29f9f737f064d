"""A lid of a drawn table followed step by step, as hands add and remove stones and light and camera move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.game.board import Colour
from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.lids.count import LidReading, read_lid
from vision.lids.memory import LidMemory
from vision.render.looks import club_look
from vision.render.scene import LID_FLOOR, LID_STONE, Hand, LidStone, Scene, lid_stone
from vision.render.table import Table
from vision.training.drawn_lids import aim_at_lid
from vision.training.drawn_looks import random_look

FIRST = 700_000
"""Seeds from here on: training uses small ones."""
SIDE = 220
"""Pixels a side of a drawn lid's picture."""
STEPS = 12
MOST = 12
WIDE = 2 * LID_STONE
"""A stone's width in lid radii."""

Lid = tuple[LidStone, ...]


@dataclass(frozen=True)
class Step:
    """An event at a lid, and two pictures of it afterwards."""

    what: str
    trouble: str
    pictures: tuple[Image, Image]
    box: Box
    stone: float
    black: int
    white: int


def sequence(seed: int, club: bool) -> Iterator[Step]:
    """One lid followed through STEPS steps, from none to two stones on."""
    rng = np.random.default_rng(FIRST + seed)
    look = club_look(FIRST + seed, 9, 1280, 720) if club else random_look(rng, 19, 1280, 720)
    side = int(rng.integers(2))
    table = Table(aim_at_lid(look, side, SIDE, float(rng.uniform(0.62, 0.95)), rng.uniform(-0.06, 0.06, 2)))
    box = Table.lid_box(table.look, side)
    lid: Lid = ()
    for _ in range(int(rng.integers(3))):
        lid = _added(lid, rng)
    what, gain, shift = "begun", 1.0, np.zeros(2)
    for number in range(STEPS):
        if number:
            lid, what = _handled(lid, rng)
        trouble = _trouble(rng) if number else "none"
        lid = _slid(lid, rng) if trouble == "slid" else lid
        gain = gain * rng.uniform(0.95, 1.05) if trouble == "exposure" else gain + 0.5 * (1 - gain)
        shift = shift + rng.uniform(-4, 4, 2) if trouble == "nudged" else shift
        hand = Hand(table.lid_point(side), "bottom", float(rng.uniform(0.8, 1.0))) if trouble == "hand" else None
        scene = Scene(("." * look.size,) * look.size, (lid, ()) if side == 0 else ((), lid), hand)
        shade = _shade(rng) if trouble == "shadow" else np.ones((SIDE, SIDE), np.float32)
        images = (table.draw(scene, 2 * number + k).pixels for k in (0, 1))
        one, two = (_photograph(pixels, shade * gain, shift, 2 * number + k) for k, pixels in enumerate(images))
        counts = [sum(stone.colour is colour for stone in lid) for colour in (Colour.BLACK, Colour.WHITE)]
        yield Step(what, trouble, (one, two), box, LID_STONE * max(box.w, box.h), counts[0], counts[1])


def _handled(lid: Lid, rng: np.random.Generator) -> tuple[Lid, str]:
    """Return a lid as a hand leaves it, and what the hand did."""
    kind = rng.random()
    if kind < 0.12:
        return lid, "nothing"
    if (kind < 0.37 and lid) or len(lid) >= MOST:
        return _removed(lid, rng), "one removed"
    count = 1 if kind < 0.87 else int(rng.integers(2, 5))
    for _ in range(min(count, MOST - len(lid))):
        lid = _added(lid, rng)
    return lid, "one added" if count == 1 else "some added"


def _added(lid: Lid, rng: np.random.Generator) -> Lid:
    """One stone more: put aside from the others, or thrown, when it touches them or comes to lie upon one."""
    colour = Colour.BLACK if rng.random() < 0.5 else Colour.WHITE
    if rng.random() < 0.4:
        return (*lid, lid_stone(lid, colour, rng))
    turn, out = rng.uniform(0, 2 * np.pi), (LID_FLOOR - LID_STONE) * np.sqrt(rng.random())
    spot = out * np.array([np.cos(turn), np.sin(turn)])
    return (*lid, _landed(lid, spot, colour, rng))


def _landed(lid: Lid, spot: np.ndarray, colour: Colour, rng: np.random.Generator) -> LidStone:
    """A stone thrown there: it rolls off the nearest stone to its side, or in one of four throws stays upon it; from a
    stone that lies upon another it is put elsewhere."""
    if rng.random() < 0.75:
        for _ in range(8):
            away = [(float(np.hypot(spot[0] - s.x, spot[1] - s.y)), s) for s in lid if s.layer == 0]
            near, under = min(away, key=lambda entry: entry[0], default=(9.0, None))
            if under is None or near >= WIDE:
                break
            spot = np.array([under.x, under.y]) + (spot - (under.x, under.y)) / max(near, 1e-6) * WIDE * 1.005
            spot *= min(1.0, (LID_FLOOR - LID_STONE) / max(float(np.hypot(*spot)), 1e-6))
    if _lies_over(lid, spot, 1):
        return lid_stone(lid, colour, rng)
    return LidStone(float(spot[0]), float(spot[1]), int(_lies_over(lid, spot, 0)), colour)


def _lies_over(lid: Lid, spot: np.ndarray, layer: int) -> bool:
    """Return whether a stone there lies over one of that layer."""
    return any(np.hypot(spot[0] - s.x, spot[1] - s.y) < WIDE for s in lid if s.layer == layer)


def _removed(lid: Lid, rng: np.random.Generator) -> Lid:
    """One stone less, none from under another."""
    top = [
        k for k, s in enumerate(lid) if s.layer or all(np.hypot(s.x - u.x, s.y - u.y) >= WIDE for u in lid if u.layer)
    ]
    index = int(rng.choice(top))
    return lid[:index] + lid[index + 1 :]


def _slid(lid: Lid, rng: np.random.Generator) -> Lid:
    """The lid with one or two of its stones pushed aside."""
    for _ in range(int(rng.integers(1, 3))):
        if lid:
            lone = int(rng.integers(len(lid)))
            rest = lid[:lone] + lid[lone + 1 :]
            spot = np.array([lid[lone].x, lid[lone].y]) + rng.normal(0, 0.6 * LID_STONE, 2)
            spot *= min(1.0, (LID_FLOOR - LID_STONE) / max(float(np.hypot(*spot)), 1e-6))
            lid = (*rest, _landed(rest, spot, lid[lone].colour, rng))
    return lid


def _trouble(rng: np.random.Generator) -> str:
    kinds = {"slid": 0.08, "nudged": 0.05, "exposure": 0.15, "shadow": 0.05, "hand": 0.04}
    return str(rng.choice([*kinds, "none"], p=[*kinds.values(), 1 - sum(kinds.values())]))


def _shade(rng: np.random.Generator) -> np.ndarray:
    """A shadow with a soft edge somewhere across the lid."""
    turn, off, soft = rng.uniform(0, 2 * np.pi), rng.uniform(-0.25, 0.25), rng.uniform(0.02, 0.3)
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, SIDE), np.linspace(-0.5, 0.5, SIDE))
    into = np.clip((x * np.cos(turn) + y * np.sin(turn) - off) / soft, 0, 1)
    return np.asarray(1 - rng.uniform(0.12, 0.5) * into, np.float32)


def _photograph(pixels: Image, gain: np.ndarray, shift: np.ndarray, number: int) -> Image:
    """The picture under that light, moved by so many pixels, with noise of its own, as a JPEG."""
    moved = cv2.warpAffine(
        pixels, np.array([[1, 0, shift[0]], [0, 1, shift[1]]]), (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE
    )
    noise = np.random.default_rng(number).normal(0, 1.0, moved.shape)
    lit = np.clip(moved * gain[..., None] + noise + 0.5, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def followed(seed: int, club: bool) -> Iterator[tuple[Step, LidReading, LidReading]]:
    """Each step of a sequence with its reading by itself and with the memory, both as two looks agree on them."""
    memory = LidMemory()
    for step in sequence(seed, club):
        alone = [read_lid(picture, step.box, step.stone) for picture in step.pictures]
        readings = [
            memory.recount_lids(picture, [reading], step.stone)[0]
            for picture, reading in zip(step.pictures, alone, strict=True)
        ]
        if _agree(readings):
            memory = memory.remember_readings(step.pictures[1], readings[1:])
        yield step, _agreed(alone), _agreed(readings)


def _agree(looks: list[LidReading]) -> bool:
    return len({(look.black, look.white, look.sure) for look in looks}) == 1


def _agreed(looks: list[LidReading]) -> LidReading:
    return looks[1] if _agree(looks) else replace(looks[1], sure=False)
