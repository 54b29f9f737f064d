"""The banner's contents: as many sentences as its one height holds, the others for the panel below it.

The banner is as high for every order, so that the board never moves. Its letters shrink with what it says, and what
the smallest do not hold is shown beside the board: nothing is cut, and nothing has to be scrolled for. A phone of 360
pixels decides for every window, because all others have more room.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from unicodedata import east_asian_width

from web.page.labels import LocalisedText

ROOM_PX = 124.0
"""The banner's height without its padding."""


@dataclass(frozen=True)
class LetterSize:
    """A size of the banner's letters, as in page.css.

    order, reason: letters in a line, the gaps before long words taken off, and the line's height in pixels.
    """

    name: str
    order: tuple[int, float]
    reason: tuple[int, float]


SIZES = (
    LetterSize("brief", (17, 23.6), (25, 19.5)),
    LetterSize("middle", (18, 21.8), (25, 19.5)),
    LetterSize("long", (25, 20.1), (33, 17.5)),
    LetterSize("longest", (30, 18.9), (38, 15.6)),
)
_LABEL, _WINNER, _MARGIN_PX = (31, 16.9), (22, 24.2), 2.4
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
"""Between two sentences."""


@dataclass(frozen=True)
class Banner:
    """The banner's contents.

    size: the name of its letters' size.
    order: the order, or its first sentences.
    reasons: the sentences below it.
    rest: the sentences without room.
    """

    size: str
    order: str
    reasons: tuple[LocalisedText, ...]
    rest: tuple[LocalisedText, ...]


def fit_banner(
    label: str, order: str, reasons: Sequence[LocalisedText], winner: str = "", link: str = "", link_below: str = ""
) -> Banner:
    """Choose the largest letters that hold everything, or the sentences that the smallest hold.

    winner: a name above the order.
    link: words behind the first reason.
    link_below: a link below all.
    """
    ends = _measure_height((label, _LABEL), (winner, _WINNER)) + _MARGIN_PX
    texts = [one.text for one in reasons]
    texts = [f"{texts[0]} {link}", *texts[1:]] if texts and link else texts
    for size in SIZES:
        below = _measure_height(*((text, size.reason) for text in (*texts, link_below)))
        if ends + _measure_height((order, size.order)) + below <= ROOM_PX:
            return Banner(size.name, order, tuple(reasons), ())
    room = ROOM_PX - ends - _measure_height((link_below, size.reason))
    head, rest = _split_order(order, room, size)
    room -= _measure_height((head, size.order))
    count = 0
    while not rest and count < len(texts) and (room := room - _measure_height((texts[count], size.reason))) >= 0:
        count += 1
    others = reasons[count:]
    return Banner(size.name, head, tuple(reasons[:count]), (*([LocalisedText(rest)] if rest else []), *others))


def _split_order(order: str, room: float, size: LetterSize) -> tuple[str, str]:
    """Return the sentences of an order that have room, the first at least, and the others."""
    ends = [match.end() for match in _SENTENCES.finditer(order)] + [len(order)]
    ends_that_fit = [end for end in ends if _measure_height((order[:end].rstrip(), size.order)) <= room]
    end = max(ends_that_fit, default=ends[0])
    return order[:end].rstrip(), order[end:]


def _measure_height(*texts: tuple[str, tuple[int, float]]) -> float:
    """Return the height of these texts, in pixels. Each: text, letters in a line, a line's height."""
    return sum(ceil(count_letters(text) / most) * height for text, (most, height) in texts)


def count_letters(text: str) -> float:
    """Return the number of letters; a wide one is twice as wide, but its lines have no gap before a long word."""
    return sum(1.5 if east_asian_width(letter) in "WF" else 1 for letter in text)
