"""The steps of a count about points that are nobody's: regions that two colours touch, and dame that need an answer.

A chain whose only liberties are dame and one point of its own territory is in atari once the dame are filled, so its
owner has to fill that point: by territory it is one point less. It is taken off if that is so whoever fills the dame;
else it is only named, because who fills the last dame decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from referee.game.board import COLOURS, Colour, Mask, Position, opponent_of, points_of
from referee.game.count_result import CountStep, Layout
from referee.game.messages import message, name_points
from referee.game.regions import find_chains, find_regions

_MOST_DAME = 4
"""Points of a region that is dame, and dame beside one chain; a larger region is an open border."""
_EYES_TO_LIVE, _POINTS_OF_TWO_EYES = 2, 3
"""Eyes by which a chain lives, and the fewest points of a region in which it can make so many."""


class DameAnswer(NamedTuple):
    """A point of a player's own territory that they fill once the dame beside a chain of theirs are filled.

    is_certain: they have to, whoever fills the dame
    """

    player: Colour
    dame: Mask
    point: Mask
    is_certain: bool


def neutral_steps(position: Position, layout: Layout) -> Iterator[CountStep]:
    """Yield a step about the points that several colours touch, if there are any.

    position: the board without dead stones. layout: the board as it is drawn with the step.
    """
    shared = shared_regions(position)
    if shared:
        firsts = sum(region & -region for region in shared)
        sentence = message("score.neutral", n=sum(shared).bit_count(), points=name_points(position.board, firsts))
        yield CountStep(None, "neutral", sentence, layout=layout)


def find_answers(position: Position, owned: tuple[Mask, ...]) -> tuple[DameAnswer, ...]:
    """Return the points with which chains have to be protected once the dame beside them are filled.

    position: the board without dead stones. owned: each player's territory.
    """
    answers = tuple(_possible_answers(position, owned))
    shared = [one.dame & other.dame for one in answers for other in answers if one.point != other.point]
    return tuple(one._replace(is_certain=False) if any(one.dame & mask for mask in shared) else one for one in answers)


def answer_steps(position: Position, answers: tuple[DameAnswer, ...], layout: Layout) -> Iterator[CountStep]:
    """Yield a step for each of these."""
    for player, dame, point, is_certain in answers:
        dame_points, answer = name_points(position.board, dame), name_points(position.board, point)
        key = "score.answer" if is_certain else "score.answer-open"
        sentence = message(key, player=player, n=dame.bit_count(), points=dame_points, answer=answer)
        yield CountStep(player, "answer", sentence, layout=layout)


def _possible_answers(position: Position, owned: tuple[Mask, ...]) -> Iterator[DameAnswer]:
    neutral, answer_points = sum(region for region in shared_regions(position) if region.bit_count() <= _MOST_DAME), 0
    for colour, territory in zip(COLOURS, owned, strict=False):
        for chain in find_chains(position, position.stones_of(colour)):
            liberties = position.liberties_of(chain)
            dame, own = liberties & neutral, liberties & territory
            if dame and own.bit_count() == 1 and not liberties & ~dame & ~own and not own & answer_points:
                answer_points |= own
                yield DameAnswer(colour, dame, own, _is_needed(position, colour, chain, dame, own))


def _is_needed(position: Position, colour: Colour, chain: Mask, dame: Mask, own: Mask) -> bool:
    """Return True if the chain is in atari at its own point and saved by it, however the dame are shared out."""
    if dame.bit_count() > _MOST_DAME:
        return False
    singles = [1 << point for point in points_of(dame)]
    shares = product((0, 1), repeat=len(singles))
    masks = [sum(single for single, bit in zip(singles, bits, strict=True) if bit) for bits in shares]
    return all(_is_saved(position, colour, chain, dame, mask, own) for mask in masks)


def _is_saved(position: Position, colour: Colour, chain: Mask, dame: Mask, theirs: Mask, own: Mask) -> bool:
    """Return True if it is so where the other fills `theirs` of the dame, with stones that are not in atari then.

    A capture that is taken back with more than one stone counts for nothing: the other would not begin it.
    """
    other = opponent_of(colour)
    filled_position = position.with_stones(other, theirs).with_stones(colour, dame & ~theirs)
    whole = filled_position.board.flood(chain, filled_position.stones_of(colour))
    if filled_position.liberties_of(whole) != own:
        return False
    if any(filled_position.liberties_of(stones).bit_count() < 2 for stones in find_chains(filled_position, theirs)):
        return False
    answered_position = filled_position.with_stones(colour, own)
    if answered_position.liberties_of(answered_position.chain_at(own.bit_length() - 1)).bit_count() < 2:
        return False
    captured_position = filled_position.without_stones(whole).with_stones(other, own)
    capturing = captured_position.chain_at(own.bit_length() - 1)
    return captured_position.liberties_of(capturing).bit_count() > 1 or capturing.bit_count() == 1


def shared_regions(position: Position) -> list[Mask]:
    """Return the regions of empty points that several colours touch."""
    return [region.points for region in find_regions(position) if len(region.colours) > 1]


def seki_points(position: Position) -> Mask:
    """Return the points of small regions that chains of both players live by, so that neither plays there.

    position: the board without dead stones. A chain lives by a region if what its own player alone borders, beside it
    and beside the chains that this joins it to, is less than two eyes.
    """
    return sum(region for region, _ in _find_seki(position))


def seki_eyes(position: Position) -> Mask:
    """Return the eyes of the chains that live by such regions, which are nobody's where territory is counted."""
    all_eyes = 0
    for _, eyes in _find_seki(position):
        all_eyes |= eyes
    return all_eyes


def _find_seki(position: Position) -> Iterator[tuple[Mask, Mask]]:
    """Yield each small region that chains of both players live by, with the eyes of these."""
    all_regions = list(find_regions(position))
    for region, colours in all_regions:
        if len(colours) > 1 and region.bit_count() <= _MOST_DAME:
            alone = {colour: [one.points for one in all_regions if one.colours == (colour,)] for colour in colours}
            eyes = [_eyes_beside(position, colour, region, alone[colour]) for colour in colours]
            if None not in eyes:
                yield region, sum({eye for some in eyes for eye in some or ()})


def _eyes_beside(position: Position, colour: Colour, region: Mask, alone: list[Mask]) -> list[Mask] | None:
    """Return the eyes of a player's chains that live by a region; None if none does.

    alone: the regions that only this player borders.
    """
    board, own, all_eyes = position.board, position.stones_of(colour), list[Mask]()
    has_living_chain = False
    for chain in find_chains(position, board.adjacent_to(region) & own):
        group = board.flood(chain, own | sum(alone))
        eyes = [eye for eye in alone if eye & group]
        if len(eyes) < _EYES_TO_LIVE and all(eye.bit_count() < _POINTS_OF_TWO_EYES for eye in eyes):
            has_living_chain, all_eyes = True, all_eyes + eyes
    return all_eyes if has_living_chain else None
