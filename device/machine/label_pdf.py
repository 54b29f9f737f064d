"""The label as a PDF of one page that is the label's size, for printers that take no SVG."""

from __future__ import annotations

from itertools import groupby

from device.machine.label import CODE, HIGH, LETTER, QUIET, TOP, WIDE, NoLabel, Panel, code, placed

POINT = 25.4 / 72
"""The PDF's unit, mm."""


def pdf(panels: tuple[Panel, ...]) -> bytes:
    """The label, the same bytes each time. Raises NoLabel for words that a PDF's own letters cannot show."""
    wide = WIDE * len(panels)
    # From here on millimetres from the top left corner, as on the SVG.
    drawn = [f"{1 / POINT:.6f} 0 0 {-1 / POINT:.6f} 0 {HIGH / POINT:.4f} cm"]
    drawn += [f"0.6 G 0.2 w 0.1 0.1 {wide - 0.2:g} {HIGH - 0.2:g} re S"]
    drawn += [line for number, panel in enumerate(panels) for line in _panel(number * WIDE, panel)]
    page = "\n".join(drawn).encode("cp1252")
    size = f"[0 0 {wide / POINT:.4f} {HIGH / POINT:.4f}]"
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {size} /Contents 4 0 R "
            "/Resources << /Font << /F 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>",
        ]
    )


def _panel(left: float, panel: Panel) -> list[str]:
    """The dark squares as one shape, so that no printer leaves white hairs between them, and the words."""
    squares = [list(row) for row in code(panel).matrix]
    cell = CODE / (len(squares) + 2 * QUIET)
    x, y = left + (WIDE - CODE) / 2 + QUIET * cell, TOP + QUIET * cell
    runs = (
        f"{x + first * cell:.4f} {y + row * cell:.4f} {length * cell:.4f} {cell:.4f} re"
        for row, line in enumerate(squares)
        for first, length in _dark(line)
    )
    return ["0 g", *runs, "f", *(_text(left, *line) for line in placed(panel))]


def _dark(line: list[int]) -> list[tuple[int, int]]:
    """Where the dark runs of a row begin, and how long they are."""
    runs = [list(run) for dark, run in groupby(range(len(line)), key=lambda at: line[at]) if dark]
    return [(run[0], len(run)) for run in runs]


def _text(left: float, y: float, size: float, words: str) -> str:
    """Courier, all of whose letters have one width: the middle of a line is known without a table of them."""
    try:
        words.encode("cp1252")
    except UnicodeEncodeError as error:
        raise NoLabel(f"A PDF cannot show every letter of {words!r:.60}; write an SVG, --out label.svg.") from error
    start = left + (WIDE - LETTER * size * len(words)) / 2
    shown = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F {size:.3f} Tf 1 0 0 -1 {start:.4f} {y:g} Tm ({shown}) Tj ET"


def _file(objects: list[bytes]) -> bytes:
    """The objects as a PDF, with the table that says where each begins."""
    whole, starts = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        starts.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(whole))
    return whole + b"xref\n0 %d\n0000000000 65535 f \n%s%s" % (size, table, end)
