"""The gallery: what it makes of public news, how long others may keep it, and that it follows the news in a browser."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from referee import Coordinates, GameRecord, Placement, PointNames, judge, legal_placements, points_of, rows_of
from referee.sgf.annotations import RefusedMove, SgfAnnotations
from referee.sgf.records import write_sgf
from tests.support.play import start_game
from tests.support.tiers import LONG, is_long_run, sample
from tests.support.waiting import PATIENCE_S
from tests.support.web.browser import PHONE, resize, until
from tests.support.web.public import BOARD, RECORD, news, room_of
from web.gallery.app import create_gallery_app
from web.gallery.publication import Exhibition, LastBoardNews, RecordNews, ResultNews, Room
from web.page_server import serve_page

RESULT = ResultNews("1", "00001_a", ("Ada", "Ben <b>"), "B+R")


def client(*news_items):
    return create_gallery_app(room_of(*news_items)).test_client()


def test_news_counts_once_and_in_order():
    first, second = news(1, BOARD), news(2, RESULT)
    after = Exhibition().with_news(first).with_news(second)
    assert after.with_news(first) is after and after.with_news(second) is after
    assert (after.number, after.tables["7"].result) == (2, "B+R")


def test_a_hall_that_lost_its_journal_begins_anew():
    after = Exhibition().with_news(news(5, BOARD)).with_news(news(1, BOARD, table="8", hall="other"))
    assert set(after.tables) == {"8"} and after.number == 1


def test_a_result_is_that_of_the_game_on_the_board():
    other = ResultNews("2", "00002_b", ("Eve", "Dan"), "W+0.5")
    after = room_of(news(1, BOARD), news(2, other)).public_state()
    assert after.tables["7"].result is None and len(after.results) == 1


def test_who_waits_is_told_of_news():
    room = Room("Spring Cup")
    before = room.public_state()
    assert room.wait(before, 0.0) is before
    room.take(news(1, BOARD))
    assert room.wait(before, PATIENCE_S).number == 1


def test_a_version_that_never_was_is_not_there():
    answer = client(news(1, BOARD)).get("/live/tiles/en/0000000000000000.html")
    assert answer.status_code == 404 and answer.headers["Cache-Control"] == "no-store"
    assert answer.get_data(as_text=True).count("\n") == 1


@pytest.mark.parametrize("path", ["/live/index.json", "/live/7.sgf", "/live/round.sgf", "/en/"])
def test_what_is_known_is_not_sent_again(path):
    asking = client(news(1, BOARD), news(2, RECORD))
    first = asking.get(path)
    assert first.status_code == 200 and "max-age" in first.headers["Cache-Control"]
    assert asking.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_the_records_of_the_newest_round_are_one_file():
    older = type(RECORD)("9", "00001_b", "(;FF[4]C[old])")
    newer = type(RECORD)("10", "00001_c", "(;FF[4]C[new])")
    news_items = [news(1, RECORD), news(2, older, table="8"), news(3, newer, table="9")]
    text = client(*news_items, news(4, newer, table="10")).get("/live/round.sgf").get_data(as_text=True)
    assert text.count("C[new]") == 2 and "C[old]" not in text and RECORD.sgf not in text


def test_a_table_may_have_any_name():
    asking = client(news(1, RECORD, table="A/1 ü"))
    (table,) = asking.get("/live/index.json").get_json()["tables"]
    assert asking.get("/" + table["record"]).get_data(as_text=True) == RECORD.sgf


def test_the_page_speaks_as_its_address_or_the_browser_does():
    asking = client(news(1, BOARD))
    assert 'lang="de"' in asking.get("/", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert 'lang="ja"' in asking.get("/ja/", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "15 minutes later" in asking.get("/en/").get_data(as_text=True)
    assert "later" not in client(news(1, BOARD, delay=0.0)).get("/en/").get_data(as_text=True)


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_nothing_can_be_sent(method):
    assert getattr(client(), method)("/live/index.json").status_code == 405


def test_a_result_has_its_board_when_that_is_public():
    final = ResultNews("1", BOARD.game, BOARD.players, "B+3", 1_790_503_200.0, "chinese", 62)
    room = room_of(news(1, final))
    asking = create_gallery_app(room).test_client()
    (result,) = asking.get("/live/index.json").get_json()["results"]
    assert (result["rules"], result["turns"], result["board"]) == ("chinese", 62, None)
    room.take(news(2, LastBoardNews(BOARD.game, BOARD.rows, BOARD.last_move)))
    room.take(news(3, msgspec.structs.replace(BOARD, game="00002_b")))
    (result,) = asking.get("/live/index.json").get_json()["results"]
    board = asking.get(f"/{result['board']}")
    assert board.mimetype == "image/svg+xml" and "immutable" in board.headers["Cache-Control"]
    assert asking.get("/live/last/none.svg").status_code == 404


# In a browser


@pytest.mark.slow
@pytest.mark.parametrize(("code", "draw", "void"), sample([("en", "Draw", "Void"), ("ja", "持碁", "無勝負")], 1))
def test_the_list_of_results_says_draw_and_void_in_words(code, draw, void, chromium):
    finals = [ResultNews("1", f"0000{n}_a", BOARD.players, result) for n, result in enumerate(("0", "Void", "B+3"), 1)]
    with serve_page(create_gallery_app(room_of(*(news(n, one) for n, one in enumerate(finals, 1)))), port=0) as served:
        chromium.get(f"{served.url}{code}/")
        until(chromium, lambda: len(chromium.find_elements(By.CSS_SELECTOR, "#results tbody tr")) == 3)
        cells = chromium.find_elements(By.CSS_SELECTOR, "#results .outcome")
        assert [cell.text for cell in cells] == ["B+3", void, draw]
        chromium.get("about:blank")


@LONG
def test_a_phone_shows_results_without_scrolling_them_sideways(chromium):
    final = ResultNews("3", BOARD.game, ("Maria Sokolowska-Vandenberghe", "Ben Okafor-Lindqvist"), "B+R")
    with serve_page(create_gallery_app(room_of(news(1, final))), port=0) as served:
        resize(chromium, PHONE)
        chromium.get(f"{served.url}en/")
        results = chromium.find_element(By.ID, "results")
        until(chromium, lambda: "Vandenberghe – Ben Okafor-Lindqvist" in results.text)
        assert chromium.execute_script("return arguments[0].scrollWidth - arguments[0].clientWidth", results) == 0
        first = chromium.find_element(By.CSS_SELECTOR, "#results .round")
        content = chromium.execute_script("return getComputedStyle(arguments[0], '::before').content", first)
        assert content.replace('"', "").split() == ["Round"] and first.text == "3"
        chromium.get("about:blank")


STONES = """
const rows = 9;
const board = Array.from({ length: rows }, () => Array(rows).fill('.'));
for (const stone of document.querySelectorAll('#board g > g > circle[r="19"]')) {
  const [x, y] = ['cx', 'cy'].map((name) => (stone.getAttribute(name) - 50) / 40);
  board[y][x] = stone.parentNode.getAttribute('fill').endsWith('-B)') ? 'X' : 'O';
}
return board.map((row) => row.join(''))"""


def game_with_captures(chance: Random, turns: int) -> list[GameRecord]:
    """The records after each turn of a game of legal placements at random, the first before any."""
    records = [start_game("chinese", *["." * 9] * 9)]
    while len(records) <= turns:
        legal = list(points_of(legal_placements(records[-1])))
        after = judge(records[-1], Placement(records[-1].to_play, chance.choice(legal))).after
        assert after is not None
        records.append(after)
    return records


@pytest.mark.slow
def test_a_board_opens_as_a_game_that_can_be_stepped_through(chromium):
    records = game_with_captures(Random(45), 89 if is_long_run() else 44)
    newest = records[-1]
    refused = RefusedMove(records[30].turn, "refused", "not this one")
    record = write_sgf(records[-1], "Ada", "Ben", SgfAnnotations(tried={10: (refused,)}))
    rows = rows_of(newest.position)
    board = msgspec.structs.replace(BOARD, rows=rows, last_move=None, turn=newest.number, coordinates="1-1")
    room = room_of(news(1, board), news(2, RecordNews("1", BOARD.game, record.decode())), news(3, BOARD, table="8"))
    assert any(len(list(points_of(one.position.occupied))) < one.number for one in records)
    with serve_page(create_gallery_app(room), port=0) as served:
        resize(chromium, PHONE)
        chromium.get_log("browser")
        chromium.get(served.url)
        # A tile that comes later moves those beside it, from under a tap too.
        tiles = ".tile .open"
        until(chromium, lambda: len(chromium.find_elements(By.CSS_SELECTOR, tiles)) == 2)
        chromium.find_element(By.CSS_SELECTOR, tiles).click()
        until(chromium, lambda: chromium.find_elements(By.CSS_SELECTOR, "#turns [aria-current]"))
        assert chromium.execute_script(STONES) == list(rows)
        first = chromium.find_element(By.CSS_SELECTOR, "#turns button").text
        (point,) = newest.position.board.names(records[1].position.occupied)
        assert first == f"1 {PointNames(newest.position.board, Coordinates.FIGURES).by_name[point]}"
        for turn in range(newest.number - 1, -1, -1):
            chromium.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_LEFT)
            assert chromium.execute_script(STONES) == list(rows_of(records[turn].position)), turn
        assert chromium.find_element(By.ID, "at").text == f"Turn 0 of {newest.number}"
        assert "12:34" in chromium.find_element(By.ID, "tile").text
        assert chromium.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        chromium.find_element(By.CSS_SELECTOR, "[rel=next]").click()
        until(chromium, lambda: chromium.find_element(By.TAG_NAME, "h1").text == "Table 8")
        assert chromium.get_log("browser") == []
        chromium.get("about:blank")


def test_a_table_that_is_not_shown_has_no_page():
    asking = client(news(1, BOARD, table="A/1 ü"))
    assert asking.get("/en/table/A/1 ü").status_code == 200
    assert asking.get("/en/table/7").status_code == 404
