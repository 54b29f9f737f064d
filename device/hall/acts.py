"""What the hall does at a box: sealed with the secret that both know, each act with a word of the box's for once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException

import msgspec

from device.hall.tables import Paired
from web.openapi import Status
from web.sealing import CHALLENGE, SEAL, seal

PATIENCE = 5.0
"""Seconds that a box has for each answer."""
MOST = 4 * 1024 * 1024
"""Bytes of an answer that no box gives."""
_STATUS = msgspec.json.Decoder(Status)
_CHALLENGE = msgspec.json.Decoder(dict[str, str])


class NotReached(Exception):
    """The box does not answer, or not as a box does."""


@dataclass(frozen=True)
class Answer:
    """What a box says upon an act. code: of HTTP. text: what it says then, in English."""

    code: int
    text: str

    @property
    def done(self) -> bool:
        """Whether it has been done."""
        return self.code == 200


def status_at(table: Paired) -> Status:
    """How the table stands now. It is not sealed: good to wait by, and no news to keep. Raises NotReached."""
    try:
        with closing(HTTPConnection(*table.listens, timeout=PATIENCE)) as box:
            return _STATUS.decode(_asked(box, "GET", "/status.json", b"", {})[1])
    except (OSError, HTTPException, msgspec.DecodeError, ValueError) as error:
        raise NotReached from error


def act_at(table: Paired, act: Mapping[str, object]) -> Answer:
    """Do what stands in the act; raises NotReached, and nobody knows then whether it has been done."""
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
