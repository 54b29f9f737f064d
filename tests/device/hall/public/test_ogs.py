"""Public games go to demonstration boards, each to one of its own, whatever is lost between."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from device.hall.public import ogs as module_of
from device.hall.public.ogs import LACKING, NoOgs, OgsRelay, check_ogs, moves_of
from tests.support.device.full_disk import full_disk
from tests.support.device.ogs import TOKEN, Ogs, ogs
from tests.support.waiting import until
from tests.support.wanting import OGS, module
from tests.support.web.public import BOARD, RECORD, news, room_of

MOVES = "cbdc"


@pytest.fixture
def server(monkeypatch) -> Iterator[Ogs]:
    module("websocket", OGS)
    monkeypatch.setattr(module_of, "AGAIN", 0.1)
    with ogs() as running:
        yield running


def record(sgf: str, game: str = RECORD.game):
    return msgspec.structs.replace(RECORD, sgf=sgf, game=game)


@pytest.mark.parametrize(
    "floods",
    [
        b"\x81\x7f" + (1 << 40).to_bytes(8, "big"),
        b"HTTP/1.1 101 Switching Protocols\r\nX-Long: ",
        b"HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n",
    ],
    ids=["a message without end", "a header without end", "elsewhere"],
)
def test_a_server_that_sends_without_end_or_elsewhere_is_left(server, tmp_path, caplog, floods):
    server.floods = floods
    with closing(OgsRelay(TOKEN, room_of(news(1, BOARD), news(2, RECORD)), tmp_path, server.url)):
        until(lambda: "are not told" in caplog.text)
    assert "127.0.0.1:1" not in caplog.text and "refused" not in caplog.text
    assert server.sent < 16 << 20


def test_a_game_is_followed_on_a_board_of_its_own(server, tmp_path):
    room = room_of(news(1, BOARD), news(2, RECORD))
    with closing(OgsRelay(TOKEN, room, tmp_path, server.url)):
        until(lambda: server.moves == {1000: MOVES})
        room.take(news(3, record("(;FF[4]GM[1]SZ[5];B[cb];W[dc];B[aa])")))
        until(lambda: server.moves == {1000: f"{MOVES}aa"})
        room.take(news(4, record("(;FF[4]GM[1]SZ[5];B[cb];W[ee])")))
        until(lambda: server.moves == {1000: "cbee"})
        room.take(news(5, record("(;FF[4]GM[1]SZ[5];B[bb])", "00002_b")))
        until(lambda: server.moves.get(1001) == "bb")
    (first, second) = server.demos.values()
    assert (first["black_name"], first["width"], first["rules"]) == ("Ada", 5, "chinese") and second["private"] is False
    assert server.wrong == []


@pytest.mark.parametrize(("komi", "shown"), [("KM[6.5]", 6.5), ("KM[0]", 0), ("", 7.5)])
def test_a_board_has_the_matchs_komi_and_no_rank_that_nobody_has(server, tmp_path, komi, shown):
    told = record(f"(;FF[4]GM[1]SZ[5]RU[chinese]{komi};B[cb])")
    with closing(OgsRelay(TOKEN, room_of(news(1, BOARD), news(2, told)), tmp_path, server.url)):
        until(lambda: server.moves == {1000: "cb"})
    (made,) = server.demos.values()
    assert (made["komi_auto"], made["komi"]) == ("custom", shown)
    for player in ("black", "white"):
        assert made[f"{player}_ranking"] < -900 and made[f"{player}_pro"] == 0


def test_a_lost_connection_and_a_hall_that_begins_anew_make_no_second_board(server, tmp_path):
    room = room_of(news(1, BOARD), news(2, RECORD))
    with closing(OgsRelay(TOKEN, room, tmp_path, server.url)):
        until(lambda: server.moves == {1000: MOVES})
        server.drop()
        room.take(news(3, record("(;FF[4]GM[1]SZ[5];B[cb];W[dc];B[aa])")))
        until(lambda: server.moves == {1000: f"{MOVES}aa"})
    room.take(news(4, record("(;FF[4]GM[1]SZ[5];B[cb];W[dc];B[aa];W[bb])")))
    with closing(OgsRelay(TOKEN, room, tmp_path, server.url)):
        until(lambda: server.moves == {1000: f"{MOVES}aabb"})
    assert len(server.demos) == 1 and server.wrong == []


def test_which_board_a_game_has_is_written_once_there_is_room(server, tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(module_of, "LOOK_UP", 0.05)
    room, kept = room_of(news(1, BOARD), news(2, RECORD)), tmp_path / "ogs.json"
    (tmp_path / "empty").touch()
    with closing(OgsRelay(TOKEN, room, tmp_path, server.url)):
        with full_disk(tmp_path / "empty"):
            until(lambda: server.moves == {1000: MOVES})
            assert not kept.exists()
        until(kept.exists)
    assert len([one for one in caplog.messages if "cannot be written" in one]) == 1
    with closing(OgsRelay(TOKEN, room, tmp_path, server.url)):
        until(lambda: server.moves == {1000: MOVES})
    assert len(server.demos) == 1


def test_a_game_of_more_than_black_and_white_gets_no_board_and_nobody_is_warned(server, tmp_path, caplog):
    lines = record('{"rules":"kee","size":5,"players":"BWR"}\n{"player":"B","place":"A1"}\n')
    other = msgspec.structs.replace(news(3, BOARD), table="8"), msgspec.structs.replace(news(4, RECORD), table="8")
    with closing(OgsRelay(TOKEN, room_of(news(1, BOARD), news(2, lines), *other), tmp_path, server.url)):
        until(lambda: server.moves == {1000: MOVES})
    assert len(server.demos) == 1 and not caplog.records


def test_it_goes_on_when_the_server_does(server, tmp_path, caplog):
    server.refuses = True
    with closing(OgsRelay(TOKEN, room_of(news(1, BOARD), news(2, RECORD)), tmp_path, server.url)):
        until(lambda: "answered 403" in caplog.text)
        assert server.moves == {}
        server.refuses = False
        until(lambda: server.moves == {1000: MOVES})
    assert TOKEN not in caplog.text


@pytest.mark.parametrize(
    ("sgf", "moves"),
    [
        ("(;FF[4]GM[1]SZ[5];B[aa];W[ee];B[])", "aaee.."),
        ("(;FF[4]GM[1]SZ[5]RU[chinese]AB[aa];W[cc];B[dd];B[ee])", "!1aa..ccdd..ee"),
        ("(;FF[4]GM[1]SZ[5];B[aa];W[]DL[prisoner];B[bb])", "aa..bb"),
        ("(;FF[4]GM[1]SZ[5];B[aa](;W[bb])(;W[cc]))", "aabb"),
    ],
)
def test_moves_are_written_as_there(sgf, moves):
    assert moves_of(sgf)[0] == moves


@pytest.mark.parametrize("text", ["", "two words", "tök"])
def test_a_token_is_one_word(tmp_path, text):
    (tmp_path / "token").write_text(text)
    with pytest.raises(NoOgs, match="token"):
        check_ogs(tmp_path / "token")


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch, tmp_path):
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    monkeypatch.setitem(sys.modules, "websocket", None)
    with pytest.raises(NoOgs) as caught:
        check_ogs(tmp_path / "token")
    assert str(caught.value) == LACKING
