"""The board as SVG: lines, star points, coordinates as in GTP (no I), stones, the last move, the points in question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.board import COLOURS, COLUMN_LETTERS, Board, Colour, Point, Position, points_of
from referee.past import Then
from referee.ruling import Status
from referee.snapshot import Showing
from referee.turns import Placement
from web import words
from web.stones_svg import Disc, heap, opened, shades
from web.tongues import ENGLISH, Tongue

CELL = 40
MARGIN = 56
STONE = 19.0
KEY = "board"


@dataclass(frozen=True)
class Marks:
    """What is marked on the position.

    asked: points that have to be put right, be it a stone to lift or a prisoner to put back. beside: a stone that
    stands on the table and not in the game; refused: it has to be taken back. barred: empty points that may not be
    taken now, for the game would repeat.
    """

    last: Point | None = None
    asked: tuple[Point, ...] = ()
    beside: tuple[Colour, Point] | None = None
    refused: bool = False
    barred: tuple[Point, ...] = ()


def board_of_showing(showing: Showing, say: Tongue = ENGLISH) -> str:
    """The position held, its last move, what may not be played now, and what the open trouble is about."""
    return board_svg(showing.game.position, marks_of(showing), say)


def board_then(then: Then, say: Tongue = ENGLISH) -> str:
    """An earlier position and the turn that led to it."""
    turn = then.turn
    return board_svg(then.position, Marks(turn.point if isinstance(turn, Placement) else None), say)


def marks_of(showing: Showing) -> Marks:
    """What a showing marks on its board."""
    game, trouble = showing.game, showing.trouble
    newest = game.turns[-1] if game.turns else None
    last = newest.point if isinstance(newest, Placement) else None
    barred = tuple(found.point for found in game.past.barred)
    if trouble is None:
        return Marks(last, barred=barred)
    move, refused = trouble.move, trouble.status is Status.ILLEGAL
    beside = (move.player, move.point) if isinstance(move, Placement) and _lies_there(showing, move) else None
    asked = trouble.captured if refused and beside else trouble.points
    busy = {*asked, beside[1] if beside else None}
    return Marks(last, asked, beside, refused, tuple(point for point in barred if point not in busy))


def _lies_there(showing: Showing, move: Placement) -> bool:
    """Whether the stone that the trouble is about lies on the table and not in the position."""
    trouble, position = showing.trouble, showing.game.position
    waits = trouble is not None and trouble.status is Status.UNFINISHED and bool(position.empty >> move.point & 1)
    return waits or (trouble is not None and trouble.status is Status.ILLEGAL and move.point in trouble.points)


def board_svg(position: Position, marks: Marks | None = None, say: Tongue = ENGLISH) -> str:
    """One drawing, complete in itself; any board from 1x1 to 25x25."""
    marks, board = marks or Marks(), position.board
    width, height = (2 * MARGIN + CELL * (lines - 1) for lines in (board.cols, board.rows))
    title = say("board.title", cols=board.cols, rows=board.rows)
    parts = (
        opened(KEY, width, height, "board", title, _described(position, marks, say)),
        shades(KEY, COLOURS[: len(position.stones)]),
        _wood(width, height),
        _lines(board),
        _coordinates(board),
        _barred(board, marks.barred),
        _stones(position),
        _beside(position, marks),
        _asked(board, marks.asked),
        _last(position, None if marks.last in marks.asked else marks.last),
        "</svg>",
    )
    return "".join(parts)


def _wood(width: int, height: int) -> str:
    """A plain surface with a faint grain along it."""
    depths = ((0, 0.0), (0.17, 0.07), (0.29, 0.01), (0.48, 0.05), (0.71, 0.0), (0.83, 0.06), (1, 0.0))
    stops = "".join(f'<stop offset="{at}" stop-color="#7a4a12" stop-opacity="{depth}"/>' for at, depth in depths)
    along = f'id="{KEY}-grain" gradientUnits="userSpaceOnUse" x2="61" y2="2" spreadMethod="repeat"'
    surface = f'width="{width}" height="{height}" rx="10"'
    return (
        f'<linearGradient {along}>{stops}</linearGradient><rect class="wood" {surface} fill="#e2bd80"/>'
        f'<rect {surface} fill="url(#{KEY}-grain)"/>'
    )


def _described(position: Position, marks: Marks, say: Tongue) -> str:
    board, said = position.board, []
    for colour, mask in zip(COLOURS, position.stones, strict=False):
        key = "board.stones" if mask else "board.no-stones"
        said.append(say(key, player=words.name(colour, say), points=", ".join(board.names(mask))))
    if marks.last is not None:
        said.append(say("board.last", point=board.name(marks.last)))
    if marks.beside is not None:
        colour, point = marks.beside
        key = "board.refused" if marks.refused else "board.waiting"
        said.append(say(key, player=words.name(colour, say), point=board.name(point)))
    for key, points in (("board.asked", marks.asked), ("board.barred", marks.barred)):
        if points:
            said.append(say(key, points=", ".join(board.name(point) for point in points)))
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


def _barred(board: Board, points: Iterable[Point]) -> str:
    """A square on each point that may not be taken now, as diagrams mark a ko; a field round it to be tapped."""
    marks = (
        f'<g class="barred" data-point="{board.name(point)}"><rect x="{x - 19}" y="{y - 19}" width="38" height="38" '
        f'fill="#fff" fill-opacity="0"/><rect x="{x - 8}" y="{y - 8}" width="16" height="16" fill="#f3dcb3" '
        f'stroke="#a3271c" stroke-width="3"/></g>'
        for point, (x, y) in ((point, _at(board, point)) for point in points)
    )
    return "".join(marks)


def _stones(position: Position) -> str:
    heaps = (
        heap(KEY, colour, _discs(position.board, points_of(mask)))
        for colour, mask in zip(COLOURS, position.stones, strict=False)
    )
    return f'<g data-stones="" filter="url(#{KEY}-shadow)">{"".join(heaps)}</g>' if position.occupied else ""


def _discs(board: Board, points: Iterable[Point]) -> Iterator[Disc]:
    return ((*_at(board, point), STONE) for point in points)


def _beside(position: Position, marks: Marks) -> str:
    """The stone that does not count, or not yet: faint, and with a cross through it where it has to be taken back."""
    if marks.beside is None:
        return ""
    colour, point = marks.beside
    (x, y), arm = _at(position.board, point), 13
    ghost = "" if position.occupied >> point & 1 else heap(KEY, colour, [(x, y, STONE)], 0.6)
    cross = f"M{x - arm} {y - arm}L{x + arm} {y + arm}M{x + arm} {y - arm}L{x - arm} {y + arm}"
    return ghost + (_outlined(cross, "#d3281c") if marks.refused else "")


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
