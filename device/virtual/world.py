"""What lies on the virtual table: the stones on the board and in the lids. It knows no rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import hypot

import numpy as np

from device.virtual.script import Script
from referee.board import COLOURS, Board, Colour, Point, empty_position, opponent_of
from referee.errors import BadRecord
from referee.seats import player_at, side_of
from vision.render.scene import LidStone, LooseStone, lid_stone, spread_stone

Lid = tuple[LidStone, ...]
LAID = 40
"""Of so many ways to lay them the one is taken in which the stones lie farthest apart."""


@dataclass
class World:
    """What lies on the table.

    black_side: at which Black sits; where two play, whose lid holds Black's prisoners. lids: of sides 1 and 2; where
    more play, nothing is kept in lids. beside: what lies on the table beside them. held: stones kept in players' hands.
    pushed: how far stones were pushed to the right of their points and down from them, in cells. players: who plays, in
    the order of play.
    """

    board: Board
    rng: np.random.Generator
    black_side: int
    lids: list[Lid] = field(default_factory=lambda: [(), ()])
    beside: list[tuple[LooseStone, ...]] = field(default_factory=lambda: [(), ()])
    held: dict[Colour, tuple[Colour, ...]] = field(default_factory=dict)
    pushed: dict[Point, tuple[float, float]] = field(default_factory=dict)
    players: tuple[Colour, ...] = COLOURS[:2]

    def __post_init__(self) -> None:
        self.position = empty_position(self.board, len(self.players))
        for player in self.players if self.has_lids else ():
            self.drop(self.side(player), opponent_of(player))

    @property
    def has_lids(self) -> bool:
        """Whether the players keep prisoners."""
        return len(self.players) == 2

    @classmethod
    def of(cls, script: Script) -> World:
        """The table before the script's first step: an empty board and a starting stone in each lid."""
        return cls(script.board, np.random.default_rng([script.look, 3]), script.black, players=script.players)

    def side(self, player: Colour) -> int:
        """The side, from 1, at which this player sits."""
        return side_of(player, self.black_side, len(self.players))

    def player(self, side: int) -> Colour:
        """Who sits at a side."""
        return player_at(side, self.black_side, len(self.players))

    def put(self, colour: Colour, point: Point) -> None:
        """A stone on a point; raises BadRecord where one stands."""
        if self.position.colour_at(point) is not None:
            raise BadRecord(f"a stone stands on {self.board.name(point)} already")
        self.position = self.position.put(colour, 1 << point)

    def push(self, point: Point, right: float, down: float) -> None:
        """The stone of a point pushed off it, or back; raises BadRecord where none stands."""
        if self.position.colour_at(point) is None:
            raise BadRecord(f"no stone stands on {self.board.name(point)}")
        self.pushed[point] = right, down

    def lift(self, point: Point) -> Colour:
        """The stone on a point, taken off; raises BadRecord where none stands."""
        colour = self.position.colour_at(point)
        if colour is None:
            raise BadRecord(f"no stone stands on {self.board.name(point)}")
        self.position = self.position.without(1 << point)
        self.pushed.pop(point, None)
        return colour

    def drop(self, side: int, colour: Colour) -> None:
        """One more stone into a lid."""
        lid = self.lids[side - 1]
        self.lids[side - 1] = (*lid, lid_stone(lid, colour, self.rng))

    def take(self, side: int, colour: Colour) -> None:
        """A stone of that colour out of a lid; raises BadRecord when there is none."""
        lid = self.lids[side - 1]
        index = next((i for i in reversed(range(len(lid))) if lid[i].colour is colour), None)
        if index is None:
            raise BadRecord(f"lid {side} holds no stone of {colour.value}")
        self.lids[side - 1] = (*lid[:index], *lid[index + 1 :])

    def spread(self, side: int) -> None:
        """The stones in a lid laid apart, as far as there is room."""
        self.lids[side - 1] = max((self._laid(self.lids[side - 1]) for _ in range(LAID)), key=least_gap)

    def _laid(self, stones: Lid) -> Lid:
        lid: Lid = ()
        for stone in stones:
            lid = (*lid, spread_stone(lid, stone.colour, self.rng))
        return lid

    def counts(self) -> dict[str, dict[str, int]]:
        """What lies in the lids: owner letter to colour letter to count, colours that are not there left out."""
        owners = self.players if self.has_lids else ()
        return {player.value: _counts(self.lids[self.side(player) - 1]) for player in owners}


def least_gap(lid: Lid) -> float:
    """How near the two nearest stones lie, in the lid's radii."""
    return min((hypot(one.x - two.x, one.y - two.y) for one, two in combinations(lid, 2)), default=0.0)


def _counts(lid: Lid) -> dict[str, int]:
    colours = [stone.colour for stone in lid]
    return {colour.value: colours.count(colour) for colour in (Colour.BLACK, Colour.WHITE) if colour in colours}
