"""The steps of a count about points that are nobody's: regions that two colours touch, and dame that need an answer.

A chain whose only liberties are dame and one point of its own territory is in atari once the dame are filled, so its
owner has to fill that point: by territory it is one point less, which is named and not taken off.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.game.board import COLOURS, Mask, Position
from referee.game.count_result import CountStep, Layout
from referee.game.messages import message, points
from referee.game.regions import chains, regions

_MOST_DAME = 4
"""Points of a region that is dame; a larger one is an open border."""


def neutral_steps(position: Position, layout: Layout) -> Iterator[CountStep]:
    """Yield a step about the points that several colours touch, if there are any.

    position: the board without dead stones. layout: the board as it is drawn with the step.
    """
    shared = _shared_regions(position)
    if shared:
        firsts = sum(region & -region for region in shared)
        said = message("score.neutral", n=sum(shared).bit_count(), points=points(position.board, firsts))
        yield CountStep(None, "neutral", said, layout=layout)


def answer_steps(position: Position, owned: tuple[Mask, ...], layout: Layout) -> Iterator[CountStep]:
    """Yield a step for each chain that has to be protected once the dame beside it are filled.

    position: the board without dead stones. owned: each player's territory.
    """
    neutral, told = sum(region for region in _shared_regions(position) if region.bit_count() <= _MOST_DAME), 0
    for colour, territory in zip(COLOURS, owned, strict=False):
        for chain in chains(position, position.of(colour)):
            liberties = position.liberties(chain)
            dame, own = liberties & neutral, liberties & territory
            if dame and own.bit_count() == 1 and not liberties & ~dame & ~own and not own & told:
                told |= own
                filled, answer = points(position.board, dame), points(position.board, own)
                said = message("score.answer", player=colour, n=dame.bit_count(), points=filled, answer=answer)
                yield CountStep(colour, "answer", said, layout=layout)


def _shared_regions(position: Position) -> list[Mask]:
    return [region.points for region in regions(position) if len(region.colours) > 1]
