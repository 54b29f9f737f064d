"""The board while stones are named dead and in the course of a count: dead stones, points and what each step moves."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from selenium import webdriver

from referee.game.board import Colour
from referee.game.prisoners import bowls_of
from referee.score.methods import Agreed, count, find_layout
from referee.table.display_state import TableSnapshot
from referee.table.events import Agree, Disagree, Propose
from referee.table.snapshot import Counting, Stage
from tests.support.play import play_turns, start_game
from tests.support.referee.table import PlayedTable
from tests.support.tiers import LONG
from tests.support.web.browser import DESKTOP, choose_theme, resize
from tests.support.web.snapshots import Box, begun_table, expedited_snapshot, passed_out, take_snapshot
from tests.support.web.snapshots import counted_table as counted_table
from web.app import create_app
from web.language import ENGLISH
from web.page import counting
from web.page.model import PageModel
from web.page.navigation import GamePosition, steps_of
from web.page.svg import CELL, MARGIN, board_at, board_of_snapshot
from web.page_server import serve_page

B, W = Colour.BLACK, Colour.WHITE
SVG = "{http://www.w3.org/2000/svg}"
WALL = (".OX.XO.", "..XXXO.", "XXX.XO.", "XX.XO.O", ".XXXOO.")
"""B5 is dead."""


def parse_svg(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def count_circles(root: ElementTree.Element, css: str) -> int:
    return sum(
        len(list(one.iter(f"{SVG}circle"))) for one in root.iter(f"{SVG}g") if css in one.get("class", "").split()
    )


def marked_points(root: ElementTree.Element, cols: int, rows: int) -> dict[str, set[str]]:
    """The points that are marked, by owner's letter."""
    points_by_owner: dict[str, set[str]] = {}
    for path in root.iter(f"{SVG}path"):
        if "owned" in path.get("class", "").split():
            corners = re.findall(r"M([0-9.]+) ([0-9.]+)", path.get("d", ""))
            at = [((float(x) + 6.5 - MARGIN) / CELL, (float(y) + 6.5 - MARGIN) / CELL) for x, y in corners]
            names = {f"{'ABCDEFGHJ'[round(col)]}{rows - round(row)}" for col, row in at}
            points_by_owner.setdefault(path.get("data-owner", ""), set()).update(names)
    return points_by_owner


def described(root: ElementTree.Element) -> str:
    return root.findtext(f"{SVG}desc") or ""


def name_dead(table: PlayedTable, *points: str) -> TableSnapshot:
    table.say(Propose, B, table.dead(*points))
    return take_snapshot(table)


def wall_counted() -> TableSnapshot:
    """Chinese rules, with B5 named and agreed to."""
    table = PlayedTable(WALL, rules="chinese", refereed=True, black_side=1)
    table.look()
    table.play("B pass", "W pass")
    name_dead(table, "B5")
    table.say(Agree, W)
    return take_snapshot(table)


def test_named_stones_are_faint_with_the_mark_of_who_gets_them():
    table = PlayedTable(WALL, rules="chinese", refereed=True, black_side=1)
    table.look()
    table.play("B pass", "W pass")
    plain = parse_svg(board_at(take_snapshot(table), GamePosition()))
    assert count_circles(plain, "dead") == 0 and not marked_points(plain, 7, 5)
    root = parse_svg(board_at(name_dead(table, "B5"), GamePosition()))
    assert count_circles(root, "dead") == 1
    assert marked_points(root, 7, 5) == {
        "B": {"A5", "A4", "B5", "B4", "D5", "D3", "A1", "C2"},
        "W": {"G5", "G4", "G3", "F2", "G1"},
    }
    assert "White, dead: B5." in described(root) and "Points for White: G5, G4, G3, F2, G1." in described(root)
    table.say(Disagree, W)
    assert not marked_points(parse_svg(board_at(take_snapshot(table), GamePosition())), 7, 5)


def test_a_proposal_without_dead_stones_shows_whose_the_points_are():
    root = parse_svg(board_of_snapshot(name_dead(passed_out())))
    assert count_circles(root, "dead") == 0
    assert {owner: len(points) for owner, points in marked_points(root, 5, 5).items()} == {"B": 5, "W": 10}


def test_an_area_count_marks_the_dead_then_black_then_white():
    now = wall_counted()
    steps = [parse_svg(board_at(now, GamePosition(step=number))) for number in range(1, 4)]
    assert [{who: len(points) for who, points in marked_points(root, 7, 5).items()} for root in steps] == [
        {"B": 1},
        {"B": 8},
        {"B": 8, "W": 5},
    ]
    assert "No points for White." in described(steps[1])


def test_each_step_of_an_expedited_count_is_played_on_the_board():
    now = expedited_snapshot()
    done = now.game.counting.count
    assert done is not None
    placed = [number for number, step in enumerate(done.steps, 1) if step.point is not None]
    assert len(placed) > 3
    for number in placed:
        root, before = (parse_svg(board_at(now, GamePosition(step=step))) for step in (number, number - 1))
        point = done.steps[number - 1].point
        assert point is not None and count_circles(root, "comes") == 1
        name = now.game.position.board.name(point)
        assert f"Put down in this step: {name}." in described(root) and f"Last move: {name}." in described(root)
        assert not any(name in points for points in marked_points(root, 7, 5).values())
        assert number == 1 or len(list(before.iter(f"{SVG}circle"))) < len(list(root.iter(f"{SVG}circle")))


def test_dead_stones_that_a_step_lifts_leave_the_board():
    record = play_turns(start_game("ultimate", *WALL, to_play="W"), "W delay")
    agreed = Agreed(record.position.board.mask(["B5"]))
    game = replace(
        take_snapshot(begun_table()).game,
        position=record.position,
        counting=Counting(stage=Stage.AGREED, count=count(record, agreed), layout=find_layout(record, agreed)),
    )
    boards = [counting.after_step(game, number) for number in range(1, steps_of(game) + 1)]
    lifted_boards = [board for board in boards if board is not None and board.lifted_points.occupied]
    assert len(lifted_boards) == 1
    root = parse_svg(
        board_at(
            replace(take_snapshot(begun_table()), game=game), GamePosition(step=boards.index(lifted_boards[0]) + 1)
        )
    )
    assert (
        count_circles(root, "leaves") == 1
        and count_circles(root, "dead") == 0
        and "Removed in this step: B5." in described(root)
    )


def test_the_page_steps_through_the_count_without_a_script():
    client = create_app(Box(take_snapshot(counted_table())).backend).test_client()
    text = client.get("/?step=2").get_data(as_text=True)
    assert 'href="?step=2" data-place aria-current="true"' in text and "Count, step 2 of 4" in text
    assert 'href="?step=1" data-go="back"' in text and 'href="?step=3" data-go="on"' in text
    assert 'href="?step=1" data-go="on"' in client.get("/").get_data(as_text=True)
    assert 'href="./" data-go="back"' in client.get("/?step=1").get_data(as_text=True)
    assert client.get("/board.svg?step=1").status_code == 200


def test_other_programs_are_told_whose_the_points_are():
    box = Box(take_snapshot(passed_out()))
    client = create_app(box.backend).test_client()
    assert client.get("/status.json").json["counting"]["territory"] == {}
    box.show(replace(wall_counted(), number=2))
    territory = client.get("/status.json").json["counting"]["territory"]
    assert territory["W"] == ["G5", "G4", "G3", "F2", "G1"] and "B5" in territory["B"]


@pytest.mark.parametrize("step", ["0", "5", "x", "-1", ""])
@pytest.mark.parametrize("address", ["/", "/board.svg"])
def test_steps_that_the_count_has_not(address, step):
    client = create_app(Box(take_snapshot(counted_table())).backend).test_client()
    answer = client.get(address, query_string={"step": step})
    assert (answer.status_code, answer.get_data(as_text=True)) == (404, ENGLISH("http.no-step") + "\n")


def test_without_a_count_the_board_is_shown_as_it_stands():
    now = take_snapshot(begun_table())
    assert steps_of(now.game) == 0 and board_at(now, GamePosition(step=3)) == board_of_snapshot(now)


@LONG
@pytest.mark.parametrize("still", [False, True])
def test_stones_fly_in_unless_nothing_is_to_move(chromium: webdriver.Chrome, still: bool):
    with serve_page(create_app(Box(expedited_snapshot()).backend), port=0) as served:
        resize(chromium, DESKTOP)
        choose_theme(chromium, "light", still)
        chromium.get(f"{served.url}?step=1")
        moves = chromium.execute_script(
            "return getComputedStyle(document.querySelector('.comes circle')).animationName"
        )
        choose_theme(chromium, "light")
        assert moves == ("none" if still else "comes")


def test_the_lids_are_those_of_the_step():
    rows = ("XX.XO.O",) * 4 + (".XXXOO.",)
    record = play_turns(
        start_game("ultimate", *rows, to_play="W", bowls=bowls_of({"B": {"W": 2}, "W": {"B": 3}})), "W delay"
    )
    done = count(record, Agreed())
    delays = [number for number, step in enumerate(done.steps, 1) if step.act == "delay"]
    game = replace(
        take_snapshot(begun_table()).game, position=record.position, bowls=record.bowls, counting=Counting(count=done)
    )
    now = replace(take_snapshot(begun_table()), game=game)
    lids = [
        [player.lid_words for player in PageModel(now, at=GamePosition(step=step)).players] for step in (0, *delays)
    ]
    assert len(delays) > 2 and len({str(lid) for lid in lids}) == len(lids)
