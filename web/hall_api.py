"""The box's API for the hall, authenticated with the secret that both share (web/hmac_auth.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from hashlib import sha256

from flask import Flask, Response, request

from web.backend import DirectorBackend
from web.hmac_auth import CHALLENGE, HALL, SEAL, Challenges, is_sealed, seal
from web.responses import as_json, error_response
from web.server.fair_server import ReservedAddresses, address_of
from web.sse import COMMENT

HOME, RECORD = "/hall", "record"
"""The path of the hall's routes, and the signed part that marks a record."""


def add_hall(app: Flask, director: DirectorBackend, kept: ReservedAddresses, act: Callable[[], Response]) -> None:
    """Add the hall's routes.

    director: the director's backend.
    kept: addresses with reserved connections; the hall's is added.
    act: carries out the action in the request, and answers as the desk does.
    """
    challenges = Challenges(time.monotonic)

    @app.get(f"{HOME}/challenge")
    def show_challenge() -> Response:
        return as_json({"challenge": challenges.new()})

    @app.post(f"{HOME}/acts")
    def act_for_hall() -> Response:
        challenge, said = request.headers.get(CHALLENGE, ""), request.headers.get(SEAL, "")
        body = request.get_data().decode("utf-8", "surrogateescape")
        known = is_sealed(director.hall(), said, "act", challenge, body)
        if not challenges.use_up(challenge) or not known:
            return error_response("http.not-the-hall", 403)
        kept.add(address_of(request.remote_addr))
        return act()


def record_seal(director: DirectorBackend | None, record: bytes) -> dict[str, str]:
    """Return the header that signs a record for the hall; none if the client is not the hall."""
    asked, said = request.headers.get(HALL), request.headers.get(SEAL, "")
    secret = director.hall() if director is not None and asked is not None else ""
    if asked is None or not is_sealed(secret, said, RECORD, asked):
        return {}
    return {SEAL: seal(secret, asked, RECORD, sha256(record).hexdigest())}


def follows_sealed(
    director: DirectorBackend | None, kept: ReservedAddresses
) -> Callable[[Iterator[str]], Iterator[str]] | None:
    """Return the function that signs the requested stream, None if the client is not the hall.

    The hall's connections are reserved.
    """
    asked, said = request.headers.get(HALL), request.headers.get(SEAL, "")
    secret = director.hall() if director is not None and asked is not None else ""
    if asked is None or not is_sealed(secret, said, "events", asked):
        return None
    kept.add(address_of(request.remote_addr))
    return lambda events: sealed(events, secret, asked)


def sealed(events: Iterator[str], secret: str, asked: str) -> Iterator[str]:
    """Yield each event with its signature over the event, its number in this stream, and the hall's nonce."""
    for number, event in enumerate(one.removeprefix(COMMENT) for one in events):
        yield f"{event.removesuffix(chr(10))}seal: {seal(secret, asked, str(number), event)}\n\n"
