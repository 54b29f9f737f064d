"""`shinpan gtp`: the protocol's words, and whole games of GNU Go refereed through it."""

from __future__ import annotations

import io
import os
import random
from collections import Counter
from pathlib import Path

import pytest

from device.__main__ import main
from device.cli.gtp import COMMANDS, Gtp
from device.match.game_files import LONGEST_LINE
from referee.game.board import Colour
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from tests.support.gnugo import KO, SUICIDE, WAYS, Client, GtpRefusal, gnugo, random_game, shinpan
from tests.support.tiers import sample


def gtp(rules: str = "chinese", **start: object) -> Gtp:
    return Gtp(Setup(RULESETS[rules], **({"size": (5, 5)} | start)))  # type: ignore[arg-type]


def ask_all(game: Gtp, *lines: str) -> list[str]:
    return [game.answer(line) for line in lines]


class TestFraming:
    """Numbers, marks, empty lines, and what is left out."""

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("name", "= shinpan\n\n"),
            ("7 name", "=7 shinpan\n\n"),
            ("12 play b c3", "=12\n\n"),
            ("clear_board", "=\n\n"),
            ("13 genmove b", "?13 unknown command\n\n"),
            ("genmove b", "? unknown command\n\n"),
            ("  \t 3\tprotocol_version  ", "=3 2\n\n"),
            ("name # a comment", "= shinpan\n\n"),
            ("na\x07me\r\n", "= shinpan\n\n"),
            ("", ""),
            ("# nothing", ""),
            ("5", ""),
            ("\r\n", ""),
        ],
    )
    def test_an_answer_word_for_word(self, line: str, answer: str) -> None:
        assert gtp().answer(line) == answer

    def test_an_answer_of_many_lines_has_no_empty_one_in_it(self) -> None:
        for command in ("list_commands", "showboard"):
            assert gtp().answer(command).rstrip("\n").count("\n\n") == 0

    def test_it_knows_its_commands(self) -> None:
        assert gtp().answer("list_commands").removeprefix("= ").split() == list(COMMANDS)
        assert ask_all(gtp(), "known_command play", "known_command genmove") == ["= true\n\n", "= false\n\n"]

    def test_quit(self) -> None:
        game = gtp()
        assert (game.answer("1 quit"), game.over) == ("=1\n\n", True)


class TestAgreements:
    """Agreements of both players during play."""

    def test_prisoners_are_exchanged_and_dead_stones_removed(self) -> None:
        game = gtp("ultimate", komi=2)
        ask_all(game, "play b c3", "play w e5")
        assert ask_all(game, "shinpan-remove E5", "shinpan-exchange 1") == ["=\n\n", "=\n\n"]
        assert "bowls B: 1 W, W: 2 B\n" in game.answer("showboard") and "turn 2, B" in game.answer("showboard")
        assert ask_all(game, "undo", "undo") == ["=\n\n", "=\n\n"]
        assert game.record.number == 2 and game.record.settlement is None

    @pytest.mark.parametrize(
        ("command", "fails"),
        [
            ("shinpan-exchange", "syntax error"),
            ("shinpan-exchange 0", "syntax error"),
            ("shinpan-exchange b", "syntax error"),
            ("shinpan-exchange 2", "illegal agreement: no-prisoner"),
            ("shinpan-remove", "syntax error"),
            ("shinpan-remove A1", "illegal agreement: agreement-not-available"),
        ],
    )
    def test_what_cannot_be_agreed(self, command: str, fails: str) -> None:
        assert gtp("ultimate").answer(command) == f"? {fails}\n\n"

    def test_a_point_beside_the_board_gets_a_sentence(self) -> None:
        assert gtp("ultimate").answer("shinpan-remove Z99").startswith("? ")

    def test_another_komi_keeps_what_was_agreed(self) -> None:
        game = gtp("ultimate", komi=2)
        ask_all(game, "play b c3", "play w e5", "shinpan-remove E5", "play b c4")
        ask_all(game, "komi 3")
        assert "bowls B: 2 W, W: 4 B\n" in game.answer("showboard") and game.record.number == 3

    def test_what_was_agreed_before_the_first_turn_holds_whoever_begins(self) -> None:
        game = gtp("ultimate")
        assert ask_all(game, "shinpan-exchange 1", "is_legal w c3", "play w c3") == ["=\n\n", "= 1\n\n", "=\n\n"]
        assert "bowls B: empty, W: empty\n" in game.answer("showboard")
        ask_all(game, "undo", "undo", "play b c3")
        assert "bowls B: 1 W, W: 1 B\n" in game.answer("showboard")

    def test_a_stone_removed_before_the_first_turn_stays_away_whoever_begins(self, tmp_path: Path) -> None:
        path = tmp_path / "game.sgf"
        path.write_text("(;SZ[5]RU[ultimate]AB[aa]AW[cc]PL[B];AG[removed]AE[cc])")
        game = gtp("ultimate")
        assert ask_all(game, f"loadsgf {path}", "play w b2") == ["=\n\n", "=\n\n"]
        assert game.record.position.stones_of(Colour.WHITE).bit_count() == 1

    def test_a_file_is_read_up_to_before_a_turn_with_what_was_agreed(self, tmp_path: Path) -> None:
        path = tmp_path / "game.sgf"
        path.write_text("(;SZ[5]KM[2]RU[ultimate];AG[exchange:1];B[cc];W[ea];AG[removed]AE[ea];B[cd])")
        game = gtp("ultimate")
        for before, settled in ((2, True), (3, True), (4, True)):
            assert game.answer(f"loadsgf {path} {before}") == "=\n\n"
            assert (game.record.number, bool(game.record.acts)) == (before - 1, settled)
        game.answer(f"loadsgf {path} 3")
        assert [type(act).__name__ for act in game.record.acts] == ["Exchange", "Placement", "Placement", "Removal"]


class TestPlaying:
    """Turns, and what is answered to those that may not be made."""

    @pytest.mark.parametrize(
        ("command", "fails"),
        [
            ("play b", "syntax error"),
            ("play x c3", "invalid color"),
            ("play b 33", "invalid vertex"),
            ("play b z9", "illegal move: off-board"),
            ("play b i1", "illegal move: off-board"),
            ("shinpan-delay b", "illegal move: delay-not-available"),
            ("shinpan-draw b", "illegal move: draw-not-available"),
            ("undo", "cannot undo"),
            ("komi much", "komi not a float"),
            ("komi nan", "komi not a float"),
            ("boardsize 26", "unacceptable size"),
            ("boardsize 0", "unacceptable size"),
            ("boardsize 1000", "unacceptable size"),
            ("boardsize -5", "unacceptable size"),
            ("boardsize 9 -9", "unacceptable size"),
            ("boardsize " + "9" * 5000, "unacceptable size"),
            ("boardsize five", "boardsize not an integer"),
            ("boardsize 9.5", "boardsize not an integer"),
            ("boardsize -", "boardsize not an integer"),
            ("loadsgf /no/such/file.sgf", "cannot load file: /no/such/file.sgf: there is no such file"),
            ("shinpan-rules tibetan", "There is no rule set 'tibetan'"),
        ],
    )
    def test_failures(self, command: str, fails: str) -> None:
        assert gtp().answer(command).startswith(f"? {fails}")

    def test_an_illegal_move_changes_nothing(self) -> None:
        game = gtp()
        ask_all(game, "play b c3")
        before = game.record
        assert ask_all(game, "play w c3", "play b c3") == ["? illegal move: occupied\n\n"] * 2
        assert game.record is before

    def test_ko_and_undo(self) -> None:
        game = gtp()
        moves = ("c5", "d5", "b4", "e4", "c3", "d3", "a1", "c4", "d4")
        assert [game.answer(f"play {'bw'[n % 2]} {move}") for n, move in enumerate(moves)] == ["=\n\n"] * 9
        assert ask_all(game, "play w c4", "is_legal w c4", "is_legal w e5") == [
            "? illegal move: ko\n\n",
            "= 0\n\n",
            "= 1\n\n",
        ]
        assert "C4" not in game.answer("all_legal w") and "E5" in game.answer("all_legal w")
        assert ask_all(game, "undo", "is_legal b d4", "is_legal w c4") == ["=\n\n", "= 1\n\n", "= 0\n\n"]

    def test_either_player_may_begin(self) -> None:
        game = gtp()
        assert ask_all(game, "is_legal white c3", "is_legal black c3", "play WHITE C3", "play w d4") == [
            "= 1\n\n",
            "= 1\n\n",
            "=\n\n",
            "=\n\n",
        ]

    def test_one_colour_may_move_twice_and_undo_takes_back_what_was_sent(self) -> None:
        game = gtp()
        ask_all(game, "play b c3", "play b d3")
        assert game.record.number == 3 and ask_all(game, "undo") == ["=\n\n"] and game.record.number == 1
        assert ask_all(game, "play w d3", "undo", "undo", "undo")[-1] == "? cannot undo\n\n"
        assert ask_all(gtp("ultimate"), "play b c3", "play b d3")[1] == "? illegal move: not-your-turn\n\n"

    def test_play_goes_on_after_two_passes(self) -> None:
        game = gtp(komi=0.5)
        passes = ask_all(game, "play b c3", "play w pass", "play b pass", "play w a1", "play b a2")
        assert passes == ["=\n\n"] * 5
        assert ask_all(game, "play w pass", "play b pass", "final_score")[-1].startswith("= B+")

    @pytest.mark.parametrize(
        ("stones", "points"),
        [
            (2, "D4 Q16"),
            (3, "D4 Q16 D16"),
            (4, "D4 Q16 D16 Q4"),
            (5, "D4 Q16 D16 Q4 K10"),
            (6, "D4 Q16 D16 Q4 D10 Q10"),
            (7, "D4 Q16 D16 Q4 D10 Q10 K10"),
            (8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
            (9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        ],
    )
    def test_fixed_handicap_stones_lie_where_gtp_has_them(self, stones: int, points: str) -> None:
        """GTP 2, draft 2, 4.1.1: a controller puts them there on its own board without asking."""
        answer = gtp(size=(19, 19)).answer(f"fixed_handicap {stones}")
        assert sorted(answer.removeprefix("= ").split()) == sorted(points.split())

    def test_handicap_stones(self) -> None:
        game = gtp()
        ask_all(game, "boardsize 9")
        assert ask_all(game, "fixed_handicap 1", "fixed_handicap 10") == ["? invalid number of stones\n\n"] * 2
        assert game.answer("fixed_handicap 3") == "= C7 G7 C3\n\n"
        assert game.record.to_play is Colour.WHITE and game.setup.handicap == 3
        assert ask_all(game, "fixed_handicap 2", "play w e5", "play b e6") == [
            "? board not empty\n\n",
            "=\n\n",
            "=\n\n",
        ]
        assert ask_all(
            game, "clear_board", "set_free_handicap c3 c3", "set_free_handicap c3", "set_free_handicap c3 z9"
        ) == [
            "=\n\n",
            "? repeated vertex\n\n",
            "? bad vertex list\n\n",
            "? invalid vertex\n\n",
        ]
        assert ask_all(game, "set_free_handicap c3 d7", "play w e5") == ["=\n\n", "=\n\n"]
        assert ask_all(game, "place_free_handicap 2", "place_free_handicap 1") == ["? board not empty\n\n"] * 2
        assert len(ask_all(game, "clear_board", "place_free_handicap 30")[1].split()) == 10

    def test_dead_stones_are_told_and_counted(self) -> None:
        game = gtp(komi=0.5)
        ask_all(game, "play b c3", "play w a1", "play w b1")
        whole = game.answer("final_score")
        assert ask_all(game, "shinpan-dead a1", "final_status_list dead") == ["=\n\n", "= A1 B1\n\n"]
        assert ask_all(game, "final_status_list alive", "final_status_list seki") == ["= C3\n\n", "=\n\n"]
        assert game.answer("final_score") == "= B+24.5\n\n" != whole
        assert ask_all(game, "shinpan-dead e5", "shinpan-dead", "final_score")[::2] == ["? no stone there\n\n", whole]

    @pytest.mark.parametrize(
        "command",
        ["time_settings 300 30 5", "time_left b 290 0", "kgs-time_settings none", "kgs-time_settings byoyomi 300 30 5"],
    )
    def test_times_are_accepted(self, command: str) -> None:
        assert gtp().answer(command) == "=\n\n"

    @pytest.mark.parametrize("command", ["time_settings 300", "time_left b", "kgs-time_settings hourglass 5"])
    def test_times_that_are_none_are_refused(self, command: str) -> None:
        assert gtp().answer(command) == "? syntax error\n\n"

    def test_the_end_and_the_score(self) -> None:
        game = gtp(komi=0.5)
        assert game.answer("final_score") == "= W+0.5\n\n"
        ask_all(game, "play b c3")
        assert ask_all(game, "komi 3", "final_score") == ["=\n\n", "= B+22\n\n"]
        assert ask_all(game, "play w resign", "play b a1")[1] == "? illegal move: game-over\n\n"
        assert ask_all(gtp(), "play b resign")[0] == "=\n\n"

    def test_a_resignation_is_the_score(self) -> None:
        game = gtp()
        assert ask_all(game, "play b resign", "final_score") == ["=\n\n", "= W+R\n\n"]

    def test_ultimate_go(self) -> None:
        game = gtp("ultimate")
        assert ask_all(game, "play b pass", "shinpan-delay b", "shinpan-delay w", "shinpan-draw b", "final_score") == [
            "? illegal move: pass-not-available\n\n",
            "=\n\n",
            "=\n\n",
            "=\n\n",
            "= 0\n\n",
        ]
        board = game.answer("showboard")
        assert "ultimate W" in board and board.endswith("turn 3, a draw\n\n")

    def test_a_board_of_any_shape(self) -> None:
        game = gtp()
        assert ask_all(game, "boardsize 3 2", "play b c2") == ["=\n\n", "=\n\n"]
        assert game.answer("showboard") == (
            "= \n   A B C\n 2 . . X\n 1 . . .\n   A B C\nbowls B: empty, W: empty\nturn 1, W to play\n\n"
        )

    def test_rules_are_exchanged(self) -> None:
        game = gtp()
        assert ask_all(game, "shinpan-rules", "shinpan-rules aga ko=positional", "shinpan-rules") == [
            "= chinese\n\n",
            "= aga ko=positional\n\n",
            "= aga ko=positional\n\n",
        ]

    def test_komi_under_ultimate_go_lies_in_the_bowls(self) -> None:
        game = gtp("ultimate")
        ask_all(game, "komi 2")
        assert "W: 3 B" in game.answer("showboard")

    def test_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "game.sgf"
        path.write_text("(;SZ[5]RU[Japanese]KM[6.5];B[cc];W[dd];B[bb])")
        game = gtp()
        assert ask_all(game, f"loadsgf {path}", "shinpan-rules", "is_legal w a1") == [
            "=\n\n",
            "= japanese\n\n",
            "= 1\n\n",
        ]
        ask_all(game, f"loadsgf {path} 2")
        assert game.record.number == 1
        path.write_text("(;SZ[5]RU[Japanese];B[cc];W[cc])")
        before = game.record
        assert game.answer(f"loadsgf {path}") == f"? cannot load file: {path}: illegal move: occupied\n\n"
        assert game.record is before


@pytest.mark.parametrize("length", [0, 1, 70_000])
def test_lines_of_any_length(length: int) -> None:
    assert gtp().answer("x" * length).startswith("?" if length else "")


def run_command(lines: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the command's answers to these bytes, one text a command."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(lines))))
    assert main(["gtp", "--rules", "chinese"]) == 0
    return capsys.readouterr().out.split("\n\n")[:-1]


class TestThroughTheCommand:
    """The program as another program meets it."""

    def test_the_tail_of_a_long_line_is_no_command(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        comment = b"# " + b"c" * (LONGEST_LINE - 2) + b"clear_board\n"
        lines = b"boardsize 5\nplay b c3\n" + comment + b"is_legal w c3\nplay w d3" + b" " * LONGEST_LINE + b"x\nname\n"
        assert run_command(lines, monkeypatch, capsys) == ["=", "=", "= 0", "? syntax error", "= shinpan"]

    def test_a_file_may_begin_with_a_byte_order_mark(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run_command(b"\xef\xbb\xbf1 name\r\nquit\nname\n", monkeypatch, capsys) == ["=1 shinpan", "="]

    def test_a_conversation(self) -> None:
        with shinpan("--rules", "japanese") as client:
            assert (client.ask("name"), client.ask("protocol_version")) == ("shinpan", "2")
            client.ask("boardsize 9")
            client.ask("play b e5")
            with pytest.raises(GtpRefusal, match="occupied"):
                client.ask("play w e5")
            assert "E5" not in client.ask("all_legal b").split()
            assert client.ask("quit") == ""

    def test_a_rule_set_that_is_not_there(self) -> None:
        with shinpan("--rules", "tibetan") as client, pytest.raises(AssertionError, match="ended"):
            client.ask("name")


@pytest.mark.parametrize(("ko", "suicide"), WAYS)
def test_what_is_legal_is_what_gnu_go_calls_legal(ko: str, suicide: str) -> None:
    """Every empty point at every ply of random games; suicides that repeat a board are let pass by GNU Go alone."""
    with gnugo(KO[ko], SUICIDE[suicide]) as engine:
        tally = sum((random_game(engine, ko, suicide, random.Random(seed)) for seed in range(2)), Counter())
    assert tally["different"] == 0 and tally["verdicts"] > 1000, tally


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "options"),
    sample(
        [("aga", ("--positional-superko",)), ("japanese", ("--japanese-rules",)), ("chinese", ("--chinese-rules",))], 1
    ),
)
def test_a_game_of_gnu_go_is_refereed(rules: str, options: tuple[str, ...]) -> None:
    """GNU Go plays both sides on 9x9 to the end; every move is legal and both boards agree throughout."""
    with gnugo("--level", "1", "--seed", "7", *options) as engine, shinpan("--rules", rules) as referee:
        for program in (engine, referee):
            program.ask("boardsize 9")
            program.ask("clear_board")
        assert refereed(engine, referee) > 30


def refereed(engine: Client, referee: Client) -> int:
    """Play until two passes in a row, GNU Go choosing; how many turns."""
    turns, passes = 0, 0
    while passes < 2 and turns < 300:
        player = "bw"[turns % 2]
        move = engine.ask(f"genmove {player}")
        referee.ask(f"play {player} {move}")
        turns, passes = turns + 1, passes + 1 if move == "PASS" else 0
        assert stones(referee) == stones(engine), f"after {player} {move}"
    return turns


def stones(program: Client) -> list[str]:
    """The board rows as they are shown, without labels; both programs draw X, O and points."""
    board_lines = program.ask("showboard").splitlines()
    rows = [line.replace("+", ".").split() for line in board_lines if line.strip()[:1].isdigit()]
    return ["".join(word for word in row[1:] if word in (".", "X", "O")) for row in rows]


def test_a_pipe_is_no_file_to_load(tmp_path):
    os.mkfifo(path := tmp_path / "pipe")
    assert "it is a pipe, which may never end" in gtp().answer(f"loadsgf {path}")
