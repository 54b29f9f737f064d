"""SGF written and read back, and SGF as other programs write it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf, sgf_moves

from referee.game.board import Colour, points_of
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord, BadSetup
from referee.game.penalties import Offence, Penalty
from referee.game.prisoners import bowls_of
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Delay, Draw, Exchange, Pass, Placement, Removal, Resign
from referee.rules.agreements import apply_action, judge_settlement
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.annotations import SgfAnnotations
from referee.sgf.reader import read_game, read_root, read_sgf
from referee.sgf.records import write_sgf
from tests.support.play import draw_record, play_turns, start_game
from tests.support.tiers import examples


def random_game(rules: str, size: tuple[int, int], seed: int, agreements: float = 0.0, **start: object) -> GameRecord:
    """A game of random legal turns, now and then to its end by a draw, passes or a resignation."""
    chance = random.Random(seed)
    record = Setup(rule_set(rules), size=size, **start).record()  # type: ignore[arg-type]
    for _ in range(chance.randrange(60)):
        player = record.to_play
        turns = [Placement(player, point) for point in points_of(legal_placements(record))]
        turns += [Delay(player), Pass(player), Draw(player), Resign(player)]
        record = judge(record, chance.choice(turns)).after or record
        if record.position.occupied and chance.random() < agreements:
            stone = 1 << chance.choice(list(points_of(record.position.occupied)))
            record = judge_settlement(record, chance.choice([Exchange(1), Removal(stone)])).after or record
    return record


def replayed(data: bytes) -> GameRecord:
    setup, acts = read_sgf(data)
    record = setup.record()
    for act in acts:
        after = apply_action(record, act).after
        assert after is not None, f"{act}\n{draw_record(record)}"
        record = after
    return record


def assert_same(one: GameRecord, other: GameRecord) -> None:
    assert one.acts == other.acts and one.turns == other.turns
    for key in ("rules", "komi", "handicap", "start", "situation", "number", "ended", "result", "penalties"):
        assert getattr(one, key) == getattr(other, key), key


def test_what_the_players_are_fined_is_written_and_read() -> None:
    fines = (Penalty(Colour.BLACK, 2, Offence.PRISONERS), Penalty(Colour.WHITE, 4, Offence.TIME))
    record = random_game("chinese", (5, 5), 3).with_penalties(fines)
    assert replayed(write_sgf(record)).penalties == fines
    assert record.with_penalties(fines) is record and record.with_penalties(()).penalties == ()


@examples(20)
@given(
    rules=st.sampled_from(["ultimate", "chinese"]),
    size=st.tuples(st.integers(1, 25), st.integers(1, 25)) | st.tuples(st.integers(1, 4), st.integers(1, 4)),
    seed=st.integers(0, 10**9),
    komi=st.sampled_from([None, 0, 0.5, -3.5, 7]),
    handicap=st.integers(0, 1) | st.just(3),
    to_play=st.sampled_from([None, Colour.WHITE]),
)
def test_a_game_written_and_read_is_the_same_game(
    rules: str, size: tuple[int, int], seed: int, komi: float | None, handicap: int, to_play: Colour | None
) -> None:
    handicap = min(handicap, size[0] * size[1])
    record = random_game(rules, size, seed, komi=komi, handicap=handicap, to_play=to_play)
    assert_same(replayed(write_sgf(record)), record)


@given(
    rules=st.sampled_from(["ultimate", "ultimate-original", "fundamental"]),
    size=st.tuples(st.integers(2, 5), st.integers(2, 5)),
    seed=st.integers(0, 10**9),
    komi=st.sampled_from([0, 3]),
)
def test_what_the_players_agreed_on_is_written_and_read(
    rules: str, size: tuple[int, int], seed: int, komi: int
) -> None:
    record = random_game(rules, size, seed, agreements=0.4, komi=komi)
    assert_same(replayed(write_sgf(record)), record)


def test_agreements_stand_in_nodes_of_their_own() -> None:
    record = start_game("ultimate", size=(5, 5), komi=1)
    record = judge_settlement(record, Exchange(1)).after or record
    record = play_turns(record, "B C3", "W A1", "B D3", "W B1")
    record = judge_settlement(record, Removal(1 << record.position.board.point("A1"))).after or record
    data = write_sgf(record)
    assert b";AG[exchange:1];B[cc]" in data.replace(b"\n", b"")
    assert data.replace(b"\n", b"").endswith(b";W[be];AG[removed][ae][be]C[Both agreed that these are dead: A1, B1.])")
    assert sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(data)), "AE after the first move is refused"
    assert_same(replayed(data.replace(b"AG[removed][ae][be]", b"AG[removed]AE[ae][be]")), record)
    assert len(sgf.Sgf_game.from_bytes(data).get_main_sequence()) == 7
    assert_same(replayed(data), record)


@pytest.mark.parametrize(
    "agreement", [b"AG[exchange:0]", b"AG[exchange]", b"AG[removed]", b"AG[AE]AE[aa]", b"AG[removed]AE[xx]"]
)
def test_an_agreement_that_is_none_is_refused(agreement: bytes) -> None:
    with pytest.raises(BadRecord):
        read_sgf(b"(;AP[shinpan]SZ[5];B[cc];" + agreement + b")")


def test_a_position_that_is_set_up_in_the_middle_is_no_agreement() -> None:
    game = read_game(b"(;SZ[5]RU[Chinese]KM[0];B[cc];W[dd];AE[cc];B[bb])")
    assert len(game.acts) == 2
    assert [note for note in game.notes if "sets up stones after turn 2 (line 1)" in note] == list(game.notes)


def test_starts_of_every_kind_come_back() -> None:
    bowls = bowls_of({"B": {"W": 4}}).with_ultimate(Colour.WHITE)
    drawn_start = start_game("ultimate", ".XO.", "X.XO", to_play="W", bowls=bowls)
    exchanged = Setup(rule_set("chinese", {"ko": "positional", "compensation": 2.5}), size=(9, 7)).record()
    for record in (drawn_start, exchanged, start_game(size=(5, 5), bowls=bowls_of({}))):
        assert_same(replayed(write_sgf(record)), record)


def test_what_is_written_is_sgf_that_others_read() -> None:
    record = play_turns(start_game(size=(9, 9), komi=0.5, handicap=2), "B C3", "W delay", "B delay", "W G7", "B resign")
    data = write_sgf(record, black="Black [1]", white="Weiß", notes=SgfAnnotations(comments={1: "a \\ b]"}))
    game = sgf.Sgf_game.from_bytes(data)
    root = game.get_root()
    assert (root.get("RU"), root.get("KM"), root.get("HA"), root.get("RE")) == ("ultimate", 0.5, 2, "W+R")
    assert (root.get("PB"), root.get("PW")) == ("Black [1]", "Weiß")
    nodes = game.get_main_sequence()
    assert [node.get_move() for node in nodes[1:5]] == [("b", (2, 2)), ("w", None), ("b", None), ("w", (6, 6))]
    assert nodes[2].get_raw("DL") == b"prisoner"
    assert nodes[1].get("C") == "a \\ b]"
    assert nodes[5].get("C") == "Black resigns."


@pytest.mark.parametrize("komi", [None, 3.5])
def test_rules_that_nobody_named_are_not_written_and_come_back_so(komi: float | None) -> None:
    unnamed = Setup(rule_set(None, {"ko": "situational"}), size=(5, 5), komi=komi).record()
    data = write_sgf(unnamed)
    root = sgf.Sgf_game.from_bytes(data).get_root()
    assert not root.has_property("RU") and root.has_property("KM") is (komi is not None)
    read = replayed(data)
    assert not read.rules.named and read.rules == unnamed.rules
    assert_same(read, unnamed)


def test_rules_are_named_in_a_record_or_by_who_reads_it() -> None:
    unnamed = b"(;SZ[5]RU[];B[cc])"
    assert not read_sgf(unnamed)[0].rules.named and read_sgf(unnamed, "ultimate")[0].rules.named
    assert read_sgf(b"(;SZ[5]RU[ultimate];B[cc])")[0].rules.named


def test_an_illegal_move_that_stood_is_marked_and_comes_back() -> None:
    ko = play_turns(start_game("chinese", ".XO.", "X.XO", ".XO.", "...."), "B D1", "W B3")
    stood = judge(ko, Placement(Colour.BLACK, ko.position.board.point("C3"), stood=True)).after
    assert stood is not None
    data = write_sgf(stood)
    assert b"KO[]" in data
    assert_same(replayed(data), stood)


def test_play_that_was_resumed_after_passes_comes_back() -> None:
    resumed = play_turns(start_game("chinese", "....", "....", "....", "...."), "B A1", "W pass", "B pass").going_on()
    record = play_turns(resumed, "W B2", "B pass", "W pass")
    data = write_sgf(record)
    assert data.count(b"RP[resumed]") == 1
    again = replayed(data)
    assert (again.number, again.ended, again.position) == (6, True, record.position)
    unmarked = data.replace(b"RP[resumed]", b"")
    assert replayed_so_far(unmarked) == 3, "without the mark the second pass ends the game"


def replayed_so_far(data: bytes) -> int:
    """So many turns of a record are legal, one after the other."""
    setup, turns = read_sgf(data)
    record = setup.record()
    for turn in turns:
        record = judge(record, turn).after or record
    return record.number


def read(text: str, **options: str) -> tuple[Setup, list[object]]:
    setup, turns = read_sgf(text.encode(), **options)
    return setup, list(turns)


class TestFromElsewhere:
    """Records that other programs write."""

    def test_only_the_main_line_is_read(self) -> None:
        _, turns = read("(;SZ[9]RU[Chinese];B[aa](;W[bb];B[cc])(;W[dd]))")
        assert [turn.point for turn in turns] == [0, 10, 20]  # type: ignore[attr-defined]

    def test_tt_is_a_pass_up_to_19_lines(self) -> None:
        assert read("(;SZ[19];B[tt];W[])")[1] == [Pass(Colour.BLACK), Pass(Colour.WHITE)]
        assert read("(;SZ[21];B[tt])")[1] == [Placement(Colour.BLACK, 19 * 21 + 19)]

    def test_a_point_beside_the_board_is_for_the_referee_to_refuse(self) -> None:
        assert read("(;SZ[9];B[zz])")[1] == [Placement(Colour.BLACK, OFF_BOARD)]

    def test_no_size_is_19_and_leading_junk_is_skipped(self) -> None:
        assert read("mail header\n(;GM[1];B[dd])")[0].size == (19, 19)

    def test_handicap_stones_and_white_first(self) -> None:
        setup, turns = read("(;SZ[9]RU[Chinese]HA[2]KM[0.5]AB[cc][gg];W[ee])")
        record = setup.record()
        assert (record.to_play, record.handicap, record.komi) == (Colour.WHITE, 2, 0.5)
        assert judge(record, turns[0]).legal  # type: ignore[arg-type]

    def test_rectangles_and_removed_stones(self) -> None:
        setup, _ = read("(;SZ[3]AB[aa:bb]AW[cc];AE[bb])")
        assert setup.board is not None and rows_of(setup.record().position) == ("XX.", "X..", "..O")

    def test_setup_in_a_second_node(self) -> None:
        setup, _ = read("(;SZ[3];AB[aa]PL[W];W[bb])")
        assert (setup.board, setup.to_play) == (("X..", "...", "..."), Colour.WHITE)

    @pytest.mark.parametrize("charset", ["GB18030", "Shift_JIS", "Big5", "EUC-KR", "UTF-8", "ISO-8859-1"])
    def test_charsets_whose_letters_end_in_a_bracket(self, charset: str) -> None:
        name = {"GB18030": "淺乗", "Shift_JIS": "ソ圭", "Big5": "功", "EUC-KR": "바둑"}.get(charset, "é")
        data = f"(;SZ[9]CA[{charset}]RU[Chinese]PB[{name}];B[aa])".encode(charset)
        assert read_sgf(data)[1] == (Placement(Colour.BLACK, 0),)

    @pytest.mark.parametrize("named", ["", "CA[UTF-8]", "CA[nonsense]"])
    def test_letters_before_brackets_where_no_charset_is_named_as_it_is(self, named: str) -> None:
        data = f"(;SZ[9]{named}RU[Chinese]PB[André]PW[René];B[aa];W[bb]C[joué];B[cc]C[ok])".encode("latin-1")
        assert read_root(data)["PB"] == "André"
        assert len(read_sgf(data)[1]) == 3

    def test_chinese_files_that_name_no_charset(self) -> None:
        for name in ("柯洁", "朱镕基", "乚洁柯"):
            data = f"(;SZ[9]RU[Chinese]PB[{name}];B[aa];W[bb])".encode("gb18030")
            assert read_root(data)["PB"] == name and len(read_sgf(data)[1]) == 2

    def test_a_charset_of_seven_bits(self) -> None:
        data = "(;SZ[9]CA[ISO-2022-JP]RU[Chinese]PB[ポポ];B[aa]C[ポット];W[bb])".encode("iso-2022-jp")
        assert read_root(data)["PB"] == "ポポ" and len(read_sgf(data)[1]) == 2

    @pytest.mark.parametrize("charset", ["hex", "nonsense", "zlib", ""])
    def test_charsets_that_are_none(self, charset: str) -> None:
        data = f"(;SZ[9]CA[{charset}]PB[".encode() + b"\xe9\xff];B[aa])"
        assert len(read_sgf(data)[1]) == 1

    def test_the_command_line_rules_win(self) -> None:
        assert read("(;RU[Tibetan];B[aa])", rules="chinese")[0].rules.name == "chinese"
        with pytest.raises(BadSetup, match="Tibetan"):
            read("(;RU[Tibetan];B[aa])")

    def test_rule_sets_go_by_the_names_that_sgf_has_for_them(self) -> None:
        names = {"Japanese": "japanese", "AGA": "aga", "NZ": "new-zealand", "New Zealand": "new-zealand"}
        assert {name: read(f"(;RU[{name}];B[aa])")[0].rules.name for name in names} == names


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no SGF"),
        ("hello", "no SGF"),
        ("(;]", "no SGF"),
        ("(;GM[2];B[aa])", "another game"),
        ("(;SZ[0])", "size"),
        ("(;SZ[nine])", "size"),
        ("(;SZ[9:9:9])", "size"),
        ("(;SZ[52])", "size"),
        ("(;AP[shinpan]SZ[9]KM[much])", "komi"),
        ("(;AP[shinpan]SZ[9]PE[B:2])", "penalty"),
        ("(;AP[shinpan]SZ[9]PE[R:2:time])", "penalty"),
        ("(;AP[shinpan]SZ[9]PE[B:0:time])", "penalty"),
        ("(;AP[shinpan]SZ[9]HA[2.5])", "handicap"),
        ("(;AP[shinpan]SZ[9]HA[-2])", "handicap"),
        ("(;SZ[9]AB[zz])", "beside the board"),
        ("(;SZ[9]AB[aa:bb:cc])", "beside the board"),
        ("(;SZ[9];B[D4x])", "two letters"),
        ("(;AP[shinpan]SZ[9]LD[XX:1])", "bowl"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(BadRecord) as refusal:
        read(text)
    assert says in str(refusal.value) and len(str(refusal.value)) < 160


@examples(30)
@given(st.binary(max_size=60) | st.text("(;)[]BWSZKMHARUPLDxa19:-\\ \n", max_size=60).map(lambda text: text.encode()))
def test_nonsense_is_refused_not_fatal(data: bytes) -> None:
    try:
        setup, turns = read_sgf(b"(;" + data + b")")
        record = setup.record()
        for turn in turns:
            record = judge(record, turn).after or record
    except (BadRecord, BadSetup):
        pass


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("nodes", b"(;SZ[19]" + b";C[a]" * 300_000 + b")"),
        ("main line", b"(;SZ[19]" + b";B[];W[]" * 10_000 + b")"),
    ],
)
def test_what_is_longer_than_any_game_is_refused_at_once(what, data):
    with pytest.raises(BadRecord, match=what):
        read_sgf(data)


def test_twenty_thousand_rectangles_of_stones_are_set_up():
    setup, _ = read_sgf(b"(;SZ[19]AB" + b"[aa:sr]" * 20_000 + b";W[ss])")
    assert setup.board is not None
    assert [row.count("X") for row in setup.board] == [19] * 18 + [0]
