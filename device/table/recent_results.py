"""The latest agreed results of a table, kept beyond their matches for clients that connect after the board is
cleared."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from device.files import write_whole
from referee.game.errors import RefereeError
from referee.game.game_info import GameInfo
from referee.game.messages import Message, said_by
from referee.umpire.table_state import Final, TableSnapshot

FILE = "finals.json"
MOST = 8
log = logging.getLogger("shinpan")


class Finals:
    """The results in a folder, oldest first, one per match; unreadable ones are ignored."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._kept, self._written = _read(self._path), True

    def keep(self, shown: TableSnapshot) -> Message | None:
        """Store the result of a final match, replacing the same match's earlier one.

        Returns the reason if it cannot be written; it is then kept until the box ends.
        """
        one = Final(shown.match, shown.game.result or "", shown.names, shown.occasion, shown.seal)
        if one not in self._kept:
            self._kept, self._written = (*self.but(one.game), one)[-MOST:], False
        try:
            if not self._written:
                write_whole(self._path, json.dumps([asdict(kept) for kept in self._kept]).encode())
        except RefereeError as error:
            return said_by(error)
        self._written = True
        return None

    def but(self, game: str) -> tuple[Final, ...]:
        """Return all results but that of this match."""
        return tuple(one for one in self._kept if one.game != game)


def _read(path: Path) -> tuple[Final, ...]:
    try:
        return tuple(_final(one) for one in json.loads(path.read_bytes()))[-MOST:]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        log.warning("%s: the results of earlier matches cannot be read (%s).", path, error)
        return ()


def _final(body: Mapping[str, Any]) -> Final:
    names = tuple(str(name) for name in body["names"])
    return Final(str(body["game"]), str(body["result"]), names, GameInfo.from_json(body["occasion"]), str(body["seal"]))
