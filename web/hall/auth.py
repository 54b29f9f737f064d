"""The login of helpers and directors at the hall: each with a PIN and a name."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from flask import Flask, Response, request

from web.auth import LASTS, Guard, Memory, Refused, Session, is_token
from web.connections import reserved_addresses_of
from web.director.views import TOKEN
from web.responses import as_json, error_response, is_from_own_page, sent_object
from web.server.fair_server import HERE

HELPER, DIRECTOR = "hall", "hall-director"
"""The roles, by their session cookies."""
LONGEST_NAME = 40


@dataclass(frozen=True)
class Keys:
    """The PIN check of a role.

    pin: returns True for the role's PIN
    stamp: a value that changes with the PIN
    """

    pin: Callable[[str], bool]
    stamp: Callable[[], str | None]


@dataclass(frozen=True)
class Logins:
    """The logins of a hall, which outlast its pages.

    states: of each role's guard
    names: of the people, by their session
    """

    states: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def memory(self, role: str) -> Memory:
        """Return the memory of a role's guard."""
        return Memory(self.states.get(role, ""), partial(self.states.__setitem__, role))


class Door:
    """The sessions of helpers and directors; a director has a helper's rights too.

    director: None if nobody directs
    """

    def __init__(self, app: Flask, helper: Keys, director: Keys | None, logins: Logins) -> None:
        reserved, keys = reserved_addresses_of(app), {HELPER: helper, DIRECTOR: director}
        self._guards = {
            role: Guard(one.pin, one.stamp, time.monotonic, reserved, logins.memory(role))
            for role, one in keys.items()
            if one is not None
        }
        self._names = logins.names
        app.post("/session", endpoint="come_in")(self._come_in)

    def token(self, role: str = HELPER) -> str:
        """Return the token that the client's acts have to carry; empty if they may not act in this role."""
        return next((session.token for session in self._open_sessions(role)), "")

    def acting(self, role: str = HELPER) -> str | None:
        """Return the name and address of the client, None unless from our own page, in a session, with its token."""
        if not is_from_own_page():
            return None
        token = request.headers.get(TOKEN)
        session = next((one for one in self._open_sessions(role) if is_token(one, token)), None)
        return f"{self._names.get(session.name, '?')} ({request.remote_addr})" if session is not None else None

    def _open_sessions(self, role: str) -> list[Session]:
        roles = (HELPER, DIRECTOR) if role == HELPER else (role,)
        sessions = (self._guards[one].session(request.cookies.get(one)) for one in roles if one in self._guards)
        return [one for one in sessions if one is not None]

    def _come_in(self) -> Response:
        body = sent_object() or {}
        pin, name = str(body.get("pin", "")), str(body.get("name", "")).strip()[:LONGEST_NAME]
        role = DIRECTOR if body.get("role") == "director" and DIRECTOR in self._guards else HELPER
        if not is_from_own_page() or not name.isprintable() or not name:
            return error_response("hall.who", 400)
        try:
            session = self._guards[role].enter(pin, request.remote_addr, request.environ.get(HERE, ""))
        except Refused as error:
            return error_response("pin.later", 429) if error.late else error_response("pin.wrong", 403)
        self._names[session.name] = name
        answer = as_json({"token": session.token})
        answer.set_cookie(role, session.name, max_age=int(LASTS), httponly=True, samesite="Strict")
        return answer
