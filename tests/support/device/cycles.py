"""Whole cycles of captures, longer than a ko, played out on an empty part of a real game's board.

A shape is built stone by stone in turn, a player who has none left passing; then its captures go round until the board
would stand again as it stood when the shape was complete. All this on a judge of its own: the game goes on as it did.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product

from device.commands.judge import Judge
from referee.board import Colour, Mask, Point, board_of
from referee.diagram import rows_of
from referee.rules.ko.repetition import OnlyRepetition, SimpleKo
from referee.turns import Pass, Placement, Turn
from tests.support.referee.views import EXCHANGED, VIEWS, View

BOARD = board_of(19)


@dataclass(frozen=True)
class Shape:
    """rows: a diagram that fits on an empty part of a board. first: who begins the round, the captures at these points
    of the diagram that lead back to it. corner: the diagram's lower left is a corner of the board."""

    rows: tuple[str, ...]
    first: str
    round: tuple[str, ...]
    corner: bool

    @property
    def size(self) -> tuple[int, int]:
        return len(self.rows[0]), len(self.rows)


SHAPES = (
    Shape((".....", "XXO..", ".O.O."), "W", ("A1", "C1", "B1"), True),
    Shape(
        (".........", ".OOOOOOO.", ".O.O.OXO.", ".XOXOX.X.", ".XXXXXXX.", "........."),
        "B",
        ("C4", "G3", "E4", "C3", "G4", "E3"),
        False,
    ),
)
"""Two stones are sent and one is returned, in a corner: three turns. A triple ko: six turns, so the same player is to
move again."""


@dataclass(frozen=True)
class Laid:
    """A shape as it lies on the board, seen from some side: at this column and row, counted from the top left."""

    shape: Shape
    view: View
    at: tuple[int, int]

    def on_board(self, point: str) -> Point:
        """A point of the diagram."""
        col, row = self._seen(point)
        return (self.at[1] + row) * BOARD.cols + self.at[0] + col

    def _seen(self, point: str) -> tuple[int, int]:
        cols, rows = self.view.size(*self.shape.size)
        seen = board_of(cols, rows).point(self.view.point(point, *self.shape.size))
        return seen % cols, seen // cols

    def fits(self, occupied: Mask) -> bool:
        """Whether the diagram's points are empty, and its corner is one."""
        (cols, rows), (x, y) = self.view.size(*self.shape.size), self.at
        free = not any(occupied >> (y + j) * BOARD.cols + x + i & 1 for i, j in product(range(cols), range(rows)))
        col, row = self._seen("A1")
        return free and (not self.shape.corner or (x + col in (0, 18) and y + row in (0, 18)))

    def stones(self, player: Colour) -> list[Point]:
        """The player's stones in the shape."""
        small, (cols, rows) = board_of(*self.shape.size), self.shape.size
        named = {"X": "B", "O": "W"}
        cells = [(symbol, small.name(point)) for point, symbol in enumerate("".join(self.shape.rows))]
        assert len(cells) == cols * rows
        return [self.on_board(name) for s, name in cells if s != "." and self.view.player(named[s]) == player.value]

    def round(self) -> list[Placement]:
        """The turns that lead back."""
        players = [self.shape.first, EXCHANGED[self.shape.first]] * len(self.shape.round)
        pairs = zip(players, self.shape.round, strict=False)
        return [Placement(Colour(self.view.player(player)), self.on_board(name)) for player, name in pairs]


def somewhere(occupied: Mask, chance: random.Random) -> Laid | None:
    """A shape on an empty part of the board, from some side and in some colours; None where none fits."""
    shape = chance.choice(SHAPES)
    for view in chance.sample(VIEWS, len(VIEWS)):
        cols, rows = view.size(*shape.size)
        places = list(product(range(20 - cols), range(20 - rows)))
        found = (Laid(shape, view, at) for at in chance.sample(places, len(places)))
        laid = next((laid for laid in found if laid.fits(occupied)), None)
        if laid is not None:
            return laid
    return None


def cycle(game: Judge, laid: Laid, chance: random.Random) -> str:
    """Build the shape and go round; what became of the capture that closes it."""
    judge = Judge(game.record, explain=True)
    build(judge, laid, chance)
    complete, position = judge.record.number, judge.record.position
    *captures, last = laid.round()
    came_to_play = [judge.record.to_play]
    if judge.record.to_play is not captures[0].player:
        came_to_play.append(captures[0].player)
        made(judge, Pass(judge.record.to_play))
    for turn in captures:
        made(judge, turn)
    before = judge.record
    reply = judge.reply(last)
    if isinstance(judge.record.rules.ko, SimpleKo):
        assert reply["legal"] and judge.record.position == position, reply
        told = "If both players agree, the game is void" in str(reply["text"])
        assert told is (judge.record.to_play in came_to_play), reply
        return "cycle let pass"
    assert isinstance(judge.record.rules.ko, OnlyRepetition)
    assert (reply["reason"], reply["repeats"], reply["captured"]) == ("superko", complete, []), reply
    assert judge.record is before and reply["rows"] == list(rows_of(before.position))
    return "superko by a cycle"


def build(judge: Judge, laid: Laid, chance: random.Random) -> None:
    """Place the stones in turn, in a random order; nothing is captured by it."""
    left = {player: laid.stones(player) for player in (Colour.BLACK, Colour.WHITE)}
    for points in left.values():
        chance.shuffle(points)
    while any(left.values()):
        player = judge.record.to_play
        made(judge, Placement(player, left[player].pop()) if left[player] else Pass(player), captures=False)


def made(judge: Judge, turn: Turn, captures: bool = True) -> None:
    reply = judge.reply(turn)
    assert reply["legal"] and (captures or not reply["captured"]), (turn, reply)
