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
from tests.benchmarks.parts.server_formats import Move, gib, ngf, ugf
from tests.support.shared import cases

COLUMNS = "ABCDEFGHJKLMNOPQRST"

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
        points = [
            (act.player.value, -1, -1) if isinstance(act, Pass) else (act.player.value, act.point % 19, act.point // 19)
            for act in read.acts
            if isinstance(act, Pass | Placement)
        ]
        assert points == moves[: len(points)] and len(points) >= len([move for move in moves if move[1] >= 0])
        record = read.setup.record()
        assert (record.rules.name, record.komi, read.result) == ("japanese", 6.5, "W+3.5")
        root = read_root(data)
        assert (root["PB"], root["PW"], root["DT"]) == ("Ada", "박정환", "2016-03-19")


@pytest.mark.parametrize("write", [gib, ngf])
def test_handicap_stones_of_servers_lie_on_the_traditional_points(write: Callable[[list[Move], int], str]) -> None:
    setup = read_game(write([("W", 2, 2), ("B", 3, 2)], 3).encode()).setup
    record = setup.record()
    board = record.position.board
    assert (record.handicap, record.position.stones_of(Colour.BLACK)) == (3, board.mask(["D4", "Q16", "D16"]))


def test_handicap_stones_of_ugf_are_moves_with_the_number_0() -> None:
    text = ugf([("B", 3, 3), ("B", 15, 15), ("W", 2, 2)], 2).replace(",B1,1,", ",B1,0,").replace(",B1,2,", ",B1,0,")
    record = read_game(text.encode()).setup.record()
    assert (record.handicap, record.position.stones_of(Colour.BLACK).bit_count(), record.komi) == (2, 2, 0)


@pytest.mark.parametrize("charset", ["utf-8", "cp949"])
def test_names_of_servers_are_read_in_their_charset(charset: str) -> None:
    assert read_root(gib([("B", 3, 3)]).encode(charset))["PW"] == "박정환"


@pytest.mark.parametrize(
    "text", ["\\HS\r\n\\HE\r\n", "[Header]\nSize=19\n[Data]\n", "[Header]\nSize=99\n[Data]\nAA,B1,1,0\n"]
)
def test_a_server_record_without_a_game_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        read_game(text.encode())
