"""Positions of counts: one of the text, and random ones drawn by Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from hypothesis import strategies as st

from referee.game.board import Board, Colour, board_of, opponent_of, points_of
from referee.game.diagram import position_of, rows_of
from referee.game.record import GameRecord, RuleSet, Situation
from referee.rules.sets import rule_set
from referee.rules.setup import Setup

# A board and its players as they look turned by quarters, mirrored and with the colours exchanged.

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


# Rules whose passes never end the game, for games that went on after them.


@dataclass(frozen=True)
class EndlessPasses:
    """Passing that never ends the game."""

    name: str = "endless"
    has_pass_stones: bool = False

    def may_pass(self, record: GameRecord) -> bool:
        """Always."""
        return True

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Never."""
        return False


def endless(ko: str, suicide: str = "none") -> RuleSet:
    """Area rules with that ko rule and suicide."""
    return replace(rule_set("simple", {"ko": ko, "suicide": suicide}), ending=EndlessPasses())


# The count of stones, which Ultimate Go keeps the same all game long.


def stones_astray(record: GameRecord, situation: Situation | None = None) -> int:
    """Return the excess of a situation (the record's own, if left out) over the stone count the rules keep: 0 if none.

    There is no pass, so black less white stones in the game (on the board, in the bowls and, as ultimate prisoners,
    beside them; returned stones and the ultimate stone are out of it) stays what the start made it (the komi stones
    Black gave less White's), plus 1 at White's turn.
    A positive answer is black stones too many, or white ones missing.
    """
    return _black_lead(situation or record.situation) - _black_lead(record.start)


def _black_lead(situation: Situation) -> int:
    lead = -1 if situation.to_play is Colour.WHITE else 0
    for colour, sign in ((Colour.BLACK, 1), (Colour.WHITE, -1)):
        lead += sign * (colour in situation.bowls.ultimate_delays)
        in_bowls = sum(situation.bowls.count_prisoners(owner, colour) for owner in (Colour.BLACK, Colour.WHITE))
        lead += sign * (situation.position.stones_of(colour).bit_count() + in_bowls)
    return lead


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
    bowls = setup.bowls.change_count(Colour.BLACK, Colour.WHITE, black - 1).change_count(
        Colour.WHITE, Colour.BLACK, white - 1
    )
    bowls = bowls.with_ultimate(opponent_of(first)) if first is not None else bowls
    return Setup(setup.rules, board=tuple(rows), to_play=to_play, bowls=bowls).record()


@st.composite
def boards(draw: st.DrawFn, symbols: str = "XO.", least: int = 2, most: int = 6, players: int = 2) -> tuple[str, ...]:
    """Rows of any position in which every chain has a liberty; chains without one are taken off."""
    cols, rows = draw(st.integers(least, most)), draw(st.integers(least, most))
    lines = [draw(st.text(symbols, min_size=cols, max_size=cols)) for _ in range(rows)]
    return breathing(lines, players)


def breathing(rows: Sequence[str], players: int = 2) -> tuple[str, ...]:
    """The rows with chains that have no liberty taken off."""
    position = position_of(rows, players)
    for point in points_of(position.occupied):
        chain = position.chain_at(point)
        if chain and not position.liberties_of(chain):
            position = position.without_stones(chain)
    return rows_of(position)


@st.composite
def random_divided_rows(draw: st.DrawFn, dame: bool = False) -> tuple[str, ...]:
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
