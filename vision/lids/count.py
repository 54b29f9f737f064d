"""The prisoner lids: found beside the board, and their stones counted.

The net is asked about the lid as it is, mirrored and turned, and only twice about one that is plainly empty. A count is
sure when what it says of every stone, of the number by their density, of piles and hands makes it confident
(vision/lids/confidence.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from vision.calibration import Box, Grid
from vision.frame import Image
from vision.lids.confidence import NOTHING, Count, counted, is_clear, is_plainly_empty, is_sure, not_vetoed
from vision.lids.detect import LidCircle, best_one, best_pair, box_of, find_circles
from vision.lids.net import Answer, ask, ask_around, ask_nearer, ask_twice, cut
from vision.lids.outline import widest

# Chosen by hand unless said otherwise (docs/vision.md).
PILE = 0.5
"""Some stones lie on others when the net says so with this probability."""
PLAIN, DOUBT = 0.8, 0.1
"""A stone is plainly there when the map says so with this probability; from DOUBT on it may be there."""
BENEATH, UNDER_HAND, TOO_MANY = 0.4, 5.0, 0.4
"""A pile may hide as many of a colour as its density says and this share of all; a hand may hide so many stones. There
the density may be too high by this share. Fitted to lids that the net did not learn from (vision/models/lids.md)."""
CUT = 1.0
"""A box that ends within so many pixels of the picture's edge is of a lid that goes on beyond it."""
LOOKED_INTO = 8
"""So many of the plainest circles beside the board are looked into."""
NO_LID, SURELY_NONE, HANDED, A_LID, OPEN = 0.5, 0.95, 0.5, 0.1, 0.5
"""With this probability of none, or of a hand, a circle is no lid of a pair; below SURELY_NONE it is looked at from
nearer. A lid alone, or one that is cut off, has a lower one than A_LID and lies open with a higher one than OPEN, as a
bowl does not."""
HEAP, STOCK, LAYER = 45, 24, 14
"""A dish with more stones than HEAP is a supply bowl. Of two that both have more than STOCK none is a lid, nor is one
alone with more than LAYER, which is about what a lid holds in one layer."""
FULL, MANY = 0.5, 20
"""How much it counts against a dish that it holds MANY stones more than LAYER: of lids and bowls lids are emptier."""
HOLDS = 0.3
"""How much it counts for a lid that stones lie in it, in one layer: plates and paper are empty."""
LEVEL = 0.5
"""Two lids lie level in the picture when their middles differ by less than this share of their height."""


@dataclass(frozen=True)
class LidReading:
    """What one lid holds. black, white: the likeliest counts; the ranges (lowest, highest) hold the truth.

    sure: both counts are exact. An unsure lid can be a pile, covered, or too dark to tell. clear: what the net says of
    single stones and of their number agrees, and nothing speaks for a pile, a hand or no lid: one who knows by other
    means how many must lie there may rely on them (`LidSight.confirms`).
    """

    box: Box
    black: int
    white: int
    black_range: tuple[int, int]
    white_range: tuple[int, int]
    sure: bool
    clear: bool = False


def find_lids(image: Image, grid: Grid) -> tuple[Box, ...]:
    """The boxes of the two lids beside the board, sides 1 and 2; the box of one where only one is plainly there, or
    none."""
    circles, matrix = find_circles(image, grid)
    answers = {circle: _looked_into(cut(image, box_of(circle, matrix))) for circle in circles[:LOOKED_INTO]}
    lids = {circle: said for circle, said in answers.items() if _may_be_of_a_pair(circle, said)}
    speaks = {circle: _speaks_for_lid(said) for circle, said in lids.items()}
    emptier = [circle for circle, said in lids.items() if sum(said.counts) < STOCK]
    pair = best_pair(speaks, emptier)
    if pair is not None:
        return in_reading_order(*(box_of(circle, matrix) for circle in pair))
    alone = {c: speaks[c] for c, said in lids.items() if _is_plainly_a_lid(said) and sum(said.counts) < LAYER}
    one = best_one(alone)
    return () if one is None else (box_of(one, matrix),)


def _may_be_of_a_pair(circle: LidCircle, said: Answer) -> bool:
    """Whether a circle may be one of two lids; one that is cut off has to be plainly one: so may a book look."""
    bare = said.missing < NO_LID and said.covered < HANDED and sum(said.counts) < HEAP
    return bare and (circle.is_whole() or _is_plainly_a_lid(said))


def _is_plainly_a_lid(said: Answer) -> bool:
    """Whether the net surely sees a lid, in which no stones lie on others, and which nothing covers."""
    return said.missing < A_LID and said.single > OPEN


def _looked_into(square: Image) -> Answer:
    """What the net says of a circle. Where it sees no lid, the circle may be too wide: it is one if a single layer is
    seen from nearer by."""
    said = ask(square)
    if not NO_LID <= said.missing < SURELY_NONE:
        return said
    nearer = ask_nearer(square)
    return nearer if nearer.single > OPEN else said


def _speaks_for_lid(said: Answer) -> float:
    """That it is a dish that nothing covers, and in which stones lie, but no heap."""
    number = sum(said.counts)
    holds = HOLDS * said.single * min(1.0, number) - FULL * max(0.0, number - LAYER) / MANY
    return (1 - said.missing) * (1 - said.covered) + holds


def in_reading_order(one: Box, other: Box) -> tuple[Box, Box]:
    """Two boxes as sides 1 and 2: the upper one first, or the left one when they lie level."""
    down = other.middle()[1] - one.middle()[1]
    if abs(down) < LEVEL * (one.h + other.h) / 2:
        return (one, other) if one.x <= other.x else (other, one)
    return (one, other) if down > 0 else (other, one)


def read_lid(image: Image, box: Box, stone: float) -> LidReading:
    """Count the prisoners in a lid. stone: a stone's expected width in pixels, to doubt a box of another scale."""
    square, fits = cut(image, box), _fits(image, box, stone)
    if fits and _is_plainly_empty(square, box):
        return LidReading(box, 0, 0, (0, 0), (0, 0), True, True)
    count = counted(ask_around(square), box.w, box.h, square)
    seen = count.counts()
    reach = widest(square, count.stones, box, stone) if fits and not_vetoed(count.features) else 0.0
    clear = fits and is_clear(count, reach)
    if fits and is_sure(count, reach):
        return LidReading(box, *seen, (seen[0], seen[0]), (seen[1], seen[1]), True, clear)
    likeliest = [_likeliest(count, colour) for colour in (0, 1)]
    return LidReading(box, likeliest[0], likeliest[1], _range(count, 0), _range(count, 1), False, clear)


def _is_plainly_empty(square: Image, box: Box) -> bool:
    """Whether two answers leave no doubt that the lid in a square is empty, so that no more need be asked."""
    answers = ask_twice(square)
    bare = max(max(said.counts) for said in answers) < NOTHING
    return bare and is_plainly_empty(counted(answers, box.w, box.h, square))


def _likeliest(count: Count, colour: int) -> int:
    """In a pile there are as many as the density says, at least those that are seen."""
    seen = count.counts()[colour]
    return max(seen, round(count.density[colour])) if count.piled > PILE else seen


def _range(count: Count, colour: int) -> tuple[int, int]:
    """What an unsure count allows: what is plainly seen at least, all that may be there and what a pile or a hand may
    hide at most."""
    plain = sum(1 for one in count.stones if one.colour == colour and one.p >= PLAIN)
    doubts = sum(1 for one in count.doubts if one.colour == colour and one.p >= DOUBT)
    seen, density, pile = count.counts()[colour], count.density[colour], min(1.0, count.piled / PILE)
    hand = min(1.0, count.covered / PILE)
    hidden = max(pile * (density + BENEATH * sum(count.density) + 1), hand * (UNDER_HAND + density / 2))
    low = min(plain, floor(density * (1 - TOO_MANY * max(pile, hand))))
    return max(0, low - 1), max(seen + doubts, ceil(density + hidden)) + 1


def _fits(image: Image, box: Box, stone: float) -> bool:
    """The box lies in the picture, does not end just where the picture does, and is of a lid's size: four to nine
    stones across."""
    height, width = image.shape[:2]
    ends = ((box.x, box.w), (box.y, box.h), (width - box.x - box.w, box.w), (height - box.y - box.h, box.h))
    whole = all(room > -0.04 * across and abs(room) > CUT for room, across in ends)
    return whole and 3.8 < max(box.w, box.h) / stone < 9.5
