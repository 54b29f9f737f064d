"""The client for a box's director actions: each is signed with the shared secret and a one-time challenge of the
box."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from device.hall.box_connection import LONGEST_EVENT, BoxConnection, Connections, Unreadable
from device.hall.tables import TableEntry
from web.bounded_json import parse_object
from web.hall.contents import LONGEST_TEXT
from web.hall.sentences import BoxSentence, TableUsage, box_sentence
from web.hall_api import ACT, JSON, answer_parts
from web.hmac_auth import CHALLENGE, HALL, SEAL, is_sealed, sign_parts
from web.openapi import Status

LONGEST_STATUS, LONGEST_WORDS = LONGEST_EVENT, 64 * 1024
"""Upper bounds of a status and of every other answer, in bytes."""
_STATUS = msgspec.json.Decoder(Status)
_CHALLENGE = msgspec.json.Decoder(dict[str, str])


class NotReached(Exception):
    """A box that does not answer, or answers with something unreadable."""


@dataclass(frozen=True)
class Answer:
    """A box's answer to an action.

    code: the HTTP status
    text: the message in English
    message: a refusal's key and arguments; None from a box that does not send them
    """

    code: int
    text: str
    message: Mapping[str, object] | None = None

    @property
    def is_done(self) -> bool:
        """Return True if the action was carried out."""
        return self.code == 200

    def sentence(self, usage: TableUsage) -> BoxSentence:
        """Return the message as a sentence of this table."""
        return box_sentence(self.text, self.message, usage)


def status_at(table: TableEntry, connections: Connections) -> Status:
    """Return the table's current status. It is not signed: good for waiting, but not to be stored. Raises
    NotReached."""
    with _open_connection(table, connections) as box:
        return _STATUS.decode(box.exchange("GET", "/status.json", LONGEST_STATUS)[1])


def act_at(table: TableEntry, act: Mapping[str, object], connections: Connections) -> Answer:
    """Carry out an action at a box. Raises NotReached, also for an answer that the box did not sign; it is then
    unknown whether the action took effect."""
    with _open_connection(table, connections) as box:
        word = challenge_of(box)
        body = json.dumps(act)
        headers = {
            CHALLENGE: word,
            SEAL: sign_parts(table.secret, ACT, word, body),
            "Content-Type": JSON,
            "Accept": JSON,
        }
        answer, data = box.exchange("POST", "/hall/acts", LONGEST_WORDS, headers, body.encode())
        if not is_sealed(table.secret, answer.headers.get(SEAL, ""), *answer_parts(word, answer.status, data)):
            raise Unreadable("the answer is not the box's")
    return _parse_answer(answer.status, data)


def _parse_answer(code: int, data: bytes) -> Answer:
    text, body = data.decode("utf-8", "replace").strip(), None if code == 200 else parse_object(data)
    match body:
        case {"text": str(english), "message": dict(encoded_message)}:
            return Answer(code, english.strip()[:LONGEST_TEXT], encoded_message)
    return Answer(code, text[:LONGEST_TEXT])


def challenge_of(box: BoxConnection) -> str:
    """Return a challenge of the box for one request. Raises OSError and Unreadable."""
    try:
        return _CHALLENGE.decode(box.exchange("GET", "/hall/challenge", LONGEST_WORDS)[1])["challenge"]
    except (msgspec.DecodeError, KeyError) as error:
        raise Unreadable("the box gives no challenge") from error


def signed_headers(box: BoxConnection, secret: str, what: str, nonce: str) -> dict[str, str]:
    """Return the headers of a request for this, whose answer the box signs over the nonce. Raises as `challenge_of`."""
    challenge = challenge_of(box)
    return {HALL: nonce, CHALLENGE: challenge, SEAL: sign_parts(secret, what, challenge, nonce)}


@contextmanager
def _open_connection(table: TableEntry, connections: Connections) -> Iterator[BoxConnection]:
    """Yield a connection to the table's box; raise NotReached for whatever goes wrong with it."""
    try:
        with connections.to(table) as box:
            yield box
    except (OSError, Unreadable, msgspec.DecodeError, ValueError) as error:
        raise NotReached from error
