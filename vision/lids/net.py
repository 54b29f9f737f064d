"""The net that reads a lid: its input, cut from a picture, and its output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.network import Network, load_network

# The net's training settings (vision/training/lids/train.py).
SIDE = 112
"""The side of the net's square input, in pixels."""
ROOM = 1.2
"""The width of that square, in lid widths."""
STEP = 2
"""Input pixels per place of the output map."""
PLACES = SIDE // STEP
"""The number of places of the map, across and down."""
DARK = 6.0
"""The levels added before ratios are taken: lower levels are mostly noise."""
ROUND, WIDE = 25, 51
"""The sides, in pixels, of the square that a place is compared with, and of the one that normalises the difference."""
NOISE = 1.5
"""The difference, in levels, that may be noise."""
PLANES = 5
"""The number of planes of the net's input, see `make_planes`."""
OUTSIDE = 128
"""The grey level outside the picture."""
NEARER = 1.12
"""The factor by which a lid is enlarged to be seen from nearer by: an error at one size may not occur at another."""
Way = tuple[bool, int, float]
WAYS: tuple[Way, ...] = ((False, 0, 1.0), (True, 0, 1.0), (False, 2, NEARER), (True, 2, NEARER))
"""The ways in which a square is shown to the net: mirrored along its diagonal or not, quarter turns, and scale."""
TWO = (WAYS[0], WAYS[2])
"""The two ways that decide if a lid is plainly empty: of all pairs with the first, the one misled least by single black
stones in dark lids.
"""
REMEMBERED = 32
"""The number of cached answers; a reading of two lids needs twenty-two at most."""
MODEL = Path(__file__).parents[1] / "models" / "lids.onnx"
"""The shipped net; vision/models/lids.md describes its training."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Answer:
    """The net's answer for one lid.

    `places`: the probabilities of the middle of a black or a white stone at each place, shape (2, PLACES, PLACES).
    `whole`: the probability that a stone there is seen whole and lies on no other, shape (PLACES, PLACES).
    `counts`: black and white stones by their density.
    `single`, `piled`, `covered`, `missing`: the probabilities that the stones lie in a single layer, that some lie on
    others, that a hand is over them, and that no lid fills the square.
    `larger`: the scale at which the lid was shown; from nearer by its rim may not be visible.
    """

    places: Floats
    whole: Floats
    counts: tuple[float, float]
    single: float
    piled: float
    covered: float
    missing: float
    larger: float = 1.0


def ask_net(square: Image, net: Network | None = None) -> Answer:
    """Return the answer of the net (by default the shipped one) for the lid in a square from `cut_square`.

    The shipped net's last answers are cached: a lid is read when it is found, when it is counted, and when it is
    counted again beside its remembered picture.
    """
    return _ask_in_way(square, WAYS[0], net)


def ask_nearer(square: Image) -> Answer:
    """Return the shipped net's answer for the lid in a square as seen from nearer by."""
    return _ask_in_way(square, WAYS[-1], None)


def ask_around(square: Image, net: Network | None = None) -> tuple[Answer, ...]:
    """Return the answers for the lid as it is, mirrored, turned and from nearer, WAYS, in the square's orientation."""
    return tuple(_ask_in_way(square, way, net) for way in WAYS)


def ask_twice(square: Image) -> tuple[Answer, ...]:
    """Return the shipped net's answers in TWO ways, which `ask_around` then takes from the cache."""
    return tuple(_ask_in_way(square, way, None) for way in TWO)


def _ask_in_way(square: Image, way: Way, net: Network | None) -> Answer:
    pixels = square.tobytes(), square.shape
    return _cached_answer(*pixels, way) if net is None else _compute_answer(*pixels, way, net)


@lru_cache(maxsize=REMEMBERED)
def _cached_answer(pixels: bytes, shape: tuple[int, ...], way: Way) -> Answer:
    answer = _compute_answer(pixels, shape, way, _load_shipped_net())
    for plane in (answer.places, answer.whole):
        plane.setflags(write=False)
    return answer


@lru_cache(maxsize=REMEMBERED // 2)
def _cached_planes(pixels: bytes, shape: tuple[int, ...], larger: float) -> Floats:
    """Return a square's planes, which are turned with it: computed once for all WAYS of a size."""
    return make_planes(np.asarray(_scale_square(np.frombuffer(pixels, np.uint8).reshape(shape), larger), np.uint8))


def _compute_answer(pixels: bytes, shape: tuple[int, ...], way: Way, net: Network) -> Answer:
    """Return the net's answer to a square shown in one of WAYS, in the square's orientation."""
    is_mirrored, turns, larger = way
    input_planes = _cached_planes(pixels, shape, larger)
    blob = np.ascontiguousarray(
        np.rot90(input_planes.transpose(0, 2, 1) if is_mirrored else input_planes, turns, (1, 2))
    )[None]
    maps, counts, kinds = net.compute_outputs(blob, ("seen", "counts", "kinds"))
    unturned = np.rot90(maps[0], -turns, (1, 2))
    as_shown = (unturned.transpose(0, 2, 1) if is_mirrored else unturned).transpose(1, 2, 0)
    places, whole = np.split(_scale_square(as_shown, 1 / larger).transpose(2, 0, 1), [2])
    black, white = (float(count) for count in np.ravel(counts))
    single, piled, covered, missing = (float(kind) for kind in np.ravel(kinds))
    return Answer(places, whole[0], (black, white), single, piled, covered, missing, larger)


def forget_answers() -> None:
    """Forget the remembered answers, so that the next look costs what a first one does."""
    _cached_answer.cache_clear()
    _cached_planes.cache_clear()


def _scale_square(square: npt.NDArray[Any], larger: float) -> npt.NDArray[Any]:
    """Return a square, shape (n, n, ...), scaled about its middle; grey or 0 beyond it."""
    if larger == 1:
        return square
    offset = (1 - larger) * (len(square) - 1) / 2
    matrix = np.array([[larger, 0, offset], [0, larger, offset]])
    beyond = (OUTSIDE,) * 3 if square.dtype == np.uint8 else 0
    return cv2.warpAffine(np.ascontiguousarray(square), matrix, square.shape[:2], borderValue=beyond)


def make_planes(square: Image) -> Floats:
    """Return a square as the net's input, shape (PLANES, SIDE, SIDE).

    The planes are: blue, green, red; how much lighter a place is than its surroundings, as a ratio, in which black
    stones in a black lid show in any light; and the same relative to the spread of differences there, in which they
    show even if next to nothing differs.
    """
    colours = np.ascontiguousarray(square.transpose(2, 0, 1), np.float32)
    level = (colours[0] + colours[1] + colours[2]) / 3
    grey = np.log(level + DARK)
    lighter = np.clip(4 * (grey - cv2.blur(grey, (ROUND, ROUND))), -2, 2)
    difference = level - cv2.blur(level, (ROUND, ROUND))
    normalised = np.clip(difference / np.sqrt(cv2.blur(difference * difference, (WIDE, WIDE)) + NOISE**2), -3, 3)
    return np.asarray(np.concatenate([(colours - 128) / 128, lighter[None], normalised[None]]), np.float32)


def cut_square(image: Image, box: Box, pixels: int = SIDE, room: float = ROOM) -> Image:
    """Return the square around a lid, shape (pixels, pixels, 3), SIDE for the net; grey outside the picture.

    `room`: its width in lid widths.
    """
    side = room * max(box.w, box.h)
    left, top = (middle - side / 2 for middle in box.middle())
    shrink = max(1, int(side / pixels))
    if shrink > 1:
        image, (left, top) = _crop_to_square(image, left, top, side, shrink)
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


def _crop_to_square(
    image: Image, left: float, top: float, side: float, shrink: int
) -> tuple[Image, tuple[float, float]]:
    """Return the part of the picture that holds a square and its blending margin, and the square's origin in it.

    The part consists of whole blocks of `shrink` pixels.
    """
    spans = []
    for start, size in ((left, image.shape[1]), (top, image.shape[0])):
        begin = max(0, min(int(start) // shrink - 2, size // shrink - 1)) * shrink
        spans.append((begin, min(size, max(begin + shrink, int(start + side) + 3 * shrink))))
    (x, right), (y, bottom) = spans
    return image[y:bottom, x:right], (left - x, top - y)


@cache
def _load_shipped_net() -> Network:
    return load_network(MODEL)
