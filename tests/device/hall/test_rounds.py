"""A round is handed to real boxes: taken once, by none that plays, and by one that was away when it is back."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask import Response, request

from device.hall.event_log import HallEventLog, Note
from device.hall.hall import Hall
from device.hall.rounds import Rounds
from device.hall.sentences import sentence_from
from device.hall.tables import TableEntry
from referee.table.lamps import LAMPS, Light, Tone
from tests.support.device.venues import ORIGIN, Venues, directing, pages, tile_of
from tests.support.waiting import until
from web.app import create_app
from web.errors import BadAct
from web.hall.assignment import HandedOut, Handing
from web.hall.tiles import Trouble
from web.hmac_auth import new_secret
from web.language import ENGLISH, find_translator
from web.page.headline import headline_of
from web.page.labels import LocalisedText
from web.page_config import PageIdentity

CUP = """<Tournament><Players>
<Player name="Example" firstName="Ada"/><Player name="Sample" firstName="Ben"/>
<Player name="Model" firstName="Cleo"/><Player name="Pattern" firstName="Dan"/>
</Players><Games>
<Game blackPlayer="MODELCLEO" whitePlayer="EXAMPLEADA" roundNumber="1" tableNumber="7" result="RESULT_WHITEWINS"/>
<Game blackPlayer="EXAMPLEADA" whitePlayer="SAMPLEBEN" roundNumber="2" tableNumber="7" handicap="2"/>
<Game blackPlayer="MODELCLEO" whitePlayer="PATTERNDAN" roundNumber="2" tableNumber="8"/>
</Games></Tournament>"""
MATCH = {"event": "Spring Cup", "round": "2", "table": "7", "black": "Ada Example", "white": "Ben Sample"}
MATCH |= {"rules": "chinese", "control": "20m"}
NEXT = {**MATCH, "round": "3", "black": "Ben Sample", "white": "Cleo Model"}


def standing(hall: Hall, wanted: Handing) -> HandedOut:
    """Return what was handed to the table, as soon as its standing is the wanted one."""
    until(lambda: hall.rounds.handed_out()[0].standing is wanted, hall.rounds.handed_out)
    return hall.rounds.handed_out()[0]


def kinds(hall: Hall) -> list[Note]:
    """List the notes of the hall since it met the box."""
    return [entry.kind for entry in hall.event_log.entries if entry.kind is not Note.MET]


def play(venues: Venues) -> None:
    venues.box.act("enter", player="B", turn="place", point="C3", why="for the test")


def finish(venues: Venues) -> None:
    venues.box.act("report", result="B+R", why="for the test")
    venues.box.act("verify")


def test_a_round_goes_from_the_pairing_programs_file_to_the_box(venues, tmp_path):
    (tmp_path / "cup.xml").write_text(CUP)
    hall = venues.hall(opengotha=str(tmp_path / "cup.xml"))
    draft = hall.draft()
    assert (draft.round, draft.rounds, draft.without) == ("2", ("1", "2"), ("8",))
    assert hall.rounds.hand_out(draft.matches, "Ada (192.0.2.1)") == ["7"]
    match = standing(hall, Handing.TAKEN)
    assert (match.black, match.white, match.round, match.by) == ("Ada Example", "Ben Sample", "2", "Ada (192.0.2.1)")
    now = venues.box.now
    assert now.names == ("Ada Example", "Ben Sample") and now.game_info.to_json() == {
        "event": "Spring Cup",
        "round": "2",
        "table": "7",
        "place": "",
    }
    assert (now.game.rules, now.game.handicap, now.game.clocks.control) == ("chinese", 2, "20m")


def test_the_same_round_is_set_up_once_however_often_it_is_handed_out(venues):
    hall = venues.hall()
    hall.rounds.hand_out([MATCH], "Ada")
    standing(hall, Handing.TAKEN)
    journals = len(venues.box.journals)
    assert hall.rounds.hand_out([MATCH], "Ada") == []
    hall.close()
    again = venues.hall()
    tile_of(again, lambda tile: tile.status is not None)
    assert again.rounds.hand_out([{**MATCH, "black": " Ada Example "}], "Ben") == []
    assert standing(again, Handing.TAKEN).by == "Ada"
    assert len(venues.box.journals) == journals


@pytest.mark.parametrize("ended", [False, True])
def test_a_match_that_runs_or_is_not_agreed_on_is_never_wiped(venues, ended):
    play(venues)
    if ended:
        venues.box.act("report", result="W+R", why="for the test")
    game = venues.box.now.match
    hall = venues.hall()
    hall.rounds.hand_out([MATCH], "Ada")
    standing(hall, Handing.PLAYING)
    hall.close()
    again = venues.hall()
    standing(again, Handing.PLAYING)
    assert venues.box.now.match == game and venues.box.now.game.turn == 1
    finish(venues)
    standing(again, Handing.TAKEN)
    assert venues.box.now.names == ("Ada Example", "Ben Sample")
    results = [entry.body["result"] for entry in again.event_log.entries if entry.kind is Note.RESULT]
    assert results == ["B+R"]


def test_a_result_before_the_first_turn_is_not_wiped_either(venues):
    venues.box.act("report", result="B+F", why="White did not come")
    hall = venues.hall()
    hall.rounds.hand_out([MATCH], "Ada")
    standing(hall, Handing.PLAYING)
    venues.box.act("verify")
    standing(hall, Handing.TAKEN)


def test_a_box_that_is_away_gets_it_when_it_is_back_and_the_hall_too(venues):
    line = venues.line
    venues.served.close()
    hall = venues.hall(line)
    hall.rounds.hand_out([MATCH], "Ada")
    tile_of(hall, lambda tile: tile.trouble is Trouble.GONE)
    assert standing(hall, Handing.AWAY).at == 1000.0
    hall.close()
    again = venues.hall(line)
    standing(again, Handing.AWAY)
    venues.serve(create_app(venues.box.backend, PageIdentity(box=venues.box.public)), line.listens[1])
    standing(again, Handing.TAKEN)


def test_what_the_box_has_done_though_nobody_heard_is_not_done_again(venues, tmp_path):
    """The hall was killed between the box's act and its own note of it."""
    before = venues.box.now.match
    event_log = HallEventLog(tmp_path / "hall")
    handed = event_log.write(1000.0, Note.HANDED, "7", {"act": MATCH, "box": venues.box.public, "by": "Ada"})
    event_log.write(1000.0, Note.SENT, "7", {"handed": handed.number, "game": before})
    event_log.close()
    venues.box.act("set-up", **MATCH)
    journals = len(venues.box.journals)
    hall = venues.hall()
    standing(hall, Handing.TAKEN)
    assert len(venues.box.journals) == journals


def test_a_game_that_was_played_to_its_end_meanwhile_is_not_set_up_again(venues, tmp_path):
    event_log = HallEventLog(tmp_path / "hall")
    event_log.write(1000.0, Note.HANDED, "7", {"act": MATCH, "box": venues.box.public, "by": "Ada"})
    event_log.close()
    venues.box.act("set-up", **MATCH)
    play(venues)
    finish(venues)
    hall = venues.hall()
    standing(hall, Handing.TAKEN)
    assert venues.box.now.game.turn == 1


def test_other_terms_replace_a_match_that_has_not_begun_and_no_other(venues):
    hall = venues.hall()
    hall.rounds.hand_out([MATCH], "Ada")
    standing(hall, Handing.TAKEN)
    assert hall.rounds.hand_out([{**MATCH, "komi": 0.5}], "Ada") == ["7"]
    standing(hall, Handing.TAKEN)
    assert venues.box.now.game.komi == 0.5
    play(venues)
    tile_of(hall, lambda tile: tile.status["turn"] == 1)
    hall.rounds.hand_out([{**MATCH, "komi": 6.5}], "Ada")
    standing(hall, Handing.REFUSED)
    assert venues.box.now.game.komi == 0.5 and venues.box.now.game.turn == 1


def test_other_terms_are_refused_before_the_first_are_noted(venues, tmp_path):
    hall = venues.hall()
    waits = tile_of(hall, lambda tile: tile.status is not None)
    venues.box.act("set-up", **MATCH)
    play(venues)
    plays = tile_of(hall, lambda tile: tile.status["turn"] == 1)
    hall.close()
    nowhere = TableEntry("7", "http://127.0.0.1:9", venues.box.public, venues.box.secret)
    tiles, event_log = [waits], HallEventLog(tmp_path / "other")
    rounds = Rounds(event_log, [nowhere], lambda _: tiles[-1], lambda: 1000.0, lambda: plays.heard_at)
    rounds.hand_out([MATCH], "Ada")
    tiles.append(plays)
    rounds.hand_out([{**MATCH, "komi": 6.5}], "Ada")
    assert rounds.handed_out()[0].standing is Handing.REFUSED
    rounds.close()
    event_log.close()


def test_other_terms_are_refused_though_the_answer_came_late(venues, tmp_path):
    venues.box.act("set-up", **MATCH)
    play(venues)
    event_log = HallEventLog(tmp_path / "hall")
    handed = event_log.write(1000.0, Note.HANDED, "7", {"act": MATCH, "box": venues.box.public, "by": "Ada"})
    other = {**MATCH, "komi": 6.5}
    event_log.write(1001.0, Note.HANDED, "7", {"act": other, "box": venues.box.public, "by": "Ada"})
    event_log.write(1002.0, Note.TAKEN, "7", {"handed": handed.number})
    event_log.close()
    hall = venues.hall()
    tile_of(hall, lambda tile: tile.status is not None)
    assert hall.rounds.handed_out()[0].standing is Handing.REFUSED


def test_the_next_round_waits_for_this_one(venues):
    hall = venues.hall()
    hall.rounds.hand_out([MATCH], "Ada")
    standing(hall, Handing.TAKEN)
    play(venues)
    tile_of(hall, lambda tile: tile.status["turn"] == 1)
    hall.rounds.hand_out([NEXT], "Ada")
    assert standing(hall, Handing.PLAYING).round == "3"
    finish(venues)
    standing(hall, Handing.TAKEN)
    assert venues.box.now.names == ("Ben Sample", "Cleo Model")


def test_what_a_box_refuses_is_said_and_can_be_handed_out_again(venues):
    hall = venues.hall()
    without = {key: value for key, value in MATCH.items() if key != "control"}
    hall.rounds.hand_out([without], "Ada")
    why = standing(hall, Handing.REFUSED).why
    assert why.word(ENGLISH) == LocalisedText("The new match has no clocks, because no time is given.", None)
    assert why.word(find_translator("ja")).lang is None and not re.search("[a-z]", why.word(find_translator("ja")).text)
    assert sentence_from(hall.event_log.entries[-1].body, "why") == why
    assert hall.rounds.hand_out([MATCH], "Ada") == ["7"]
    standing(hall, Handing.TAKEN)


def test_another_box_at_the_address_gets_nothing(venues):
    hall = venues.hall(replace(venues.line, secret=new_secret()))
    tile_of(hall, lambda tile: tile.trouble is Trouble.UNSEALED)
    hall.rounds.hand_out([MATCH], "Ada")
    standing(hall, Handing.AWAY)
    assert venues.box.now.names == ("", "")


@pytest.mark.parametrize("code", [200, 422, 409])
def test_an_answer_of_another_machine_counts_for_nothing(venues, monkeypatch, code):
    monkeypatch.setattr("device.hall.rounds.SOONEST", 0.0)
    noted = list[Note]()

    @venues.box.app.before_request
    def answer_for_the_box() -> Response | None:
        """The first act never comes to the box; the second does."""
        if request.path != "/hall/acts":
            return None
        noted.append(kinds(hall)[-1])
        return Response("whatever an intruder says", code) if len(noted) == 1 else None

    hall = venues.hall()  # Only now: it asks the box at once, and an application that has answered takes no hook.
    hall.rounds.hand_out([MATCH], "Ada")
    assert standing(hall, Handing.TAKEN).why is None
    assert noted == [Note.SENT, Note.SENT] and venues.box.now.names == ("Ada Example", "Ben Sample")


def test_what_waits_can_be_taken_back(venues):
    play(venues)
    hall = venues.hall()
    hall.rounds.hand_out([MATCH], "Ada")
    standing(hall, Handing.PLAYING)
    assert hall.rounds.withdraw("7", "Ben") and not hall.rounds.withdraw("7", "Ben")
    finish(venues)
    tile_of(hall, lambda tile: tile.status["phase"] == "final")
    assert hall.rounds.handed_out()[0].standing is Handing.WITHDRAWN
    assert kinds(hall) == [Note.HANDED, Note.WITHDRAWN, Note.RESULT]
    assert hall.rounds.hand_out([MATCH], "Ada") == ["7"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"table": "9"}, "There is no table 9 in the list of tables."),
        ({"rules": "monopoly"}, "monopoly"),
        ({"control": "soon"}, "soon"),
        ({"sure": True}, "This act has no 'sure'."),
    ],
)
def test_what_cannot_be_played_is_handed_to_nobody(venues, changes, said):
    hall = venues.hall()
    client, headers = directing(venues, hall)
    answer = client.post("/round", json={"matches": [MATCH, {**MATCH, **changes}]}, headers=headers)
    assert answer.status_code == 422 and said in answer.get_data(as_text=True)
    assert hall.rounds.handed_out() == () and kinds(hall) == []
    with pytest.raises(BadAct):
        hall.rounds.hand_out([{**MATCH, **changes}], "Ada")


@pytest.mark.parametrize(
    ("side", "said"),
    [
        (None, "Ada Example plays Black and Ben Sample plays White; please sit down, at whichever side you like."),
        (2, "Ada Example plays Black at side 2, Ben Sample plays White at side 1; please sit down."),
    ],
)
def test_the_box_asks_the_right_players_to_sit_down(venues, side, said):
    hall = venues.hall()
    hall.rounds.hand_out([MATCH if side is None else {**MATCH, "black_side": side}], "Ada")
    standing(hall, Handing.TAKEN)
    now = venues.box.now
    assert headline_of(now).reasons[0].text == said
    lamps = {LAMPS[now.display_state.task_at(side)] for side in (1, 2)}
    assert lamps == {Light(Tone.BLUE, pulse=True)}
    play(venues)
    assert said not in [reason.text for reason in headline_of(venues.box.now).reasons]


# The page


def test_only_the_director_hands_out(venues):
    hall = venues.hall()
    client, pin = pages(venues, hall)
    assert client.post("/round", json={"matches": [MATCH]}, headers=ORIGIN).status_code == 401
    token = client.post("/session", json={"pin": pin, "name": "Eve"}, headers=ORIGIN).get_json()["token"]
    helping = {**ORIGIN, "X-Token": token}
    assert client.post("/round", json={"matches": [MATCH]}, headers=helping).status_code == 401
    credentials = {"pin": pin, "name": "Eve", "role": "director"}
    assert client.post("/session", json=credentials, headers=ORIGIN).status_code == 403
    client, headers = directing(venues, hall)
    assert client.post("/round", json={"matches": [MATCH]}, headers={"X-Token": headers["X-Token"]}).status_code == 401
    assert client.post("/round", json={"matches": [MATCH]}, headers=headers).get_json() == {"tables": ["7"]}
    handed = next(entry for entry in hall.event_log.entries if entry.kind is Note.HANDED)
    assert handed.body["by"] == "Ada (127.0.0.1)"


def test_the_page_offers_the_round_and_shows_what_became_of_it(venues, tmp_path):
    (tmp_path / "cup.xml").write_text(CUP)
    hall = venues.hall(opengotha=str(tmp_path / "cup.xml"))
    client, _ = pages(venues, hall)
    assert "Ada Example" not in client.get("/round").get_data(as_text=True)
    client, headers = directing(venues, hall)
    page = client.get("/round").get_data(as_text=True)
    assert "Ada Example" in page and "Tables of this round without a box: 8." in page
    assert "Cleo Model" in client.get("/round?round=1").get_data(as_text=True)
    client.post("/round", json={"matches": list(hall.draft().matches)}, headers=headers)
    standing(hall, Handing.TAKEN)
    assert "Accepted" in client.get("/round/now").get_data(as_text=True)
    (row,) = client.get("/round.json").get_json()["tables"]
    assert (row["table"], row["standing"], row["by"]) == ("7", "taken", "Ada (127.0.0.1)")
    assert client.post("/round/withdraw", json={"table": "7"}, headers=headers).status_code == 409


def test_a_file_that_cannot_be_read_is_said(venues, tmp_path):
    hall = venues.hall(opengotha=str(tmp_path / "none.xml"))
    client, _ = directing(venues, hall)
    assert "none.xml: there is no such file" in client.get("/round").get_data(as_text=True)


def test_the_results_of_what_was_handed_out_go_to_the_aga(venues, tmp_path):
    (tmp_path / "players.txt").write_text("TOURNEY Spring Cup\nPLAYERS\n489 Example, Ada 4k\n3199 Sample, Ben 3k\n")
    hall = venues.hall(aga=str(tmp_path / "players.txt"))
    hall.rounds.hand_out([{**MATCH, "komi": 7.5}], "Ada")
    standing(hall, Handing.TAKEN)
    finish(venues)
    tile_of(hall, lambda tile: tile.status["phase"] == "final")
    client, _ = pages(venues, hall)
    assert client.get("/results/aga.txt").get_data(as_text=True).endswith("GAMES\n3199 489 b 0 7\n")
    (tmp_path / "players.txt").write_text("TOURNEY Spring Cup\nPLAYERS\n489 Example, Ada 4k\n")
    page = client.get("/results").get_data(as_text=True)
    assert "Not in the AGA&#39;s text" in page and "round 2, table 7" in page


def test_the_results_of_what_was_handed_out_go_into_the_table_for_egd(venues, tmp_path):
    (tmp_path / "cup.h9").write_text("1 Example Ada 4k |12345678\n2 Sample Ben 3k\n")
    hall = venues.hall(egd=str(tmp_path / "cup.h9"))
    client, _ = pages(venues, hall)
    assert client.get("/results/aga.txt").status_code == 404
    hall.rounds.hand_out([{**MATCH, "komi": 7.5}], "Ada")
    standing(hall, Handing.TAKEN)
    finish(venues)
    tile_of(hall, lambda tile: tile.status["phase"] == "final")
    answer = client.get("/results/egd.h9")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="egd.h9"'
    assert answer.get_data(as_text=True) == (
        "1 Example Ada 4k      0-   2+/b0 |12345678\n2 Sample Ben 3k      0-   1-/w0\n"
    )
    assert 'href="/results/egd.h9"' in client.get("/results").get_data(as_text=True)
    (tmp_path / "cup.h9").write_text("1 Example Ada 4k 0- 0+\n2 Sample Ben 3k 0- 0-\n")
    page = client.get("/results").get_data(as_text=True)
    assert "Not in EGD&#39;s table" in page and "round 2, table 7" in page
    (tmp_path / "cup.h9").write_text("nobody\n")
    page = client.get("/results").get_data(as_text=True)
    assert "cup.h9: line 1 is no player" in page and 'href="/results/egd.h9"' not in page
    assert client.get("/results/egd.h9").status_code == 404


def test_two_matches_for_one_table_are_refused_together(venues):
    hall = venues.hall()
    with pytest.raises(BadAct, match=r"hall\.table-twice"):
        hall.rounds.hand_out([MATCH, {**NEXT, "round": "2"}], "Ada")
    assert hall.rounds.handed_out() == ()
