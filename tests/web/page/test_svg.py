"""Board and lids as drawings, read back as XML."""

from __future__ import annotations

from math import dist
from xml.etree import ElementTree

import pytest

from referee.game.board import Colour, board_of, empty_position
from referee.game.coordinates import Coordinates
from referee.game.prisoners import bowls_of, empty_bowls
from tests.support.referee.table import PlayedTable
from tests.support.web.snapshots import B, W, superko, take_snapshot, ultimate_game, unfinished_table
from web.page.svg import (
    CELL,
    INSIDE,
    MARGIN,
    MOST_DRAWN,
    SIDE,
    Marks,
    board_of_snapshot,
    board_svg,
    lid_svg,
    lid_words,
    marks_of,
    place_discs,
    star_points,
)

SVG = "{http://www.w3.org/2000/svg}"


def parse_svg(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def stones(root: ElementTree.Element, colour: Colour, key: str = "board") -> set[tuple[float, float]]:
    heaps = [group for group in root.iter(f"{SVG}g") if group.get("fill") == f"url(#{key}-{colour.value})"]
    return {(float(c.get("cx", "")), float(c.get("cy", ""))) for heap in heaps for c in heap}


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(("cols", "rows"), [(1, 1), (2, 1), (1, 25), (9, 9), (13, 13), (19, 19), (25, 25), (25, 7)])
def test_boards_of_any_size(cols, rows):
    root = parse_svg(board_svg(empty_position(board_of(cols, rows))))
    assert root.get("viewBox") == f"0 0 {2 * MARGIN + CELL * (cols - 1)} {2 * MARGIN + CELL * (rows - 1)}"
    path = next(root.iter(f"{SVG}path")).get("d", "")
    assert (path.count("h"), path.count("v")) == (rows, cols)
    again = [
        group.get("id")
        for used in root.iter(f"{SVG}use")
        for group in root.iter()
        if used.get("href") == f"#{group.get('id')}"
    ]
    assert len(texts(root)) == cols + rows and again == [f"board-letters-{cols}", f"board-numbers-{rows}"]
    assert not stones(root, B)


def test_boards_of_two_sizes_stand_in_one_page():
    """An evening's report has a board for each game: a page finds the first that has an id."""
    small, large = (parse_svg(board_svg(empty_position(board_of(lines, lines)))) for lines in (9, 19))
    first = {one.get("id"): ElementTree.tostring(one) for one in small.iter() if one.get("id")}
    meant = {one.get("id"): ElementTree.tostring(one) for one in large.iter() if one.get("id")}
    used = {used.get("href", "")[1:] for used in large.iter(f"{SVG}use")}
    assert used and all(first.get(key, meant[key]) == meant[key] for key in used)


def test_names_along_the_sides_leave_out_i():
    names = texts(parse_svg(board_svg(empty_position(board_of(9, 9)))))
    assert names[:9] == list("ABCDEFGHJ")
    assert names[9:] == [str(row) for row in range(9, 0, -1)]


@pytest.mark.parametrize(
    ("coordinates", "columns", "rows"),
    [
        ("A1-I", "ABCDEFGHI", list("987654321")),
        ("1-1", "123456789", list("123456789")),
        ("japanese", "123456789", list("一二三四五六七八九")),
    ],
)
def test_names_along_the_sides_are_those_of_the_sentences(coordinates, columns, rows):
    now = take_snapshot(superko(), coordinates=Coordinates(coordinates))
    names = texts(parse_svg(board_of_snapshot(now)))
    assert (names[:9], names[9:18]) == (list(columns), rows)


def test_long_numerals_stay_between_two_lines():
    now = take_snapshot(PlayedTable(("." * 25,) * 25), coordinates=Coordinates.NUMERALS)
    rows = list(parse_svg(board_of_snapshot(now)).iter(f"{SVG}text"))[25:]
    assert ["".join(row.itertext()) for row in rows][9:12] == ["十", "十一", "十二"]
    for nth, row in enumerate(rows):
        letters = [(float(one.get("y", "")), float(one.get("font-size", ""))) for one in row]
        middle = MARGIN + CELL * nth
        assert all(abs(y - middle) + size / 2 < CELL / 2 for y, size in letters), "".join(row.itertext())


@pytest.mark.parametrize(
    ("cols", "rows", "points"),
    [
        (19, 19, ["D16", "K16", "Q16", "D10", "K10", "Q10", "D4", "K4", "Q4"]),
        (13, 13, ["D10", "K10", "G7", "D4", "K4"]),
        (9, 9, ["C7", "G7", "E5", "C3", "G3"]),
        (5, 5, ["C3"]),
        (4, 4, []),
        (1, 1, []),
    ],
)
def test_star_points(cols, rows, points):
    board = board_of(cols, rows)
    assert [board.name(point) for point in star_points(board)] == points


def test_the_stones_stand_where_they_stand():
    table = ultimate_game()
    position, root = table.referee.record.position, parse_svg(board_of_snapshot(take_snapshot(table)))
    for colour in (B, W):
        names = {
            position.board.name(round((y - MARGIN) / CELL) * 9 + round((x - MARGIN) / CELL))
            for x, y in stones(root, colour)
        }
        assert names == set(position.board.names(position.stones_of(colour)))
    mark = next(c for c in root.iter(f"{SVG}circle") if c.get("class") == "last")
    assert (mark.get("cx"), mark.get("cy")) == (str(MARGIN + 4 * CELL), str(MARGIN + 5 * CELL))


def test_a_screen_reader_is_told_the_position():
    root = parse_svg(board_of_snapshot(take_snapshot(superko())))
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert title is not None and root.get("aria-labelledby") == title.get("id")
    assert description is not None and root.get("aria-describedby") == description.get("id")
    assert title.text == "Go board, 9 by 9"
    assert "Black: B9, A8, B7." in (description.text or "")
    assert "Refused: Black at C8. To be corrected: B8." in (description.text or "")


def test_an_illegal_stone_is_crossed_out_and_its_prisoners_are_marked():
    table = superko()
    marks = marks_of(take_snapshot(table))
    point = table.board.point
    assert marks == Marks(point("B8"), (point("B8"),), (B, point("C8")), refused=True, on=(point("B8"),))
    assert board_of_snapshot(take_snapshot(table)).count("<path") == 1 + 2 + 2


def test_stones_to_put_back_and_to_lift_are_marked():
    back, off = (board_of_snapshot(take_snapshot(table)) for table in (superko(), unfinished_table()))
    assert 'opacity="0.45"' in back and 'opacity="0.45"' not in off
    minus = [f"M{MARGIN + CELL * col - 9} {MARGIN + CELL * 2}h18" for col in (2, 3)]
    assert all(one in off for one in minus) and "h18" not in back


def test_an_unfinished_turns_points_are_marked():
    table = unfinished_table()
    point = table.board.point
    captured = (point("C7"), point("D7"))
    assert marks_of(take_snapshot(table)) == Marks(None, captured, (B, point("E7")), off=captured)
    assert 'opacity="0.6"' in board_of_snapshot(take_snapshot(table))


def test_the_last_move_is_not_marked_after_a_delay():
    table = ultimate_game()
    assert marks_of(take_snapshot(table)).last is not None
    table.lid(W, B, -1).done(W)
    assert table.referee.record.number == 9
    assert marks_of(take_snapshot(table)) == Marks()


def test_boards_of_more_colours():
    position = empty_position(board_of(5), players=6)
    for point, colour in enumerate(Colour):
        position = position.with_stones(colour, 1 << point)
    root = parse_svg(board_svg(position, Marks(last=5)))
    assert all(len(stones(root, colour)) == 1 for colour in Colour)


# Lids


def test_the_words_on_a_lid():
    bowls = bowls_of({"B": {"W": 3}, "W": {"B": 1}}).with_ultimate(W)
    assert lid_words(bowls, B) == "3 white stones"
    assert lid_words(bowls, W) == "one black stone and the ultimate stone"
    assert lid_words(empty_bowls().with_ultimate(B), B) == "the ultimate stone"
    assert lid_words(empty_bowls(), W) == "empty"


def test_a_lid_holds_its_prisoners_and_the_ultimate_stone_in_a_ring():
    bowls = bowls_of({"B": {"W": 3}, "W": {"B": 12}}).with_ultimate(W)
    root = parse_svg(lid_svg(bowls, W))
    assert len(stones(root, B, "lid-W")) == 12
    assert len(stones(root, W, "lid-W")) == 1
    assert [c.get("class") for c in root.iter(f"{SVG}circle")].count("ultimate") == 1
    other = parse_svg(lid_svg(bowls, B))
    assert len(stones(other, W, "lid-B")) == 3
    assert "ultimate" not in [c.get("class") for c in other.iter(f"{SVG}circle")]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 19, 60, 150])
def test_stones_in_a_lid_lie_inside_it_and_apart(count):
    places = place_discs(count)
    middle = (SIDE / 2, SIDE / 2)
    assert all(dist(middle, (x, y)) + r <= INSIDE + 0.01 for x, y, r in places)
    apart = [dist(a[:2], b[:2]) - a[2] - b[2] for i, a in enumerate(places) for b in places[:i]]
    assert min(apart, default=0) >= -0.01


def test_a_lid_of_very_many_stones_is_told_in_words():
    bowls = bowls_of({"B": {"W": 400}})
    assert len(stones(parse_svg(lid_svg(bowls, B)), W, "lid-B")) == MOST_DRAWN
    assert lid_words(bowls, B) == "400 white stones"
