"""Records in GIB, NGF and UGF, written here as the servers write them, come back as the same games."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.game.board import Colour
from referee.game.errors import BadRecord
from referee.game.turns import Pass, Placement
from referee.sgf.reader import read_game, read_root
from tests.support.shared import cases

COLUMNS = "ABCDEFGHJKLMNOPQRST"
Move = tuple[str, int, int]
"""A colour, and column and row from the top left; a column below 0 is a pass."""


def gib(moves: list[Move], handicap: int = 0) -> str:
    head = [
        "\\HS",
        "\\[GAMETYPE=0\\]",
        "\\[GAMEBLACKNAME=Ada (5D)\\]",
        "\\[GAMEWHITENAME=박정환 (9P)\\]",
        "\\[GAMEDATE=2016- 3-19-18-27-50\\]",
        f"\\[GAMEINFOMAIN=GBKIND:3,GTIME:1200-20-3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:{0 if handicap else 65}\\]",
        "\\HE",
        "\\GS",
        "2 1 0",
        f"INI 0 1 {handicap} &4 ",
    ]
    lines = [
        f"STO 0 {number} {1 if colour == 'B' else 2} {column} {row} " if column >= 0 else f"SKI 0 {number}"
        for number, (colour, column, row) in enumerate(moves, 2)
    ]
    return "\r\n".join([*head, *lines, "\\GE", ""])


def ngf(moves: list[Move], handicap: int = 0) -> str:
    head = ["Rating game", "19", "박정환 9P", "Ada 5D", "www", str(handicap), "0", "0" if handicap else "6"]
    head += ["20160319 [18:27]", "5", "White wins by 3.5!", str(len(moves))]
    lines = [
        f"PMAB{colour}{chr(66 + column)}{chr(66 + row)}{chr(66 + column)}{chr(66 + row)}"
        if column >= 0
        else f"PMAB{colour}AAAA"
        for colour, column, row in moves
    ]
    return "\r\n".join([*head, *lines, ""])


def ugf(moves: list[Move], handicap: int = 0, from_bottom: bool = False) -> str:
    kind = "CoordinateType=IGS\n" if from_bottom else ""
    head = f"[Header]\nLang=JP\nTitle=名人戦\nPlace=Pandanet\nDate=2016/03/19\nSize=19\nRule=JPN\n{kind}"
    head += f"Hdcp={handicap},{0 if handicap else 6.5}\nPlayerB=Ada,5d\nPlayerW=박정환,9p\nWinner=W,3.5\n[Data]\n"
    points = [
        f"{chr(65 + column)}{chr(65 + (18 - row if from_bottom else row))}" if column >= 0 else "YA"
        for _, column, row in moves
    ]
    lines = [
        f"{point},{colour}1,{number},9"
        for number, (point, (colour, *_)) in enumerate(zip(points, moves, strict=True), 1)
    ]
    return head + "\n".join(lines) + "\n[Figure]\n"


FORMATS: list[Callable[[list[Move]], str]] = [gib, ngf, ugf, lambda moves: ugf(moves, from_bottom=True)]


def _moves(game: dict[str, Any]) -> list[Move]:
    return [
        (colour, -1, -1) if point == "pass" else (colour, COLUMNS.index(point[0]), 19 - int(point[1:]))
        for colour, point in game["moves"]
    ]


@pytest.mark.parametrize("write", FORMATS, ids=["gib", "ngf", "ugf", "ugf-igs"])
def test_a_real_game_comes_back_from_a_server_format(write: Callable[[list[Move]], str]) -> None:
    lines = cases("real_games.jsonl").read_text().splitlines()
    games = [game for game in map(json.loads, lines[:40]) if game["size"] == 19 and game["moves"][0][0] == "B"]
    for game in games[:3]:
        moves = _moves(game)
        data = write(moves).encode()
        read = read_game(data)
        made = [
            (act.player.value, -1, -1) if isinstance(act, Pass) else (act.player.value, act.point % 19, act.point // 19)
            for act in read.acts
            if isinstance(act, Pass | Placement)
        ]
        assert made == moves[: len(made)] and len(made) >= len([move for move in moves if move[1] >= 0])
        record = read.setup.record()
        assert (record.rules.name, record.komi, read.result) == ("japanese", 6.5, "W+3.5")
        root = read_root(data)
        assert (root["PB"], root["PW"], root["DT"]) == ("Ada", "박정환", "2016-03-19")


@pytest.mark.parametrize("write", [gib, ngf])
def test_handicap_stones_of_servers_lie_on_the_traditional_points(write: Callable[[list[Move], int], str]) -> None:
    setup = read_game(write([("W", 2, 2), ("B", 3, 2)], 3).encode()).setup
    record = setup.record()
    board = record.position.board
    assert (record.handicap, record.position.of(Colour.BLACK)) == (3, board.mask(["D4", "Q16", "D16"]))


def test_handicap_stones_of_ugf_are_moves_with_the_number_0() -> None:
    text = ugf([("B", 3, 3), ("B", 15, 15), ("W", 2, 2)], 2).replace(",B1,1,", ",B1,0,").replace(",B1,2,", ",B1,0,")
    record = read_game(text.encode()).setup.record()
    assert (record.handicap, record.position.of(Colour.BLACK).bit_count(), record.komi) == (2, 2, 0)


@pytest.mark.parametrize("charset", ["utf-8", "cp949"])
def test_names_of_servers_are_read_in_their_charset(charset: str) -> None:
    assert read_root(gib([("B", 3, 3)]).encode(charset))["PW"] == "박정환"


@pytest.mark.parametrize(
    "text", ["\\HS\r\n\\HE\r\n", "[Header]\nSize=19\n[Data]\n", "[Header]\nSize=99\n[Data]\nAA,B1,1,0\n"]
)
def test_a_server_record_without_a_game_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        read_game(text.encode())
