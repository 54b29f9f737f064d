"""Assumptions about a record, told on stderr, in the first reply's notes; resumed play in JSON lines and SGF."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from device.__main__ import main
from referee.game.record import GameRecord
from referee.game.turns import Pass, Placement
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.reader import read_sgf
from referee.sgf.records import without_words, write_sgf
from tests.support.device.judging import Judge
from tests.support.play import play_turns, start_game

RESUMED = "(;GM[1]SZ[5]RU[Korean]KM[650];B[cc];W[dc];B[];W[];W[dd];B[cb];W[];B[])"
FIRST = {"rules": "Japanese Rules", "size": 5}
TWO_PASSES = [{"player": "B", "pass": True}, {"player": "W", "pass": True}]


DEAD_STONE = (
    "(;GM[1]SZ[7]RU[chinese]KM[0.5]RE[%s]AB[ba][da][ab][bb][cb][db][cc][dc][cd][dd][ae][be][ce][de][df][dg]"
    "AW[ea][ga][eb][fb][gb][bc][ec][gc][ed][fd][gd][ee][ef][eg];B[];W[])"
)


@pytest.mark.parametrize(("recorded", "differs"), [("B+6.5", False), ("B+1.5", True), ("W+R", False), ("", False)])
def test_a_records_other_result_is_told_at_its_end_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recorded: str, differs: bool
) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(DEAD_STONE % recorded)
    assert main(["judge", str(file)]) == 0
    output = capsys.readouterr()
    assert [json.loads(line)["result"] for line in output.out.splitlines()] == [None, None]
    difference = f"RE[{recorded}]; a count comes to B+6.5. Assumed dead: B5 (proved). `shinpan score` counts it.\n"
    assert output.err == (f"shinpan: the record has another result, {difference}" if differs else "")


def test_the_first_reply_has_the_notes_and_stderr_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(RESUMED)
    for command in (["judge"], ["analyse", "--json", "--seconds", "0"]):
        assert main([*command[:1], str(file), *command[1:]]) == 0
        output = capsys.readouterr()
        first, *others = map(json.loads, output.out.splitlines())
        assert [f"shinpan: {note}" for note in first["notes"]] == output.err.splitlines()
        assert [word in " ".join(first["notes"]) for word in ("Japanese", "6.5 points", "resumed")] == [True] * 3
        assert not any("notes" in other for other in others)


def test_gtp_loads_such_a_game_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(RESUMED)
    commands = f"loadsgf {file}\nkomi 0.5\nfinal_score\nloadsgf {file} 6\nplay b c4\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(commands.encode())))
    assert main(["gtp"]) == 0
    output = capsys.readouterr()
    assert output.out.count("=") == 6 and "?" not in output.out and output.err.count("resumed") == 2


def test_play_is_resumed_by_a_line_of_its_own(judged: Judge) -> None:
    status, replies, stderr = judged(
        FIRST, *TWO_PASSES, {"resume": "W"}, {"player": "W", "place": "C3"}, options=("--explain",)
    )
    assert (status, stderr) == (0, "")
    assert [(reply["turn"], reply["player"], reply["legal"], reply["ended"]) for reply in replies] == [
        (1, "B", True, False),
        (2, "W", True, True),
        (2, None, True, False),
        (3, "W", True, False),
    ]
    assert replies[2]["text"] == "Play goes on after the passes. White moves."


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([{"resume": "B"}], "Passes have not ended play"),
        ([*TWO_PASSES, {"resume": "R"}], "says who moves"),
        ([*TWO_PASSES, {"resume": "B", "t": 1}], "says who moves"),
        ([*TWO_PASSES, {"resume": ["B"]}], "says who moves"),
        ([{"player": "B", "resign": True}, {"resume": "W"}], "Passes have not ended play"),
    ],
)
def test_what_cannot_be_resumed_is_an_error(judged: Judge, lines: list[object], says: str) -> None:
    status, replies, _ = judged(FIRST, *lines)
    assert status == 2 and says in replies[-1]["error"]


def test_a_move_after_two_passes_is_refused_with_how_to_resume(judged: Judge) -> None:
    turns = [*TWO_PASSES, {"player": "B", "place": "C3"}, {"player": "B", "place": "C4"}]
    status, replies, stderr = judged(FIRST, *turns)
    assert (status, [reply["reason"] for reply in replies[2:]]) == (0, ["game-over"] * 2)
    assert stderr.count("\n") == 1 and '{"resume":"B"}' in stderr


def test_a_game_that_was_resumed_by_a_line_is_counted_at_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    lines = [FIRST, *TWO_PASSES, {"resume": "W"}, {"player": "W", "place": "C3"}, *TWO_PASSES]
    file.write_text("\n".join(map(json.dumps, lines)))
    assert main(["score", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"] == "W+30.5"


@pytest.mark.parametrize(
    "turn", [{"player": "B", "place": "C3", "foo": 1}, {"player": "B", "pass": True, "resumed": True}]
)
def test_an_unknown_key_of_a_turn_is_an_error(judged: Judge, turn: dict[str, object]) -> None:
    status, (error, reply), _ = judged(FIRST, turn, {"player": "B", "place": "C3"})
    assert status == 2 and f'A turn has no "{list(turn)[-1]}"' in error["error"] and reply["legal"]


def test_territory_that_is_marked_names_the_dead_stones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[3]RU[Japanese]KM[0]RE[B+9];B[bb];W[aa];B[];W[]TB[aa:ca][ab][cb][ac:cc])")
    for options, result, words in (((), "B+9", "A3"), (("--dead", ""), "0", "another result")):
        assert main(["score", str(file), "--json", *options]) == 0
        output = capsys.readouterr()
        assert json.loads(output.out)["result"] == result and words in output.err


def test_a_resumption_by_the_other_player_is_written_and_read_back() -> None:
    record = play_turns(start_game("chinese", "....", "....", "....", "...."), "B A1", "W pass", "B pass")
    resumed = record.going_on(record.turns[0].player)
    data = write_sgf(resumed)
    assert b"RP[resumed:B]" in data
    _, acts = read_sgf(data)
    last = acts[-1]
    assert isinstance(last, Pass) and last.resumed and last.then is not None and last.then.value == "B"


def test_a_handicap_of_one_is_written_where_no_reader_minds_it() -> None:
    record = Setup(rule_set("aga"), size=(9, 9), handicap=1).record()
    data = write_sgf(record)
    assert b"HA[" not in data and read_sgf(data)[0].handicap == 1
    assert read_sgf(b"(;AP[shinpan]SZ[9]RU[aga]HA[1]KM[0.5];B[cc])")[0].handicap == 1


def test_records_of_version_0_1_are_the_same_as_those_of_today() -> None:
    then = b"(;AP[shinpan]HA[1]SZ[5];B[cc];W[ae];AE[ae]AG[removed])"
    now = b"(;AP[shinpan]HN[1]SZ[5];B[cc];W[ae];AG[removed][ae]C[Both agreed.])"
    assert without_words(then) == without_words(now)
    assert read_sgf(then)[1] == read_sgf(now)[1]


def test_our_own_records_are_read_to_the_letter() -> None:
    start: GameRecord = start_game("chinese", "X.X", "...", "...", to_play="W", komi=50)
    setup, acts = read_sgf(write_sgf(play_turns(start, "W B2")))
    assert (setup.komi, setup.handicap) == (50, 0) and isinstance(acts[0], Placement)


def test_territory_that_is_marked_otherwise_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.sgf"
    for marked, words in (("TB[aa]", "marks C1 otherwise"), ("TB[aa][ca]", ""), ("", "")):
        file.write_text(f"(;GM[1]SZ[3:1]RU[Japanese]KM[0];B[ba];W[];B[]{marked})")
        assert main(["score", str(file), "--json"]) == 0
        stderr = capsys.readouterr().err
        assert words in stderr if words else stderr == ""


@pytest.mark.parametrize(("start", "options"), [({"rules": "Korean", "size": 5}, ()), (FIRST, ("--rules", "KR"))])
def test_rules_that_stand_for_others_are_told_in_json_lines_too(
    judged: Judge, start: dict[str, object], options: tuple[str, ...]
) -> None:
    status, (reply, _), stderr = judged(start, *TWO_PASSES, options=options)
    assert (status, stderr) == (0, f"shinpan: {reply['notes'][0]}\n") and "Korean" in stderr


def test_mail_before_a_game_is_skipped_also_in_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mail = b"From: a@example.org\nSubject: our game\n\nHello,\n(;GM[1]SZ[5]RU[JP]KM[0];B[cc])\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(mail)))
    assert main(["judge", "-"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["legal"] and "before the game" in output.err
