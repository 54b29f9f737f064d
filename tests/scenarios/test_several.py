"""A box at a table of more than two players: what it keeps, tells other programs, and does for the director."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from device.__main__ import main
from device.cli.demo import demo_settings, result_in_words
from device.journal.replay import replay_journal
from device.settings import BadSettings, Game, settings_of
from device.table.director import LONGEST_RESULT
from device.table.match_config import terms_of
from referee.game.board import COLOURS, name_key
from referee.game.messages import Message, message
from referee.table.display_state import Phase, Sight
from tests.support.device.directed import DirectedTable
from tests.support.device.player import NAMES, SeveralPlayers
from tests.support.web.schemas import faults, schema_named
from tests.support.web.snapshots import words_of
from tests.support.wording import english
from web.openapi import Status
from web.page.status import status_of

Made = Callable[..., SeveralPlayers]
SHARES = {"B": 1, "W": 1, "R": 1, "G": 1}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Made]:
    """Makes tables; they are closed after the test."""
    tables = list[SeveralPlayers]()

    def make(players: int = 4, **how: object) -> SeveralPlayers:
        tables.append(SeveralPlayers(tmp_path, players, **how))
        return tables[-1]

    yield make
    for one in tables:
        one.close()


def test_a_game_is_played_to_a_final_result(table):
    four = table()
    four.finish()
    assert four.now.phase is Phase.FINAL and len(four.now.agreed) == 4


def test_the_status_is_as_its_schema_says(table):
    four = table(control="10m")
    four.finish()
    answer = four.app.test_client().get("/status.json")
    assert not faults(answer.get_json(), "Status")
    assert msgspec.json.decode(answer.data, type=Status)["players"] == list(NAMES[:4])
    assert answer.get_json()["result"] == SHARES
    assert answer.get_json()["counting"]["count"]["result"] == SHARES


def test_an_earlier_matchs_result_is_told_as_it_was(table):
    four = table()
    four.finish()
    four.act("set-up", rules="kee", black="Ann")
    (final,) = status_of(four.now)["finals"]
    assert final["result"] == SHARES and final["players"] == list(NAMES[:4])
    assert not faults(status_of(four.now), "Status")


# What is kept


def test_a_finished_game_is_listed_with_all_its_players_and_its_result(table):
    four = table()
    four.finish()
    four.act("set-up", rules="kee", black="Ann")
    client, name = four.app.test_client(), four.journals[0].stem
    assert name in client.get("/games.json").get_json()["games"]
    game = next(one for one in four.backend.listed() if one.name == name)
    assert game.names == NAMES[:4]
    assert (game.rules, game.result) == ("kee", "B:1 W:1 R:1 G:1")
    assert (game.event, game.round, game.table) == ("Spring Cup", "2", "7") and game.date
    page = client.get("/games?lang=en").get_data(as_text=True)
    assert "Ann (Black) – Ben (White) – Cleo (Red) – Dan (Green)" in page
    assert "Black 1, White 1, Red 1 and Green 1" in page
    assert client.get("/games.json?name=dan&result=draw").get_json()["games"] == [name]


def test_the_record_of_several_players_is_fetched_as_lines(table):
    four = table()
    four.finish()
    client, name = four.app.test_client(), four.journals[0].stem
    record = client.get(f"/games/{name}.jsonl")
    assert (record.status_code, record.mimetype) == (200, "application/x-ndjson")
    assert record.data == four.box.sgf_record
    assert client.get(f"/games/{name}.sgf").status_code == 404
    for page in ("/", "/games", f"/games/{name}/"):
        text = client.get(page, base_url="http://localhost", follow_redirects=True).get_data(as_text=True)
        assert f"/games/{name}.sgf" not in text and "SGF" not in text
    assert f"/games/{name}.jsonl" in client.get("/games").get_data(as_text=True)


def test_its_record_says_whose_game_it_was_and_how_it_ended(table):
    four = table()
    four.finish()
    start, *turns = map(json.loads, four.box.sgf_record.splitlines())
    assert start["info"]["names"] == list(NAMES[:4]) and start["info"]["result"] == SHARES
    assert (start["info"]["event"], start["info"]["round"], start["info"]["table"]) == ("Spring Cup", "2", "7")
    assert start["info"]["seal"] == four.now.seal
    assert len(turns) == 9


def test_the_record_of_several_players_is_judged_and_counted(table, tmp_path, capsys):
    four = table()
    four.finish()
    record = str(four.journals[0].with_suffix(".jsonl"))
    assert main(["judge", record]) == 0 and main(["score", record, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["result"] == SHARES


def test_its_record_is_copied_brought_back_and_bundled(table, tmp_path, capsys):
    four = table()
    four.finish()
    name, games = four.journals[0].stem, str(four.journals[0].parent)
    record = four.journals[0].with_suffix(".jsonl").read_bytes()
    four.close()
    stick, again, out = tmp_path / "stick", tmp_path / "again", tmp_path / "match.zip"
    stick.mkdir()
    assert main(["backup", str(stick), "--data", games]) == 0
    assert (stick / f"{name}.jsonl").read_bytes() == record
    assert main(["restore", str(stick), "--data", str(again)]) == 0
    assert (again / f"{name}.jsonl").read_bytes() == record
    assert main(["bundle", name, "--data", games, "--out", str(out)]) == 0
    assert ZipFile(out).read("match.jsonl") == record
    assert b"match.jsonl" in ZipFile(out).read("README.txt")
    assert main(["verify", str(out)]) == 0


def test_a_record_that_says_otherwise_than_its_journal_is_told(table, capsys):
    four = table()
    four.finish()
    journal = four.journals[0]
    assert main(["verify", str(journal)]) == 0
    record = journal.with_suffix(".jsonl")
    record.write_bytes(record.read_bytes().replace(b"C3", b"C4").replace(b"A5", b"B5"))
    assert main(["verify", str(journal)]) == 2
    assert f"{record}" in capsys.readouterr().err


# Before the stones are known


SHOW = "Show the stones, and leave all other points empty: Black on A1."
CLEAR = "The stones are known now. Please clear the board."


def table_unshown(table: Made) -> SeveralPlayers:
    """A table whose board is found, and whose stones have not been shown."""
    several = table(looks=False)
    ask_to_show(several, message("stones.show", rows=message("stones.row", player=several.playing[0], points="A1")))
    return several


def ask_to_show(several: SeveralPlayers, instruction: Message) -> None:
    """The camera has to be shown this first."""
    several.event_loop.sight(Sight.UNSHOWN, several.t, instruction)
    several.event_loop.settle()


def test_who_presses_before_the_stones_are_known_is_told_what_is_missing(table):
    four = table_unshown(table)
    four.press(four.playing[0], looks=False)
    assert english(four.now.notice) == SHOW
    assert four.refused("enter", player="B", turn="place", point="C3", why="for the test") == SHOW
    ask_to_show(four, message("stones.clear"))
    assert four.now.notice is None
    four.press(four.playing[0], looks=False)
    assert english(four.now.notice) == CLEAR


def test_what_was_missing_is_told_no_more_once_it_is_there(table):
    four = table_unshown(table)
    four.press(four.playing[0], looks=False)
    four.event_loop.sight(Sight.SEEN, four.t)
    four.event_loop.settle()
    assert four.now.notice is None


def test_what_the_director_says_before_the_board_is_found_stays(table):
    four = table(looks=False)
    four.act("remark", why="please wait")
    four.event_loop.sight(Sight.UNSHOWN, four.t, message("stones.show", rows=""))
    four.event_loop.settle()
    assert "please wait" in english(four.now.notice)


# The director


def test_the_director_verifies_a_result_for_every_player(table):
    four = table()
    four.finish_unagreed()
    assert four.act("verify").startswith("The director records that all players agree to the result.")
    assert four.now.phase is Phase.FINAL and len(four.now.agreed) == 4


def test_the_director_sets_every_clock(table):
    four = table(control="10m")
    four.act("time", step="pause")
    lefts = {player.value: {"main": 1000 * number} for number, player in enumerate(four.playing, 60)}
    assert "as all players agree" in four.act("clocks", why="for the test", **lefts)
    assert [face["main"] for face in status_of(four.now)["clocks"]["players"].values()] == [
        60_000,
        61_000,
        62_000,
        63_000,
    ]
    assert "This act needs R." in four.refused("clocks", why="for the test", B={"main": 1}, W={"main": 1})


def test_the_director_enters_what_every_player_does(table):
    four = table()
    for player, point in zip("BWRG", ("A1", "B2", "C3", "D4"), strict=True):
        four.act("enter", player=player, turn="place", point=point, why="for the test")
    assert four.now.game.turn == 4
    assert "Y" in four.refused("enter", player="Y", turn="pass", why="for the test")
    four.act("time", step="resign", by="B")
    assert four.now.game.to_play.value == "W"


def test_the_director_sets_up_a_match_with_every_name(table):
    four = table()
    answer = four.act("set-up", rules="kee", black="Ada", white="Bea", red="Cyd", green="Dea")
    assert answer == (
        "The director sets up a match under Kee rules, December 2007: "
        "Ada (Black), Bea (White), Cyd (Red) and Dea (Green)."
    )
    assert four.now.names == ("Ada", "Bea", "Cyd", "Dea")
    four.act("set-up", rules="kee", black="Ada")
    assert four.now.names == ("Ada", "", "", "")
    assert "violet" in four.refused("set-up", rules="kee", violet="Fay")


def test_the_director_reports_a_result_of_several(table):
    four = table()
    assert "All players have to confirm it." in four.act("report", result="B:5 W:2 R:2 G:1", why="for the test")
    assert four.now.game.result == "B:5 W:2 R:2 G:1"


def test_the_desk_has_fields_for_every_player(table):
    four = table(control="10m")
    client, _ = four.inside()
    backend = client.get("/director?lang=en").get_data(as_text=True)
    for select in re.findall(r'<select name="(?:player|by|about)".*?</select>', backend, re.DOTALL):
        assert set(re.findall(r'value="([BWRGYV])"', select)) == set("BWRG")
    assert {f"{player}.main" for player in "BWRG"} == set(re.findall(r'name="(.\.main)"', backend))
    assert [name for name in ("black", "white", "red", "green", "yellow") if f'name="{name}"' in backend] == [
        *("black", "white", "red", "green")
    ]
    for act in ("exchange", "remove", "propose", "rehearse", "waive"):
        assert f'data-act="{act}"' not in backend
    assert not re.search(r"\b([Ll]ids?|[Bb]oth)\b", words_of(backend))


def test_such_a_table_is_not_rehearsed_and_nobody_says_that_it_could(table):
    four = table()
    assert four.refused("rehearse") == "Only a table for two players can be rehearsed."
    assert four.now.certified is None


def test_nobody_buys_time_with_points_that_no_single_opponent_gets(table):
    four = table()
    answer = four.refused("set-up", rules="kee", control="ing 60m 3x10m")
    assert answer == "Time is bought with points to the opponent, so this time control is for two players."
    settings = {"game": {"rules": "kee", "players": "BWR", "size": 9}, "time": {"control": "ing 60m 3x10m"}}
    with pytest.raises(BadSettings, match=r"\[time\] control: Time is bought"):
        terms_of(settings_of(settings))


def test_the_demo_of_a_script_for_several_is_played_by_rules_for_as_many(tmp_path):
    script = tmp_path / "script"
    script.write_text("size 9\nlook 1\nplayers BWRG\nB play A1; B press done\n")
    settings = demo_settings(tmp_path / "socket", 0, "games", 1.0, script)
    assert (settings.game.rules, settings.game.players) == ("kee", "BWRG")
    assert len(terms_of(settings).setup.players) == 4
    assert demo_settings(tmp_path / "socket", 0, "games", 1.0).game == Game("ultimate")


def test_the_demo_says_who_agreed(table):
    four = table()
    four.finish_unagreed()
    assert "not agreed by all players yet" in result_in_words(four.now)
    four.agree()
    assert ", agreed by all players" in result_in_words(four.now)


def test_what_a_director_may_send_is_described_for_six_players():
    acts = {act["properties"]["act"]["const"]: act["properties"] for act in schema_named("Act")["oneOf"]}
    assert set(COLOURS) == set(acts["enter"]["player"]["enum"]) == set(acts["time"]["by"]["enum"])
    assert set(COLOURS) == set(acts["time"]["about"]["enum"]) and set(COLOURS) <= acts["clocks"].keys()
    assert {name_key(colour) for colour in COLOURS} <= acts["set-up"].keys()
    assert acts["report"]["result"]["maxLength"] == acts["time"]["result"]["maxLength"] == LONGEST_RESULT


@pytest.mark.slow
def test_no_page_promises_what_the_turns_of_several_were_worth(table):
    four = table()
    four.finish()
    name = four.journals[0].stem
    four.act("set-up", rules="kee", black="Ann")
    page = four.app.test_client().get(f"/games/{name}/?lang=en").get_data(as_text=True)
    assert "The count" in words_of(page) and "worth" not in words_of(page)


def test_the_sheet_of_several_has_no_komi(table):
    four = table()
    assert "Komi" not in words_of(four.app.test_client().get("/sheet?lang=en").get_data(as_text=True))


def test_a_turn_that_the_director_enters_for_the_third_player_is_read_back(tmp_path):
    table = DirectedTable(tmp_path, "kee", players="BWR")
    for player, point in (("B", "A1"), ("W", "C3"), ("R", "E5")):
        table.act("enter", player=player, turn="place", point=point, why="played")
    table.close()
    (journal,) = tmp_path.glob("*.journal")
    assert [turn.player.value for turn in replay_journal(journal).table.snapshot.turns] == ["B", "W", "R"]
