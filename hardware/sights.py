"""Every camera over every table: the tables of ASSEMBLY.md, and the drawings of fields of view and reflections.

`python -m hardware.sights` prints each camera over each size of table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from hardware import arm
from hardware.optics import (
    BOARD,
    CEILING,
    MARGIN,
    View,
    find_view,
    kept_free,
    list_views,
    mirror_point,
    required_field,
    stone_lean,
)
from vision.board.marker_layout import LID, LID_CARD
from vision.camera.camera_models import LENSES

TABLES = (800, 900, 1200, 1500, 1800)
"""The widths of tables of homes and clubs, from left to right for the players, mm."""
THICK = 30.0
"""The thickness of the drawn board, mm."""
TO_BOX = 400.0
"""The distance from the column's foot to the box, with slack, mm."""
TOP = 25.0
"""The thickness of the drawn table, mm."""
LAMP = (550.0, -CEILING)
"""The position of the drawn lamp: to the right of the camera's axis, and over the board (y runs down)."""


def free_width(wide: float) -> float:
    """Return the free width of a table to the left and to the right of board, lids and mat, mm each."""
    return (wide - required_field()[0]) / 2


def boom_for(table: float) -> float | None:
    """Return the shortest boom that holds the camera over the middle of this table, mm; None if none does."""
    booms = (arm.read_measures()["boom_long"], arm.read_measures()["boom_longer"])
    return next((boom for boom in booms if arm.widest_table(boom) >= table), None)


def is_in_reach(view: View) -> bool:
    """Return True if the arm holds the camera high enough over the drawn board, however narrow its field."""
    return arm.highest_lens(THICK) >= view.highest_height(required_field())


def cable_length(view: View) -> float:
    """Return the length of a camera's cable along boom and column to the box, mm, at the height to begin with."""
    return arm.boom_reach() + view.advised_height(required_field()) + THICK + arm.lens_drop() + TO_BOX


# Tables


def render_cameras() -> str:
    """Return the heights of all cameras, as in ASSEMBLY.md."""
    head = (
        "| camera | picture, sensor's mode | sees | height | pixels from line to line | a corner stone's top leans "
        "| focus |"
    )
    return "\n".join([head, "|---|---|---|---|---|---|---|", *map(_render_camera, list_views())])


def _render_camera(view: View) -> str:
    lens, high = view.lens, view.advised_height(required_field())
    mode = "" if view.mode is None else f", {_format_size(view.mode)}"
    figures = f"{_format_heights(view)} | {view.pixels_a_cell(high):.0f} | {stone_lean(high):.1f} mm"
    return f"| {lens.name} | {_format_size(lens.ask)}{mode} | {_format_angles(view)} | {figures} | {lens.focus} |"


def _format_heights(view: View) -> str:
    low, high = view.advised_height(required_field()) // 10, view.highest_height(required_field()) // 10
    return f"{low} cm" if low == high else f"{low} to {high} cm"


def _format_angles(view: View) -> str:
    return f"{view.lens.across:.0f} x {view.lens.down:.0f}°"


def _format_size(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"


def render_tables() -> str:
    """Return the space on tables of all sizes, as in ASSEMBLY.md."""
    head = "| table, left to right | boom | free at each side of lids and mat |"
    return "\n".join([head, "|---|---|---|", *map(_render_table, TABLES)])


def _render_table(wide: int) -> str:
    boom = boom_for(wide)
    held = "none is long enough" if boom is None else f"{boom / 10:.0f} cm"
    return f"| {wide / 10:.0f} cm | {held} | {free_width(wide) / 10:.0f} cm |"


def render_every_view() -> Iterator[str]:
    """Yield each camera over each table, a table row each; the mat needs no more space than lids without it."""
    yield "| camera | table | mat | height | sees there | pixels a cell | free at each side | boom | arm reaches |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for view in list_views():
        for wide in TABLES:
            yield _render_view(view, wide)


def _render_view(view: View, wide: int) -> str:
    high, boom = view.advised_height(required_field()), boom_for(wide)
    across, down = view.field_size(high)
    held = "-" if boom is None else f"{boom / 10:.0f} cm"
    figures = f"{_format_heights(view)} | {across / 10:.0f} x {down / 10:.0f} cm | {view.pixels_a_cell(high):.0f}"
    reached = "yes" if boom is not None and is_in_reach(view) else "no"
    names = f"{view.lens.name} | {wide / 10:.0f} cm | A3, A4 or none"
    return f"| {names} | {figures} | {free_width(wide) / 10:.0f} cm | {held} | {reached} |"


# Drawings, in mm: x to the right, y down, the origin where the camera looks straight down onto the board.


def draw_sight() -> str:
    """Return the default camera's view over board and mat, seen from a player's side, as SVG."""
    view, (across, _) = find_view(LENSES[0]), required_field()
    high, table = view.advised_height(required_field()), 1200.0
    half, field = table / 2, view.field_size(high)[0] / 2
    column, top = -half - arm.axis_distance(), -(high + arm.lens_drop())
    tube = arm.read_measures()["tube"]
    shapes = [
        _draw_rect(-half, THICK, table, TOP, "#c9b79c"),
        _draw_rect(-BOARD[0] / 2, 0, BOARD[0], THICK, "#d9a44a"),
        *(_draw_rect(x - LID_CARD[1] / 2, THICK - 2, LID_CARD[1], 2, "#fff") for x in _lid_positions()),
        *(_draw_rect(x - LID / 2, THICK - 22, LID, 20, "#7a5230") for x in _lid_positions()),
        _draw_rect(
            column - tube / 2,
            THICK + arm.foot_depth() - arm.read_measures()["column_long"],
            tube,
            arm.read_measures()["column_long"],
            "#999",
        ),
        _draw_rect(column + tube / 2, top - tube / 2, arm.read_measures()["boom_long"], tube, "#999"),
        _draw_rect(-30, -high - 40, 60, 40, "#333"),
        _line_to(0, -high, -field, 0, "#06c"),
        _line_to(0, -high, field, 0, "#06c"),
        _line_to(-across / 2 - MARGIN, -8, across / 2 + MARGIN, -8, "#c00"),
        _line_to(0, -high, 0, 0, "#888", dashed=True),
        _draw_words(90, -high / 2, f"{high / 10:.0f} cm"),
        _draw_words(
            0, 130, f"seen at the board: {2 * field / 10:.0f} cm; needed with lids or mat: {across / 10:.0f} cm"
        ),
        _draw_words(
            0,
            -high - 110,
            f"{view.lens.name}, boom {arm.read_measures()['boom_long'] / 10:.0f} cm, table {table / 10:.0f} cm",
        ),
    ]
    return _wrap_svg((-760.0, -1230.0, 1460.0, 1400.0), shapes)


def _lid_positions() -> tuple[float, float]:
    away = (BOARD[0] + LID_CARD[1]) / 2
    return -away, away


def draw_glare() -> str:
    """Return the zone without lamps, seen by the camera's mirror image through the board, as SVG."""
    high = float(find_view(LENSES[0]).advised_height(required_field()))
    free, edge = kept_free(high)[0], 9 * 22.0
    at = mirror_point((LAMP[0], 0.0), -LAMP[1], high)[0]
    shapes = [
        f'<path d="M{-edge:g},0 L{edge:g},0 L{free:.0f},{-CEILING:g} L{-free:.0f},{-CEILING:g}Z" fill="#fdd"/>',
        _draw_rect(-BOARD[0] / 2, 0, BOARD[0], THICK, "#d9a44a"),
        _draw_rect(-30, -high - 40, 60, 40, "#333"),
        f'<circle cx="{LAMP[0]:g}" cy="{LAMP[1]:g}" r="60" fill="#fc0" stroke="#333" stroke-width="4"/>',
        _line_to(*LAMP, at, 0, "#c60"),
        _line_to(at, 0, 0, -high, "#c60"),
        _line_to(at, 0, 0, high, "#888", dashed=True),
        _draw_rect(-30, high, 60, 40, "#bbb"),
        _draw_words(0, high + 110, "the camera as the board mirrors it"),
        _draw_words(
            0,
            -CEILING - 90,
            f"no lamp within {free / 10:.0f} cm of the camera's axis, {CEILING / 1000:g} m over the board",
        ),
        _draw_words(-330, -high, f"camera {high / 10:.0f} cm"),
    ]
    return _wrap_svg((-900.0, -1900.0, 1800.0, 2800.0), shapes)


def _wrap_svg(box: tuple[float, float, float, float], shapes: list[str]) -> str:
    left, top, wide, high = box
    size = f'width="{wide / 3:.0f}" height="{high / 3:.0f}" viewBox="{left:g} {top:g} {wide:g} {high:g}"'
    paper = f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" fill="#fff"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', paper, *shapes, "</svg>", ""])


def _draw_rect(x: float, y: float, wide: float, high: float, colour: str) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'
    return f'<rect {place} fill="{colour}" stroke="#333" stroke-width="3"/>'


def _line_to(x1: float, y1: float, x2: float, y2: float, colour: str, dashed: bool = False) -> str:
    ends = f'x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="6"' + (' stroke-dasharray="20 16"/>' if dashed else "/>")


def _draw_words(x: float, y: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-family="sans-serif" font-size="46">{words}</text>'


def main() -> int:
    """Print the table."""
    print(*render_every_view(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
