"""Pairgoth 0.25: rounds are pulled and results pushed over its REST interface.

Taken from its source and tests, which its reference does not always agree with: an Accept header is compulsory, and a
Content-Type with every body; `PUT res` overwrites silently, so that the game is read again first, and never written if
it has a result; `GET pair` of the round after the last begins that round, so that only paired rounds are asked for. If
Pairgoth requires a sesame, it is sent once and the session kept as a cookie; where pages and interface are one program
(its default), the interface wants the bearer that a tournament's page carries. A session that is lost is answered with
401, or 302 to the login where the pages are a program of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

from device.hall.pairing import OPEN, BadProgram, Ended, Entered, Pairing, Score
from device.hall.tables import PairgothAt

PATIENCE = 5.0
"""Seconds to wait for each answer of Pairgoth."""
MOST = 16 * 1024 * 1024
"""Upper bound of an answer in bytes."""
JSON = "application/json"
DENIED = (301, 302, 303, 401, 403)
"""Answers to a request without a session, or with one that is lost."""
OF_PERSONS = "INDIVIDUAL"
_BEARER = re.compile(rb"\bapiToken *= *['\"]([!-~]+?)['\"]")


class Pairgoth:
    """A tournament in a running Pairgoth.

    made: None, because no file is exchanged
    """

    name = "Pairgoth"
    made = None

    def __init__(self, at: PairgothAt) -> None:
        self._at, self._parts = at, urlsplit(at.address)
        self._cookie, self._bearer = "", ""

    def pull(self) -> tuple[Pairing, ...]:
        """Return all tables of all paired rounds; raises BadProgram."""
        rounds = self._rounds()
        names = {_whole(one.get("id")): _name(one) for one in _rows(self._ask("GET", "part"))}
        return tuple(
            _pairing(number, one, names)
            for number in rounds
            for one in self._games(number)
            if one.get("b") and one.get("w")
        )

    def push(self, entries: Sequence[Entered]) -> None:
        """Enter each result whose game is unchanged since it was pulled, and still without a result; raises
        BadProgram."""
        rounds = self._rounds()
        for entry in entries:
            played, (number, black, white) = entry.pairing.round, entry.pairing.key
            wanted = {"id": number, "b": black, "w": white, "t": entry.pairing.table, "r": Score.OPEN.value}
            if played in rounds and any(_told(one, wanted) == wanted for one in self._games(played)):
                self._ask("PUT", f"res/{quote(played)}", {"id": int(number), "result": entry.ended.score.value})

    def written(self, entries: Sequence[Entered]) -> bytes:
        """Return no bytes, because no file is exchanged."""
        return b""

    def _rounds(self) -> list[str]:
        """Return the rounds that have games; raises BadProgram, also for a tournament of teams."""
        tournament = self._ask("GET")
        stats = tournament.get("stats") if isinstance(tournament, dict) else None
        if not isinstance(stats, list):
            raise self._refused(f"does not tell the rounds of tournament {self._at.tournament}")
        kind = tournament.get("type", OF_PERSONS)
        if kind != OF_PERSONS:
            raise BadProgram(
                f"Pairgoth at {self._at.address}: tournament {self._at.tournament} is one of teams ({kind!s:.20}), "
                "which the hall does not support; leave [pairgoth] out of tables.toml and enter results in Pairgoth."
            )
        return [str(number) for number, one in enumerate(stats, 1) if isinstance(one, dict) and one.get("games")]

    def _games(self, played: str) -> list[Mapping[str, Any]]:
        """Return the games of a round."""
        answer = self._ask("GET", f"pair/{quote(played)}")
        return _rows(answer.get("games") if isinstance(answer, dict) else None)

    # HTTP

    def _ask(self, verb: str, path: str = "", body: object = None) -> Any:
        """Return the answer at a path of the tournament."""
        where = "/".join(["/api/tour", self._tournament, *([path] if path else [])])
        if self._at.login is not None and not self._cookie:
            self._log_in()
        code, said = self._sent(verb, where, body)
        if code in DENIED and self._at.login is not None:
            self._log_in()
            code, said = self._sent(verb, where, body)
        if code in DENIED:
            raise self._refused(f"answers {code} to {verb} {where}: it asks for a login")
        if code != 200 or (isinstance(said, dict) and said.get("success") is False):
            why = said.get("error", "") if isinstance(said, dict) else ""
            raise self._refused(f"answers {code} to {verb} {where} {why}".rstrip())
        return said

    @property
    def _tournament(self) -> str:
        return quote(self._at.tournament, safe="")

    def _log_in(self) -> None:
        self._cookie = self._bearer = ""
        code, _ = self._sent("POST", "/api/login", {"sesame": self._at.login})
        if code != 200 or not self._cookie:
            raise self._refused("does not take the login that tables.toml gives")
        _, page = self._requested("GET", f"/en/tour?id={self._tournament}", None, "text/html")
        found = _BEARER.search(page)
        self._bearer = found[1].decode() if found else ""

    def _sent(self, verb: str, path: str, body: object) -> tuple[int, Any]:
        code, text = self._requested(verb, path, body, JSON)
        try:
            return code, json.loads(text) if code == 200 else _or_none(text)
        except (ValueError, RecursionError) as error:
            raise self._refused(f"answers {verb} {path} with what is no JSON") from error

    def _requested(self, verb: str, path: str, body: object, accepted: str) -> tuple[int, bytes]:
        """Return status and text of the answer to one request."""
        headers = {"Accept": accepted} | ({"Cookie": self._cookie} if self._cookie else {})
        if self._bearer:
            headers["Authorization"] = f"Bearer {self._bearer}"
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = JSON
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        try:
            with closing(kind(self._parts.hostname or "", self._parts.port, timeout=PATIENCE)) as connection:
                connection.request(verb, self._parts.path.rstrip("/") + path, data, headers)
                answer = connection.getresponse()
                text = answer.read(MOST)
                self._keep(answer.headers.get_all("Set-Cookie") or [])
            return answer.status, text
        except (OSError, HTTPException) as error:
            raise self._refused(f"cannot be reached ({error})") from error

    def _keep(self, cookies: Sequence[str]) -> None:
        if cookies:
            self._cookie = "; ".join(one.partition(";")[0] for one in cookies)

    def _refused(self, why: str) -> BadProgram:
        return BadProgram(f"Pairgoth at {self._at.address} {why}; see that it runs, and [pairgoth] in tables.toml.")


def _or_none(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _rows(answer: object) -> list[Mapping[str, Any]]:
    return [one for one in answer if isinstance(one, dict)] if isinstance(answer, list) else []


def _whole(value: object) -> str:
    return str(value) if isinstance(value, int) else ""


def _name(player: Mapping[str, Any]) -> str:
    return f"{player.get('firstname') or ''} {player.get('name') or ''}".strip()


def _told(game: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, str]:
    """Return these values of a game, as text."""
    return {key: str(game.get(key)) for key in keys}


def _pairing(played: str, game: Mapping[str, Any], names: Mapping[str, str]) -> Pairing:
    number, black, white = (_whole(game.get(key)) for key in ("id", "b", "w"))
    handicap, score = game.get("h"), game.get("r", Score.OPEN.value)
    # An unknown letter counts as a result too, so that it is never overwritten.
    ended = OPEN if score == Score.OPEN else Ended(Score(score) if score in set(Score) else Score.VOID)
    return Pairing(
        played,
        _whole(game.get("t")),
        names.get(black, ""),
        names.get(white, ""),
        handicap if isinstance(handicap, int) else 0,
        ended=ended,
        key=(number, black, white),
    )
