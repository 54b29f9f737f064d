"""The client for a box's director actions: each is signed with the shared secret and a one-time challenge of the
box."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException

import msgspec

from device.hall.tables import TableEntry
from web.hmac_auth import CHALLENGE, SEAL, seal
from web.openapi import Status

PATIENCE = 5.0
"""Seconds to wait for each answer of a box."""
MOST = 4 * 1024 * 1024
"""Upper bound of an answer in bytes; no box sends as much."""
_STATUS = msgspec.json.Decoder(Status)
_CHALLENGE = msgspec.json.Decoder(dict[str, str])


class NotReached(Exception):
    """A box that does not answer, or answers with something unreadable."""


@dataclass(frozen=True)
class Answer:
    """A box's answer to an action.

    code: the HTTP status
    text: the message in English
    """

    code: int
    text: str

    @property
    def done(self) -> bool:
        """Return True if the action was carried out."""
        return self.code == 200


def status_at(table: TableEntry) -> Status:
    """Return the table's current status. It is not signed: good for waiting, but not to be stored. Raises
    NotReached."""
    try:
        with closing(HTTPConnection(*table.listens, timeout=PATIENCE)) as box:
            return _STATUS.decode(_asked(box, "GET", "/status.json", b"", {})[1])
    except (OSError, HTTPException, msgspec.DecodeError, ValueError) as error:
        raise NotReached from error


def act_at(table: TableEntry, act: Mapping[str, object]) -> Answer:
    """Carry out an action at a box. Raises NotReached; it is then unknown whether the action took effect."""
    try:
        with closing(HTTPConnection(*table.listens, timeout=PATIENCE)) as box:
            word = _CHALLENGE.decode(_asked(box, "GET", "/hall/challenge", b"", {})[1])["challenge"]
            body = json.dumps(act)
            headers = {CHALLENGE: word, SEAL: seal(table.secret, "act", word, body), "Content-Type": "application/json"}
            code, said = _asked(box, "POST", "/hall/acts", body.encode(), headers)
    except (OSError, HTTPException, msgspec.DecodeError, KeyError, ValueError) as error:
        raise NotReached from error
    return Answer(code, said.decode("utf-8", "replace").strip())


def _asked(box: HTTPConnection, verb: str, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
    box.request(verb, path, body or None, dict(headers))
    answer = box.getresponse()
    return answer.status, answer.read(MOST)
