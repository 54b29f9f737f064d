"""The reading of a prisoner field: each circle is compared with the print that is known to be there.

The markers tell how bright ink and paper are in this light, the paper beside each circle how bright it is there. A
circle is empty if its dot of ink lies in paper all around, black if a disc of a stone's size is dark, and white if
nothing of the dot is seen. Whatever ink is missing elsewhere, and whatever is dark elsewhere, lies beside a circle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.board import marker_layout
from vision.board.field_positions import DENSITY, QUIET, FieldView, rectify_field, remove_shadows, view_field
from vision.calibration.field_layout import (
    BAR,
    CIRCLE,
    DOT,
    PITCH,
    RING,
    SPOT,
    FieldLayout,
    Place,
    layout_of,
    mask_printed,
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
SHADED = 0.55
"""The least share of the middle circle's paper that is bright around any circle."""
NEAR, LOOSE, STRAY = 4.5, 7.2, 8.0
"""The distances from its circle's middle within which a dot is searched, a black stone lies on the circle, and one that
lies beside it is searched.
"""
WEDGE, INNER = 5, 2.7
"""The width in pixels of the squares that are looked at within a dot and around it, and how far from its middle, in mm,
those are that lie within it.
"""
INK = 0.45
"""The most that is seen of paper's brightness where ink is."""
DARK, SOLID, BODY = 0.5, 0.8, 8.5
"""The brightness below which a black stone is, and the share of a disc of radius BODY that is then dark."""
TABLE = 0.2
"""The share of what is beside the paper that is black if the table is, and no stone."""
CORE, PALER, GREY = 5.0, 0.1, 0.35
"""Half the width of the middle of a stone; how much brighter than its median everything on a black one may be; the
median from which on it is not surely black, but may be a white one in a hard shadow.
"""
WHOLE, FILLED = 10.5, 0.96
"""The radius of a disc that is black, but for the rest of its share, wherever a whole black stone is seen."""
NEARLY, BLACKER = 0.93, 0.05
"""Such a share that is enough where so much more of a disc is as black as the stones on circles are than is of them."""
PART, ASTRAY, MOST, PALEST = 8.0, 4.0, 75, 0.05
"""The radius of the part of a black stone that tells how black it is, how far from the stone's middle that part's may
be seen, the percentile of its brightness that is taken, and how much brighter other stones may be.
"""
EVEN, EVENNESS, LEAST, EDGE = 9.0, 0.82, 0.4, 6.0
"""The radius of a disc that is even wherever a whole white stone is seen, the least share of its brightness that is
seen everywhere in it, the least brightness, and how far beyond the outermost circles' middles it is searched.
"""
ASIDE = {Colour.BLACK: 9.0, Colour.WHITE: 7.8}
"""The farthest that such a disc's middle is from that of the circle whose stone it is."""
TILTS = (-0.3, 0.0, 0.3)
"""The parts of a stone's lean by which it may be seen off, as its height is not known."""
ALIKE = 0.03
"""The difference of that share below which places are as good: a stone's is amid them."""
BLACK, ROOM, SLACK, RESIDUE = 0.3, 1.5, 2.5, 2.2
"""The brightness below which something beside the stones is black, no shadow; the room around black stones, and around
others and dots, that is left out; and the radius of a disc that must fit into what is left.
"""
WINDOW, CONTRAST, LIKENESS, PATTERN = 9.0, 0.6, 0.7, 0.08
"""The side of the squares in which print is looked for where it is dark; the least share of its contrast that is seen
and its least correlation with what has to be there, where a shadow lies on paper; and the least standard deviation of a
print that can be told.
"""
NUDGES = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))
"""The pixels, down and across, by which print may be seen off its place."""
DIMMEST, SPECK = 0.05, 1.2
"""The least mean brightness of paper and print in a shadow, and the radius of a disc that fits into one."""
RIM = 2.5
"""The rim of the field at which what is dark may be the table under paper that is not flat."""
LIFTS, HIDDEN, SPOTTED = (0.0, 1.0, 1.3), 1.0, -1.0
"""The parts of a stone, by their height in widest parts', and how near ink must be to be hidden by them; how near a
spot, which is dark even where half of it is seen.
"""
PLAIN, LINE, BARE, FAINTEST = 0.5, 0.2, 0.08, 0.05
"""The least share of the contrast of a spot, a bar or two rings that touch, as the print has it in this blur, that is
seen where they are; that of a ring; that of a ring in one eighth; and the least brightness of paper.
"""
FADED = 0.3
"""The contrast below which ink and the paper beside it are one grey, which is compared with the paper farther away."""
FAR = 2.5
"""The distance at which a stone hides one eighth of a ring."""
FEWEST_EIGHTHS = 2
"""The least number of eighths of a ring that a stone hides unless it hides one altogether."""
BLURS = (0.4, 0.7, 1.0, 1.4, 1.9, 2.5, 3.2)
"""The blurs that are tried, as standard deviations in mm, across and down."""
FEW = 5
"""The number of places on bars, a stone's radius around, of which no ink need be seen."""
BRIGHT, FREE = 0.5, 0.2
"""The least brightness of a white stone, and the share of the dot under it that may be darker, by shadows."""
STAY = 1.5
"""The distance from its circle's middle at which a white stone mostly lies."""
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

    def colour_counts(self) -> tuple[int, int]:
        """Return the numbers of black and white stones."""
        return self.contents.count(Colour.BLACK), self.contents.count(Colour.WHITE)


def read_field(image: Image, view: FieldView) -> FieldReading:
    """Return the content of a field that lies so in a picture."""
    layout = view.layout
    field = _rectify_field(image, view)
    if field is None:
        return FieldReading((None,) * len(layout.places), FieldFault.DARK)
    contents: list[Colour | None] = []
    unclear = []
    bodies = _find_dark_bodies(field)
    blackness = _measure_blackness(field, bodies)
    bodies = {k: middle for k, middle in bodies.items() if _is_black_body(field, blackness, k, middle)}
    brightness = _core_brightness(field, bodies)
    for k in range(len(layout.places)):
        colour, sure = (Colour.BLACK, brightness[k] < GREY) if k in bodies else _read_circle(field, k)
        contents.append(colour)
        if not sure:
            unclear.append(k)
    colours = tuple(contents)
    off_centre = [k for k, middle in bodies.items() if _place_distance(middle, layout.places[k]) > LOOSE]
    if field.covered:
        return FieldReading(colours, FieldFault.HIDDEN)
    strays = [*_find_dark_strays(field, blackness, bodies, colours), *_find_missing_ink(field, colours)]
    strays = strays or _find_second_stones(field, blackness, colours)
    for fault, circles in ((FieldFault.BESIDE, off_centre), (FieldFault.BESIDE, strays), (FieldFault.UNCLEAR, unclear)):
        if circles:
            second = circles is strays and all(colours[k] is not None for k in circles)
            named_fault = _name_fault(fault, None not in colours, second)
            return FieldReading(colours, named_fault, tuple(sorted(set(circles))))
    return FieldReading(colours)


def read_prisoners(image: Image, grid: Grid, field: PrisonerField) -> LidReading:
    """Return the count of a known prisoner field, the place of the first fault included."""
    view, total = view_field(image, grid, field), len(layout_of(field.kind).places)
    reading = FieldReading((None,) * total, FieldFault.HIDDEN) if view is None else read_field(image, view)
    black, white = reading.colour_counts()
    if reading.fault is None:
        return LidReading(field, black, white, (black, black), (white, white), True, True)
    uncertain_count = len(reading.circles) + 1 if reading.circles else total
    spans = [(max(0, count - uncertain_count), min(total, count) + uncertain_count) for count in (black, white)]
    circle = _row_and_number(layout_of(field.kind), reading.circles[0]) if reading.circles else None
    return LidReading(field, black, white, spans[0], spans[1], False, False, reading.fault.value, circle)


def _row_and_number(layout: FieldLayout, k: int) -> tuple[int, int]:
    """Return a circle's row and its number in it, from 1, as they are counted with the markers upright."""
    rows = sorted({y for _, y in layout.places})
    x, y = layout.places[k]
    return rows.index(y) + 1, sorted(u for u, v in layout.places if v == y).index(x) + 1


def _name_fault(fault: FieldFault, full: bool, second: bool) -> FieldFault:
    """Return the fault as people call it: a stone beside a circle that has one is its second, or one too many."""
    if fault is not FieldFault.BESIDE:
        return fault
    return FieldFault.FULL if full else FieldFault.TWO if second else fault


@dataclass(frozen=True, eq=False)
class _RectifiedField:
    """A field from above, in shares of its paper's brightness.

    `view`: its place.
    `low`: as the paper's plane shows it.
    `high`: as the plane of the stones' widest parts shows it, from which they are seen where they lie.
    `print`: what the paper alone would look like, as blurred as the markers are.
    `colours`: the levels on the plane of `high`, blue, green and red.
    `paper`: the levels of paper, shape (3,).
    `levels`: the brightness of paper around each circle.
    `hidden_eighths`: for each circle, how many eighths around its dot at least are not seen as paper; 8 if the dot is
        not seen.
    `dot_offsets`: for each circle, how far its dot is seen from where it should be, as on paper that is not flat.
    `lean`: for each circle, the distance by which a stone's widest part is seen off its foot.
    `covered`: a marker is not as printed.
    """

    view: FieldView
    low: Floats
    high: Floats
    print: Floats
    colours: Floats
    paper: Floats
    levels: Floats
    hidden_eighths: npt.NDArray[np.int_]
    dot_offsets: Points
    lean: Points
    covered: bool

    def to_pixels(self, place: Place | Points) -> Points:
        """Return the place's pixel in the rectified field."""
        return _to_pixels(self.view.layout, np.asarray(place))

    def to_places(self, pixel: Points) -> Points:
        """Return the place in mm of a pixel: the inverse of `to_pixels`."""
        return np.asarray((pixel + 0.5) / DENSITY - self.view.layout.half - MARGIN)

    def slices_around(self, place: Place | Points, reach: float) -> tuple[slice, slice]:
        """Return the part within a distance of a place, as slices of the rectified field."""
        (x, y), far = np.rint(self.to_pixels(place)).astype(int), round(reach * DENSITY)
        return slice(max(0, y - far), y + far + 1), slice(max(0, x - far), x + far + 1)

    @cached_property
    def level_map(self) -> Floats:
        """Return the brightness of paper at every pixel: that around the nearest circle."""
        level = np.full(self.low.shape, float(np.median(self.levels)), np.float32)
        for place, its in zip(self.view.layout.places, self.levels, strict=True):
            level[self.slices_around(place, PITCH / 2)] = its
        return level

    @cached_property
    def shadow_mask(self) -> npt.NDArray[np.bool_]:
        """Return where it is dark and the print is seen: on paper in a shadow, and on no stone.

        Of the pixels in a square around a place every second one, across and down, is compared with the print.
        """
        is_dark = self.low < DARK * self.level_map
        seen, dark = (np.ascontiguousarray(image[::2, ::2], np.float32) for image in (self.low, is_dark))
        side = round(WINDOW * DENSITY / 2)

        def mean_in_dark(values: Floats) -> Floats:
            return np.asarray(cv2.blur(values * dark, (side, side)) / np.maximum(share, 1e-3), np.float32)

        share = np.asarray(cv2.blur(dark, (side, side)), np.float32)
        low = mean_in_dark(seen)
        spread = np.sqrt(np.maximum(mean_in_dark(seen**2) - low**2, 1e-8))

        def match_print(page: Floats) -> npt.NDArray[np.bool_]:
            printed = mean_in_dark(page)
            pattern = np.sqrt(np.maximum(mean_in_dark(page**2) - printed**2, 1e-8))
            together = mean_in_dark(seen * page) - low * printed
            contrast = together / pattern**2 * printed / np.maximum(low, 1e-3)
            like = (contrast > CONTRAST) & (together > LIKENESS * spread * pattern) & (pattern > PATTERN)
            return np.asarray(like)

        pages = (np.roll(self.print, nudge, (0, 1))[::2, ::2] for nudge in NUDGES)
        is_lit = np.any([match_print(page) for page in pages], axis=0) & (low > DIMMEST)
        lit = cv2.resize(is_lit.astype(np.uint8), is_dark.shape[::-1], interpolation=cv2.INTER_NEAREST) * is_dark
        return np.asarray(cv2.morphologyEx(lit, cv2.MORPH_OPEN, _make_disc(SPECK).astype(np.uint8)) > 0)

    @cached_property
    def shadow_mask_above(self) -> npt.NDArray[np.bool_]:
        """Return `shadow_mask` as it is seen on the plane of the stones' widest parts."""
        across, down = self.lean.mean(axis=0) * DENSITY
        matrix = np.array([[1.0, 0.0, -across], [0.0, 1.0, -down]])
        size = self.low.shape[1], self.low.shape[0]
        return np.asarray(cv2.warpAffine(self.shadow_mask.astype(np.uint8), matrix, size, flags=cv2.INTER_NEAREST) > 0)

    @cached_property
    def halved_images(self) -> tuple[Floats, Floats]:
        """Return `high` and `level_map` in half their size."""
        high, level = (
            np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
            for image in (self.high, self.level_map)
        )
        return high, level

    @cached_property
    def blurred_images(self) -> tuple[Floats, Floats]:
        """Return `low` and `print`, a little blurred."""
        low, printed = (np.asarray(cv2.blur(image, (3, 3)), np.float32) for image in (self.low, self.print))
        return low, printed

    def measure_colour_ratio(self, place: Place) -> float:
        """Return the least reflected colour's share of the most reflected one on a stone; 1 on paper and ink."""
        around = self.colours[self.slices_around(place, WITHIN + 2 / DENSITY)]
        colours = cv2.blur(around, (5, 5))[2:-2, 2:-2] / np.maximum(self.paper, 1.0)
        return float(np.median(colours.min(axis=-1) / np.maximum(colours.max(axis=-1), 1e-3)))


def _to_pixels(layout: FieldLayout, places: Points) -> Points:
    """Return the pixels of places, shape (..., 2), in a rectified field."""
    return np.asarray((places + np.array(layout.half) + MARGIN) * DENSITY - 0.5)


def _rectify_field(image: Image, view: FieldView) -> _RectifiedField | None:
    """Return the field from above; None if ink and paper can hardly be told apart."""
    layout = view.layout
    first = -np.array(layout.half) - MARGIN
    low, high = (rectify_field(image, view, first, -2 * first, height) for height in (0.0, HIGH))
    squares = [_sample_squares(low, view, k) for k in (0, 1)]
    patterns = [marker_layout.marker_pattern(marker) for marker in layout.ids[view.side]]
    ink = np.mean([np.percentile(s[p], 30, axis=0) for s, p in zip(squares, patterns, strict=True)], axis=0)
    paper = np.mean([np.percentile(s[~p], 70, axis=0) for s, p in zip(squares, patterns, strict=True)], axis=0)
    span = np.maximum(paper - ink, 0.0)
    if span.max() < FAINT:
        return None
    weights = span / span.sum()
    dark, bright = float(ink @ weights), float(paper @ weights)

    def paper_share(levels: Floats) -> Floats:
        row = np.append(weights, -dark) / (bright - dark)
        return np.asarray(cv2.transform(levels, row[None]), np.float32)

    count = len(layout.places)
    lows, highs = paper_share(low), paper_share(high)
    right = min(_count_right_squares(lows, view, k) for k in (0, 1))
    if right < SQUARES:
        evened = remove_shadows(lows, DARKEST)
        right = min(max(_count_right_squares(image, view, k) for image in (lows, evened)) for k in (0, 1))
    field = _RectifiedField(
        view,
        lows,
        highs,
        _match_print_blur(view, lows),
        high,
        np.asarray(paper, np.float32),
        np.ones(count, np.float32),
        np.full(count, 8),
        np.zeros((count, 2)),
        _measure_lean(view),
        right < SQUARES,
    )
    levels = _measure_paper_levels(layout, view.side, lows)
    field = replace(field, levels=np.maximum(levels, SHADED * np.median(levels)))
    hidden, offsets = _find_dots(field)
    return replace(field, hidden_eighths=hidden, dot_offsets=offsets)


Blur = tuple[int, int]
"""A blur across and down, as indices of BLURS."""


def _match_print_blur(view: FieldView, low: Floats) -> Floats:
    """Return the print with the blur, across and down, in which its markers are most like the seen ones."""
    layout, side = view.layout, view.side
    markers = _normalise_parts([low[part] for part in _marker_parts(layout)])

    def score_blur(blur: Blur) -> float:
        return float(_draw_blurred_markers(layout, side, blur) @ markers)

    _, middle = max(((k, k) for k in range(len(BLURS))), key=score_blur)
    pairs = [pair for step in range(-2, 3) for pair in ((middle, middle + step), (middle + step, middle))]
    return _draw_blurred_print(
        layout, side, max((pair for pair in pairs if set(pair) <= set(range(len(BLURS)))), key=score_blur)
    )


@lru_cache(maxsize=4)
def _draw_blurred_print(layout: FieldLayout, side: int, blur: Blur) -> Floats:
    """Return the print in a blur."""
    return _blur_image(_draw_print(layout, side), blur)


@lru_cache(maxsize=64)
def _draw_blurred_markers(layout: FieldLayout, side: int, blur: Blur) -> Floats:
    """Return the print's markers in a blur, as `_normalise_parts` leaves them."""
    page = _draw_print(layout, side)
    return _normalise_parts([_blur_image(page[part], blur) for part in _marker_parts(layout)])


def _blur_image(image: Floats, blur: Blur) -> Floats:
    across, down = (DENSITY * BLURS[k] for k in blur)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), across, sigmaY=down), np.float32)


def _marker_parts(layout: FieldLayout) -> list[tuple[slice, slice]]:
    """Return the parts of a rectified field that show a marker and the paper around it."""
    reach, parts = layout.side / 2 + QUIET, []
    for marker in layout.markers:
        (left, top), (right, bottom) = (
            np.maximum(np.rint(_to_pixels(layout, np.array(marker) + way) + 0.5).astype(int), 0)
            for way in (-reach, reach)
        )
        parts.append((slice(top, bottom), slice(left, right)))
    return parts


def _normalise_parts(parts: Sequence[Floats]) -> Floats:
    """Return the levels of parts, each of mean 0 and length 1, in one row.

    The product of two such rows is the sum of their parts' correlations.
    """
    levels = [part.ravel() - part.mean() for part in parts]
    return np.concatenate([part / max(float(np.linalg.norm(part)), FAINTEST) for part in levels])


@cache
def _draw_print(layout: FieldLayout, side: int) -> Floats:
    """Return the print from above, 1 for paper and 0 for ink, markers included."""
    wide, tall = (round(2 * (half + MARGIN) * DENSITY) for half in layout.half)
    across, down = ((np.arange(2 * n) + 0.5) / DENSITY / 2 - n / DENSITY / 2 for n in (wide, tall))
    places = np.stack(np.meshgrid(across, down), axis=-1)
    ink = mask_printed(layout, side, across, down)
    for marker, number in zip(layout.markers, layout.ids[side], strict=True):
        square = np.floor((places - marker) / layout.side * 6 + 3).astype(int)
        within = ((square >= 0) & (square < 6)).all(axis=-1)
        ink[within] = marker_layout.marker_pattern(number)[square[within][:, 1], square[within][:, 0]]
    return np.asarray(cv2.resize(1 - ink.astype(np.float32), (wide, tall), interpolation=cv2.INTER_AREA))


def _sample_squares(low: Floats, view: FieldView, k: int) -> Floats:
    """Return the colour of each square of a marker, shape (6, 6, 3)."""
    layout = view.layout
    steps = ((np.arange(6) + 0.5) / 6 - 0.5) * layout.side
    places = np.stack(np.meshgrid(steps, steps), axis=-1) + layout.markers[k]
    pixels = ((places + layout.half + MARGIN) * DENSITY - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(low, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR), np.float32)


def _count_right_squares(low: Floats, view: FieldView, k: int) -> int:
    """Return the number of a marker's squares that are as printed. `low`: shares of paper's brightness."""
    pattern = marker_layout.marker_pattern(view.layout.ids[view.side][k])
    return int(((_sample_squares(low, view, k) < 0.5) == pattern).sum())


def _measure_lean(view: FieldView) -> Points:
    """Return for each circle how far, in mm, what is HIGH above its middle is seen off it."""
    places = np.array(view.layout.places)
    matrix = np.vstack([view.matrix, [0.0, 0.0, 1.0]])
    to_field = np.linalg.inv(matrix)
    board_places = view.pose.grid.to_board(view.to_pixels(places, HIGH))
    return np.asarray(board_places @ to_field[:2, :2].T + to_field[:2, 2] - places)


def _measure_paper_levels(layout: FieldLayout, side: int, low: Floats) -> Floats:
    """Return the brightness of the paper around each circle."""
    levels = np.ones(len(layout.places), np.float32)
    for circles, pixels in _paper_around(layout, side):
        levels[circles] = np.maximum(np.percentile(low.ravel()[pixels], BRIGHTEST, axis=1), DARKEST)
    return levels


@cache
def _paper_around(layout: FieldLayout, side: int) -> list[tuple[list[int], npt.NDArray[np.int_]]]:
    """Return the circles with equally many pixels of paper around them, and these, numbered row by row."""
    paper, far = _bare_paper_mask(layout, side), round(0.85 * PITCH * DENSITY)
    kinds: dict[int, dict[int, npt.NDArray[np.int_]]] = {}
    for k, (x, y) in enumerate(np.rint(_to_pixels(layout, np.array(layout.places))).astype(int)):
        square = np.zeros_like(paper)
        square[max(0, y - far) : y + far + 1 : 2, max(0, x - far) : x + far + 1 : 2] = True
        pixels = np.flatnonzero(square & paper)
        kinds.setdefault(len(pixels), {})[k] = pixels
    return [(list(alike), np.stack(list(alike.values()))) for count, alike in kinds.items() if count]


@cache
def _bare_paper_mask(layout: FieldLayout, side: int) -> npt.NDArray[np.bool_]:
    """Return the pixels of a rectified field that are paper, far from ink."""
    wide, tall = (round(2 * (half + MARGIN) * DENSITY) for half in layout.half)
    across, down = ((np.arange(n) + 0.5) / DENSITY - n / DENSITY / 2 for n in (wide, tall))
    places = np.stack(np.meshgrid(across, down), axis=-1)
    ink_mask = mask_printed(layout, side, across, down) | (np.abs(places) > layout.half).any(axis=-1)
    for marker in layout.markers:
        ink_mask |= (np.abs(places - marker) < layout.side / 2).all(axis=-1)
    return np.asarray(cv2.dilate(ink_mask.astype(np.uint8), _make_disc(1.0).astype(np.uint8)) == 0)


# What lies on a circle


def _read_circle(field: _RectifiedField, k: int) -> tuple[Colour | None, bool]:
    """Return the stone on a circle that no black one lies on, None for none, and whether it is sure."""
    if field.hidden_eighths[k] <= HIDEABLE:
        return None, True
    white = _is_white(field, k)
    return (Colour.WHITE if white else None), white


def _find_dots(field: _RectifiedField) -> tuple[npt.NDArray[np.int_], Points]:
    """Return for each circle in how many of eight sectors at least paper is hidden around its whole dot, and its place.

    Eight where no whole dot is seen, wherever within NEAR of the circle's middle; the place is in mm from that middle.
    The field is filtered once.
    """
    blurred = cv2.blur(field.low, (WEDGE, WEDGE))
    layout = field.view.layout
    twice, ink = (_sample_pixels(blurred, at, cv2.INTER_NEAREST) for at in _dot_samples(layout))
    paper = (twice[::2] + twice[1::2]) / 2
    ink_counts = ((ink.max(axis=0) < INK * paper) & (paper > DARKEST * np.repeat(field.levels, len(_CENTRES)))).sum(
        axis=0
    )
    ink_counts = ink_counts.reshape(len(layout.places), len(_CENTRES))
    most = ink_counts.max(axis=-1)
    best = (ink_counts == most[:, None]) & (most > 0)[:, None]
    offsets = best @ _CENTRES / np.maximum(best.sum(axis=1), 1)[:, None]
    return np.asarray(8 - most), np.asarray(offsets)


@cache
def _dot_samples(layout: FieldLayout) -> tuple[Floats, Floats]:
    """Return the pixels looked at around a dot and within it, shape (ways, circles * _CENTRES, 2)."""
    middles = (np.array(layout.places)[:, None] + _CENTRES).reshape(-1, 2)
    rings = ((_TWICE, DOT / 2 + 2.5), (_ARCS, INNER))
    paper, ink = (_to_pixels(layout, middles + ways[:, None] * far).astype(np.float32) for ways, far in rings)
    return paper, ink


def _is_white(field: _RectifiedField, k: int) -> bool:
    """Return True if a circle is bright and nothing of its dot is seen."""
    place, level = field.view.layout.places[k], float(field.levels[k])
    dot = _make_disc(DOT / 2)
    low = np.asarray(cv2.blur(field.low[field.slices_around(place, DOT / 2 + 2)], (3, 3)), np.float32)
    high = np.asarray(cv2.blur(field.high[field.slices_around(place, WITHIN + OFF)], (3, 3)), np.float32)
    body = np.asarray(cv2.erode(high, _make_disc(WITHIN).astype(np.uint8)))[_middle_slices(high, _make_disc(OFF))]
    dark_share = float((low[_middle_slices(low, dot)][dot > 0] < BRIGHT * level).mean())
    bright = body.max() > BRIGHT * level and dark_share < FREE + _bare_dot_share(field.lean[k])
    return bool(bright and field.measure_colour_ratio(place) > COLOURED)


def _bare_dot_share(lean: Points) -> float:
    """Return the share of a dot that a stone on it leaves bare, seen from so low that it is seen off by `lean`."""
    return float((np.linalg.norm(_dot_places() - lean, axis=1) > STONE - STAY).mean())


@cache
def _dot_places() -> Points:
    """Return the places of a dot's pixels, in mm from its middle."""
    return np.asarray(np.argwhere(_make_disc(DOT / 2))[:, ::-1] / DENSITY - DOT / 2)


def _middle_slices(part: Floats, kernel: Floats) -> tuple[slice, slice]:
    """Return the middle of a part, as large as a kernel."""
    first = (np.array(part.shape) - kernel.shape) // 2
    return slice(first[0], first[0] + kernel.shape[0]), slice(first[1], first[1] + kernel.shape[1])


# What lies anywhere


@dataclass(frozen=True, eq=False)
class _Blackness:
    """The look of the black stones on circles; shadows on paper are less black where the lamp leaves them any light.

    `level`: the brightness, as a share of paper's, below which most of each is.
    `shares`: how much of a disc of radius WHOLE is below it, around each pixel of the field in half its size.
    `least_share`: the one that half of these stones have.
    """

    level: float
    shares: Floats
    least_share: float


def _measure_blackness(field: _RectifiedField, bodies: dict[int, Points]) -> _Blackness:
    """Return the look of those dark bodies that surely are black stones on circles; anything dark has it if none is."""
    high, level = field.halved_images
    brightness = np.asarray(high / level, np.float32)
    on_circles = {k: middle for k, middle in bodies.items() if _is_on_circle(field, k, middle)}
    black_circles = [k for k, its in _core_brightness(field, on_circles).items() if its < GREY]
    middles = np.array([field.to_pixels(bodies[k]) / 2 for k in black_circles]).reshape(-1, 2)
    if not len(middles):
        return _Blackness(DARK, np.ones_like(brightness), 0.0)
    means = _disc_means(brightness, PART)
    nearby = np.argwhere(_make_disc(ASTRAY / 2)) - round(ASTRAY / 2 * DENSITY)
    candidates = _clip_pixels(np.rint(middles[:, None, ::-1]).astype(int) + nearby, brightness.shape)
    darkest = means[candidates[..., 0], candidates[..., 1]].argmin(axis=1)
    stones = candidates[np.arange(len(middles)), darkest]
    part = np.argwhere(_make_disc(PART / 2)) - round(PART / 2 * DENSITY)
    pixels = _clip_pixels(stones[:, None] + part, brightness.shape)
    limit = min(DARK, float(np.percentile(brightness[pixels[..., 0], pixels[..., 1]], MOST, axis=1).max()) + PALEST)
    shares = _disc_means((brightness < limit).astype(np.float32), WHOLE)
    return _Blackness(limit, shares, float(np.median(shares[stones[:, 0], stones[:, 1]])))


def _clip_pixels(pixels: npt.NDArray[np.int_], shape: tuple[int, ...]) -> npt.NDArray[np.int_]:
    """Return rows and columns, shape (..., 2), moved into an image of that shape."""
    return np.clip(pixels, 0, np.array(shape) - 1)


def _disc_means(halved: Floats, radius: float) -> Floats:
    """Return the mean of a disc around each pixel of an image in half its size. `radius`: in mm."""
    disc = _make_disc(radius / 2)
    return np.asarray(cv2.filter2D(halved, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)


def _is_on_circle(field: _RectifiedField, k: int, middle: Points) -> bool:
    return _place_distance(middle, field.view.layout.places[k]) <= LOOSE


def _is_black_body(field: _RectifiedField, blackness: _Blackness, k: int, middle: Points) -> bool:
    """Return True unless a dark body beside a circle is a shadow: less black than stones, with a white one there."""
    if _is_on_circle(field, k, middle):
        return True
    rows, columns = field.slices_around(field.view.layout.places[k], STRAY)
    part = blackness.shares[rows.start // 2 : rows.stop // 2, columns.start // 2 : columns.stop // 2]
    return bool(part.max() >= blackness.least_share) or not _is_white(field, k)


def _find_dark_bodies(field: _RectifiedField) -> dict[int, Points]:
    """Return the circles on which a dark disc is seen, and where its middle is, in mm on the plane of the widest parts.

    A stone's own shadow adjoins it, and hardly moves its middle; one that lies beside its circle only by it does not.
    """
    dark = field.high < DARK * field.level_map
    with_shadow, alone = (_solid_share(mask) for mask in (dark, dark & ~field.shadow_mask_above))
    bodies = {}
    for k, place in enumerate(field.view.layout.places):
        part = field.slices_around(place, STRAY)
        if alone[part].max() < SOLID or field.hidden_eighths[k] == 0:
            continue
        middle = _find_solid_middle(field, with_shadow, part)
        is_beside = _place_distance(middle, place) > LOOSE
        bodies[k] = _find_solid_middle(field, alone, part) if is_beside else middle
    return bodies


def _solid_share(dark: npt.NDArray[np.bool_]) -> Floats:
    """Return for each pixel the share of a disc of radius BODY around it that is dark."""
    disc = _make_disc(BODY / 2)
    half_size = cv2.resize(dark.astype(np.float32), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    solid = cv2.filter2D(half_size, -1, disc / disc.sum(), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.resize(solid, dark.shape[::-1]), np.float32)


def _find_solid_middle(field: _RectifiedField, solid: Floats, part: tuple[slice, slice]) -> Points:
    """Return the middle, in mm, of the places in a part at which most is dark."""
    down, across = np.nonzero(solid[part] > solid[part].max() - ALIKE)
    return field.to_places(np.array([across.mean() + part[1].start, down.mean() + part[0].start]))


def _core_brightness(field: _RectifiedField, middles: Mapping[int, Place | Points]) -> dict[int, float]:
    """Return for each circle the median brightness of the middle of the stone that lies on it or near it."""
    if not middles:
        return {}
    far = round(CORE * DENSITY)
    steps = np.mgrid[-far : far + 1, -far : far + 1].reshape(2, -1).T
    pixels = np.rint(field.to_pixels(np.array(list(middles.values())))).astype(int)[:, None, ::-1] + steps
    rows, columns = np.moveaxis(_clip_pixels(pixels, field.high.shape), -1, 0)
    medians = np.median(field.high[rows, columns], axis=1)
    return {k: float(median / field.levels[k]) for k, median in zip(middles, medians, strict=True)}


def _find_second_stones(field: _RectifiedField, blackness: _Blackness, colours: tuple[Colour | None, ...]) -> list[int]:
    """Return the circles on whose stone another of its colour leans: a whole stone is seen too far from any circle's.

    The upper one of two is seen whole, and so is a disc almost as large, evenly bright, or all dark and as black as the
    stones on circles.
    """
    (high, level), bright = field.halved_images, _make_disc(EVEN / 2)
    dark = (high < _find_black_limit(field, colours) * level).astype(np.float32)
    off_paper = ~_paper_mask(field.view.layout)
    if dark[off_paper].mean() > TABLE:
        dark[off_paper] = 0.0
    dark_shares, more_black = _disc_means(dark, WHOLE), blackness.shares - blackness.least_share
    filled = ((dark_shares > FILLED) & (more_black >= 0)) | ((dark_shares > NEARLY) & (more_black >= BLACKER))
    mean = cv2.filter2D(high, -1, bright / bright.sum())
    even = (cv2.erode(high, bright.astype(np.uint8)) > EVENNESS * mean) & (mean > LEAST * level)
    layout = field.view.layout
    around = [(at, STRAY * 2) for at in layout.places]
    amid = [(at, EDGE) for at in (*layout.places, *layout.find_gaps())] + [
        (at, PITCH / 2) for at in layout.find_spots()
    ]
    black_ones = _find_second_of_colour(field, colours, Colour.BLACK, filled, around)
    return sorted(black_ones | _find_second_of_colour(field, colours, Colour.WHITE, even, amid))


@cache
def _paper_mask(layout: FieldLayout) -> npt.NDArray[np.bool_]:
    """Return the pixels of a rectified field, halved, that are surely on its paper."""
    wide, tall = (round(2 * (half + MARGIN) * DENSITY) // 2 for half in layout.half)
    across, down = ((np.arange(n) + 0.5) * 2 / DENSITY - n / DENSITY for n in (wide, tall))
    places = np.stack(np.meshgrid(across, down), axis=-1)
    return np.asarray((np.abs(places) < layout.half).all(axis=-1))


def _find_black_limit(field: _RectifiedField, colours: tuple[Colour | None, ...]) -> float:
    """Return the share of paper's brightness below which everything on a black stone is, in this light."""
    places = field.view.layout.places
    black_places = {k: places[k] for k, colour in enumerate(colours) if colour is Colour.BLACK}
    brightest = max(_core_brightness(field, black_places).values(), default=0.0)
    return float(np.clip(brightest + PALER, BLACK, DARK))


def _find_second_of_colour(
    field: _RectifiedField,
    colours: tuple[Colour | None, ...],
    colour: Colour,
    whole: npt.NDArray[np.bool_],
    within: Sequence[tuple[Place, float]],
) -> set[int]:
    """Return the circles whose stone of a colour is nearest to where such a stone is seen whole, but off its circle.

    `within`: the middles of the squares in which that is looked for, and half their sides.
    """
    layout, circles = field.view.layout, [k for k, its in enumerate(colours) if its is colour]
    middles = field.to_places(np.asarray(np.argwhere(whole)[:, ::-1] * 2 + 0.5, np.float64))
    squares, halves = np.array([at for at, _ in within]), np.array([half for _, half in within])
    middles = middles[(np.abs(middles[:, None] - squares).max(axis=-1) < halves).any(axis=1)]
    if not circles:
        return set()
    feet = np.array(layout.places)[circles] + np.array(TILTS)[:, None, None] * field.lean[circles]
    distances = np.linalg.norm(middles[:, None, None] - feet, axis=-1).min(axis=1)
    nearest, least = distances.argmin(axis=1), distances.min(axis=1)
    far = ASIDE[colour]
    return {circles[k] for k in nearest[(least > far) & (least < far + STONE)]}


def _find_dark_strays(
    field: _RectifiedField, blackness: _Blackness, bodies: dict[int, Points], colours: tuple[Colour | None, ...]
) -> list[int]:
    """Return the circles nearest to what is black beside the stones on circles and the print."""
    layout = field.view.layout
    limit = min(BLACK, blackness.level)
    residue = ((field.low < limit * field.level_map) & ~_marker_mask(field) & ~field.shadow_mask).astype(np.uint8)
    masks: list[tuple[Place | Points, float]] = [(spot, SPOT / 2 + SLACK) for spot in layout.find_spots()]
    for k, place in enumerate(layout.places):
        foot = bodies[k] if k in bodies else np.array(place)
        room = STONE + ROOM if k in bodies else STONE + SLACK if colours[k] else DOT / 2 + SLACK
        masks += [(foot + field.lean[k] * lift, room) for lift in ((0.0, 1.0) if colours[k] else (0.0,))]
    for middle, room in masks:
        x, y = np.rint(field.to_pixels(middle)).astype(int)
        cv2.circle(residue, (int(x), int(y)), round(room * DENSITY), 0, -1)
    solid = np.argwhere(cv2.erode(residue, _make_disc(RESIDUE).astype(np.uint8)))[:, ::-1].astype(np.float64)
    places = field.to_places(solid)
    on_field = places[(np.abs(places) < np.array(layout.half) - RIM).all(axis=1)]
    return sorted({int(k) for k in _nearest_circles(layout, on_field)})


def _marker_mask(field: _RectifiedField) -> npt.NDArray[np.bool_]:
    """Return the pixels of the markers and bars."""
    mask = np.zeros(field.low.shape, bool)
    layout = field.view.layout
    for marker in layout.markers:
        low, high = (
            np.rint(field.to_pixels(np.array(marker) + sign * (layout.side / 2 + 1))).astype(int) for sign in (-1, 1)
        )
        mask[low[1] : high[1], low[0] : high[0]] = True
    return mask


def _find_missing_ink(field: _RectifiedField, colours: tuple[Colour | None, ...]) -> list[int]:
    """Return the circles nearest to ink that is not seen although no stone on a circle hides it."""
    layout = field.view.layout
    occupied = [k for k, colour in enumerate(colours) if colour]
    stones = (np.array(layout.places) + np.array(LIFTS)[:, None, None] * field.lean)[:, occupied].reshape(-1, 2)

    def free_mask(places: Points, near: float) -> npt.NDArray[np.bool_]:
        away = np.linalg.norm(places[..., None, :] - stones, axis=-1)
        return np.asarray(away.min(axis=-1, initial=np.inf) > STONE + near)

    missing: list[int] = []
    for ink, radius, near in (
        (layout.find_spots(), SPOT / 2, SPOT / 2 + SPOTTED),
        (layout.find_gaps(), RING, RING + HIDDEN),
    ):
        places = np.array(ink).reshape(-1, 2)
        places = places[free_mask(places, near)]
        missing += [_nearest_circle(layout, at) for at in places[~_has_ink(field, places, radius)]]
    arcs = np.array(layout.places)[:, None] + CIRCLE / 2 * _ARCS
    darkness = _measure_arcs(field)
    is_missing = ((darkness < LINE) & free_mask(arcs, RING + HIDDEN)).sum(axis=1) >= FEWEST_EIGHTHS
    is_missing |= ((darkness < BARE) & free_mask(arcs, RING + FAR)).any(axis=1)
    missing += [k for k, colour in enumerate(colours) if colour is None and is_missing[k]]
    return missing + _find_missing_bars(field)


_TURNS = 2 * np.pi * (np.arange(48) + 0.5) / 48
_WAYS = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=-1)
_ARCS = np.stack([np.cos(_TURNS.reshape(8, 6).mean(axis=1)), np.sin(_TURNS.reshape(8, 6).mean(axis=1))], axis=-1)
_TWICE = np.stack([np.cos(_TURNS.reshape(16, 3).mean(axis=1)), np.sin(_TURNS.reshape(16, 3).mean(axis=1))], axis=-1)
_OUT = np.arange(6.5, 14.6, 0.5)
_CENTRES = np.stack(np.meshgrid(*[np.arange(-NEAR, NEAR + 0.1, NEAR / 5)] * 2), axis=-1).reshape(-1, 2)


def _measure_arcs(field: _RectifiedField) -> Floats:
    """Return for each eighth of each circle's ring how dark a line is seen, as a share of what it has to be.

    Shape (circles, 8); for empty circles only.
    """
    middles = (np.array(field.view.layout.places) + field.dot_offsets)[:, None, None]
    pixels = field.to_pixels(middles + _WAYS[:, None] * _OUT[:, None]).astype(np.float32).reshape(len(middles), -1, 2)

    def ink_to_paper_ratio(image: Floats) -> Floats:
        profile = _sample_pixels(image, pixels, cv2.INTER_LINEAR).reshape(len(middles), 8, 6, -1).mean(axis=2)
        inner, outer = profile[..., _OUT < 10.0], profile[..., _OUT >= 9.5]
        return np.asarray(outer.min(axis=-1) / np.maximum(inner.max(axis=-1), FAINTEST), np.float32)

    return np.asarray(
        (1 - ink_to_paper_ratio(field.low)) / np.maximum(1 - ink_to_paper_ratio(field.print), FAINTEST), np.float32
    )


def _find_missing_bars(field: _RectifiedField) -> list[int]:
    """Return the circles nearest to bars of which so much is not seen that a stone may lie there."""
    layout = field.view.layout
    bars = np.array(layout.bar_ends(field.view.side)).reshape(-1, 2, 1, 2)
    points = (bars[:, 0] + (bars[:, 1] - bars[:, 0]) * np.linspace(0.1, 0.9, 6)[:, None]).reshape(-1, 2)
    missing = points[~_has_ink(field, points, BAR / 2)]
    near = np.linalg.norm(missing[:, None] - missing[None], axis=-1) < STONE
    return [_nearest_circle(layout, at) for at in missing[near.sum(axis=1) > FEW]]


def _has_ink(field: _RectifiedField, places: Points, radius: float) -> npt.NDArray[np.bool_]:
    """Return True for each place at which ink is darker than the paper beside it, as it has to be in such a blur."""
    if not len(places):
        return np.zeros(0, bool)
    (least, paper), (dark, bright) = (
        _measure_ink_and_paper(field, image, places, radius) for image in field.blurred_images
    )
    is_faded = 1 - dark / bright < FADED
    level = np.where(is_faded, field.levels[_nearest_circles(field.view.layout, places)], paper)
    expected = np.where(is_faded, dark, dark / bright)
    return np.asarray(1 - least / level > PLAIN * (1 - expected))


def _measure_ink_and_paper(
    field: _RectifiedField, image: Floats, places: Points, radius: float
) -> tuple[Floats, Floats]:
    """Return for each place the darkest within a radius, and the brightness of the paper beside it."""
    middles = np.rint(field.to_pixels(places)).astype(int)

    def levels_around(reach: float, step: int) -> Floats:
        far = round((radius + reach) * DENSITY)
        steps = np.arange(-far, far + 1, step)
        rows, columns = (middles[:, k, None] + steps for k in (1, 0))
        return image[rows[:, :, None], columns[:, None]].reshape(len(middles), -1)

    paper = np.quantile(levels_around(3.5, 2), 0.85, axis=1)
    return levels_around(1.75, 1).min(axis=1), np.maximum(paper, FAINTEST).astype(np.float32)


def _sample_pixels(image: npt.NDArray[Any], pixels: npt.NDArray[Any], how: int) -> Floats:
    """Return what an image shows at pixels, shape (rows, columns, 2)."""
    places = pixels.astype(np.float32)
    return np.asarray(cv2.remap(image, places[..., 0], places[..., 1], how), np.float32)


def _nearest_circle(layout: FieldLayout, place: Place | Points) -> int:
    return int(_nearest_circles(layout, np.array(place)[None])[0])


def _nearest_circles(layout: FieldLayout, places: Points) -> npt.NDArray[np.int_]:
    """Return the circle nearest to each of several places, shape (n, 2)."""
    return np.asarray(np.linalg.norm(places[:, None] - np.array(layout.places), axis=-1).argmin(axis=1))


def _place_distance(one: Place | Points, other: Place | Points) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


@cache
def _make_disc(radius: float) -> Floats:
    far = round(radius * DENSITY)
    steps = np.arange(-far, far + 1) / DENSITY
    return (np.hypot(steps[:, None], steps[None]) <= radius).astype(np.float32)
