"""Pairgoth 0.25: rounds are pulled and results pushed over its REST interface.

Taken from its source and tests, which its reference does not always agree with: an Accept header is compulsory, and a
Content-Type with every body; `PUT res` overwrites silently, so that the game is read again first, and never written if
it has a result; `GET pair` of the round after the last begins that round, so that only paired rounds are asked for. If
Pairgoth requires a sesame, it is sent once and the session kept as a cookie; where pages and interface are one program
(its default), the interface wants the bearer that a tournament's page carries. A session that is lost is answered with
401, or 302 to the login where the pages are a program of their own.

It has no win by forfeit: reading an OpenGotha file it drops the word for one, and in its tables for EGD and the French
federation every game with two players counts as played, a cancelled one as a draw. Only a bye is not rated there.
"""

from __future__ import annotations

import errno
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection
from socket import gaierror
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Meta

from device.hall.box_connection import LimitedConnection, Unreadable
from device.hall.pairing import OPEN, BadProgram, Ended, Entered, Pairing, Score
from device.hall.tables import PairgothAt
from referee.game.messages import Message, message
from web.bounded_json import loads_bounded

PATIENCE, PULLED_WITHIN = 5.0, 20.0
"""Seconds to wait for each answer of Pairgoth, and for all rounds."""
MOST = 16 * 1024 * 1024
"""Upper bound of an answer in bytes."""
MOST_ROUNDS = 50
JSON = "application/json"
DENIED = (301, 302, 303, 401, 403)
"""Answers to a request without a session, or with one that is lost."""
OF_PERSONS = "INDIVIDUAL"
_BEARER = re.compile(rb"\bapiToken *= *['\"]([!-~]+?)['\"]")


T = TypeVar("T")
_Number = Annotated[int, Meta(ge=0, lt=2**31)]
_Word = Annotated[str, Meta(max_length=200)]


class _Player(msgspec.Struct):
    id: _Number
    name: _Word | None = None
    firstname: _Word | None = None


class _Game(msgspec.Struct):
    """A game of a round: table, players, handicap and result; 0 for nobody."""

    id: _Number
    t: _Number = 0
    w: _Number = 0
    b: _Number = 0
    h: _Number | None = 0
    r: _Word = Score.OPEN.value

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what tells it from every other game."""
        return str(self.id), str(self.b), str(self.w)


class _RoundGames(msgspec.Struct):
    games: list[_Game] = []


class _RoundStats(msgspec.Struct):
    games: _Number = 0


class _Tournament(msgspec.Struct):
    """A tournament: the figures of each round, and whom it is for."""

    stats: Annotated[list[_RoundStats], Meta(max_length=MOST_ROUNDS)]
    type: _Word = OF_PERSONS


class Pairgoth:
    """A tournament in a running Pairgoth.

    tournament, made: None, because no file is exchanged
    clock: monotonic seconds
    """

    name = "Pairgoth"
    has_forfeits = False
    tournament = made = None

    def __init__(self, location: PairgothAt, clock: Callable[[], float] = time.monotonic) -> None:
        self._location, self._parts, self._clock = location, urlsplit(location.address), clock
        self._cookie, self._bearer = "", ""

    def pull(self) -> tuple[Pairing, ...]:
        """Return all tables of all paired rounds; raises BadProgram."""
        until = self._clock() + PULLED_WITHIN
        rounds = self._read_rounds()
        names = {one.id: f"{one.firstname or ''} {one.name or ''}".strip() for one in self._read_players()}
        pairings = list[Pairing]()
        for number in rounds:
            games = self._read_games(number)
            if self._clock() > until:
                raise self._error_for(message("hall.pairgoth.slow", seconds=int(PULLED_WITHIN)))
            pairings += [_parse_pairing(number, one, names) for one in games if one.b and one.w]
        return tuple(pairings)

    def push(self, entries: Sequence[Entered]) -> None:
        """Enter each result whose game is unchanged since it was pulled, and still without a result; raises
        BadProgram."""
        rounds = self._read_rounds()
        for entry in entries:
            round_name, (number, black, white) = entry.pairing.round, entry.pairing.key
            expected = number, black, white, entry.pairing.table, Score.OPEN
            if round_name in rounds and any(
                (*one.key, str(one.t), one.r) == expected for one in self._read_games(round_name)
            ):
                self._request_path(
                    "PUT", f"res/{quote(round_name)}", {"id": int(number), "result": entry.ended.score.value}
                )

    def render_results(self, entries: Sequence[Entered]) -> bytes:
        """Return no bytes, because no file is exchanged."""
        return b""

    def _read_rounds(self) -> list[str]:
        """Return the rounds that have games; raises BadProgram, also for a tournament of teams."""
        tournament = self._convert_answer("", self._request_path("GET"), _Tournament)
        if tournament.type != OF_PERSONS:
            where, name, kind = self._location.address, self._location.tournament, tournament.type[:20]
            raise BadProgram(message("hall.pairgoth.teams", address=where, tournament=name, kind=kind))
        return [str(number) for number, one in enumerate(tournament.stats, 1) if one.games]

    def _read_players(self) -> list[_Player]:
        return self._convert_answer("part", self._request_path("GET", "part"), list[_Player])

    def _read_games(self, round_name: str) -> list[_Game]:
        """Return the games of a round."""
        path = f"pair/{quote(round_name)}"
        return self._convert_answer(path, self._request_path("GET", path), _RoundGames).games

    def _convert_answer(self, path: str, answer: object, kind: type[T]) -> T:
        """Return the answer as what is expected there; raise BadProgram for anything else."""
        try:
            return msgspec.convert(answer, kind)
        except ValueError as error:
            what = f"GET {path}".rstrip()
            raise self._error_for(message("hall.pairgoth.odd", request=what)) from error

    # HTTP

    def _request_path(self, verb: str, path: str = "", body: object = None) -> Any:
        """Return the answer at a path of the tournament."""
        where = "/".join(["/api/tour", self._quoted_tournament, *([path] if path else [])])
        if self._location.login is not None and not self._cookie:
            self._log_in()
        code, answer = self._send_json(verb, where, body)
        if code in DENIED and self._location.login is not None:
            self._log_in()
            code, answer = self._send_json(verb, where, body)
        if code in DENIED:
            raise self._error_for(message("hall.pairgoth.login", code=code, request=f"{verb} {where}"))
        if code != 200 or (isinstance(answer, dict) and answer.get("success") is False):
            why = f"{answer.get('error', '')}"[:200] if isinstance(answer, dict) else ""
            answered = message("hall.pairgoth.answers", code=code, request=f"{verb} {where} {why}".rstrip())
            raise self._error_for(answered)
        return answer

    @property
    def _quoted_tournament(self) -> str:
        return quote(self._location.tournament, safe="")

    def _log_in(self) -> None:
        self._cookie = self._bearer = ""
        code, _ = self._send_json("POST", "/api/login", {"sesame": self._location.login})
        if code != 200 or not self._cookie:
            raise self._error_for(message("hall.pairgoth.denied"))
        _, page = self._send_request("GET", f"/en/tour?id={self._quoted_tournament}", None, "text/html")
        match = _BEARER.search(page)
        self._bearer = match[1].decode() if match else ""

    def _send_json(self, verb: str, path: str, body: object) -> tuple[int, Any]:
        code, text = self._send_request(verb, path, body, JSON)
        try:
            return code, loads_bounded(text) if code == 200 else _parse_or_none(text)
        except ValueError as error:
            raise self._error_for(message("hall.pairgoth.no-json", request=f"{verb} {path}")) from error

    def _send_request(self, verb: str, path: str, body: object, accepted: str) -> tuple[int, bytes]:
        """Return status and text of the answer to one request."""
        headers = {"Accept": accepted} | ({"Cookie": self._cookie} if self._cookie else {})
        if self._bearer:
            headers["Authorization"] = f"Bearer {self._bearer}"
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = JSON
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        http = kind(self._parts.hostname or "", self._parts.port, timeout=PATIENCE)
        try:
            with closing(LimitedConnection(http)) as connection:
                where = self._parts.path.rstrip("/") + path
                answer, text = connection.exchange(verb, where, MOST, headers, data or b"", PATIENCE)
                self._keep_cookies(answer.headers.get_all("Set-Cookie") or [])
            return answer.status, text
        except (OSError, Unreadable) as error:
            raise self._error_for(message("hall.pairgoth.unreached", why=_reason_for(error))) from error

    def _keep_cookies(self, cookies: Sequence[str]) -> None:
        if cookies:
            self._cookie = "; ".join(one.partition(";")[0] for one in cookies)

    def _error_for(self, why: Message) -> BadProgram:
        return BadProgram(message("hall.pairgoth", address=self._location.address, why=why))


def _reason_for(error: OSError | Unreadable) -> Message:
    """Return the reason why there is no answer."""
    match error:
        case Unreadable():
            return message("hall.net.unreadable")
        case ConnectionRefusedError():
            return message("hall.net.refused")
        case TimeoutError():
            return message("hall.net.slow")
        case gaierror():
            return message("hall.net.name")
    return message("file.system", error=errno.errorcode.get(error.errno or 0, type(error).__name__))


def _parse_or_none(text: bytes) -> Any:
    try:
        return loads_bounded(text)
    except ValueError:
        return None


def _parse_pairing(round_name: str, game: _Game, names: Mapping[int, str]) -> Pairing:
    # An unknown letter counts as a result too, so that it is never overwritten.
    ended = OPEN if game.r == Score.OPEN else Ended(Score(game.r) if game.r in set(Score) else Score.VOID)
    black, white = names.get(game.b, ""), names.get(game.w, "")
    return Pairing(round_name, str(game.t), black, white, game.h or 0, ended=ended, key=game.key)
