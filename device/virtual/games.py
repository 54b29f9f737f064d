"""Seeded games of Ultimate Go to act out, with every kind of slip in them, and what a referee has to say to each act.

Each game is laid out from two shapes, a ko and a pair of stones to capture, put somewhere on the board, turned and
mirrored, with lone stones played elsewhere between; what has to be ruled is known by construction.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from device.virtual.script import Give, Lift, Place, Play, Press, Put, Step
from referee.board import Board, Colour, Point, board_of, opponent_of
from referee.events import Button
from referee.ruling import Reason, Status

BLACK, WHITE = Colour.BLACK, Colour.WHITE
SHAPE = (4, 3)
"""Columns and rows of either shape."""


@dataclass(frozen=True)
class Expected:
    """What has to be ruled. what: the point's name, "delay" or "draw". points: names still there."""

    status: Status
    turn: int
    player: Colour | None
    what: str | None
    reason: Reason | None = None
    repeats: int | None = None
    points: tuple[str, ...] = ()


@dataclass
class Game:
    """A script being written, and what has to be ruled of it."""

    board: Board
    steps: list[Step] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    turn: int = 0
    result: str = "0"

    @property
    def to_play(self) -> Colour:
        """Whose turn it is."""
        return BLACK if self.turn % 2 == 0 else WHITE

    def play(self, point: Point) -> None:
        """A sound turn."""
        self.steps.append((Play(self.to_play, point),))
        self.rule(Status.LEGAL, self.board.name(point))

    def rule(self, status: Status, what: str, points: tuple[str, ...] = ()) -> None:
        """The next turn's ruling; legal and unfinished turns count."""
        self.expected.append(Expected(status, self.turn + 1, self.to_play, what, points=points))
        self.turn += 1

    def delay(self, to: Place) -> None:
        """A delay, ruled when the opponent goes on."""
        self.steps.append((Give(self.to_play, opponent_of(self.to_play), to),))
        self.rule(Status.LEGAL, "delay")


def ultimate_game(size: int, seed: int) -> Game:
    """A game on that board: captures into lids, a superko attempt, a wrong colour, the first delay, forgotten captures,
    later delays and a declared draw."""
    rng = random.Random(f"ultimate {size} {seed}")
    game = Game(board_of(size))
    ko, pair, lone = _layout(size, rng)
    _fight_ko(game, ko, lone)
    game.delay(Place.OTHER)
    game.play(next(lone))
    _take_pair(game, pair, lone)
    _count_out(game, lone, rng)
    return game


def _layout(size: int, rng: random.Random) -> tuple[list[Point], list[Point], Iterator[Point]]:
    """The points of the two shapes, row by row, and points for lone stones that touch nothing."""
    across, down = SHAPE
    half = (size - 1) // 2
    upper = rng.randint(0, size - across), rng.randint(0, half - down)
    lower = rng.randint(0, size - across), rng.randint(half + 1, size - down)
    turned = Symmetry(size, *(rng.random() < 0.5 for _ in range(3)))
    ko, pair = ([turned(x + i, y + j) for j in range(down) for i in range(across)] for x, y in (upper, lower))
    return ko, pair, _lone_points(size, {*ko, *pair}, rng)


@dataclass(frozen=True)
class Symmetry:
    """One of the eight ways to turn and mirror a square board."""

    size: int
    across: bool
    down: bool
    diagonal: bool

    def __call__(self, x: int, y: int) -> Point:
        x = self.size - 1 - x if self.across else x
        y = self.size - 1 - y if self.down else y
        return x * self.size + y if self.diagonal else y * self.size + x


def _lone_points(size: int, taken: set[Point], rng: random.Random) -> Iterator[Point]:
    """Points of one colour of the chequered board: no two are neighbours, so each keeps a liberty."""
    free = [y * size + x for y in range(size) for x in range(size) if (x + y) % 2 == 0]
    rng.shuffle(free)
    return (point for point in free if point not in taken)


def _fight_ko(game: Game, shape: list[Point], lone: Iterator[Point]) -> None:
    """. X O .  Black takes the ko at 6; White tries to take back at 5 at once, and takes the stone away again.
    X . . O
    . X O ."""
    for black, white in ((1, 2), (4, 7), (9, 10)):
        game.play(shape[black])
        game.play(shape[white])
    game.play(next(lone))
    game.play(shape[5])
    before = game.turn
    game.play(shape[6])
    back = Lift(WHITE, (shape[5],), Place.SUPPLY), Give(WHITE, BLACK, Place.SUPPLY), Put(WHITE, BLACK, shape[6])
    game.steps += [(Play(WHITE, shape[5]),), back]
    name = game.board.name(shape[5])
    game.expected.append(Expected(Status.ILLEGAL, game.turn + 1, WHITE, name, Reason.SUPERKO, before))
    _wrong_colour(game, next(lone))
    game.play(next(lone))


def _wrong_colour(game: Game, point: Point) -> None:
    """At White's turn a black stone appears and is taken away again."""
    game.steps += [(Put(WHITE, BLACK, point),), (Lift(WHITE, (point,), Place.SUPPLY),)]
    game.expected.append(Expected(Status.UNEXPLAINED, game.turn + 1, None, None, points=(game.board.name(point),)))


def _take_pair(game: Game, shape: list[Point], lone: Iterator[Point]) -> None:
    """. X X .  Black captures the two white stones, forgets to lift them, and lifts them when told.
    X O O X
    . X X ."""
    white = chain((shape[5], shape[6]), lone)
    for point in (1, 2, 4, 7, 9):
        game.play(shape[point])
        game.play(next(white))
    last, left = shape[10], (shape[5], shape[6])
    names = tuple(game.board.name(p) for p in sorted(left))
    game.steps += [(Play(BLACK, last, left),), (Lift(BLACK, left, Place.OWN),)]
    game.rule(Status.UNFINISHED, game.board.name(last), names)
    game.expected.append(Expected(Status.LEGAL, game.turn, BLACK, game.board.name(last)))


def _count_out(game: Game, lone: Iterator[Point], rng: random.Random) -> None:
    """Both delay, until White's lid holds the ultimate stone alone; then Black, the first to delay, declares a draw."""
    game.play(next(lone))
    for _ in range(rng.randint(0, 2)):
        game.play(next(lone))
        game.play(next(lone))
    game.delay(Place.SUPPLY)
    game.delay(Place.SUPPLY)
    game.play(next(lone))
    game.play(next(lone))
    game.steps.append((Press(BLACK, Button.CALL),))
    game.expected.append(Expected(Status.LEGAL, game.turn + 1, BLACK, "draw"))
