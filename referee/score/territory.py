"""Territory: the empty points that one colour surrounds, the stones dead in it, and the prisoners taken.

The players agree on what is dead, and on what lives in seki: points that stones in seki border are nobody's.
"""

from __future__ import annotations

from referee.board import Colour, Mask, Position, opponent_of
from referee.counted import Count, CountStep, won_by
from referee.messages import Stones, message
from referee.messages import points as named
from referee.score.area import komi, told
from referee.score.regions import regions

_PLAYERS = (Colour.BLACK, Colour.WHITE)


def count(
    position: Position,
    prisoners: tuple[int, int],
    dead: Mask = 0,
    seki: Mask = 0,
    to_white: float = 0,
) -> Count:
    """The territory count of a game of two players.

    prisoners: white stones that Black took in the game, black ones that White took. dead: stones that become prisoners
    now. seki: stones agreed to live in seki. to_white: komi and compensation.
    """
    after = position.without(dead)
    points = {colour: territory(after, colour, seki) for colour in _PLAYERS}
    lifted = {colour: (position.of(opponent_of(colour)) & dead).bit_count() for colour in _PLAYERS}
    taken = {colour: before + lifted[colour] for colour, before in zip(_PLAYERS, prisoners, strict=True)}
    totals = {colour: points[colour].bit_count() + taken[colour] for colour in _PLAYERS}
    lead = totals[Colour.BLACK] - totals[Colour.WHITE] - to_white
    steps = [_lifted(position, colour, dead) for colour in _PLAYERS if lifted[colour]]
    steps += [_counted(colour, points[colour].bit_count(), taken[colour]) for colour in _PLAYERS]
    steps += komi(to_white)
    steps.append(CountStep(None, "result", told(won_by(lead))))
    figures: dict[str, object] = {
        colour.value: {
            "territory": points[colour].bit_count(),
            "prisoners": taken[colour],
            "points": totals[colour],
        }
        for colour in _PLAYERS
    }
    return Count("territory", won_by(lead), tuple(steps), figures | {"to_white": to_white}, dead)


def territory(position: Position, colour: Colour, seki: Mask = 0) -> Mask:
    """The empty points of the regions that this colour alone borders, with stones that are not in seki."""
    beside = position.board.beside
    alone = (region for region in regions(position) if region.colours == (colour,))
    return sum(region.points for region in alone if not beside(region.points) & seki)


def _lifted(position: Position, colour: Colour, dead: Mask) -> CountStep:
    taken = position.of(opponent_of(colour)) & dead
    return CountStep(colour, "lift", message("score.prisoners", player=colour, points=named(position.board, taken)))


def _counted(colour: Colour, points: int, prisoners: int) -> CountStep:
    taken = Stones(prisoners, opponent_of(colour))
    said = message("score.territory", player=colour, n=points, stones=taken, total=points + prisoners)
    return CountStep(colour, "count", said)
