"""The stored state of a watched evening: every observation, the pictures of doubtful moments, and the tracker itself.

It is one event log in the evening's folder. Each step is one transaction: after Ctrl-C, kill -9 or a power cut the
file is as after the last step, and watching resumes there.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from device.files import unwritable_sentence
from device.journal.event_log import EventLog, Schema
from device.journal.repair import is_from_elsewhere, is_sound
from referee.codec import observation_from_json, observation_to_json
from referee.game.errors import BadRecord
from referee.game.observation import Observation
from vision.camera.video_reader import Mark
from vision.errors import BadSource
from vision.tracking.checkpoint import from_bytes, to_bytes
from vision.tracking.multi_board_tracker import MultiBoardTracker

NAME = "watched.sqlite"
_TABLES = """
CREATE TABLE IF NOT EXISTS about (words TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS looks (n INTEGER PRIMARY KEY, t REAL NOT NULL, body TEXT);
CREATE TABLE IF NOT EXISTS pictures (n INTEGER PRIMARY KEY, jpeg BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS
    place (id INTEGER PRIMARY KEY CHECK (id = 1), frame INTEGER NOT NULL, shows TEXT NOT NULL, t REAL NOT NULL,
                    unreadable TEXT NOT NULL, over INTEGER NOT NULL, eye BLOB NOT NULL);
"""
_SCHEMA = Schema(_TABLES, "looks", "n, t, body")
_PUT_PICTURE = "INSERT INTO pictures VALUES (?, ?)"
_PUT_PLACE = "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, ?, ?)"
PATIENCE_S = 0.5
About = Mapping[str, object]


@dataclass(frozen=True)
class WatchProgress:
    """The progress in a recording.

    mark: its newest frame
    unreadable: stills that could not be read
    over: whether it was watched to its end
    """

    mark: Mark
    unreadable: tuple[str, ...] = ()
    over: bool = False

    @property
    def t(self) -> float:
        """Return the time of that frame, in seconds."""
        return self.mark.t


class EveningStore:
    """The file of one evening. Raises BadRecord, in a sentence, if it cannot be used.

    folder: of the evening
    about: identifies recording, options and version
    count: number of observations
    """

    def __init__(self, folder: Path, about: About) -> None:
        self.path = folder / NAME
        self._looks: list[tuple[int, float, str | None]] = []
        self._pictures: list[tuple[int, bytes]] = []
        self._body: str | None = None
        self._points: Observation | None = None
        self.count = 0
        with self._report_errors():
            folder.mkdir(parents=True, exist_ok=True)
            if not is_sound(self.path, _SCHEMA, patience_s=PATIENCE_S):
                raise sqlite3.DatabaseError("some of it cannot be read")
            self._log = EventLog(self.path, _SCHEMA, PATIENCE_S, is_exclusive=True)
            self._begin_or_compare(json.dumps(about, sort_keys=True))

    def close(self) -> None:
        """Close the file."""
        self._log.close()

    def _begin_or_compare(self, about: str) -> None:
        with self._log.open_transaction() as base:
            row = base.execute("SELECT words FROM about").fetchone()
            if row is None:
                base.execute("INSERT INTO about VALUES (?)", (about,))
        if row not in (None, (about,)):
            raise BadRecord(
                f"{self.path.parent}: another recording is kept there, or this one with other options or by another "
                f"version of shinpan; name another folder, or delete {self.path} to watch from the start."
            )

    # Reading

    def read_progress(self) -> tuple[WatchProgress, MultiBoardTracker] | None:
        """Return the progress, and the tracker then; None if nothing was watched."""
        with self._report_errors():
            rows = self._log.find_rows("SELECT frame, shows, t, unreadable, over, eye FROM place")
            if not rows:
                return None
            ((frame, shows, t, unreadable, over, eye),) = rows
            return WatchProgress(Mark(frame, shows, t), tuple(json.loads(unreadable)), bool(over)), from_bytes(eye)

    def looks(self) -> Iterator[tuple[int, Observation]]:
        """Yield all stored observations; new ones are numbered after them."""
        with self._report_errors():
            for n, t, body in self._log.read_rows():
                self.count = n + 1
                yield n, self._decode_observation(t, body)

    def picture(self, n: int) -> bytes | None:
        """Return the picture of an observation, as JPEG, None if there is none."""
        with self._report_errors():
            rows = self._log.find_rows("SELECT jpeg FROM pictures WHERE n = ?", (n,))
        return next((jpeg for number, jpeg in self._pictures if number == n), rows[0][0] if rows else None)

    # Writing

    def look(self, observation: Observation) -> tuple[int, Observation]:
        """Add an observation; return its number, and the form in which it will be read back."""
        body: str | None = json.dumps(observation_to_json(observation))
        n, self.count = self.count, self.count + 1
        body = None if body == self._body else body
        self._looks.append((n, observation.t, body))
        return n, self._decode_observation(observation.t, body, observation.name)

    def keep_picture(self, n: int, jpeg: bytes) -> None:
        """Add the picture of an observation."""
        self._pictures.append((n, jpeg))

    def save(self, progress: WatchProgress, tracker: MultiBoardTracker) -> None:
        """Write everything added to disk, and the progress."""
        place = (
            1,
            progress.mark.number,
            progress.mark.shows,
            progress.t,
            json.dumps(progress.unreadable),
            progress.over,
        )
        with self._report_errors():
            pictures, places = (_PUT_PICTURE, self._pictures), (_PUT_PLACE, [(*place, to_bytes(tracker))])
            self._log.append_rows(self._looks, pictures, places)
        self._looks, self._pictures = [], []

    def _decode_observation(self, t: float, body: str | None, name: str | None = None) -> Observation:
        """Decode an observation; one equal to its predecessor shares its points, so that this can be detected by
        identity."""
        if body is None and self._points is not None:
            observation = self._points
        else:
            if body is None:
                raise ValueError("what was seen first is missing")
            observation, self._body = observation_from_json(json.loads(body), t), body
        self._points = Observation(
            t, observation.points, observation.lids, name, observation.packed, observation.between
        )
        return self._points

    @contextmanager
    def _report_errors(self) -> Iterator[None]:
        """Turn errors of the file into one sentence."""
        try:
            yield
        except (sqlite3.DatabaseError, BadSource, ValueError, LookupError, TypeError) as error:
            if is_from_elsewhere(error):
                reason = "another program watches it" if "locked" in str(error) else str(error)
                raise BadRecord(f"{self.path}: cannot be used ({reason}); name another folder.") from error
            raise BadRecord(f"{self.path}: is damaged ({error}); delete it to watch from the start.") from error
        except OSError as error:
            raise BadRecord(unwritable_sentence(self.path, error)) from error
