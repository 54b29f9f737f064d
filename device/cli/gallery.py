"""`shinpan gallery`: the public boards of a hall from a stream, on any number of machines, until it is stopped."""

from __future__ import annotations

import threading
from contextlib import closing

import click

from device.cli.options import PORT, TEXT, Exit, declare_command, print_aside
from device.hall.public.stream import Receiver, check_stream
from device.machine.label import describe_addresses
from device.settings import Page
from device.system import system
from device.threads import install_signal_handlers
from web.gallery.app import create_gallery_app
from web.gallery.publication import Room
from web.page_server import MOST_CONNECTIONS, serve_to_all

LISTENS = "0.0.0.0"
FILES = 2 * MOST_CONNECTIONS
"""Open files allowed: one for each viewer, and others."""


@declare_command(
    "gallery",
    "Show the public boards of a hall from a stream.",
    ("gallery --from nats://relay.example:4222/spring-cup", "what a hall tells there under this name"),
    ("gallery --from nats://127.0.0.1:4222 --viewers 1000", "for so many who follow live"),
    ("gallery --from nats://127.0.0.1:4222 --port 8102", "at another port"),
)
@click.option("--from", "source", type=TEXT, metavar="URL", required=True, help="The stream: nats://server:4222/name.")
@click.option("--port", type=PORT, default=8101, metavar="N", help="The gallery's port.")
@click.option("--host", type=TEXT, default=LISTENS, metavar="ADDRESS", help="Where it is served.")
@click.option("--viewers", type=click.IntRange(0, 4000), default=500, metavar="N", help="Live streams at once.")
def gallery_command(source: str, port: int, host: str, viewers: int) -> int:
    """Run until Ctrl-C."""
    over, stream = threading.Event(), check_stream(source)
    install_signal_handlers(over)
    system.allow_open_files(FILES)
    room = Room()
    with serve_to_all(create_gallery_app(room, viewers), host, port) as server, closing(Receiver(stream, room.take)):
        where = describe_addresses(Page(server.host, server.port))
        print_aside(f"shinpan: the gallery of {stream.name} at {stream.where} is at {where}; Ctrl-C ends.")
        over.wait()
    return Exit.DONE
