"""The calibration value: position of board and lids in the picture, detected or given by hand, stored as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from vision.calibration.field_layout import CARD
from vision.calibration.palette import Palette
from vision.errors import BadCalibration
from vision.input_files import InputFileSpec
from vision.validation import InvalidValue, invalid_value, parse_dataclass, parse_value

LARGEST_BOARD = 21
"""The most lines a side that can be read: as many as the stone network has outputs across and down."""
MOST_CURVED = 0.5
"""The limit of the radial lens term; beyond it the picture would fold over."""

Points = npt.NDArray[np.float64]
"""Image points in pixels, shape (..., 2), x to the right and y down."""

UNIT_SQUARE: Points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
"""The corners of the unit square, clockwise from the origin: a board's corners in board coordinates."""


PREVIOUS_CORNER = np.array([3, 0, 1, 2])
"""The index of the corner before each of a quadrangle's."""


def order_clockwise(corners: Points) -> Points:
    """Return a quadrangle's corners, shape (4, 2), clockwise from the one with the smallest x + y."""
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)


def mean_side(corners: Points) -> float:
    """Return the mean side length of a quadrangle with these corners, shape (4, 2)."""
    sides = corners - corners.take(PREVIOUS_CORNER, axis=0)
    return float(np.sqrt((sides * sides).sum(axis=1)).mean())


def transform_points(points: Points, matrix: Points) -> Points:
    """Return the points, shape (..., 2), mapped through a homography, shape (3, 3)."""
    if not points.size:
        return points
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix), np.float64).reshape(points.shape)


@dataclass(frozen=True)
class Box:
    """An upright rectangle in image pixels: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @classmethod
    def enclose_points(cls, points: Points) -> Box:
        """Return the smallest box that contains all these pixels, shape (n, 2)."""
        low, high = points.min(axis=0), points.max(axis=0)
        return cls(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))

    def scale_box(self, scale: float) -> Box:
        """Return the box in a scaled picture (see `Grid.moved`)."""
        return Box((self.x + 0.5) * scale - 0.5, (self.y + 0.5) * scale - 0.5, self.w * scale, self.h * scale)

    def middle(self) -> tuple[float, float]:
        """Return the box's centre, in pixels."""
        return self.x + self.w / 2, self.y + self.h / 2


@dataclass(frozen=True)
class PrisonerField(Box):
    """A lid of another kind: a printed field, by the upright rectangle around it.

    `kind`: its layout's name.
    `side`: 0 or 1, as its markers say.
    `corners`: the field's corners in pixels, clockwise from its own top left.
    """

    kind: str = CARD.name
    side: int = 0
    corners: tuple[tuple[float, float], ...] = ()

    @classmethod
    def from_corners(cls, kind: str, side: int, corners: Points) -> PrisonerField:
        """Return the field with these corners, shape (4, 2)."""
        box = Box.enclose_points(corners)
        return cls(box.x, box.y, box.w, box.h, kind, side, tuple((float(x), float(y)) for x, y in corners))

    def scale_field(self, scale: float) -> PrisonerField:
        """Return the field in a scaled picture (see `Grid.moved`)."""
        return self.from_corners(self.kind, self.side, (np.array(self.corners) + 0.5) * scale - 0.5)


@dataclass(frozen=True)
class Grid:
    """A board in the picture.

    `size`: lines a side.
    `corners`: the outermost intersections in pixels, clockwise from the one at column A and the highest row; curved as
        seen.
    `curvature`: the radial lens term k1, 0 for none; radii are in half image diagonals from `centre`.
    `centre`: the centre of the lens distortion, in pixels.
    `half_diagonal`: half the image diagonal, in pixels.
    """

    size: int
    corners: tuple[tuple[float, float], ...]
    curvature: float = 0.0
    centre: tuple[float, float] = (0.0, 0.0)
    half_diagonal: float = 1.0

    def points(self) -> Points:
        """Return all intersections in pixels, shape (size, size, 2), row 0 the highest."""
        return self.points_beyond(0)

    def points_beyond(self, beyond: int) -> Points:
        """Return all intersections, and those of `beyond` more lines on every side, in pixels."""
        steps = np.arange(-beyond, self.size + beyond) / (self.size - 1)
        board = np.empty((len(steps), len(steps), 2))
        board[..., 0], board[..., 1] = steps, steps[:, None]
        return self.to_pixels(board)

    def to_pixels(self, board: Points) -> Points:
        """Return the pixels of board coordinates (0 to 1 between the outer lines, across and down), shape (..., 2)."""
        return self.apply_curvature(transform_points(board, self._homography))

    def to_board(self, pixels: Points) -> Points:
        """Return the board coordinates of pixels: the inverse of `to_pixels`."""
        return transform_points(
            self.take_out_curvature(pixels), np.asarray(np.linalg.inv(self._homography), np.float64)
        )

    def homography(self) -> npt.NDArray[np.float64]:
        """Return the 3x3 matrix from board coordinates to pixels without the lens curvature."""
        return self._homography.copy()

    @cached_property
    def _homography(self) -> npt.NDArray[np.float64]:
        flat = self.take_out_curvature(np.array(self.corners, np.float64)).astype(np.float32)
        return np.asarray(cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), flat), np.float64)

    def cell(self) -> float:
        """Return the mean distance between neighbouring intersections, in pixels."""
        return mean_side(np.array(self.corners)) / (self.size - 1)

    def middle(self) -> Points:
        """Return the board's centre, in pixels."""
        return self.to_pixels(np.full(2, 0.5))

    def covered_share(self, other: Grid) -> float:
        """Return the share of the other board's area, between its outer lines, that this board covers."""
        own_hull, other_hull = (cv2.convexHull(np.array(grid.corners, np.float32)) for grid in (self, other))
        return float(cv2.intersectConvexConvex(other_hull, own_hull)[0]) / max(cv2.contourArea(other_hull), 1.0)

    def is_within(self, shape: tuple[int, ...], room: float) -> bool:
        """Return True if no corner lies more than `room` cells outside a picture of that shape."""
        corners, far = np.array(self.corners), room * self.cell()
        return bool(((corners > -far) & (corners < np.array([shape[1], shape[0]]) + far)).all())

    def move_grid(self, scale: float, by: Points) -> Grid:
        """Return the grid in a picture shifted by `by` pixels and then scaled (the half-pixel shift is corrected)."""

        def move_point(point: tuple[float, float]) -> tuple[float, float]:
            x, y = (np.array(point) + by + 0.5) * scale - 0.5
            return float(x), float(y)

        corners = tuple(map(move_point, self.corners))
        return Grid(self.size, corners, self.curvature, move_point(self.centre), self.half_diagonal * scale)

    def take_out_curvature(self, pixels: Points) -> Points:
        """Return pixels, shape (..., 2), with the lens curvature taken out."""
        if not self.curvature:
            return pixels
        return (
            unbend_points((pixels - self.centre) / self.half_diagonal, self.curvature) * self.half_diagonal
            + self.centre
        )

    def apply_curvature(self, flat: Points) -> Points:
        """Return pixels with the lens curvature applied: the inverse of `take_out_curvature`."""
        if not self.curvature:
            return flat
        return bend_points((flat - self.centre) / self.half_diagonal, self.curvature) * self.half_diagonal + self.centre


def bend_points(flat: Points, curvature: float) -> Points:
    """Return points in half diagonals from the centre, shape (..., 2), scaled by 1 + curvature * radius^2."""
    return np.asarray(flat * (1 + curvature * _squared_radius(flat)[..., None])) if curvature else flat


def unbend_points(points: Points, curvature: float) -> Points:
    """Return the points without the curvature: the inverse of `bend`."""
    if not curvature:
        return points
    squares, share = curvature * _squared_radius(points), np.ones(points.shape[:-1])
    for _ in range(8):
        share = 1 / (1 + squares * share * share)
    return np.asarray(points * share[..., None])


def _squared_radius(points: Points) -> Points:
    """Return the squared distances from the origin, shape (...)."""
    return np.asarray(points[..., 0] ** 2 + points[..., 1] ** 2)


@dataclass(frozen=True)
class Calibration:
    """The positions of board and lids, in pixels of the frames it was made for.

    `grid`: the board.
    `lids`: the lids or prisoner fields of sides 1 and 2: none, or both.
    `stones`: the enrolled colours of the players' stones, if any.
    """

    grid: Grid
    lids: tuple[Box, ...] = ()
    stones: Palette | None = None

    def to_json(self) -> str:
        """Return the calibration as stored on disk (docs/commands.md, `look`; docs/calibrating.md, "Wide lenses")."""
        grid = self.grid
        table: dict[str, object] = {
            "size": grid.size,
            "corners": [[round(x, 1), round(y, 1)] for x, y in grid.corners],
            "lids": [[round(v, 1) for v in (lid.x, lid.y, lid.w, lid.h)] for lid in self.lids],
        }
        fields = [_field_to_json(lid) for lid in self.lids]
        if any(fields):
            table["fields"] = fields
        if grid.curvature:
            table["lens"] = {"k1": round(grid.curvature, 4), "centre": list(grid.centre), "radius": grid.half_diagonal}
        if self.stones is not None:
            table["stones"] = asdict(self.stones)
        return json.dumps(table)


def _field_to_json(lid: Box) -> dict[str, object] | None:
    """Return what a calibration keeps of a lid that is a prisoner field; None for a lid."""
    if not isinstance(lid, PrisonerField):
        return None
    corners = [[round(x, 1), round(y, 1)] for x, y in lid.corners]
    return {"kind": lid.kind, "side": lid.side + 1, "corners": corners}


Pixels = Annotated[float, Meta(ge=-1e6, le=1e6)]
Length = Annotated[float, Meta(gt=0, le=1e6)]
Pair = tuple[Pixels, Pixels]
Corners = Annotated[tuple[Pair, Pair, Pair, Pair], Meta(description="four points around the board in order")]
Lids = Annotated[
    list[tuple[Pixels, Pixels, Length, Length]], Meta(description="none or two boxes [x, y, width, height]")
]
_FIELDS = "null, or kind, side and corners, for each lid"
_LENS = f"made of k1 from -{MOST_CURVED} to {MOST_CURVED}, a centre and a radius in pixels"
_STONES = "the wood's colour and those of two to six players' stones, as they were learnt"


CALIBRATION = InputFileSpec(
    'a calibration like {"size":19,"corners":[[x,y] four times],"lids":[]}', 1 << 16, BadCalibration
)


@dataclass(frozen=True)
class _Lens:
    k1: Annotated[float, Meta(ge=-MOST_CURVED, le=MOST_CURVED)]
    centre: Pair
    radius: Length


@dataclass(frozen=True)
class _Field:
    kind: Literal["card", "large", "disc"]
    side: Annotated[int, Meta(ge=1, le=2)]
    corners: Corners


@dataclass(frozen=True)
class _CalibrationSchema:
    """The JSON schema of a calibration; without a lens there is no curvature."""

    size: Annotated[int, Meta(ge=2, le=LARGEST_BOARD)]
    corners: Corners
    lids: Lids = field(default_factory=list)
    fields: Annotated[list[_Field | None], Meta(description=_FIELDS)] = field(default_factory=list)
    lens: Annotated[_Lens, Meta(description=_LENS)] = _Lens(0.0, (0.0, 0.0), 1.0)
    stones: Annotated[Palette, Meta(description=_STONES)] | None = None


def read_calibration(path: Path | str) -> Calibration:
    """Return the calibration in a JSON file; raise BadCalibration with a sentence that names the error."""
    path = Path(path)
    table = CALIBRATION.json_of(path)
    try:
        return calibration_from(table)
    except InvalidValue as error:
        raise CALIBRATION.error_for(path, f"not a calibration ({error})") from error


def parse_calibration(text: str) -> Calibration:
    """Return the calibration in a JSON text; raise ValueError if it is none."""
    return calibration_from(json.loads(text))


def parse_palette(table: object) -> Palette:
    """Return the colours of wood and stones in a JSON value; raise InvalidValue if it holds none."""
    palette: Palette = parse_value("stones", table, Palette)
    return palette


def calibration_from(table: object) -> Calibration:
    """Return the calibration in a JSON value; raise InvalidValue if it is none."""
    values = parse_dataclass(_CalibrationSchema, table)
    if not cv2.isContourConvex(np.array(values.corners, np.float32).reshape(-1, 1, 2)):
        raise invalid_value("corners", values.corners, Corners)
    if len(values.lids) not in (0, 2):
        raise invalid_value("lids", values.lids, Lids)
    if values.stones is not None and not values.stones.is_sound:
        raise invalid_value("stones", "what was found", Annotated[object, Meta(description=_STONES)])
    lens = values.lens
    grid = Grid(values.size, values.corners, lens.k1, lens.centre, lens.radius)
    fields = values.fields or [None for _ in values.lids]
    if len(fields) != len(values.lids):
        raise invalid_value("fields", values.fields, Annotated[object, Meta(description=_FIELDS)])
    lids = (
        Box(*lid) if its is None else PrisonerField.from_corners(its.kind, its.side - 1, np.array(its.corners))
        for lid, its in zip(values.lids, fields, strict=True)
    )
    return Calibration(grid, tuple(lids), values.stones)
