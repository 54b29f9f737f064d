"""Labels for the keys and buttons, in every language and in Braille, as sheets of A4 to print at 100%.

`make drawings` writes drawings/keys.svg and its siblings from the words of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from device.panel.keymap import label_of
from hardware.braille import CELL, DOT, Dots, to_cells
from referee.table.events import Button
from web.language import find_translator
from web.language_traits import CODES, SOURCE, read_traits

WIDTH, HEIGHT = 210, 297
"""The sheet's size in millimetres, the unit throughout."""
KEY = 15.0
"""The side of a label for a key: the caps of a numpad are 18 to 19 apart."""
DOT_SIZE = 1.5
LEFT, TOP, BLOCK, GAP = 15.0, 20.0, 88.0, 2.0
PER_SHEET = 3
"""The number of languages on a sheet."""
TONES = {Button.DONE: "#00a83a", Button.CALL: "#ffb300", Button.SCORE: "#ffffff", Button.PAUSE: "#1457ff"}
"""The colours of the buttons in hardware/BOM.csv."""


def list_sheets() -> dict[str, tuple[str, ...]]:
    """Return the languages of each sheet by its file's name."""
    groups = [CODES[first : first + PER_SHEET] for first in range(0, len(CODES), PER_SHEET)]
    return {f"keys-{number}.svg" if number > 1 else "keys.svg": codes for number, codes in enumerate(groups, 1)}


def render_svg(codes: Sequence[str]) -> str:
    """Return the sheet of these languages."""
    size = f'width="{WIDTH}mm" height="{HEIGHT}mm" viewBox="0 0 {WIDTH} {HEIGHT}"'
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif">']
    paper = '<rect width="100%" height="100%" fill="white"/>'
    blocks = [part for number, code in enumerate(codes) for part in _render_language(code, TOP + number * BLOCK)]
    return "\n".join([*head, paper, *_render_measure(), *blocks, "</svg>", ""])


def _render_measure() -> Iterator[str]:
    """Yield a line for checking a print."""
    yield f'<path d="M{LEFT} 12h100M{LEFT} 10v4M{LEFT + 100} 10v4" stroke="black" stroke-width=".3" fill="none"/>'
    yield _render_text(LEFT + 105, 13.5, 4, "100 mm", "start")


def _render_language(code: str, top: float) -> Iterator[str]:
    """Yield a language: the labels of both sides and of pause, and the words in Braille, as read and from behind."""
    say = find_translator(code)
    places = [(side, button) for side in (1, 2) for button in (Button.DONE, Button.CALL, Button.SCORE)]
    for number, (side, button) in enumerate([*places, (0, Button.PAUSE)]):
        yield from _render_key(LEFT + number * (KEY + GAP), top, side, button, label_of(button, say), code)
    for number, button in enumerate(Button):
        word, y = label_of(button, say), top + KEY + 12 + number * 13
        yield _render_text(LEFT, y + 5, 4, f"{button.upper()}: {word}", "start", code)
        dots = dots_of(word, code)
        yield from _render_braille(dots, LEFT + 50, y)
        yield from _render_braille(dots, LEFT + 180, y, mirrored=True)


def dots_of(word: str, code: str) -> list[Dots]:
    """Return a word in Braille; nothing in a language whose Braille is not known here."""
    return to_cells(read_traits(code).braille.get(word, word)) if read_traits(code).has_braille else []


def _render_key(x: float, y: float, side: int, button: Button, word: str, code: str) -> Iterator[str]:
    """Yield a label: the button's colour as a bar, its name, function and side, and its first letter in Braille."""
    yield f'<rect x="{x:g}" y="{y:g}" width="{KEY:g}" height="{KEY:g}" fill="white" stroke="#888" stroke-width=".2"/>'
    bar = f'width="{KEY:g}" height="2" fill="{TONES[button]}" stroke="black" stroke-width=".1"'
    yield f'<rect x="{x:g}" y="{y:g}" {bar}/>'
    yield _render_text(x + KEY / 2, y + 5.6, 3.4, f"{button.upper()}{f' {side}' if side else ''}")
    yield _render_text(x + KEY / 2, y + 8.4, 2.1, word, "middle", code)
    yield from _render_braille(to_cells(button.value[0]), x + (KEY - DOT) / 2, y + 9.2, step=1.8)


def _render_braille(dots: list[Dots], x: float, y: float, mirrored: bool = False, step: float = DOT) -> Iterator[str]:
    """Yield cells from x on.

    mirrored: to the left from x on, as they are pressed from behind
    """
    turn = -1 if mirrored else 1
    for number, cell in enumerate(dots):
        for dot in sorted(cell):
            across, down = divmod(dot - 1, 3)
            where = f'cx="{x + turn * (number * CELL + across * step):g}" cy="{y + down * step:g}"'
            yield f'<circle {where} r="{DOT_SIZE / 2 * step / DOT:g}"/>'


def _render_text(x: float, y: float, size: float, words: str, anchor: str = "middle", code: str = SOURCE) -> str:
    where = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" xml:lang="{code}"'
    return f"<text {where}>{escape(words)}</text>"
