"""The mat's cards on sheets of paper: an edition for A3 and one for A4. The visible part of the cards is the same.

Everything is at least 10 mm from the edges of the paper, where home printers do not print.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.board.marker_layout import LID_CARD, MAT, Artwork, Circle, Line, Text, corner_card, field_card, lid_card
from vision.calibration.field_layout import CARD, DISC, LARGE, FieldLayout

A4 = (297.0, 210.0)
A3 = (420.0, 297.0)
"""The sizes of the sheets of paper, width and height in mm."""
MARGIN = 10.0
"""The margin in mm of a sheet, in which nothing but cuts is drawn."""
EDITIONS = {"A3": A3, "A4": A4}
FIELDS = "fields"
"""The edition of prisoner fields, on sheets of A4."""
HOW_FIELDS = (
    "Print every sheet at 100%, not fitted to the page: this line is 100 mm long.",
    "Cut along the dashed lines, or round the discs. A field lies where its lid would, flat,",
    "all of it in the light and in the camera's sight. Each prisoner lies on a circle of its own,",
    "in any order. Matt paper is best.",
)
HOW = (
    "Print every sheet at 100%, not fitted to the page: this line is 100 mm long.",
    "Cut along the dashed lines. Lay the four corner cards under the corners",
    "of the board, as they lie on their sheet, and the lids on the circles,",
    "the longer side of these cards along the board. Keep the cards flat and",
    "the markers in sight.",
)


@dataclass(frozen=True)
class Sheet:
    """One sheet of paper and everything on it; (0, 0) is its top left corner. Print it at 100%, without fitting."""

    name: str
    width: float
    height: float
    artwork: Artwork


def build_sheets(edition: str) -> tuple[Sheet, ...]:
    """Return the sheets of the edition "A3" or "A4", the corner cards' and the lids', or those of "fields"."""
    if edition == FIELDS:
        kinds = ((layout, side) for layout in (CARD, LARGE) for side in (0, 1))
        return (*(_field_a4(layout, side) for layout, side in kinds), _discs_a4())
    if edition == "A3":
        return corners_sheet(*A3), _lids_a3()
    return corners_sheet(*A4), _lid_a4(0), _lid_a4(1)


def corners_sheet(width: float, height: float) -> Sheet:
    """Return the sheet to be cut into the four corner cards; each lies on it as it will lie under the board."""
    wide, high = width / 2, height / 2
    places = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    cards = [
        shift_artwork(corner_card(marker, wide, high).artwork, *at) for marker, at in zip(MAT.ids, places, strict=True)
    ]
    cuts = Artwork(lines=(Line(wide, 0, wide, height, cut=True), Line(0, high, width, high, cut=True)))
    return Sheet("corners", width, height, join_artworks(*cards, cuts))


def _lids_a3() -> Sheet:
    """Return both lids' cards, one above the other, with the instructions beside them."""
    wide, high = LID_CARD
    left = 2 * MARGIN
    cards = [shift_artwork(lid_card(side).artwork, left, side * high) for side in (0, 1)]
    cuts = Artwork(
        lines=(
            Line(left, 0, left, A3[1], cut=True),
            Line(left + wide, 0, left + wide, A3[1], cut=True),
            Line(left, high, left + wide, high, cut=True),
        )
    )
    return Sheet("lids", *A3, join_artworks(*cards, cuts, _draw_instructions((left + wide + A3[0]) / 2, 100.0)))


def _lid_a4(side: int) -> Sheet:
    """Return one lid's card, with the instructions below it."""
    wide, high = LID_CARD
    left, top = (A4[0] - wide) / 2, MARGIN
    ends = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
    cuts = tuple(Line(*one, *other, cut=True) for one, other in zip(ends, ends[1:] + ends[:1], strict=True))
    words = _draw_instructions(A4[0] / 2, top + high + 8)
    return Sheet(
        f"lid-{side + 1}",
        *A4,
        join_artworks(shift_artwork(lid_card(side).artwork, left, top), Artwork(lines=cuts), words),
    )


def _field_a4(layout: FieldLayout, side: int) -> Sheet:
    """Return the card with one side's prisoner field, with the instructions below it."""
    card = field_card(layout, side)
    left, top = (A4[0] - card.width) / 2, MARGIN
    ends = [(left, top), (left + card.width, top), (left + card.width, top + card.height), (left, top + card.height)]
    cuts = tuple(Line(*one, *other, cut=True) for one, other in zip(ends, ends[1:] + ends[:1], strict=True))
    words = _draw_instructions(A4[0] / 2, top + card.height + 8, (f"Side {side + 1}.", *HOW_FIELDS))
    return Sheet(
        f"{layout.name}-{side + 1}",
        *A4,
        join_artworks(shift_artwork(card.artwork, left, top), Artwork(lines=cuts), words),
    )


def _discs_a4() -> Sheet:
    """Return the discs of both sides, with the instructions below them."""
    discs = [field_card(DISC, side) for side in (0, 1)]
    lefts = [A4[0] / 4 - discs[0].width / 2, 3 * A4[0] / 4 - discs[1].width / 2]
    drawn = [shift_artwork(disc.artwork, left, 2 * MARGIN) for disc, left in zip(discs, lefts, strict=True)]
    middle = 2 * MARGIN + discs[0].height / 2
    edges = Artwork(circles=tuple(Circle(left + discs[0].width / 2, middle, discs[0].width, 0.2) for left in lefts))
    words = _draw_instructions(
        A4[0] / 2, 2 * MARGIN + discs[0].height + 14, ("Side 1 left, side 2 right.", *HOW_FIELDS)
    )
    return Sheet("discs", *A4, join_artworks(*drawn, edges, words))


def _draw_instructions(x: float, top: float, words: tuple[str, ...] = HOW) -> Artwork:
    """Return a line to be measured, and the instructions."""
    left = x - 50
    ruler = (Line(left, top, left + 100, top), *(Line(at, top - 3, at, top + 3) for at in (left, left + 100)))
    return Artwork(lines=ruler, texts=tuple(Text(x, top + 9 + 6 * row, line, 3.0) for row, line in enumerate(words)))


def shift_artwork(artwork: Artwork, x: float, y: float) -> Artwork:
    """Return the drawing moved to the right and down."""
    return Artwork(
        tuple(replace(one, x=one.x + x, y=one.y + y) for one in artwork.markers),
        tuple(replace(one, x1=one.x1 + x, x2=one.x2 + x, y1=one.y1 + y, y2=one.y2 + y) for one in artwork.lines),
        tuple(replace(one, x=one.x + x, y=one.y + y) for one in artwork.circles),
        tuple(replace(one, x=one.x + x, y=one.y + y) for one in artwork.texts),
    )


def join_artworks(*artworks: Artwork) -> Artwork:
    """Return all of them as one."""
    return Artwork(
        tuple(marker for one in artworks for marker in one.markers),
        tuple(line for one in artworks for line in one.lines),
        tuple(circle for one in artworks for circle in one.circles),
        tuple(text for one in artworks for text in one.texts),
    )
