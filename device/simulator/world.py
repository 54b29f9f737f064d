"""The state of a simulated table: the stones on the board and in the lids. It knows no rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, product
from math import hypot

import numpy as np

from device.simulator.script import Script
from referee.game.board import COLOURS, Board, Colour, Point, empty_position
from referee.game.errors import BadRecord
from referee.game.seating import player_at, side_of
from referee.rules.sets import DEFAULT, rule_set
from vision.render.scene import LidStone, LooseStone, field_stone, lid_stone, spread_stone

Lid = tuple[LidStone, ...]
LAID = 40
"""Number of random layouts tried; the one with the largest gaps is used."""


@dataclass
class World:
    """The stones on the table.

    board: the board
    rng: the source of layouts
    black_side: the side at which Black sits; with two players, whose lid holds Black's prisoners
    lids: of sides 1 and 2; with more players they are empty
    beside: stones on the table beside the lids
    stones_in_hand: stones kept in players' hands
    pushed: offsets of stones to the right of their points and down from them, in cells
    players: in the order of play
    rules: the name of the rule set, which says what lies in the lids at the start
    fields: prisoners lie on printed fields, one on each circle
    handicap: the handicap that was agreed
    """

    board: Board
    rng: np.random.Generator
    black_side: int
    lids: list[Lid] = field(default_factory=lambda: [(), ()])
    beside: list[tuple[LooseStone, ...]] = field(default_factory=lambda: [(), ()])
    stones_in_hand: dict[Colour, tuple[Colour, ...]] = field(default_factory=dict)
    pushed: dict[Point, tuple[float, float]] = field(default_factory=dict)
    players: tuple[Colour, ...] = COLOURS[:2]
    rules: str = DEFAULT
    fields: bool = False
    handicap: int = 0

    def __post_init__(self) -> None:
        self.position = empty_position(self.board, len(self.players))
        at_start = rule_set(self.rules).bowls.at_start(0, self.handicap, len(self.players))
        for player, colour in product(self.players, self.players) if self.has_lids else ():
            for _ in range(at_start.count_prisoners(player, colour)):
                self.drop(self.side(player), colour)

    @property
    def has_lids(self) -> bool:
        """Return True if the players keep prisoners."""
        return len(self.players) == 2

    @classmethod
    def of(cls, script: Script) -> World:
        """Build the table before the script's first step: an empty board, and in the lids what the rules want."""
        rng = np.random.default_rng([script.look, 3])
        return cls(
            script.board,
            rng,
            script.black,
            players=script.players,
            rules=script.rules,
            fields=script.fields,
            handicap=script.handicap,
        )

    def side(self, player: Colour) -> int:
        """Return the side, from 1, at which this player sits."""
        return side_of(player, self.black_side, len(self.players))

    def player(self, side: int) -> Colour:
        """Return the player at a side."""
        return player_at(side, self.black_side, len(self.players))

    def place(self, colour: Colour, point: Point) -> None:
        """Place a stone; raises BadRecord if the point is occupied."""
        if self.position.colour_at(point) is not None:
            raise BadRecord(f"a stone stands on {self.board.name(point)} already")
        self.position = self.position.with_stones(colour, 1 << point)

    def push(self, point: Point, right: float, down: float) -> None:
        """Push a stone off its point, or back; raises BadRecord if the point is empty."""
        if self.position.colour_at(point) is None:
            raise BadRecord(f"no stone stands on {self.board.name(point)}")
        self.pushed[point] = right, down

    def lift(self, point: Point) -> Colour:
        """Remove a stone and return its colour; raises BadRecord if the point is empty."""
        colour = self.position.colour_at(point)
        if colour is None:
            raise BadRecord(f"no stone stands on {self.board.name(point)}")
        self.position = self.position.without_stones(1 << point)
        self.pushed.pop(point, None)
        return colour

    def drop(self, side: int, colour: Colour) -> None:
        """Add a stone to a lid."""
        lid = self.lids[side - 1]
        add = field_stone if self.fields else lid_stone
        self.lids[side - 1] = (*lid, add(lid, colour, self.rng))

    def take(self, side: int, colour: Colour) -> None:
        """Remove a stone of that colour from a lid; raises BadRecord if there is none."""
        lid = self.lids[side - 1]
        index = next((i for i in reversed(range(len(lid))) if lid[i].colour is colour), None)
        if index is None:
            raise BadRecord(f"lid {side} holds no stone of {colour.value}")
        self.lids[side - 1] = (*lid[:index], *lid[index + 1 :])

    def spread(self, side: int) -> None:
        """Spread the stones in a lid, as far as there is room; on a field each has its circle already."""
        if self.fields:
            return
        self.lids[side - 1] = max((self._spread_lid(self.lids[side - 1]) for _ in range(LAID)), key=least_gap)

    def _spread_lid(self, stones: Lid) -> Lid:
        lid: Lid = ()
        for stone in stones:
            lid = (*lid, spread_stone(lid, stone.colour, self.rng))
        return lid

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the contents of the lids: owner's letter to colour's letter to count, without absent colours."""
        owners = self.players if self.has_lids else ()
        return {player.value: _count_stones(self.lids[self.side(player) - 1]) for player in owners}


def least_gap(lid: Lid) -> float:
    """Return the distance of the two nearest stones, in the lid's radii."""
    return min((hypot(one.x - two.x, one.y - two.y) for one, two in combinations(lid, 2)), default=0.0)


def _count_stones(lid: Lid) -> dict[str, int]:
    colours = [stone.colour for stone in lid]
    return {colour.value: colours.count(colour) for colour in (Colour.BLACK, Colour.WHITE) if colour in colours}
