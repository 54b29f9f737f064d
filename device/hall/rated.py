"""Games as rating lists take them: the director's text of the players, and the terms on which games were handed out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from device.hall.event_log import Note, Noted
from device.match.request_fields import Fields
from device.table.match_config import terms_from_request
from referee.game.errors import RefereeError
from referee.game.record import GameRecord
from referee.table.table import TableConfig
from web.hall.tiles import Result

OLD_CHARSET = "iso-8859-15"
"""In which OpenGotha writes such texts."""


def decode_players(data: bytes) -> tuple[str, str]:
    """Return a text and its charset: UTF-8, or OpenGotha's."""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode(OLD_CHARSET), OLD_CHARSET


class HandedTerms:
    """The terms of all games that the hall handed out.

    entries: the hall's journal
    """

    def __init__(self, entries: Iterable[Noted]) -> None:
        acts = (entry.body["act"] for entry in entries if entry.kind is Note.HANDED)
        self._acts: Mapping[tuple[str, ...], Mapping[str, Any]] = {
            tuple(act[one] for one in ("round", "table", "black", "white")): act for act in acts
        }

    def of(self, result: Result) -> GameRecord | None:
        """Return a record of a result's game that has its terms alone; None if the hall does not know them."""
        act = self._acts.get((result.round, result.table, result.black, result.white))
        if act is None:
            return None
        try:
            return terms_from_request(Fields(act), TableConfig()).record()
        except RefereeError:  # Terms that this version does not know.
            return None
