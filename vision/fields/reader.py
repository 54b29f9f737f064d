"""The reading of a prisoner field: each circle is compared with the print that is known to be there.

The markers tell how bright ink and paper are in this light, the paper beside each circle how bright it is there. A
circle is empty if its dot of ink lies in paper all around, black if a disc of a stone's size is dark, and white if
nothing of the dot is seen. Whatever ink is missing elsewhere, and whatever is dark elsewhere, lies beside a circle.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.board import marker_layout
from vision.board.field_positions import DENSITY, FieldView, rectify, view_field
from vision.calibration.field_layout import (
    BAR,
    CIRCLE,
    DOT,
    PITCH,
    RING,
    SPOT,
    FieldLayout,
    Place,
    is_printed,
    layout_of,
)
from vision.calibration.model import Grid, PrisonerField
from vision.camera.frame import Image
from vision.lids.count import LidReading

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

# Chosen by hand (docs/vision.md); lengths in millimetres.
MARGIN = 8.0
"""The table that is looked at around the print."""
HIGH, TOP = 4.5, 9.0
"""The heights of a stone's widest part and of its top above the paper."""
STONE = 11.0
"""A stone's radius."""
FAINT = 14.0
"""The least difference of paper and ink, in levels: below it nothing is sure."""
SQUARES = 33
"""The number of a marker's 36 squares that must be as printed; otherwise something lies on it."""
BRIGHTEST, DARKEST = 80, 0.35
"""The percentile of paper that is its brightness around a circle, and its least share of the markers' brightness."""
NEAR, LOOSE, STRAY = 4.5, 6.5, 8.0
"""The distances from its circle's middle within which a dot is searched, a black stone lies on the circle, and one that
lies beside it is searched.
"""
INK = 0.45
"""The most that is seen of paper's brightness where ink is."""
DARK, SOLID, BODY = 0.5, 0.8, 8.5
"""The brightness below which a black stone is, and the share of a disc of radius BODY that is then dark."""
ALIKE = 0.03
"""The difference of that share below which places are as good: a stone's is amid them."""
BLACK, ROOM, SLACK, RESIDUE = 0.3, 1.5, 2.5, 2.2
"""The brightness below which something beside the stones is black, no shadow; the room around black stones, and around
others and dots, that is left out; and the radius of a disc that must fit into what is left.
"""
LIFTS, HIDDEN, SPOTTED = (0.0, 1.0, 1.3), 1.0, -1.0
"""The parts of a stone, by their height in widest parts', and how near ink must be to be hidden by them; how near a
spot, which is dark even where half of it is seen.
"""
DARKENED, SHARP, PLAIN = 0.68, 1.5, 0.5
"""The most that is seen of paper's brightness where a spot, a bar, or two rings that touch are; and where the picture
has SHARP pixels for a mm.
"""
FEW = 5
"""The number of places on bars, a stone's radius around, of which no ink need be seen."""
LINE = 0.93
"""The most that is seen of paper's brightness where a ring is, blurred though it be."""
BRIGHT, FREE = 0.5, 0.2
"""The least brightness of a white stone, and the share of the dot under it that may be darker, by shadows."""
WITHIN, OFF = 6.5, 4.0
"""The radius within which a white stone is bright everywhere, and the distance from its circle's middle."""
HIDEABLE = 2
"""The number of the eight sectors around a dot that neighbours may hide."""
COLOURED = 0.6
"""The least share of the paper's colour that is left of the most reflected one in the least reflected one, on a stone:
less is skin.
"""


class FieldFault(StrEnum):
    """A reason why a field is not counted, by its message's last part."""

    HIDDEN = "hidden"
    TWO = "two"
    FULL = "full"
    BESIDE = "beside"
    UNCLEAR = "unclear"
    DARK = "dark"


@dataclass(frozen=True)
class FieldReading:
    """The content of a field.

    `contents`: each circle's stone, None for none.
    `fault`: the first reason why it is not sure, None if it is.
    `circles`: the circles, from 0, that this is about.
    """

    contents: tuple[Colour | None, ...]
    fault: FieldFault | None = None
    circles: tuple[int, ...] = ()

    def counts(self) -> tuple[int, int]:
        """Return the numbers of black and white stones."""
        return self.contents.count(Colour.BLACK), self.contents.count(Colour.WHITE)


def read_field(image: Image, view: FieldView) -> FieldReading:
    """Return the content of a field that lies so in a picture."""
    layout = view.layout
    seen = _look(image, view)
    if seen is None:
        return FieldReading((None,) * len(layout.places), FieldFault.DARK)
    contents: list[Colour | None] = []
    unclear = []
    bodies = _black_bodies(seen)
    for k in range(len(layout.places)):
        colour, sure = (Colour.BLACK, True) if k in bodies else _content(seen, k)
        contents.append(colour)
        if not sure:
            unclear.append(k)
    found = tuple(contents)
    off = [k for k, middle in bodies.items() if _away(middle, layout.places[k]) > LOOSE]
    if seen.covered:
        return FieldReading(found, FieldFault.HIDDEN)
    strays = [*_dark_strays(seen, bodies, found), *_missing_ink(seen, found)]
    for fault, circles in ((FieldFault.BESIDE, off), (FieldFault.BESIDE, strays), (FieldFault.UNCLEAR, unclear)):
        if circles:
            second = circles is strays and all(found[k] is not None for k in circles)
            named = _named(fault, None not in found, second)
            return FieldReading(found, named, tuple(sorted(set(circles))))
    return FieldReading(found)


def read_prisoners(image: Image, grid: Grid, field: PrisonerField) -> LidReading:
    """Return the count of a known prisoner field, the place of the first fault included."""
    view, most = view_field(image, grid, field), len(layout_of(field.kind).places)
    read = FieldReading((None,) * most, FieldFault.HIDDEN) if view is None else read_field(image, view)
    black, white = read.counts()
    if read.fault is None:
        return LidReading(field, black, white, (black, black), (white, white), True, True)
    off = len(read.circles) + 1 if read.circles else most
    spans = [(max(0, count - off), min(most, count) + off) for count in (black, white)]
    circle = _row_and_number(layout_of(field.kind), read.circles[0]) if read.circles else None
    return LidReading(field, black, white, spans[0], spans[1], False, False, read.fault.value, circle)


def _row_and_number(layout: FieldLayout, k: int) -> tuple[int, int]:
    """Return a circle's row and its number in it, from 1, as they are counted with the markers upright."""
    rows = sorted({y for _, y in layout.places})
    x, y = layout.places[k]
    return rows.index(y) + 1, sorted(u for u, v in layout.places if v == y).index(x) + 1


def _named(fault: FieldFault, full: bool, second: bool) -> FieldFault:
    """Return the fault as people call it: a stone beside a circle that has one is its second, or one too many."""
    if fault is not FieldFault.BESIDE:
        return fault
    return FieldFault.FULL if full else FieldFault.TWO if second else fault


@dataclass(frozen=True, eq=False)
class _Seen:
    """A field from above, in shares of its paper's brightness.

    `view`: its place.
    `low`: as the paper's plane shows it.
    `high`: as the plane of the stones' widest parts shows it, from which they are seen where they lie.
    `hue`: the least reflected colour's share of the most reflected one, on the plane of `high`; 1 for paper and ink.
    `levels`: the brightness of paper around each circle.
    `lean`: for each circle, the distance by which a stone's widest part is seen off its foot.
    `covered`: a marker is not as printed.
    """

    view: FieldView
    low: Floats
    high: Floats
    hue: Floats
    levels: Floats
    lean: Points
    covered: bool

    def pixel(self, place: Place | Points) -> Points:
        """Return the place's pixel in the rectified field."""
        return np.asarray((np.asarray(place) + self.view.layout.half + MARGIN) * DENSITY - 0.5)

    def place(self, pixel: Points) -> Points:
        """Return the place in mm of a pixel: the inverse of `pixel`."""
        return np.asarray((pixel + 0.5) / DENSITY - self.view.layout.half - MARGIN)

    def around(self, place: Place | Points, reach: float) -> tuple[slice, slice]:
        """Return the part within a distance of a place, as slices of the rectified field."""
        (x, y), far = np.rint(self.pixel(place)).astype(int), round(reach * DENSITY)
        return slice(max(0, y - far), y + far + 1), slice(max(0, x - far), x + far + 1)


def _look(image: Image, view: FieldView) -> _Seen | None:
    """Return the field from above; None if ink and paper can hardly be told apart."""
    layout = view.layout
    first = -np.array(layout.half) - MARGIN
    low, high = (rectify(image, view, first, -2 * first, height) for height in (0.0, HIGH))
    squares = [_squares(low, view, k) for k in (0, 1)]
    printed = [marker_layout.pattern(marker) for marker in layout.ids[view.side]]
    ink = np.mean([np.percentile(s[p], 30, axis=0) for s, p in zip(squares, printed, strict=True)], axis=0)
    paper = np.mean([np.percentile(s[~p], 70, axis=0) for s, p in zip(squares, printed, strict=True)], axis=0)
    span = np.maximum(paper - ink, 0.0)
    if span.max() < FAINT:
        return None
    weights = span / span.sum()
    dark, bright = float(ink @ weights), float(paper @ weights)

    def share(levels: Floats) -> Floats:
        return np.asarray((levels @ weights.astype(np.float32) - dark) / (bright - dark), np.float32)

    hue = cv2.blur(high, (5, 5)) / np.maximum(paper, 1.0).astype(np.float32)
    hue = hue.min(axis=-1) / np.maximum(hue.max(axis=-1), 1e-3)
    seen = _Seen(view, share(low), share(high), hue, np.ones(len(layout.places), np.float32), _lean(view), False)
    right = min(int(((share(s) < 0.5) == p).sum()) for s, p in zip(squares, printed, strict=True))
    levels = np.array([_paper_at(seen, place) for place in layout.places], np.float32)
    return _Seen(view, seen.low, seen.high, hue, levels, seen.lean, right < SQUARES)


def _squares(low: Floats, view: FieldView, k: int) -> Floats:
    """Return the colour of each square of a marker, shape (6, 6, 3)."""
    layout = view.layout
    steps = ((np.arange(6) + 0.5) / 6 - 0.5) * layout.side
    places = np.stack(np.meshgrid(steps, steps), axis=-1) + layout.markers[k]
    at = ((places + layout.half + MARGIN) * DENSITY - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(low, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float32)


def _lean(view: FieldView) -> Points:
    """Return for each circle how far, in mm, what is HIGH above its middle is seen off it."""
    places = np.array(view.layout.places)
    matrix = np.vstack([view.matrix, [0.0, 0.0, 1.0]])
    back = np.linalg.inv(matrix)
    seen = view.pose.grid.board(view.pixels(places, HIGH))
    return np.asarray(seen @ back[:2, :2].T + back[:2, 2] - places)


def _paper_at(seen: _Seen, place: Place) -> float:
    """Return the brightness of the paper around a circle."""
    part = seen.around(place, 0.85 * PITCH)
    paper = seen.low[part][_paper(seen.view.layout, seen.view.side)[part]]
    return max(float(np.percentile(paper, BRIGHTEST)), DARKEST) if len(paper) else 1.0


@cache
def _paper(layout: FieldLayout, side: int) -> npt.NDArray[np.bool_]:
    """Return the pixels of a rectified field that are paper, far from ink."""
    wide, tall = (round(2 * (half + MARGIN) * DENSITY) for half in layout.half)
    across, down = ((np.arange(n) + 0.5) / DENSITY - n / DENSITY / 2 for n in (wide, tall))
    places = np.stack(np.meshgrid(across, down), axis=-1)
    inked = is_printed(layout, side, places) | (np.abs(places) > layout.half).any(axis=-1)
    for marker in layout.markers:
        inked |= (np.abs(places - marker) < layout.side / 2).all(axis=-1)
    return np.asarray(cv2.dilate(inked.astype(np.uint8), _disc(1.0).astype(np.uint8)) == 0)


# What lies on a circle


def _content(seen: _Seen, k: int) -> tuple[Colour | None, bool]:
    """Return the stone on a circle that no black one lies on, None for none, and whether it is sure."""
    if _is_dot_seen(seen, k):
        return None, True
    white = _is_white(seen, k)
    return (Colour.WHITE if white else None), white


def _is_dot_seen(seen: _Seen, k: int, hideable: int = HIDEABLE) -> bool:
    """Return True if the whole dot is seen, and paper around it but for so many of eight sectors."""
    part = seen.around(seen.view.layout.places[k], NEAR + DOT / 2 + 4.0)
    patch = seen.low[part]
    paper = np.stack([cv2.filter2D(patch, -1, kernel) for kernel in _sectors(DOT / 2 + 1.2, DOT / 2 + 3.8)])
    ink = np.stack([cv2.filter2D(patch, -1, kernel) for kernel in _sectors(0.0, DOT / 2 - 1.3)])
    middle = np.array(patch.shape) // 2
    far = round(NEAR * DENSITY)
    inner = (slice(None), *(slice(m - far, m + far + 1) for m in middle))
    least, most = np.partition(paper[inner], hideable, axis=0)[hideable], ink[inner].max(axis=0)
    return bool(((most < INK * least) & (least > DARKEST * seen.levels[k])).any())


def _is_white(seen: _Seen, k: int) -> bool:
    """Return True if a circle is bright and nothing of its dot is seen."""
    place, level = seen.view.layout.places[k], float(seen.levels[k])
    dot = _disc(DOT / 2 + 1)
    low = np.asarray(cv2.blur(seen.low[seen.around(place, DOT / 2 + 2)], (3, 3)), np.float32)
    high = np.asarray(cv2.blur(seen.high[seen.around(place, WITHIN + OFF)], (3, 3)), np.float32)
    body = np.asarray(cv2.erode(high, _disc(WITHIN).astype(np.uint8)))[_amid(high, _disc(OFF))]
    shown = float((low[_amid(low, dot)][dot > 0] < BRIGHT * level).mean())
    hue = float(np.median(seen.hue[seen.around(place, WITHIN)]))
    return bool(body.max() > BRIGHT * level and shown < FREE and hue > COLOURED)


def _amid(part: Floats, kernel: Floats) -> tuple[slice, slice]:
    """Return the middle of a part, as large as a kernel."""
    first = (np.array(part.shape) - kernel.shape) // 2
    return slice(first[0], first[0] + kernel.shape[0]), slice(first[1], first[1] + kernel.shape[1])


# What lies anywhere


def _black_bodies(seen: _Seen) -> dict[int, Points]:
    """Return the circles on which a black stone lies, and where each is seen, in mm on the plane of its widest part."""
    dark = (seen.high < DARK * _level_map(seen)).astype(np.float32)
    disc = _disc(BODY)
    solid = cv2.filter2D(dark, -1, disc / disc.sum(), borderType=cv2.BORDER_CONSTANT)
    found = {}
    for k, place in enumerate(seen.view.layout.places):
        part = seen.around(place, STRAY)
        if solid[part].max() < SOLID or _is_dot_seen(seen, k, hideable=0):
            continue
        down, across = np.nonzero(solid[part] > solid[part].max() - ALIKE)
        middle = np.array([across.mean() + part[1].start, down.mean() + part[0].start])
        found[k] = seen.place(middle)
    return found


def _dark_strays(seen: _Seen, bodies: dict[int, Points], found: tuple[Colour | None, ...]) -> list[int]:
    """Return the circles nearest to what is black beside the stones on circles and the print."""
    layout = seen.view.layout
    left = ((seen.low < BLACK * _level_map(seen)) & ~_markers(seen)).astype(np.uint8)
    masks: list[tuple[Place | Points, float]] = [(spot, SPOT / 2 + SLACK) for spot in layout.spots()]
    for k, place in enumerate(layout.places):
        middle = (bodies[k] if k in bodies else np.array(place)) + (seen.lean[k] if found[k] else 0)
        masks.append((middle, STONE + ROOM if k in bodies else STONE + SLACK if found[k] else DOT / 2 + SLACK))
    for middle, room in masks:
        x, y = np.rint(seen.pixel(middle)).astype(int)
        cv2.circle(left, (int(x), int(y)), round(room * DENSITY), 0, -1)
    solid = np.argwhere(cv2.erode(left, _disc(RESIDUE).astype(np.uint8)))[:, ::-1].astype(np.float64)
    places = seen.place(solid)
    on_field = places[(np.abs(places) < np.array(layout.half) + 1).all(axis=1)]
    return sorted({_nearest(layout, place) for place in on_field})


def _markers(seen: _Seen) -> npt.NDArray[np.bool_]:
    """Return the pixels of the markers and bars."""
    masked = np.zeros(seen.low.shape, bool)
    layout = seen.view.layout
    for marker in layout.markers:
        low, high = (
            np.rint(seen.pixel(np.array(marker) + sign * (layout.side / 2 + 1))).astype(int) for sign in (-1, 1)
        )
        masked[low[1] : high[1], low[0] : high[0]] = True
    return masked


def _level_map(seen: _Seen) -> Floats:
    """Return the brightness of paper at every pixel: that around the nearest circle."""
    layout = seen.view.layout
    level = np.full(seen.low.shape, float(np.median(seen.levels)), np.float32)
    for place, its in zip(layout.places, seen.levels, strict=True):
        level[seen.around(place, PITCH / 2)] = its
    return level


def _missing_ink(seen: _Seen, found: tuple[Colour | None, ...]) -> list[int]:
    """Return the circles nearest to ink that is not seen although no stone on a circle hides it."""
    layout = seen.view.layout
    stones = [np.array(layout.places[k]) + seen.lean[k] * lift for k, its in enumerate(found) if its for lift in LIFTS]

    def is_free(place: Place | Points, near: float) -> bool:
        return all(_away(stone, place) > STONE + near for stone in stones)

    spots = [(at, SPOT / 2) for at in layout.spots() if is_free(at, SPOT / 2 + SPOTTED)]
    gaps = [(at, RING) for at in layout.gaps() if is_free(at, RING + HIDDEN)]
    missing = [_nearest(layout, at) for at, radius in (*spots, *gaps) if not _is_ink_seen(seen, at, radius)]
    for k, place in enumerate(layout.places):
        if found[k] is None:
            arcs = zip(np.array(place) + CIRCLE / 2 * _ARCS, _arcs_seen(seen, k), strict=True)
            missing += [k for arc, there in arcs if not there and is_free(arc, RING + HIDDEN)]
    return missing + _missing_bars(seen)


_TURNS = 2 * np.pi * (np.arange(48) + 0.5) / 48
_WAYS = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=-1)
_ARCS = np.stack([np.cos(_TURNS.reshape(8, 6).mean(axis=1)), np.sin(_TURNS.reshape(8, 6).mean(axis=1))], axis=-1)
_OUT = np.arange(6.5, 14.6, 0.5)


def _arcs_seen(seen: _Seen, k: int) -> npt.NDArray[np.bool_]:
    """Return True for each eighth of an empty circle's ring that is seen as a line darker than the paper within it."""
    at = seen.pixel(np.array(seen.view.layout.places[k]) + _WAYS[:, None] * _OUT[:, None]).astype(np.float32)
    profile = cv2.remap(seen.low, at[..., 0], at[..., 1], cv2.INTER_LINEAR).reshape(8, 6, -1).mean(axis=1)
    inner, outer = profile[:, _OUT < 10.0], profile[:, _OUT >= 9.5]
    return np.asarray(outer.min(axis=1) < LINE * inner.max(axis=1))


def _missing_bars(seen: _Seen) -> list[int]:
    """Return the circles nearest to bars of which so much is not seen that a stone may lie there."""
    layout = seen.view.layout
    points = [
        np.array(start) + (np.array(end) - start) * step
        for start, end in layout.bars(seen.view.side)
        for step in np.linspace(0.1, 0.9, 6)
    ]
    gone = [point for point in points if not _is_ink_seen(seen, point, BAR / 2)]
    return [_nearest(layout, at) for at in gone if sum(_away(at, other) < STONE for other in gone) > FEW]


def _is_ink_seen(seen: _Seen, place: Place | Points, radius: float) -> bool:
    """Return True if ink is plainly darker than the paper beside it."""
    part = cv2.blur(seen.low[seen.around(place, radius + 3.5)], (3, 3))
    far = round(3.5 * DENSITY) // 2
    inner = part[far:-far, far:-far]
    most = PLAIN if seen.view.density() > SHARP else DARKENED
    return bool(inner.min() < most * np.percentile(part, 85))


def _nearest(layout: FieldLayout, place: Place | Points) -> int:
    return min(range(len(layout.places)), key=lambda k: _away(place, layout.places[k]))


def _away(one: Place | Points, other: Place | Points) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


@cache
def _disc(radius: float) -> Floats:
    far = round(radius * DENSITY)
    steps = np.arange(-far, far + 1) / DENSITY
    return (np.hypot(steps[:, None], steps[None]) <= radius).astype(np.float32)


@cache
def _sectors(inner: float, outer: float, count: int = 8) -> tuple[Floats, ...]:
    """Return the means over the sectors of a ring as kernels."""
    far = round(outer * DENSITY)
    steps = np.arange(-far, far + 1) / DENSITY
    out = np.hypot(steps[:, None], steps[None])
    turn = np.floor((np.arctan2(steps[:, None], steps[None]) / (2 * np.pi) + 0.5) * count).clip(0, count - 1)
    masks = [((out <= outer) & (out >= inner) & (turn == k)).astype(np.float32) for k in range(count)]
    return tuple(mask / mask.sum() for mask in masks)
