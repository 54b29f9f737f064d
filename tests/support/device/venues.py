"""A box that is served over the network, halls that follow it, and their pages."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from device.cli.hall import DIRECTOR, build_backend
from device.hall.hall import Hall
from device.hall.name_removal import HallNameRemover
from device.hall.tables import HallConfig, RoundTerms, TableEntry
from device.machine.pin import Pin
from referee.table.display_state import Sight
from tests.support.device.directed import DirectedTable
from tests.support.waiting import PATIENCE_S
from web.hall.app import create_hall_app
from web.hall.auth import Logins
from web.hall.tiles import Tile
from web.page_server import PageServer, serve_page

CHINESE = RoundTerms("chinese", control="20m")
BOOTED = 900.0
"""The time of day at which the hall's laptop was started."""


class Venues:
    """A box that is served, and halls that follow it. now: the hall's time of day; set: by how much it was set on or
    back since."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.set, self._held = folder, 1000.0, 0.0, ExitStack()
        (folder / "box").mkdir()
        self.box = DirectedTable(folder / "box", control="30m")
        self._held.callback(self.box.close)
        self.box.event_loop.sight(Sight.SEEN, self.box.t)
        self.served = self.serve(self.box.app)

    def serve(self, app: Flask, port: int = 0) -> PageServer:
        return self._held.enter_context(serve_page(app, port=port))

    @property
    def line(self) -> TableEntry:
        """The box's table in the list."""
        return TableEntry("7", self.served.url, self.box.public, self.box.secret)

    def hall(self, line: TableEntry | None = None, **settings: Any) -> Hall:
        folder = str(self.folder / "hall")
        venue = HallConfig("Spring Cup", folder=folder, round=CHINESE, tables=(line or self.line,), **settings)
        return self._held.enter_context(Hall(venue, lambda: self.now + self.set, lambda: self.now - BOOTED))

    def close(self) -> None:
        self._held.close()


def tile_of(hall: Hall, wanted: Callable[[Tile], bool]) -> Tile:
    """The table's tile as soon as it is as wanted."""
    number = -1
    while not wanted(hall.current_wall().tiles[0]):
        before, number = number, hall.wait(number, PATIENCE_S).number
        assert number != before, hall.current_wall().tiles[0]
    return hall.current_wall().tiles[0]


def ends(hall: Hall) -> bool:
    """Close a hall; False if it waits for something that does not come."""
    closing = Thread(target=hall.close, daemon=True)
    closing.start()
    closing.join(PATIENCE_S)
    return not closing.is_alive()


ORIGIN = {"Origin": "http://localhost"}


def pages(venues: Venues, hall: Hall, removal: HallNameRemover | None = None) -> tuple[FlaskClient, str]:
    """A browser at the hall, and the helpers' PIN."""
    folder = venues.folder / "hall"
    pin, removal = Pin(folder), removal or HallNameRemover(folder)
    desk = build_backend(hall, pin, Pin(folder, DIRECTOR), removal, Logins())
    return create_hall_app(desk).test_client(), pin.make()


def directing(venues: Venues, hall: Hall, removal: HallNameRemover | None = None) -> tuple[FlaskClient, dict[str, str]]:
    """A browser in which the director came in, and the headers that its acts carry."""
    client, _ = pages(venues, hall, removal)
    credentials = {"pin": Pin(venues.folder / "hall", DIRECTOR).make(), "name": "Ada", "role": "director"}
    token = client.post("/session", json=credentials, headers=ORIGIN).get_json()["token"]
    return client, {**ORIGIN, "X-Token": token}
