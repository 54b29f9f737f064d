"""The board as SVG: lines, star points, coordinates as in GTP (no I), stones, the last move, the points in question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.board import COLOURS, COLUMN_LETTERS, Board, Colour, Point, Position, points_of
from referee.ruling import Status
from referee.snapshot import Showing
from referee.turns import Placement
from web import words
from web.stones_svg import Disc, heap, opened, shades

CELL = 40
MARGIN = 56
STONE = 19.0
KEY = "board"


@dataclass(frozen=True)
class Marks:
    """What is marked on the position.

    asked: points that have to be put right, be it a stone to lift or a prisoner to put back. refused: an illegal stone
    that stands on the table and not in the game.
    """

    last: Point | None = None
    asked: tuple[Point, ...] = ()
    refused: tuple[Colour, Point] | None = None


def board_of_showing(showing: Showing) -> str:
    """The position held, its last move, and what the open trouble is about."""
    return board_svg(showing.game.position, marks_of(showing))


def marks_of(showing: Showing) -> Marks:
    """What a showing marks on its board."""
    game, trouble = showing.game, showing.trouble
    newest = game.turns[-1] if game.turns else None
    last = newest.point if isinstance(newest, Placement) else None
    if trouble is None:
        return Marks(last)
    move = trouble.move
    if trouble.status is not Status.ILLEGAL or not isinstance(move, Placement) or move.point not in trouble.points:
        return Marks(last, trouble.points)
    return Marks(last, trouble.captured, (move.player, move.point))


def board_svg(position: Position, marks: Marks | None = None) -> str:
    """One drawing, complete in itself; any board from 1x1 to 25x25."""
    marks, board = marks or Marks(), position.board
    width, height = (2 * MARGIN + CELL * (lines - 1) for lines in (board.cols, board.rows))
    title = f"Go board, {board.cols} by {board.rows}"
    parts = (
        opened(KEY, width, height, "board", title, _described(position, marks)),
        shades(KEY, COLOURS[: len(position.stones)]),
        f'<rect class="wood" width="{width}" height="{height}" rx="10" fill="#e2bd80"/>',
        _lines(board),
        _coordinates(board),
        _stones(position),
        _refused(position, marks.refused),
        _asked(board, marks.asked),
        _last(position, marks.last),
        "</svg>",
    )
    return "".join(parts)


def _described(position: Position, marks: Marks) -> str:
    board, said = position.board, []
    for colour, mask in zip(COLOURS, position.stones, strict=False):
        said.append(f"{words.name(colour)}: {', '.join(board.names(mask)) or 'no stones'}.")
    if marks.last is not None:
        said.append(f"Last move: {board.name(marks.last)}.")
    if marks.refused is not None:
        said.append(f"Refused: {words.name(marks.refused[0])} at {board.name(marks.refused[1])}.")
    if marks.asked:
        said.append(f"To put right: {', '.join(board.name(point) for point in marks.asked)}.")
    return " ".join(said)


def _at(board: Board, point: Point) -> tuple[int, int]:
    row, col = divmod(point, board.cols)
    return MARGIN + CELL * col, MARGIN + CELL * row


def _lines(board: Board) -> str:
    right, bottom = MARGIN + CELL * (board.cols - 1), MARGIN + CELL * (board.rows - 1)
    across = "".join(f"M{MARGIN} {MARGIN + CELL * row}H{right}" for row in range(board.rows))
    down = "".join(f"M{MARGIN + CELL * col} {MARGIN}V{bottom}" for col in range(board.cols))
    stars = "".join(
        f'<circle cx="{x}" cy="{y}" r="4.2"/>' for x, y in (_at(board, star) for star in star_points(board))
    )
    lines = f'<path d="{across}{down}" fill="none" stroke-width="1.5" stroke-linecap="square"/>'
    return f'<g class="lines" stroke="#4a3517" fill="#4a3517">{lines}<g stroke="none">{stars}</g></g>'


def star_points(board: Board) -> Iterator[Point]:
    """The handicap points of the common sizes, and the like on others; those of the middle lines from 19 lines on."""
    middle_col, middle_row = board.cols // 2, board.rows // 2
    sides = board.cols >= 19 and board.rows >= 19
    for row in _star_lines(board.rows):
        for col in _star_lines(board.cols):
            if sides or (row == middle_row) == (col == middle_col):
                yield row * board.cols + col


def _star_lines(lines: int) -> list[int]:
    edge = 3 if lines >= 13 else 2 if lines >= 8 else None
    found = set() if edge is None else {edge, lines - 1 - edge}
    return sorted(found | ({lines // 2} if lines % 2 and lines >= 5 else set()))


def _coordinates(board: Board) -> str:
    far, low = 2 * MARGIN + CELL * (board.cols - 1), 2 * MARGIN + CELL * (board.rows - 1)
    letters = [(MARGIN + CELL * col, y, COLUMN_LETTERS[col]) for col in range(board.cols) for y in (19, low - 19)]
    numbers = [(x, MARGIN + CELL * row, board.rows - row) for row in range(board.rows) for x in (19, far - 19)]
    text = "".join(f'<text x="{x}" y="{y}" dy=".35em">{said}</text>' for x, y, said in [*letters, *numbers])
    return f'<g class="names" fill="#5d4520" font-size="17" text-anchor="middle" aria-hidden="true">{text}</g>'


def _stones(position: Position) -> str:
    heaps = (
        heap(KEY, colour, _discs(position.board, points_of(mask)))
        for colour, mask in zip(COLOURS, position.stones, strict=False)
    )
    return f'<g filter="url(#{KEY}-shadow)">{"".join(heaps)}</g>' if position.occupied else ""


def _discs(board: Board, points: Iterable[Point]) -> Iterator[Disc]:
    return ((*_at(board, point), STONE) for point in points)


def _refused(position: Position, refused: tuple[Colour, Point] | None) -> str:
    """The stone that has to be taken back, faint, with a cross through it."""
    if refused is None:
        return ""
    colour, point = refused
    (x, y), arm = _at(position.board, point), 13
    ghost = "" if position.occupied >> point & 1 else heap(KEY, colour, [(x, y, STONE)], 0.6)
    cross = f"M{x - arm} {y - arm}L{x + arm} {y + arm}M{x + arm} {y - arm}L{x - arm} {y + arm}"
    return ghost + _outlined(cross, "#d3281c")


def _asked(board: Board, points: Iterable[Point]) -> str:
    """Squares round the points that have to be looked at."""
    corners = ((x - 15, y - 15) for x, y in (_at(board, point) for point in points))
    squares = "".join(f"M{x} {y}h30v30h-30z" for x, y in corners)
    return _outlined(squares, "#e07b00") if squares else ""


def _outlined(path: str, colour: str) -> str:
    """A mark that shows on wood and on stones of any colour."""
    drawn = f'<path d="{path}" stroke="#fff" stroke-width="8"/><path d="{path}" stroke="{colour}" stroke-width="4.5"/>'
    return f'<g class="asked" fill="none" stroke-linejoin="round" stroke-linecap="round">{drawn}</g>'


def _last(position: Position, last: Point | None) -> str:
    colour = None if last is None else position.colour_at(last)
    if last is None or colour is None:
        return ""
    x, y = _at(position.board, last)
    ink = "#fff" if colour in (Colour.BLACK, Colour.VIOLET, Colour.GREEN, Colour.RED) else "#17191c"
    return f'<circle class="last" cx="{x}" cy="{y}" r="8.5" fill="none" stroke="{ink}" stroke-width="3.2"/>'
