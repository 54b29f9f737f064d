"""A relay of public games to demonstration boards of the Online Go Server; it knows only what is public anyway.

Each game gets a board, created by the REST interface with the fields that its own pages send
(github.com/online-go/online-go.com, DemoBoardModal), and updated over the WebSocket, whose
messages are named in the server's own library (github.com/online-go/goban, ClientToServer): a list of command and data.
Each update sends all moves from the start, so that nothing is missed or played twice after a lost connection.
"""

from __future__ import annotations

import json
import logging
import re
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import msgspec

from device.files import read_stored, write_whole
from device.hall.box_connection import LONGEST_HEADERS, LimitedConnection, Unreadable
from device.journal.repair import DAMAGED
from device.threads import start_supervised_thread
from referee.game.board import Board, Colour, Point
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord, BadSetup, RefereeError
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Pass, Placement
from referee.game.turns import Delay as Delayed
from referee.sgf.records import read_sgf
from vision.input_files import InputFileSpec
from web.bounded_json import loads_bounded
from web.formats import SGF
from web.gallery.publication import Exhibition, PublicTable, Room
from web.page.thumbnail import place_of

if TYPE_CHECKING:
    from websocket import WebSocket

log = logging.getLogger("shinpan")
SERVER = "https://online-go.com"
LACKING = "Boards at OGS need websocket-client; install it with pip install 'shinpan[hall]'."
FILE = "ogs.json"
"""File in the hall's folder: the boards created so far, by table and game."""
RULES = {"japanese": "japanese", "aga": "aga", "new-zealand": "nz", "ing": "ing", "ing-simplified": "ing"}
"""OGS names of rule sets; all others count area, which OGS calls chinese."""
UNKNOWN_RANK = -1000
"""Ranking of a player whose rank is unknown: below -900 the pages of OGS show "?", where 0 is 30 kyu."""
PING, PATIENCE, LOOK_UP = 10.0, 10.0, 0.5
"""Seconds between two pings, as the server requires; of silence before the server counts as lost; between two checks
of the news."""
AGAIN = 5.0
"""Seconds before a lost connection is tried again."""
MOST = 1 << 20
"""Upper bound of an answer and of a message of the server in bytes."""
MOST_HEARD = 200
"""Server messages discarded per round."""
_BOTH = (Colour.BLACK, Colour.WHITE)


class NoOgs(RefereeError):
    """A failure to use OGS; one sentence says why."""


TOKEN = InputFileSpec("a file that holds the token for OGS and nothing else", 1 << 12, NoOgs, is_kept=True)


def check_ogs(file: Path) -> str:
    """Return the account's token, from a file that holds nothing else; raises NoOgs."""
    token = TOKEN.text_of(file).strip()
    if not re.fullmatch(r"[!-~]+", token):
        raise TOKEN.error_for(file, "it is not one word")
    try:
        import websocket  # noqa: F401
    except ImportError as error:
        raise NoOgs(LACKING) from error
    return token


def moves_of(sgf: str) -> tuple[str, GameRecord]:
    """Return a record's moves in OGS notation, and the game at its start: two letters a point, two dots for a pass.

    A pass is also written if somebody moves twice; each setup stone has an exclamation mark and its colour before it.
    Raises BadRecord and BadSetup.
    """
    setup, acts = read_sgf(sgf.encode())
    start = setup.record()
    rows, board, next_one = rows_of(start.position), start.position.board, 0
    moves = [
        f"!{number}{_two_letters(column, row)}"
        for number, colour in enumerate("XO", 1)
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter == colour
    ]
    for act in acts:
        if isinstance(act, Placement | Pass | Delayed):
            if _BOTH[next_one] is not act.player:
                moves.append("..")
                next_one = 1 - next_one
            moves.append(_point_letters(board, act.point) if isinstance(act, Placement) else "..")
            next_one = 1 - next_one
    return "".join(moves), start


def _point_letters(board: Board, point: Point) -> str:
    """Return column and row letters from the top left; two dots for a point off the board."""
    place = place_of(None if point == OFF_BOARD else board.name(point), board.rows)
    return ".." if place is None else _two_letters(place[1], place[0])


def _two_letters(column: int, row: int) -> str:
    return chr(97 + column) + chr(97 + row)


class OgsRelay:
    """A demonstration board for every public game, updated until closed.

    token: of the OGS account
    room: the public news
    folder: the hall's
    server: the URL of OGS
    """

    def __init__(self, token: str, room: Room, folder: Path, server: str = SERVER) -> None:
        self._token, self._room, self._server, self._file = token, room, server, folder / FILE
        self._boards, self._is_unwritten, self._has_warned = _read_boards(self._file), False, False
        self._over, self._sent_moves = Event(), dict[int, str]()
        self._thread = start_supervised_thread("ogs", self._run)

    def close(self) -> None:
        """Stop updating; the boards stay as they are."""
        self._over.set()
        self._thread.join()
        self._write_boards()

    def _run(self) -> None:
        from websocket import WebSocketException

        well = True
        while not self._over.is_set():
            try:
                with closing(self._connect_socket()) as socket:
                    well = True
                    self._follow_exhibition(socket)
            except (OSError, Unreadable, WebSocketException, ValueError, KeyError, TypeError) as error:
                if well:
                    log.warning("The boards at OGS are not told: %s; it is tried again.", error or type(error).__name__)
                well = False
                self._over.wait(AGAIN)

    def _connect_socket(self) -> WebSocket:
        from websocket import create_connection

        account = self._request_json("GET", "/api/v1/ui/config")
        address, sock = self._server.replace("http", "ws", 1), _LimitedSocket(self._server)
        talk = create_connection(address, timeout=PATIENCE, socket=sock, redirect_limit=0)
        if talk.getstatus() != HTTPStatus.SWITCHING_PROTOCOLS:
            raise OSError(f"{self._server} answered {talk.getstatus()}")
        sock.allow()
        _send_command(talk, "authenticate", {"jwt": account["user_jwt"], "client": "shinpan"})
        self._sent_moves.clear()
        return talk

    def _follow_exhibition(self, socket: WebSocket) -> None:
        newest_sent: Exhibition | None = None
        pinged_at = 0.0
        while not self._over.is_set():
            newest = self._room.public_state() if newest_sent is None else self._room.wait(newest_sent, LOOK_UP)
            for table in newest.in_order if newest is not newest_sent else ():
                self._send_board(socket, table)
            newest_sent = newest
            self._write_boards()
            if time.monotonic() > pinged_at + PING:
                pinged_at = time.monotonic()
                _send_command(socket, "net/ping", {"client": int(1000 * time.time()), "drift": 0, "latency": 0})
            _pass_over(socket)

    def _send_board(self, socket: WebSocket, table: PublicTable) -> None:
        if table.record is None or table.board is None or table.record.format is not SGF:
            return
        try:
            moves, start = moves_of(table.record.sgf)
        except (BadRecord, BadSetup) as error:
            log.warning("The record of table %s is not for OGS: %s", table.table, error)
            return
        review = self._board_for(table, start)
        if review not in self._sent_moves:
            _send_command(socket, "review/connect", {"review_id": review})
        if self._sent_moves.get(review) != moves:
            _send_command(socket, "review/append", {"review_id": review, "f": 0, "t": "", "m": moves})
            self._sent_moves[review] = moves

    def _board_for(self, table: PublicTable, start: GameRecord) -> int:
        """Return the id of this game's board, creating the board if there is none."""
        assert table.record is not None and table.board is not None
        board = start.position.board
        key = f"{table.table} {table.record.game}"
        if key not in self._boards:
            black, white = (*table.board.players, "", "")[:2]
            name = f"{self._room.public_state().event} {table.board.round}-{table.table}".strip()
            body = {
                "name": name,
                "rules": RULES.get(table.board.rules, "chinese"),
                "width": board.cols,
                "height": board.rows,
                "black_name": black or "Black",
                "white_name": white or "White",
                "black_ranking": UNKNOWN_RANK,
                "white_ranking": UNKNOWN_RANK,
                "black_pro": 0,
                "white_pro": 0,
                "private": False,
                "komi_auto": "custom",
                "komi": start.komi,
            }
            self._boards[key] = int(self._request_json("POST", "/api/v1/demos", body)["id"])
            self._is_unwritten = True
            self._write_boards()
        return self._boards[key]

    def _write_boards(self) -> None:
        """Write the list of boards unless that is done; what the disk refuses is tried again, and logged once."""
        if not self._is_unwritten:
            return
        try:
            write_whole(self._file, json.dumps(self._boards).encode())
        except BadRecord as error:
            if not self._has_warned:
                log.warning("%s", error)
            self._has_warned = True
        else:
            self._is_unwritten = self._has_warned = False

    def _request_json(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
        parts = urlsplit(self._server)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        http = kind(parts.hostname or "", parts.port, timeout=PATIENCE)
        with closing(LimitedConnection(http)) as connection:
            payload = b"" if body is None else json.dumps(body).encode()
            kinds = {} if body is None else {"Content-Type": "application/json"}
            answer, data = connection.exchange(method, path, MOST, {**headers, **kinds}, payload, PATIENCE)
        if answer.status not in (200, 201):
            raise OSError(f"{path} answered {answer.status}")
        return loads_bounded(data)


class _LimitedSocket:
    """A socket connected to a server, from which no more is received than is allowed, at first its headers."""

    def __init__(self, server: str) -> None:
        parts = urlsplit(server)
        host, encrypted = parts.hostname or "", parts.scheme == "https"
        self._left = LONGEST_HEADERS
        self._socket = socket.create_connection((host, parts.port or (443 if encrypted else 80)), PATIENCE)
        if encrypted:
            self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=host)

    def allow(self) -> None:
        """Allow MOST bytes from now on."""
        self._left = MOST

    def recv(self, size: int) -> bytes:
        """Receive as the socket does; raise OSError if it is too much."""
        if self._left <= 0:
            raise OSError("the server sends more than a message may have")
        data = self._socket.recv(min(size, self._left))
        self._left -= len(data)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


def _read_boards(file: Path) -> dict[str, int]:
    """Read the list of boards. A damaged list is set aside, and each game gets a new board."""
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(read_stored(file, 1 << 20), type=dict[str, int])
    except ValueError:
        aside = file.replace(file.with_suffix(DAMAGED))
        log.warning("%s: it was damaged. It was set aside as %s, and each game gets a new board.", file, aside.name)
        return {}


def _send_command(socket: WebSocket, command: str, data: Mapping[str, object]) -> None:
    socket.send(json.dumps([command, data]))


def _pass_over(socket: WebSocket) -> None:
    """Discard the server's messages, so that its buffer does not fill up; none of them matters here."""
    from websocket import WebSocketTimeoutException

    socket.settimeout(0.05)
    with suppress(WebSocketTimeoutException):
        for _ in range(MOST_HEARD):
            socket.recv()
            cast("_LimitedSocket", socket.sock).allow()
    socket.settimeout(PATIENCE)
