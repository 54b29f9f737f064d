"""The state of each table over MQTT, for lamps and home automation: whether it calls, has a fault, is playing.

Messages are retained, so that late subscribers get the state at once; a last will tells subscribers that the hall is
gone; and Home Assistant's discovery is supported (home-assistant.io/integrations/mqtt). Nothing of the game is sent.

A hall claims its name with a word that the broker retains: of two halls with one name the older hears the other's word
and keeps silent. What the broker has retained of a table that is not in the list is deleted.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Full, Queue
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from device.hall.frame_limits import LimitedSocket
from device.threads import start_supervised_thread
from referee.game.errors import RefereeError
from web.failure_log import FailureLog
from web.hall.tiles import HallWall, Tile, Urgency

if TYPE_CHECKING:
    from paho.mqtt.client import Client

log = logging.getLogger("shinpan")
LACKING = "MQTT needs paho-mqtt; install it with pip install 'shinpan[hall]'."
ANOTHER = (
    "Another hall tells the broker at {host} as shinpan/{name} now; this one tells it nothing more. "
    "Give one of them another name at the end of `mqtt`, and start it anew."
)
HERE, GONE = "online", "offline"
LOOK_UP, KEEP_ALIVE = 1.0, 30
"""Seconds between two checks whether it has to end; and the keep-alive after which the broker publishes the last
will."""
MOST_HEARD, MOST_FORGOTTEN, MOST_WAITING = 10_000, 4000, 20_000
"""Messages of a broker that are kept until they are looked at, tables that are deleted there after one connection, and
messages that wait for its receipt; a list has 2,000 tables."""
LONGEST_TOPIC, LONGEST = 300, 64
"""Letters of a topic that is looked at, and bytes that count of what it says."""
PORTS = {"mqtt": 1883, "mqtts": 8883}


class NoBroker(RefereeError):
    """A broker's URL that cannot be used; one sentence says why."""


@dataclass(frozen=True)
class Broker:
    """A broker's address, from a URL such as mqtt://user:password@broker:1883/cup.

    host, port: of the broker
    user, password: None if the URL has none
    encrypted: whether TLS is used
    name: of this hall in topics
    """

    host: str
    port: int
    user: str | None
    password: str | None
    encrypted: bool
    name: str

    @classmethod
    def at(cls, address: str) -> Broker:
        """Parse a URL; raise NoBroker if it is not valid."""
        try:
            parts = urlsplit(address)
            port = parts.port or PORTS.get(parts.scheme, 0)
        except ValueError as error:
            raise NoBroker(f"The broker's address cannot be read: {error}.") from error
        name = parts.path.strip("/") or "hall"
        if parts.scheme not in PORTS or not parts.hostname:
            raise NoBroker("The broker's address must begin with mqtt:// or mqtts:// and name a broker.")
        if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
            raise NoBroker("The hall's name at the broker must be of letters, digits and hyphens alone.")
        user, password = (None if one is None else unquote(one) for one in (parts.username, parts.password))
        return cls(parts.hostname, port, user, password, parts.scheme == "mqtts", name)

    @property
    def status(self) -> str:
        """Return the topic that says whether the hall is online."""
        return f"shinpan/{self.name}/status"

    @property
    def claim(self) -> str:
        """Return the topic of the word of the hall that has this name."""
        return f"shinpan/{self.name}/hall"

    def state(self, level: str) -> str:
        """Return the topic of a table by its encoded name."""
        return f"shinpan/{self.name}/{level}/state"

    def level(self, topic: str) -> str:
        """Return the encoded name of the table that has this topic."""
        return topic.removeprefix(f"shinpan/{self.name}/").removesuffix("/state")


def _encode_table(table: str) -> str:
    """Encode a table's name for topics and ids: ASCII letters and digits as they are, all others as hexadecimal
    codes."""
    return "".join(letter if letter.isascii() and letter.isalnum() else f"-{ord(letter):x}-" for letter in table)


def check_broker(address: str) -> Broker:
    """Parse the URL; raise NoBroker if it is not valid, or if paho-mqtt is not installed."""
    broker = Broker.at(address)
    try:
        import paho.mqtt.client  # noqa: F401
    except ImportError as error:
        raise NoBroker(LACKING) from error
    return broker


class Lights:
    """A thread that publishes each tile that changes, and all of them after each connection, until another hall with
    the same name connects.

    broker: the broker's address
    wait: returns the wall once its number exceeds the given one, or after so many seconds
    """

    def __init__(self, broker: Broker, wait: Callable[[int, float], HallWall]) -> None:
        self._broker, self._wait = broker, wait
        self._over, self._connected, self._is_fresh = Event(), Event(), Event()
        self._sent_states = dict[str, str]()
        self._claim_word, self._claimed, self._ousted = secrets.token_hex(8), False, False
        self._failures = FailureLog(log)
        self._messages, self._forgotten = Queue[tuple[str, str]](MOST_HEARD), 0
        self._client = self._build_client()
        self._client.connect_async(broker.host, broker.port, KEEP_ALIVE)
        self._client.loop_start()
        self._thread = start_supervised_thread("lights", self._run)

    def close(self) -> None:
        """Publish that the hall is offline, and disconnect."""
        self._over.set()
        self._thread.join()
        if not self._ousted:
            receipt = self._client.publish(self._broker.status, GONE, qos=1, retain=True)
            with suppress(RuntimeError, ValueError):  # The connection may be lost in this moment.
                receipt.wait_for_publish(LOOK_UP)
        self._client.disconnect()
        self._client.loop_stop()

    def _build_client(self) -> Client:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

        refuse = partial(self._failures.warn, f"The MQTT broker at {self._broker.host} is given up for now")

        class LimitedClient(Client):
            """A client that keeps nothing of what no broker of a hall sends."""

            def _create_socket(self) -> Any:
                return LimitedSocket(super()._create_socket(), refuse)

            def loop_read(self, max_packets: int = 1) -> MQTTErrorCode:
                """Read as the base class does; a packet that it cannot take ends the connection, not its thread."""
                try:
                    return super().loop_read(max_packets)
                except Exception as error:
                    refuse(error)
                    return self._loop_rc_handle(MQTTErrorCode.MQTT_ERR_PROTOCOL)

        client = LimitedClient(CallbackAPIVersion.VERSION2, client_id=f"shinpan-{self._broker.name}-{self._claim_word}")
        client.will_set(self._broker.status, GONE, qos=1, retain=True)
        client.reconnect_delay_set(1, 8)
        client.max_queued_messages_set(MOST_WAITING)
        client.username_pw_set(self._broker.user, self._broker.password)
        if self._broker.encrypted:
            client.tls_set()
        client.on_connect = self._on_connect
        client.on_disconnect = lambda *arguments: self._connected.clear()
        client.on_message = self._queue_message
        return client

    def _on_connect(self, client: Client, *arguments: Any) -> None:
        code = arguments[2]
        if code.is_failure:
            log.warning("The MQTT broker at %s refuses: %s.", self._broker.host, code)
        else:
            client.subscribe([(one, 1) for one in (self._broker.claim, self._broker.status, self._broker.state("+"))])
            if not self._claimed:  # Once: who comes back after another has claimed the name must not take it away.
                client.publish(self._broker.claim, self._claim_word, qos=1, retain=True)
            self._is_fresh.set()
            self._connected.set()

    def _queue_message(self, *arguments: Any) -> None:
        topic, payload = arguments[2].topic, arguments[2].payload[:LONGEST].decode("utf-8", "replace")
        if len(topic) <= LONGEST_TOPIC:
            with suppress(Full):  # No broker of a hall says so much.
                self._messages.put_nowait((topic, payload))

    def _run(self) -> None:
        number, is_online = -1, False
        while not self._over.is_set():
            wall = self._wait(number, LOOK_UP)
            number = wall.number
            if not self._connected.is_set():
                continue
            if self._is_fresh.is_set():
                self._is_fresh.clear()
                self._sent_states.clear()
                is_online, self._forgotten = False, 0
            is_online &= self._is_still_here({_encode_table(tile.table) for tile in wall.tiles})
            if self._ousted:
                return
            for tile in wall.tiles:
                self._publish_tile(tile)
            if not is_online:  # Not before the states, because those that are retained may be old.
                self._client.publish(self._broker.status, HERE, qos=1, retain=True)
                is_online = True

    def _is_still_here(self, levels: set[str]) -> bool:
        """Take what the broker has said; return False if it has said that the hall is gone.

        levels: the encoded names of the tables in the list
        """
        is_online = True
        while not self._messages.empty() and not self._ousted:
            topic, payload = self._messages.get()
            if topic == self._broker.claim:
                self._hear_claim(payload)
            elif topic == self._broker.status:
                is_online = payload != GONE  # The last will of an earlier connection may come late.
            elif payload and self._broker.level(topic) not in levels:
                self._delete_retained(self._broker.level(topic))
        return is_online

    def _hear_claim(self, word: str) -> None:
        """End the telling if another hall has claimed the name after this one."""
        if word == self._claim_word:
            self._claimed = True
        elif self._claimed and word:
            self._ousted = True
            log.warning(ANOTHER.format(host=self._broker.host, name=self._broker.name))
            self._client.disconnect()

    def _delete_retained(self, level: str) -> None:
        """Delete what the broker has retained of a table that is not in the list."""
        self._forgotten += 1
        if self._forgotten > MOST_FORGOTTEN:
            return
        for topic in (self._broker.state(level), *(topic for topic, _ in _discovery_messages(self._broker, level, ""))):
            self._client.publish(topic, b"", qos=1, retain=True)

    def _publish_tile(self, tile: Tile) -> None:
        state = json.dumps({"urgency": tile.urgency.value, "called": tile.call is not None, "stale": tile.stale})
        if self._sent_states.get(tile.table) == state:
            return
        if tile.table not in self._sent_states:
            for topic, config in discovery_messages(self._broker, tile.table):
                self._client.publish(topic, json.dumps(config), qos=1, retain=True)
        self._client.publish(self._broker.state(_encode_table(tile.table)), state, qos=1, retain=True)
        self._sent_states[tile.table] = state


def discovery_messages(broker: Broker, table: str) -> list[tuple[str, dict[str, Any]]]:
    """Return a table's Home Assistant discovery messages: one sensor for its call, one for its state; topic and
    payload each."""
    return _discovery_messages(broker, _encode_table(table), table)


def _discovery_messages(broker: Broker, level: str, table: str) -> list[tuple[str, dict[str, Any]]]:
    node = f"shinpan_{broker.name}_{level}"
    common = {
        "state_topic": broker.state(level),
        "availability_topic": broker.status,
        "payload_available": HERE,
        "payload_not_available": GONE,
        "device": {"identifiers": [node], "name": f"Table {table}", "manufacturer": "shinpan"},
    }
    call_config = {"name": "Calls the director", "value_template": "{{ 'ON' if value_json.called else 'OFF' }}"}
    state_config = {"name": "State", "value_template": "{{ value_json.urgency }}", "device_class": "enum"}
    return [
        (f"homeassistant/binary_sensor/{node}/called/config", {**common, **call_config, "unique_id": f"{node}_called"}),
        (
            f"homeassistant/sensor/{node}/state/config",
            {**common, **state_config, "options": [str(one) for one in Urgency], "unique_id": f"{node}_state"},
        ),
    ]
