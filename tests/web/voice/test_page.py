"""The words asked for by the page's voice, and the page speaking in a browser: real clips, heard to their end."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from urllib.parse import parse_qsl, urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from referee.game.messages import plain_message
from tests.support.referee.table import B, W
from tests.support.spoken import speaks
from tests.support.tiers import LONG, sample
from tests.support.web.browser import Visit
from tests.support.web.schemas import faults
from tests.support.web.snapshots import begun_table, box, superko, take_snapshot, ultimate_game
from vision.input_files import read_stored
from web.app import create_app
from web.language_traits import CODES
from web.page_server import serve_page
from web.voice.clips import Clips


def client_of(table, folder):
    return create_app(box(table).backend, clips=Clips(folder, read_stored)).test_client()


def test_what_can_be_said_comes_with_its_clips(tmp_path):
    voice = client_of(superko(), tmp_path).get("/voice.json").get_json()
    assert faults(voice, "Voice") == []
    by_text = {one["text"]: one for one in voice["said"]}
    assert len(by_text["Black may not play C8. This would repeat the starting position."]["clips"]) == 2
    assert by_text["White played B8 and captured C8."]["kind"] == "move"
    assert len(voice["counts"]) == 12 and voice["silent"] is None


def test_nobody_lets_the_box_say_what_it_has_not_to_say(tmp_path):
    client = client_of(superko(), tmp_path)
    (address, *_) = client.get("/voice.json").get_json()["counts"]
    query = dict(parse_qsl(address.partition("?")[2]))
    others = ({"text": "anything"}, {"lang": "de"}, {"mark": ""}, {"mark": "é"}, {"lang": "xx"}, {"text": "x" * 5000})
    for other in others:
        answer = client.get(f"/voice.wav?{urlencode({**query, **other})}")
        assert answer.status_code == (400 if other.get("lang") == "xx" else 404)
    assert list(tmp_path.iterdir()) == []


def test_without_the_program_one_sentence_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    client = client_of(superko(), tmp_path)
    (address, *_) = client.get("/voice.json").get_json()["counts"]
    answer = client.get(f"/{address}")
    assert answer.status_code == 503 and "espeak-ng is not installed" in answer.text


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("C9", "White C9, one stone, 2 liberties."),
        ("b8", "White B8, one stone, in atari, one liberty."),
        ("B9", "Black B9, one stone, in atari, one liberty."),
        ("E5", "E5 is empty."),
    ],
)
def test_what_lies_at_a_point_is_read_out(tmp_path, at, text):
    table = begun_table(to_play=W).play("W B8")
    answer = client_of(table, tmp_path).get("/point.json", query_string={"at": at}).get_json()
    assert faults(answer, "Lies") == [] and answer["text"] == text and len(answer["clips"]) == 1


@pytest.mark.parametrize(
    ("at", "code"), sample(product(["", "I5", "Z9", "A0", "A10", "5A", "A", "Ａ５", "A" * 500, "<b>"], CODES), 11)
)
def test_what_is_no_point_gets_one_sentence(tmp_path, code, at):
    answer = client_of(ultimate_game(), tmp_path).get("/point.json", query_string={"at": at, "lang": code})
    assert answer.status_code == 404 and "D4" in answer.text and len(answer.text.splitlines()) == 1


# In a browser


@pytest.fixture
def speaking(chromium, tmp_path):
    """A browser on a page that speaks."""
    speaks("en")
    shown_box = box(begun_table(to_play=W), number=1)
    with serve_page(create_app(shown_box.backend, clips=Clips(tmp_path, read_stored)), port=0) as served:
        yield Visit(chromium, shown_box, served).open()
        chromium.get("about:blank")


def played_lines(visit):
    return (visit.one("#voice").get_attribute("data-played") or "").splitlines()


@pytest.mark.slow
def test_the_page_is_silent_until_it_is_turned_on(speaking):
    table = begun_table(to_play=W)
    assert speaking.one("#voice").get_attribute("aria-pressed") == "false"
    speaking.shown_box.show(take_snapshot(table, number=2, notice=plain_message("Unheard.")))
    speaking.until(lambda: "Unheard." in speaking.text(".banner"))
    assert played_lines(speaking) == []
    speaking.choose("#voice")
    speaking.until(lambda: played_lines(speaking))
    table.play("W B8")
    speaking.shown_box.show(take_snapshot(table, number=3))
    table.put(B, "C8").lift("B8").lid(B, W, +1)
    table.done(B)
    speaking.shown_box.show(take_snapshot(table, number=4))
    speaking.until(lambda: "Black: remove C8 and put the white stone back on B8." in played_lines(speaking))
    assert not [text for text in played_lines(speaking) if text == "White played B8 and captured C8."]
    assert speaking.complaints() == []


@LONG
def test_points_are_read_out_by_keys_alone(speaking):
    speaking.shown_box.show(take_snapshot(begun_table(to_play=W).play("W B8"), number=2))
    speaking.one("body").send_keys("r")
    field = speaking.browser.switch_to.active_element
    assert field.get_attribute("id") == "read-point"
    field.send_keys("b8", Keys.ENTER)
    speaking.until(lambda: speaking.text("#read-said") == "White B8, one stone, in atari, one liberty.")
    field.send_keys(Keys.ARROW_UP)
    speaking.until(lambda: speaking.text("#read-said").startswith("Black B9,"))
    field.send_keys(Keys.ARROW_UP)
    speaking.until(lambda: "such as D4" in speaking.text("#read-said"))
    assert field.get_attribute("value") == "B9"


@LONG
def test_every_turn_is_said_where_that_is_ticked(speaking):
    speaking.choose("#voice")
    speaking.until(lambda: played_lines(speaking))
    speaking.browser.execute_script("document.getElementById('read').open = true")
    speaking.one("#voice-moves").click()
    table = begun_table(to_play=W).play("W B8")
    speaking.shown_box.show(replace(take_snapshot(table), number=5))
    speaking.until(lambda: "White played B8 and captured C8." in played_lines(speaking))
