"""How high a camera hangs, by its lens: plain trigonometry over the board, the mat and the lids."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, ceil, hypot, tan
from math import degrees as in_degrees
from math import radians as in_radians

from vision.board.mat import LID_CARD, reach

BOARD = (424.0, 454.0)
"""The wood of a board of 19 lines, mm: from side to side for the players, and from player to player."""
CELL = 22.0
"""The shorter way from line to line, mm."""
OUTERMOST = hypot(9 * 22.0, 9 * 23.7)
"""From the middle of the board to a corner of its outer lines, mm."""
STONE = 9.0
"""How high a stone is, mm."""
LID_ROOM = 160.0
"""At each side of the board there is so much room for a lid of up to 13 cm, mm."""
MARGIN = 10.0
"""So much more is seen on every side, mm."""
UNDER = 600.0
"""Lower than this over the board a camera hangs in the players' way, mm."""
PICTURE = (1280, 720)
"""The pixels asked of a camera when the settings say nothing else."""


@dataclass(frozen=True)
class Lens:
    """A camera's field of view as its maker gives it, in degrees: across and down the whole sensor."""

    name: str
    across: float
    down: float

    def tangents(self) -> tuple[float, float]:
        """Half of what is seen at a distance of 1, across and down, in a picture of the shape of PICTURE."""
        across = tan(in_radians(self.across / 2))
        return across, min(tan(in_radians(self.down / 2)), across * PICTURE[1] / PICTURE[0])


LENSES = (
    Lens("Raspberry Pi Camera Module 3", 66.0, 41.0),
    Lens("Raspberry Pi Camera Module 3 Wide", 102.0, 67.0),
    Lens("Raspberry Pi Camera Module 2", 62.2, 48.8),
    Lens("Raspberry Pi HQ Camera, 6 mm lens", in_degrees(2 * atan(6.287 / 12)), in_degrees(2 * atan(4.712 / 12))),
    Lens("USB camera, 78° from corner to corner", 70.4, 43.3),
)


def seen_with_mat() -> tuple[float, float]:
    """What must be seen, mm across and down: the corner markers, and at each side of the board a lid on its card, whose
    longer side lies along the board."""
    across, along = reach()
    return BOARD[0] + 2 * max(across, LID_CARD[1], LID_ROOM), BOARD[1] + 2 * max(along, 0.0)


def seen_without_mat() -> tuple[float, float]:
    """Likewise without the mat: the board, and at each side of it a lid."""
    return BOARD[0] + 2 * LID_ROOM, BOARD[1]


def lowest(lens: Lens, seen: tuple[float, float]) -> float:
    """How high over the board the camera sees all of it with MARGIN, mm; what lies lower is seen the better."""
    return max((side / 2 + MARGIN) / tangent for side, tangent in zip(seen, lens.tangents(), strict=True))


def advised(lens: Lens, seen: tuple[float, float]) -> int:
    """The height to begin with, mm: rounded up to whole centimetres, and never in the players' way."""
    return max(10 * ceil(lowest(lens, seen) / 10), round(UNDER))


def pixels_a_cell(lens: Lens, height: float) -> float:
    """How many pixels of PICTURE lie between two lines, from that height over the board."""
    return CELL * PICTURE[0] / (2 * height * lens.tangents()[0])


def lean(height: float) -> float:
    """How far the top of a stone on the corner point seems moved outward, mm on the board."""
    return STONE * OUTERMOST / (height - STONE)


def table() -> str:
    """The heights of all lenses as the table in ASSEMBLY.md."""
    head = "| camera and lens | with the mat | without it | pixels from line to line | a corner stone's top leans |"
    return "\n".join([head, "|---|---|---|---|---|", *map(_row, LENSES)])


def _row(lens: Lens) -> str:
    height, without = advised(lens, seen_with_mat()), advised(lens, seen_without_mat())
    pixels, leaning = pixels_a_cell(lens, height), lean(height)
    return f"| {lens.name} | {height / 10:.0f} cm | {without / 10:.0f} cm | {pixels:.0f} | {leaning:.1f} mm |"
