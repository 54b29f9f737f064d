"""The four event logs as programs use them, and what is read back of each; also as a program of its own.

    python -m tests.device.journal.event_logs STORE FOLDER

writes one entry after the other, told to by lines on standard input, and says after each whether it is on disk.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from device.hall.event_log import EventLogError, HallEventLog, Note
from device.hall.public.store import NewsStore, QueuedNews
from device.journal.store import Entry, Journal, Kind, read_journal
from device.session.evening_store import EveningStore, WatchProgress
from referee.game.errors import RefereeError
from referee.game.observation import Observation
from tests.support import ROOT
from vision.camera.video_reader import Mark
from vision.tracking.multi_board_tracker import MultiBoardTracker
from vision.tracking.tracker import TrackerConfig
from web.gallery.publication import ResultNews
from web.language import to_english

Opened = tuple[Callable[[int], object], Callable[[], None]]
"""The function that writes an entry, and the one that closes the store."""
DELAYS = {"7": 900.0}
ABOUT = {"name": "evening.mp4"}


def _match(folder: Path) -> Opened:
    journal = Journal(folder / "1.journal")
    return lambda number: journal.write([Entry(Kind.PRESSED, float(number), {"n": number})]), journal.close


def _hall(folder: Path) -> Opened:
    log = HallEventLog(folder)
    return lambda number: log.write(float(number), Note.COMES, "7", {"by": str(number)}), log.close


def _news(folder: Path) -> Opened:
    store = NewsStore(folder, "Cup", DELAYS)

    def write(number: int) -> None:
        store.is_due(float(number))
        what = ResultNews("1", str(number), ("Ada", "Ben"), "B+R")
        store.turn([QueuedNews("7", f"result {number}", "", float(number), what)], float(number))

    return write, store.close


def _evening(folder: Path) -> Opened:
    evening, eye = EveningStore(folder, ABOUT), MultiBoardTracker(TrackerConfig(True, 9, None, lids=False))

    def write(number: int) -> None:
        sure = 1.0 - number % 50 / 100
        evening.look(Observation(float(number), ((sure, (1 - sure) / 2, (1 - sure) / 2),) * 81))
        evening.keep_picture(number, b"jpeg")
        evening.save(WatchProgress(Mark(number, "", float(number))), eye)

    return write, evening.close


def _rows(path: Path, sql: str) -> int:
    with closing(sqlite3.connect(path)) as base:
        (count,) = base.execute(sql).fetchone()
        return int(count)


STORES: dict[str, tuple[Callable[[Path], Opened], Callable[[Path], int]]] = {
    "match": (_match, lambda folder: len(read_journal(folder / "1.journal"))),
    "hall": (_hall, lambda folder: len(HallEventLog(folder).entries)),
    "news": (_news, lambda folder: len(NewsStore(folder, "Cup", DELAYS).newest())),
    "evening": (_evening, lambda folder: len(list(EveningStore(folder, ABOUT).looks()))),
}
"""For each store, the function that opens it for writing, and the one that counts the entries read back."""


class Writer:
    """A program that writes into a store as it is told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None and process.stdout.readline() == "open\n"

    def write(self) -> str:
        """Write one entry; what the store says."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()


@contextmanager
def writer(name: str, folder: Path, environment: dict[str, str] | None = None) -> Iterator[Writer]:
    """Run such a program, which is killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.device.journal.event_logs", name, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
    )
    with process:
        try:
            yield Writer(process)
        finally:
            process.kill()


def _write_as_told(name: str, folder: Path) -> None:
    write, _ = STORES[name][0](folder)
    print("open", flush=True)
    for number, _ in enumerate(sys.stdin):
        try:
            write(number)
            answer = "kept"
        except (EventLogError, RefereeError) as error:
            answer = to_english(error)
        print(answer, flush=True)


if __name__ == "__main__":
    _write_as_told(sys.argv[1], Path(sys.argv[2]))
