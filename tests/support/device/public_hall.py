"""A real box at a real hall with a gallery; the hall's clock is moved by hand. All that the public can ask."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from flask import Flask

from device.hall.hall import Hall
from device.hall.tables import HallConfig, TableEntry
from referee.table.display_state import Sight
from tests.support.device.directed import DirectedTable
from tests.support.waiting import until
from web.gallery.app import create_gallery_app
from web.gallery.publication import PublicTable, board_news
from web.language_traits import CODES
from web.page_server import serve_page

# A disk without room, as the system has it: no file of this process grows any more.


@contextmanager
def full_disk(*files: Path) -> Iterator[None]:
    """None of these files, nor any that is larger, can grow within the block; smaller ones can."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(path.stat().st_size for path in files), usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


Answer = tuple[int, tuple[tuple[str, str], ...], bytes]


class ShownHall:
    """now: the hall's clock. terms: of the venue, such as its delay; of_table: of the table's line."""

    def __init__(self, folder: Path, of_table: dict[str, Any] | None = None, **terms: Any) -> None:
        self.now, self._held = 5000.0, ExitStack()
        self._folder, self._terms, self._of_table = folder, terms, of_table or {}
        (folder / "box").mkdir()
        self.box = DirectedTable(folder / "box", rules="chinese", control="30m")
        self._held.callback(self.box.close)
        self.box.event_loop.sight(Sight.SEEN, self.box.t)
        self._served = self._held.enter_context(serve_page(self.box.app, port=0))
        self.hall = self.open()

    def open(self) -> Hall:
        """A hall on this folder, which follows the box."""
        line = TableEntry("7", self._served.url, self.box.public, self.box.secret, **self._of_table)
        venue = HallConfig("Spring Cup", folder=str(self._folder / "hall"), tables=(line,), **self._terms)
        self.hall = self._held.enter_context(Hall(venue, lambda: 1_000_000.0, lambda: self.now))
        self.app = create_gallery_app(self.hall.room)
        return self.hall

    def again(self, **terms: Any) -> None:
        """End the hall, and begin it anew on other terms."""
        self.hall.close()
        self._terms |= terms
        self.open()

    def play(self, act: str = "enter", **fields: Any) -> None:
        """The director enters something at the box; it is held in the hall when this returns."""
        self.box.act(act, **fields)
        self.handle()

    def place(self, point: str) -> None:
        """Whoever has the turn places a stone."""
        self.play(player=self.box.now.game.to_play.value, turn="place", point=point, why="for the test")

    def handle(self) -> None:
        """Wait until the hall holds the box's board and record as they are."""
        until(self._holds_all)

    def _holds_all(self) -> bool:
        self.hall.public.turn()
        status = self.status
        wanted = board_news(status)
        newest = self.hall.public.store.newest()
        record = newest.get(("7", "record")) == wanted.mark + status["phase"] or not wanted.game
        return newest.get(("7", "board")) == wanted.mark and record

    @property
    def status(self) -> Any:
        """The box's status now, which is told to the hall and to nobody else."""
        return self.box.app.test_client().get("/status.json").get_json()

    def wait(self, seconds: float) -> None:
        """Let time pass in the hall."""
        self.now += seconds
        self.hall.public.turn()

    def asked(self) -> dict[str, Answer]:
        """Return the answer of every public address now: status, headers, body."""
        return {path: answer(self.app, path) for path in paths(self.app, self._guesses())}

    def _guesses(self) -> set[str]:
        """Versions of tiles: those that are public, and that which a spectator in the hall could work out."""
        board = board_news(self.status)
        public = {one.version for one in self.hall.room.public_state().tables.values()}
        return public | {PublicTable("7", self._terms.get("delay", 15.0) * 60, board, None, board.result).version}

    def close(self) -> None:
        self._held.close()


def paths(app: Flask, versions: set[str]) -> Iterator[str]:
    """Every address of the application with everything that can be asked there; a new one cannot be forgotten."""
    values = {"code": CODES, "table": ("7", "8"), "version": sorted(versions), "filename": ("hall.css", "none.css")}
    values |= {"cols": (9, 25), "rows": (9,), "mark": ("f" * 16,), "coordinates": ("A1", "japanese")}
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        filled = [dict[str, str]()]
        for name in sorted(rule.arguments - set(rule.defaults or {})):
            filled = [one | {name: value} for one in filled for value in values[name]]
        yield from (adapter.build(rule.endpoint, one | dict(rule.defaults or {})) for one in filled)


def answer(app: Flask, path: str) -> Answer:
    """Return the answer of an address; of a stream, its first event."""
    got = app.test_client().get(path, buffered=False)
    first = path.endswith("/events")
    body = next(iter(got.response)) if first else got.data
    got.close()
    headers = tuple(sorted((name, value) for name, value in got.headers if name != "Date"))
    return got.status_code, headers, body if isinstance(body, bytes) else body.encode()
