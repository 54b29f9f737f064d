"""Rules that nobody named: every command and the box say which they took, and how others are chosen."""

from __future__ import annotations

import io
import json
import shutil
import signal
import sys
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import cv2
import pytest

from device.__main__ import main
from device.cli.demo import demo_settings
from device.cli.doctor import every_check
from device.hall.tables import read_tables
from device.journal.replay import Folder, check_record, replay_journal
from device.journal.store import read_journal
from device.machine.checks import Mark
from device.machine.pin import Pin
from device.panel.panel import NoPanel
from device.settings import BadSettings, Settings, read_settings, settings_of
from device.table.bootstrap import Application
from device.table.controller import TableController
from device.table.match_config import read_checked_settings, terms_of
from referee.game.board import Colour, board_of, empty_position
from referee.sgf.records import read_root, read_sgf
from tests.support import ROOT
from tests.support.device.directed import DirectedTable
from tests.support.device.judging import Judge, judging
from tests.support.device.player import Player
from tests.support.device.started import StartedCommand
from tests.support.referee.looks import look
from tests.support.tiers import LONG, sample
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

TAKEN = "shinpan: No rules are named, so Ultimate Go was taken. For others: {} (see shinpan rules).\n"
BY_OPTION, BY_COMMAND = TAKEN.format("--rules NAME"), TAKEN.format("shinpan-rules NAME")
OF_RECORD = (
    "shinpan: The record names no rules; {} were taken, because {}. For others: --rules NAME (see shinpan rules).\n"
)
SGF = "(;GM[1]AP[shinpan]SZ[3]KM[0];B[bb];W[aa])"
TURN = {"player": "B", "place": "B2"}
HOLDS = (
    "No rules are named, so Ultimate Go holds. Others can be chosen before the first stone: Director, Set up a match."
)
ELSE: dict[str, Any] = {"page": {"port": 0}, "camera": {"source": "/dev/video99"}, "panel": {"kind": "none"}}


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Judge:
    return judging(tmp_path, capsys)


# The commands


@pytest.mark.parametrize("lines", [(SGF,), (TURN,), ({"ask": "legal"}, TURN)], ids=["sgf", "turns", "question"])
def test_judge_says_once_which_rules_it_took(judged, lines):
    status, replies, stderr = judged(*lines)
    assert (status, stderr) == (0, BY_OPTION)
    assert replies[0]["notes"] == [BY_OPTION.removeprefix("shinpan: ").strip()]
    assert all("notes" not in reply for reply in replies[1:])


@pytest.mark.parametrize("option", [(), ("--rules", "ultimate")], ids=["record", "option"])
def test_judge_assumes_nothing_where_rules_are_named(judged: Judge, option: tuple[str, ...]) -> None:
    lines = [SGF] if option else [SGF.replace("GM[1]", "GM[1]RU[ultimate]")]
    _, replies, stderr = judged(*lines, options=option)
    assert stderr == "" and all("notes" not in reply for reply in replies)


@pytest.mark.parametrize(
    ("root", "rules", "why"),
    [
        ("KM[6.5]", "Japanese rules", "its komi is 6.5"),
        ("KM[5.5]", "Japanese rules", "its komi is 5.5"),
        ("KM[4.5]", "Japanese rules", "its komi is 4.5"),
        ("KM[650]AP[foxwq]", "Japanese rules", "its komi is 6.5"),
        ("HA[2]AB[aa][cc]PL[W]KM[0.5]", "Japanese rules", "it has handicap stones and a komi of 0.5"),
        ("AB[aa][cc]KM[0.5]", "Japanese rules", "it has handicap stones and a komi of 0.5"),
        ("KM[7.5]", "Chinese rules", "its komi is 7.5"),
        ("KM[7]", "Chinese rules", "its komi is 7"),
        ("KM[3.75]", "Chinese rules", "KM[3.75] is in stones"),
        ("KM[375]", "Chinese rules", "KM[375] is in stones"),
        ("KM[5.5]RE[B+1.75]", "Chinese rules", "RE[B+1.75] is in stones"),
        ("KM[0]RE[白胜1/4子]", "Chinese rules", "RE[白胜1/4子] is in stones"),
        ("RE[黑胜3又1/4子]", "Chinese rules", "RE[黑胜3又1/4子] is in stones"),
        ("KM[8]", "Ing's rules", "its komi is 8"),
        ("KM[0]AP[foxwq]", "Chinese rules", "it is of foxwq"),
        ("AP[KataGo]", "Chinese rules", "it is of KataGo"),
        ("AP[CGoban:2]", "Japanese rules", "most such records are of these"),
        ("PB[聂卫平]EV[预选赛]", "Chinese rules", "it is written in Chinese"),
        ("PB[高尾紳路]EV[本因坊戦]", "Japanese rules", "it is written in Japanese"),
        ("PB[ポポ]", "Japanese rules", "it is written in Japanese"),
        ("PB[박정환]", "Japanese rules", "it is written in Korean"),
        ("PB[Ann]PW[Ben]RE[B+R]", "Japanese rules", "most such records are of these"),
        ("KM[much]", "Japanese rules", "most such records are of these"),
    ],
)
def test_a_record_that_names_no_rules_is_judged_by_those_it_speaks_of(root, rules, why, judged):
    status, replies, stderr = judged(f"(;GM[1]SZ[5]{root};W[bb];B[dd];W[];B[])")
    first = OF_RECORD.format(rules, why)
    assert status == 0 and stderr.startswith(first)
    assert [reply["legal"] for reply in replies] == [True] * 4
    assert replies[0]["notes"][0] == first.removeprefix("shinpan: ").strip()


def test_a_record_with_what_shinpan_alone_writes_is_of_ultimate_go(judged):
    _, replies, stderr = judged("(;SZ[5]AP[other:1]KM[0];B[cc];W[dd];B[]DL[prisoner])")
    assert stderr == BY_OPTION and replies[-1]["legal"]


def test_what_was_taken_is_told_before_the_first_refusal(tmp_path, capsys):
    (tmp_path / "game.sgf").write_text("(;SZ[5]KM[6.5];B[cc];W[cc];B[dd])")
    main(["score", str(tmp_path / "game.sgf")])
    assert capsys.readouterr().err.startswith(OF_RECORD.format("Japanese rules", "its komi is 6.5"))


def test_an_analysed_record_keeps_the_rules_that_were_taken(tmp_path, capsys):
    (tmp_path / "game.sgf").write_text("(;SZ[5]KM[7.5];B[cc];W[dd])")
    main(["analyse", str(tmp_path / "game.sgf"), "--seconds", "0", "--sgf", str(tmp_path / "analysed.sgf")])
    assert read_root((tmp_path / "analysed.sgf").read_bytes())["RU"] == "chinese"


EARLY_PASSES = "(;SZ[9]KM[{}]AB[da:di]AW[ea:ei]{};B[];W[fa];B[];W[fb];B[];W[fc];B[];W[fd];B[];W[])"


@pytest.mark.parametrize(
    ("komi", "rules", "both"),
    [
        (6.5, "", "By Japanese rules the result is W+11.5, by Chinese rules W+15.5. "),
        (7.5, "", "By Chinese rules the result is W+16.5, by Japanese rules W+12.5. "),
        (6.5, "RU[Japanese]", None),
    ],
)
def test_score_tells_both_results_that_differ_by_more_than_the_last_move(komi, rules, both, tmp_path, capsys):
    (tmp_path / "game.sgf").write_text(EARLY_PASSES.format(komi, rules))
    assert main(["score", str(tmp_path / "game.sgf"), "--json"]) == 0
    output = capsys.readouterr()
    assert (both or "By ") in output.err if both else "By " not in output.err
    notes = json.loads(output.out).get("notes", [])
    assert any(note.startswith(both) for note in notes) if both else notes == []


def test_score_tells_one_result_where_only_the_last_move_differs(tmp_path, capsys):
    (tmp_path / "game.sgf").write_text("(;SZ[9]KM[6.5]AB[da:di]AW[ea:ei];B[];W[fa];B[];W[])")
    assert main(["score", str(tmp_path / "game.sgf"), "--json"]) == 0
    assert "By Japanese" not in capsys.readouterr().err


def test_a_line_that_cannot_be_read_is_no_reply_that_could_tell_it(judged: Judge) -> None:
    status, replies, stderr = judged("nonsense", TURN, TURN)
    assert (status, stderr) == (2, BY_OPTION)
    assert ["notes" in reply for reply in replies] == [False, True, False]


@pytest.mark.parametrize("command", [["score", "--method", "area"], ["analyse", "--json", "--seconds", "0"]])
@pytest.mark.parametrize("text", [SGF, json.dumps(TURN)], ids=["sgf", "turns"])
def test_score_and_analyse_say_it_too(command, text, tmp_path, capsys):
    (tmp_path / "game").write_text(text)
    words = [command[0], str(tmp_path / "game"), *command[1:]]
    main(words)
    assert capsys.readouterr().err.startswith(BY_OPTION)
    main([*words, "--rules", "fundamental"])
    assert "No rules are named" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "lines", "times"),
    [
        ((), "play b b2\nplay w a1", 1),
        ((), "loadsgf {game}", 1),
        ((), "play b b2\nloadsgf {game}\nplay b c3", 2),
        ((), "boardsize 9\nname\nshowboard", 0),
        ((), "shinpan-rules ultimate\nplay b b2\nloadsgf {game}", 0),
        (("--rules", "chinese"), "play b b2\nloadsgf {game}", 0),
    ],
)
def test_gtp_says_it_when_it_first_judges_by_them(options, lines, times, tmp_path, monkeypatch, capsys):
    (tmp_path / "game.sgf").write_text(SGF)
    text = lines.format(game=tmp_path / "game.sgf")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{text}\nquit\n".encode())))
    assert main(["gtp", *options]) == 0
    output = capsys.readouterr()
    assert output.err == times * BY_COMMAND and "?" not in output.out


@pytest.mark.slow
@pytest.mark.usefixtures("lone_board")
def test_watch_says_it_and_writes_no_rules_that_nobody_named(stills, tmp_path, capsys):
    (tmp_path / "looks").mkdir()
    for name in ("0.png", "1.png"):
        shutil.copy(stills / name, tmp_path / "looks")

    def root_of(*options: str) -> dict[str, str]:
        assert main(["watch", str(tmp_path / "looks"), "--sgf", str(tmp_path / "game.sgf"), *options]) == 0
        return read_root((tmp_path / "game.sgf").read_bytes())

    root = root_of()
    assert capsys.readouterr().err.startswith(BY_OPTION)
    assert root["SZ"] == "9" and not {"RU", "KM"} & root.keys()
    root = root_of("--rules", "ultimate")
    assert "No rules are named" not in capsys.readouterr().err
    assert (root["RU"], root["KM"]) == ("ultimate", "0")


@LONG
def test_neither_does_it_of_an_evening(stills, tmp_path, capsys):
    assert main(["watch", str(stills), "--evening", str(tmp_path / "evening"), "--json"]) == 0
    output = capsys.readouterr()
    assert output.err.startswith(BY_OPTION) and len(output.out.splitlines()) == 1
    root = read_root((tmp_path / "evening" / "game-1.sgf").read_bytes())
    assert root["SZ"] == "9" and not {"RU", "KM"} & root.keys()


@pytest.fixture(scope="module")
def stills(tmp_path_factory):
    """Pictures of a drawn board: empty, and after each of five moves."""
    folder, table = tmp_path_factory.mktemp("stills"), Table(club_look(3, 9, 1280, 720))
    rows = [list("." * 9) for _ in range(9)]
    for number, place in enumerate([None, (3, 3), (5, 5), (3, 5), (5, 3), (4, 4)]):
        if place is not None:
            rows[place[0]][place[1]] = "XO"[(number - 1) % 2]
        cv2.imwrite(str(folder / f"{number}.png"), table.draw(Scene(tuple(map("".join, rows))), number).pixels)
    return folder


def test_doctor_says_that_settings_name_none(tmp_path):
    (tmp_path / "box.toml").write_text("[game]\nsize = 9\n")
    check = next(check for check in every_check(tmp_path / "box.toml", beside=True) if check.what == "settings")
    assert (check.mark, "no rules are named" in check.sentence) == (Mark.NOTE, True)


# The settings


def test_only_settings_that_say_so_name_the_rules():
    assert not terms_of(Settings()).setup.rules.named
    assert not terms_of(settings_of({"game": {"options": {"ko": "situational"}}})).setup.rules.named
    assert terms_of(settings_of({"game": {"rules": "ultimate"}})).setup.rules.named
    assert not terms_of(settings_of({"game": {"rules": "aga"}, "presets": {"x": {"size": 9}}}), "x").setup.rules.named


@pytest.mark.parametrize(
    "text",
    ['players = "BWR"', 'prisoners = "told"', 'options = {ending = "two-passes"}', '[table]\nstones = "shown"'],
)
def test_a_misfit_with_assumed_rules_says_they_were_assumed(text, tmp_path):
    (tmp_path / "box.toml").write_text(f"[game]\n{text}\n")
    with pytest.raises(BadSettings, match=r"No rules are named there, so ultimate was taken; name others with rules\."):
        read_checked_settings(tmp_path / "box.toml")


def test_the_installed_box_and_the_demo_name_their_rules():
    assert read_settings(ROOT / "hardware/system/settings.toml").game.rules == "ultimate"
    assert demo_settings(Path("table"), 0, "games", 1.0).game.rules == "ultimate"


TABLES = f"""
[[tables]]
table = "1"
address = "http://192.0.2.1:8000/"
box = "{"a" * 64}"
secret = "{"b" * 32}"
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("csv = 'games.csv'\n", "no [round] names the rules of the rounds; write them below a line [round], such as "),
        ("[round]\nsize = 9\n", "[round] names no rules for the rounds; write them below a line [round], such as "),
    ],
)
def test_a_hall_asks_for_the_rules_of_its_rounds(text, said, tmp_path):
    path = tmp_path / "tables.toml"
    path.write_text(text + TABLES)
    with pytest.raises(BadSettings) as caught:
        read_tables(path)
    assert str(caught.value) == f'{path}: {said}rules = "chinese" (shinpan rules lists all).'
    path.write_text(f"csv = 'games.csv'\n[round]\nrules = 'chinese'\n{TABLES}")
    venue = read_tables(path)
    assert venue.round is not None and venue.round.rules == "chinese"
    path.write_text(TABLES)
    assert read_tables(path).round is None, "a hall that hands out no rounds needs no rules"


# The box


@pytest.fixture
def table(tmp_path):
    """A table for which nobody named rules, as it has been seen."""
    table = DirectedTable(tmp_path, None)
    yield table
    table.close()


def page(table: DirectedTable, path: str = "/") -> str:
    return str(table.app.test_client().get(path).get_data(as_text=True))


def test_the_page_says_which_rules_hold_and_leads_to_the_choice(table):
    text = page(table)
    assert HOLDS in text and "Ultimate Go (no rules were named)" in text
    assert '<a href="/director#match-form">Choose the rules</a>' in text
    assert table.app.test_client().get("/status.json").get_json()["rules_named"] is False
    client, _ = table.inside()
    assert 'id="match-form"' in client.get("/director").get_data(as_text=True)


def test_rules_that_were_named_are_said_until_the_first_turn(tmp_path):
    table = DirectedTable(tmp_path, "japanese")
    try:
        assert "Rules: Japanese rules." in page(table) and "Choose the rules" not in page(table)
        assert "Regeln: Japanische Regeln." in page(table, "/?lang=de")
        table.act("enter", player="B", turn="place", point="C3", why="for the test")
        assert "Rules: Japanese rules." not in page(table)
    finally:
        table.close()


@pytest.mark.parametrize("code", ["de", "ja"])
def test_it_is_said_in_every_language(table, code):
    sentence, rules = {"de": ("keine Regeln genannt", "Ultimate Go"), "ja": ("ルールが指定されていない", "究極碁")}[
        code
    ]
    text = page(table, f"/?lang={code}")
    assert sentence in text and rules in text


def test_after_the_first_stone_only_what_holds_is_said(table):
    table.act("enter", player="B", turn="place", point="C3", why="for the test")
    text = page(table)
    assert HOLDS not in text and "#match-form" not in text and "Ultimate Go (no rules were named)" in text


@pytest.mark.parametrize("rules", ["chinese", "ultimate"])
def test_rules_chosen_on_the_page_are_in_the_journal(rules, table):
    client, headers = table.inside()
    act = {"act": "set-up", "rules": rules}
    assert client.post("/director/acts", json=act, headers=headers).status_code == 200
    text = page(table)
    assert "No rules are named" not in text and "no rules were named" not in text
    assert table.now.game.rules == rules and table.now.game.rules_named
    (first, second) = (read_journal(path)[0].body for path in table.journals)
    assert (first["rules"], first["rules_named"]) == ("ultimate", False)
    assert (second["rules"], "rules_named" in second) == (rules, False)


def test_the_form_has_the_names_of_who_sits_down(tmp_path):
    table = DirectedTable(tmp_path, None)
    table.act("set-up", rules="ultimate", black="Anna", white="Ben")
    client, _ = table.inside()
    assert 'value="Anna"' in (text := client.get("/director").get_data(as_text=True)) and 'value="Ben"' in text
    table.act("enter", player="B", turn="place", point="C3", why="for the test")
    assert 'value="Anna"' not in client.get("/director").get_data(as_text=True), "the next match is of others"
    table.close()


def test_a_game_of_unnamed_rules_is_kept_and_verified(tmp_path):
    player = Player(tmp_path, refereed=False, rules=None).look()
    player.put(Colour.BLACK, "C3").look().look()
    player.box.close()
    record = player.journal.with_suffix(".sgf").read_bytes()
    assert not {"RU", "KM"} & read_root(record).keys()
    assert not read_sgf(record)[0].rules.named
    check_record(player.journal)
    replayed = replay_journal(player.journal)
    assert replayed.differs is None and not replayed.table.record.rules.named and replayed.table.record.number == 1


# Starting again


def started_again(folder: Path, **game: Any) -> Application:
    """A box at the folder, whose settings say this in [game]; it is ended at once, and what it shows stays."""
    box = Application(settings_of({"game": game, **ELSE, "data": {"folder": str(folder)}}))
    box.stop()
    return box


def chosen(folder: Path, turns: int = 0) -> None:
    """At a table for which nobody named rules somebody chose Chinese ones; so many turns were played."""
    table = DirectedTable(folder, None)
    table.act("set-up", rules="chinese", control="20m", black="Anna", white="Ben")
    for player, point in (("B", "C3"), ("W", "B2"))[:turns]:
        table.act("enter", player=player, turn="place", point=point, why="for the test")
    table.close()


@pytest.mark.slow
def test_the_terminal_says_which_rules_hold_and_how_others_are_chosen(tmp_path):
    box = started_again(tmp_path)
    assert english(box.plays) == (
        "No rules are named. Until somebody chooses, Ultimate Go holds; any board size. To choose: Set up a match at "
        f"{box.address}/director, or end this and start it again with --rules NAME (see shinpan rules)."
    )


@pytest.mark.parametrize("turns", sample([0, 2], 1))
def test_a_choice_holds_when_the_box_is_started_again(turns, tmp_path):
    chosen(tmp_path, turns)
    box = started_again(tmp_path)
    game = box.board.newest.game
    assert (game.rules, game.rules_named, game.turn) == ("chinese", True, turns)
    assert box.board.newest.names == ("Anna", "Ben") and game.clocks is not None
    sentence = "The match that was broken off goes on" if turns else "The rules: Chinese rules; "
    assert english(box.plays).startswith(sentence)
    assert replay_journal(Folder(tmp_path).list_journals()[-1]).differs is None


def test_chosen_rules_hold_after_the_next_start(tmp_path):
    chosen(tmp_path)
    folder = Folder(tmp_path)
    box = TableController(terms_of(Settings()), folder, NoPanel(), lambda snapshot: None)
    path, replayed = folder.find_newest_match() or pytest.fail("there is no match")
    box.resume_match(folder.open_journal(path), replayed, replayed.t)
    box.handle_observation(look(empty_position(board_of(9)), replayed.t + 1))
    box.close()
    newest = read_journal(folder.list_journals()[-1])[0].body
    assert (newest["size"], newest["rules"], "rules_named" in newest) == ([9, 9], "chinese", False)


def untouched(folder: Path, rules: str | None) -> None:
    """A table was seen, and the box ended before anything was played."""
    Player(folder, rules=rules).look().box.close()


def test_rules_named_at_the_next_start_hold_if_unplayed(tmp_path):
    untouched(tmp_path, None)
    game = started_again(tmp_path, rules="japanese").board.newest.game
    assert (game.rules, game.rules_named) == ("japanese", True)


def test_but_a_match_for_which_somebody_named_them_goes_on(tmp_path):
    untouched(tmp_path, "chinese")
    box = started_again(tmp_path, rules="japanese")
    assert box.board.newest.game.rules == "chinese"
    assert english(box.plays).startswith("The rules: Chinese rules; "), "what is said is what holds"


@pytest.mark.long
@pytest.mark.parametrize("started", sample(["turn", "clock"], 1))
def test_and_so_does_one_in_which_something_was_done(started, tmp_path):
    table = DirectedTable(tmp_path, None, control="20m")
    if started == "turn":
        table.act("enter", player="B", turn="place", point="C3", why="for the test")
    else:
        table.act("time", step="start")
    table.close()
    box = started_again(tmp_path, rules="japanese")
    game = box.board.newest.game
    assert (game.rules, game.rules_named) == ("ultimate", False)
    assert english(box.plays).startswith("The match that was broken off goes on under its own rules")


@LONG
def test_run_starts_without_rules_and_says_so(tmp_path):
    command = ("run", "--camera", "/dev/video99", "--data", tmp_path / "data")
    with StartedCommand(*command) as box:
        assert HOLDS in (text := box.ask("/")[1]) and "Choose the rules" in text
        status, _, err = box.end(signal.SIGTERM)
    assert status == 0 and "shinpan: No rules are named. Until somebody chooses, Ultimate Go holds; " in err
    with StartedCommand(*command, "--rules", "chinese") as box:
        assert "No rules are named" not in box.ask("/")[1]
        assert "No rules are named" not in box.end(signal.SIGTERM)[2]


@LONG
def test_what_is_chosen_on_the_page_holds_after_a_kill(tmp_path):
    command = ("run", "--camera", "/dev/video99", "--data", tmp_path / "data")
    with StartedCommand(*command) as box:
        cookie, token = came_in(box, Pin(tmp_path / "data").make())
        post_to_director(box, "acts", {"act": "set-up", "rules": "chinese"}, {"Cookie": cookie, "X-Token": token})
        box.end(signal.SIGKILL)
    with StartedCommand(*command) as box:
        status, text = json.loads(box.ask("/status.json")[1]), box.ask("/")[1]
        err = box.end(signal.SIGTERM)[2]
    assert (status["rules"], status["rules_named"]) == ("chinese", True)
    assert "No rules are named" not in text + err and "The rules: Chinese rules" in err


def came_in(box: StartedCommand, pin: str) -> tuple[str, str]:
    """The cookie and the token of a director."""
    headers, body = post_to_director(box, "session", {"pin": pin}, {})
    return headers["Set-Cookie"].partition(";")[0], json.loads(body)["token"]


def post_to_director(box: StartedCommand, what: str, fields: object, headers: dict[str, str]) -> tuple[Message, bytes]:
    """Return the director's page's answer."""
    headers = {"Content-Type": "application/json", "Origin": box.url, **headers}
    request = Request(f"{box.url}/director/{what}", json.dumps(fields).encode(), headers)
    with urlopen(request, timeout=PATIENCE_S) as answer:
        return answer.headers, answer.read()
