"""What is to be understood in one second: whose turn, what to do, and whether what is seen is of now."""

from __future__ import annotations

import pytest

from tests.support.tiers import LONG, sample
from tests.support.web.browser import DESKTOP, PHONE
from tests.support.web.showings import B, begun, box, running, showing, ultimate_game
from tests.support.web.visit import Visit
from web.app import create_app
from web.server import serve

pytestmark = pytest.mark.slow

SIDEWAYS = (844, 390)
SIZES = {"phone": PHONE, "desktop": DESKTOP, "side": SIDEWAYS, "small": (667, 375)}
WINDOWS = pytest.mark.parametrize("size", sample([pytest.param(size, id=name) for name, size in SIZES.items()], 1))


def background(visit: Visit, selector: str) -> str:
    script = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    return str(visit.browser.execute_script(script, selector))


def passed(visit: Visit, seconds: float) -> None:
    """Wait until so much time has gone by in the browser."""
    since = visit.browser.execute_script("return performance.now()")
    visit.until(lambda: visit.browser.execute_script("return performance.now()") - since > 1000 * seconds)


@WINDOWS
def test_the_whole_board_and_the_order_are_in_the_window(visit, size):
    visit.open(size)
    for part in (".board", ".banner", ".players"):
        found = visit.one(part).rect
        assert found["x"] >= 0 and found["x"] + found["width"] <= size[0], part
        assert found["y"] + found["height"] <= size[1] or part == ".players", part
    assert visit.one(".board").rect["height"] > 0.38 * size[1]


@WINDOWS
def test_whose_turn_it_is_does_not_need_a_word_or_a_hue(visit, size):
    visit.open(size)
    assert visit.count(".banner .big.W") == 1 and visit.count(".player.mover .stone.W") == 1
    white = background(visit, ".banner")
    table = ultimate_game().play("W D2")
    visit.shown.show(showing(table, number=9))
    visit.until(lambda: visit.count(".banner .big.B") == 1)
    assert visit.count(".player.mover .stone.B") == 1
    assert (white, background(visit, ".banner")) == ("rgb(255, 255, 255)", "rgb(23, 25, 28)")


@LONG
def test_a_stone_that_is_no_part_of_the_game_is_drawn(visit):
    visit.open()
    table = begun().put(B, "J9", "A1")
    table.done(B)
    visit.shown.show(showing(table, number=9))
    visit.until(lambda: visit.text("h1") == "Please take J9 and A1 off.")
    assert visit.count("#board g[opacity='0.6'] circle") == 2
    assert "Black at J9" in visit.browser.execute_script("return document.querySelector('#board desc').textContent")


def test_without_contact_every_number_stands_and_the_page_says_since_when(chromium):
    shown = box(running(), number=3)
    shown.health = {"ok": True, "seconds": 17.0}
    with serve(create_app(shown.desk), port=0) as served:
        visit = Visit(chromium, shown, served).open()
        visit.until(lambda: visit.text(".clock.running .time") < "0:45")
        served.close()
        visit.until(lambda: visit.link == "lost")
    time = visit.text(".clock.running .time")
    passed(visit, 2.2)
    assert visit.text(".clock.running .time") == time, "the clock ran on without the box"
    assert visit.text("#lost").startswith("No contact with the box since ") and ":" in visit.text("#lost")
    chromium.get("about:blank")


@LONG
def test_where_the_reader_is_stays_when_the_game_goes_on(visit):
    visit.open()
    table = ultimate_game()
    visit.browser.execute_script("document.querySelector('[data-go=first]').focus()")
    visit.one("#said summary").click() if visit.count("#said") else None
    for number, turn in enumerate(("W D2", "B D3"), 9):
        visit.shown.show(showing(table.play(turn), number=number))
        visit.until(lambda number=number: visit.text("#where") == f"Turn {number} of {number}")
    assert visit.browser.execute_script("return document.activeElement.dataset.go") == "first"


@LONG
def test_the_title_names_the_game(visit):
    visit.shown.now = showing(ultimate_game(), 8, names=("Ann", "Bea"))
    visit.open()
    assert visit.browser.title == "White: play, then press done. · Ann – Bea · shinpan"
    assert visit.text(".about") == "Ultimate Go"
