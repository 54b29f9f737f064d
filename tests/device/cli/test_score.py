"""`shinpan score` from the outside: files and options in, the count as JSON or as a text out."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from device.__main__ import main
from device.cli import score
from tests.support.tiers import LONG
from tests.support.waiting import PATIENCE_S

KEYS = {"method", "result", "steps", "counts", "dead", "dead_by", "order_matters"}
FIRST = {"rules": "ultimate", "board": ["..X.O..", "XXX.OOO", "..X.O.."]}
TO_THE_DELAY = [{"player": player, "place": point} for player, point in (("B", "D3"), ("W", "D2"), ("B", "D1"))]
DELAY = {"player": "W", "delay": "prisoner"}
GAME = [FIRST, *TO_THE_DELAY, DELAY]
PASSES = [{"player": "B", "pass": True}, {"player": "W", "pass": True}]
BOARD = ["..XO.", ".XXO.", "XX.OO", ".OXXO", "..XO."]


@pytest.fixture
def run_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Score a file of these lines; answers status, stdout and stderr."""

    def score(lines: list[Any] | bytes, *options: str) -> tuple[int, str, str]:
        text = lines if isinstance(lines, bytes) else "\n".join(map(to_json_line, lines)).encode()
        path = tmp_path / "game"
        path.write_bytes(text)
        status = main(["score", str(path), *options])
        output = capsys.readouterr()
        return status, output.out, output.err

    return score


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is given up at once."""
    monkeypatch.setattr(score, "PATIENCE", 0.05)


def to_json_line(line: object) -> str:
    return line if isinstance(line, str) else json.dumps(line)


def test_the_json_answer_has_its_keys_and_its_steps_theirs(run_score: Any) -> None:
    status, out, err = run_score(GAME, "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "") and set(answer) == KEYS
    assert (answer["method"], answer["result"], answer["dead"], answer["order_matters"]) == (
        "expedited",
        "0",
        [],
        False,
    )
    assert [set(step) for step in answer["steps"]] == [{"player", "act", "point", "text"}] * 6
    assert answer["steps"][0] == {"player": "B", "act": "place", "point": "A3", "text": answer["steps"][0]["text"]}
    assert [step["act"] for step in answer["steps"]] == ["place"] * 4 + ["delay", "draw"]


@pytest.mark.usefixtures("impatient")
def test_the_count_of_an_empty_board_says_that_it_is_not_settled(run_score: Any) -> None:
    status, out, _ = run_score([{"rules": "ultimate", "size": 3}])
    assert status == 0 and "The position is not settled: no border is closed around A3," in out
    status, out, _ = run_score([{"rules": "ultimate", "size": 3}], "--json")
    answer = json.loads(out)
    assert set(answer) == KEYS and len(answer["counts"]["unsettled"]) == 9


def test_agreements_are_counted_in_and_one_that_cannot_be_is_left_out(run_score: Any) -> None:
    agreed = [{"rules": "ultimate", "board": FIRST["board"], "komi": 1}, {"exchange": 1}, {"exchange": 7}]
    status, out, err = run_score([*agreed, *TO_THE_DELAY], "--json")
    assert status == 0 and json.loads(out)["method"] == "expedited"
    assert err == "shinpan: what was agreed after turn 0 is refused (no-prisoner) and left out.\n"


def test_the_text_can_be_read_step_by_step(run_score: Any) -> None:
    status, out, _ = run_score(GAME)
    assert status == 0
    assert out.splitlines()[0].endswith(", counted by the expedited procedure.")
    assert "   1. Black fills their territory at A3.\n" in out and "   6. White declares a draw.\n" in out
    assert out.rstrip().endswith(
        "Result: Draw (0). The game is a draw.\nThe count is exact: best play comes to the same result."
    )


def test_a_count_before_the_first_delay_names_the_amendment(run_score: Any) -> None:
    status, out, _ = run_score([FIRST])
    assert status == 0 and "Result: Draw (0)." in out and "before the game's first delay" in out


def test_dead_stones_are_named_and_change_the_count(run_score: Any) -> None:
    game = [{"rules": "chinese", "board": BOARD, "komi": 0.5}, *PASSES]
    answer = json.loads(run_score(game, "--dead", "B2", "--json")[1])
    assert (answer["method"], answer["result"], answer["dead"]) == ("area", "B+5.5", ["B2"])
    assert json.loads(run_score(game, "--json")[1])["result"] != "B+5.5"
    assert "Dead stones: B2." in run_score(game, "--dead", " b2, ")[1]


@pytest.mark.parametrize(
    "rules, method, result",
    [("japanese", None, "B+5.5"), ("chinese", "territory", "B+5.5"), ("ing", None, "B+6"), ("chinese", "area", "B+6")],
)
def test_every_method_counts_as_the_set_says_or_as_is_asked(
    run_score: Any, rules: str, method: str, result: str
) -> None:
    komi = {"japanese": -0.5, "ing": 0}.get(rules, -0.5 if method == "territory" else 0)
    game = [{"rules": rules, "board": BOARD, "komi": komi}, *PASSES]
    options = ["--method", method] if method else []
    status, out, _ = run_score(game, "--dead", "B2", "--json", *options)
    assert status == 0 and json.loads(out)["result"] == result


def test_a_draw_is_0_and_more_than_two_players_get_their_points(run_score: Any) -> None:
    even = [{"rules": "new-zealand", "board": [".XO.", "XXOO"], "komi": 0}, *PASSES]
    assert json.loads(run_score(even, "--json")[1])["result"] == "0"
    three = [{"rules": "kee", "players": "BWR", "board": ["X.O", "R.R"]}]
    assert json.loads(run_score(three, "--json")[1])["result"] == {"B": 1, "W": 1, "R": 2}
    assert "R 2, B 1, W 1" in run_score(three)[1]


def test_sgf_and_standard_input_are_read(run_score: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    sgf = b"(;FF[4]GM[1]SZ[5]RU[chinese]KM[0.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])"
    status, out, _ = run_score(sgf, "--json")
    assert status == 0 and json.loads(out)["result"] == "B+4.5"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sgf)))
    assert main(["score", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"] == "B+4.5"


@pytest.mark.parametrize(
    ("recorded", "differs"),
    [
        *[("W+4.5", False), ("W+4.50", False), ("W+4,5", False), ("", False), ("?", False)],
        *[("W+6.5", True), ("B+4.5", True), ("B+", True), ("0", True)],
    ],
)
def test_a_result_that_differs_from_the_records_is_told(run_score: Any, recorded: str, differs: bool) -> None:
    sgf = f"(;GM[1]SZ[5]RU[japanese]KM[6.5]PE[W:2:prisoners]RE[{recorded}];B[];W[])".encode()
    status, out, err = run_score(sgf, "--json")
    answer = json.loads(out)
    assert (status, answer["result"]) == (0, "W+4.5")
    assert (f"the record has another result, RE[{recorded}]; this count comes to W+4.5." in err) is differs
    assert bool(err) is differs


def test_a_count_that_differs_by_being_a_draw_says_so_in_words(run_score: Any) -> None:
    _, _, err = run_score(b"(;GM[1]SZ[5]RU[japanese]KM[0]RE[B+3];B[];W[])")
    assert "RE[B+3]; this count comes to a draw. " in err


@pytest.mark.parametrize(
    ("recorded", "how"),
    [("B+Resign", "B+R, by resignation"), ("W+T", "W+T, by time"), ("W+Forfeit", "W+F, by forfeit"), ("B+r", "B+R")],
)
def test_a_game_that_ended_without_a_count_is_not_counted(run_score: Any, recorded: str, how: str) -> None:
    status, out, err = run_score(f"(;GM[1]SZ[5]RU[japanese]KM[6.5]RE[{recorded}];B[cc];W[dd])".encode())
    assert (status, out) == (2, "") and f"{how}" in err and f"RE[{recorded}]" in err


def test_points_that_a_player_is_fined_are_in_an_expedited_count_too(run_score: Any) -> None:
    sgf = b"(;GM[1]SZ[7:3]RU[ultimate]AB[ca][ab][bb][cb][cc]AW[ea][eb][fb][gb][ec]%s;B[da];W[db];B[dc];W[]DL[prisoner])"
    plain, fined = (json.loads(run_score(sgf % fine, "--json")[1]) for fine in (b"", b"PE[B:2:time]"))
    assert (plain["result"], fined["result"]) == ("0", "W+2")
    assert [step["text"] for step in fined["steps"][-2:]] == [
        "White receives 2 points for time that Black bought.",
        "White wins by 2 points.",
    ]


def test_a_refused_turn_is_left_out_and_said(run_score: Any) -> None:
    status, out, err = run_score([FIRST, {"player": "B", "place": "A2"}, *TO_THE_DELAY, DELAY], "--json")
    assert status == 0 and json.loads(out)["result"] == "0"
    assert err == "shinpan: turn 1 of B is refused (occupied) and left out.\n"


@pytest.mark.parametrize(
    "lines, options, said",
    [
        (GAME, ["--dead", "A2"], "the black stone A2 sees B2, of its own colour"),
        (GAME, ["--dead", "A3"], "A3 is empty"),
        (GAME, ["--dead", "Z9"], "'Z9' is no point"),
        (GAME, ["--one-sided", "D1"], "--one-sided cannot be 'D1'"),
        (GAME, ["--one-sided", "B:D1"], "D1 is not an empty point"),
        (GAME, ["--supply", "B:12"], "--supply needs the stones of both"),
        ([*GAME, "nonsense"], [], "line 6: This is not JSON"),
        ([*GAME, {"player": "B", "resign": True}], [], "has ended by itself: W+R"),
        ([{"rules": "chinese", "board": BOARD}], ["--method", "expedited"], "needs rules with delays"),
        ([{"rules": "kee", "players": "BWR", "board": ["X.", "R."]}], ["--method", "fill-in"], "for two players"),
        ([], [], "holds no game"),
        (b"\x00\x01", [], "neither JSON lines nor SGF"),
        ([{"rules": "whist"}], [], "no rule set"),
        (GAME, ["--rules", "whist"], "no rule set"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_2(run_score: Any, lines: Any, options: list[str], said: str) -> None:
    status, out, err = run_score(lines, *options)
    assert (status, out) == (2, "") and said in err
    assert err.startswith("shinpan: ") and err.count("\n") == 1 and "Traceback" not in err


def test_a_missing_file_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "/nowhere/game.sgf"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_missing_stones_are_found_by_the_supplies(run_score: Any) -> None:
    game = [{"rules": "ing", "board": BOARD}, *PASSES]
    out = run_score(game, "--dead", "B2", "--supply", "B:3,W:4")[1]
    assert "cannot be found" in out and "1." in out


def test_one_sided_dame_and_seki_are_taken(run_score: Any) -> None:
    game = [{"rules": "ultimate", "board": ["..XXO..", "XXX.OOO", "..XXO.."]}]
    assert "D2 counted as Black's one-sided dame." in run_score(game, "--one-sided", "B:D2")[1]
    seki = [{"rules": "japanese", "board": [".XO.", "XXOO", ".XO."], "komi": 0}, *PASSES]
    assert json.loads(run_score(seki, "--seki", "A2", "--json")[1])["result"] == "W+2"


def test_an_expedited_count_says_whether_it_is_exact(run_score: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "PATIENCE", PATIENCE_S)
    walls = {"rules": "ultimate", "board": ["..X.O..", "XXX.OOO", "..X.O.."]}
    output = run_score([walls, *TO_THE_DELAY, DELAY])[1]
    assert "Result: Draw (0)." in output and output.endswith(
        "The count is exact: best play comes to the same result.\n"
    )


@LONG
def test_a_count_that_best_play_betters_says_so(run_score: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "PATIENCE", PATIENCE_S)
    early = run_score([{"rules": "fundamental", "board": [".X.O.."]}])[1]
    assert "Result: W+1.5." in early
    assert "The count is not exact: best play comes to B+2.5. Instead of step 1 Black begins: E1, F1," in early


@pytest.mark.usefixtures("impatient")
def test_a_count_that_is_not_seen_through_in_time_is_not_called_exact(run_score: Any) -> None:
    assert "exact" not in run_score([{"rules": "ultimate", "size": 9}])[1]


TERRITORIES = [".X.XO.O", "XXXXOOO", ".OXXO.O", "..XXOOO", "XXXXO..", "...XO..", "...XO.."]
PROPOSED = "assumed dead: B5 (proved). --dead names others, --dead none counts the board as it lies."


@pytest.mark.parametrize(
    ("options", "result", "by", "notes"),
    [
        ((), "B+7", {"B5": "proved"}, [PROPOSED]),
        (("--dead", "B5"), "B+7", {"B5": "given"}, None),
        (("--dead", "none"), "B+2", {}, None),
        (("--dead", ""), "B+2", {}, None),
        (("--seki", "B5"), "B+2", {}, None),
    ],
)
def test_without_dead_stones_those_that_seem_so_are_proposed(
    run_score: Any, options: tuple[str, ...], result: str, by: dict[str, str], notes: list[str] | None
) -> None:
    game = [{"rules": "chinese", "board": TERRITORIES, "komi": 0}, *PASSES]
    _, out, err = run_score(game, "--json", *options)
    answer = json.loads(out)
    assert (answer["result"], answer["dead_by"], answer.get("notes")) == (result, by, notes)
    assert all(f"shinpan: {note}\n" in err for note in notes or ())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("rules", ["ultimate", "kee", "ing"])
def test_nothing_is_proposed_where_nothing_is_agreed_to_be_dead(run_score: Any, rules: str) -> None:
    _, out, err = run_score([{"rules": rules, "board": TERRITORIES}, *(PASSES if rules == "kee" else ())], "--json")
    assert "assumed dead" not in err and json.loads(out)["dead"] == []


def test_the_marks_of_a_record_are_what_was_agreed(run_score: Any) -> None:
    """B5 is marked as White's point, so that it lives; with a mark on it as Black's it is dead."""
    black, white = (
        "".join(
            f"[{x}{y}]"
            for y, row in zip("abcdefg", TERRITORIES, strict=True)
            for x, char in zip("abcdefg", row, strict=True)
            if char == colour
        )
        for colour in "XO"
    )
    sgf = f"(;GM[1]SZ[7]RU[chinese]KM[0]AB{black}AW{white};B[];W[]%s)"
    for marks, by in (("TB[bc]", {"B5": "agreed"}), ("TW[fa]", {}), ("", {"B5": "proved"})):
        assert json.loads(run_score((sgf % marks).encode(), "--json")[1])["dead_by"] == by


SEKI = [
    {
        "rules": "japanese",
        "komi": 0,
        "board": ["X.XO.OX", "XXXOOOX", "OOOXXXX", "O.OX...", "OOOX...", "XXXX...", "......."],
    }
]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--seki", "B7"), "B7 is empty. Only stones can be in seki."),
        (("--dead", "B7"), "B7 is empty. Only stones can be named as dead."),
        (("--seki", "A7", "--dead", "A7"), "A7 is named both as dead and as in seki. It can only be one of them."),
        (("--seki", "A7", "--dead", "C6"), "A7 is named both as dead and as in seki. It can only be one of them."),
    ],
)
def test_a_chain_is_either_dead_or_in_seki(run_score: Any, options: tuple[str, ...], sentence: str) -> None:
    assert run_score([*SEKI, *PASSES], *options) == (2, "", f"shinpan: {sentence}\n")


@pytest.mark.parametrize(
    ("options", "method", "whose"),
    [
        (("--seki", "A7", "--method", "area"), "area", "--seki belongs to a count by territory"),
        (("--one-sided", "B:B7"), "territory", "--one-sided belongs to a count by expedited"),
        (("--supply", "B:99,W:99"), "territory", "--supply belongs to a count by fill-in"),
    ],
)
def test_an_option_of_another_count_is_said_to_change_nothing(
    run_score: Any, options: tuple[str, ...], method: str, whose: str
) -> None:
    status, _, err = run_score([*SEKI, *PASSES], "--dead", "none", *options)
    assert (status, err) == (0, f"shinpan: {whose}; it changes nothing in one by {method}.\n")
