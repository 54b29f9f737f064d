"""The lines of a board and what stones do on them, point by point; it shares no code with the referee."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache


class Lines:
    """cols x rows points, counted row by row from the top left."""

    def __init__(self, cols: int, rows: int) -> None:
        self.cols, self.rows = cols, rows
        self.beside = beside(cols, rows)
        self.points = {self.name(point): point for point in range(cols * rows)}

    def name(self, point: int) -> str:
        return "ABCDEFGHJKLMNOPQRSTUVWXYZ"[point % self.cols] + str(self.rows - point // self.cols)

    def names(self, points: set[int]) -> list[str]:
        return [self.name(point) for point in sorted(points)]

    def point(self, name: str) -> int | None:
        """The point of that name, None beside the board."""
        return self.points.get(name[:1].upper() + name[1:])

    def chain(self, board: Sequence[str], point: int) -> tuple[set[int], bool]:
        """The stones that hang together with the one on this point, and whether one has an empty point beside it."""
        found, waiting, free = {point}, [point], False
        while waiting:
            for near in self.beside[waiting.pop()]:
                if board[near] == ".":
                    free = True
                elif board[near] == board[point] and near not in found:
                    found.add(near)
                    waiting.append(near)
        return found, free

    def placed(self, board: str, player: str, point: int) -> tuple[str, set[int], set[int]]:
        """The board after a placement, the others' stones it takes off, and the player's own."""
        stones = list(board)
        stones[point] = player
        taken: set[int] = set()
        for near in self.beside[point]:
            if stones[near] not in (".", player) and near not in taken:
                chain, free = self.chain(stones, near)
                taken |= set() if free else chain
        for gone in taken:
            stones[gone] = "."
        own, free = self.chain(stones, point)
        own = set() if free else own
        for gone in own:
            stones[gone] = "."
        return "".join(stones), taken, own


@cache
def beside(cols: int, rows: int) -> list[list[int]]:
    """The neighbours of each point."""
    found: list[list[int]] = []
    for point in range(cols * rows):
        x, y = point % cols, point // cols
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        found.append([j * cols + i for i, j in around if 0 <= i < cols and 0 <= j < rows])
    return found
