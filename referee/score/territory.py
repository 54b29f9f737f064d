"""The territory count: the empty points that one colour surrounds, the dead stones in them, and the prisoners taken.

The players agree on the dead stones, and on the stones in seki: points that those border belong to nobody. Points that
a player has to fill whoever fills the dame are taken off (`neutral`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from referee.game.board import Colour, Mask, Position, opponent_of
from referee.game.count_result import Count, CountStep, Layout, winning_result
from referee.game.messages import Stones, message, name_points
from referee.game.regions import find_regions, some_points
from referee.score import awards
from referee.score.area import build_counting_layouts, result_message
from referee.score.awards import Award
from referee.score.neutral import answer_steps, find_answers, neutral_steps

_PLAYERS = (Colour.BLACK, Colour.WHITE)


def count(
    position: Position,
    prisoners: tuple[int, int],
    dead: Mask = 0,
    seki: Mask = 0,
    to_white: float = 0,
    more: Sequence[Award] = (),
) -> Count:
    """Return the territory count of a game of two players.

    Args:
        position: the board, with dead stones on it.
        prisoners: white stones that Black took in the game, black ones that White took.
        dead: stones that become prisoners now.
        seki: stones agreed to live in seki.
        to_white: komi, in points.
        more: further awards.
    """
    after = position.without_stones(dead)
    points = {colour: find_territory(after, colour, seki) for colour in _PLAYERS}
    new_prisoners = {colour: (position.stones_of(opponent_of(colour)) & dead).bit_count() for colour in _PLAYERS}
    all_prisoners = {colour: before + new_prisoners[colour] for colour, before in zip(_PLAYERS, prisoners, strict=True)}
    answers = find_answers(after, tuple(points.values()))
    answer_counts = {colour: sum(one.is_certain for one in answers if one.player is colour) for colour in _PLAYERS}
    totals = {colour: points[colour].bit_count() + all_prisoners[colour] - answer_counts[colour] for colour in _PLAYERS}
    all_awards = (*awards.award_komi(to_white), *more)
    lead = totals[Colour.BLACK] - totals[Colour.WHITE] - awards.total_awards(all_awards)
    first_layout, *layouts = _fill_in_turn(
        build_counting_layouts(position, dead, tuple(points.values())), all_prisoners
    )
    steps = [_lift_step(position, colour, dead, first_layout) for colour in _PLAYERS if new_prisoners[colour]]
    steps += [
        _counting_step(colour, points[colour].bit_count(), all_prisoners[colour], layout)
        for colour, layout in zip(_PLAYERS, layouts, strict=True)
    ]
    steps += neutral_steps(after, layouts[-1])
    steps += answer_steps(after, answers, layouts[-1])
    steps += [award.to_step(layouts[-1]) for award in all_awards]
    steps.append(CountStep(None, "result", result_message(winning_result(lead)), layout=layouts[-1]))
    figures: dict[str, object] = {
        colour.value: {
            "territory": points[colour].bit_count(),
            "prisoners": all_prisoners[colour],
            "points": totals[colour],
        }
        | ({"answers": answer_counts[colour]} if answer_counts[colour] else {})
        for colour in _PLAYERS
    }
    return Count("territory", winning_result(lead), tuple(steps), figures | awards.award_figures(all_awards), dead)


def find_territory(position: Position, colour: Colour, seki: Mask = 0) -> Mask:
    """Return the empty points of the regions bordered only by this colour, and by none of its stones in seki."""
    adjacent = position.board.adjacent_to
    alone = (region for region in find_regions(position) if region.colours == (colour,))
    return sum(region.points for region in alone if not adjacent(region.points) & seki)


def _fill_in_turn(layouts: Sequence[Layout], all_prisoners: Mapping[Colour, int]) -> Iterator[Layout]:
    """Yield the same boards with each player's prisoners put into the opponent's territory when that player counts.

    As many as there is room for: the points left empty are the difference.
    """
    position = layouts[0].position
    yield layouts[0]
    for player, layout in zip(_PLAYERS, layouts[1:], strict=True):
        other = opponent_of(player)
        room = layouts[-1].owned[_PLAYERS.index(other)] & position.empty
        position = position.with_stones(other, some_points(room, all_prisoners[player]))
        yield replace(layout, position=position)


def _lift_step(position: Position, colour: Colour, dead: Mask, layout: Layout) -> CountStep:
    dead_stones = position.stones_of(opponent_of(colour)) & dead
    sentence = message("score.prisoners", player=colour, points=name_points(position.board, dead_stones))
    return CountStep(colour, "lift", sentence, layout=layout)


def _counting_step(colour: Colour, points: int, prisoners: int, layout: Layout) -> CountStep:
    stones = Stones(prisoners, opponent_of(colour))
    sentence = message("score.territory", player=colour, n=points, stones=stones, total=points + prisoners)
    return CountStep(colour, "count", sentence, layout=layout)
