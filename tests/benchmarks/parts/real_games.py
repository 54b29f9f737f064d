"""Real games under three rule sets: every turn legal, and illegal turns put between them refused one by one.

The illegal turns are chosen with sgfmill's own board, which knows nothing of ours. Besides, whole cycles of captures
are played out on an empty part of the board: what closes them is refused under superko and legal where only simple ko
bars repetition.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any

from sgfmill.boards import Board as OtherBoard

from device.cli.judge import Judge
from referee.game.board import Colour, Mask, Point, board_of
from referee.game.diagram import rows_of
from referee.game.turns import OFF_BOARD, Pass, Placement, Turn
from referee.rules.ko.repetition import OnlyRepetition, SimpleKo
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from tests.support.referee.positions import EXCHANGED, VIEWS, View
from tests.support.shared import cases

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
class PlacedShape:
    """A shape as it lies on the board, seen from some side: at this column and row, counted from the top left."""

    shape: Shape
    view: View
    at: tuple[int, int]

    def on_board(self, point: str) -> Point:
        """A point of the diagram."""
        col, row = self._view_point(point)
        return (self.at[1] + row) * BOARD.cols + self.at[0] + col

    def _view_point(self, point: str) -> tuple[int, int]:
        cols, rows = self.view.size(*self.shape.size)
        index = board_of(cols, rows).point(self.view.point(point, *self.shape.size))
        return index % cols, index // cols

    def fits(self, occupied: Mask) -> bool:
        """Return True if the diagram's points are empty, and its corner is one."""
        (cols, rows), (x, y) = self.view.size(*self.shape.size), self.at
        free = not any(occupied >> (y + j) * BOARD.cols + x + i & 1 for i, j in product(range(cols), range(rows)))
        col, row = self._view_point("A1")
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


def somewhere(occupied: Mask, chance: random.Random) -> PlacedShape | None:
    """A shape on an empty part of the board, from some side and in some colours; None where none fits."""
    shape = chance.choice(SHAPES)
    for view in chance.sample(VIEWS, len(VIEWS)):
        cols, rows = view.size(*shape.size)
        places = list(product(range(20 - cols), range(20 - rows)))
        layouts = (PlacedShape(shape, view, at) for at in chance.sample(places, len(places)))
        layout = next((layout for layout in layouts if layout.fits(occupied)), None)
        if layout is not None:
            return layout
    return None


def cycle(game: Judge, layout: PlacedShape, chance: random.Random) -> str:
    """Build the shape and go round; what became of the capture that closes it."""
    judge = Judge(game.record, explain=True)
    build(judge, layout, chance)
    complete, position = judge.record.number, judge.record.position
    *captures, last = layout.round()
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
        is_told = "If both players agree, the game is void" in str(reply["text"])
        assert is_told is (judge.record.to_play in came_to_play), reply
        return "cycle let pass"
    assert isinstance(judge.record.rules.ko, OnlyRepetition)
    assert (reply["reason"], reply["repeats"], reply["captured"]) == ("superko", complete, []), reply
    assert judge.record is before and reply["rows"] == list(rows_of(before.position))
    return "superko by a cycle"


def build(judge: Judge, layout: PlacedShape, chance: random.Random) -> None:
    """Place the stones in turn, in a random order; nothing is captured by it."""
    left = {player: layout.stones(player) for player in (Colour.BLACK, Colour.WHITE)}
    for points in left.values():
        chance.shuffle(points)
    while any(left.values()):
        player = judge.record.to_play
        made(judge, Placement(player, left[player].pop()) if left[player] else Pass(player), captures=False)


def made(judge: Judge, turn: Turn, captures: bool = True) -> None:
    reply = judge.reply(turn)
    assert reply["legal"] and (captures or not reply["captured"]), (turn, reply)


A_GAME = 20
Trial = tuple[Turn, str]


def games() -> list[dict[str, Any]]:
    with cases("real_games.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def point_at(row: int, col: int) -> int:
    """sgfmill counts rows from the bottom."""
    return (18 - row) * 19 + col


def drowning(board: OtherBoard, player: str) -> list[tuple[int, int]]:
    """The empty points where sgfmill takes the player's own stone off."""
    points = []
    for row in range(19):
        for col in range(19):
            if board.get(row, col) is None and all(board.get(*near) for near in around(row, col)):
                after = board.copy()
                after.play(row, col, player)
                if after.get(row, col) is None:
                    points.append((row, col))
    return points


def around(row: int, col: int) -> list[tuple[int, int]]:
    near = [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
    return [(r, c) for r, c in near if 0 <= r < 19 and 0 <= c < 19]


def trials(
    board: OtherBoard, player: str, ko: tuple[int, int] | None, again: str, chance: random.Random
) -> list[Trial]:
    """Illegal turns that this position has, each with its reason; again: that for taking back a ko."""
    mover, waiting = Colour(player.upper()), Colour("W" if player == "b" else "B")
    stones = [point_at(row, col) for _, (row, col) in board.list_occupied_points()]
    trials: list[Trial] = [(Placement(mover, OFF_BOARD), "off-board")]
    trials.append((Placement(waiting, chance.randrange(361)), "not-your-turn"))
    trials += [(Placement(mover, point), "occupied") for point in chance.sample(stones, min(2, len(stones)))]
    drowned = [(Placement(mover, point_at(*at)), "surrounded") for at in drowning(board, player)]
    trials += chance.sample(drowned, min(2, len(drowned)))
    return trials + ([(Placement(mover, point_at(*ko)), again)] if ko else [])


def assert_all(rules: str, tally: Counter[str], count: int) -> None:
    """Every game had its illegal turns and at least one cycle, and each reason came up often."""
    rounds = tally.pop(ROUND[rules])
    assert tally.total() == count * A_GAME and rounds >= count, (tally, rounds)
    assert set(tally) == {*REASONS, TAKEN_BACK[rules]} and min(tally.values()) > count / 4, tally


REASONS = ("off-board", "not-your-turn", "occupied", "surrounded", "game-over")
TAKEN_BACK = {"japanese": "ko", "chinese": "ko", "positional": "superko"}
"""The reasons why a ko is not taken back at once."""
ROUND = {"japanese": "cycle let pass", "chinese": "cycle let pass", "positional": "superko by a cycle"}
"""The fate of the turn that would close a cycle longer than a ko."""


def judged(rules: str, game: dict[str, Any], chance: random.Random) -> Counter[str]:
    """Play a game and try illegal turns on the way; the number refused for each reason."""
    judge = Judge(Setup(RULESETS[rules], komi=game["komi"]).record())
    board, ko, refused = OtherBoard(19), None, Counter[str]()
    moves = game["moves"]
    stops = set(chance.sample(range(len(moves)), min(A_GAME - 2, len(moves))))
    rounds, late = Counter[str](), chance.randrange(len(moves))
    for number, (player, move) in enumerate(moves):
        if number in (0, late // 3, late):
            rounds += cycles(judge, chance)
        left = A_GAME - 2 - refused.total()
        if left and (number in stops or ko):
            assert rows_drawn(board) == rows_of(judge.record.position), f"before {player} {move}"
            choice = trials(board, player.lower(), ko, TAKEN_BACK[rules], chance)
            try_in_vain(judge, *(choice[-1] if ko else chance.choice(choice)), refused)
        play(judge, player, move)
        ko = None if move == "pass" else mirror(board, player.lower(), move)
    end(judge, A_GAME - refused.total(), chance, refused)
    return refused + rounds


def cycles(judge: Judge, chance: random.Random) -> Counter[str]:
    """A cycle, where there is room for one."""
    layout = somewhere(judge.record.position.occupied, chance)
    return Counter([cycle(judge, layout, chance)] if layout is not None else [])


def play(judge: Judge, player: str, move: str) -> None:
    colour = Colour(player)
    reply = judge.reply(Pass(colour) if move == "pass" else Placement(colour, BOARD.point(move)))
    assert reply["legal"], (player, move, reply)


def mirror(board: OtherBoard, player: str, move: str) -> tuple[int, int] | None:
    """Make the move on the other board too; the point where it sees a ko."""
    row, col = divmod(BOARD.point(move), 19)
    ko: tuple[int, int] | None = board.play(18 - row, col, player)
    return ko


def try_in_vain(judge: Judge, turn: Turn, reason: str, refused: Counter[str]) -> None:
    before = judge.record
    reply = judge.reply(turn)
    assert (reply["legal"], reply["reason"], reply["turn"]) == (False, reason, before.number + 1), (turn, reply)
    assert judge.record is before and reply["captured"] == []
    refused[reason] += 1


def end(judge: Judge, left: int, chance: random.Random, refused: Counter[str]) -> None:
    """End the game by passes and try what is left of the illegal turns after it."""
    while not judge.record.ended:
        judge.reply(Pass(judge.record.to_play))
    for _ in range(left):
        player = chance.choice((Colour.BLACK, Colour.WHITE))
        try_in_vain(
            judge, chance.choice((Placement(player, chance.randrange(361)), Pass(player))), "game-over", refused
        )


def rows_drawn(board: OtherBoard) -> tuple[str, ...]:
    symbols = {None: ".", "b": "X", "w": "O"}
    return tuple("".join(symbols[board.get(row, col)] for col in range(19)) for row in range(18, -1, -1))
