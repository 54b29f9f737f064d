"""The box's API for the hall, authenticated with the secret that both share (web/hmac_auth.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from flask import Flask, Response, abort, request

from referee import Message, message_to_json
from web.backend import DirectorBackend
from web.hmac_auth import CHALLENGE, HALL, SEAL, Challenges, is_sealed, sign_parts
from web.language import ENGLISH, Translator
from web.responses import as_json, error_response, text_response
from web.server.fair_server import ReservedAddresses, address_of
from web.sse import COMMENT

HOME = "/hall"
ACTS = f"{HOME}/acts"
JSON = "application/json"
ACT, ANSWER, EVENTS, RECORD = "act", "answer", "events", "record"
"""The signed part that tells what is signed."""


def add_hall(app: Flask, director: DirectorBackend, reserved: ReservedAddresses, act: Callable[[], Response]) -> None:
    """Add the hall's routes.

    director: the director's backend.
    reserved: addresses with reserved connections; the hall's is added.
    act: carries out the action in the request, and answers as the desk does.
    """
    challenges = challenges_of(app)

    @app.get(f"{HOME}/challenge")
    def show_challenge() -> Response:
        return as_json({"challenge": challenges.new()})

    @app.post(ACTS)
    def act_for_hall() -> Response:
        challenge, signature = request.headers.get(CHALLENGE, ""), request.headers.get(SEAL, "")
        is_known = is_sealed(director.hall(), signature, ACT, challenge, request.get_data())
        if not is_known or not challenges.use_up(challenge):
            return error_response("http.not-the-hall", 403)
        reserved.add(address_of(request.remote_addr))
        answer = act()
        answer.headers[SEAL] = sign_parts(
            director.hall(), *answer_parts(challenge, answer.status_code, answer.get_data())
        )
        return answer


def refusal_response(refusal: Message, say: Translator, code: int) -> Response:
    """Return a refusal as a sentence; to a hall that asks for JSON in English, with its key and arguments beside it."""
    if request.path != ACTS or JSON not in request.accept_mimetypes.values():
        return text_response(say.sentence(refusal), code)
    return as_json({"text": ENGLISH.sentence(refusal), "message": message_to_json(refusal)}, code)


def answer_parts(challenge: str, code: int, body: bytes) -> tuple[str | bytes, ...]:
    """Return the signed parts of the answer to an action that was signed over this challenge."""
    return ANSWER, challenge, str(code), body


def record_seal(app: Flask, director: DirectorBackend | None, record: bytes) -> dict[str, str]:
    """Return the header that signs a record for the hall; none if the client is not the hall."""
    hall = _asking_hall(app, director, RECORD)
    return {} if hall is None else {SEAL: sign_parts(hall.secret, hall.nonce, RECORD, sha256(record).hexdigest())}


def find_stream_signer(
    app: Flask, director: DirectorBackend | None, reserved: ReservedAddresses
) -> Callable[[Iterator[str]], Iterator[str]] | None:
    """Return the function that signs the requested stream, None if the client is not the hall.

    The hall's connections are reserved.
    """
    hall = _asking_hall(app, director, EVENTS)
    if hall is None:
        return None
    reserved.add(address_of(request.remote_addr))
    return lambda events: sign_events(events, hall.secret, hall.nonce)


def challenges_of(app: Flask) -> Challenges:
    """Return the challenges of this page."""
    challenges = app.extensions.setdefault("challenges", Challenges(time.monotonic))
    assert isinstance(challenges, Challenges)
    return challenges


@dataclass(frozen=True)
class _Hall:
    """The hall that asks: the secret that box and hall share, and its nonce."""

    secret: str
    nonce: str


def _asking_hall(app: Flask, director: DirectorBackend | None, what: str) -> _Hall | None:
    """Return the hall if it asks for this in the current request, None for anybody else; refuse an overheard request
    that is sent again."""
    nonce, challenge = request.headers.get(HALL), request.headers.get(CHALLENGE, "")
    secret = director.hall() if director is not None and nonce is not None else ""
    if nonce is None or not is_sealed(secret, request.headers.get(SEAL, ""), what, challenge, nonce):
        return None
    if not challenges_of(app).use_up(challenge):
        abort(error_response("http.not-the-hall", 403))
    return _Hall(secret, nonce)


def sign_events(events: Iterator[str], secret: str, nonce: str) -> Iterator[str]:
    """Yield each event with its signature over the event, its number in this stream, and the hall's nonce."""
    for number, event in enumerate(one.removeprefix(COMMENT) for one in events):
        yield f"{event.removesuffix(chr(10))}seal: {sign_parts(secret, nonce, str(number), event)}\n\n"
