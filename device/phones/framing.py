"""Advice about the place of a phone that is the camera: one sentence, from the board as it was found."""

from __future__ import annotations

from math import ceil

from referee.game.messages import Message, message
from vision.board.field_of_view import FINE_PX, TableCoverage, measure_coverage, visible_margin_mm
from vision.board.glare import glare_notes
from vision.calibration.model import Calibration
from vision.camera.frame import Image

HALF_WIDTH = 0.64
"""Half the width that a phone's main camera shows, as a share of its distance: the tangent of 32.5 degrees. From data
sheets of lenses (24 to 28 mm as on film); no phone was measured, so distances are told as about so much.
"""
STEP_CM = 5
MESSAGE_KEYS = tuple(f"framing.{way}" for way in ("left", "right", "top", "bottom"))


def framing_message(place: Calibration, pixels: Image) -> Message | None:
    """Return what to move or to turn off, None if all is well; place: of board and lids in this picture.

    Room for lids is asked for on both sides of the board, unless two lids are seen already.
    """
    advice = _place_advice(measure_coverage(place.grid, pixels.shape), lids=len(place.lids) < 2)
    return advice or (message("framing.glare") if glare_notes(pixels, place.grid) else None)


def _place_advice(room: TableCoverage, lids: bool) -> Message | None:
    across, along = visible_margin_mm() if lids else (0.0, 0.0)
    wide, high = room.board[0] + 2 * across, room.board[1] + 2 * along
    away = room.wide / 2 / HALF_WIDTH
    more = max(wide / room.wide, high / room.high)
    if more > 1:
        return message("framing.up", cm=_to_cm(away * (more - 1)))
    if min(room.left, room.right) < across or min(room.top, room.bottom) < along:
        right, down = (room.right - room.left) / 2, (room.bottom - room.top) / 2
        far, side = max((abs(right), "left" if right > 0 else "right"), (abs(down), "top" if down > 0 else "bottom"))
        return message(f"framing.{side}", cm=_to_cm(far))
    if room.cell < FINE_PX:
        return message("framing.down", cm=_to_cm(away * (1 - room.cell / FINE_PX)))
    return None


def _to_cm(mm: float) -> int:
    return max(STEP_CM * ceil(mm / 10 / STEP_CM), STEP_CM)
