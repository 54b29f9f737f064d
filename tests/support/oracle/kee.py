"""Kee's GAME FLOW DETAILS as they are written, for comparison: lists, whole boards, paths situation by situation.

It shares no code with the referee. A board is a tuple of rows of text, a situation a board and the player to move. The
text's letters (A to G) name the parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Board = tuple[str, ...]
Situation = tuple[Board, str]
Point = tuple[int, int]


def neighbours(board: Board, point: Point) -> list[Point]:
    x, y = point
    around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return [(i, j) for i, j in around if 0 <= j < len(board) and 0 <= i < len(board[j])]


def chain(board: Board, point: Point) -> list[Point]:
    x, y = point
    found = [point]
    for stone in found:
        for i, j in neighbours(board, stone):
            if board[j][i] == board[y][x] and (i, j) not in found:
                found.append((i, j))
    return found


def alive(board: Board, stones: list[Point]) -> bool:
    return any(board[j][i] == "." for stone in stones for i, j in neighbours(board, stone))


def put(board: Board, points: list[Point], symbol: str) -> Board:
    return tuple(
        "".join(symbol if (x, y) in points else old for x, old in enumerate(row)) for y, row in enumerate(board)
    )


def dead(board: Board, colours: str) -> list[Point]:
    points = [(x, y) for y, row in enumerate(board) for x, symbol in enumerate(row) if symbol in colours]
    return [point for point in points if not alive(board, chain(board, point))]


@dataclass
class SlowKee:
    """A game from its start. suicide: the fewest stones that may capture themselves, 0 for none."""

    players: str
    board: Board
    to_play: str = "B"
    suicide: int = 0
    plays: list[str] = field(default_factory=list)
    situations: list[Situation] = field(default_factory=list)
    recent: list[Situation] = field(default_factory=list)
    prohibited_boards: list[Board] = field(default_factory=list)
    prohibited_paths: list[tuple[Situation, ...]] = field(default_factory=list)
    ended: bool = False
    result: str | None = None

    def __post_init__(self) -> None:
        self.initial_setting()

    def initial_setting(self) -> None:
        """A, for those who are left."""
        self.plays = []
        self.situations = [(self.board, self.to_play)]
        self.recent = [(self.board, self.to_play)]
        self.prohibited_boards = [self.board]
        self.prohibited_paths = []

    def next_player(self) -> str:
        return self.players[(self.players.index(self.to_play) + 1) % len(self.players)]

    def placed(self, point: Point) -> Board | None:
        """B and C: the new board, None for suicide that is not allowed."""
        board = put(self.board, [point], self.to_play)
        board = put(board, dead(board, "".join(set("BWRGYV") - {self.to_play})), ".")
        own = dead(board, self.to_play)
        if own and (not self.suicide or len(own) < self.suicide):
            return None
        return put(board, own, ".")

    def refuses(self, point: Point) -> str | None:
        """D."""
        new = self.placed(point)
        if new is None:
            return "surrounded"
        if new in self.prohibited_boards:
            return "superko"
        return "path" if any(path in self.prohibited_paths for path in self.paths_to(new)) else None

    def paths_to(self, new: Board) -> list[tuple[Situation, ...]]:
        """The placement alone, with the pass before it, with two passes before it, and so on."""
        end, found = (new, self.next_player()), []
        for passes in range(len(self.plays) + 1):
            if any(play != "pass" for play in self.plays[len(self.plays) - passes :]):
                break
            found.append((*self.situations[len(self.situations) - passes - 1 :], end))
        return found

    def place(self, point: Point) -> None:
        new = self.placed(point)
        assert new is not None
        self.board = new
        self.prohibited_boards.append(new)
        self.follow("placement")

    def pass_turn(self) -> None:
        self.prohibited_boards = [self.board]
        passes = 0
        for play in reversed([*self.plays, "pass"]):
            if play != "pass":
                break
            passes += 1
        self.ended = passes == len(self.players) + 1
        self.follow("pass")

    def follow(self, play: str) -> None:
        """F and G.3, G.4."""
        self.plays.append(play)
        self.to_play = self.next_player()
        here = (self.board, self.to_play)
        if any(play != "pass" for play in self.plays[-len(self.players) :]) and here in self.recent:
            first = self.recent.index(here)
            changed = next(i for i in range(first, len(self.recent)) if self.recent[i][0] != self.board)
            self.prohibited_paths.append(tuple(self.recent[first : changed + 1]))
            self.recent = []
        self.recent.append(here)
        self.situations.append(here)

    def resign(self) -> None:
        player, following = self.to_play, self.next_player()
        if len(self.players) == 2:
            self.ended, self.result = True, f"{following}+R"
            return
        self.players, self.to_play = self.players.replace(player, ""), following
        self.initial_setting()
