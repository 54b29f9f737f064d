"""`shinpan judge` and `shinpan rules` from the outside: what goes in, what comes out."""

from __future__ import annotations

import io
import json
import sys

import pytest

from device.__main__ import main
from tests.support.device.judging import START, Judge, assert_one_sentence

REPLY = {
    "turn", "player", "legal", "reason", "repeats", "captured", "rows", "bowls", "ultimate", "ended", "result",
}  # fmt: skip


def test_a_start_that_leaves_only_resigning_is_told_beside_the_answers(judged: Judge) -> None:
    start, sentence = {"rules": "fundamental", "size": 1}, "Black has no legal placement, no prisoner to return"
    status, replies, stderr = judged(start, {"player": "B", "resign": True})
    assert status == 0 and [reply["result"] for reply in replies] == ["W+R"]
    assert_one_sentence(stderr)
    assert sentence in stderr and "can only resign." in stderr
    assert judged(START, {"player": "B", "resign": True})[2] == ""


def test_a_refused_pass_says_what_can_be_done(judged: Judge) -> None:
    lines = [{"rules": "fundamental", "size": [2, 1]}, {"player": "B", "place": "A1"}, {"player": "W", "place": "B1"}]
    _, replies, _ = judged(*lines, {"player": "B", "pass": True}, options=("--explain",))
    assert replies[-1]["text"].endswith(
        "These rules have no pass. Black has no legal placement, no prisoner to return "
        "and no draw to declare, and can only resign."
    )


def test_a_reply_has_every_key_and_the_position_after_the_turn(judged: Judge) -> None:
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


def test_an_illegal_turn_changes_nothing_and_keeps_its_number(judged: Judge) -> None:
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
        "Black may not pass. 2 handicap stones are still to come.",
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
def test_a_turn_is_explained_where_that_is_wanted(judged: Judge, start: object, turns: str, text: str) -> None:
    acts = [turn.split() for turn in turns.split(", ")]
    lines = [{"player": p, **({"pass": True} if act == "pass" else {"place": act})} for p, act in acts]
    _, replies, _ = judged(start, *lines, options=("--explain",))
    assert replies[-1]["text"].startswith(text)
    _, without, _ = judged(start, *lines)
    assert [set(reply) for reply in replies] == [REPLY | {"text"}] * len(lines)
    assert without == [{key: value for key, value in reply.items() if key != "text"} for reply in replies]


def test_answers_to_questions_and_unreadable_lines_need_no_explaining(judged: Judge) -> None:
    _, (answer, error), _ = judged(START, {"ask": "legal"}, "nonsense", options=("--explain",))
    assert "text" not in answer and set(error) == {"error"}


def test_what_is_open_to_the_player(judged: Judge) -> None:
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
def test_refusals(judged: Judge, turn: dict[str, object], reason: str) -> None:
    status, (reply,), _ = judged(START, turn)
    assert (status, reply["reason"], reply["turn"]) == (0, reason, 1)


def test_the_game_goes_to_its_end(judged: Judge) -> None:
    turns = [{"player": "B", "delay": "prisoner"}, {"player": "W", "resign": True}, {"player": "B", "place": "A1"}]
    _, replies, _ = judged(START, *turns)
    assert [(r["legal"], r["ended"], r["result"]) for r in replies] == [
        (True, False, None),
        (True, True, "B+R"),
        (False, True, "B+R"),
    ]
    assert replies[2]["reason"] == "game-over"


def test_chinese_ends_with_two_passes_and_waits_for_the_count(judged: Judge) -> None:
    _, replies, _ = judged({"rules": "chinese"}, {"player": "B", "pass": True}, {"player": "W", "pass": True})
    assert (replies[1]["ended"], replies[1]["result"]) == (True, None)
    assert replies[0]["bowls"] == {"B": {}, "W": {}}


def test_a_reply_makes_a_start_again(judged: Judge) -> None:
    _, replies, _ = judged(START, {"player": "B", "place": "C3"}, {"player": "W", "delay": "prisoner"})
    start = {"rules": "ultimate", "board": replies[1]["rows"], "bowls": replies[1]["bowls"], "ultimate": "B"}
    _, (reply,), _ = judged(start, {"player": "B", "delay": "prisoner"})
    assert (reply["legal"], reply["bowls"], reply["ultimate"]) == (True, {"B": {}, "W": {}}, "B")


def test_a_game_may_begin_with_a_turn(judged: Judge) -> None:
    _, (reply,), _ = judged({"player": "B", "place": "Q16"})
    assert len(reply["rows"]) == 19 and reply["bowls"] == {"B": {"W": 1}, "W": {"B": 1}}
    _, (reply,), _ = judged({"player": "B", "pass": True}, options=("--rules", "chinese"))
    assert reply["legal"]


def test_the_option_replaces_the_rules_of_the_file(judged: Judge) -> None:
    _, (reply,), _ = judged(START, {"player": "B", "pass": True}, options=("--rules", "chinese"))
    assert reply["legal"] and len(reply["rows"]) == 5
    _, (reply,), _ = judged({"size": 3}, {"player": "B", "pass": True}, options=("--rules", "chinese"))
    assert reply["legal"]


def test_pieces_are_exchanged_by_name(judged: Judge) -> None:
    start = {"rules": "chinese", "board": [".XO.", "XO.O", ".XO.", "...."], "options": {"ko": "positional"}}
    _, replies, _ = judged(start, {"player": "B", "place": "C3"}, {"player": "W", "place": "B3"})
    assert replies[1]["reason"] == "superko"


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = '\ufeff{"rules":"ultimate","size":[3,2]}\r\n{"player":"B","place":"C2"}\r\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["judge", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == ["..X", "..."]


class TestSgf:
    """SGF in, the same lines out."""

    def test_every_move_is_a_line(self, judged: Judge) -> None:
        status, lines, _ = judged(b"(;SZ[5]RU[Chinese];B[cc];W[cc];W[bb](;B[])(;B[aa]))")
        assert status == 0
        assert [(r["turn"], r["reason"]) for r in lines] == [(1, None), (2, "occupied"), (2, None), (3, None)]

    def test_delays(self, judged: Judge) -> None:
        _, lines, _ = judged(b"(;SZ[5];B[cc];W[]DL[prisoner];B[]DL[prisoner];W[])")
        assert [r["reason"] for r in lines] == [None, None, None, "pass-not-available"]
        assert lines[2]["ultimate"] == "B"

    def test_rules_that_are_not_there(self, judged: Judge) -> None:
        status, lines, stderr = judged(b"(;SZ[5]RU[Tibetan];B[cc])")
        assert (status, lines) == (2, [])
        assert_one_sentence(stderr)
        assert judged(b"(;SZ[5]RU[Tibetan];B[cc])", options=("--rules", "chinese"))[0] == 0

    def test_a_square_board_is_no_condition(self, judged: Judge) -> None:
        _, (reply,), _ = judged(b"(;SZ[4:2];B[db])")
        assert reply["rows"] == ["....", "...X"]


def test_three_players_take_turns_until_one_is_left(judged: Judge) -> None:
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


def test_an_agreed_exchange_and_removal_are_no_turns(judged: Judge) -> None:
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


def test_an_agreement_may_come_first_and_a_bad_one_is_told(judged: Judge) -> None:
    status, (first, *errors), _ = judged(
        {"exchange": 1}, {"exchange": 0}, {"remove": []}, {"exchange": 1, "player": "B"}, {"remove": ["Z9"]}
    )
    assert status == 2 and first["bowls"] == {"B": {}, "W": {}} and first["turn"] == 0
    assert [error["error"].split(":")[0] for error in errors] == [f"line {number}" for number in (2, 3, 4, 5)]


def test_where_the_rules_leave_no_room_an_agreement_is_refused(judged: Judge) -> None:
    _, replies, _ = judged({"rules": "chinese", "size": 5}, {"player": "B", "place": "B4"}, {"remove": ["B4"]})
    assert (replies[-1]["legal"], replies[-1]["reason"]) == (False, "agreement-not-available")
