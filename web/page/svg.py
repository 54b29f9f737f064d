"""Board and lids as SVG that needs no style sheet, and the choice of the position: now, earlier or in the count.

Lines, star points, coordinates as in GTP (no I), stones, the last move, the points in question; a prisoner bowl is a
round lid with its prisoners, and the ultimate stone in a ring.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from math import cos, pi, sin, sqrt

from referee import (
    COLOURS,
    Board,
    Bowls,
    Colour,
    Coordinates,
    HistoryEntry,
    Marks,
    Placement,
    Point,
    PointNames,
    Position,
    TableSnapshot,
    as_on_a_clock,
    marks_of,
    mask_of,
    points_of,
)
from web.language import ENGLISH, Translator
from web.page import counting, labels
from web.page.counting import Drawn
from web.page.navigation import GamePosition, then_at
from web.page.unconfirmed import MarkedSnapshot

SHADES = {
    Colour.BLACK: ("#5b5f66", "#17191c"),
    Colour.WHITE: ("#ffffff", "#d9d6cf"),
    Colour.RED: ("#e2695e", "#a3271c"),
    Colour.GREEN: ("#62b878", "#226b38"),
    Colour.YELLOW: ("#f6dc70", "#c9a21a"),
    Colour.VIOLET: ("#a98be0", "#5b3a9c"),
}
"""Each colour's highlight and body."""

Disc = tuple[float, float, float]
"""Centre and radius in the drawing's units."""


def svg_start(key: str, width: float, height: float, css: str, title: str, description: str) -> str:
    """Return the start of a drawing that screen readers announce; key: makes its ids unique on a page with several."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" class="{css}" role="img" '
        f'aria-labelledby="{key}-title" aria-describedby="{key}-desc" '
        f'font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">'
        f'<title id="{key}-title">{escape(title)}</title><desc id="{key}-desc">{escape(description)}</desc>'
    )


def define_shades(key: str, colours: Iterable[Colour]) -> str:
    """Return the colours' shading and a soft shadow, to be put once into each drawing."""
    gradients = "".join(
        f'<radialGradient id="{key}-{colour.value}" cx=".36" cy=".3" r=".75">'
        f'<stop offset="0" stop-color="{SHADES[colour][0]}"/><stop offset="1" stop-color="{SHADES[colour][1]}"/>'
        f"</radialGradient>"
        for colour in colours
    )
    shadow = '<feDropShadow dx="0.8" dy="1.6" stdDeviation="1.3" flood-opacity=".38"/>'
    attributes = f'id="{key}-shadow" x="-5%" y="-5%" width="110%" height="115%"'
    return f"<defs>{gradients}<filter {attributes}>{shadow}</filter></defs>"


def draw_heap(key: str, colour: Colour, discs: Iterable[Disc], opacity: float = 1) -> str:
    """Return stones of one colour."""
    circles = "".join(map(_draw_circle, discs))
    if not circles:
        return ""
    faint = "" if opacity == 1 else f' opacity="{opacity:g}"'
    edge = ' stroke="#8d887d" stroke-width=".7"' if colour is Colour.WHITE else ""
    return f'<g fill="url(#{key}-{colour.value})"{edge}{faint}>{circles}</g>'


@lru_cache(4096)
def _draw_circle(disc: Disc) -> str:
    x, y, r = disc
    return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{r:.4g}"/>'


CELL = 40
MARGIN = 50
STONE, LABEL = 19.0, 16
LEAST_NAME, NAME_SHARE = 14.0, 1 / 37
"""The font size of the coordinates, and its share of the drawing's width: 9 pixels on a board of 340."""
STACK = 34
"""The height of a label's letters if they stand one above the other: between two lines."""
RING = 21
"""Radius of a ring outside a stone."""
NUMBER = (21, 20, 17, 13)
"""Font size of a number, by its count of digits."""
KEY = "board"
WOOD, INK = "#e2bd80", "#4a3517"
THIN = 1.5
"""Width of a line."""


def board_of_snapshot(snapshot: TableSnapshot, say: Translator = ENGLISH) -> str:
    """Draw the present position, its last move, the forbidden points, and the points of the open trouble."""
    unconfirmed = [snapshot.unconfirmed_stone] if isinstance(snapshot, MarkedSnapshot) else []
    return board_svg(snapshot.game.position, marks_of(snapshot), say.on(snapshot), unconfirmed=unconfirmed)


def board_svg(
    position: Position,
    marks: Marks | None = None,
    say: Translator = ENGLISH,
    drawing: Drawn | None = None,
    numbers: Mapping[Point, int] | None = None,
    unconfirmed: Iterable[tuple[Colour, Point]] = (),
) -> str:
    """Draw a board of any size from 1x1 to 25x25 as a complete SVG.

    position: the stones.
    marks: the marked points.
    say: the language.
    drawing: the step of the count that is shown.
    numbers: the turn numbers of these stones.
    unconfirmed: stones drawn faint that no words tell.
    """
    marks, board = marks or Marks(), position.board
    drawing = drawing or (Drawn(marks.count) if marks.count is not None else None)
    width, height = _drawing_size(board)
    title = say("board.title", cols=board.cols, rows=board.rows)
    board_position = drawing.standing if drawing is not None else position
    parts = (
        svg_start(KEY, width, height, "board", title, _describe_board(board_position, marks, drawing, say)),
        define_shades(KEY, COLOURS[: len(position.stones)]),
        _empty_board(board, say.places or PointNames(board, Coordinates.LETTERS)),
        _forbidden_marks(board, marks.barred),
        _draw_stones(board_position.without_stones(mask_of(marks.on))),
        drawing.draw(partial(at_point, board), partial(_sized_heap, board)) if drawing is not None else "",
        _draw_numbers(board_position, numbers or {}),
        _laid_stones(position, [*marks.laid, *unconfirmed]),
        _pending_stone(position, marks),
        _proposal_marks(board, marks),
        _query_marks(position, marks),
        _last_move_mark(position, None if marks.last in marks.asked else marks.last),
        _better_marks(board, marks.better),
        "</svg>",
    )
    return "".join(parts)


HOTTEST = 14
"""Radius of the largest disc: the stone beneath it keeps a rim."""
LONGEST = 3
"""Turns that the description of the thinking time names."""


def heat_of(snapshot: TableSnapshot, say: Translator = ENGLISH) -> str:
    """Draw the last position, and on each point a disc whose area is the time that the turns there took."""
    say = say.on(snapshot)
    thens, position = snapshot.game.past.thens, snapshot.game.position
    spent = dict[Point, int]()
    timed_entries = [entry for entry in thens if isinstance(entry.turn, Placement) and entry.spent]
    for entry in timed_entries:
        assert isinstance(entry.turn, Placement) and entry.spent is not None
        spent[entry.turn.point] = spent.get(entry.turn.point, 0) + entry.spent
    longest = sorted(timed_entries, key=lambda entry: entry.spent or 0, reverse=True)[:LONGEST]
    description = say(
        "board.heat", turns=say.comma.join(_describe_turn(entry, position.board, say) for entry in longest)
    )
    svg, most = board_svg(position, say=say), max(spent.values(), default=1)
    discs = "".join(
        f'<circle cx="{x}" cy="{y}" r="{HOTTEST * sqrt(ms / most):.3g}"/>'
        for ms, (x, y) in ((ms, at_point(position.board, point)) for point, ms in spent.items())
    )
    discs = f'<g fill="#e0392f" fill-opacity=".8" stroke="#fff" stroke-width="1.2">{discs}</g>'
    return svg.replace("</desc>", f" {escape(description)}</desc>", 1).removesuffix("</svg>") + f"{discs}</svg>"


def _describe_turn(entry: HistoryEntry, board: Board, say: Translator) -> str:
    assert entry.turn is not None
    player = labels.player_name(entry.turn.player, say)
    turn_text = say("page.turn-named", turn=entry.number, player=player, what=labels.turn_text(board, entry.turn, say))
    return f"{turn_text} ({as_on_a_clock(entry.spent or 0)})"


@lru_cache(32)
def _empty_board(board: Board, names: PointNames) -> str:
    """Return the wood, the lines and the coordinates."""
    return draw_wood(KEY, 0, *_drawing_size(board)) + draw_lines(board, THIN) + _draw_coordinates(board, names)


def _drawing_size(board: Board) -> tuple[int, int]:
    """Return the drawing's width and height."""
    return 2 * MARGIN + CELL * (board.cols - 1), 2 * MARGIN + CELL * (board.rows - 1)


def draw_wood(key: str, offset: int, width: int, height: int) -> str:
    """Return a plain surface with a faint grain along it.

    offset: both coordinates of its upper left corner
    """
    depths = ((0, 0.0), (0.17, 0.07), (0.29, 0.01), (0.48, 0.05), (0.71, 0.0), (0.83, 0.06), (1, 0.0))
    stops = "".join(
        f'<stop offset="{offset}" stop-color="#7a4a12" stop-opacity="{depth}"/>' for offset, depth in depths
    )
    along = f'id="{key}-grain" gradientUnits="userSpaceOnUse" x2="61" y2="2" spreadMethod="repeat"'
    surface = f'x="{offset}" y="{offset}" width="{width}" height="{height}" rx="10"'
    return (
        f'<linearGradient {along}>{stops}</linearGradient><rect class="wood" {surface} fill="{WOOD}"/>'
        f'<rect {surface} fill="url(#{key}-grain)"/>'
    )


def _describe_board(position: Position, marks: Marks, count: Drawn | None, say: Translator) -> str:
    """Return the description in words: first the news and the points in question, then all stones."""
    board, stones = position.board, []
    for colour, mask in zip(COLOURS, position.stones, strict=False):
        key = "board.stones" if mask else "board.no-stones"
        stones.append(say(key, player=labels.player_name(colour, say), points=say.points(board.names(mask))))
    count_sentences = count.describe(say) if count is not None else ()
    return say.space.join([*_describe_news(board, marks, say), *stones, *count_sentences])


def _describe_news(board: Board, marks: Marks, say: Translator) -> Iterator[str]:
    if marks.last is not None:
        yield say("board.last", point=board.name(marks.last))
    if marks.beside is not None:
        colour, point = marks.beside
        key = "board.refused" if marks.refused else "board.waiting"
        yield say(key, player=labels.player_name(colour, say), point=board.name(point))
    for colour, point in marks.laid:
        yield say("board.laid", player=labels.player_name(colour, say), point=board.name(point))
    groups = {"board.asked": marks.asked, "board.barred": marks.barred, "board.better": marks.better}
    groups |= {"board.proved": marks.proved, "board.likely": marks.likely, "board.uncertain": marks.uncertain}
    for key, points in groups.items():
        if points:
            yield say(key, points=say.points(board.name(point) for point in points))


def at_point(board: Board, point: Point) -> tuple[int, int]:
    """Return a point's place in the drawing."""
    row, col = divmod(point, board.cols)
    return MARGIN + CELL * col, MARGIN + CELL * row


def draw_lines(board: Board, thick: float) -> str:
    """Return the lines and star points. Each line is drawn from the one before: alike, they compress to nothing."""
    width, height = CELL * (board.cols - 1), CELL * (board.rows - 1)
    across = f"M{MARGIN} {MARGIN}h{width}" + f"m-{width} {CELL}h{width}" * (board.rows - 1)
    down = f"M{MARGIN} {MARGIN}v{height}" + f"m{CELL}-{height}v{height}" * (board.cols - 1)
    stars = "".join(
        f'<circle cx="{x}" cy="{y}" r="4.2"/>' for x, y in (at_point(board, star) for star in star_points(board))
    )
    path = f'<path d="{across}{down}" fill="none" stroke-width="{thick:g}" stroke-linecap="square"/>'
    return f'<g class="lines" stroke="{INK}" fill="{INK}">{path}<g stroke="none">{stars}</g></g>'


def star_points(board: Board) -> Iterator[Point]:
    """Yield the handicap points of the common sizes, and similar ones on others.

    Those of the middle lines are included from 19 lines on.
    """
    middle_col, middle_row = board.cols // 2, board.rows // 2
    sides = board.cols >= 19 and board.rows >= 19
    for row in _star_lines(board.rows):
        for col in _star_lines(board.cols):
            if sides or (row == middle_row) == (col == middle_col):
                yield row * board.cols + col


def _star_lines(lines: int) -> list[int]:
    edge = 3 if lines >= 13 else 2 if lines >= 8 else None
    star_lines = set() if edge is None else {edge, lines - 1 - edge}
    return sorted(star_lines | ({lines // 2} if lines % 2 and lines >= 5 else set()))


def _draw_coordinates(board: Board, names: PointNames) -> str:
    """Return the columns' labels above the board and the rows' on its left, and both again on the other side.

    The page's scripts name points by them.
    """
    far, low = _drawing_size(board)
    letters = [(MARGIN + CELL * col, LABEL, label) for col, label in enumerate(names.columns)]
    numbers = [(LABEL, MARGIN + CELL * row, label) for row, label in enumerate(names.rows)]
    text = _draw_labels("letters", letters, f'y="{low - 2 * LABEL}"') + _draw_labels(
        "numbers", numbers, f'x="{far - 2 * LABEL}"'
    )
    size = max(LEAST_NAME, max(far, low) * NAME_SHARE)
    css = f'class="names" data-joint="{names.joint}"' if names.joint else 'class="names"'
    return f'<g {css} fill="#5d4520" font-size="{size:.3g}" text-anchor="middle" aria-hidden="true">{text}</g>'


def _draw_labels(name: str, label_places: Sequence[tuple[int, int, str]], distance: str) -> str:
    """Return texts at their places, and the same so far away. Several boards in one page may differ in their lines."""
    text = "".join(
        f'<text x="{x}" y="{y}" dy=".35em">{_draw_label(x, y, label)}</text>' for x, y, label in label_places
    )
    key = f"{KEY}-{name}-{len(label_places)}"
    return f'<g id="{key}">{text}</g><use href="#{key}" {distance}/>'


def _draw_label(x: int, y: int, label: str) -> str:
    """Return a column's or row's label; numerals of several letters stand one above the other, as on printed boards."""
    if label.isascii() or len(label) == 1:
        return label
    size = STACK / len(label)
    top = y - size * (len(label) - 1) / 2
    places = ((letter, top + size * nth) for nth, letter in enumerate(label))
    return "".join(
        f'<tspan x="{x}" y="{letter_y:g}" dy=".35em" font-size="{size:g}">{letter}</tspan>'
        for letter, letter_y in places
    )


def _forbidden_marks(board: Board, points: Iterable[Point]) -> str:
    """Return a square on each forbidden point, as diagrams mark a ko, with a field round it to be tapped."""
    marks = (
        f'<g class="barred" data-point="{board.name(point)}"><rect x="{x - 19}" y="{y - 19}" width="38" height="38" '
        f'fill="#fff" fill-opacity="0"/><rect x="{x - 8}" y="{y - 8}" width="16" height="16" fill="#f3dcb3" '
        f'stroke="#a3271c" stroke-width="3"/></g>'
        for point, (x, y) in ((point, at_point(board, point)) for point in points)
    )
    return "".join(marks)


def _sized_heap(board: Board, colour: Colour, points: Iterable[Point], size: float, opacity: float) -> str:
    return draw_heap(KEY, colour, ((*at_point(board, point), STONE * size) for point in points), opacity)


@lru_cache(32)
def _stone_discs(board: Board) -> tuple[Disc, ...]:
    return tuple((*at_point(board, point), STONE) for point in range(board.points))


def _draw_stones(position: Position) -> str:
    discs = _stone_discs(position.board)
    heaps = (
        draw_heap(KEY, colour, (discs[point] for point in points_of(mask)))
        for colour, mask in zip(COLOURS, position.stones, strict=False)
    )
    return f'<g data-stones="" filter="url(#{KEY}-shadow)">{"".join(heaps)}</g>' if position.occupied else ""


def _draw_numbers(position: Position, numbers: Mapping[Point, int]) -> str:
    """Return a number on each of these stones that still stands."""
    places = [(*at_point(position.board, point), position.colour_at(point), n) for point, n in numbers.items()]
    return "".join(
        f'<text x="{x}" y="{y}" dy=".35em" font-size="{NUMBER[len(str(n)) - 1]}" text-anchor="middle" '
        f'fill="{"#fff" if colour is not Colour.WHITE else "#17191c"}">{n}</text>'
        for x, y, colour, n in places
        if colour is not None
    )


def _laid_stones(position: Position, stones: Iterable[tuple[Colour, Point]]) -> str:
    """Return stones that lie on the table but are no part of the game, faint."""
    board = position.board
    return "".join(draw_heap(KEY, colour, [(*at_point(board, point), STONE)], 0.6) for colour, point in stones)


def _pending_stone(position: Position, marks: Marks) -> str:
    """Return the stone that does not count, or not yet: faint, and crossed out if it has to be taken back."""
    if marks.beside is None:
        return ""
    colour, point = marks.beside
    (x, y), arm = at_point(position.board, point), 13
    ghost = "" if position.occupied >> point & 1 else draw_heap(KEY, colour, [(x, y, STONE)], 0.6)
    cross = f"M{x - arm} {y - arm}L{x + arm} {y + arm}M{x + arm} {y - arm}L{x - arm} {y + arm}"
    return ghost + (_draw_outline(cross, "#d3281c") if marks.refused else "")


def _query_marks(position: Position, marks: Marks) -> str:
    """Return rings round the points that have to be checked: a minus on a stone to lift, a ghost to be put back."""
    board = position.board
    ghosts = (
        draw_heap(KEY, colour, [(*at_point(board, point), STONE)], 0.45)
        for point in marks.on
        if (colour := position.colour_at(point)) is not None
    )
    rings = "".join(
        f"M{x - RING} {y}a{RING} {RING} 0 1 1 {2 * RING} 0a{RING} {RING} 0 1 1 {-2 * RING} 0"
        for x, y in (at_point(board, point) for point in marks.asked)
    )
    bars = "".join(f"M{x - 9} {y}h18" for x, y in (at_point(board, point) for point in marks.off))
    return "".join(ghosts) + (_draw_outline(rings + bars, "#e07b00") if rings else "")


def _proposal_marks(board: Board, marks: Marks) -> str:
    """Return crosses on stones proposed as dead, dashed if that is only likely, and question marks on doubtful ones."""
    arm, crosses = 11, list[str]()
    for css, points in (("proved", marks.proved), ("likely", marks.likely)):
        places = [at_point(board, point) for point in points]
        path = "".join(f"M{x - arm} {y - arm}l{2 * arm} {2 * arm}m0 {-2 * arm}l{-2 * arm} {2 * arm}" for x, y in places)
        dashes = ' stroke-dasharray="3 7"' if css == "likely" else ""
        crosses += [f'<g class="{css}"{dashes}>{_draw_outline(path, "#d3281c")}</g>'] if path else []
    signs = "".join(
        f'<text x="{x}" y="{y + 9}">?</text>' for x, y in (at_point(board, point) for point in marks.uncertain)
    )
    look = 'font-size="26" font-weight="700" text-anchor="middle" stroke="#fff" stroke-width="4" paint-order="stroke"'
    return "".join(crosses) + (f'<g class="uncertain" fill="#a33a00" {look}>{signs}</g>' if signs else "")


def _better_marks(board: Board, points: Iterable[Point]) -> str:
    """Return triangles, as diagrams mark a better move."""
    tops = ((x, y - 12) for x, y in (at_point(board, point) for point in points))
    triangles = "".join(f"M{x} {y}l11 20h-22z" for x, y in tops)
    return _draw_outline(triangles, "#1d5aa6") if triangles else ""


def _draw_outline(path: str, colour: str) -> str:
    """Return a mark that is visible on wood and on stones of any colour."""
    paths = f'<path d="{path}" stroke="#fff" stroke-width="7.5"/><path d="{path}" stroke="{colour}" stroke-width="4"/>'
    return f'<g class="asked" fill="none" stroke-linejoin="round" stroke-linecap="round">{paths}</g>'


def _last_move_mark(position: Position, last: Point | None) -> str:
    colour = None if last is None else position.colour_at(last)
    return "" if last is None or colour is None else last_mark(at_point(position.board, last), colour)


def last_mark(centre: tuple[int, int], colour: Colour) -> str:
    """Return the ring on the newest stone, visible on its colour."""
    (x, y), ink = centre, mark_shade(colour)
    return f'<circle class="last" cx="{x}" cy="{y}" r="8.5" fill="none" stroke="{ink}" stroke-width="3.2"/>'


def mark_shade(colour: Colour) -> str:
    """Return the shade that is visible on stones of this colour."""
    return "#ffffff" if colour in (Colour.BLACK, Colour.VIOLET, Colour.GREEN, Colour.RED) else "#17191c"


SIDE = 120
INSIDE = 49.0
LARGEST_STONE = 13.5
MOST_DRAWN = 150
"""More prisoners than this lie so close that another one would not show; the words give the count."""
_GOLDEN = pi * (3 - sqrt(5))
_APART = 0.77
"""Half the least distance between two seeds, in steps."""


def lid_words(bowls: Bowls, owner: Colour, say: Translator = ENGLISH) -> str:
    """Return a bowl's contents in words: "3 white stones and the ultimate stone", "empty"."""
    parts = [
        labels.count_stones(n, colour, say)
        for colour in COLOURS[: len(bowls.contents)]
        if (n := bowls.count_prisoners(owner, colour))
    ]
    return say.join([*parts, *([say("lid.ultimate")] if bowls.ultimate is owner else [])]) or say("lid.empty")


@lru_cache(64)
def lid_svg(bowls: Bowls, owner: Colour, say: Translator = ENGLISH) -> str:
    """Draw one lid seen from above, with a description in words."""
    key, middle = f"lid-{owner.value}", SIDE / 2
    title = say("lid.title", player=labels.player_name(owner, say))
    lid = (
        f'<circle class="rim" cx="{middle:g}" cy="{middle:g}" r="58" fill="#7b4a2a"/>'
        f'<circle class="dish" cx="{middle:g}" cy="{middle:g}" r="52" fill="#95603a"/>'
    )
    stones = f'<g filter="url(#{key}-shadow)">{_draw_bowl(key, bowls, owner)}</g>'
    opening = svg_start(key, SIDE, SIDE, "lid", title, lid_words(bowls, owner, say))
    return opening + define_shades(key, COLOURS[: len(bowls.contents)]) + lid + stones + "</svg>"


def _draw_bowl(key: str, bowls: Bowls, owner: Colour) -> str:
    prisoners = [
        colour for colour in COLOURS[: len(bowls.contents)] for _ in range(bowls.count_prisoners(owner, colour))
    ]
    ultimate = bowls.ultimate is owner
    places = place_discs(min(len(prisoners), MOST_DRAWN) + ultimate)
    first = places[:1] if ultimate else []
    discs = list(zip(prisoners, places[ultimate:], strict=False))
    heaps = [draw_heap(key, colour, [disc for kind, disc in discs if kind is colour]) for colour in COLOURS]
    return "".join(heaps) + draw_heap(key, owner, first) + "".join(map(_draw_ring, first))


def _draw_ring(disc: Disc) -> str:
    x, y, r = disc
    gold = f'fill="none" stroke="#f2b631" stroke-width="{r / 4.5:.3g}"'
    return f'<circle class="ultimate" cx="{x:.4g}" cy="{y:.4g}" r="{r * 0.62:.4g}" {gold}/>'


def place_discs(count: int) -> list[Disc]:
    """Return that many discs side by side, from the middle outwards like a sunflower's seeds, as large as they fit."""
    if count == 0:
        return []
    step = min(INSIDE / (sqrt(count - 0.5) + _APART), LARGEST_STONE / _APART)
    first, middle = 0.0 if count == 1 else 0.5, SIDE / 2
    outwards = [(step * sqrt(i + first), i * _GOLDEN) for i in range(count)]
    return [(middle + far * cos(angle), middle + far * sin(angle), step * _APART) for far, angle in outwards]


def board_at(
    snapshot: TableSnapshot, game_position: GamePosition, say: Translator = ENGLISH, better: tuple[Point, ...] = ()
) -> str:
    """Draw the board at a position; the present one if the game does not have it. better: see `Marks`."""
    game, say = snapshot.game, say.on(snapshot)
    drawing = counting.after_step(game, game_position.step)
    if drawing is not None:
        return board_svg(drawing.layout.position, Marks(drawing.last), say, drawing)
    entry = then_at(game, game_position)
    if entry is None:
        return board_of_snapshot(snapshot, say)
    return board_svg(entry.position, replace(_marks_then(entry, game_position), better=better), say)


def _marks_then(entry: HistoryEntry, game_position: GamePosition) -> Marks:
    """Return the marks of a past turn: its move, or the placement of a refused one."""
    last = entry.turn.point if isinstance(entry.turn, Placement) else None
    move = entry.tried[game_position.tried - 1].move if game_position.tried else None
    if not isinstance(move, Placement) or move.point < 0:
        return Marks(last)
    return Marks(last, beside=(move.player, move.point), refused=True)
