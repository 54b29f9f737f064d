"""Plays a script on a drawn table: hands come, move stones, go. What is done is decided by the script alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from device.virtual.script import Act, Give, Lift, Place, Play, Press, Put, Step
from referee.board import Board, Colour, Point, board_of, empty_position, opponent_of, points_of
from referee.diagram import rows_of
from referee.errors import BadRecord
from referee.events import Pressed
from vision.lids import in_reading_order
from vision.render.scene import Hand, LidStone, Look, Scene, lid_stone
from vision.render.table import Table

RATE = 10
"""Frames a second."""
COMING = (0.3, 0.65)
GOING = (0.65, 0.3)
REST = 8
"""Frames between two steps without a hand: long enough for a person to see that the turn is over."""
ARM = {1: "top", 2: "bottom"}
"""From which side of the board each player's arm comes."""

Lid = tuple[LidStone, ...]


@dataclass
class World:
    """What lies on the table. black_side: 1 or 2, whose lid holds Black's prisoners."""

    board: Board
    rng: np.random.Generator
    black_side: int
    lids: list[Lid] = field(default_factory=lambda: [(), ()])

    def __post_init__(self) -> None:
        self.position = empty_position(self.board)
        for player in (Colour.BLACK, Colour.WHITE):
            self.drop(self.side(player), opponent_of(player))

    def side(self, player: Colour) -> int:
        """The side, 1 or 2, at which this player sits."""
        return self.black_side if player is Colour.BLACK else 3 - self.black_side

    def drop(self, side: int, colour: Colour) -> None:
        """One more stone into a lid."""
        lid = self.lids[side - 1]
        self.lids[side - 1] = (*lid, lid_stone(lid, colour, self.rng))

    def take(self, side: int, colour: Colour) -> None:
        """A stone of that colour out of a lid; raises BadRecord when there is none."""
        lid = self.lids[side - 1]
        index = next((i for i in reversed(range(len(lid))) if lid[i].colour is colour), None)
        if index is None:
            raise BadRecord(f"The script takes a stone of {colour.value} out of lid {side}, which holds none.")
        self.lids[side - 1] = (*lid[:index], *lid[index + 1 :])


Target = tuple[float, float]


class Performance:
    """One script played on one table. `scenes` gives a scene a frame; `presses` fills up as buttons are pressed.

    Sides are counted as whoever looks at the picture counts them: the upper lid's is 1.
    """

    def __init__(self, steps: tuple[Step, ...], look: Look, seed: int) -> None:
        self._steps = steps
        self.table = Table(look)
        boxes = [Table.lid_box(look, lid) for lid in (0, 1)]
        self._lids = tuple(map(boxes.index, in_reading_order(*boxes)))
        rng = np.random.default_rng([seed, 3])
        self.world = World(board_of(look.size), rng, int(rng.integers(1, 3)))
        self.presses: list[Pressed] = []
        self._frames = 0

    def scenes(self) -> Iterator[Scene]:
        """Every frame of the game, RATE a second."""
        for scene in self._played():
            self._frames += 1
            yield scene

    def _played(self) -> Iterator[Scene]:
        yield from self._rest(2 * REST)
        for step in self._steps:
            for act in step:
                yield from self._act(act)
            yield from self._rest(REST)
        yield from self._rest(REST)

    def _rest(self, frames: int) -> Iterator[Scene]:
        yield from [self._scene()] * frames

    def _act(self, act: Act) -> Iterator[Scene]:
        match act:
            case Play(player, point, leaving):
                yield from self._play(player, point, leaving)
            case Put(player, colour, point):
                yield from self._put(player, colour, point)
            case Lift(player, points, to):
                for point in points:
                    yield from self._lift(player, point, to)
                yield from self._go(player, self._at(points[-1]))
            case Give(player, colour, to):
                yield from self._give(player, colour, to)
            case Press(player, button):
                yield from self._rest(1)
                self.presses.append(Pressed(self._frames / RATE, self.world.side(player), button))

    def _play(self, player: Colour, point: Point, leaving: tuple[Point, ...]) -> Iterator[Scene]:
        captured = self.world.position.place(player, point).captured
        yield from self._put(player, player, point, stay=True)
        for taken in points_of(captured):
            if taken not in leaving:
                yield from self._lift(player, taken, Place.OWN)
        yield from self._go(player, self._at(point))

    def _put(self, player: Colour, colour: Colour, point: Point, stay: bool = False) -> Iterator[Scene]:
        target = self._at(point)
        yield from self._come(player, target, colour)
        self.world.position = self.world.position.put(colour, 1 << point)
        yield self._hand(player, target, 1.0)
        if not stay:
            yield from self._go(player, target)

    def _lift(self, player: Colour, point: Point, to: Place) -> Iterator[Scene]:
        colour = self.world.position.colour_at(point)
        if colour is None:
            raise BadRecord(f"The script lifts {self.world.board.name(point)}, where no stone stands.")
        yield self._hand(player, self._at(point), 1.0)
        self.world.position = self.world.position.without(1 << point)
        yield self._hand(player, self._at(point), 0.9, colour)
        yield from self._bring(player, colour, to)

    def _give(self, player: Colour, colour: Colour, to: Place) -> Iterator[Scene]:
        own = self.world.side(player)
        target = self.table.lid_point(self._lids[own - 1])
        yield from self._come(player, target, None)
        self.world.take(own, colour)
        yield self._hand(player, target, 0.9, colour)
        yield from self._bring(player, colour, to)
        yield from self._go(player, target)

    def _bring(self, player: Colour, colour: Colour, to: Place) -> Iterator[Scene]:
        """The stone in the hand into a lid, or out of the picture."""
        if to is Place.SUPPLY:
            return
        side = self.world.side(player) if to is Place.OWN else 3 - self.world.side(player)
        target = self.table.lid_point(self._lids[side - 1])
        yield self._hand(player, target, 0.9, colour)
        self.world.drop(side, colour)
        yield self._hand(player, target, 0.9)

    def _come(self, player: Colour, target: Target, holding: Colour | None) -> Iterator[Scene]:
        for reach in (*COMING, 1.0):
            yield self._hand(player, target, reach, holding)

    def _go(self, player: Colour, target: Target) -> Iterator[Scene]:
        for reach in GOING:
            yield self._hand(player, target, reach)

    def _hand(self, player: Colour, target: Target, reach: float, holding: Colour | None = None) -> Scene:
        return self._scene(Hand(target, ARM[self.world.side(player)], reach, holding))

    def _scene(self, hand: Hand | None = None) -> Scene:
        one, two = (self.world.lids[self._lids.index(drawn)] for drawn in (0, 1))
        return Scene(rows_of(self.world.position), (one, two), hand)

    def _at(self, point: Point) -> Target:
        row, col = divmod(point, self.world.board.cols)
        return col / (self.world.board.cols - 1), row / (self.world.board.rows - 1)
