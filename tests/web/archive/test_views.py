"""Kept games on the page: searched, replayed, on paper, and for directors with what the camera saw."""

from __future__ import annotations

import base64
import io
import re
import shutil
import zipfile
from dataclasses import replace
from itertools import product

import pytest
from flask.testing import FlaskClient
from selenium.webdriver.common.by import By

from device.table.game_library import show_game
from referee.game.game_info import GameInfo
from referee.game.messages import message
from tests.support import ROOT
from tests.support.tiers import LONG, sample
from tests.support.web.browser import PHONE, resize, until
from tests.support.web.snapshots import Box, counted_table, random_game, superko, take_snapshot, ultimate_game
from web.app import create_app
from web.archive.views import MOST_TOGETHER
from web.backend import Listed, Replay
from web.language import ENGLISH, find_translator
from web.page_config import PageIdentity
from web.page_server import serve_page

NAME = "00002_2026-05-02T09-30-00"
GAMES = (
    Listed("00004_2026-05-04T10-00-00", "2026-05-04", "ultimate", ("Ann", "Ben"), "Spring Open", "3", "12", "B+R"),
    Listed("00003_2026-05-03T10-00-00", "2026-05-03", "chinese", ("Änne", "Carl"), "", "", "", "W+0.5"),
    Listed("00002_2026-05-03T09-00-00", "2026-05-03", "chinese", ("Dora", "Ann"), "Spring Open", "Final", "", "0"),
    Listed("00001_1970-01-01T00-00-41", "", "", ("", ""), "", "", "", ""),
)


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """The demo's game, replayed from its journal."""
    journal = tmp_path_factory.mktemp("kept") / f"{NAME}.journal"
    shutil.copy(ROOT / "tests" / "data" / "journals" / "demo.journal", journal)
    return show_game(journal)


def client_of(replay: Replay | None = None) -> FlaskClient:
    box = Box(take_snapshot(ultimate_game()), games={NAME: b"(;FF[4])"}, replays={NAME: replay} if replay else {})
    return create_app(box.backend, PageIdentity(address="http://192.168.1.20:8000/")).test_client()


def listed_client() -> FlaskClient:
    backend = replace(Box(take_snapshot(ultimate_game())).backend, listed=lambda: GAMES)
    return create_app(backend).test_client()


def test_the_games_of_a_search_come_in_one_file():
    records = {game.name: f"(;FF[4]GN[{game.name}])".encode() for game in GAMES[1:]} | {GAMES[0].name: b'{"turn": 1}'}
    client = create_app(
        replace(Box(take_snapshot(ultimate_game()), games=records).backend, listed=lambda: GAMES)
    ).test_client()
    assert 'href="/games.zip?name=ann&amp;page=1"' in client.get("/games?name=ann").get_data(as_text=True)
    answer = client.get("/games.zip?name=ann")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        read = {name: archive.read(name) for name in archive.namelist()}
    assert read == {f"{GAMES[0].name}.jsonl": b'{"turn": 1}', f"{GAMES[2].name}.sgf": records[GAMES[2].name]}
    assert client.get("/games.zip?name=zz").status_code == 404


def test_more_games_than_one_file_holds_are_refused():
    games = [Listed(f"{number:05}_2026-05-04T10-00-00", "2026-05-04") for number in range(MOST_TOGETHER + 1)]
    client = create_app(replace(Box(take_snapshot(ultimate_game())).backend, listed=lambda: games)).test_client()
    answer = client.get("/games.zip")
    assert (answer.status_code, answer.get_data(as_text=True)) == (
        400,
        "One file holds 200 games at most. Choose a day.\n",
    )
    assert "games.zip" not in client.get("/games").get_data(as_text=True)


def test_the_list_is_searched_without_a_script():
    client = listed_client()
    text = client.get("/games").get_data(as_text=True)
    assert '<form class="search"' in text and "4 games" in text and "Ann (Black) – Ben (White)" in text
    assert 'href="/games/00004_2026-05-04T10-00-00/"' in text and 'href="/games/00004_2026-05-04T10-00-00.sgf"' in text
    one = client.get("/games?result=white&name=carl").get_data(as_text=True)
    assert "1 game<" in one and "White wins by half a point" in one and "Ben" not in one
    assert "No such game has been kept." in client.get("/games?name=zz").get_data(as_text=True)
    assert client.get("/games.json?rules=ultimate").get_json() == {"games": ["00004_2026-05-04T10-00-00"]}


def test_what_is_asked_for_is_not_taken_for_markup():
    text = listed_client().get("/games", query_string={"name": '"><script>'}).get_data(as_text=True)
    assert "<script>" not in text and "&#34;&gt;&lt;script&gt;" in text


def test_a_kept_game_is_on_the_page_with_all_its_turns(replay):
    client = client_of(replay)
    assert client.get(f"/games/{NAME}").headers["Location"].endswith(f"/games/{NAME}/")
    text = client.get(f"/games/{NAME}/").get_data(as_text=True)
    assert "The game is drawn" in text and "2026-11-22" in text and 'href="?turn=9"' in text
    assert 'href="?turn=9&amp;tried=1"' in text and "superko" in text
    assert "page.js" not in text and "http-equiv" not in text and "press DONE" not in text
    assert f'href="/games/{NAME}/sheet"' in text and f'href="/games/{NAME}.sgf"' in text
    earlier = client.get(f"/games/{NAME}/?turn=9").get_data(as_text=True)
    assert "Turn 9 of 33" in earlier
    board = client.get(f"/games/{NAME}/board.svg?turn=9")
    assert board.mimetype == "image/svg+xml" and "E3" in board.get_data(as_text=True)
    parts = client.get(f"/games/{NAME}/parts?turn=9&tried=1").get_data(as_text=True)
    assert 'data-live="board"' in parts and 'data-live="moves"' not in parts


def test_thinking_time_is_drawn_where_each_turn_was_played():
    game = take_snapshot(random_game(20), archive_name="1")
    client = create_app(replace(Box(game).backend, replay={"1": Replay(game)}.get)).test_client()
    assert "Thinking time" in client.get("/games/1/").get_data(as_text=True)
    svg = client.get("/games/1/heat.svg").get_data(as_text=True)
    discs = re.findall(r'<circle cx="(\d+)" cy="(\d+)" r="([\d.]+)"/>', svg.partition('fill="#e0392f"')[2])
    timed = [then for then in game.game.past.thens if then.spent]
    assert len(discs) == len(timed)
    longest = max(timed, key=lambda then: then.spent or 0)
    assert f"Most time was taken for turn {longest.number}," in svg and max(float(r) for *_, r in discs) == 14
    areas = {float(r) ** 2 for *_, r in discs}
    assert min(areas) / max(areas) == pytest.approx(min(t.spent or 0 for t in timed) / (longest.spent or 1), rel=0.05)


def test_a_game_is_fetched_as_an_animated_picture(replay):
    backend = Box(take_snapshot(ultimate_game()), replays={NAME: replay}).backend
    client = create_app(replace(backend, film={NAME: b"RIFF"}.get)).test_client()
    assert f'href="/games/{NAME}/film.webp"' in client.get(f"/games/{NAME}/").get_data(as_text=True)
    answer = client.get(f"/games/{NAME}/film.webp")
    assert (answer.mimetype, answer.data) == ("image/webp", b"RIFF")
    assert client.get("/games/none/film.webp").status_code == 404


def test_a_game_in_the_list_has_its_last_position_by_a_lasting_address():
    listed = [Listed(NAME, stamp="1f-2")]
    backend = replace(
        Box(take_snapshot(ultimate_game())).backend, listed=lambda: listed, thumbnail={NAME: "<svg/>"}.get
    )
    client = create_app(backend).test_client()
    for code, alt in (("en", "Last position"), ("de", "Letzte Stellung"), ("ja", "最終局面")):
        text = client.get("/games", headers={"Accept-Language": code}).get_data(as_text=True)
        picture = re.search(r"<img [^>]*loading[^>]*>", text)
        assert picture is not None and f'alt="{alt}"' in picture[0] and 'g="lazy"' in picture[0]
        assert 'width="56" height="56"' in picture[0] and f'src="/games/{NAME}/small.svg?v=1f-2"' in picture[0]
    for address, is_kept in ((f"/games/{NAME}/small.svg?v=1f-2", True), (f"/games/{NAME}/small.svg", False)):
        answer = client.get(address)
        assert (answer.mimetype, answer.get_data(as_text=True)) == ("image/svg+xml", "<svg/>")
        assert ("immutable" in answer.headers["Cache-Control"]) is is_kept
    assert client.get("/games/none/small.svg?v=1").status_code == 404


@pytest.mark.parametrize("place", ["?turn=34", "?turn=x", "?step=1", "?turn=9&tried=9"])
def test_places_that_a_kept_game_has_not(replay, place):
    for part in ("", "parts", "board.svg"):
        assert client_of(replay).get(f"/games/{NAME}/{part}{place}").status_code == 404


@pytest.mark.parametrize(
    ("name", "part"),
    sample(product(["2026", "%2e%2e", "%00", "*", "x" * 300], ["", "parts", "board.svg", "sheet"]), 6),
)
def test_a_name_that_is_none_gets_a_sentence(name, part):
    answer = client_of().get(f"/games/{name}/{part}")
    assert answer.status_code == 404
    assert answer.get_data(as_text=True) in (ENGLISH("http.no-game") + "\n", ENGLISH("http.nothing-here") + "\n")


def test_a_damaged_journal_gets_a_sentence_in_the_reader_s_language():
    client = client_of(Replay(why=message("kept.damaged")))
    answer = client.get(f"/games/{NAME}/?lang=de")
    assert (answer.status_code, answer.get_data(as_text=True)) == (404, find_translator("de")("kept.damaged") + "\n")


def test_the_game_being_played_is_on_the_page_itself():
    answer = client_of(Replay(running=True)).get(f"/games/{NAME}/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_a_kept_game_is_asked_for_once_a_minute(replay):
    asked_names: list[str] = []
    backend = replace(
        Box(take_snapshot(ultimate_game())).backend, replay=lambda name: asked_names.append(name) or replay
    )
    client = create_app(backend).test_client()
    for place in ("", "?turn=1", "board.svg?turn=2", "sheet"):
        assert client.get(f"/games/{NAME}/{place}").status_code == 200
    assert asked_names == [NAME]


def test_the_sheet_says_who_played_what_and_how_it_ended():
    table = counted_table()
    now = take_snapshot(
        table, names=("Ann", "Ben"), game_info=GameInfo("Open", "2", "14", "Köln"), seal="AAAA-BBBB", archive_name=NAME
    )
    client = create_app(Box(now).backend, PageIdentity(address="http://192.168.1.20:8000/")).test_client()
    text = client.get("/sheet").get_data(as_text=True)
    for sentence in (
        "Open, round 2, table 14",
        "Köln",
        "Ann",
        "Ben",
        "White wins by 12.5 points",
        "7.5",
        "1 minute + 3 × 10 seconds byo-yomi",
        "AAAA-BBBB",
    ):
        assert sentence in text, sentence
    assert text.count("<li value=") == 4 and text.count('class="lid"') == 2 and text.count('class="line"') == 3
    assert 'class="qr"' in text and f"http://192.168.1.20:8000/games/{NAME}.sgf" in text


def test_the_sheet_lists_what_was_refused():
    client = create_app(Box(take_snapshot(superko())).backend).test_client()
    text = client.get("/sheet").get_data(as_text=True)
    assert "Refused turns" in text and "Black may not play C8." in text and "Not finished" in text
    assert 'class="qr"' not in text


def test_a_kept_game_has_its_sheet(replay):
    text = client_of(replay).get(f"/games/{NAME}/sheet").get_data(as_text=True)
    assert "The game is drawn" in text and "2026-11-22" in text and f"/games/{NAME}.sgf" in text


@pytest.mark.slow
def test_a_kept_game_is_stepped_through_in_place(replay, chromium):
    backend = replace(Box(take_snapshot(ultimate_game())).backend, replay={NAME: replay}.get)
    with serve_page(create_app(backend), port=0) as served:
        resize(chromium, PHONE)
        chromium.get_log("browser")
        chromium.get(f"{served.url}games/{NAME}/")
        chromium.execute_script("window.loadedOnce = true")
        where = chromium.find_element(By.ID, "where")
        assert where.text == "Turn 33 of 33"
        chromium.find_element(By.CSS_SELECTOR, "[data-go=back]").click()
        until(chromium, lambda: chromium.find_element(By.ID, "where").text == "Turn 32 of 33")
        assert chromium.current_url.endswith(f"/games/{NAME}/?turn=32")
        chromium.find_element(By.CSS_SELECTOR, "[data-go=now]").click()
        until(chromium, lambda: chromium.find_element(By.ID, "where").text == "Turn 33 of 33")
        assert chromium.execute_script("return window.loadedOnce") is True
        assert [one for one in chromium.get_log("browser") if "net::ERR_" not in one["message"]] == []


@LONG
def test_the_sheet_is_one_page_without_backgrounds(chromium):
    now = take_snapshot(counted_table(), names=("Ann", "Ben"), seal="AAAA-BBBB", archive_name=NAME)
    with serve_page(create_app(Box(now).backend, PageIdentity(address="http://192.168.1.20:8000/")), port=0) as served:
        chromium.get(f"{served.url}sheet")
        fills = "return getComputedStyle(document.querySelector('.board g[fill$=\"-' + arguments[0] + ')\"]'))"
        black, white = (chromium.execute_script(f"{fills}.fill + ' ' + {fills[7:]}.stroke", colour) for colour in "BW")
        assert (black, white) == ("rgb(0, 0, 0) rgb(0, 0, 0)", "rgb(255, 255, 255) rgb(0, 0, 0)")
        printed = chromium.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": False})
        pdf = base64.b64decode(printed["data"])
        assert re.findall(rb"/Type\s*/Page\b", pdf) == [b"/Type /Page"]
