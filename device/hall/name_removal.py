"""The removal of a person's name from a hall's folder, on a director's word.

The running hall has names in its tiles, its results and its news, and each box may say its own again. So a name is
removed only when no box says it any more, and while no hall is open: the hall ends, its files lose the name, and it
begins again from them. That takes a second; the boxes go on by themselves meanwhile.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Event, Thread

from device.files import lock_folder
from device.journal.removal import (
    FIND,
    LONGEST_NAME,
    REMOVE,
    Name,
    RemovalProgress,
    RemovalResult,
    find_name,
    remove_name,
)
from device.match.request_fields import Fields
from referee.game.errors import RefereeError
from referee.game.messages import Message, message
from web.backend import NameRemoval
from web.errors import BadAct
from web.hall.tiles import Tile
from web.openapi import Status

log = logging.getLogger("shinpan")


class HallNameRemover:
    """The remover of one name after another from this folder; it outlasts each hall that runs there.

    is_due: set while a name waits for the hall to end
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._progress, self.is_due = folder, RemovalProgress(), Event()

    def ask(self, tiles: Callable[[], Iterable[Tile]], body: Mapping[str, object]) -> NameRemoval:
        """Begin the act in the body, if there is one, and return how far it is.

        tiles: returns those of the running hall

        Raises BadAct if the act is impossible, or a box still says the name.
        """
        try:
            return self._begin_act(Fields(body), tiles()) if body else self._progress.state
        except RefereeError as error:
            raise BadAct(*error.args) from error

    def remove(self) -> None:
        """Remove the name that is due, while no hall runs."""
        text = self._progress.state.name
        try:
            with lock_folder(self._folder, "hall", "as `folder` in the list of tables"):
                result = remove_name(Name(text), [self._folder], None)
        except Exception as error:
            result = _describe_failure(error)
        self._progress.finish(result)
        self.is_due.clear()

    def _begin_act(self, fields: Fields, tiles: Iterable[Tile]) -> NameRemoval:
        act, text = fields.take_one_of("act", [FIND, REMOVE]), fields.take_text("name", LONGEST_NAME)
        fields.check_done()
        name, removes = Name(text), act == REMOVE
        warnings = _check_boxes(name, tiles)
        begun_removal = self._progress.begin(text, removes)
        if removes:
            self.is_due.set()
        else:
            Thread(target=self._find_name, args=(name, warnings), name="name", daemon=True).start()
        return begun_removal

    def _find_name(self, name: Name, warnings: tuple[Message, ...]) -> None:
        try:
            result = find_name(name, [self._folder], None)
        except Exception as error:
            result = _describe_failure(error)
        self._progress.finish(result, warnings)


def _describe_failure(error: Exception) -> RemovalResult:
    log.error("This is a fault in shinpan: a name could not be looked for or removed.", exc_info=error)
    return RemovalResult(left=[message("forget.failed")])


def _check_boxes(name: Name, tiles: Iterable[Tile]) -> tuple[Message, ...]:
    """Raise BadAct if a box says the name; return a sentence about the boxes that are not heard, if there are any."""
    by_table = {one.table: one for one in tiles}
    saying = [table for table, one in by_table.items() if one.status is not None and _has_name(one.status, name)]
    if saying:
        raise BadAct(message("forget.at-boxes", tables=", ".join(saying)))
    silent = [table for table, one in by_table.items() if one.status is None or one.trouble is not None]
    return (message("forget.silent-boxes", tables=", ".join(silent)),) if silent else ()


def _has_name(status: Status, name: Name) -> bool:
    return name.is_in(json.dumps(status, ensure_ascii=False))
