"""The library of archived games: listed by their records' heads, and replayed from their journals.

A journal is replayed and reviewed by the background worker, with a time limit, so that the current game does not wait
for it, whatever the journal holds.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from device.files import read_stored
from device.journal.archive import Archive
from device.journal.replay import ReplayedMatch, replay_journal
from device.journal.store import ENDING
from device.match.game_files import INFO, LARGEST_SGF, start_of
from device.table.adjournment import archived_code
from device.table.film import draw_game
from device.table.last_board import draw_last_board
from device.table.worker import BackgroundWorker, Lane, Task
from referee.analysis.figures import Worth
from referee.analysis.review import Review, review_record
from referee.analysis.worth import worth
from referee.game.coordinates import Coordinates
from referee.game.count_result import result_text
from referee.game.errors import RefereeError
from referee.game.messages import message
from referee.game.record import GameRecord
from referee.sgf.records import count_turns, read_root
from referee.table.display_state import BoxStatus, Sight, TableSnapshot
from web.backend import Listed, Replay
from web.formats import LINES, SGF, format_of
from web.language import to_english

log = logging.getLogger("shinpan")
WITHIN = 25.0
"""Time limit for the replay of a journal, in seconds."""
REVIEWED_WITHIN = 1800.0
"""Time limit for the analysis of a game's turns, in seconds; it yields to everything else on the machine."""
EACH_CPU_S, ALL_CPU_S = 4.0, 90.0
"""Processor time for each position of a game, and for all of them."""
MOST, MOST_FILMS, MOST_THUMBNAILS = 16, 4, 200
"""Number of replays, of animated pictures, and of small boards, that are cached."""
_TEXTS = ("DT", "RU", "EV", "RO", "RE")
"""Properties of day, rules, event, round and result in the root of an SGF record."""
_TABLE = "Table "
_Stamp = tuple[int, int]
T = TypeVar("T")
_DAY = len("2026-11-22")


class GameLibrary:
    """The archived games in a folder.

    worker: replays and reviews them.
    folder: of the games.
    playing: returns the journal that is being written, None before there is one.
    within: time limit for a replay, in seconds.
    coordinates: the way intersections are named to people.
    """

    def __init__(
        self,
        worker: BackgroundWorker,
        folder: Path,
        playing: Callable[[], Path | None],
        within: float = WITHIN,
        coordinates: Coordinates = Coordinates.LETTERS,
    ) -> None:
        self._coordinates = coordinates
        self._worker = worker
        self._folder, self._archive, self._playing, self._within = folder, Archive(folder), playing, within
        self._heads: dict[str, tuple[_Stamp, Listed]] = {}
        self._replays: OrderedDict[tuple[str, _Stamp], Replay] = OrderedDict()
        self._films, self._thumbnails = _Recent[bytes](MOST_FILMS), _Recent[str](MOST_THUMBNAILS)
        self._lock = Lock()
        self._unreviewed = SimpleQueue[tuple[str, _Stamp]]()
        Thread(target=self._review_all, daemon=True, name="reviews").start()

    def list_games(self) -> Sequence[Listed]:
        """Return all games with a record, the newest first."""
        with self._lock:
            heads = [(name, self._cached_head(name)) for name in self._archive.list_games()]
            self._heads = {name: head for name, head in heads if head is not None}
            return [head[1] if head is not None else Listed(name) for name, head in heads]

    def replay(self, name: str) -> Replay | None:
        """Return a game replayed from its journal, None if there is none of that name."""
        path = self._folder / f"{name}{ENDING}"
        if name not in self._archive.list_games():
            return None
        if self._playing() == path:
            return Replay(running=True)
        stamp = _file_stamp(path)
        if stamp is None:
            return Replay(why=message("kept.no-journal"))
        with self._lock:
            if (name, stamp) not in self._replays:
                self._replays[name, stamp] = game_replay = self._replay_file(path)
                if game_replay.snapshot is not None and game_replay.review is None:
                    self._unreviewed.put((name, stamp))
            self._replays.move_to_end((name, stamp))
            while len(self._replays) > MOST:
                self._replays.popitem(last=False)
            return self._replays[name, stamp]

    def film(self, name: str) -> bytes | None:
        """Return an archived game as an animated WebP; None if there is none of that name, or it cannot be shown."""
        path = self._folder / f"{name}{ENDING}"
        stamp = _file_stamp(path) if name in self._archive.list_games() and self._playing() != path else None
        if stamp is None:
            return None
        return self._films.get((name, stamp), partial(self._draw_picture, draw_game, path))

    def thumbnail(self, name: str) -> str | None:
        """Return a game's last position as a small SVG; None if there is no game of that name, or it cannot be read."""
        record = self._archive.record_path(name)
        stamp = _file_stamp(record) if record is not None else None
        if stamp is None:
            return None
        path = self._folder / f"{name}{ENDING}"
        return self._thumbnails.get((name, stamp), partial(self._draw_picture, draw_last_board, path))

    def _draw_picture(self, draw: Task[Path, T], path: Path) -> T | None:
        try:
            return self._worker.run(Lane.REPLAY, draw, path, self._within)
        except Exception as error:
            log.warning("No picture of %s can be made: %s", path, error)
            return None

    def _cached_head(self, name: str) -> tuple[_Stamp, Listed] | None:
        """Return the head of a record, read again only if the file has changed."""
        path, cached = self._archive.record_path(name), self._heads.get(name)
        stamp = _file_stamp(path) if path is not None else None
        if path is None or stamp is None or (cached is not None and cached[0] == stamp):
            return cached
        try:
            head = _read_head(name, read_stored(path, LARGEST_SGF))
        except (OSError, ValueError, TypeError, RefereeError):
            head = Listed(name, several=path.suffix == LINES.ending)
        return stamp, replace(head, stamp="-".join(f"{number:x}" for number in stamp))

    def _review_all(self) -> None:
        """Analyse the queued games one after the other."""
        while True:
            name, stamp = self._unreviewed.get()
            game_review = self._review_turns(self._folder / f"{name}{ENDING}")
            with self._lock:
                if (name, stamp) in self._replays:
                    self._replays[name, stamp] = replace(self._replays[name, stamp], review=game_review)

    def _review_turns(self, path: Path) -> Review:
        """Return the analysis of a game's turns; an empty one if it fails."""
        try:
            return self._worker.run(Lane.REVIEW, review_game, path, REVIEWED_WITHIN)
        except Exception:
            log.exception("What the turns of %s were worth cannot be worked out.", path)
            return Review()

    def _replay_file(self, path: Path) -> Replay:
        try:
            game_replay = self._worker.run(Lane.REPLAY, show_game, path, self._within)
            snapshot = game_replay.snapshot
            return replace(
                game_replay, snapshot=replace(snapshot, coordinates=self._coordinates) if snapshot is not None else None
            )
        except TimeoutError:
            return Replay(why=message("kept.too-long"))
        except RefereeError as error:
            log.warning("%s", to_english(error))
            return Replay(why=message("kept.damaged"))
        except Exception:
            log.exception("The journal %s cannot be shown.", path)
            return Replay(why=message("kept.damaged"))


class _Recent(Generic[T]):
    """The pictures that were made last, and None for those that could not be; one is made at a time. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._cache: OrderedDict[tuple[str, _Stamp], T | None] = OrderedDict()

    def get(self, key: tuple[str, _Stamp], make: Callable[[], T | None]) -> T | None:
        """Return the picture of a game's state, made only if it is not there."""
        with self._lock:
            if key not in self._cache:
                self._cache[key] = make()
                while len(self._cache) > self._most:
                    self._cache.popitem(last=False)
            self._cache.move_to_end(key)
            return self._cache[key]


def _file_stamp(path: Path) -> _Stamp | None:
    """Return a stamp that differs whenever the file may have changed, None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _read_head(name: str, record: bytes) -> Listed:
    """Parse the head of a record; raise ValueError, TypeError or RefereeError if it has none."""
    return (
        replace(_list_games(name, read_root(record)), turns=count_turns(record))
        if format_of(record) is SGF
        else _listed_of_lines(name, start_of(record))
    )


def _listed_of_lines(name: str, start: Mapping[str, Any]) -> Listed:
    info = start.get(INFO, {})
    names = tuple(map(str, info.get("names", ()))) or ("",) * len(str(start.get("players", "BW")))
    date, event, number, table = (str(info.get(key, "")) for key in ("date", "event", "round", "table"))
    result = result_text(info["result"]) if "result" in info else ""
    return Listed(name, date, str(start.get("rules", "")), names, event, number, table, result, several=True)


def _list_games(name: str, root: dict[str, str]) -> Listed:
    date, rules, event, number, result = (root.get(key, "") for key in _TEXTS)
    table, names = root.get("GC", ""), (root.get("PB", ""), root.get("PW", ""))
    table = table.removeprefix(_TABLE) if table.startswith(_TABLE) else ""
    return Listed(name, date, rules, names, event, number, table, result)


def show_game(path: Path) -> Replay:
    """Return the game at the end of its journal. Raises JournalError for a damaged one."""
    replayed = replay_journal(path)
    has_several = replayed.table.record.players > 2  # The analysis supports two players only.
    game_review, day = Review() if has_several else None, replayed.table.began[:_DAY]
    return Replay(_build_snapshot(replayed, path), day, review=game_review, adjourned=archived_code(replayed, path))


def _build_snapshot(replayed: ReplayedMatch, path: Path) -> TableSnapshot:
    snapshot = replayed.table.build_snapshot(BoxStatus(1, replayed.t, Sight.NONE))
    return replace(snapshot, seal=replayed.head.short if replayed.head is not None else "", archive_name=path.stem)


def review_game(path: Path) -> Review:
    """Analyse an archived game from its end backwards. Raises JournalError for a damaged journal."""
    record = replay_journal(path).table.record
    return review_record(record, partial(_compute_worth, time.thread_time() + ALL_CPU_S))


def _compute_worth(until: float, record: GameRecord) -> Worth:
    soon = min(until, time.thread_time() + EACH_CPU_S)
    return worth(record, lambda: time.thread_time() < soon)
