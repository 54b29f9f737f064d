"""News over a NATS JetStream stream, from which any number of galleries read the news of one hall or many.

The hall sends the news in order, each until the server acknowledges it; its id makes sure that it is stored once. A
gallery resumes at its last position however often the connection or the server is lost.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from device.hall.frame_limits import LimitedTransport
from device.threads import start_supervised_thread
from referee.game.errors import RefereeError
from web.bounded_json import loads_bounded
from web.failure_log import FailureLog
from web.gallery.publication import LastBoardNews, News, RecordNews, ResultNews, check_news

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.js import JetStreamContext

log = logging.getLogger("shinpan")
STREAM, USUAL = "SHINPAN", "hall"
"""The stream's name, and the default name of a hall if the URL has none."""
OFTEN, PATIENCE = 0.25, 5.0
"""Seconds between two checks for news to send, and to wait for a server."""
AT_ONCE, FETCHED_AT_ONCE = 200, 20
"""News sent and fetched per request; what is fetched is kept until all has come."""
MOST_PENDING = 32 * 1024 * 1024
"""Bytes of messages that wait to be read."""
REPEATS = 3600.0
"""The server's deduplication window in seconds."""
LASTS, MOST = 30 * 24 * 3600.0, 1000
"""Retention on the server: seconds, and messages per subject."""
LACKING = "The stream needs nats-py; install it with pip install 'shinpan[hall]'."


class CannotStream(RefereeError):
    """A failure to use the stream; one sentence says why."""


@dataclass(frozen=True)
class Source:
    """A stream's address, from a URL such as nats://server:4222/spring-cup.

    servers: one or more URLs, separated by commas in the address
    name: this hall's name in the subjects
    """

    servers: tuple[str, ...]
    name: str

    @classmethod
    def at(cls, address: str) -> Source:
        """Parse an address; raise CannotStream if it is not valid."""
        *others, last = address.split(",")
        parts = urlsplit(last)
        name, servers = parts.path.strip("/") or USUAL, (*others, f"{parts.scheme}://{parts.netloc}")
        if any(urlsplit(one).scheme not in ("nats", "tls") or not urlsplit(one).hostname for one in servers):
            raise CannotStream("The stream's address must begin with nats:// or tls:// and name a server.")
        if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
            raise CannotStream("What news is told under must be of letters, digits and hyphens alone.")
        return cls(servers, name)

    @property
    def where(self) -> str:
        """Return the servers for display, without the password."""
        return ", ".join(f"{urlsplit(one).hostname}:{urlsplit(one).port or 4222}" for one in self.servers)

    @property
    def subjects(self) -> str:
        """Return the wildcard of all subjects under this name."""
        return f"shinpan.{self.name}.>"

    def subject(self, news: News) -> str:
        """Return the subject of a piece of news; news replaces earlier news under the same subject."""
        what = news.what
        if isinstance(what, (ResultNews, LastBoardNews)):
            kind = "result" if isinstance(what, ResultNews) else "last"
            return f"shinpan.{self.name}.{_subject_token(news.table)}.{kind}.{_subject_token(what.game)}"
        return (
            f"shinpan.{self.name}.{_subject_token(news.table)}.{'record' if isinstance(what, RecordNews) else 'board'}"
        )


def _subject_token(text: str) -> str:
    """Encode any text as a subject token."""
    return text.encode().hex() or "-"


def check_stream(address: str) -> Source:
    """Parse the address; raise CannotStream if it is not valid, or if nats-py is not installed."""
    source = Source.at(address)
    try:
        import nats  # noqa: F401
    except ImportError as error:
        raise CannotStream(LACKING) from error
    return source


class _StreamConnection(ABC):
    """A connection to the stream in its own thread, re-established whenever it is lost."""

    def __init__(self, source: Source, name: str) -> None:
        self._source, self._over = source, Event()
        self._failures = FailureLog(log)
        logging.getLogger("nats.aio.client").addFilter(self._failures)
        self._thread = start_supervised_thread(name, lambda: asyncio.run(self._stay_connected()))

    def close(self) -> None:
        """Close the connection and wait for the thread."""
        self._over.set()
        self._thread.join()
        logging.getLogger("nats.aio.client").removeFilter(self._failures)

    @abstractmethod
    async def _work(self, stream: JetStreamContext) -> None:
        """Work for as long as the connection lasts."""

    async def _stay_connected(self) -> None:
        while not self._over.is_set():
            try:
                client = await self._connect()
                try:
                    await self._work(client.jetstream(timeout=PATIENCE))
                finally:
                    await _close_quietly(client)
            except Exception as error:  # Whatever the server makes of nats-py.
                self._failures.warn(f"The stream at {self._source.where} is lost and tried again", error)
                await asyncio.sleep(4 * OFTEN)

    async def _connect(self) -> Client:
        from nats.aio.client import Client
        from nats.aio.transport import TcpTransport

        client = Client()
        transport: Any = LimitedTransport(TcpTransport())  # type: ignore[no-untyped-call]
        client._transport = transport
        servers = list(self._source.servers)
        await client.connect(servers, connect_timeout=int(PATIENCE), allow_reconnect=False, error_cb=_ignore_error)
        return client


async def _ignore_error(error: Exception) -> None:
    """Ignore an error that is also raised where the operation is awaited."""


async def _close_quietly(client: Client) -> None:
    from nats.errors import Error

    try:
        await asyncio.wait_for(client.close(), PATIENCE)
    except (Error, OSError, TimeoutError):
        log.debug("The connection was lost before it was closed.")


class Sender(_StreamConnection):
    """The sender of published news.

    get_unsent: returns up to so many unsent news, the oldest first
    mark_sent: called with the number up to which all news was sent
    """

    def __init__(
        self, source: Source, get_unsent: Callable[[int], list[News]], mark_sent: Callable[[int], None]
    ) -> None:
        self._get_unsent, self._mark_sent, self._is_refused = get_unsent, mark_sent, False
        super().__init__(source, "sender")

    async def _work(self, stream: JetStreamContext) -> None:
        await _ensure_stream(stream)
        while not self._over.is_set():
            news, last_sent, is_marked = self._get_unsent(AT_ONCE), 0, True
            try:
                for one in news:
                    await self._publish_news(stream, one)
                    last_sent = one.number
            finally:
                if last_sent:
                    is_marked = self._mark(last_sent)
            if not news or not is_marked:
                await asyncio.sleep(OFTEN if is_marked else 4 * OFTEN)

    def _mark(self, number: int) -> bool:
        """Mark what was sent; return False if the disk refuses it: then it is sent again, and readers leave it out."""
        try:
            self._mark_sent(number)
        except RefereeError as error:
            if not self._is_refused:
                log.warning("%s", error)
            self._is_refused = True
            return False
        self._is_refused = False
        return True

    async def _publish_news(self, stream: JetStreamContext, news: News) -> None:
        headers = {"Nats-Msg-Id": news.id}
        await stream.publish(self._source.subject(news), msgspec.json.encode(news), PATIENCE, STREAM, headers)


async def _ensure_stream(stream: JetStreamContext) -> None:
    """Create the stream if there is none: with three replicas if there are enough servers."""
    from nats.js.api import StreamConfig
    from nats.js.errors import Error, NotFoundError

    config = StreamConfig(
        STREAM, subjects=["shinpan.>"], max_age=LASTS, max_msgs_per_subject=MOST, duplicate_window=REPEATS
    )
    try:
        await stream.stream_info(STREAM)
        return
    except NotFoundError:
        log.info("The stream is made.")
    try:
        await stream.add_stream(config.evolve(num_replicas=3))
    except Error:
        await stream.add_stream(config.evolve(num_replicas=1))


class Receiver(_StreamConnection):
    """The receiver of news, in order and each once.

    receive: called with each piece of news
    """

    def __init__(self, source: Source, receive: Callable[[News], None]) -> None:
        self._receive, self._last_read, self._numbers = receive, 0, dict[str, int]()
        self._created_at: datetime | None = None
        super().__init__(source, "receiver")

    async def _work(self, stream: JetStreamContext) -> None:
        from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
        from nats.js.errors import NotFoundError

        try:
            created_at = (await stream.stream_info(STREAM)).created
        except NotFoundError:  # No hall has published anything yet.
            await asyncio.sleep(4 * OFTEN)
            return
        # This time may also differ between the servers of one stream.
        if self._created_at and created_at != self._created_at:
            log.info("The stream at %s may have been made anew: all of it is read.", self._source.where)
            self._last_read = 0
        begin = DeliverPolicy.BY_START_SEQUENCE if self._numbers else DeliverPolicy.LAST_PER_SUBJECT
        self._created_at = created_at
        config = ConsumerConfig(
            deliver_policy=begin,
            opt_start_seq=self._last_read + 1 if self._numbers else None,
            ack_policy=AckPolicy.NONE,
            inactive_threshold=60.0,
            mem_storage=True,
            num_replicas=1,
        )
        subscription = await stream.pull_subscribe(
            self._source.subjects, stream=STREAM, config=config, pending_bytes_limit=MOST_PENDING
        )
        while not self._over.is_set():
            try:
                for message in await subscription.fetch(FETCHED_AT_ONCE, timeout=4 * OFTEN):
                    self._take_news(message.data, message.metadata.sequence.stream)
            except TimeoutError:  # Also Python's own: nats-py raises it if the answer comes at the last moment.
                delivered = (await subscription.consumer_info()).delivered
                if delivered is not None and delivered.stream_seq > self._last_read:
                    return  # A message was lost on the way: resume at the last position.

    def _take_news(self, data: bytes, place: int) -> None:
        try:
            news = msgspec.convert(loads_bounded(data), News)
            check_news(news)
        except ValueError as error:
            log.warning("News %d of the stream cannot be read: %s.", place, error)
        else:
            if news.number > self._numbers.get(news.hall, 0):
                self._numbers[news.hall] = news.number
                self._receive(news)
        self._last_read = place
