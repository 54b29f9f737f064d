"""A second, slow referee for comparison: sets of coordinates, boards compared one by one, rules taken from their text.

It shares no code with the referee. A board is a dict from (column, row), counted from the top left, to "B" or "W".
"""

from __future__ import annotations

from dataclasses import dataclass, field

Coordinate = tuple[int, int]
Stones = dict[Coordinate, str]


def other(player: str) -> str:
    return "W" if player == "B" else "B"


def has_path_to_empty(stones: Stones, start: Coordinate, cols: int, rows: int) -> bool:
    """Rule 2 of Ultimate Go: a path along the lines to an empty intersection that avoids all opponent stones."""
    visited, waiting = {start}, [start]
    while waiting:
        x, y = waiting.pop()
        for point in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if not (0 <= point[0] < cols and 0 <= point[1] < rows) or point in visited:
                continue
            if point not in stones:
                return True
            if stones[point] == stones[start]:
                visited.add(point)
                waiting.append(point)
    return False


@dataclass
class SlowGame:
    """ultimate or chinese, two players, without handicap."""

    cols: int
    rows: int
    rules: str
    player: str = "B"
    stones: Stones = field(default_factory=dict)
    bowls: dict[str, int] = field(default_factory=dict)
    ultimate: str | None = None
    ended: bool = False
    result: str | None = None
    komi: float = 0
    passes: int = 0
    boards: list[Stones] = field(default_factory=list)

    def __post_init__(self) -> None:
        whole_komi = abs(self.komi) // 1
        extra = {"B": whole_komi if self.komi < 0 else 0, "W": whole_komi if self.komi > 0 else 0}
        own = 1 if self.rules == "ultimate" else 0
        self.bowls = {player: own + (int(extra[player]) if own else 0) for player in "BW"}
        self.boards = [dict(self.stones)]

    def placed(self, point: Coordinate) -> tuple[Stones, int]:
        after = {**self.stones, point: self.player}
        foes = [p for p, colour in after.items() if colour == other(self.player)]
        captured_points = [p for p in foes if not has_path_to_empty(after, p, self.cols, self.rows)]
        return {p: colour for p, colour in after.items() if p not in captured_points}, len(captured_points)

    def refuses(self, point: Coordinate) -> str | None:
        if self.ended:
            return "game-over"
        if point in self.stones:
            return "occupied"
        after, _ = self.placed(point)
        if not has_path_to_empty(after, point, self.cols, self.rows):
            return "surrounded"
        if self.rules == "ultimate":
            return "superko" if after in self.boards else None
        return "ko" if len(self.boards) > 1 and after == self.boards[-2] else None

    def repeats(self, point: Coordinate) -> int:
        after, _ = self.placed(point)
        return self.boards.index(after) if self.rules == "ultimate" else len(self.boards) - 2

    def may_delay(self) -> bool:
        return not self.ended and self.rules == "ultimate" and self.bowls[self.player] > 0

    def may_draw(self) -> bool:
        foe = other(self.player)
        return not self.ended and self.ultimate == foe and self.bowls[foe] == 0

    def may_pass(self) -> bool:
        return not self.ended and self.rules == "chinese"

    def place(self, point: Coordinate) -> None:
        self.stones, capture_count = self.placed(point)
        self.bowls[self.player] += capture_count
        self.passes = 0
        self._next()

    def delay(self) -> None:
        self.bowls[self.player] -= 1
        if self.ultimate is None:
            self.ultimate = other(self.player)
        self._next()

    def pass_turn(self) -> None:
        self.passes += 1
        self.ended = self.passes == 2
        self._next()

    def draw(self) -> None:
        self.ended = True
        half = self.komi != int(self.komi)
        self.result = "0" if not half else "W+0.5" if self.komi > 0 else "B+0.5"

    def _next(self) -> None:
        self.boards.append(dict(self.stones))
        self.player = other(self.player)
