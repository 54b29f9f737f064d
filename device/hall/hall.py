"""The hall: follows every box, keeps what a director wants to know, and shows all tables on one wall."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from threading import Condition, Event, Thread
from typing import Any

from device.files import lock_folder
from device.hall import aga, egd
from device.hall.event_log import HallEventLog, Note, Noted
from device.hall.incidents import Lateness, ReportedIncident, incidents_of
from device.hall.outbox import Outbox, game_of
from device.hall.pairing import BadProgram, split_name
from device.hall.programs import build_draft, program_of
from device.hall.public.delay import PublicationDelay
from device.hall.rate import Rate
from device.hall.rounds import Rounds
from device.hall.sentences import hall_sentence, sentence_body, sentence_from
from device.hall.sse_client import Follower
from device.hall.tables import HallConfig, TableEntry
from device.settings import expand_home
from device.threads import leave
from referee.game.messages import error_message, message
from web.gallery.publication import Room
from web.hall.assignment import Draft
from web.hall.tiles import ALARMS, Call, Entering, HallWall, Incident, LastBoard, RatingList, Reported, Tile, Trouble
from web.openapi import MOST_FINALS, Final, Status

OFTEN, LOOK_UP = 0.15, 1.0
"""Minimum seconds between two updates of the wall; seconds between two checks for silent boxes."""
RESULT = ("game", "result", "players", "event", "round", "table", "seal")
"""Keys of a status that are kept with a result."""
LAST = ("rows", "last_move", "rules", "turn")
"""Further keys of it, of the last position; an earlier result of a box has none."""
NOTED_AT_ONCE, NOTED_A_SECOND, FOR_CALLS = 200.0, 0.2, 50.0
"""Entries that one table may add to the journal at once, and each second after that; and how many of them only calls
and results may use. What is beyond is noted later, if the box still says it: its status repeats rulings and results."""
TOO_MUCH = message("hall.too-much")
TOLD = frozenset({Note.INCIDENT, Note.LOST})
"""Kinds of entries that are incidents."""


class Hall:
    """A hall that follows its tables until it is closed; a context manager too.

    venue: its settings
    wall: returns the Unix time in seconds
    steady: monotonic seconds
    room: the public news
    public: the publication delay
    """

    def __init__(
        self, venue: HallConfig, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._exit_stack, self._venue, self._event = ExitStack(), venue, venue.event
        self._wall, self._steady = wall, steady
        folder = expand_home(venue.folder)
        self._program = program_of(venue, folder)
        self._exit_stack.callback(lock_folder(folder, "hall", "as `folder` in the list of tables").close)
        self.event_log = HallEventLog(folder, wall)
        self._exit_stack.callback(self.event_log.close)
        self.room = Room(venue.event)
        self.public = PublicationDelay(venue, folder, self.room.take, steady)
        self._exit_stack.callback(self.public.close)
        damage = self.public.store.damage
        if damage is not None:
            self.event_log.keep(
                wall(), Note.INCIDENT, "", {"game": "", "turn": 0, **sentence_body(hall_sentence(damage))}
            )
        self._changed, self._dirty, self._over = Condition(), Event(), Event()
        self._tiles = {one.table: Tile(one.table, one.address) for one in venue.tables}
        self._earlier_games = dict[str, frozenset[str]]()
        self._lateness = Lateness(venue.late)
        self._rates = {one.table: Rate(NOTED_AT_ONCE, NOTED_A_SECOND, steady) for one in venue.tables}
        self._behind, self._flooding = set[str](), set[str]()
        self._restore()
        self._incidents = tuple(
            _incident_of(one) for one in (*self.event_log.entries, *self.event_log.waiting) if one.kind in TOLD
        )
        self._results = {game_of(one): one.body["result"] for one in self.event_log.entries if one.kind is Note.RESULT}
        self._outbox = Outbox(self.event_log, self._program, wall)
        self._published = HallWall(0, self._event, tuple(self._tiles.values()), self._incidents)
        self._touched, self._looked_at = set(self._tiles), steady()
        self.rounds = Rounds(self.event_log, venue.tables, self._tiles.__getitem__, wall, steady)
        self._thread = Thread(target=self._publish_wall, name="wall", daemon=True)
        self._thread.start()
        self._followers = [
            Follower(table, self.handle_status, self.handle_loss, random.Random(f"{table.table} {wall()}"))
            for table in venue.tables
        ]

    def close(self) -> None:
        """Stop following the boxes, and close everything, without waiting for any other machine."""
        self.rounds.close()
        self._outbox.close()
        for follower in self._followers:
            follower.end()
        leave(follower.thread for follower in self._followers)
        self._over.set()
        self._dirty.set()
        self._thread.join()
        self._exit_stack.close()

    def __enter__(self) -> Hall:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Interface for the pages

    def current_wall(self) -> HallWall:
        """Return the current wall."""
        return self._published

    def wait(self, number: int, timeout: float) -> HallWall:
        """Return the wall as soon as its number exceeds the given one, or after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._published.number > number, timeout)
        return self._published

    def waits(self) -> dict[str, float]:
        """Return how many seconds each open call has been waiting, by table."""
        now, calls = self._wall(), [(one.table, one.call) for one in self._tiles.values()]
        return {table: max(now - call.since, 0) for table, call in calls if call is not None}

    def now(self) -> float:
        """Return the seconds on the clock that the tiles use."""
        return self._steady()

    def ages(self) -> dict[str, float | None]:
        """Return the seconds since each box's last message; None if there was none."""
        now = self._steady()
        return {one.table: None if one.heard_at is None else max(now - one.heard_at, 0) for one in self._tiles.values()}

    def draft(self, round_name: str = "") -> Draft:
        """Return the tables of a round, by default the newest paired one, ready to be handed out."""
        if self._program is None:
            return Draft(why=message("hall.no-program"))
        try:
            return build_draft(self._program.pull(), self._venue, round_name)
        except BadProgram as error:
            return Draft(why=error_message(error))

    def entering(self) -> Entering:
        """Return all results, as entered now: somebody may have entered one by hand."""
        return self._outbox.entering()

    def last_board(self, number: int) -> LastBoard | None:
        """Return the last position of the result with this number, None if it has none that can be drawn."""
        return self._outbox.last_board(number)

    def report(self, taker: RatingList) -> Reported | None:
        """Return the results for a rating list, None if no text with its players is configured."""
        path, build_report = {
            RatingList.AGA: (self._venue.aga, aga.build_report),
            RatingList.EGD: (self._venue.egd, egd.build_report),
        }[taker]
        if path is None:
            return None
        try:
            return build_report(expand_home(path), self._outbox.results(), self.event_log.entries)
        except BadProgram as error:
            return Reported(b"", why=error_message(error))

    def comes(self, table: str, by: str) -> bool:
        """Record who comes to a table that has called; return False if it has no call, or somebody already comes."""
        with self._changed:
            tile = self._tiles.get(table)
            if tile is None or tile.call is None or tile.call.by:
                return False
            self.event_log.keep(self._wall(), Note.COMES, table, {"call": tile.call.number, "by": by})
            self._set_tile(replace(tile, call=replace(tile.call, by=by)))
            return True

    # Callbacks of the followers

    def handle_status(self, table: TableEntry, status: Status | None) -> None:
        """Handle a box's status; None is a keep-alive."""
        with self._changed:
            now, tile = self._wall(), self._tiles[table.table]
            tile = replace(tile, heard_at=self._steady(), trouble=None)
            newest = status if status is not None or table.table not in self._behind else tile.status
            if newest is not None:
                self._behind.discard(table.table)
                self._note_status(table, newest, now)
                tile = replace(tile, call=self._update_call(tile, newest, now))
            if status is not None:
                self.public.handle(table, status)
                tile = replace(tile, status=status, status_at=tile.heard_at)
            self._set_tile(tile)

    def handle_loss(self, table: TableEntry, trouble: Trouble) -> None:
        """Handle a lost box."""
        with self._changed:
            tile = self._tiles[table.table]
            if trouble in ALARMS and tile.trouble is not trouble:
                self._append_entry(self._wall(), Note.ALARM, table.table, {"trouble": trouble.value}, reserve=FOR_CALLS)
            self._set_tile(replace(tile, trouble=trouble))

    # Internals

    def _set_tile(self, tile: Tile) -> None:
        self._tiles[tile.table] = tile
        self._touched.add(tile.table)
        self._dirty.set()

    def _update_call(self, tile: Tile, status: Status, now: float) -> Call | None:
        if status["called"] == (tile.call is not None):
            return tile.call
        if tile.call is not None:
            entry = self._append_entry(now, Note.ANSWERED, tile.table, {"call": tile.call.number})
            return None if entry is not None else tile.call
        entry = self._append_entry(now, Note.CALLED, tile.table, {"game": status["game"], "turn": status["turn"]})
        return Call(entry.number, now) if entry is not None else None

    def _note_status(self, table: TableEntry, status: Status, now: float) -> None:
        """Record each incident and each result once, however often it is reported; all of a status in one transaction,
        so that however many it has, other tables do not wait for the disk."""
        with self.event_log.together():
            for one in incidents_of(status):
                self._note_incident(table.table, status, one)
            is_new = self._note_earlier(table, status.get("finals", [])[:MOST_FINALS], now)
            if status["phase"] == "final" and status["result"] is not None:
                is_new |= self._keep_result(table, now, status)
        # Only now the journal says it; the outbox, woken before, would find nothing to do.
        if is_new:
            self._outbox.handle()
        self._tell_of_flood(table.table, status)

    def _append_entry(
        self,
        at: float,
        kind: Note,
        table: str,
        body: Mapping[str, Any],
        once: str | None = None,
        reserve: float = 0.0,
    ) -> Noted | None:
        """Append an entry as the journal does, if the table may add one and leave so many; else it is tried again."""
        if not self._rates[table].has_tokens(reserve):
            self._behind.add(table)
            return None
        entry = self.event_log.keep(at, kind, table, body, once)
        if entry is not None:
            self._rates[table].pause(1)
        return entry

    def _tell_of_flood(self, table: str, status: Status) -> None:
        """Record once that a table has more to note than it may add, until it has long had less."""
        if table not in self._behind:
            self._flooding -= {table} if self._rates[table].is_full else set()
        elif table not in self._flooding:
            self._flooding.add(table)
            body = {"game": status["game"], "turn": status["turn"], **sentence_body(hall_sentence(TOO_MUCH))}
            entry = self.event_log.keep(self._wall(), Note.INCIDENT, table, body)
            self._incidents += (_incident_of(entry),) if entry is not None else ()

    def _note_incident(self, table: str, status: Status, one: ReportedIncident) -> None:
        body = {"game": status["game"], "turn": one.turn, **sentence_body(one.sentence), "players": status["players"]}
        key = f"incident {status['box']} {status['game']} {one.key}"
        entry = self._append_entry(self._wall(), Note.INCIDENT, table, body, key, FOR_CALLS)
        self._incidents += (_incident_of(entry),) if entry is not None else ()

    def _note_earlier(self, table: TableEntry, finals: Sequence[Final], now: float) -> bool:
        """Record results of matches that ended before the hall heard of them, but none from before it first met the
        box; return True if one was new."""
        games = [one["game"] for one in finals]
        if self.event_log.keep(now, Note.MET, table.table, {"box": table.box, "before": games}, f"met {table.box}"):
            self._earlier_games[table.box] = frozenset(games)
        later = [one for one in reversed(finals) if one["game"] not in self._earlier_games[table.box]]
        are_new = [self._keep_result(table, now, one) for one in later]
        return any(are_new)

    def _keep_result(self, table: TableEntry, now: float, final: Mapping[str, Any]) -> bool:
        """Record a result unless it is known; return True if it was new, or another than before."""
        game = table.box, str(final["game"])
        is_new = bool(self._results.get(game) != final["result"])
        if is_new:
            body = {"box": table.box, **{key: final[key] for key in (*RESULT, *(LAST if "rows" in final else ()))}}
            if self._append_entry(now, Note.RESULT, table.table, body) is None:
                return False
            self._results[game] = final["result"]
        self.public.tell_result(table, final, now)
        return is_new

    def _restore(self) -> None:
        """Restore the calls that were open when the hall was stopped, and the results that boxes had before it met
        them."""
        for entry in self.event_log.entries:
            if entry.kind is Note.MET:
                self._earlier_games[str(entry.body["box"])] = frozenset(entry.body["before"])
            tile = self._tiles.get(entry.table)
            if tile is None:
                continue
            if entry.kind is Note.CALLED:
                tile = replace(tile, call=Call(entry.number, entry.at))
            elif entry.kind is Note.COMES and tile.call is not None:
                tile = replace(tile, call=replace(tile.call, by=str(entry.body["by"])))
            elif entry.kind is Note.ANSWERED:
                tile = replace(tile, call=None)
            self._tiles[entry.table] = tile

    def _full_folder(self) -> str:
        """Return the folder that takes nothing now; empty while everything can be noted."""
        return f"{self.event_log.folder}" if self.event_log.trouble or self.public.trouble else ""

    def _publish_wall(self) -> None:
        while not self._over.is_set():
            self._dirty.wait(LOOK_UP)
            self._dirty.clear()
            if self.event_log.mend():
                self._outbox.handle()
            with self._changed:
                self._publish_tiles()
            self._over.wait(OFTEN)

    def _publish_tiles(self) -> None:
        """Publish the tiles that have changed; every LOOK_UP seconds all, because age changes them too."""
        previous, now = self._published, self._steady()
        if now - self._looked_at >= LOOK_UP:
            self._touched, self._looked_at = set(self._tiles), now
            for table, status, sentence in self._lateness.late(self.rounds.handed_out(), self._tiles.__getitem__, now):
                self._note_incident(table, status, ReportedIncident("late", sentence, status["turn"]))
        number, touched = previous.number + 1, self._touched
        self._touched = set()
        tiles = tuple(
            self._with_standings(self._tiles[one.table]).on(number, now, one) if one.table in touched else one
            for one in previous.tiles
        )
        current = HallWall(number, self._event, tiles, self._incidents, self._full_folder())
        if replace(current, number=previous.number) != previous:
            self._published = current
            self._changed.notify_all()

    def _with_standings(self, tile: Tile) -> Tile:
        """Return the tile with what its players have won and lost before their round."""
        if tile.status is None or not (all_standings := self._outbox.standings):
            return tile
        round_name, names = tile.status["round"], tile.status["players"]
        standings = tuple(all_standings.get((round_name, split_name(name))) for name in names)
        return replace(tile, standings=standings if any(standings) else ())


def _incident_of(entry: Noted) -> Incident:
    body = entry.body
    return Incident(entry.at, entry.table, str(body.get("game", "")), int(body.get("turn", 0)), sentence_from(body))
