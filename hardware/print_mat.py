"""The mat of vision/board/marker_layout.py as files to print, true to the millimetre: an SVG a sheet, and a PDF an
edition."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import escape

from hardware.mat_sheets import EDITIONS, FIELDS, Sheet, build_sheets
from vision.board.marker_layout import Circle, Line, Marker, Text, marker_pattern

CAPITAL = 0.716
"""The height of a capital letter in Helvetica, relative to the font's size."""
CUT_WIDTH = 0.2
CUT_GREY = 0.55
DASHES = (3.0, 2.0)
POINT = 25.4 / 72
"""The PDF's unit, mm."""

Corner = tuple[float, float]


def trace_outlines(marker: Marker) -> list[list[Corner]]:
    """Return the black of a marker as closed lines, mm on the sheet; holes run in the opposite direction.

    One shape, not adjacent squares: printers leave white hairlines between those.
    """
    black = marker_pattern(marker.id)
    edges = {
        edge
        for row, line in enumerate(black)
        for col, dark in enumerate(line)
        if dark
        for edge in _square_edges(row, col)
    }
    cell = marker.side / len(black)
    loops = _join_loops({edge for edge in edges if edge[::-1] not in edges})
    return [[(marker.x + x * cell, marker.y + y * cell) for x, y in loop] for loop in loops]


def render_svg(sheet: Sheet) -> str:
    """Return a sheet as SVG, its units millimetres."""
    parts = [_svg_marker(marker) for marker in sheet.artwork.markers]
    parts += [_svg_line(line) for line in sheet.artwork.lines]
    parts += [_svg_circle(circle) for circle in sheet.artwork.circles]
    parts += [_svg_text(text) for text in sheet.artwork.texts]
    size = f'width="{sheet.width:g}mm" height="{sheet.height:g}mm" viewBox="0 0 {sheet.width:g} {sheet.height:g}"'
    paper = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', paper, *parts, "</svg>", ""])


def svg_files(edition: str) -> dict[str, Sheet]:
    """Return the names of an edition's SVG files, and the sheet in each."""
    return {f"mat-{edition.lower()}-{sheet.name}.svg": sheet for sheet in build_sheets(edition)}


def pdf_file(edition: str) -> str:
    """Return the name of an edition's PDF."""
    return f"mat-{edition.lower()}.pdf"


def write_svgs(folder: Path) -> None:
    """Write the sheets of all editions as SVG."""
    for edition in (*EDITIONS, FIELDS):
        for name, sheet in svg_files(edition).items():
            (folder / name).write_text(render_svg(sheet), encoding="utf-8")


def write_pdf(path: Path, edition: str) -> None:
    """Write an edition's sheets as pages of one PDF, the same bytes each time; needs reportlab."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), invariant=True)
    what = "prisoner fields on sheets of A4" if edition == FIELDS else f"the mat on sheets of {edition}"
    canvas.setTitle(f"shinpan: {what}, to be printed at 100%")
    for sheet in build_sheets(edition):
        canvas.setPageSize((sheet.width / POINT, sheet.height / POINT))
        # The unit is now the millimetre, from the top left corner, as on the sheet.
        canvas.transform(1 / POINT, 0, 0, -1 / POINT, 0, sheet.height / POINT)
        _pdf_sheet(canvas, sheet)
        canvas.showPage()
    canvas.save()


def _square_edges(row: int, col: int) -> tuple[tuple[Corner, Corner], ...]:
    """Return the four edges of a square, clockwise."""
    corners = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
    return tuple(zip(corners, corners[1:] + corners[:1], strict=True))


def _join_loops(edges: set[tuple[Corner, Corner]]) -> list[list[Corner]]:
    ends = defaultdict(list)
    for start, end in sorted(edges):
        ends[start].append(end)
    loops = []
    for start in sorted(ends):
        while ends[start]:
            loop, here = [start], ends[start].pop()
            while here != start:
                loop.append(here)
                here = ends[here].pop()
            loops.append(loop)
    return loops


def _svg_marker(marker: Marker) -> str:
    loops = ("M" + "L".join(f"{x:g},{y:g}" for x, y in loop) + "Z" for loop in trace_outlines(marker))
    return f'<path id="marker-{marker.id}" d="{"".join(loops)}"/>'


def _svg_line(line: Line) -> str:
    ends = f'x1="{line.x1:g}" y1="{line.y1:g}" x2="{line.x2:g}" y2="{line.y2:g}"'
    if not line.cut:
        return f'<line {ends} stroke="black" stroke-width="{line.width:g}"/>'
    grey, dashes = round(255 * CUT_GREY), " ".join(map("{:g}".format, DASHES))
    return f'<line {ends} stroke="rgb({grey},{grey},{grey})" stroke-width="{CUT_WIDTH}" stroke-dasharray="{dashes}"/>'


def _svg_circle(circle: Circle) -> str:
    where = f'cx="{circle.x:g}" cy="{circle.y:g}" r="{circle.diameter / 2:g}"'
    return f'<circle {where} fill="none" stroke="black" stroke-width="{circle.width:g}"/>'


def _svg_text(text: Text) -> str:
    size = f'font-family="Helvetica, Arial, sans-serif" font-size="{text.height / CAPITAL:.3f}"'
    return f'<text x="{text.x:g}" y="{text.y:g}" text-anchor="middle" {size}>{escape(text.words)}</text>'


# canvas: a reportlab Canvas, which has no types; its y runs down here.


def _pdf_sheet(canvas, sheet: Sheet) -> None:  # type: ignore[no-untyped-def]
    for marker in sheet.artwork.markers:
        path = canvas.beginPath()
        for (x, y), *others in trace_outlines(marker):
            path.moveTo(x, y)
            for corner in others:
                path.lineTo(*corner)
            path.close()
        canvas.drawPath(path, stroke=0, fill=1)
    for line in sheet.artwork.lines:
        _pdf_line(canvas, line)
    for circle in sheet.artwork.circles:
        canvas.setLineWidth(circle.width)
        canvas.circle(circle.x, circle.y, circle.diameter / 2)
    for text in sheet.artwork.texts:
        _pdf_text(canvas, text)


def _pdf_line(canvas, line: Line) -> None:  # type: ignore[no-untyped-def]
    canvas.setStrokeGray(CUT_GREY if line.cut else 0)
    canvas.setDash(DASHES if line.cut else ())
    canvas.setLineWidth(CUT_WIDTH if line.cut else line.width)
    canvas.line(line.x1, line.y1, line.x2, line.y2)
    canvas.setStrokeGray(0)
    canvas.setDash()


def _pdf_text(canvas, text: Text) -> None:  # type: ignore[no-untyped-def]
    canvas.saveState()
    canvas.translate(text.x, text.y)
    canvas.scale(1, -1)
    canvas.setFont("Helvetica", text.height / CAPITAL)
    canvas.drawCentredString(0, 0, text.words)
    canvas.restoreState()
