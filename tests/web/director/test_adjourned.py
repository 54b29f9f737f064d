"""Adjourning on the desk: the page that is printed, and the game taken up from its text."""

from __future__ import annotations

import re
from email.message import EmailMessage
from html import unescape

import pytest

from device.match.adjournment_code import decode_game
from device.table.adjournment import read_adjourned
from device.table.game_library import GameLibrary
from referee.analysis.review import Review
from referee.table.display_state import Phase
from tests.support.device.directed import DirectedTable
from tests.support.tiers import sample

TURNS = ("C3", "B2", "D4")


@pytest.fixture
def table(tmp_path):
    table = DirectedTable(tmp_path, control="10m+3x30s")
    yield table
    table.close()


def play_turns(table: DirectedTable) -> DirectedTable:
    for number, point in enumerate(TURNS):
        table.act("enter", player="BW"[number % 2], turn="place", point=point, why="as played")
    return table


def test_a_game_is_adjourned_once_there_is_something_to_adjourn(table):
    assert "No move has been played yet" in table.refused("adjourn")
    answer = play_turns(table).act("adjourn")
    assert "adjourns the game" in answer and table.now.pause.adjourned
    assert "adjourned" in table.app.test_client().get("/").get_data(as_text=True)
    table.act("resume")
    assert not table.now.paused
    table.act("report", result="B+R", why="seen")
    assert "Play has ended" in table.refused("adjourn")


def test_the_page_has_everything_and_is_for_directors_alone(table):
    play_turns(table).act("adjourn")
    name = table.now.match
    stranger, (client, _) = table.app.test_client(), table.inside()
    address = f"/director/games/{name}/adjourned"
    assert stranger.get(address).headers["Location"] == "/director"
    assert stranger.get(f"{address}.jpg").status_code == 401 and client.get(f"{address}.jpg").status_code == 404
    assert client.get("/director/adjourned").headers["Location"] == address
    page = client.get(address).get_data(as_text=True)
    assert "After turn 3, White to play" in page and 'class="qr"' in page and 'class="board"' in page
    assert page.count("10:00") == 2
    assert "<dt>Black, side 1</dt>" in page and "<strong>Black's lid</strong>" in unescape(page)
    sealed = decode_game(re.search(r"SHINPAN1:[A-Z2-7]+", page)[0])
    assert sealed.record.number == 3 and sealed.match == name and sealed.seal in page


def with_breaks(page):
    """The page as an editor saves it that lets long words break."""
    return re.sub(r"(SHINPAN1:[A-Z2-7]{40})([A-Z2-7]{40})", r"\1<wbr>\2", page).encode()


def in_mail(page):
    """The page as Chromium saves it in one file, and as it is sent."""
    mail = EmailMessage()
    mail.set_content("The game of Table 3.")
    mail.add_alternative(page, subtype="html", cte="quoted-printable")
    return mail.as_bytes()


def copied(page):
    """All that is marked and copied on the page."""
    return re.sub(r"<style>.*?</style>|<[^>]*>", "", page, flags=re.DOTALL).encode()


@pytest.mark.parametrize(
    "saved", sample([in_mail, str.encode, with_breaks, copied, lambda page: page.encode("utf-16")], 2)
)
def test_the_page_as_it_was_saved_can_be_taken_up(table, tmp_path, saved):
    play_turns(table).act("adjourn")
    client, _ = table.inside()
    page = client.get(f"/director/games/{table.now.match}/adjourned").get_data(as_text=True)
    path = tmp_path / "page.html"
    path.write_bytes(saved(page))
    game = read_adjourned(str(path))
    assert game.record.number == 3 and game.match == table.now.match


def test_a_game_that_is_not_adjourned_has_no_such_page(table):
    play_turns(table)
    client, _ = table.inside()
    answer = client.get(f"/director/games/{table.now.match}/adjourned")
    assert answer.status_code == 404 and "not adjourned" in answer.get_data(as_text=True)
    assert client.get("/director/games/nothing/adjourned").status_code == 404


@pytest.mark.slow
def test_it_is_taken_up_by_its_text_with_nothing_lost(table, monkeypatch):
    monkeypatch.setattr(GameLibrary, "_review_turns", lambda games, path: Review())  # Nobody would end its process.
    play_turns(table).act("adjourn")
    client, headers = table.inside()
    first = table.now.match
    text = table.backend.director.adjourned()[0]
    table.t += 1
    done = client.post("/director/acts", json={"act": "take-up", "sealed": text}, headers=headers)
    assert done.status_code == 200 and "The adjourned game is taken up after turn 3." in done.get_json()["said"][0]
    assert table.now.match != first and table.now.phase is Phase.START and table.now.game.turn == 3
    page = client.get(f"/director/games/{first}/adjourned").get_data(as_text=True)
    assert decode_game(re.search(r"SHINPAN1:[A-Z2-7]+", page)[0]).sgf == decode_game(text).sgf


def test_a_game_in_progress_is_not_lost_unasked(table):
    play_turns(table).act("adjourn")
    text = table.backend.director.adjourned()[0]
    table.act("take-up", sealed=text)
    client, headers = table.inside()
    for body in ({"act": "take-up", "sealed": text}, {"act": "resume"}):
        assert client.post("/director/acts", json=body, headers=headers).status_code == 409


def test_what_is_no_code_is_told_in_a_sentence(table):
    assert "such a text begins with SHINPAN1:" in table.refused("take-up", sealed="hello")
    assert "not whole" in table.refused("take-up", sealed="SHINPAN1:AAAA")
