"""`shinpan judge` given what is no game: one plain sentence, and what can be judged is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.__main__ import main
from device.match.game_files import read_object, read_setup, read_turn
from referee.game.board import board_of
from referee.game.errors import RefereeError
from tests.support.device.judging import START, Judge, assert_one_sentence
from tests.support.tiers import examples

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
def test_an_unreadable_line_is_answered_and_the_next_follows(judged: Judge, line: object) -> None:
    status, (error, reply), stderr = judged(START, line, {"player": "B", "place": "A1"})
    assert status == 2 and stderr == ""
    assert set(error) == {"error"} and error["error"].startswith("line 2: ") and len(error["error"]) < 200
    assert reply["legal"] and reply["turn"] == 1


def test_an_unreadable_first_line_leaves_the_start_to_the_next(judged: Judge) -> None:
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
def test_a_start_that_cannot_be_ends_it_with_one_sentence(judged: Judge, start: object) -> None:
    status, lines, stderr = judged(start, {"player": "B", "place": "A1"})
    assert (status, lines) == (2, [])
    assert_one_sentence(stderr)


@pytest.mark.parametrize("depth", range(980, 996))
def test_a_line_nested_as_deep_as_can_just_be_read(judged: Judge, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    _, lines, _ = judged(START, f'{{"player":{nested},"place":"A1"}}', f'{{"player":"B","delay":{nested}}}')
    assert [set(line) for line in lines] == [{"error"}, {"error"}]


@pytest.mark.parametrize("content", [b"", b"  \n\n \n", b"\x89PNG\r\n\x1a\n\0\0", b"\0" * 100, b"(", b"(;", b"(hello)"])
def test_a_file_that_is_no_game(judged: Judge, content: bytes) -> None:
    status, lines, stderr = judged(content)
    assert (status, lines) == (2, [])
    assert_one_sentence(stderr)


@pytest.mark.parametrize("name", ["nowhere.jsonl", ".", "a\0b", "x" * 5000])
def test_a_file_that_cannot_be_opened(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["judge", name]) == 2
    assert capsys.readouterr().err.startswith("shinpan: ")


def test_unknown_rules_on_the_command_line(judged: Judge) -> None:
    status, lines, stderr = judged(START, options=("--rules", "nonsense"))
    assert (status, lines) == (2, [])
    assert_one_sentence(stderr)
    assert "shinpan rules lists all" in stderr


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
words = st.sampled_from(["rules", "size", "players", "to_play", "komi", "handicap", "board", "bowls", "options"])
starts = st.dictionaries(words, json_values, max_size=4)
acts = st.dictionaries(st.sampled_from(["player", "place", "delay", "pass", "draw", "resign"]), json_values)


@pytest.mark.slow
@examples(6)
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
