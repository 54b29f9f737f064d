"""The removal of a person's name while the box runs: looked for first, then removed on a director's word.

Both are done by the background worker, because every journal with the name is replayed: a director asks how far it is.
The name is in memory from the look until it is removed, and in no journal and no log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Thread

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
from device.journal.replay import Folder
from device.match.request_fields import Fields
from device.table.controller import TableController
from device.table.event_loop import EventLoop
from device.table.worker import BackgroundWorker, Lane
from referee.game.errors import RefereeError
from referee.game.messages import message
from referee.table.display_state import TableSnapshot
from web.backend import NameRemoval
from web.errors import BadAct

log = logging.getLogger("shinpan")
WITHIN_S = 3600.0
"""Time limit for looking for a name, and for removing it."""


class NameRemover:
    """The remover of one name after another.

    worker: looks and removes.
    folders: the folders in which the box keeps games, its own first.
    event_loop: the table's.
    """

    def __init__(self, worker: BackgroundWorker, folders: Sequence[Path], event_loop: EventLoop) -> None:
        self._worker, self._folders, self._event_loop = worker, folders, event_loop
        self._progress = RemovalProgress()

    def ask(self, body: Mapping[str, object]) -> NameRemoval:
        """Begin the act in the body, if there is one, and return how far it is.

        Raises BadAct if the act is impossible, or the match at the table has the name.
        """
        try:
            return self._begin_act(Fields(body)) if body else self._progress.state
        except RefereeError as error:
            raise BadAct(*error.args) from error

    def _begin_act(self, fields: Fields) -> NameRemoval:
        act, text = fields.take_one_of("act", [FIND, REMOVE]), fields.take_text("name", LONGEST_NAME)
        fields.check_done()
        name, removes = Name(text), act == REMOVE
        playing = self._event_loop.run_on_owner(lambda box: _journal_without(box, name))
        begun_removal = self._progress.begin(text, removes)
        work = partial(remove_name if removes else find_name, name)
        Thread(target=self._run, args=(work, playing), name="name", daemon=True).start()
        return begun_removal

    def _run(self, work: Callable[..., RemovalResult], playing: Path | None) -> None:
        task_state = self._progress.state
        try:
            task = partial(_run_in_folders, work, self._folders, playing)
            outcome = self._worker.run(Lane.NAME, task, self._folders[0], WITHIN_S)
        except Exception:
            log.exception("This is a fault in shinpan: a name could not be looked for or removed.")
            outcome = RemovalResult(left=[message("forget.failed")])
        if task_state.is_removed:
            self._event_loop.run_on_owner(TableController.read_results)
        self._progress.finish(outcome)


def _run_in_folders(
    work: Callable[..., RemovalResult], folders: Sequence[Path], playing: Path | None, own: Path
) -> RemovalResult:
    """Look or remove, in the worker's process. own: the box's folder, whose key signs."""
    return work(folders, Folder(own).identity, playing)


def _journal_without(box: TableController, name: Name) -> Path | None:
    """Return the journal of the match at the table; raise BadAct if its players or its event have the name."""
    if any(map(name.is_in, _texts_of(box.snapshot))):
        raise BadAct(message("forget.at-table"))
    return box.journal


def _texts_of(snapshot: TableSnapshot) -> Sequence[str]:
    return (*snapshot.names, *map(str, snapshot.game_info.to_json().values()))
