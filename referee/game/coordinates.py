"""Names of intersections for people. Files, journals, SGF and other programs have `Board.name` alone: A1 without I."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from string import ascii_uppercase

from referee.game.board import COLUMN_LETTERS, Board

KANJI = "一二三四五六七八九"
JOINT = "\N{NON-BREAKING HYPHEN}"
"""The sign between a column's and a row's number: no line ends after it, as one may after a hyphen before 十."""


class Coordinates(StrEnum):
    """The ways to name an intersection that clubs know.

    `A1`: letters without I, rows from below, as on the board of Go programs. `A1-I`: the same with I. `1-1`: column and
    row in figures, from the upper left. `japanese`: the same with the row in Chinese numerals, as newspapers in Japan.
    """

    LETTERS = "A1"
    LETTERS_WITH_I = "A1-I"
    FIGURES = "1-1"
    NUMERALS = "japanese"


@dataclass(frozen=True)
class PointNames:
    """The names of a board's points in one of these ways."""

    board: Board
    coordinates: Coordinates

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns' labels, from the left."""
        letters = {Coordinates.LETTERS: COLUMN_LETTERS, Coordinates.LETTERS_WITH_I: ascii_uppercase}
        labels = letters.get(self.coordinates)
        return tuple(labels[: self.board.cols] if labels else map(str, range(1, self.board.cols + 1)))

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The rows' labels, from the top."""
        from_top = range(1, self.board.rows + 1)
        match self.coordinates:
            case Coordinates.FIGURES:
                return tuple(map(str, from_top))
            case Coordinates.NUMERALS:
                return tuple(map(chinese_numeral, from_top))
        return tuple(map(str, reversed(from_top)))

    @property
    def joint(self) -> str:
        """The sign between column and row."""
        return JOINT if self.coordinates in (Coordinates.FIGURES, Coordinates.NUMERALS) else ""

    @cached_property
    def by_name(self) -> dict[str, str]:
        """The points' names here by those of `Board.name`."""
        board = self.board
        places = ((point, *divmod(point, board.cols)) for point in range(board.points))
        return {board.name(point): f"{self.columns[col]}{self.joint}{self.rows[row]}" for point, row, col in places}


def chinese_numeral(number: int) -> str:
    """Return a number from 1 to 99 in Chinese numerals: 一, 十, 十九, 二十一."""
    tens, units = divmod(number, 10)
    many = (KANJI[tens - 1] if tens > 1 else "") + "十" if tens else ""
    return many + (KANJI[units - 1] if units else "")
