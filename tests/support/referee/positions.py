"""Positions of counts: one of the text, and random ones drawn by Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from referee.game.board import Board, Colour, opponent_of, points_of
from referee.game.diagram import position_of, rows_of
from referee.game.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup

FORTY_SIX = ("....XXO..", *("....XO...",) * 8)
"""46 points of Black's and 35 of White's, as in all three games of the text (its diagrams are lost)."""


def mask(board: Board, names: str) -> int:
    """The points named, as in "D4 E4"."""
    return sum(1 << board.point(name) for name in names.split())


def neighbours(board: Board, point: int) -> list[int]:
    """The points next to one along the lines, by plain arithmetic."""
    row, col = divmod(point, board.cols)
    around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [r * board.cols + c for r, c in around if 0 <= r < board.rows and 0 <= c < board.cols]


def record_of(rows: Sequence[str], to_play: Colour, first: Colour | None, black: int = 1, white: int = 1) -> GameRecord:
    """A game of Ultimate Go in its counting: who was first to delay, and the prisoners that Black and White hold."""
    setup = Setup(rule_set("ultimate"), board=tuple(rows), to_play=to_play).record()
    bowls = setup.bowls.move(Colour.BLACK, Colour.WHITE, black - 1).move(Colour.WHITE, Colour.BLACK, white - 1)
    bowls = bowls.with_ultimate(opponent_of(first)) if first is not None else bowls
    return Setup(setup.rules, board=tuple(rows), to_play=to_play, bowls=bowls).record()


@st.composite
def boards(draw: st.DrawFn, symbols: str = "XO.", least: int = 2, most: int = 6, players: int = 2) -> tuple[str, ...]:
    """Rows of any position in which every chain has a liberty; chains without one are taken off."""
    cols, rows = draw(st.integers(least, most)), draw(st.integers(least, most))
    drawn = [draw(st.text(symbols, min_size=cols, max_size=cols)) for _ in range(rows)]
    return breathing(drawn, players)


def breathing(rows: Sequence[str], players: int = 2) -> tuple[str, ...]:
    """The rows with chains that have no liberty taken off."""
    position = position_of(rows, players)
    for point in points_of(position.occupied):
        chain = position.chain(point)
        if chain and not position.liberties(chain):
            position = position.without(chain)
    return rows_of(position)


@st.composite
def divided(draw: st.DrawFn, dame: bool = False) -> tuple[str, ...]:
    """Rows of a board divided between the colours by a closed border, perhaps with single points of dame in it.

    Left of the border stand black stones, right of it white ones, and eyes are left open among them.
    """
    rows, cols = draw(st.integers(3, 7)), draw(st.integers(6, 9))
    border = [draw(st.integers(2, cols - 3)) for _ in range(rows)]
    side = [["X" if x <= border[y] else "O" for x in range(cols)] for y in range(rows)]
    at_border = {
        (x, y)
        for y in range(rows)
        for x in range(cols)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if 0 <= x + dx < cols and 0 <= y + dy < rows and side[y + dy][x + dx] != side[y][x]
    }
    inside = [(x, y) for y in range(rows) for x in range(cols) if (x, y) not in at_border]
    stones = draw(st.sets(st.sampled_from(inside), max_size=len(inside) // 2)) if inside else set()
    for x, y in set(inside) - stones:
        side[y][x] = "."
    if dame:
        y = draw(st.integers(0, rows - 1))
        side[y][border[y]], side[y][border[y] - 1] = ".", "X"
        for beside in (y - 1, y + 1):
            if 0 <= beside < rows and border[beside] >= border[y]:
                side[beside][border[y]] = "X"
    return breathing(["".join(row) for row in side])
