"""The area count: a player's stones on the board and the empty regions that only they border.

It follows the rules of Kee for any number of players (2007; equal highest scores tie), and it is how Chinese, American
and New Zealand games are counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.game.board import COLOURS, Colour, Mask, Position
from referee.game.count_result import Count, CountStep, Figures, Layout, Result, winning_result
from referee.game.messages import Listing, Message, Stones, message, name_points
from referee.game.regions import find_regions, points_bordered_by
from referee.score import awards
from referee.score.awards import Award
from referee.score.neutral import neutral_steps


def measure_areas(position: Position) -> tuple[int, ...]:
    """Return each player's area, in the order of play. Dead stones count as stones here: remove them before."""
    colours = COLOURS[: len(position.stones)]
    return tuple((position.stones_of(colour) | points_bordered_by(position, colour)).bit_count() for colour in colours)


def count(
    position: Position,
    dead: Mask = 0,
    to_white: float = 0,
    playing: Sequence[Colour] = COLOURS,
    more: Sequence[Award] = (),
) -> Count:
    """Return the area count.

    Args:
        position: the board, with dead stones on it.
        dead: stones removed as dead first.
        to_white: komi, in points (games of two players).
        playing: the players who can come first: of more than two all but those who have resigned or lost on time.
        more: further awards (games of two players).
    """
    after, points = position.without_stones(dead), measure_areas(position.without_stones(dead))
    all_awards = (*awards.award_komi(to_white), *more)
    layouts = build_counting_layouts(
        position, dead, [points_bordered_by(after, colour) for colour in COLOURS[: len(points)]]
    )
    steps = [_lift_step(position, dead, layouts[0])] if dead else []
    steps += [_counting_step(after, c, points, layout) for c, layout in zip(COLOURS, layouts[1:], strict=False)]
    steps += neutral_steps(after, layouts[-1])
    if len(points) == 2:
        steps += [award.to_step(layouts[-1]) for award in all_awards]
        result: Result = winning_result(points[0] - points[1] - awards.total_awards(all_awards))
    else:
        result = {colour.value: total for colour, total in zip(COLOURS, points, strict=False)}
    steps.append(CountStep(None, "result", _totals_message(result, playing), layout=layouts[-1]))
    return Count("area", result, tuple(steps), _list_figures(after, points, all_awards), dead)


def find_leaders(points: dict[str, int], playing: Sequence[Colour]) -> tuple[Colour, ...]:
    """Return the remaining players with the most points; several if they tie."""
    theirs = {player: points[player] for player in playing if player in points}
    return tuple(player for player, total in theirs.items() if total == max(theirs.values()))


def build_counting_layouts(position: Position, dead: Mask, owned: Sequence[Mask]) -> list[Layout]:
    """Return the board with only the dead stones marked, and after each player's points were counted."""
    return [
        Layout(
            position,
            dead,
            tuple(mask if player < players_counted else mask & dead for player, mask in enumerate(owned)),
        )
        for players_counted in range(len(owned) + 1)
    ]


def _lift_step(position: Position, dead: Mask, layout: Layout) -> CountStep:
    return CountStep(None, "lift", message("score.lifted", points=name_points(position.board, dead)), layout=layout)


def _counting_step(position: Position, colour: Colour, points: tuple[int, ...], layout: Layout) -> CountStep:
    own, total = position.stones_of(colour).bit_count(), points[COLOURS.index(colour)]
    sentence = message("score.area", player=colour, stones=Stones(own), n=total - own, total=total)
    return CountStep(colour, "count", sentence, layout=layout)


def _list_figures(position: Position, points: tuple[int, ...], all_awards: Sequence[Award]) -> Figures:
    figures: dict[str, object] = {}
    for colour, total in zip(COLOURS, points, strict=False):
        own = position.stones_of(colour).bit_count()
        figures[colour.value] = {"stones": own, "territory": total - own, "area": total}
    figures["neutral"] = sum(r.points.bit_count() for r in find_regions(position) if len(r.colours) != 1)
    return figures | (awards.award_figures(all_awards) if len(points) == 2 else {})


def _totals_message(result: Result, playing: Sequence[Colour]) -> Message:
    if isinstance(result, str):
        return result_message(result)
    first, out = find_leaders(result, playing), tuple(Colour(player) for player in result if player not in playing)
    winners = (
        message("score.tied-first", players=Listing(first)) if first[1:] else message("score.first", player=first[0])
    )
    return message("score.out", n=len(out), players=Listing(out)) + winners if out else winners


def result_message(result: str) -> Message:
    """Return the message about the counted result of a game of two players."""
    if result == "0":
        return message("score.draw")
    winner, margin = Colour(result[0]), float(result[2:])
    if margin in (0, 0.5):
        return message("score.half" if margin else "score.tie", player=winner)
    return message("score.wins", player=winner, n=margin)
