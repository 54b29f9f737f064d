"""The net that looks into a lid: how a picture is cut for it, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Box
from vision.frame import Image

# What the net was trained with (vision/training/lids.py).
SIDE = 112
"""The net sees a square of that many pixels."""
ROOM = 1.2
"""That square is so many times as wide as the lid."""
STEP = 2
"""Pixels of the square to a place of the answer's map."""
PLACES = SIDE // STEP
"""Places of the map across and down."""
DARK = 6.0
"""Levels added before ratios are taken: below them is mostly noise."""
ROUND, WIDE = 25, 51
"""A place is compared with a square of so many pixels round it; how plain that is, with a wide one."""
NOISE = 1.5
"""Differences of so many levels may be noise."""
PLANES = 5
"""Of the net's input, see `planes`."""
OUTSIDE = 128
"""The grey of what lies outside the picture."""
NEARER = 1.12
"""So many times as large a lid is seen from nearer by: what is misread in one size may not be in another."""
Way = tuple[bool, int, float]
WAYS: tuple[Way, ...] = ((False, 0, 1.0), (True, 0, 1.0), (False, 2, NEARER), (True, 2, NEARER))
"""How a square is shown to the net: mirrored along its diagonal or not, turned by so many quarters, and how large."""
TWO = (WAYS[0], WAYS[2])
"""Those that say whether a lid is plainly empty: of all pairs with the first the one that was misled least by single
black stones in dark lids."""
REMEMBERED = 32
"""So many answers; a look at two lids asks for twenty-two at most."""
MODEL = Path(__file__).parents[1] / "models" / "lids.onnx"
"""The shipped net; vision/models/lids.md tells how it was made."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Answer:
    """What the net says of one lid. places: shape (2, PLACES, PLACES), the probabilities that the middle of a black or
    a white stone lies there. whole: (PLACES, PLACES), that a stone there is seen whole and lies on no other. counts:
    black and white stones by their density. single, piled, covered, missing: the probabilities that the stones lie in a
    single layer, that some lie on others, that a hand is over them, and that no lid fills the square. larger: how many
    times as large the lid was shown; from nearer by its rim may not be seen."""

    places: Floats
    whole: Floats
    counts: tuple[float, float]
    single: float
    piled: float
    covered: float
    missing: float
    larger: float = 1.0


def ask(square: Image, net: cv2.dnn.Net | None = None) -> Answer:
    """Ask the net (the shipped one when none is given) about the lid in a square that `cut` gave.

    The shipped net's last answers are remembered: a lid is looked at as it is found, as it is counted, and as it is
    counted again beside how it lay.
    """
    return _asked(square, WAYS[0], net)


def ask_nearer(square: Image) -> Answer:
    """Ask the shipped net about the lid in a square as it looks from nearer by."""
    return _asked(square, WAYS[-1], None)


def ask_around(square: Image, net: cv2.dnn.Net | None = None) -> tuple[Answer, ...]:
    """Ask about the lid as it is, mirrored, turned and from nearer, WAYS; all answers lie as the square does."""
    return tuple(_asked(square, way, net) for way in WAYS)


def ask_twice(square: Image) -> tuple[Answer, ...]:
    """Ask the shipped net in TWO ways, which `ask_around` need not ask about again."""
    return tuple(_asked(square, way, None) for way in TWO)


def _asked(square: Image, way: Way, net: cv2.dnn.Net | None) -> Answer:
    pixels = square.tobytes(), square.shape
    return _remembered(*pixels, way) if net is None else _answer(*pixels, way, net)


@lru_cache(maxsize=REMEMBERED)
def _remembered(pixels: bytes, shape: tuple[int, ...], way: Way) -> Answer:
    answer = _answer(pixels, shape, way, _net())
    for plane in (answer.places, answer.whole):
        plane.setflags(write=False)
    return answer


@lru_cache(maxsize=REMEMBERED // 2)
def _planes_of(pixels: bytes, shape: tuple[int, ...], larger: float) -> Floats:
    """A square's planes, which are turned with it: worked out once for all WAYS of a size."""
    return planes(np.asarray(_scaled(np.frombuffer(pixels, np.uint8).reshape(shape), larger), np.uint8))


def _answer(pixels: bytes, shape: tuple[int, ...], way: Way, net: cv2.dnn.Net) -> Answer:
    """The net's answer to a square shown in one of WAYS, as the square lies."""
    mirrored, turns, larger = way
    seen = _planes_of(pixels, shape, larger)
    net.setInput(np.ascontiguousarray(np.rot90(seen.transpose(0, 2, 1) if mirrored else seen, turns, (1, 2)))[None])
    maps, counts, kinds = net.forward(["seen", "counts", "kinds"])
    back = np.rot90(np.asarray(maps[0], np.float32), -turns, (1, 2))
    as_shown = (back.transpose(0, 2, 1) if mirrored else back).transpose(1, 2, 0)
    places, whole = np.split(_scaled(as_shown, 1 / larger).transpose(2, 0, 1), [2])
    black, white = (float(count) for count in np.ravel(counts))
    single, piled, covered, missing = (float(kind) for kind in np.ravel(kinds))
    return Answer(places, whole[0], (black, white), single, piled, covered, missing, larger)


def _scaled(square: npt.NDArray[Any], larger: float) -> npt.NDArray[Any]:
    """What a square, shape (n, n, ...), shows round its middle, so many times as large; grey or 0 beyond it."""
    if larger == 1:
        return square
    off = (1 - larger) * (len(square) - 1) / 2
    matrix = np.array([[larger, 0, off], [0, larger, off]])
    beyond = (OUTSIDE,) * 3 if square.dtype == np.uint8 else 0
    return cv2.warpAffine(np.ascontiguousarray(square), matrix, square.shape[:2], borderValue=beyond)


def planes(square: Image) -> Floats:
    """A square as the net takes it, shape (PLANES, SIDE, SIDE): blue, green, red; how much lighter a place is than what
    is round it, as a ratio, in which black stones in a black lid show in any light; and the same beside how much places
    differ there at all, in which they show even where next to nothing differs."""
    colours = (np.asarray(square, np.float32) - 128) / 128
    level = square.mean(axis=2, dtype=np.float32)
    grey = np.log(level + DARK)
    lighter = np.clip(4 * (grey - cv2.blur(grey, (ROUND, ROUND))), -2, 2)
    off = level - cv2.blur(level, (ROUND, ROUND))
    plain = np.clip(off / np.sqrt(cv2.blur(off * off, (WIDE, WIDE)) + NOISE**2), -3, 3)
    return np.asarray(np.concatenate([colours.transpose(2, 0, 1), lighter[None], plain[None]]), np.float32)


def cut(image: Image, box: Box, pixels: int = SIDE, room: float = ROOM) -> Image:
    """The square round a lid, shape (pixels, pixels, 3), SIDE for the net; what lies outside the picture is grey.

    room: it is so many times as wide as the lid.
    """
    side = room * max(box.w, box.h)
    left, top = (at - side / 2 for at in box.middle())
    shrink = max(1, int(side / pixels))
    if shrink > 1:
        image, (left, top) = _part(image, left, top, side, shrink)
        smaller = cv2.resize(image, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        image = np.asarray(smaller, np.uint8)
    scale = pixels / side * shrink
    matrix = np.array([[scale, 0, -left / shrink * scale], [0, scale, -top / shrink * scale]])
    square = cv2.warpAffine(
        image,
        matrix,
        (pixels, pixels),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(OUTSIDE,) * 3,
    )
    return np.asarray(square, np.uint8)


def _part(image: Image, left: float, top: float, side: float, shrink: int) -> tuple[Image, tuple[float, float]]:
    """The part of the picture that holds a square and what is blended with its edge, in whole blocks of so many pixels;
    and where the square begins in it."""
    spans = []
    for at, size in ((left, image.shape[1]), (top, image.shape[0])):
        begin = max(0, min(int(at) // shrink - 2, size // shrink - 1)) * shrink
        spans.append((begin, min(size, max(begin + shrink, int(at + side) + 3 * shrink))))
    (x, right), (y, bottom) = spans
    return image[y:bottom, x:right], (left - x, top - y)


@cache
def _net() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(MODEL))
