"""The camera's height, by its lens and its readout mode, and the zone without lamps: plain trigonometry.

`python -m hardware.sights` prints every camera over every size of table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, hypot

from vision.board.field_of_view import visible_margin_mm
from vision.camera.camera_models import LENSES, CameraModel, Mode, to_sensor_mode
from vision.camera.frame_source import CameraConfig
from vision.camera.picamera import WHOLE, choose_full_field_mode, visible_share

BOARD = (424.0, 454.0)
"""The wooden board for 19 lines, mm: from side to side for the players, and from player to player."""
CELL = 22.0
"""The shorter distance from line to line, mm."""
OUTERMOST = hypot(9 * 22.0, 9 * 23.7)
"""The distance from the middle of the board to a corner of its outer lines, mm."""
STONE = 9.0
"""The height of a stone, mm."""
MARGIN = 10.0
"""The margin visible on every side, mm."""
UNDER = 600.0
"""The height over the board below which a camera is in the players' way, mm."""
OFF = 3.0
"""The accuracy of published fields of view, in degrees, as Raspberry Pi gives it for its own."""
CEILING = 1700.0
"""The height of a ceiling lamp over a board on a table, mm."""

Size = tuple[float, float]
"""A size in mm, across and down."""


class UnsuitableCamera(Exception):
    """The error that a camera must not be used so; the message says why, and what to do."""


@dataclass(frozen=True)
class View:
    """The field of view of a camera.

    tangents: half of the field at a distance of 1, across and down
    mode: the sensor's readout width and height, None if only the camera knows
    """

    lens: CameraModel
    tangents: tuple[float, float]
    mode: tuple[int, int] | None

    def lowest_height(self, required: Size) -> float:
        """Return the minimum height over the board for all of it with MARGIN, mm; lower things are seen better."""
        return max((side / 2 + MARGIN) / tangent for side, tangent in zip(required, self.tangents, strict=True))

    def advised_height(self, required: Size) -> int:
        """Return the height to begin with, mm: rounded up to whole centimetres, and never in the players' way."""
        return max(10 * ceil(self.lowest_height(required) / 10), round(UNDER))

    def highest_height(self, required: Size) -> int:
        """Return the maximum final height, mm: the field may be narrower by OFF than published."""
        lens = replace(self.lens, across=self.lens.across - OFF, down=self.lens.down - OFF)
        narrower = replace(self, tangents=_half_angle_tangents(lens, self.mode))
        return max(10 * ceil(narrower.lowest_height(required) / 10), self.advised_height(required))

    def field_size(self, height: float) -> Size:
        """Return the field from that height, mm across and down at the board's upper side."""
        across, down = (2 * height * tangent for tangent in self.tangents)
        return across, down

    def pixels_a_cell(self, height: float) -> float:
        """Return the number of pixels between two lines, from that height over the board."""
        return CELL * self.lens.ask[0] / self.field_size(height)[0]


def camera_mode(lens: CameraModel) -> Mode | None:
    """Return the mode that the box requests of the camera's driver; None if the camera chooses by itself."""
    named = choose_full_field_mode([to_sensor_mode(mode) for mode in lens.modes], CameraConfig(*lens.ask))
    return next((mode for mode in lens.modes if to_sensor_mode(mode) == named), None)


def find_view(lens: CameraModel, mode: Mode | None = None) -> View:
    """Return the camera's view in this mode, or in the one that the box requests.

    Raise Refused for a mode that shows less than the lens sees, and for a lens that cannot focus on the board.
    """
    mode = mode or camera_mode(lens)
    size = None if mode is None else mode[1]
    if mode is not None:
        share = visible_share(mode[3][2:], lens.array, lens.ask)
        if share < WHOLE:
            raise UnsuitableCamera(
                f"{lens.name}: read out as {mode[1][0]} x {mode[1][1]} it shows {share:.0%} of what its lens sees from "
                f"left to right, and no height of this page holds; name the mode {_find_camera(lens)} instead."
            )
    view = View(lens, _half_angle_tangents(lens, size), size)
    if lens.nearest > view.advised_height(required_field()):
        raise UnsuitableCamera(
            f"{lens.name}: what is nearer than {lens.nearest / 10:.0f} cm is blurred; take another camera."
        )
    return view


def _find_camera(lens: CameraModel) -> str:
    best = camera_mode(lens)
    return "that shows all" if best is None else f"{best[1][0]} x {best[1][1]}"


def _half_angle_tangents(lens: CameraModel, size: tuple[int, int] | None) -> tuple[float, float]:
    crop = next((mode[3] for mode in lens.modes if mode[1] == size), None)
    shown = (1.0, 1.0) if crop is None else (crop[2] / lens.array[0], crop[3] / lens.array[1])
    return lens.visible_tangents(lens.ask, shown)


def list_views() -> list[View]:
    """Return the view of every usable camera."""
    views = []
    for lens in LENSES:
        try:
            views.append(find_view(lens))
        except UnsuitableCamera:
            continue
    return views


def required_field() -> Size:
    """Return the required field, mm across and down: the board and its surroundings, with the mat or without."""
    across, along = visible_margin_mm()
    return BOARD[0] + 2 * across, BOARD[1] + 2 * along


def stone_lean(height: float) -> float:
    """Return the apparent outward shift of the top of a stone on the corner point, mm on the board."""
    return STONE * OUTERMOST / (height - STONE)


def mirror_point(lamp: Size, high: float, camera: float) -> Size:
    """Return the point of the board's plane where a camera over (0, 0) sees a lamp mirrored, mm.

    The ray continues behind the mirror to a lamp as far below it as the true one is above, so similar triangles give
    it.

    lamp: the point below the lamp
    high: the lamp's height over the board
    camera: the camera's height
    """
    return lamp[0] * camera / (camera + high), lamp[1] * camera / (camera + high)


def kept_free(camera: float, high: float = CEILING) -> Size:
    """Return the minimum distance of lamps from the camera's vertical axis, mm across and along the board.

    Nearer lamps are mirrored between the outer lines.
    """
    across, along = (half * (camera + high) / camera for half in (9 * 22.0, 9 * 23.7))
    return across, along
