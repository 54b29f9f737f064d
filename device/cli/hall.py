"""`shinpan hall`: all tables of a hall on one wall, until it is stopped."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from device.cli.options import PORT, TEXT, Exit, NamedPath, declare_command, print_aside, print_note
from device.hall.desk_lines import add_tables, read_desk
from device.hall.hall import Hall
from device.hall.mqtt import Broker, Lights, check_broker
from device.hall.name_removal import HallNameRemover
from device.hall.nearby import NONE, found_near, suggest_changes
from device.hall.public.ogs import SERVER, OgsRelay, check_ogs
from device.hall.public.stream import Sender, Source, check_stream
from device.hall.tables import HallConfig, read_tables
from device.machine.label import describe_addresses
from device.machine.pin import Pin
from device.settings import Page, expand_home
from device.system import system
from device.table.match_config import describe_choices
from device.threads import install_signal_handlers
from web.gallery.app import create_gallery_app
from web.hall.app import HallDesk, create_hall_app
from web.hall.auth import Keys, Logins
from web.hall.round import RoundDesk
from web.page_server import serve_page

DIRECTOR = "director-pin"
"""The file of the hall director's PIN."""
LOOK_UP_S = 0.25
"""Seconds between two checks for a name that is to be removed."""
FILES = 8192
"""Open files allowed; a hall has at most 2,000 tables, and each of its pages at most 900 visitors."""


@declare_command(
    "hall",
    "Show all tables of a tournament on one wall.",
    ("hall tables.toml", "the tables of this list; each box's desk shows its lines"),
    ("hall tables.toml --pin", "make new PINs for helpers and director first"),
    ("hall tables.toml --add desk.jpg", "add the box whose desk shows the code in this photograph"),
    ("hall tables.toml --add -", "add the boxes whose lines are pasted"),
    ("hall tables.toml --find", "say which boxes tell the network where they are"),
)
@click.argument("tables", type=NamedPath())
@click.option("--pin", is_flag=True, help="Make new PINs for helpers and director.")
@click.option("--port", type=PORT, metavar="N", help="The wall's port.")
@click.option("--find", is_flag=True, help="Look for boxes in the network, and compare with the list.")
@click.option(
    "--add",
    type=TEXT,
    multiple=True,
    metavar="CODE",
    help="Add a box to the list: a picture of the code on its desk, a camera, or - to paste its lines.",
)
@click.option("--publish", type=TEXT, metavar="URL", help="A stream that is told what is public: nats://server:4222.")
def hall_command(
    tables: Path, pin: bool, port: int | None, find: bool, add: tuple[str, ...], publish: str | None
) -> int:
    """Run until Ctrl-C."""
    if add:
        return _add_tables(tables, add)
    if find:
        return _print_found(tables)
    venue = read_tables(tables)
    system.allow_open_files(FILES)
    venue = venue if publish is None else replace(venue, publish=publish)
    stream = check_stream(venue.publish) if venue.publish is not None else None
    broker = check_broker(venue.mqtt) if venue.mqtt is not None else None
    token = check_ogs(expand_home(venue.ogs)) if venue.ogs is not None else None
    venue = venue if port is None else replace(venue, port=port)
    folder, over = expand_home(venue.folder), threading.Event()
    removal, logins = HallNameRemover(folder), Logins()
    install_signal_handlers(over)  # Not before all named files are read: nothing waits for `over` until then.
    while not over.is_set():
        venue = _run_hall(venue, _Outside(stream, broker, token), removal, logins, over, pin)
        pin = False
        if removal.is_due.is_set():
            removal.remove()
    return Exit.DONE


@dataclass(frozen=True)
class _Outside:
    """The places outside that a hall tells of its tables, None if it does not."""

    stream: Source | None
    broker: Broker | None
    ogs_token: str | None


def _run_hall(
    venue: HallConfig, outside: _Outside, removal: HallNameRemover, logins: Logins, over: threading.Event, pin: bool
) -> HallConfig:
    """Run until it is over, or a name is to be removed; return the settings with the ports that were free at first."""
    folder = expand_home(venue.folder)
    with Hall(venue) as hall, ExitStack() as stack:
        helpers, director = Pin(folder), Pin(folder, DIRECTOR)
        greeting = _new_pin_line(helpers, "helpers'", pin) + _new_pin_line(director, "hall director's", pin)
        desk = build_backend(hall, helpers, director, removal, logins)
        server = stack.enter_context(serve_page(create_hall_app(desk), venue.host, venue.port))
        venue = replace(venue, port=server.port)
        greeting += f"shinpan: the wall is at {describe_addresses(Page(server.host, server.port))}"
        if venue.public:
            gallery = stack.enter_context(serve_page(create_gallery_app(hall.room), venue.host, venue.gallery))
            venue = replace(venue, gallery=gallery.port)
            greeting += (
                f",\nshinpan: the gallery, for everybody, at {describe_addresses(Page(gallery.host, gallery.port))}"
            )
        if (stream := outside.stream) is not None:
            stack.callback(Sender(stream, hall.public.sends, hall.public.mark_sent).close)
            greeting += f",\nshinpan: what is public goes to {stream.where} as {stream.name}"
        if outside.ogs_token is not None:
            stack.callback(OgsRelay(outside.ogs_token, hall.room, folder).close)
            greeting += f",\nshinpan: public games go to boards at {SERVER}"
        if (broker := outside.broker) is not None:
            stack.callback(Lights(broker, hall.wait).close)
            greeting += f",\nshinpan: how each table stands is told to {broker.host} as shinpan/{broker.name}"
        print_aside(f"{greeting}; Ctrl-C ends.")
        while not over.wait(LOOK_UP_S) and not removal.is_due.is_set():
            pass
    return venue


def build_backend(hall: Hall, helpers: Pin, director: Pin, removal: HallNameRemover, logins: Logins) -> HallDesk:
    """Build the backend of the hall's pages."""
    round_desk = RoundDesk(
        Keys(director.is_right, lambda: director.stamp),
        hall.draft,
        hall.rounds.hand_out,
        hall.rounds.withdraw,
        hall.rounds.handed_out,
        describe_choices,
    )
    queries = hall.current_wall, hall.wait, hall.ages, hall.waits, hall.now, hall.comes, hall.entering
    pin = helpers.is_right, lambda: helpers.stamp
    forget = partial(removal.ask, lambda: hall.current_wall().tiles)
    return HallDesk(*queries, *pin, round_desk, hall.report, hall.last_board, forget, logins)


def _add_tables(tables: Path, codes: tuple[str, ...]) -> int:
    """Add boxes to the list, all or none."""
    for entry in add_tables(tables, [read_desk(one, print_note) for one in codes]):
        print(f"Table {entry.table} at {entry.address} is in {tables} now.")
    return Exit.DONE


def _print_found(tables: Path) -> int:
    """Print the boxes found, compared with the list if there is one yet."""
    venue = read_tables(tables) if tables.exists() else HallConfig()
    boxes = found_near(venue.host)
    for line in suggest_changes(boxes, venue.tables):
        print(line)
    if not boxes:
        print_aside(NONE)
    return Exit.DONE


def _new_pin_line(pin: Pin, whose: str, is_new_wanted: bool) -> str:
    """Return the line with a new PIN, if there is none yet or a new one is wanted; else the empty string."""
    return f"shinpan: the {whose} PIN is {pin.make()}.\n" if is_new_wanted or pin.stamp is None else ""
