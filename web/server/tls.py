"""The page over TLS: handshakes in a thread of their own, so that a slow one keeps nobody else waiting.

A handshake costs far more than a request, and anybody in the hall's network may begin one. So this server does nothing
but handshakes. Afterwards it hands one end of a pair of sockets to the page's server, which limits and serves the
client there like every other (web/server/fair_server.py), and carries bytes between that pair and the client.

These rules hold:

- A client that has not finished its handshake costs one connection, and no worker of the page. It has HANDSHAKE_S.
- An address with more than AT_ONCE connections gets its further handshakes one by one, every TURN_S, the newest first:
  who reloads a page waits for the newest connection, and the others are perhaps given up (`HandshakeTurns`). Other
  addresses are not kept waiting by that.
- If there is no room, the oldest connection of the fullest address makes some, or of the client's own address if that
  has its maximum. Connections of reserved addresses make room for nobody else's.
- A certificate that is renewed on the disk is served without a restart; one that cannot be loaded leaves the old one in
  place.

Threads: one runs an event loop, in which each client is a task, so nothing here needs a lock. `close` is called from
another thread, and `adopt` hands the client to the page's.

What is implicit. `_clients` is a dict without values, because it keeps the order in which clients came: the first of an
address is its oldest. A new certificate is looked for every LOOK_UP_S, however many connect.

What is ugly: bytes are copied through a pair of sockets, which costs three descriptors a client and some time for each
answer. waitress speaks no TLS and reads from sockets alone, and a blocking handshake in its one loop is just what this
server is there to avoid.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Protocol

from device.system import system
from web.failure_log import FailureLog
from web.server.fair_server import ReservedAddresses, address_of
from web.server.tls_files import TlsFiles, fingerprint_of, first_certificate

log = logging.getLogger("shinpan")
HANDSHAKE_S = 5.0
MOST_CLIENTS, AN_ADDRESS = 300, 64
"""Connections over TLS: in all, and of one address."""
KEPT_CLIENTS = 40
"""Further connections, reserved for kept addresses, whose connections make room for nobody else's."""
AT_ONCE, TURN_S = 24, 0.05
"""Connections of an address whose handshakes begin at once, and seconds between the turns of its further ones."""
LAST_BYTES_S = 20.0
"""Seconds for which a client may take the end of an answer."""
CHUNK = 64 * 1024
LOOK_UP_S = 1.0
FILES = 4096
"""Open files: a client over TLS takes three."""


class Timers(Protocol):
    """An event loop: it calls later and makes futures."""

    def call_later(self, delay: float, callback: Callable[[str], None], address: str) -> object:
        """Call after so many seconds."""

    def create_future(self) -> asyncio.Future[None]:
        """Return a new one."""


Adopt = Callable[[socket.socket, Any, str], None]
"""Takes a client: its decrypted end, its address, and the machine's address to which it came; from any thread."""


class ServerCertificate:
    """The certificate that is served; it follows its file."""

    def __init__(self, files: TlsFiles) -> None:
        self.files = files
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.set_alpn_protocols(["http/1.1"])
        self._stamp = (0, 0)
        self.fingerprint = self.key_fingerprint = ""
        self._load_files()

    def refresh(self) -> None:
        """Load the files again if they have changed; what cannot be loaded leaves the old certificate."""
        with suppress(OSError, ValueError):
            if self._stamp != _file_stamp(self.files):
                self._load_files()

    def _load_files(self) -> None:
        stamp = _file_stamp(self.files)
        self.context.load_cert_chain(self.files.certificate, self.files.key)
        self.fingerprint = fingerprint_of(self.files.certificate)
        self.key_fingerprint = key_fingerprint(first_certificate(self.files.certificate))
        self._stamp = stamp


def _file_stamp(files: TlsFiles) -> tuple[int, int]:
    return files.certificate.stat().st_mtime_ns, files.key.stat().st_mtime_ns


def key_fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 of the public key of a DER certificate, which stays the same when it is renewed.

    Raises ValueError if it is no certificate. The bytes hashed are the SubjectPublicKeyInfo (RFC 7469, 2.4).
    """
    from cryptography import x509  # An eighth of the page's start, and few pages are served over TLS.
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_der_x509_certificate(certificate).public_key()
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


@dataclass(eq=False)
class _Client:
    """A connection. task: serves it."""

    address: str
    task: asyncio.Task[None] | None = None


class HandshakeTurns:
    """The turns of those who wait for their handshake: an address has one every TURN_S, which its newest client takes.

    loop: runs the timers, and has the futures.
    """

    def __init__(self, loop: Timers) -> None:
        self._loop = loop
        self._queues = dict[str, list[asyncio.Future[None]]]()

    def wait(self, address: str) -> asyncio.Future[None]:
        """Return what is done when a client's turn has come, and may be cancelled."""
        queue, turn = self._queues.setdefault(address, []), self._loop.create_future()
        queue.append(turn)
        if len(queue) == 1:
            self._loop.call_later(TURN_S, self._give_turn, address)
        return turn

    def _give_turn(self, address: str) -> None:
        queue = [turn for turn in self._queues.pop(address) if not turn.done()]
        if queue:
            queue.pop().set_result(None)
            self._queues[address] = queue
            self._loop.call_later(TURN_S, self._give_turn, address)


class TlsServer:
    """The listener for TLS; it runs until it is closed."""

    def __init__(
        self, certificate: ServerCertificate, listening: socket.socket, adopt: Adopt, *reserved: ReservedAddresses
    ) -> None:
        """Start listening.

        certificate: the one served.
        listening: a listening socket, which is closed at the end.
        adopt: takes each client.
        reserved: addresses with reserved connections.
        """
        self.certificate, self._adopt, self._reserved = certificate, adopt, reserved
        self._listener = listening
        self._listener.setblocking(False)
        self._clients, self._failures = dict[_Client, None](), FailureLog(log)
        logging.getLogger("asyncio").addFilter(self._failures)
        self._loop, self._ready = asyncio.new_event_loop(), Event()
        self._turns = HandshakeTurns(self._loop)
        system.allow_open_files(FILES)
        self._thread = Thread(target=self._run, name="tls", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all connections, and release the port."""
        self._ready.wait()
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._main.cancel)
        self._thread.join()
        logging.getLogger("asyncio").removeFilter(self._failures)

    def _run(self) -> None:
        self._main = self._loop.create_task(self._accept_clients())
        self._following = self._loop.create_task(self._follow_certificate())
        self._ready.set()
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._main)
        self._loop.run_until_complete(_end_tasks(asyncio.all_tasks(self._loop)))
        self._listener.close()
        self._loop.close()

    async def _follow_certificate(self) -> None:
        while True:
            await asyncio.sleep(LOOK_UP_S)
            self.certificate.refresh()

    async def _accept_clients(self) -> None:
        while True:
            try:
                sock, remote = await self._loop.sock_accept(self._listener)
            except OSError:  # No file is free, or the client has gone.
                await asyncio.sleep(0.05)
                continue
            address = address_of(remote[0])
            if not self._has_room(address):
                sock.close()
                continue
            client = _Client(address)
            self._clients[client] = None
            client.task = self._loop.create_task(self._serve_client(client, sock, remote))

    def _has_room(self, address: str) -> bool:
        """Return True if there is room, after the oldest client of the address with the most was dropped if need be."""
        counts = Counter(client.address for client in self._clients)
        if counts[address] >= AN_ADDRESS:
            return self._drop_oldest(address)
        if len(self._clients) < MOST_CLIENTS + (KEPT_CLIENTS if self._is_reserved(address) else 0):
            return True
        crowd = next((one for one, _ in counts.most_common() if not self._is_reserved(one)), address)
        return self._drop_oldest(crowd)

    def _is_reserved(self, address: str) -> bool:
        return any(address in addresses for addresses in self._reserved)

    def _drop_oldest(self, address: str) -> bool:
        oldest = next((client for client in self._clients if client.address == address), None)
        if oldest is not None:
            self._clients.pop(oldest)
            if oldest.task is not None:
                oldest.task.cancel()
        return oldest is not None

    async def _serve_client(self, client: _Client, sock: socket.socket, remote: Any) -> None:
        transport: asyncio.Transport | None = None
        try:
            here = str(sock.getsockname()[0])
            if sum(other.address == client.address for other in self._clients) > AT_ONCE:
                await self._turns.wait(client.address)
            reader = asyncio.StreamReader(CHUNK)
            protocol = asyncio.StreamReaderProtocol(reader)
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: protocol, sock, ssl=self.certificate.context, ssl_handshake_timeout=HANDSHAKE_S
            )
            await self._carry_bytes(reader, asyncio.StreamWriter(transport, protocol, reader, self._loop), remote, here)
        except (OSError, ValueError, asyncio.CancelledError):
            pass  # A client that speaks no TLS, is too slow, or has gone.
        except Exception as error:
            self._failures.warn("A connection over TLS failed", error)
        finally:
            self._clients.pop(client, None)
            if transport is not None:
                transport.abort()
            else:
                sock.close()

    async def _carry_bytes(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, remote: Any, here: str
    ) -> None:
        """Carry bytes between the client and the page's server until one of them ends."""
        ours, theirs = socket.socketpair()
        inner, within = await asyncio.open_connection(sock=ours, limit=CHUNK)
        self._adopt(theirs, remote, here)
        ways = [asyncio.create_task(_copy_bytes(reader, within)), asyncio.create_task(_copy_bytes(inner, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            if ways[1].done():  # The answer has ended: its last bytes may still be on their way.
                writer.close()
                with suppress(TimeoutError, OSError):
                    await asyncio.wait_for(writer.wait_closed(), LAST_BYTES_S)
        finally:
            for way in ways:
                way.cancel()
            within.transport.abort()


async def _end_tasks(tasks: set[asyncio.Task[Any]]) -> None:
    """Cancel the tasks; return when all have ended, and what they cut is closed."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
    await asyncio.sleep(0)


async def _copy_bytes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
