"""A count on the board: dead stones faint, each point marked by its owner, and the stones a step adds or lifts.

Dead stones and owners come from the referee's layouts; nothing is computed here. Stones come from their player's side
of the board and leave towards it if the style sheet animates them (`.comes`, `.leaves`); without it, or for a client
that prefers reduced motion, the drawing shows the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from referee import COLOURS, Bowls, Colour, Layout, Mask, Point, Position, Snapshot, points_of
from web.language import Translator
from web.page import labels

FAINT, SMALLER = 0.6, 0.84
"""Opacity and relative size of dead stones."""
HALF = 6.5
"""Half a mark's side."""
_INKS = {
    Colour.BLACK: ("#17191c", "#f3e3c5"),
    Colour.WHITE: ("#ffffff", "#4a3517"),
    Colour.RED: ("#a3271c", "#fff"),
    Colour.GREEN: ("#226b38", "#fff"),
    Colour.YELLOW: ("#f6dc70", "#4a3517"),
    Colour.VIOLET: ("#5b3a9c", "#fff"),
}
"""Each colour's mark and its edge, visible on wood, on stones of any colour and on paper."""

Spot = Callable[[Point], tuple[int, int]]
Heap = Callable[[Colour, Iterable[Point], float, float], str]
"""Draws stones of a colour on these points, with their size relative to a living stone and their opacity."""


@dataclass(frozen=True)
class Drawn:
    """The drawn state of a count.

    layout: the board after this step.
    before: the board before it, None if no step is shown.
    by: the player whose step it is.
    last: the point of the step.
    """

    layout: Layout
    before: Layout | None = None
    by: Colour | None = None
    last: Point | None = None

    @property
    def standing(self) -> Position:
        """Return the stones drawn as usual: neither dead nor added by this step."""
        return self.layout.position.without_stones(self.layout.dead | self.added_points)

    @cached_property
    def added_points(self) -> Mask:
        """Return the points where this step adds stones."""
        return self.layout.position.occupied & self.before.position.empty if self.before is not None else 0

    @cached_property
    def lifted_points(self) -> Position:
        """Return the stones that this step lifts."""
        layout_before = self.before or self.layout
        return layout_before.position.without_stones(self.layout.position.occupied)

    def draw(self, spot: Spot, heap: Heap) -> str:
        """Return the drawing of the count, to be placed over the standing stones."""
        new = _keep_only(self.layout.position, self.added_points)
        parts = (
            *(
                f'<g class="leaves {self._side_class(colour)}" opacity="0">{heap(colour, stones, 1, 1)}</g>'
                for colour, stones in _points_by_colour(self.lifted_points)
            ),
            *(
                f'<g class="dead">{heap(colour, stones, SMALLER, FAINT)}</g>'
                for colour, stones in _points_by_colour(self._dead_stones)
            ),
            *(
                f'<g class="comes {self._side_class(colour)}" data-stones="">{heap(colour, stones, 1, 1)}</g>'
                for colour, stones in _points_by_colour(new)
            ),
            *self._draw_marks(spot),
        )
        return "".join(parts)

    def describe(self, say: Translator) -> Iterator[str]:
        """Yield the drawing's description in sentences."""
        names = self.layout.position.board.names
        for colour, mask in zip(COLOURS, self._dead_stones.stones, strict=False):
            if mask:
                yield say("board.dead", player=labels.player_name(colour, say), points=say.points(names(mask)))
        for colour, mask in zip(COLOURS, self.layout.owned, strict=False):
            key = "board.owned" if mask else "board.owns-none"
            yield say(key, player=labels.player_name(colour, say), points=say.points(names(mask)))
        for key, mask in (("board.put", self.added_points), ("board.lifted", self.lifted_points.occupied)):
            if mask:
                yield say(key, points=say.points(names(mask)))

    @property
    def _dead_stones(self) -> Position:
        return _keep_only(self.layout.position, self.layout.dead)

    def _side_class(self, colour: Colour) -> str:
        return f"side-{(self.by or colour).value}"

    def _draw_marks(self, spot: Spot) -> Iterator[str]:
        before = self.before.owned if self.before is not None else self.layout.owned
        for colour, mask, owned_before in zip(COLOURS, self.layout.owned, before, strict=False):
            for css, points in (("owned", mask & owned_before), ("owned new", mask & ~owned_before)):
                if points:
                    yield _draw_squares(css, colour, map(spot, points_of(points)))


def _keep_only(position: Position, mask: Mask) -> Position:
    return position.without_stones(position.board.full & ~mask)


def _points_by_colour(position: Position) -> Iterator[tuple[Colour, Iterator[Point]]]:
    return ((colour, points_of(mask)) for colour, mask in zip(COLOURS, position.stones, strict=False) if mask)


def _draw_squares(css: str, colour: Colour, places: Iterable[tuple[int, int]]) -> str:
    ink, edge = _INKS[colour]
    path = "".join(f"M{x - HALF:g} {y - HALF:g}h{2 * HALF:g}v{2 * HALF:g}h{-2 * HALF:g}z" for x, y in places)
    attributes = f'd="{path}" fill="{ink}" stroke="{edge}" stroke-width="1.6"'
    return f'<path class="{css}" data-owner="{colour.value}" {attributes}/>'


def after_step(game: Snapshot, step: int) -> Drawn | None:
    """Return the board after that many steps of the count; None if there is no such step."""
    steps = game.counting.count.steps if game.counting.count is not None else ()
    if not 0 < step <= len(steps):
        return None
    one, layout = steps[step - 1], steps[step - 1].layout
    assert layout is not None
    before = steps[step - 2].layout if step > 1 else Layout(game.position, layout.dead, (0,) * len(layout.owned))
    return Drawn(layout, before, one.player, one.point)


def bowls_after(game: Snapshot, step: int) -> Bowls:
    """Return the lids' contents after that many steps of the count; the present ones if it moves no prisoners."""
    drawing = after_step(game, step)
    return drawing.layout.bowls or game.bowls if drawing is not None else game.bowls
