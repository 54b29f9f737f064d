"""Handicap stones that were laid one by one: for other programs a position, for ourselves the turns that they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from referee.game.board import Colour
from referee.game.record import GameRecord
from referee.game.turns import Placement
from referee.rules.agreements import apply_action
from referee.sgf.annotations import MoveMark, RefusedMove, SgfAnnotations
from referee.sgf.reader import read_game
from referee.sgf.records import SgfWriter, is_whole, without_words, write_sgf
from referee.time.controls import TimeLeft, read_control
from referee.time.records import Times
from tests.support.gnugo import gnugo
from tests.support.play import play_turns, start_game
from tests.support.tiers import examples

FREE = ("B C3", "B G7", "B C7", "W E5", "B D3")
PASSED = ("B C3", "W pass", "B G7", "W pass", "B C7", "W E5", "B D3")
LAID = {"chinese": (FREE, 3), "japanese": (FREE, 3), "ing": (PASSED, 5)}
REFUSED = {
    1: (RefusedMove(Placement(Colour.BLACK, 56), "C3", "Black may not play C3."),),
    3: (RefusedMove(Placement(Colour.WHITE, 20), "C7", "White may not play C7."),),
}
COMMENTS = {0: "The match began.", 1: "Black played C3.", 3: "Black played C7."}
NOTES = SgfAnnotations(comments=COMMENTS, tried=REFUSED, end="Over.")
OF_VERSION_03 = b"""\
(;FF[4]AP[shinpan:0.3.0]C[The match began.]CA[UTF-8]GM[1]HA[3]KM[0]
OT[3x30 byo-yomi]PB[Ann]PW[Ben]RU[chinese]SEAL[AB-CD]SUM[fc08fbcfe1e9c140]SZ[9]TM[600];B[cg]BL[599]
C[Black played C3.](;B[gc]BL[598.5];B[cc]C[Black played C7.](;W[ee]WL[590];
B[dg];C[Over.])(;C[White may not play C7.]N[C7]W[cc]))(;B[cg]
C[Black may not play C3.]N[C3]))
"""


def times() -> Times:
    control = read_control("10m+3x30s")
    assert control is not None
    return Times(control, {1: TimeLeft(599_000, 3), 2: TimeLeft(598_500, 3), 4: TimeLeft(590_000, 3)})


def handicap_game(rules: str) -> GameRecord:
    return play_turns(start_game(rules, size=(9, 9), handicap=3), *LAID[rules][0])


def read_back(data: bytes) -> GameRecord:
    game = read_game(data)
    assert not game.notes
    record = game.setup.record()
    for act in game.acts:
        record = apply_action(record, act).after or record
    return record


@pytest.mark.parametrize("rules", LAID)
def test_the_stones_are_a_position_with_a_handicap_and_come_back_as_turns(rules: str) -> None:
    record = handicap_game(rules)
    data = write_sgf(record, notes=NOTES, times=times())
    root, *nodes = sgf.Sgf_game.from_bytes(data).get_main_sequence()
    black, white, _ = root.get_setup_stones()
    assert (root.get("HA"), len(black), len(white), root.get("PL")) == (3, 3, 0, "w")
    assert nodes[0].get_move()[0] == "w"
    again = read_back(data)
    assert again.acts == record.acts and again.turns == record.turns and again.start == record.start


def test_comments_among_the_stones_go_to_the_root_times_kept() -> None:
    data = write_sgf(handicap_game("chinese"), notes=NOTES, times=times())
    comment = sgf.Sgf_game.from_bytes(data).get_root().get("C").split("\n\n")
    assert comment == ["The match began.", "C3: Black played C3.", "C3: Black may not play C3.", "C7: Black played C7."]
    assert b"HB[B[cg\\]BL[599\\]][B[gc\\]BL[598.5\\]][B[cc\\]]" in data
    assert data.count(b"(;") == 3, "the turn of White that was refused stays a variation"


def test_an_evaluation_in_the_root_is_of_the_position_there() -> None:
    notes = SgfAnnotations(marks={0: MoveMark(1.5), 3: MoveMark(33.5), 4: MoveMark(30)})
    data = write_sgf(handicap_game("chinese"), notes=notes)
    root, white, *_ = sgf.Sgf_game.from_bytes(data).get_main_sequence()
    assert (root.get("V"), white.get("V")) == (33.5, 30)


@pytest.mark.parametrize("rules", LAID)
def test_until_the_last_stone_lies_they_are_moves(rules: str) -> None:
    turns, last = LAID[rules]
    writer = SgfWriter()
    for number in range(len(turns) + 1):
        record = play_turns(start_game(rules, size=(9, 9), handicap=3), *turns[:number])
        data = writer.write_record(record, notes=NOTES)
        assert data == write_sgf(record, notes=NOTES) and (b"AB[" in data) is (number >= last)
        assert read_back(data).turns == record.turns


@pytest.mark.parametrize(
    "turns",
    [("B C3", "W delay", "B G7", "W delay", "B C7", "W E5"), ("B C3", "W delay", "B delay", "W delay", "B C7")],
)
def test_what_white_returned_between_stones_is_a_turn(turns: tuple[str, ...]) -> None:
    record = play_turns(start_game("ultimate", size=(9, 9), handicap=3), *turns)
    data = write_sgf(record)
    assert b"AB[" not in data and read_back(data).turns == record.turns


def test_a_pass_among_ings_stones_is_a_turn() -> None:
    record = play_turns(
        start_game("ing", size=(9, 9), handicap=3), "B C3", "W pass", "B pass", "W pass", "B C7", "W E5"
    )
    data = write_sgf(record)
    assert b"AB[" not in data and read_back(data).turns == record.turns


def test_a_record_of_version_03_is_read_and_is_the_same_record() -> None:
    record = handicap_game("chinese")
    assert is_whole(OF_VERSION_03) and read_back(OF_VERSION_03).turns == record.turns
    now = write_sgf(record, "Ann", "Ben", NOTES, times(), "AB-CD")
    assert is_whole(now) and b"AB[" in now
    assert without_words(OF_VERSION_03) == without_words(now) == without_words(without_words(now))
    for change, otherwise in ((b"BL[598.5]", b"BL[598.4]"), (b"B[gc]", b"B[gd]"), (b"W[ee]", b"W[ef]")):
        assert without_words(OF_VERSION_03.replace(change, otherwise)) != without_words(now)


@pytest.mark.parametrize(
    ("written", "otherwise"),
    [(b"AB[cc]", b"AB[dd]"), (b"HB[B[cg\\]]", b"HB[B[ch\\]]"), (b"HB[B[cg\\]]", b"HB[;;]"), (b"HB[B[cg\\]]", b"HB")],
)
def test_turns_that_are_not_of_the_stones_are_left_out_and_told(written: bytes, otherwise: bytes) -> None:
    data = write_sgf(handicap_game("chinese"))
    assert written in data
    game = read_game(data.replace(written, otherwise))
    assert len(game.notes) == 1 and "(HB)" in game.notes[0]
    record = game.setup.record()
    assert (record.handicap, record.to_play, record.position.stones_of(Colour.BLACK).bit_count()) == (
        3,
        Colour.WHITE,
        3,
    )
    assert len(game.acts) == 2


@examples(12, 500)
@given(
    size=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    handicap=st.integers(1, 16),
    lot=st.randoms(use_true_random=False),
    rules=st.sampled_from(["chinese", "ing", "new-zealand"]),
)
def test_stones_on_small_boards_come_back(size: tuple[int, int], handicap: int, lot: object, rules: str) -> None:
    record = start_game(rules, size=size, handicap=min(handicap, size[0] * size[1]))
    points = list(range(size[0] * size[1]))
    lot.shuffle(points)  # type: ignore[attr-defined]
    for point in points:
        record = apply_action(record, Placement(record.to_play, point)).after or record
    assert read_back(write_sgf(record)).turns == record.turns


@pytest.mark.slow
@pytest.mark.parametrize("rules", LAID)
def test_gnu_go_loads_the_same_position(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(write_sgf(handicap_game(rules), "Ann", "Ben", NOTES, times()))
    with gnugo() as engine:
        assert engine.ask(f"loadsgf {path}") == "white"
        assert sorted(engine.ask("list_stones black").split()) == ["C3", "C7", "D3", "G7"]
        assert engine.ask("list_stones white") == "E5"
