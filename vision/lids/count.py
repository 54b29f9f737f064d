"""The prisoner lids: their detection beside the board, and the count of their stones.

The net sees the lid as it is, mirrored and turned; only twice if it is plainly empty. A count is sure if the evidence
of every stone, of their number by density, and of piles and hands makes it confident (vision/lids/confidence.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor

from vision.calibration.model import Box, Grid
from vision.camera.frame import Image
from vision.lids.chances import PILE, Chances, weigh_counts
from vision.lids.confidence import NOTHING, Count, count_stones, is_clear, is_plainly_empty, is_sure, passes_vetoes
from vision.lids.detect import LidCircle, best_one, best_pair, bounding_box, find_circles
from vision.lids.net import Answer, ask_around, ask_nearer, ask_net, ask_twice, cut_square
from vision.lids.outline import measure_widest_stone

# Chosen by hand unless said otherwise (docs/vision.md).
PLAIN, DOUBT = 0.8, 0.1
"""The map's probabilities from which a stone is plainly there, and from which it may be there."""
BENEATH, UNDER_HAND, TOO_MANY = 0.4, 5.0, 0.4
"""The stones that may be hidden: in a pile the density of a colour and this share of all stones, under a hand this
number; and the share by which the density may then be too high. Fitted to lids that the net did not learn from
(vision/models/lids.md).
"""
EDGE_PX = 1.0
"""The distance from the picture's edge within which, or beyond it, a box's end means that the lid is cut off."""
MOST_EXAMINED = 8
"""The number of circles beside the board, the plainest first, that are examined by the net."""
NO_LID, SURELY_NONE, HANDED, A_LID, OPEN = 0.5, 0.95, 0.5, 0.1, 0.5
"""Probability limits of a lid. With NO_LID of none, or HANDED of a hand, a circle is no lid of a pair; below
SURELY_NONE it is examined from nearer by. A single lid, or one that is cut off, has less than A_LID of none and more
than OPEN of a single layer, unlike a bowl.
"""
HEAP, STOCK, LAYER = 45, 24, 14
"""Stone numbers that exclude a lid. A dish with more stones than HEAP is a supply bowl. Of two that both have more than
STOCK none is a lid, nor is a single one with more than LAYER, which is about what a lid holds in one layer.
"""
FULL, MANY = 0.5, 20
"""The penalty of a dish for each MANY stones beyond LAYER: of lids and bowls lids are emptier."""
HOLDS = 0.3
"""The bonus of a lid for stones in one layer: plates and paper are empty."""
LEVEL = 0.5
"""The vertical distance of two lids' centres, as a share of their height, below which they are level."""


@dataclass(frozen=True)
class LidReading:
    """The count of one lid.

    `box`: the lid's box in the picture.
    `black`, `white`: the likeliest counts.
    `black_range`, `white_range`: the lowest and highest counts possible; they contain the truth.
    `sure`: both counts are exact. An unsure lid can be a pile, covered, or too dark.
    `clear`: single stones and their number by density agree, and nothing indicates a pile, a hand or no lid: the counts
        can confirm a number known by other means (`LidSight.can_confirm`).
    `fault`, `circle`: of a prisoner field, as in `LidSight`.
    `chances`: how likely each count of the ranges is, for black and for white, if the lid is not sure and lies in the
        picture as lids do.
    `count`: the evidence of the net's answers; None for a prisoner field.
    """

    box: Box
    black: int
    white: int
    black_range: tuple[int, int]
    white_range: tuple[int, int]
    sure: bool
    clear: bool = False
    fault: str | None = None
    circle: tuple[int, int] | None = None
    chances: Chances | None = None
    count: Count | None = field(default=None, compare=False, repr=False)


def find_lids(image: Image, grid: Grid) -> tuple[Box, ...]:
    """Return the boxes of the two lids beside the board, sides 1 and 2; of one if only one is plainly there, or
    none.
    """
    circles, matrix = find_circles(image, grid)
    answers = {
        circle: _examine_circle(cut_square(image, bounding_box(circle, matrix))) for circle in circles[:MOST_EXAMINED]
    }
    lids = {circle: answer for circle, answer in answers.items() if _may_be_of_a_pair(circle, answer)}
    scores = {circle: _score_lid(answer) for circle, answer in lids.items()}
    emptier = [circle for circle, answer in lids.items() if sum(answer.counts) < STOCK]
    pair = best_pair(scores, emptier)
    if pair is not None:
        return in_reading_order(*(bounding_box(circle, matrix) for circle in pair))
    alone = {c: scores[c] for c, answer in lids.items() if _is_plainly_a_lid(answer) and sum(answer.counts) < LAYER}
    one = best_one({c: worth for c, worth in alone.items() if _is_no_case(cut_square(image, bounding_box(c, matrix)))})
    return () if one is None else (bounding_box(one, matrix),)


def _may_be_of_a_pair(circle: LidCircle, answer: Answer) -> bool:
    """Return True if a circle may be one of two lids; one that is cut off must be plainly a lid, unlike a book."""
    bare = answer.missing < NO_LID and answer.covered < HANDED and sum(answer.counts) < HEAP
    return bare and (circle.is_whole() or _is_plainly_a_lid(answer))


def _is_plainly_a_lid(answer: Answer) -> bool:
    """Return True if the net surely sees a lid in which no stones lie on others, and which nothing covers."""
    return answer.missing < A_LID and answer.single > OPEN


def _is_no_case(square: Image) -> bool:
    """Return True if something alone beside the board holds stones, or is a lid in whichever way it is shown.

    Cases, wallets and clocks pass for an empty lid in some ways.
    """
    answers = ask_around(square)
    return sum(answers[0].counts) >= NOTHING or all(_is_plainly_a_lid(answer) for answer in answers)


def _examine_circle(square: Image) -> Answer:
    """Return the net's answer for a circle.

    If it sees no lid, the circle may be too wide: it is a lid if a single layer is seen from nearer by.
    """
    answer = ask_net(square)
    if not NO_LID <= answer.missing < SURELY_NONE:
        return answer
    nearer = ask_nearer(square)
    return nearer if nearer.single > OPEN else answer


def _score_lid(answer: Answer) -> float:
    """Return the score of a circle as a dish that nothing covers, with stones in it, but no heap."""
    number = sum(answer.counts)
    holds = HOLDS * answer.single * min(1.0, number) - FULL * max(0.0, number - LAYER) / MANY
    return (1 - answer.missing) * (1 - answer.covered) + holds


def in_reading_order(one: Box, other: Box) -> tuple[Box, Box]:
    """Return two boxes as sides 1 and 2: the upper one first, or the left one if they are level."""
    down = other.middle()[1] - one.middle()[1]
    if abs(down) < LEVEL * (one.h + other.h) / 2:
        return (one, other) if one.x <= other.x else (other, one)
    return (one, other) if down > 0 else (other, one)


def read_lid(image: Image, box: Box, stone: float) -> LidReading:
    """Return the count of a lid's prisoners.

    `stone`: a stone's expected width in pixels, to doubt a box of another scale.
    """
    square, fits = cut_square(image, box), _is_plausible_box(image, box, stone)
    empty = _count_if_plainly_empty(square, box) if fits else None
    if empty is not None:
        return LidReading(box, 0, 0, (0, 0), (0, 0), True, True, count=empty)
    count = count_stones(ask_around(square), box.w, box.h, square)
    counts = count.colour_counts()
    reach = measure_widest_stone(square, count.stones, box, stone) if fits and passes_vetoes(count.features) else 0.0
    clear = fits and is_clear(count, reach)
    if fits and is_sure(count, reach):
        return LidReading(box, *counts, (counts[0], counts[0]), (counts[1], counts[1]), True, clear, count=count)
    black, white = (_likeliest_count(count, colour) for colour in (0, 1))
    blacks, whites = (_possible_range(count, colour) for colour in (0, 1))
    chances = (weigh_counts(count, 0, black, blacks), weigh_counts(count, 1, white, whites)) if fits else None
    return LidReading(box, black, white, blacks, whites, False, clear, chances=chances, count=count)


def _count_if_plainly_empty(square: Image, box: Box) -> Count | None:
    """Return the count by two answers if they leave no doubt that the lid is empty, so that no more are needed."""
    answers = ask_twice(square)
    if max(max(answer.counts) for answer in answers) >= NOTHING:
        return None
    count = count_stones(answers, box.w, box.h, square)
    return count if is_plainly_empty(count) else None


def _likeliest_count(count: Count, colour: int) -> int:
    """Return the likeliest count of a colour: in a pile by density, but at least the stones that are seen."""
    number = count.colour_counts()[colour]
    return max(number, round(count.density[colour])) if count.piled > PILE else number


def _possible_range(count: Count, colour: int) -> tuple[int, int]:
    """Return the possible range of an unsure count.

    Its minimum is what is plainly seen; its maximum all that may be there and what a pile or a hand may hide.
    """
    plain = sum(1 for one in count.stones if one.colour == colour and one.p >= PLAIN)
    doubts = sum(1 for one in count.doubts if one.colour == colour and one.p >= DOUBT)
    number, density, pile = count.colour_counts()[colour], count.density[colour], min(1.0, count.piled / PILE)
    hand = min(1.0, count.covered / PILE)
    hidden = max(pile * (density + BENEATH * sum(count.density) + 1), hand * (UNDER_HAND + density / 2))
    low = min(plain, floor(density * (1 - TOO_MANY * max(pile, hand))))
    return max(0, low - 1), max(number + doubts, ceil(density + hidden)) + 1


def _is_plausible_box(image: Image, box: Box, stone: float) -> bool:
    """Return True if the box lies in the picture, does not end at its edge, and is of a lid's size: four to nine stones
    across.
    """
    height, width = image.shape[:2]
    ends = (box.x, box.y, width - box.x - box.w, height - box.y - box.h)
    return min(ends) > EDGE_PX and 3.8 < max(box.w, box.h) / stone < 9.5
