"""The picture with the grid, stones, doubtful points and lids drawn on it, for a person to check at a glance."""

from __future__ import annotations

import textwrap

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.field_layout import CIRCLE, layout_of
from vision.calibration.model import Box, Calibration, Grid, Points, PrisonerField
from vision.camera.frame import Image
from vision.lids.count import LidReading
from vision.stones.reader import BLACK, EMPTY
from vision.tracking.reading import Reading

Rgb = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

# Chosen by hand, to be distinguishable on wood by anybody.
GRID: Rgb = (255, 190, 60)
BLACK_STONE: Rgb = (60, 230, 60)
WHITE_STONE: Rgb = (255, 90, 255)
DOUBTFUL: Rgb = (60, 60, 255)
NAMES: Rgb = (255, 255, 255)
FIRST: Rgb = (60, 220, 255)
DARK: Rgb = (0, 0, 0)
"""The outline colour. The first corner's names are FIRST; every bright stroke lies on a wider DARK one, to be visible
on any picture.
"""
FONT, FINE = cv2.FONT_HERSHEY_SIMPLEX, 4
"""The font, and the number of fractional bits of drawn positions: a sixteenth of a pixel."""
RIM = ((-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, -1), (-1, 1), (1, 1))
"""The offsets at which letters are drawn in DARK for their outline, in pixels."""
WIDEST, LEGIBLE = 1600, 24
"""The maximum width of an overlay, in pixels, and the cell size below which the picture is enlarged, so that names and
rings do not merge.
"""
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The column names as in GTP, without I."""
BAR, LETTERS = 30, 15
"""The height of a caption line, and of its capitals, in pixels."""


def draw_overlay(image: Image, reading: Reading, caption: str = "") -> Image:
    """Return a copy of the picture, at most 1600 px wide, with the reading drawn on it (BGR, uint8).

    Black stones are ringed green, white ones magenta, doubtful points red with the likeliest content and its
    probability.

    `caption`: the text above it, such as whose turn it is or the ruling.
    """
    canvas, grid, scale = _make_canvas(image, reading.grid)
    _draw_grid(canvas, grid)
    _draw_points(canvas, reading, grid)
    for side, lid in enumerate(reading.lids, 1):
        _draw_lid(canvas, _scale_box(lid.box, scale), _lid_text(side, lid), GRID if lid.sure else DOUBTFUL)
    return _add_caption(canvas, caption)


def draw_calibration(image: Image, calibration: Calibration, caption: str = "") -> Image:
    """Return the picture with a calibration alone: the lines, their names and the lids of sides 1 and 2."""
    canvas, grid, scale = _make_canvas(image, calibration.grid)
    _draw_grid(canvas, grid)
    for side, box in enumerate(calibration.lids, 1):
        _draw_lid(canvas, _scale_box(box, scale), _lid_name(side, box), GRID)
    return _add_caption(canvas, caption)


def _make_canvas(image: Image, grid: Grid) -> tuple[Image, Grid, float]:
    """Return the picture enlarged or reduced, the grid in it, and the scale."""
    scale = min(WIDEST / image.shape[1], max(1.0, LEGIBLE / grid.cell()))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    canvas = cv2.resize(image, None, fx=scale, fy=scale, interpolation=way)
    return np.asarray(canvas, np.uint8), grid.move_grid(scale, np.zeros(2)), scale


def _draw_grid(canvas: Image, grid: Grid) -> None:
    points = grid.points()
    for row in (*points[1:-1], *points.swapaxes(0, 1)[1:-1]):
        _draw_line(canvas, row, GRID, rim=0)
    _draw_line(
        canvas, np.concatenate([points[0], points[1:, -1], points[-1, -2::-1], points[-2:0:-1, 0]]), GRID, 2, True
    )
    _draw_ring(canvas, points[0, 0], 0.22 * grid.cell(), FIRST)
    _draw_names(canvas, grid)


def _draw_names(canvas: Image, grid: Grid) -> None:
    """Draw the names of all lines outside the board on every side; the first corner's in another colour."""
    outside_points, last, height = grid.points_beyond(1), grid.size + 1, float(np.clip(0.4 * grid.cell(), 9, 22))
    for k in range(grid.size):
        column, row = COLUMNS[k], str(grid.size - k)
        colour = FIRST if k == 0 else NAMES
        for j in (0, last):
            _draw_words(canvas, outside_points[j, k + 1], column, colour, height)
            _draw_words(canvas, outside_points[k + 1, j], row, colour, height)


def _draw_points(canvas: Image, reading: Reading, grid: Grid) -> None:
    points, radius = grid.points().reshape(-1, 2), max(4.0, grid.cell() * 0.3)
    kinds = reading.likeliest_kinds().ravel()
    for point, kind in zip(points, kinds, strict=True):
        if kind != EMPTY:
            _draw_ring(canvas, point, radius, BLACK_STONE if kind == BLACK else WHITE_STONE)
    for doubt in reading.doubtful():
        _draw_ring(canvas, points[doubt.point], radius * 1.6, DOUBTFUL, 3)
        text = f"{('empty', 'black', 'white')[kinds[doubt.point]]} {doubt.p:.0%}"
        _draw_words(
            canvas, points[doubt.point] + np.array([0, -1.0 * grid.cell()]), text, DOUBTFUL, max(10, 0.4 * grid.cell())
        )


def _draw_lid(canvas: Image, box: Box, text: str, colour: Rgb) -> None:
    """Draw a ring round a lid, or a line round a prisoner field, with a text above it."""
    if isinstance(box, PrisonerField):
        _draw_line(canvas, np.array(box.corners), colour, 2, closed=True)
        _draw_circles(canvas, box, colour)
        _draw_words(canvas, np.array([box.middle()[0], max(LETTERS, box.y - LETTERS)]), text, colour, LETTERS)
        return
    turns = np.linspace(0, 2 * np.pi, 60)
    middle, half = np.array(box.middle()), np.array([box.w, box.h]) / 2
    _draw_line(canvas, middle + half * np.stack([np.cos(turns), np.sin(turns)], axis=-1), colour, 2)
    above = box.y > 2 * LETTERS
    _draw_words(
        canvas, np.array([middle[0], box.y - LETTERS if above else box.y + box.h + LETTERS]), text, colour, LETTERS
    )


def _lid_text(side: int, lid: LidReading) -> str:
    """Return a lid's content in words: counts, or ranges if they are not sure."""
    if lid.fault is not None:
        place = f", row {lid.circle[0]}, circle {lid.circle[1]}" if lid.circle else ""
        return f"lid {side}: {lid.fault}{place}?"
    if lid.sure:
        return f"lid {side}: {lid.black} black, {lid.white} white"
    spans = (f"{low}-{high}" if low != high else str(low) for low, high in (lid.black_range, lid.white_range))
    return "lid {}: {} black, {} white?".format(side, *spans)


def _lid_name(side: int, box: Box) -> str:
    if isinstance(box, PrisonerField):
        return f"prisoner field of side {side}: {len(layout_of(box.kind).places)} circles"
    return f"lid of side {side}"


def _draw_circles(canvas: Image, field: PrisonerField, colour: Rgb) -> None:
    """Draw a ring on each circle of a prisoner field."""
    layout = layout_of(field.kind)
    matrix = cv2.getPerspectiveTransform(layout.field_corners().astype(np.float32), np.array(field.corners, np.float32))
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = CIRCLE / 2 * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    for place in layout.places:
        pixels = cv2.perspectiveTransform((ring + place)[None].astype(np.float64), matrix.astype(np.float64))[0]
        _draw_line(canvas, np.asarray(pixels, np.float64), colour, closed=True)


def _scale_box(box: Box, scale: float) -> Box:
    if isinstance(box, PrisonerField):
        return PrisonerField.from_corners(box.kind, box.side, np.array(box.corners) * scale)
    return Box(box.x * scale, box.y * scale, box.w * scale, box.h * scale)


def _add_caption(canvas: Image, caption: str) -> Image:
    """Return the picture with a bar of text above it."""
    if not caption:
        return canvas
    ascii_alone = caption.encode("ascii", "replace").decode()
    lines = textwrap.wrap(ascii_alone, max(20, canvas.shape[1] // 12))
    bar = np.zeros((BAR * len(lines), canvas.shape[1], 3), np.uint8)
    for k, text in enumerate(lines):
        _draw_words(bar, np.array([canvas.shape[1] / 2, BAR * (k + 0.5)]), text, NAMES, LETTERS)
    return np.asarray(np.vstack([bar, canvas]), np.uint8)


def _draw_line(canvas: Image, points: Points, colour: Rgb, width: int = 1, closed: bool = False, rim: int = 2) -> None:
    """Draw a line through pixels, shape (n, 2), with a dark outline that adds `rim` pixels to its width."""
    path = [_fixed_point(points).reshape(-1, 1, 2)]
    if rim:
        cv2.polylines(canvas, path, closed, DARK, width + rim, cv2.LINE_AA, FINE)
    cv2.polylines(canvas, path, closed, colour, width, cv2.LINE_AA, FINE)


def _draw_ring(canvas: Image, middle: Points, radius: float, colour: Rgb, width: int = 2) -> None:
    """Draw a circle around a pixel."""
    x, y = (int(v) for v in _fixed_point(middle))
    for stroke, wide in ((DARK, width + 2), (colour, width)):
        cv2.circle(canvas, (x, y), round(radius * 2**FINE), stroke, wide, cv2.LINE_AA, FINE)


def _draw_words(canvas: Image, middle: Points, text: str, colour: Rgb, height: float) -> None:
    """Draw text centred on a pixel, moved into the picture if it would stick out; ASCII alone."""
    size = height / 22
    (wide, high), _ = cv2.getTextSize(text, FONT, size, 1)
    x = int(np.clip(middle[0] - wide / 2, 2, max(2, canvas.shape[1] - wide - 2)))
    y = int(np.clip(middle[1] + high / 2, high + 2, max(high + 2, canvas.shape[0] - 3)))
    # Not one wider stroke: OpenCV 5 sets wider letters further apart.
    for dx, dy in RIM:
        cv2.putText(canvas, text, (x + dx, y + dy), FONT, size, DARK, 1, cv2.LINE_AA)
    cv2.putText(canvas, text, (x, y), FONT, size, colour, 1, cv2.LINE_AA)


def _fixed_point(points: Points) -> npt.NDArray[np.int32]:
    return np.asarray(np.rint(points * 2**FINE), np.int32)
