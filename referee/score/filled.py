"""Ing's fill-in as the players do it, watched: how far they have come, and whether it comes out as counted.

What is filled where is free within an area, so regions are compared, not points. Source: Ing's SST rules as told by
Kim, Simon and Straus, parts 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import Colour, Mask, Position, opponent_of
from referee.counted import Count
from referee.look import Look
from referee.score.regions import surrounded_by
from referee.texts import listed, name, stones

_PLAYERS = (Colour.BLACK, Colour.WHITE)


@dataclass(frozen=True)
class Filled:
    """What a look at the filling tells. done: as many points are filled as the count fills."""

    text: str
    done: bool = False


@dataclass(frozen=True)
class _Region:
    """An area, or the shared points (`owner` None). ends: the board as the count filled it."""

    owner: Colour | None
    points: Mask
    ends: Position

    def to_fill(self, seen: Position) -> int:
        """Points that are empty beyond those that stay empty."""
        return (self.points & seen.empty).bit_count() - (self.points & self.ends.empty).bit_count()

    def otherwise(self, seen: Position) -> str | None:
        """What stands in it otherwise than counted, None where nothing does."""
        of = opponent_of(self.owner) if self.owner is not None else Colour.BLACK
        there, counted = ((self.points & board.of(of)).bit_count() for board in (seen, self.ends))
        empty, stay = ((self.points & board.empty).bit_count() for board in (seen, self.ends))
        if (there, empty) == (counted, stay):
            return None
        where = f"In {name(self.owner)}'s area" if self.owner is not None else "On the shared points"
        return f"{where} there should be {stones(counted, of)} and {stay} left empty; there are {there} and {empty}."


def watched(position: Position, count: Count, look: Look) -> Filled | None:
    """What this look tells about filling in a counted position; None where nothing has been filled in yet.

    position: as the game ended, dead stones on it. count: by `fill_in.count`, with the board as it filled it.
    """
    seen, ends = look.likeliest, count.laid_out
    if (
        ends is None
        or look.too_doubtful
        or seen.occupied.bit_count() <= position.without(count.dead).occupied.bit_count()
    ):
        return None
    regions = _regions(position.without(count.dead), ends)
    to_fill, doubtful = [region.to_fill(seen) for region in regions], look.doubtful
    if doubtful and sum(to_fill) <= doubtful.bit_count():
        return Filled(
            f"The board is nearly filled, but what lies at {listed(look.board, doubtful)} is not seen surely."
        )
    if sum(to_fill) > 0:
        each = "{} in Black's area, {} in White's, {} shared".format(*to_fill)
        return Filled(f"Fill-in: points still to be filled: {each}.")
    return Filled(_verdict(regions, seen, count), done=True)


def _regions(position: Position, ends: Position) -> tuple[_Region, ...]:
    areas = [position.of(colour) | surrounded_by(position, colour) for colour in _PLAYERS]
    owned = tuple(_Region(colour, area, ends) for colour, area in zip(_PLAYERS, areas, strict=True))
    return (*owned, _Region(None, position.board.full & ~areas[0] & ~areas[1], ends))


def _verdict(regions: tuple[_Region, ...], seen: Position, count: Count) -> str:
    differs = [said for region in regions if (said := region.otherwise(seen)) is not None]
    if not differs:
        return f"The board is filled in as counted: {count.result}."
    return f"The board is filled in otherwise than counted. {' '.join(differs)} Look again before you agree."
