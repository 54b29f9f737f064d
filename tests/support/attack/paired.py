"""A box of the hall's list that knows its secret, and says whatever it is told to say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Flask, Response, request

from tests.support.web import snapshots
from tests.support.web.snapshots import take_snapshot
from web.hall_api import answer_parts, sign_events
from web.hmac_auth import CHALLENGE, HALL, SEAL, new_secret, sign_parts
from web.page.status import status_of
from web.page_server import serve_page

LOOK_UP, TRICKLES = 0.1, 0.5
"""Seconds between two looks for something to say, and between two bytes where it trickles."""
FREE = {"turn": 0, "ended": False, "result": None, "clocks": None}
"""The status of a table at which no match runs."""
StatusBody = Mapping[str, Any]


def usual(box: str, **changes: Any) -> dict[str, Any]:
    """The status of a table at which a game is being played, with what is changed in it."""
    return {**json.loads(json.dumps(status_of(take_snapshot(snapshots.ultimate_game()), box))), **changes}


class PairedBox:
    """Such a box, served until it is closed.

    said: what it streams; more can be put there.
    trickles: it answers for its status with a byte now and then; asked: it was asked for it.
    acts: what the hall did.
    floods: what it streams without end, by how often it has said something, once it has said what was put there.
    """

    def __init__(self, table: str, number: int = 1) -> None:
        self.table, self.box, self.secret = table, f"{number:064x}", new_secret()
        self.said, self._changed, self._over = list[StatusBody](), threading.Condition(), False
        self.app = Flask("web")
        self.trickles, self.asked, self.acts = False, threading.Event(), list[StatusBody]()
        self.floods: Callable[[int], StatusBody] | None = None
        self._flood_count = 0
        self.app.get("/hall/challenge", endpoint="challenge")(lambda: {"challenge": new_secret()})
        self.app.get("/status.json", endpoint="status")(self._status)
        self.app.get("/events")(self._events)
        self.app.post("/hall/acts")(self._act)
        self._served = serve_page(self.app, port=0)
        self.url = self._served.url

    @property
    def newest(self) -> StatusBody:
        """The newest status that it sent."""
        return self.said[-1] if self.said else usual(self.box)

    @property
    def line(self) -> dict[str, str]:
        """Its lines in the list of tables."""
        return {"table": self.table, "address": self.url, "box": self.box, "secret": self.secret}

    def say(self, **changes: Any) -> None:
        """Stream the usual status with these changes, to the hall that is there and to the next."""
        with self._changed:
            self.said.append(usual(self.box, **{"table": self.table, "number": len(self.said) + 1, **changes}))
            self._changed.notify_all()

    def close(self) -> None:
        """End it."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._served.close()

    def _status(self) -> Response:
        """Answer with the newest status; where it trickles, with blanks before it that do not end."""
        self.asked.set()
        return Response(self._blanks() if self.trickles else json.dumps(self.newest), mimetype="application/json")

    def _blanks(self) -> Iterator[str]:
        while not self._over:
            yield " "
            with self._changed:
                self._changed.wait(TRICKLES)

    def _act(self) -> Response:
        """Take every act, and sign the answer."""
        self.acts.append(json.loads(request.get_data()))
        answer = Response("taken")
        parts = answer_parts(request.headers[CHALLENGE], 200, answer.get_data())
        answer.headers[SEAL] = sign_parts(self.secret, *parts)
        return answer

    def _events(self) -> Response:
        hall_nonce = request.headers.get(HALL, "")
        return Response(sign_events(self._statuses(), self.secret, hall_nonce), mimetype="text/event-stream")

    def _statuses(self) -> Iterator[str]:
        at = max(len(self.said) - 1, 0)
        while not self._over:
            with self._changed:
                fresh = self.said[at:]
                if not fresh and self.floods is None:
                    self._changed.wait(LOOK_UP)
            at += len(fresh)
            if not fresh and self.floods is not None:
                self._flood_count += 1
                fresh = [self.floods(self._flood_count)]
            yield from (f"event: status\ndata: {json.dumps(one)}\n\n" for one in fresh)


ODD: dict[str, Callable[[dict[str, Any]], object]] = {
    "no rows": lambda said: said.update(rows=[]),
    "empty rows": lambda said: said.update(rows=[""] * 9),
    "one row": lambda said: said.update(rows=["." * 9]),
    "rows of different lengths": lambda said: said["rows"].append("."),
    "a board of a thousand lines": lambda said: said.update(rows=["." * 1000] * 1000),
    "an odd letter": lambda said: said["rows"].__setitem__(0, "Q" + said["rows"][0][1:]),
    "a mark of HTML": lambda said: said["rows"].__setitem__(0, "<" + said["rows"][0][1:]),
    "rows that are numbers": lambda said: said.update(rows=[1] * 9),
    "a last move beside the board": lambda said: said.update(last_move="Z25"),
    "a last move without a letter": lambda said: said.update(last_move="I5"),
    "an empty last move": lambda said: said.update(last_move=""),
    "a last move at row none": lambda said: said.update(last_move="A0"),
    "no player": lambda said: said.update(players=[]),
    "a player with no name": lambda said: said.update(players=[None, "Ben"]),
    "seven players": lambda said: said.update(players=["Ada"] * 7),
    "a name of a million letters": lambda said: said.update(players=["A" * 100_000, "Ben"]),
    "half a letter": lambda said: said.update(players=["\ud800", "Ben"]),
    "clocks of nobody": lambda said: said.update(clocks=_clocks(said, "Q")),
    "a time without end": lambda said: said.update(clocks=_clocks(said, "B", main=10**400)),
    "a time below none": lambda said: said.update(clocks=_clocks(said, "B", main=-1)),
    "a turn that is text": lambda said: said.update(turn="5"),
    "a turn without end": lambda said: said.update(turn=10**400),
    "a result of nobody": lambda said: said.update(result={"Q": 5}, phase="final"),
    "a result without end": lambda said: said.update(result={"B": 10**400}, phase="final"),
    "a result of nothing": lambda said: said.update(result=[], phase="final"),
    "no phase": lambda said: said.pop("phase"),
    "turns without end": lambda said: said.update(moves=[{"number": 1, "player": "B", "text": ""}] * 10_000),
    "rulings of nothing": lambda said: said.update(rulings=[{}]),
}
"""Odd changes of a status, by name."""


def _clocks(message: Mapping[str, Any], letter: str, **changes: Any) -> dict[str, Any]:
    face = {"time": "1:00", "text": "", "main": 60_000, "period": 0, "periods": 0, "stones": 0, "bought": 0}
    face |= {"points": 0, "spent": 0, "overtime": False, "fallen": False, "running": True, **changes}
    begun = {"control": "30m", "t": 1.0, "begun": True, "halted": False, "called": False, "restored": False}
    return {**begun, "ready": [], "absent": [], "fallen": [], "players": {letter: face}}


def odd(kind: str, box: str) -> dict[str, Any]:
    """A status in which this is odd."""
    message = usual(box)
    ODD[kind](message)
    return message
