"""Checks of the camera's picture: how much of the table it shows, from how high, and whether a lamp is reflected."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from device.machine.checks import Check, Mark
from vision.board.field_of_view import TableCoverage, beside, room_round
from vision.board.glare import told
from vision.board.select_board import find_likeliest
from vision.camera.camera_models import lens_of
from vision.camera.frame import Image

FINE = 14.0
"""Pixels between two lines below which more points are doubtful (docs/seeing-limits.md)."""
UNSEEN = (
    "No whole board is seen, so neither the field of view nor glare was checked: lay one below the camera. If one lies "
    "there, the camera hangs too low or cuts its picture off (hardware/ASSEMBLY.md has the heights)."
)
GUIDE = "hardware/ASSEMBLY.md has the heights"
CUT = "or, if it hangs as high as it says, the camera cuts its picture off: ask it for another width and height"


def view(pixels: Image, model: str) -> Iterator[Check]:
    """Check a picture of the table.

    pixels: the picture
    model: the camera's name as its driver gives it
    """
    place = find_likeliest(pixels, None)
    if place is None:
        yield Check(Mark.NOTE, "view", UNSEEN)
        return
    yield field(room_round(place.grid, pixels.shape), model)
    yield from (Check(Mark.NOTE, "light", sentence) for sentence in told(pixels, place.grid))


def field(room: TableCoverage, model: str) -> Check:
    """Check that the picture shows enough of the table."""
    seen = f"The picture shows {_cm(room.wide)} x {_cm(room.high)} cm at the board{_hangs(model, room)}"
    if not _is_enough(room):
        return Check(Mark.NOTE, "view", f"{seen}, too little for lids beside it: {_wanted(room)}.")
    if room.cell < FINE:
        asked = "hang the camera lower, or set a larger width and height in [camera]"
        return Check(Mark.NOTE, "view", f"{seen}, but its lines lie only {room.cell:.0f} pixels apart: {asked}.")
    return Check(Mark.OK, "view", f"{seen}: enough for lids and mat beside it.")


def _is_enough(room: TableCoverage) -> bool:
    across, along = beside()
    return min(room.left, room.right) >= across and min(room.top, room.bottom) >= along


def _wanted(room: TableCoverage) -> str:
    """Return what to do to have enough on all sides."""
    wide, high = (side + 2 * by for side, by in zip(room.board, beside(), strict=True))
    more = max(wide / room.wide, high / room.high)
    if more > 1:
        rise = f"hang the camera {ceil(100 * (more - 1))}% higher"
        return f"{_cm(wide)} x {_cm(high)} cm are needed; {rise} ({GUIDE}), {CUT}"
    across, along = (room.right - room.left) / 2, (room.bottom - room.top) / 2
    ways = [(abs(across), "right" if across < 0 else "left"), (abs(along), "bottom" if along < 0 else "top")]
    far, side = max(ways)
    return f"move the camera {_cm(far)} cm towards the {side} of its picture"


def _hangs(model: str, room: TableCoverage) -> str:
    """Return how high the camera hangs, if its lens is known."""
    lens = lens_of(model)
    return "" if lens is None else f", from {_cm(room.wide / 2 / lens.tangents(room.size)[0])} cm above it"


def _cm(length: float) -> int:
    return round(length / 10)
