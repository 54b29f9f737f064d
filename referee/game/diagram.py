"""Positions as rows of text: X black, O white, R G Y V further players, a dot for an empty point; top row first."""

from __future__ import annotations

from collections.abc import Container, Sequence

from referee.game.board import COLOURS, COLUMN_LETTERS, LARGEST_SIDE, Colour, Point, Position, board_of
from referee.game.errors import BadSetup
from referee.game.messages import Message, message

SYMBOLS = {Colour.BLACK: "X", Colour.WHITE: "O", **{colour: colour.value for colour in COLOURS[2:]}}
_STONES = str.maketrans({"0": "."} | {str(i): SYMBOLS[colour] for i, colour in enumerate(COLOURS, 1)})
_LETTERS = str.maketrans({"0": "."} | {str(i): colour.value for i, colour in enumerate(COLOURS, 1)})
_COLOUR_OF_SYMBOL = {
    **{symbol: colour for colour, symbol in SYMBOLS.items()},
    **{colour.value: colour for colour in COLOURS},
}


def rows_of(position: Position) -> tuple[str, ...]:
    """Return the position as rows; with more than two players black and white are B and W."""
    cols, points = position.board.cols, position.board.points
    symbols = _LETTERS if len(position.stones) > 2 else _STONES
    # Each mask with one hexadecimal digit per point, so that their sum has one per point, the last point first.
    digits = sum(number * int(f"{stones:b}", 16) for number, stones in enumerate(position.stones, 1))
    cells = f"{digits:0{points}x}"[::-1].translate(symbols)
    return tuple([cells[start : start + cols] for start in range(0, points, cols)])


def draw_rows(rows: Sequence[str], doubtful: Container[int] = ()) -> tuple[str, ...]:
    """Return the rows with the names of columns and rows around them.

    Args:
        rows: the rows of a diagram.
        doubtful: points, counted row by row, that get a question mark.
    """
    cols = len(rows[0])
    letters = "   " + " ".join(COLUMN_LETTERS[:cols])
    lines = [letters]
    for number, row in enumerate(rows):
        marks = ["?" if number * cols + col in doubtful else " " for col in range(cols)]
        lines.append(f"{len(rows) - number:2}" + "".join(map(str.__add__, marks, row)))
    return (*lines, letters)


def position_of(rows: Sequence[str], players: int = 2) -> Position:
    """Return the position drawn by these rows. Raise BadSetup if they are not a board."""
    width = len(rows[0]) if rows else 0
    if not (1 <= width <= LARGEST_SIDE and len(rows) <= LARGEST_SIDE) or any(len(row) != width for row in rows):
        raise BadSetup("The board's rows must be 1 to 25 texts of the same length, 1 to 25.")
    stones = [0] * players
    for point, symbol in enumerate("".join(rows)):
        if symbol != ".":
            stones[_index_of_symbol(symbol, players)] |= 1 << point
    return Position(board_of(width, len(rows)), tuple(stones))


def _index_of_symbol(symbol: str, players: int) -> int:
    colour = _COLOUR_OF_SYMBOL.get(symbol)
    if colour is None or COLOURS.index(colour) >= players:
        raise BadSetup(f"The board holds {symbol!r}, which is no player of this game; use X, O and a dot for empty.")
    return COLOURS.index(colour)


def describe_point(position: Position, point: Point) -> Message:
    """Describe the stone on a point with its chain's size and liberties, or say that the point is empty.

    >>> from referee.game.diagram import position_of
    >>> from referee.game.board import board_of
    >>> position = position_of((".O...", "OX...", ".O...", ".....", "....."))
    >>> sentence = describe_point(position, position.board.point("B4"))
    >>> [part.key for name, part in sentence.args if isinstance(part, Message)]
    ['lies.chain', 'lies.atari']
    """
    player, name = position.colour_at(point), position.board.name(point)
    if player is None:
        return message("lies.empty", point=name)
    chain = position.chain_at(point)
    liberties = position.liberties_of(chain).bit_count()
    return message(
        "lies.stone",
        player=player,
        point=name,
        chain=message("lies.chain", n=chain.bit_count()),
        liberties=message("lies.atari") if liberties == 1 else message("lies.liberties", n=liberties),
    )
