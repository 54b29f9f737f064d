"""Public games go to demonstration boards, each to one of its own, whatever is lost between."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import msgspec
import pytest

from device.hall.public import ogs as module_of
from device.hall.public.ogs import LACKING, NoOgs, OgsRelay, check_ogs, moves_of
from tests.support.device.public_hall import full_disk
from tests.support.waiting import until
from tests.support.wanting import OGS, module
from tests.support.web.public import BOARD, RECORD, news, room_of

# A stand-in for the Online Go Server, written from its public documentation: the REST addresses that a demonstration
# board needs, and its WebSocket (RFC 6455), over which each message is a list of a command and its data.

TOKEN, JWT = "a-token", "a-jwt"
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
FIELDS = {
    *("name", "rules", "width", "height", "private", "komi_auto"),
    *("black_name", "black_ranking", "black_pro", "white_name", "white_ranking", "white_pro"),
}
"""Fields that every demonstration board has to have."""


class Ogs(ThreadingHTTPServer):
    """demos: the boards that were made, by their numbers; moves: what is on each; wrong: what should not have come.
    floods: with what its WebSocket answers before it sends bytes without end; sent: so many were taken.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _RecordingSession)
        self.demos, self.moves, self.wrong = dict[int, dict[str, Any]](), dict[int, str](), list[str]()
        self.refuses, self.sockets = False, list[Any]()
        self.floods, self.sent = b"", 0
        Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle(self, command: str, data: dict[str, Any], connected: set[int]) -> None:
        """A message; connected: the reviews that this client follows."""
        review = data.get("review_id", 0)
        if command == "authenticate":
            self.wrong += [] if data.get("jwt") == JWT else ["jwt"]
        elif command == "review/connect":
            connected.add(review)
        elif command == "review/append":
            is_known = review in self.demos and review in connected
            self.wrong += [] if is_known else [f"append to {review}"]
            self.moves[review] = self.moves.get(review, "")[: 2 * data["f"]] + data["m"]
        elif command != "net/ping":
            self.wrong.append(command)

    def drop(self) -> None:
        """Lose every connection."""
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(2)


class _RecordingSession(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Ogs

    def do_GET(self) -> None:
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self._talk()
        else:
            self._answer({"user_jwt": JWT} if self.path == "/api/v1/ui/config" else None)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/api/v1/demos" or not body.keys() >= FIELDS:
            self._answer(None)
            return
        number = 1000 + len(self.server.demos)
        self.server.demos[number] = body
        self._answer({"id": number})

    def _answer(self, body: object) -> None:
        allowed = self.headers.get("Authorization") == f"Bearer {TOKEN}" and not self.server.refuses
        data = json.dumps(body).encode()
        self.send_response(403 if not allowed else 404 if body is None else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _flood(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.wfile.write(self.server.floods)
            while True:
                self.wfile.write(b"x" * 65536)
                self.server.sent += 65536

    def _talk(self) -> None:
        if self.server.floods.startswith(b"HTTP"):
            self._flood()
            return
        word = base64.b64encode(hashlib.sha1((self.headers["Sec-WebSocket-Key"] + GUID).encode()).digest())
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        self.wfile.write(b"Sec-WebSocket-Accept: " + word + b"\r\n\r\n")
        self.server.sockets.append(self.connection)
        connected, self.close_connection = set[int](), True
        if self.server.floods:
            self._flood()
            return
        with suppress(OSError, struct.error, IndexError):
            while (text := self._frame()) is not None:
                self.server.handle(*json.loads(text), connected)
                self._say(["net/pong", {}])

    def _frame(self) -> bytes | None:
        """The next message; None at the end."""
        head = self.rfile.read(2)
        kind, length = head[0] & 15, head[1] & 127
        if length == 126:
            (length,) = struct.unpack(">H", self.rfile.read(2))
        mask, data = self.rfile.read(4), self.rfile.read(length)
        return bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)) if kind == 1 else None

    def _say(self, message: object) -> None:
        data = json.dumps(message).encode()
        self.wfile.write(bytes((0x81, len(data))) + data)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def ogs() -> Iterator[Ogs]:
    """The stand-in, until the block ends."""
    ogs = Ogs()
    try:
        yield ogs
    finally:
        ogs.drop()
        ogs.shutdown()
        ogs.server_close()


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
    game_record = record(f"(;FF[4]GM[1]SZ[5]RU[chinese]{komi};B[cb])")
    with closing(OgsRelay(TOKEN, room_of(news(1, BOARD), news(2, game_record)), tmp_path, server.url)):
        until(lambda: server.moves == {1000: "cb"})
    (demo,) = server.demos.values()
    assert (demo["komi_auto"], demo["komi"]) == ("custom", shown)
    for player in ("black", "white"):
        assert demo[f"{player}_ranking"] < -900 and demo[f"{player}_pro"] == 0


def test_neither_reconnecting_nor_restarting_makes_a_second_board(server, tmp_path):
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
    room, board_file = room_of(news(1, BOARD), news(2, RECORD)), tmp_path / "ogs.json"
    (tmp_path / "empty").touch()
    with closing(OgsRelay(TOKEN, room, tmp_path, server.url)):
        with full_disk(tmp_path / "empty"):
            until(lambda: server.moves == {1000: MOVES})
            assert not board_file.exists()
        until(board_file.exists)
    assert len([one for one in caplog.messages if "cannot be written" in one]) == 1
    with closing(OgsRelay(TOKEN, room, tmp_path, server.url)):
        until(lambda: server.moves == {1000: MOVES})
    assert len(server.demos) == 1


def test_a_game_of_three_colours_gets_no_board_and_no_warning(server, tmp_path, caplog):
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
