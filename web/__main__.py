"""The web process: `python -m web LISTENING LINK [TLS]`, sockets that it is handed; see `web.server.ipc`."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
from contextlib import ExitStack

from device.system import system
from vision.input_files import read_stored
from web.app import create_app
from web.auth import Memory
from web.connections import paired_addresses_of, reserved_addresses_of
from web.failure_log import failure_line
from web.page_config import AccessConfig, PageIdentity
from web.page_server import PageServer
from web.server.excepthook import log_failures
from web.server.ipc import BEAT, IpcClient
from web.server.tls import ServerCertificate, TlsServer
from web.voice.clips import Clips

NICER = 10
"""The added niceness: if cores are scarce the box goes first."""
FIRST_TO_GO = 500
"""The OOM score: if memory is scarce this process is killed first, and restarted."""
BOX_GONE = 1
COLLECTS = 20_000, 20, 20
"""Thresholds of the cyclic garbage collector: the box sends many values and no cycles, and scanning them all took up to
30 ms while viewers waited.
"""


class _Forwarding(logging.Handler):
    """A logging handler that sends warnings and errors to the box's log."""

    def __init__(self, link: IpcClient) -> None:
        super().__init__(logging.WARNING)
        self._link = link

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._link.log(record.levelno, failure_line(f"page: {record.getMessage()}", error))


def main(listening: socket.socket, link: socket.socket, secure: socket.socket | None = None) -> None:
    """Serve until the box's end is closed, or gone."""
    system.lower_priority(NICER, FIRST_TO_GO)
    end = IpcClient(link)
    logging.getLogger().addHandler(_Forwarding(end))
    log_failures(logging.getLogger())
    config = end.serving
    access = AccessConfig(config.viewers, config.reserved, Memory(config.memory, end.keep))
    clips = Clips(config.voice, read_stored, config.recordings) if config.voice is not None else None
    certificate = ServerCertificate(config.tls) if config.tls is not None else None
    identity = PageIdentity(config.names, config.address, config.secure_address, certificate, config.box)
    app = create_app(end.backend, identity, access, clips)
    gc.freeze()
    gc.set_threshold(*COLLECTS)
    with ExitStack() as stack:
        server = stack.enter_context(PageServer(app, listening))
        if certificate is not None and secure is not None:
            tls = TlsServer(certificate, secure, server.adopt, reserved_addresses_of(app), paired_addresses_of(app))
            stack.callback(tls.close)
        while not end.over.wait(BEAT):
            if server.is_looping:
                end.beat()
        if end.gone:
            os._exit(BOX_GONE)  # The next box needs the port.


if __name__ == "__main__":
    main(*system.received_sockets(sys.argv[1:]))
