"""Real games written as eight programs and servers write them, read back to the same start and the same turns."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.game.turns import Pass, Placement
from referee.sgf.reader import ReadGame, read_game, read_root
from tests.support.shared import cases

LETTERS = "abcdefghijklmnopqrs"
COLUMNS = "ABCDEFGHJKLMNOPQRST"
Game = dict[str, Any]
NAME = {"gb18030": "聂卫平", "cp932": "能登", "cp949": "박정환", "utf-8": "名人", "ascii": "Foo [3d]"}


def moves(game: Game, a_pass: str = "", each: str = "", start: int = 0) -> str:
    """The moves as nodes. each: what stands behind each of them."""
    points = ((colour, a_pass if point == "pass" else _letters(point)) for colour, point in game["moves"][start:])
    return "".join(f";{colour}[{point}]{each}" for colour, point in points)


def _letters(point: str) -> str:
    return LETTERS[COLUMNS.index(point[0])] + LETTERS[19 - int(point[1:])]


def kgs(game: Game) -> str:
    head = (
        "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[19]KM[6.50]TM[1800]OT[5x30 byo-yomi]\nPW[a]PB[b]WR[3d]"
    )
    return f"{head}RE[B+20.50]\n{moves(game, '', 'BL[1790.5]')};B[];W[];B[dd];B[];W[])"


def ogs(game: Game) -> str:
    head = "(;FF[4]\nCA[UTF-8]\nGM[1]\nDT[2024-01-01]\nPC[OGS]\nPB[名人]\nTM[259200]OT[86400 fischer]"
    nested = moves(game).replace(";", "\n(;C[chat]") + ")" * len(game["moves"])
    return f"{head}\nRE[B+R]\nSZ[19]\nKM[6.5]\nRU[Korean]\n{nested}\n)"


def fox(game: Game) -> str:
    head = "(;GM[1]FF[4]\nSZ[19]\nGN[]\nPB[聂卫平]\nPW[x]\nBR[9段]\nKM[375]HA[0]RU[Chinese]RN[3]RE[B+R]"
    return f"{head}TM[60]TC[3]TT[20]AP[foxwq]RL[0]\n{moves(game)})"


def tygem(game: Game) -> str:
    head = "(;GM[1]FF[3]SZ[19]RU[Korean]PB[박정환]PW[x]BR[9P]KM[6.5]RE[흑 불계승]TM[600]OT[3x30]"
    return f"{head}C[대국]\n{moves(game, 'tt')})"


def igs(game: Game) -> str:
    head = "(;\nGM[1]FF[3]\nRU[Japanese]SZ[19]HA[0]KM[6.5]\nPW[a]\nPB[b]\nRE[B+Resign]\nUS[Foo[3d]]\n"
    return f"{head}TM[90]OT[25 moves in 10 min]\n{moves(game)}\n;B[];W[];B[]\n; TW[ea]\nTB[aa]\n)"


def cgoban(game: Game) -> str:
    return (
        f"(;GM[1]FF[3]\nRU[AGA]SZ[19]HA[0]KM[7,5]PW[a ]PB[b ]GN[a (W) vs b (B)]SY[Cgoban 1.9.12]\n{moves(game, 'tt')})"
    )


def multigo(game: Game) -> str:
    head = "(;CA[gb2312]SZ[19]AP[MultiGo:4.4.4]PB[聂卫平]KM[3又3/4子]RU[中国规则]MULTIGOGM[1]\n"
    return f"{head}{moves(game, 'tt')}(;N[变化])(;AB[aa]))"


def smartgo(game: Game) -> str:
    head = "(;GM[1]FF[4]CA[UTF-8]AP[SmartGo Kifu:4.7]SZ[19]KM[6.5]RU[Japanese Rules]PB[能登]GC[x\\]y]"
    return f"{head}(;B[{_letters(game['moves'][0][1])}]{moves(game, start=1)})(;W[aa]))"


DIALECTS: dict[Callable[[Game], str], tuple[str, str, float]] = {
    kgs: ("utf-8", "japanese", 6.5),
    ogs: ("utf-8", "japanese", 6.5),
    fox: ("gb18030", "chinese", 7.5),
    tygem: ("cp949", "japanese", 6.5),
    igs: ("ascii", "japanese", 6.5),
    cgoban: ("ascii", "aga", 7.5),
    multigo: ("gb18030", "chinese", 7.5),
    smartgo: ("cp932", "japanese", 6.5),
}
"""The charset in which a dialect writes, and the rules and komi that it means."""


@pytest.fixture(scope="module")
def real_games() -> list[Game]:
    games = [json.loads(line) for line in cases("real_games.jsonl").read_text().splitlines()]
    return [game for game in games if game["size"] == 19 and game["moves"] and game["moves"][0][1] != "pass"]


def check(write: Callable[[Game], str], game: Game) -> None:
    charset, rules, komi = DIALECTS[write]
    text = write(game) if write is not smartgo else write(game).replace("CA[UTF-8]", "")
    read = read_game(text.encode(charset))
    record = read.setup.record()
    assert (record.rules.name, record.komi, record.handicap) == (rules, komi, 0)
    turns = [(act.player.value, _name(read, act.point)) for act in read.acts if isinstance(act, Placement)]
    moves = [(colour, point) for colour, point in game["moves"] if point != "pass"]
    assert turns[: len(moves)] == moves
    assert sum(isinstance(act, Pass) for act in read.acts) >= len(game["moves"]) - len(moves)
    if charset not in ("ascii", "utf-8"):
        assert read_root(text.encode(charset))["PB"] == NAME[charset]


def _name(read: ReadGame, point: int) -> str:
    return read.setup.record().position.board.name(point)


@pytest.mark.parametrize("write", DIALECTS, ids=lambda write: write.__name__)
def test_a_real_game_comes_back_as_it_was(write: Callable[[Game], str], real_games: list[Game]) -> None:
    for game in real_games[:2]:
        check(write, game)


@pytest.mark.long
@pytest.mark.parametrize("write", DIALECTS, ids=lambda write: write.__name__)
def test_every_real_game_comes_back_as_it_was(write: Callable[[Game], str], real_games: list[Game]) -> None:
    for game in real_games:
        check(write, game)
