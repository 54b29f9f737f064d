"""A prisoner bowl as SVG: a round lid with its prisoners, and the ultimate stone in a ring."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from referee.board import COLOURS, Colour
from referee.bowls import Bowls
from web import words
from web.stones_svg import Disc, heap, opened, shades
from web.tongues import ENGLISH, Tongue

SIDE = 120
INSIDE = 49.0
LARGEST_STONE = 13.5
MOST_DRAWN = 150
"""More prisoners than this lie so close that another one would not show; words give the count."""
_GOLDEN = pi * (3 - sqrt(5))
_APART = 0.77
"""Half the least distance between two seeds, in steps."""


def lid_words(bowls: Bowls, owner: Colour, say: Tongue = ENGLISH) -> str:
    """What lies in a bowl: "3 white stones and the ultimate stone", "empty"."""
    counted = [
        words.stones(n, colour, say) for colour in COLOURS[: len(bowls.contents)] if (n := bowls.count(owner, colour))
    ]
    return say.joined([*counted, *([say("lid.ultimate")] if bowls.ultimate is owner else [])]) or say("lid.empty")


def lid_svg(bowls: Bowls, owner: Colour, say: Tongue = ENGLISH) -> str:
    """One lid seen from above; what is drawn is also told."""
    key, middle = f"lid-{owner.value}", SIDE / 2
    title = say("lid.title", player=words.name(owner, say))
    lid = (
        f'<circle class="rim" cx="{middle:g}" cy="{middle:g}" r="58" fill="#7b4a2a"/>'
        f'<circle class="dish" cx="{middle:g}" cy="{middle:g}" r="52" fill="#95603a"/>'
    )
    drawn = f'<g filter="url(#{key}-shadow)">{_content(key, bowls, owner)}</g>'
    opening = opened(key, SIDE, SIDE, "lid", title, lid_words(bowls, owner, say))
    return opening + shades(key, COLOURS[: len(bowls.contents)]) + lid + drawn + "</svg>"


def _content(key: str, bowls: Bowls, owner: Colour) -> str:
    prisoners = [colour for colour in COLOURS[: len(bowls.contents)] for _ in range(bowls.count(owner, colour))]
    ultimate = bowls.ultimate is owner
    places = spread(min(len(prisoners), MOST_DRAWN) + ultimate)
    first = places[:1] if ultimate else []
    rest = list(zip(prisoners, places[ultimate:], strict=False))
    heaps = [heap(key, colour, [disc for kind, disc in rest if kind is colour]) for colour in COLOURS]
    return "".join(heaps) + heap(key, owner, first) + "".join(map(_ring, first))


def _ring(disc: Disc) -> str:
    x, y, r = disc
    gold = f'fill="none" stroke="#f2b631" stroke-width="{r / 4.5:.3g}"'
    return f'<circle class="ultimate" cx="{x:.4g}" cy="{y:.4g}" r="{r * 0.62:.4g}" {gold}/>'


def spread(count: int) -> list[Disc]:
    """So many stones side by side, from the middle outwards as seeds lie in a sunflower, as large as they may be."""
    if count == 0:
        return []
    step = min(INSIDE / (sqrt(count - 0.5) + _APART), LARGEST_STONE / _APART)
    first, middle = 0.0 if count == 1 else 0.5, SIDE / 2
    outwards = [(step * sqrt(i + first), i * _GOLDEN) for i in range(count)]
    return [(middle + far * cos(angle), middle + far * sin(angle), step * _APART) for far, angle in outwards]
