"""Seeded games of Ultimate Go for the simulator, with every kind of mistake in them, and the rulings expected for them.

Each game is laid out from two shapes, a ko and a pair of stones to capture, placed somewhere on the board, rotated and
mirrored, with lone stones played elsewhere between; the rulings are known by construction. A game is played in one of
two ways: recorded, where nobody presses anything but `call`, or refereed, where `done` ends every turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain

from device.simulator.script import Act, Give, Lift, Place, Play, Press, Put, Script, Step, Wait
from referee.game.board import Board, Colour, Point, board_of, opponent_of
from referee.game.ruling import Reason, Status
from referee.table.events import Button

SHAPE = (4, 3)
"""Columns and rows of either shape."""
BLACK, WHITE = Colour.BLACK, Colour.WHITE
SETTLE = 3.0
"""Seconds the players of a refereed game need to settle down."""
READ = 2.0
"""Seconds a player needs to see and read what the referee said."""
AGAIN = 6.0
"""Seconds after which a player who was not heard presses once more."""


@dataclass(frozen=True)
class Layout:
    """The points of a game.

    ko, pair: the points of the two shapes, row by row
    lone: points for lone stones that touch nothing
    """

    ko: list[Point]
    pair: list[Point]
    lone: Iterator[Point]


def draw_layout(size: int, rng: random.Random) -> Layout:
    """Draw a layout for a board of that size."""
    across, down = SHAPE
    half = (size - 1) // 2
    upper = rng.randint(0, size - across), rng.randint(0, half - down)
    lower = rng.randint(0, size - across), rng.randint(half + 1, size - down)
    turned = Symmetry(size, *(rng.random() < 0.5 for _ in range(3)))
    ko, pair = ([turned(x + i, y + j) for j in range(down) for i in range(across)] for x, y in (upper, lower))
    return Layout(ko, pair, _lone_points(size, {*ko, *pair}, rng))


@dataclass(frozen=True)
class Symmetry:
    """One of the eight symmetries of a square board."""

    size: int
    across: bool
    down: bool
    diagonal: bool

    def __call__(self, x: int, y: int) -> Point:
        x = self.size - 1 - x if self.across else x
        y = self.size - 1 - y if self.down else y
        return x * self.size + y if self.diagonal else y * self.size + x


def _lone_points(size: int, reserved: set[Point], rng: random.Random) -> Iterator[Point]:
    """Yield points of one colour of a chequered board: no two are adjacent, so each stone keeps a liberty."""
    free = [y * size + x for y in range(size) for x in range(size) if (x + y) % 2 == 0]
    rng.shuffle(free)
    return (point for point in free if point not in reserved)


@dataclass(frozen=True)
class Expected:
    """An expected ruling.

    status: of the ruling
    turn: its number
    player: the player to move, if it names one
    what: the point's name, "delay" or "draw"
    reason: of an illegal turn
    repeats: number of the turn whose position is repeated
    points: names of stones still to lift, or unexplained
    """

    status: Status
    turn: int
    player: Colour | None
    what: str | None
    reason: Reason | None = None
    repeats: int | None = None
    points: tuple[str, ...] = ()


@dataclass
class ActedGame:
    """A script under construction, and the rulings expected for it.

    board: the board
    look: the seed of the table's appearance
    refereed: whether `done` ends every turn
    steps, remarks: of the script
    expected: the rulings
    turn: number of turns played
    result: of the game
    """

    board: Board
    look: int
    refereed: bool
    steps: list[Step] = field(default_factory=list)
    remarks: dict[int, str] = field(default_factory=dict)
    expected: list[Expected] = field(default_factory=list)
    turn: int = 0
    result: str = "0"

    @property
    def script(self) -> Script:
        """Return the script so far; the look determines at which side Black sits."""
        black = random.Random(f"black {self.look}").randint(1, 2)
        return Script(self.board.cols, self.look, black, tuple(self.steps), self.remarks)

    @property
    def to_play(self) -> Colour:
        """Return the player to move."""
        return BLACK if self.turn % 2 == 0 else WHITE

    def remark(self, text: str) -> None:
        """Add a remark before the next step."""
        self.remarks[len(self.steps)] = text

    def act(self, *acts: Act) -> None:
        """Add a step that does not end a turn."""
        self.steps.append(acts)

    def close(self, *acts: Act) -> None:
        """Add a step that ends the turn of the player to move, who presses `done` if the game is refereed."""
        self.steps.append((*acts, Press(self.to_play, Button.DONE)) if self.refereed else acts)

    def pause(self, seconds: float) -> None:
        """Add a pause to a refereed game."""
        if self.refereed:
            self.act(Wait(seconds))

    def play(self, point: Point) -> None:
        """Add a legal turn."""
        self.close(Play(self.to_play, point))
        self.rule(Status.LEGAL, self.board.name(point))

    def rule(self, status: Status, what: str, points: tuple[str, ...] = ()) -> None:
        """Expect a ruling for the next turn; legal and unfinished turns count."""
        self.expected.append(Expected(status, self.turn + 1, self.to_play, what, points=points))
        self.turn += 1

    def delay(self, to: Place) -> None:
        """Add a delay; in a recorded game it is ruled when the opponent goes on."""
        self.close(Give(self.to_play, opponent_of(self.to_play), to))
        self.rule(Status.LEGAL, "delay")


def ultimate_game(size: int, seed: int, refereed: bool = False, insist: int = 0) -> ActedGame:
    """Build a game on a board of that size, with many kinds of turns and mistakes.

    It has captures into lids, a superko attempt, a wrong colour, the first delay, forgotten captures, later delays and
    a declared draw, to which both agree if the game is refereed.

    size: lines a side
    seed: determines the game
    refereed: whether `done` ends every turn
    insist: how often the end is pressed once more, in case the box was not there to hear it
    """
    rng = random.Random(f"ultimate {size} {seed}")
    game, places = ActedGame(board_of(size), seed, refereed), draw_layout(size, rng)
    game.remark("A game of Ultimate Go, made up to show what the referee says.\nA stone of the other lies in each lid.")
    game.pause(SETTLE)
    _fight_ko(game, places.ko, places.lone)
    _wrong_colour(game, next(places.lone))
    game.play(next(places.lone))
    game.remark("Black gives a prisoner back, the first delay of the game: it lies in White's lid now and is ultimate.")
    game.delay(Place.OTHER)
    game.play(next(places.lone))
    _take_pair(game, places.pair, places.lone)
    _count_out(game, places.lone, rng)
    for again in range(1 + insist):
        _end_game(game, bool(again))
    return game


class Incident(Enum):
    """A mistake in a game of the hall."""

    NONE = "none"
    WRONG_COLOUR = "wrong colour"
    SUPERKO = "superko"
    FORGOTTEN = "forgotten captures"


def hall_game(size: int, seed: int, turns: int, incident: Incident = Incident.NONE) -> ActedGame:
    """Build a refereed game on a board of that size, with at least so many turns and one incident in its middle.

    Then the player to move resigns, and both agree.
    """
    rng = random.Random(f"short {size} {seed}")
    game, places = ActedGame(board_of(size), seed, True), draw_layout(size, rng)
    shapes = {Incident.SUPERKO: places.ko, Incident.FORGOTTEN: places.pair}
    lone = _lone_points(size, {*shapes.get(incident, ())}, rng)
    target, middle = rng.randint(turns, turns + 5), turns // 2 // 2 * 2
    game.pause(SETTLE)
    while game.turn < target:
        if game.turn == middle and incident is Incident.SUPERKO:
            _fight_ko(game, places.ko, lone)
        elif game.turn == middle and incident is Incident.FORGOTTEN:
            _take_pair(game, places.pair, lone)
        elif game.turn == middle + 1 and incident is Incident.WRONG_COLOUR:
            _wrong_colour(game, next(lone))
        game.play(next(lone))
    loser = game.to_play
    game.result = f"{opponent_of(loser).value}+R"
    game.act(Press(loser, Button.CALL, is_held=True))
    game.act(Press(loser, Button.DONE))
    game.pause(READ)
    for player in (loser, opponent_of(loser)):
        game.act(Press(player, Button.DONE))
    return game


def _fight_ko(game: ActedGame, shape: list[Point], lone: Iterator[Point]) -> None:
    """Add a ko: Black takes it at 6; White tries to take back at 5 at once, and takes the stone away again.

    . X O .
    X . . O
    . X O .
    """
    for black, white in ((1, 2), (4, 7), (9, 10)):
        game.play(shape[black])
        game.play(shape[white])
    game.play(next(lone))
    game.play(shape[5])
    repeated_turn = game.turn
    game.remark("Black takes the ko.")
    game.play(shape[6])
    game.remark("White takes back at once. The board would stand as it stood before: illegal, by superko.")
    game.close(Play(WHITE, shape[5]))
    name = game.board.name(shape[5])
    game.expected.append(Expected(Status.ILLEGAL, game.turn + 1, WHITE, name, Reason.SUPERKO, repeated_turn))
    game.pause(READ)
    game.remark("White puts everything back as it was.")
    game.act(Lift(WHITE, (shape[5],), Place.SUPPLY), Give(WHITE, BLACK, Place.SUPPLY), Put(WHITE, BLACK, shape[6]))


def _wrong_colour(game: ActedGame, point: Point) -> None:
    """Add a black stone that appears at White's turn and is taken away again."""
    game.remark("White takes a stone out of the wrong bowl: no turn explains a black stone there.")
    game.close(Put(WHITE, BLACK, point))
    game.expected.append(Expected(Status.UNEXPLAINED, game.turn + 1, None, None, points=(game.board.name(point),)))
    game.pause(READ)
    game.act(Lift(WHITE, (point,), Place.SUPPLY))


def _take_pair(game: ActedGame, shape: list[Point], lone: Iterator[Point]) -> None:
    """Add a capture: Black captures the two white stones, forgets to lift them, and lifts them when reminded.

    . X X .
    X O O X
    . X X .
    """
    white = chain((shape[5], shape[6]), lone)
    for point in (1, 2, 4, 7, 9):
        game.play(shape[point])
        game.play(next(white))
    last_point, captured = shape[10], (shape[5], shape[6])
    names = tuple(game.board.name(p) for p in sorted(captured))
    game.remark("Black captures two stones and forgets to lift them: the turn is unfinished.")
    game.close(Play(BLACK, last_point, captured))
    game.pause(READ)
    game.remark("Black lifts them.")
    game.close(Lift(BLACK, captured, Place.OWN))
    game.rule(Status.UNFINISHED, game.board.name(last_point), names)
    game.expected.append(Expected(Status.LEGAL, game.turn, BLACK, game.board.name(last_point)))


def _count_out(game: ActedGame, lone: Iterator[Point], rng: random.Random) -> None:
    """Add delays of both players, until White's lid holds the ultimate stone alone."""
    game.play(next(lone))
    for _ in range(rng.randint(0, 2)):
        game.play(next(lone))
        game.play(next(lone))
    game.remark("Both give a prisoner back: delays, which go out of the game.")
    game.delay(Place.SUPPLY)
    game.delay(Place.SUPPLY)
    game.play(next(lone))
    game.play(next(lone))
    game.remark("White's lid holds nothing but the ultimate stone: Black declares a draw.")
    game.expected.append(Expected(Status.LEGAL, game.turn + 1, BLACK, "draw"))


def _end_game(game: ActedGame, again: bool) -> None:
    """End the game: Black, the first to delay, declares the draw; in a refereed game both agree to the result."""
    if again:
        game.act(Wait(AGAIN))
    game.act(Press(BLACK, Button.CALL))
    if game.refereed:
        game.act(Wait(READ))
        game.act(Press(BLACK, Button.DONE))
        game.act(Press(WHITE, Button.DONE))
