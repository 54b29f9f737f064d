"""The results to enter into the pairing program: every final result until the program has been read back with it.

There is no separate list: open results are computed from the hall's journal and the program's current state, so that
nothing is lost or entered twice whenever the hall is killed. What a person has entered, changed or deleted is left
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Any, cast

from device.file_errors import reason_for
from device.files import is_stored, read_stored
from device.hall.event_log import EventLogError, HallEventLog, Note, Noted
from device.hall.pairing import (
    BadProgram,
    Entered,
    Game,
    Pairing,
    Program,
    ended_of,
    find_contested,
    match_result,
    pairing_of,
)
from device.hall.standings import NOTHING, standings_of
from device.threads import leave, start_supervised_thread
from referee.game.count_result import result_text
from referee.game.errors import RefereeError
from referee.game.messages import Message, error_message, message
from web.hall.contents import check_board
from web.hall.tiles import Entering, LastBoard, Outcome, Result

OFTEN, SELDOM = 15.0, 60.0
"""Seconds before the program is asked again while a result is open, and for the standings alone."""
WATCHED = 0.5
"""Seconds between two looks at the time, the size and the place of a tournament's file."""


@dataclass(frozen=True)
class Final:
    """A result from the journal.

    entry: its entry
    newest: the box has reported no later result of the same game
    is_entered: the program has been read with it
    """

    entry: Noted
    newest: bool
    is_entered: bool

    @property
    def result(self) -> Result:
        """Return the result for the page."""
        return _read_result(self.entry)


class Outbox:
    """A thread that enters results until it is closed.

    book: the hall's journal
    program: the pairing program, None if there is none
    wall: returns the Unix time in seconds
    standings: by the program as it was asked last
    """

    def __init__(self, event_log: HallEventLog, program: Program | None, wall: Callable[[], float]) -> None:
        self._event_log, self._program, self._wall = event_log, program, wall
        self._dirty, self._over, self.why = Event(), Event(), cast("Message | None", None)
        self.standings, self._pulled, self._pulled_at = NOTHING, tuple[Pairing, ...](), -SELDOM
        self._asking_lock, self._last_entering = Lock(), cast("Entering | None", None)
        self._writing_lock = Lock()
        self._dirty.set()
        self._thread = start_supervised_thread("outbox", self._run) if program is not None else None

    def close(self) -> None:
        """Stop entering results; open ones stay open."""
        self._over.set()
        self._dirty.set()
        if self._thread is not None:
            leave([self._thread])

    def handle(self) -> None:
        """Wake the thread, because a result has become final or another, and stands in the journal."""
        self._dirty.set()

    def entering(self) -> Entering:
        """Return all results, with the program's current state; while it is being asked, with the state before.

        Anybody may ask, and the program may be slow: only the first waits for it.
        """
        if not self._asking_lock.acquire(blocking=self._last_entering is None):
            assert self._last_entering is not None
            return self._last_entering
        try:
            self._last_entering = self._ask_program()
            return self._last_entering
        finally:
            self._asking_lock.release()

    def _ask_program(self) -> Entering:
        finals = list(_finals_of(self._event_log.entries))
        waits = tuple((_read_result(one), Outcome.UNKEPT) for one in self._event_log.waiting if one.kind is Note.RESULT)
        if self._program is None:
            return Entering((*((one.result, Outcome.NO_FILE) for one in finals), *waits))
        results_file, name = self._program.made, self._program.name
        try:
            decisions, data, unwritten = self._decide_outcomes(self._program, finals)
        except BadProgram as error:
            outcomes = tuple((one.result, Outcome.BAD_FILE) for one in finals)
            return Entering((*outcomes, *waits), name, why=error_message(error))
        outcomes = tuple(
            (one.result, what if isinstance(what, Outcome) else Outcome.ENTERED) for one, what in decisions
        )
        return Entering(
            (*outcomes, *waits), name, data, "" if results_file is None else results_file.name, unwritten or self.why
        )

    def _decide_outcomes(
        self, program: Program, finals: list[Final]
    ) -> tuple[list[tuple[Final, Entered | Outcome]], bytes, Message | None]:
        """Return what to do with each result, the file that says so, and why it could not be written.

        A file that is there says so before anybody reads it on the page: until then a person could merge one with a
        result that they have just decided otherwise.
        """
        if program.made is None:
            return decide_results(finals, self._pull_pairings(program), program.has_forfeits), b"", None
        with self._writing_lock:
            decisions = decide_results(finals, self._pull_pairings(program), program.has_forfeits)
            entries, unwritten = _entries_to_push(decisions), cast("Message | None", None)
            data = program.render_results(entries)
            if _results_file(program) is not None and _is_due(program, entries):
                try:
                    program.push(entries)
                except RefereeError as error:
                    unwritten = self._describe_failure(program, error)
            return decisions, data, unwritten

    def results(self) -> list[Result]:
        """Return the newest result of every game."""
        return [one.result for one in _finals_of(self._event_log.entries) if one.newest]

    def last_board(self, number: int) -> LastBoard | None:
        """Return the last position of the result with this number, None if it has none that can be drawn."""
        entry = next((one for one in self._event_log.entries if one.number == number and one.kind is Note.RESULT), None)
        return _last_board(entry) if entry is not None else None

    # Internals

    def _run(self) -> None:
        stamp: tuple[int, ...] | None = None
        while not self._over.is_set():
            self._wait_for_work(stamp)
            self._dirty.clear()
            stamp = _file_stamp(self._program)  # Before it is read: what is saved meanwhile is read again.
            if not self._over.is_set():
                self._sync_program()

    def _wait_for_work(self, stamp: tuple[int, ...] | None) -> None:
        """Wait until something is to be entered, the tournament's file is another than with this stamp, or long."""
        for _ in range(round(OFTEN / WATCHED) if stamp is not None else 1):
            if self._dirty.wait(WATCHED if stamp is not None else OFTEN) or _file_stamp(self._program) != stamp:
                return

    def _sync_program(self) -> None:
        """Push open results, and record those that the program is read back with."""
        assert self._program is not None
        try:
            # Entering over a network takes long, and no page waits for it; a file is written by one thread at a time.
            with self._writing_lock if self._program.made is not None else nullcontext():
                entries = _entries_to_push(self._settle_results(self._program))
                if _is_due(self._program, entries):
                    self._program.push(entries)
                    self._settle_results(self._program)
            if abs(self._wall() - self._pulled_at) >= SELDOM:
                self._pull_pairings(self._program)
            self.why = None
        except RefereeError as error:
            self.why = self._describe_failure(self._program, error)

    def _describe_failure(self, program: Program, error: RefereeError) -> Message:
        """Return why results could not be entered."""
        if isinstance(error, EventLogError):
            return message("hall.unkept", folder=str(self._event_log.folder))
        cause = error.__cause__
        if program.made is not None and isinstance(cause, OSError) and not isinstance(error, BadProgram):
            return message("hall.unwritable", file=str(program.made), why=reason_for(cause))
        return error_message(error)

    def _pull_pairings(self, program: Program) -> tuple[Pairing, ...]:
        """Return the program's tables, and count the standings anew where they have changed."""
        pulled, self._pulled_at = program.pull(), self._wall()
        if pulled != self._pulled:
            self._pulled, self.standings = pulled, standings_of(pulled)
        return pulled

    def _settle_results(self, program: Program) -> list[tuple[Final, Entered | Outcome]]:
        """Return the state of each result, and record those that the program now has; empty if nothing can be due."""
        finals = list(_finals_of(self._event_log.entries))
        if all(one.is_entered or not one.newest for one in finals) and not (finals and _results_file(program)):
            return []
        decisions = decide_results(finals, self._pull_pairings(program), program.has_forfeits)
        for one, what in decisions:
            if what is Outcome.STANDS and not one.is_entered:
                number = one.entry.number
                self._event_log.write(
                    self._wall(), Note.ENTERED, one.entry.table, {"result": number}, f"entered {number}"
                )
        return decisions


def _file_stamp(program: Program | None) -> tuple[int, ...] | None:
    """Return what tells a tournament's file from the same after a save; None if the program has no file."""
    if program is None or program.tournament is None:
        return None
    try:
        status = program.tournament.stat()
    except (OSError, ValueError):
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev


def _results_file(program: Program) -> Path | None:
    """Return the file that was written for a program, None if there is none."""
    return program.made if program.made is not None and is_stored(program.made) else None


def _is_due(program: Program, entries: list[Entered]) -> bool:
    """Return True if these have to be pushed: a file that is there says what they and the tournament say now, because
    an older one, merged or opened, would take a correction back."""
    results_file = _results_file(program)
    if results_file is None:
        return bool(entries)
    try:
        return read_stored(results_file) != program.render_results(entries)
    except OSError:
        return True


def decide_results(
    finals: Iterable[Final], pairings: Iterable[Pairing], has_forfeits: bool = True
) -> list[tuple[Final, Entered | Outcome]]:
    """Return what to do with each result. has_forfeits: the program tells a win by forfeit from a game."""
    all_pairings = tuple(pairings)
    decisions = [(one, _decide_one(one, all_pairings)) for one in finals]
    twice = find_contested(one.result for one, what in decisions if isinstance(what, Entered))
    return [(one, _check_entry(one, what, twice, has_forfeits)) for one, what in decisions]


def _check_entry(final: Final, what: Entered | Outcome, twice: set[Game], has_forfeits: bool) -> Entered | Outcome:
    """Return an entry as it was decided, or why it is left to a person."""
    if isinstance(what, Entered) and pairing_of(final.result) in twice:
        return Outcome.TWICE
    ending = ended_of(final.result.result)
    is_rated = ending is not None and ending.by_default and not has_forfeits
    # As a plain win it is rated too, also where it was entered before it was corrected to a forfeit.
    return Outcome.FORFEIT if is_rated and (isinstance(what, Entered) or what is Outcome.STANDS) else what


def _decide_one(final: Final, pairings: tuple[Pairing, ...]) -> Entered | Outcome:
    if not final.newest:
        return Outcome.REPLACED
    decision = match_result(final.result, pairings)
    return Outcome.REMOVED if final.is_entered and isinstance(decision, Entered) else decision


def _entries_to_push(decisions: Iterable[tuple[Any, Entered | Outcome]]) -> list[Entered]:
    """Return the results to enter, one per pairing."""
    return list({what.pairing: what for _, what in decisions if isinstance(what, Entered)}.values())


def _finals_of(entries: Iterable[Noted]) -> Iterable[Final]:
    noted = list(entries)
    entered_numbers = {entry.body["result"] for entry in noted if entry.kind is Note.ENTERED}
    results = [entry for entry in noted if entry.kind is Note.RESULT]
    newest = {game_of(entry): entry.number for entry in results}
    for entry in results:
        yield Final(entry, newest[game_of(entry)] == entry.number, entry.number in entered_numbers)


def _read_result(entry: Noted) -> Result:
    body = entry.body
    black, white = (*body["players"], "", "")[:2]
    table, others = str(body["table"]) or entry.table, tuple(body["players"][2:])
    said_at = entry.table if table != entry.table else ""
    number = entry.number if _last_board(entry) is not None else 0
    result = result_text(body["result"])
    length = str(body.get("rules", "")), int(body.get("turn", 0))
    return Result(str(body["round"]), table, black, white, result, entry.at, others, said_at, number, *length)


def _last_board(entry: Noted) -> LastBoard | None:
    rows, last_move = entry.body.get("rows", ()), entry.body.get("last_move")
    try:
        check_board(rows, last_move)
    except ValueError:  # A disk may change what was checked when the box said it.
        return None
    return LastBoard(tuple(rows), last_move)


def game_of(entry: Noted) -> tuple[str, str]:
    """Return the key of a result's game: the box's key, and its name for the game."""
    return str(entry.body.get("box", entry.table)), str(entry.body["game"])
