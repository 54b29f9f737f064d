"""A card of A5 for the players, one a language: the keys, the lamps, a pass, and the dead stones. To print at 100%.

`make drawings` writes drawings/card-en.svg and its siblings from the words of the page.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from textwrap import wrap
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from hardware.print_keys import TONES
from referee.table.events import Button
from web.language import Translator, find_translator
from web.language_traits import font_family

WIDTH, HEIGHT = 148, 210
"""The card's size in millimetres, the unit throughout."""
LEFT, INDENT, SIZE, LEADING, GAP = 12.0, 24.0, 4.4, 5.6, 3.6
EXTENT = 108.0
"""The length of a line of text."""
NARROW, WIDE = 0.5, 1.0
"""The mean width of a letter in parts of its size, with and without spaces between words."""
_HALF = "\0"
"""The second half of a wide letter while a text is broken."""
LAMPS = ("#00a83a", "#ffb300", "#e5483f", "#1457ff", "#ffffff")
"""Green, amber, red, blue and white, in the order in which the card tells of them."""


def render_svg(code: str) -> str:
    """Return the card in a language."""
    size = f'width="{WIDTH}mm" height="{HEIGHT}mm" viewBox="0 0 {WIDTH} {HEIGHT}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'font-family="{font_family(code, "Helvetica", "Arial")}" xml:lang="{code}">'
    )
    return "\n".join(
        [
            head,
            '<rect width="100%" height="100%" fill="white"/>',
            *_render_rows(code, find_translator(code)),
            "</svg>",
            "",
        ]
    )


def _render_rows(code: str, say: Translator) -> Iterator[str]:
    keys = [
        (Button.DONE, say("card.done")),
        (Button.CALL, say("card.pass")),
        (Button.CALL, say("card.resign")),
        (Button.SCORE, say("card.dead")),
        (Button.SCORE, say("card.answer")),
        (Button.SCORE, say("card.result")),
        (Button.PAUSE, say("card.pause")),
    ]
    lamps = [say("card.green"), say("card.amber"), say("card.red"), say("card.blue"), say("card.white")]
    y = 20.0
    yield _render_text(LEFT, y, 7.0, say("card.title"))
    y += 6.0
    for button, words in keys:
        y += GAP
        box = f'<rect x="{LEFT:g}" y="{y:g}" width="6" height="5"'
        yield f'{box} fill="{TONES[button]}" stroke="black" stroke-width=".2"/>'
        y = yield from _render_lines(y, words, code)
    y += GAP
    for tone, words in zip(LAMPS, lamps, strict=True):
        y += GAP
        circle = f'<circle cx="{LEFT + 3:g}" cy="{y + 2.6:g}" r="2.6"'
        yield f'{circle} fill="{tone}" stroke="black" stroke-width=".2"/>'
        y = yield from _render_lines(y, words, code)
    if y > HEIGHT - 8:
        raise ValueError(f"the card in {code} is {y:g} mm long")


def _render_lines(y: float, words: str, code: str) -> Generator[str, None, float]:
    """Yield a text in lines; return where it ends."""
    lines = _wrap_words(words) if find_translator(code).space else _wrap_characters(words)
    for number, line in enumerate(lines):
        yield _render_text(INDENT, y + 4.2 + number * LEADING, SIZE, line)
    return y + len(lines) * LEADING


def _wrap_words(words: str) -> list[str]:
    """Break a text between its words; a wide letter, as of Korean, takes the place of two."""
    doubled = re.sub(".", lambda found: found[0] + _HALF * (east_asian_width(found[0]) in "WF"), words)
    return [line.replace(_HALF, "") for line in wrap(doubled, int(EXTENT / (SIZE * NARROW)))]


def _wrap_characters(words: str) -> list[str]:
    """Break a text without spaces, but not within a button's bracketed name nor before what may not begin a line."""
    lines = [""]
    for part in re.findall(r"「[A-Z]+」|[A-Z]+|.", words):
        if (len(lines[-1]) + len(part)) * SIZE * WIDE > EXTENT and part not in "。、」":
            lines.append("")
        lines[-1] += part
    return lines


def _render_text(x: float, y: float, size: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(words)}</text>'
