"""`shinpan judge` and `shinpan rules` from the outside: what goes in, what comes out."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.__main__ import main
from device.games import read_object, read_setup, read_turn
from referee.board import board_of
from referee.errors import RefereeError
from referee.rules.sets import RULESETS

REPLY = {
    "turn", "player", "legal", "reason", "repeats", "captured", "rows", "bowls", "ultimate", "ended", "result",
}  # fmt: skip

Lines = list[dict[str, Any]]


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Judge a file of these lines (objects are written as JSON); answers status, output lines and stderr."""

    def judge(*lines: object, options: tuple[str, ...] = ()) -> tuple[int, Lines, str]:
        raw = [line if isinstance(line, bytes) else written(line).encode() for line in lines]
        path = tmp_path / "game.jsonl"
        path.write_bytes(b"\n".join(raw))
        status = main(["judge", str(path), *options])
        said = capsys.readouterr()
        return status, [json.loads(line) for line in said.out.splitlines()], said.err

    return judge


def written(line: object) -> str:
    return line if isinstance(line, str) else json.dumps(line)


def assert_one_sentence(said: str) -> None:
    assert said.startswith("shinpan: ") and said.count("\n") == 1 and len(re.sub(r"/\S+/", "", said)) < 250
    assert "Traceback" not in said


START = {"rules": "ultimate", "size": 5}


def test_a_start_that_leaves_only_resigning_is_told_beside_the_answers(judged: Any) -> None:
    start, told = {"rules": "fundamental", "size": 1}, "Black has no legal placement, no prisoner to return"
    status, replies, said = judged(start, {"player": "B", "resign": True})
    assert status == 0 and [reply["result"] for reply in replies] == ["W+R"]
    assert_one_sentence(said)
    assert told in said and "can only resign." in said
    assert judged(START, {"player": "B", "resign": True})[2] == ""


def test_a_refused_pass_says_what_can_be_done(judged: Any) -> None:
    lines = [{"rules": "fundamental", "size": [2, 1]}, {"player": "B", "place": "A1"}, {"player": "W", "place": "B1"}]
    _, replies, _ = judged(*lines, {"player": "B", "pass": True}, options=("--explain",))
    assert replies[-1]["text"].endswith(
        "These rules have no pass. Black has no legal placement, no prisoner to return "
        "and no draw to declare, and can only resign."
    )


def test_a_reply_has_every_key_and_the_position_after_the_turn(judged: Any) -> None:
    status, (reply,), _ = judged({**START, "komi": 2}, {"player": "B", "place": "B4"})
    assert status == 0 and set(reply) == REPLY
    assert reply == {
        "turn": 1,
        "player": "B",
        "legal": True,
        "reason": None,
        "repeats": None,
        "captured": [],
        "rows": [".....", ".X...", ".....", ".....", "....."],
        "bowls": {"B": {"W": 1}, "W": {"B": 3}},
        "ultimate": None,
        "ended": False,
        "result": None,
    }


def test_an_illegal_turn_changes_nothing_and_has_the_number_it_would_have_had(judged: Any) -> None:
    _, replies, _ = judged(
        {"rules": "ultimate", "board": [".XO.", "XO.O", ".XO.", "...."]},
        {"player": "B", "place": "C3"},
        {"player": "W", "place": "B3"},
        {"player": "W", "place": "C3"},
        {"player": "B", "place": "A1"},
        {"player": "W", "place": "Z99"},
        {"player": "W", "delay": "prisoner"},
    )
    got = [(r["turn"], r["legal"], r["reason"], r["repeats"], r["captured"]) for r in replies]
    assert got == [
        (1, True, None, None, ["B3"]),
        (2, False, "superko", 0, []),
        (2, False, "occupied", None, []),
        (2, False, "not-your-turn", None, []),
        (2, False, "off-board", None, []),
        (2, True, None, None, []),
    ]
    assert all(reply["rows"] == [".XO.", "X.XO", ".XO.", "...."] for reply in replies)
    assert replies[4]["bowls"] == {"B": {"W": 2}, "W": {"B": 1}}
    assert (replies[5]["bowls"], replies[5]["ultimate"]) == ({"B": {"W": 2}, "W": {}}, "B")


SENDING_TWO = [".....", "XXX..", "OOXXX", ".OOOX", "XO.OX", ".XXOX"]
KO = [".XO.", "XO.O", ".XO.", "...."]
TRIPLE_KO = ["OOOOOOO", "O.O.OXO", "XOXOX.X", "XXXXXXX", "OOOOOOO", "......."]
EXPLAINED = [
    ({"rules": "ultimate", "size": 3}, "B A2", "Black played A2."),
    ({"rules": "ultimate", "size": 3}, "B D9", "Black may not play there. The board has no such point."),
    ({"rules": "ultimate", "board": ["X.", ".."]}, "B A2", "Black may not play A2. There is already a stone there."),
    (
        {"rules": "positional", "board": KO},
        "B C3, W B3",
        "White may not play B3. This would repeat the starting position.",
    ),
    (
        {"rules": "aga", "board": KO, "to_play": "W"},
        "W D1, B C3, W B3",
        "White may not play B3. This would repeat the position after turn 1, with the same player to move.",
    ),
    (
        {"rules": "simple", "size": 5, "handicap": 2},
        "B pass",
        "Black may not pass. The handicap stones are placed first",
    ),
    (
        {"rules": "kee", "size": [2, 1]},
        "B A1, W B1, B pass, W pass, B A1, W pass, B pass, W B1",
        "White may not play B1. This would re-enter the cycle completed by turn 5, as turn 2 did. "
        "That path is now prohibited.",
    ),
    (
        {"rules": "ing", "board": TRIPLE_KO},
        "B D5, W F4",
        "White may not play F4. F5, like D5, is a twin hot stone in one triple ko. Play elsewhere or pass first.",
    ),
    (
        {"rules": "ing", "board": SENDING_TWO},
        "B A3, W A1, B A2, W pass, B A3",
        "Black may not play A3. Black began the cycle of turns 1 to 3 and may not begin it again (cycle).",
    ),
    (
        {"rules": "new-zealand", "board": ["X.O", "OO.", "..."]},
        "B B3",
        "Black played B3, a suicide that took A3 and B3 off the board.",
    ),
]


@pytest.mark.parametrize(("start", "turns", "text"), EXPLAINED, ids=[text for _, _, text in EXPLAINED])
def test_a_turn_is_explained_where_that_is_wanted(judged: Any, start: object, turns: str, text: str) -> None:
    acts = [turn.split() for turn in turns.split(", ")]
    lines = [{"player": p, **({"pass": True} if act == "pass" else {"place": act})} for p, act in acts]
    _, replies, _ = judged(start, *lines, options=("--explain",))
    assert replies[-1]["text"].startswith(text)
    _, without, _ = judged(start, *lines)
    assert [set(reply) for reply in replies] == [REPLY | {"text"}] * len(lines)
    assert without == [{key: value for key, value in reply.items() if key != "text"} for reply in replies]


def test_answers_to_questions_and_unreadable_lines_need_no_explaining(judged: Any) -> None:
    _, (answer, error), _ = judged(START, {"ask": "legal"}, "nonsense", options=("--explain",))
    assert "text" not in answer and set(error) == {"error"}


def test_what_is_open_to_the_player(judged: Any) -> None:
    start = {"rules": "ultimate", "board": [".O.", "O.."], "bowls": {"B": {"W": 1}, "W": {}}}
    _, (answer,), _ = judged(start, {"ask": "legal"})
    assert answer == {
        "player": "B",
        "placements": ["C2", "B1", "C1"],
        "refused": {"A2": "surrounded"},
        "delays": ["prisoner"],
        "draw": False,
        "pass": False,
    }


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ({"player": "B", "pass": True}, "pass-not-available"),
        ({"player": "B", "draw": True}, "draw-not-available"),
        ({"player": "B", "delay": "ultimate"}, "delay-not-available"),
        ({"player": "B", "place": "a6"}, "off-board"),
        ({"player": "B", "place": "I1"}, "off-board"),
        ({"player": "B", "place": "A0"}, "off-board"),
        ({"player": "B", "place": "A" + "9" * 6000}, "off-board"),
        ({"player": "W", "resign": True}, "not-your-turn"),
    ],
)
def test_refusals(judged: Any, turn: dict[str, object], reason: str) -> None:
    status, (reply,), _ = judged(START, turn)
    assert (status, reply["reason"], reply["turn"]) == (0, reason, 1)


def test_the_game_goes_to_its_end(judged: Any) -> None:
    turns = [{"player": "B", "delay": "prisoner"}, {"player": "W", "resign": True}, {"player": "B", "place": "A1"}]
    _, replies, _ = judged(START, *turns)
    assert [(r["legal"], r["ended"], r["result"]) for r in replies] == [
        (True, False, None),
        (True, True, "B+R"),
        (False, True, "B+R"),
    ]
    assert replies[2]["reason"] == "game-over"


def test_chinese_ends_with_two_passes_and_waits_for_the_count(judged: Any) -> None:
    _, replies, _ = judged({"rules": "chinese"}, {"player": "B", "pass": True}, {"player": "W", "pass": True})
    assert (replies[1]["ended"], replies[1]["result"]) == (True, None)
    assert replies[0]["bowls"] == {"B": {}, "W": {}}


def test_a_reply_makes_a_start_again(judged: Any) -> None:
    _, replies, _ = judged(START, {"player": "B", "place": "C3"}, {"player": "W", "delay": "prisoner"})
    start = {"rules": "ultimate", "board": replies[1]["rows"], "bowls": replies[1]["bowls"], "ultimate": "B"}
    _, (reply,), _ = judged(start, {"player": "B", "delay": "prisoner"})
    assert (reply["legal"], reply["bowls"], reply["ultimate"]) == (True, {"B": {}, "W": {}}, "B")


def test_a_game_may_begin_with_a_turn(judged: Any) -> None:
    _, (reply,), _ = judged({"player": "B", "place": "Q16"})
    assert len(reply["rows"]) == 19 and reply["bowls"] == {"B": {"W": 1}, "W": {"B": 1}}
    _, (reply,), _ = judged({"player": "B", "pass": True}, options=("--rules", "chinese"))
    assert reply["legal"]


def test_the_option_replaces_the_rules_of_the_file(judged: Any) -> None:
    _, (reply,), _ = judged(START, {"player": "B", "pass": True}, options=("--rules", "chinese"))
    assert reply["legal"] and len(reply["rows"]) == 5
    _, (reply,), _ = judged({"size": 3}, {"player": "B", "pass": True}, options=("--rules", "chinese"))
    assert reply["legal"]


def test_pieces_are_exchanged_by_name(judged: Any) -> None:
    start = {"rules": "chinese", "board": [".XO.", "XO.O", ".XO.", "...."], "options": {"ko": "positional"}}
    _, replies, _ = judged(start, {"player": "B", "place": "C3"}, {"player": "W", "place": "B3"})
    assert replies[1]["reason"] == "superko"


NONSENSE = [
    "nonsense", "5", "null", "[]", '"text"', "true", "{", "[" * 100_000, "NaN", "9" * 5000,
    '{"player":' + "[" * 988 + "]" * 988 + ',"place":"A1"}',
    {"player": "B"},
    {"player": "B", "place": 5},
    {"player": "B", "place": "D4x"},
    {"player": "B", "place": ""},
    {"player": "B", "place": None},
    {"player": "B", "place": "A1", "pass": True},
    {"player": "B", "pass": False},
    {"player": "B", "pass": "true"},
    {"player": "B", "delay": "twice"},
    {"player": "B", "delay": True},
    {"player": "B", "resign": 1},
    {"player": "R", "place": "A1"},
    {"player": "b", "place": "A1"},
    {"player": ["B"], "place": "A1"},
    {"place": "A1"},
    {"ask": "meaning"},
    {"ask": ["legal"]},
    {"rules": "ultimate"},
    {},
    b"\xff\xfe\xfd",
    b"{\"player\":\"B\",\"place\":\"A1\", \"x\":\"" + b"y" * (1 << 20) + b"\"}",
    b"{\"player\":\"B\",\"place\":\"A1\"}" + b" " * (1 << 20),
    b" " * (1 << 20) + b"{\"player\":\"B\",\"place\":\"A1\"}",
]  # fmt: skip


@pytest.mark.parametrize("line", NONSENSE, ids=range(len(NONSENSE)))
def test_an_unreadable_line_is_answered_and_the_next_follows(judged: Any, line: object) -> None:
    status, (error, reply), said = judged(START, line, {"player": "B", "place": "A1"})
    assert status == 2 and said == ""
    assert set(error) == {"error"} and error["error"].startswith("line 2: ") and len(error["error"]) < 200
    assert reply["legal"] and reply["turn"] == 1


def test_an_unreadable_first_line_leaves_the_start_to_the_next(judged: Any) -> None:
    status, lines, _ = judged("", "nonsense", {"rules": "chinese", "size": 3}, {"player": "B", "pass": True})
    assert status == 2
    assert lines[0]["error"].startswith("line 2: ") and lines[1]["legal"] and len(lines[1]["rows"]) == 3


@pytest.mark.parametrize(
    "start",
    [
        {"rules": "tibetan"},
        {"rules": 5},
        {"rules": ["ultimate"]},
        {"size": 9},
        {"rules": "ultimate", "size": "9"},
        {"rules": "ultimate", "size": True},
        {"rules": "ultimate", "size": [9]},
        {"rules": "ultimate", "size": [9, 9.5]},
        {"rules": "ultimate", "size": 0},
        {"rules": "ultimate", "size": -9},
        {"rules": "ultimate", "komi": "6.5"},
        {"rules": "ultimate", "komi": 0.25},
        {"rules": "ultimate", "komi": True},
        {"rules": "ultimate", "komi": 10**400},
        '{"rules":"ultimate","komi":NaN}',
        '{"rules":"ultimate","komi":1e999}',
        {"rules": "ultimate", "handicap": 2.5},
        {"rules": "ultimate", "handicap": "2"},
        {"rules": "ultimate", "players": "BWR"},
        {"rules": "ultimate", "players": 2},
        {"rules": "ultimate", "to_play": "R"},
        {"rules": "ultimate", "to_play": 1},
        {"rules": "ultimate", "to_play": "Black"},
        {"rules": "ultimate", "board": "..."},
        {"rules": "ultimate", "board": [1, 2]},
        {"rules": "ultimate", "board": []},
        {"rules": "ultimate", "board": ["..", "."]},
        {"rules": "ultimate", "board": ["?"]},
        {"rules": "ultimate", "board": ["XO", "OX"]},
        {"rules": "ultimate", "board": ["..."], "size": 9},
        {"rules": "ultimate", "bowls": 5},
        {"rules": "ultimate", "bowls": {"B": 1}},
        {"rules": "ultimate", "bowls": {"B": {"W": -1}}},
        {"rules": "ultimate", "bowls": {"B": {"W": 1.5}}},
        {"rules": "ultimate", "bowls": {"B": {"B": 1}}},
        {"rules": "ultimate", "bowls": {"R": {"W": 1}}},
        {"rules": "ultimate", "bowls": {"": {"": 1}}},
        {"rules": "ultimate", "bowls": {"B": {"W": 10**100}}},
        {"rules": "ultimate", "ultimate": "B"},
        {"rules": "ultimate", "players": ""},
        {"rules": "kee", "players": "ABC", "bowls": {"A": {"C": 1}}},
        {"rules": "kee", "players": "BWG", "bowls": {"G": {"B": 1}}},
        {"rules": "kee", "players": "BW" * 5000, "bowls": {"B": {"W": 1}}},
        {"rules": "ultimate", "bowls": {"B": {"W": 1}}, "ultimate": "R"},
        {"rules": "simple", "handicap": 2, "options": {"handicap": "passed", "ending": "none", "scoring": "none"}},
        {"rules": "ultimate", "options": []},
        {"rules": "ultimate", "options": {"ko": "eternal"}},
        {"rules": "ultimate", "options": {"speed": 9}},
        {"rules": "ultimate", "handcap": 2},
    ],
    ids=str,
)
def test_a_start_that_cannot_be_ends_it_with_one_sentence(judged: Any, start: object) -> None:
    status, lines, said = judged(start, {"player": "B", "place": "A1"})
    assert (status, lines) == (2, [])
    assert_one_sentence(said)


@pytest.mark.parametrize("depth", range(980, 996))
def test_a_line_nested_as_deep_as_can_just_be_read(judged: Any, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    _, lines, _ = judged(START, f'{{"player":{nested},"place":"A1"}}', f'{{"player":"B","delay":{nested}}}')
    assert [set(line) for line in lines] == [{"error"}, {"error"}]


@pytest.mark.parametrize("content", [b"", b"  \n\n \n", b"\x89PNG\r\n\x1a\n\0\0", b"\0" * 100, b"(", b"(;", b"(hello)"])
def test_a_file_that_is_no_game(judged: Any, content: bytes) -> None:
    status, lines, said = judged(content)
    assert (status, lines) == (2, [])
    assert_one_sentence(said)


@pytest.mark.parametrize("name", ["nowhere.jsonl", ".", "a\0b", "x" * 5000])
def test_a_file_that_cannot_be_opened(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["judge", name]) == 2
    assert capsys.readouterr().err.startswith("shinpan: ")


def test_unknown_rules_on_the_command_line(judged: Any) -> None:
    status, lines, said = judged(START, options=("--rules", "nonsense"))
    assert (status, lines) == (2, [])
    assert_one_sentence(said)
    assert "ultimate, ultimate-original, fundamental" in said


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = '\ufeff{"rules":"ultimate","size":[3,2]}\r\n{"player":"B","place":"C2"}\r\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["judge", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == ["..X", "..."]


class TestSgf:
    """SGF in, the same lines out."""

    def test_every_move_is_a_line(self, judged: Any) -> None:
        status, lines, _ = judged(b"(;SZ[5]RU[Chinese];B[cc];W[cc];W[bb](;B[])(;B[aa]))")
        assert status == 0
        assert [(r["turn"], r["reason"]) for r in lines] == [(1, None), (2, "occupied"), (2, None), (3, None)]

    def test_delays(self, judged: Any) -> None:
        _, lines, _ = judged(b"(;SZ[5];B[cc];W[]DL[prisoner];B[]DL[prisoner];W[])")
        assert [r["reason"] for r in lines] == [None, None, None, "pass-not-available"]
        assert lines[2]["ultimate"] == "B"

    def test_rules_that_are_not_there(self, judged: Any) -> None:
        status, lines, said = judged(b"(;SZ[5]RU[Tibetan];B[cc])")
        assert (status, lines) == (2, [])
        assert_one_sentence(said)
        assert judged(b"(;SZ[5]RU[Tibetan];B[cc])", options=("--rules", "chinese"))[0] == 0

    def test_a_square_board_is_no_condition(self, judged: Any) -> None:
        _, (reply,), _ = judged(b"(;SZ[4:2];B[db])")
        assert reply["rows"] == ["....", "...X"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
words = st.sampled_from(["rules", "size", "players", "to_play", "komi", "handicap", "board", "bowls", "options"])
starts = st.dictionaries(words, json_values, max_size=4)
acts = st.dictionaries(st.sampled_from(["player", "place", "delay", "pass", "draw", "resign"]), json_values)


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(starts, acts, st.text(max_size=20))
def test_values_of_any_type_are_refused_not_fatal(start: dict[str, object], act: dict[str, object], text: str) -> None:
    for attempt in (
        lambda: read_setup({"rules": "ultimate", **start}).record(),
        lambda: read_setup({"rules": "chinese", **start}).record(),
        lambda: read_turn({"player": "B", **act}, board_of(9), 2),
        lambda: read_object(text),
    ):
        try:
            attempt()
        except RefereeError as error:
            assert len(str(error)) < 250


class TestRules:
    """`shinpan rules`."""

    def test_the_list(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rules"]) == 0
        assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(RULESETS)

    def test_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rules", "chinese"]) == 0
        assert "two-passes" in capsys.readouterr().out

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rules", "ultimate", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ko"] == "positional"
        assert main(["rules", "--json"]) == 0
        assert [rules["name"] for rules in json.loads(capsys.readouterr().out)] == list(RULESETS)

    def test_another(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rules", "tibetan"]) == 2
        assert_one_sentence(capsys.readouterr().err)


def test_three_players_take_turns_until_one_is_left(judged: Any) -> None:
    status, replies, _ = judged(
        {"rules": "kee", "players": "BWR", "board": ["R.W", "BBB", "..."]},
        {"player": "B", "place": "B3"},
        {"player": "W", "resign": True},
        {"player": "W", "pass": True},
        {"player": "G", "pass": True},
        {"ask": "legal"},
        {"player": "R", "resign": True},
    )
    assert status == 2 and replies[3] == {"error": 'line 5: The player must be B or W or R, not "G".'}
    assert replies[0]["captured"] == ["A3", "C3"] and replies[0]["rows"] == [".B.", "BBB", "..."]
    assert replies[0]["bowls"] == {"B": {"W": 1, "R": 1}, "W": {}, "R": {}}
    assert (replies[1]["ended"], replies[2]["reason"], replies[4]["player"]) == (False, "not-your-turn", "R")
    assert (replies[5]["ended"], replies[5]["result"]) == (True, "B+R")


# What both players agree on during play


def test_an_agreed_exchange_and_removal_are_no_turns(judged: Any) -> None:
    lines = [
        {**START, "komi": 2},
        {"player": "B", "place": "B4"},
        {"player": "W", "place": "D4"},
        {"remove": ["D4"]},
        {"exchange": 1},
        {"player": "B", "place": "C2"},
        {"exchange": 2},
    ]
    status, replies, _ = judged(*lines, options=("--explain",))
    assert status == 0 and all(set(reply) == {*REPLY, "text"} for reply in replies)
    removed, exchanged, placed, refused = replies[2:]
    assert (removed["turn"], removed["player"], removed["legal"], removed["captured"]) == (2, None, True, ["D4"])
    assert removed["bowls"] == {"B": {"W": 2}, "W": {"B": 3}} and removed["rows"][1] == ".X..."
    assert removed["text"] == "By agreement D4 left the board as dead. Nobody has used a turn."
    assert (exchanged["turn"], exchanged["bowls"]) == (2, {"B": {"W": 1}, "W": {"B": 2}})
    assert (placed["turn"], placed["player"]) == (3, "B")
    assert (refused["turn"], refused["legal"], refused["reason"]) == (3, False, "no-prisoner")
    assert refused["text"] == "That agreement has no effect. Black has only one white stone to exchange."
    assert refused["bowls"] == placed["bowls"]


def test_an_agreement_may_come_first_and_one_that_is_none_gets_a_sentence(judged: Any) -> None:
    status, (first, *errors), _ = judged(
        {"exchange": 1}, {"exchange": 0}, {"remove": []}, {"exchange": 1, "player": "B"}, {"remove": ["Z9"]}
    )
    assert status == 2 and first["bowls"] == {"B": {}, "W": {}} and first["turn"] == 0
    assert [error["error"].split(":")[0] for error in errors] == [f"line {number}" for number in (2, 3, 4, 5)]


def test_where_the_rules_leave_no_room_an_agreement_is_refused(judged: Any) -> None:
    _, replies, _ = judged({"rules": "chinese", "size": 5}, {"player": "B", "place": "B4"}, {"remove": ["B4"]})
    assert (replies[-1]["legal"], replies[-1]["reason"]) == (False, "agreement-not-available")
