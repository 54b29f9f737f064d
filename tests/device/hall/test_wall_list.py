"""EGD's tournament table: read as programs and people write it, and written back as it was."""

from __future__ import annotations

import pytest

from device.hall.wall_list import BadTable, WallList, is_rated
from web.language import to_english

TABLE = """\
; CL[B]
; EV[Spring Cup]
; PC[DE,Example Town]
; HA[h2]
;
; Pl Name                  Rk Co Club
   1 Example Ada           2d DE  Exm    3  5 0 0  3+/w0    2+!b0  |12345678
   2 Sample Ben_Paul       1k DE  Exm    2  4 0 0     0+ 1-!w0     ; late

   3 Model, Cleo          12k XX xxxx   1½  4 0 0  1-/b0       0= |
"""
PLAIN = "1 Ada Example 2d 0-\n2 Ben Sample 3k 0-\n3 Cleo Model 4k 0-\n"


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        TABLE.replace("\n", "\r\n"),
        "\ufeff" + TABLE,
        "\ufeff" + PLAIN,
        TABLE.rstrip("\n"),
        PLAIN,
        TABLE.replace(" 2d DE", "\t2d\tDE"),
    ],
)
def test_a_table_is_written_back_as_it_was(text):
    assert WallList(text).text == text


def test_players_are_found_by_the_words_of_their_names():
    table = WallList(TABLE)
    assert [table.line_of(name) for name in ("Ada Example", "ben paul sample", "Cleo Model", "Ida", "")] == [
        0,
        1,
        2,
        None,
        None,
    ]
    assert table.rounds == 2
    assert [table.cell(line, 1) for line in range(3)] == ["3+/w0", "0+", "1-/b0"]


@pytest.mark.parametrize(
    "line",
    [
        "   7 Verylongsurname Firstname12K XX xxxx 0 0 0 0 0-",
        "7. Verylongsurname Firstname 12 kyu XX xxxx 0 0 0 0 0-",
        "Verylongsurname, Firstname 1P XX xxxx 0 0 0 0 0-",
    ],
)
def test_a_grade_or_a_place_is_read_as_programs_write_it(line):
    assert WallList(line).line_of("Firstname Verylongsurname") == 0


def test_two_players_of_one_name_are_nobody():
    assert WallList("1 Li Kim 2d 0-\n2 Kim Li 3k 0-\n").line_of("Li Kim") is None


def test_equal_places_are_counted_by_lines():
    table = WallList("1 A B 2d 3+\n1 C D 3d 0-\n3 E F 1k 1-\n")
    assert [table.place(line) for line in range(3)] == [1, 2, 3]
    shuffled = WallList("3 A B 2d 1-\n1 C D 3d 3+\n2 E F 1k 0-\n")
    assert [shuffled.place(line) for line in range(3)] == [3, 1, 2]
    assert WallList("A B 2d 3+\n C D 3d 0-\nE F 1k 1-\n").place(2) == 3


def test_columns_that_look_like_results_are_none():
    table = WallList("1 A B 2d DE X 3= 2+/b0\n2 C D 3d DE X 3 1-/w0\n")
    assert (table.rounds, table.cell(0, 1)) == (1, "2+/b0")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("3+", True), ("3-/w", True), ("3=/b4", True), ("3+/h2", True)]
    + [(one, False) for one in ("0+", "0=", "0=0", "3+!", "3+!b0", "3+/b0!", "3?/b0", "0-/w0")],
)
def test_only_what_was_played_is_rated(cell, expected):
    assert is_rated(cell) is expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it has no players"),
        ("; EV[x]\n", "it has no players"),
        ("1 A B 2d 0-\nPl Name Rk\n", "line 2 is no player's"),
        ("1 A B 2d 2+ 0-\n2 C D 2d 1-\n", "line 1 has 2 results, and line 2 has 1"),
        ("1 A B 2d 2+\n2 C D 2d 0-\n", "line 1 has 2+ in round 1, and line 2 has 0-"),
        ("1 A B 2d 2+\n2 C D 2d 1+\n", "line 1 has 2+ in round 1, and line 2 has 1+"),
        ("1 A B 2d 2=/b0\n2 C D 2d 1=/b0\n", "line 1 has 2=/b0 in round 1, and line 2 has 1=/b0"),
        ("1 A B 2d 2=/b0\n2 C D 2d 1=/w3\n", "line 1 has 2=/b0 in round 1, and line 2 has 1=/w3"),
        ("1 A B 2d 1+\n2 C D 2d 0-\n", "line 1 has 1+ in round 1, and line 1 has 1+"),
        ("1 A B 2d 9+\n2 C D 2d 0-\n", "line 1 has 9+ in round 1, and no player has place 9"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused_with_its_line(text, why):
    with pytest.raises(BadTable) as caught:
        WallList(text)
    assert why in to_english(caught.value)


def test_both_may_lose_what_was_not_played():
    assert WallList("1 A B 2d 2-!b0\n2 C D 2d 1-!w0\n").rounds == 1


def test_a_result_changes_two_cells_and_nothing_else():
    table = WallList(PLAIN)
    table.set(0, 1, "3+/b4")
    table.set(2, 1, "1-/w4")
    assert table.text == "1 Ada Example 2d 3+/b4\n2 Ben Sample 3k 0-\n3 Cleo Model 4k 1-/w4\n"
    assert WallList(table.text).text == table.text


def test_columns_stay_below_one_another_where_there_is_room():
    table = WallList("1 A B 2d      0-     0- |7\n2 C D 2d 0-      0- ; x\n")
    table.set(0, 1, "2+/b0")
    table.set(1, 1, "1-/w0")
    assert table.text == "1 A B 2d   2+/b0     0- |7\n2 C D 2d 1-/w0   0- ; x\n"


def test_a_round_that_the_table_lacks_is_added_for_everybody():
    table = WallList("1 A B 2d |7\r\n2 C D 2d ; x\r\n3 E F 3d\r\n")
    table.set(0, 2, "2+/b0")
    table.set(1, 2, "1-/w0")
    assert table.text == ("1 A B 2d      0-   2+/b0 |7\r\n2 C D 2d      0-   1-/w0 ; x\r\n3 E F 3d      0-      0-\r\n")
    assert WallList(table.text).rounds == 2


@pytest.mark.parametrize("filler", [" ", "1+ ", "9k ", "\t|", ";", "1=/b"])
def test_a_long_line_of_anything_takes_no_long_time(filler):
    with pytest.raises(BadTable):
        WallList(filler * (1 << 17) + "\n1 A B 2d 9+\n")
