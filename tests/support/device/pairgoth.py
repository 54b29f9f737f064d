"""A stand-in for Pairgoth 0.25 over HTTP, as its source and its own tests describe it: one individual tournament.

What it insists on, Pairgoth insists on: an Accept header, a Content-Type with what is sent, and with a sesame the
bearer that a tournament's page carries (ApiServlet.checkAuthorization), or in client mode the cookie of a login,
without which everything is sent to /login (AuthFilter). `PUT res` overwrites whatever is there, and `GET pair` of the
round after the last begins that round (Tournament.games). The names are invented.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from flask import Flask, Response, jsonify, redirect, request

from web.page_server import serve_page
from web.sse import Viewers

# Small tournaments in the files of pairing programs, with invented names; round 2 waits for its results.

OPENGOTHA = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<Tournament dataVersion="201">
<Players>
<Player club="" country="DE" firstName="Ada" name="Example" rank="3K" rating="1800"/>
<Player club="" country="FR" firstName="Ben Émile" name="de Sample" rank="4K" rating="1700"/>
<Player club="" country="JP" firstName="Cleo" name="Model" rank="1D" rating="2100"/>
<Player club="" country="JP" firstName="Dan" name="Pattern" rank="1D" rating="2100"/>
</Players>
<Games>
<Game blackPlayer="EXAMPLEADA" handicap="0" knownColor="true" result="RESULT_UNKNOWN" roundNumber="2" tableNumber="1" \
whitePlayer="DESAMPLEBENÉMILE"/>
<Game blackPlayer="MODELCLEO" handicap="2" knownColor="true" result="RESULT_WHITEWINS" roundNumber="2" tableNumber="2" \
whitePlayer="PATTERNDAN"/>
</Games>
</Tournament>
"""
MACMAHON = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- made by hand -->
<Tournament typeversion="9"><Name>Spring Cup</Name><NumberOfRounds>3</NumberOfRounds>
<IndividualParticipant><Id>1</Id><GoPlayer><FirstName>Ada</FirstName><Surname>Example</Surname>
<GoLevel>3k</GoLevel></GoPlayer></IndividualParticipant>
<IndividualParticipant><Id>2</Id><GoPlayer><FirstName>Ben Émile</FirstName><Surname>de Sample</Surname>
<GoLevel>4k</GoLevel></GoPlayer></IndividualParticipant>
<IndividualParticipant><Id>3</Id><GoPlayer><FirstName>Cleo</FirstName><Surname>Model</Surname></GoPlayer>
</IndividualParticipant>
<TournamentRound><RoundNumber>2</RoundNumber>
<Pairing><Black>1</Black><White>2</White><Handicap>2</Handicap><Result>?-?</Result>
<ResultByReferee>false</ResultByReferee><BoardNumber>1</BoardNumber><PairingWithBye>false</PairingWithBye></Pairing>
<Pairing><Black>3</Black><PairingWithBye>true</PairingWithBye><BoardNumber>2</BoardNumber></Pairing>
</TournamentRound></Tournament>
"""
CSV = """Round;Table;Black;White;Handicap;Komi;Club
2;1;Ada Example;de Sample, Ben Émile;2;0.5;"Go; and more"
2;2;Cleo Model;Dan Pattern;;;
"""


CODES = "?wb=X#0"
ROUNDS = 5
PLAYERS = (("Example", "Ada"), ("Sample", "Ben"), ("Model", "Cleo"), ("Pattern", "Dan"))
Game = dict[str, Any]


class StandIn:
    """games: by round, as `pair` tells them; writes: every result that was put. sesame: None where none is asked for.
    client: pages and interface are programs of their own. before_write: called before a result is written; down: it
    answers nothing but 503. kind: the tournament's type."""

    def __init__(self, sesame: str | None = None, client: bool = False) -> None:
        self.client, self.kind = client, "INDIVIDUAL"
        self.players = [
            {"id": number, "name": name, "firstname": first, "rating": 1500, "rank": -5, "country": "DE", "club": "Xx"}
            for number, (name, first) in enumerate(PLAYERS, 1)
        ]
        self.games: dict[int, list[Game]] = {
            1: [
                {"id": 11, "t": 7, "w": 2, "b": 1, "h": 0, "r": "?", "dd": 0},
                {"id": 12, "t": 8, "w": 4, "b": 3, "h": 2, "r": "?", "dd": 0},
            ]
        }
        self.writes, self.sesame, self.down = list[tuple[int, int, str]](), sesame, False
        self.before_write: Callable[[], None] = lambda: None
        self._cookies = set[str]()
        self._served = serve_page(self._app(), port=0)
        self.address = self._served.url

    def close(self) -> None:
        self._served.close()

    def game(self, number: int) -> Game:
        """The game of this number."""
        return next(game for games in self.games.values() for game in games if game["id"] == number)

    def log_out_all(self) -> None:
        """As a Pairgoth that is started anew: no cookie is worth anything any more."""
        self._cookies.clear()

    def _app(self) -> Flask:
        app = Flask("pairgoth")
        app.extensions["viewers"] = Viewers(1)
        app.before_request(self._checked)

        @app.post("/api/login")
        def log_in() -> Any:
            if self.sesame is None or request.get_json().get("sesame") != self.sesame:
                return _error(400, "authentication failed")
            cookie = secrets.token_hex(8)
            self._cookies.add(cookie)
            answer = jsonify(status="ok")
            answer.set_cookie("JSESSIONID", cookie, path="/", httponly=True)
            return answer

        @app.get("/en/tour")
        def show_page() -> Any:
            cookie = request.cookies.get("JSESSIONID", "")
            return f"<script>\n  const apiToken = '{_bearer(cookie)}';\n  const tour_id = 1;</script>"

        @app.get("/api/tour/1")
        def show_tournament() -> Any:
            rounds = [self.games.get(number, []) for number in range(1, max([ROUNDS, *self.games]) + 1)]
            stats = [{"participants": 4, "paired": 2 * len(games), "games": len(games)} for games in rounds]
            return jsonify(id=1, type=self.kind, rounds=ROUNDS, stats=stats)

        @app.get("/api/tour/1/part")
        def show_players() -> Any:
            return jsonify(self.players)

        @app.get("/api/tour/1/pair/<int:played>")
        def show_pairings(played: int) -> Any:
            if played > max(self.games) + 1:
                return _error(400, "invalid round: previous round has not been played")
            return jsonify(games=self.games.setdefault(played, []), pairables=[], unpairables=[])

        @app.put("/api/tour/1/res/<int:played>")
        def put_result(played: int) -> Any:
            self.before_write()
            body = request.get_json()
            found = [game for game in self.games.get(played, []) if game["id"] == body.get("id")]
            if not found or body.get("result") not in CODES:
                return _error(400, "invalid game id" if not found else "missing result")
            found[0]["r"] = body["result"]
            self.writes.append((played, body["id"], body["result"]))
            return jsonify(success=True)

        return app

    def _checked(self) -> Any:
        if self.down:
            return _error(503, "down")
        if "Accept" not in request.headers:
            return _error(400, "Missing 'Accept' header")
        if request.path.startswith("/api/") and request.headers["Accept"] != "application/json":
            return _error(400, "Invalid 'Accept' header")
        if request.method != "GET" and request.mimetype != "application/json":
            return _error(400, "no content type header")
        if self.sesame is None or request.path == "/api/login":
            return None
        if self.client or not request.path.startswith("/api/"):
            logged_in = request.cookies.get("JSESSIONID") in self._cookies
            return None if logged_in else redirect("/login")
        authorization = request.headers.get("Authorization", "")
        return (
            None if authorization in {f"Bearer {_bearer(cookie)}" for cookie in self._cookies} else Response(status=401)
        )


def _bearer(cookie: str) -> str:
    """The bearer of a session: as Pairgoth's, another word than the cookie."""
    return sha256(cookie.encode()).hexdigest()


def _error(code: int, why: str) -> tuple[Response, int]:
    return jsonify(success=False, error=why), code
