"""A board and its players as they look turned by quarters, mirrored and with the colours exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from referee.game.board import Board, board_of

EXCHANGED = {"B": "W", "W": "B", "X": "O", "O": "X"}


@dataclass(frozen=True)
class View:
    """quarters: turns to the right, done first; then mirrored from left to right, then the colours exchanged."""

    quarters: int = 0
    mirrored: bool = False
    exchanged: bool = False

    def rows(self, rows: Sequence[str]) -> tuple[str, ...]:
        """A diagram."""
        for _ in range(self.quarters):
            rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        rows = [row[::-1] for row in rows] if self.mirrored else rows
        return tuple("".join(map(self.player, row)) for row in rows)

    def size(self, cols: int, rows: int) -> tuple[int, int]:
        """Columns and rows."""
        return (rows, cols) if self.quarters % 2 else (cols, rows)

    def point(self, name: str, cols: int, rows: int) -> str:
        """The name of a point of a board of that size."""
        row, col = divmod(board_of(cols, rows).point(name), cols)
        for _ in range(self.quarters):
            row, col, cols, rows = col, rows - 1 - row, rows, cols
        return board_of(cols, rows).name(row * cols + (cols - 1 - col if self.mirrored else col))

    def points(self, names: Sequence[str], board: Board) -> list[str]:
        """The names of points of a board that was seen so."""
        size = self.size(board.cols, board.rows)
        return sorted(self.point(name, *size) for name in names)

    def player(self, letter: str) -> str:
        """A colour letter, or a symbol of a diagram."""
        return EXCHANGED.get(letter, letter) if self.exchanged else letter

    def result(self, result: str) -> str:
        """Return a result such as "B+2.5"."""
        return result.translate(str.maketrans("BW", "WB")) if self.exchanged else result


VIEWS = [View(*view) for view in product(range(4), (False, True), (False, True))]
"""All sixteen, the plain one first."""
