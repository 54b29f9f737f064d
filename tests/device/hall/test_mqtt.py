"""A broker knows how each table stands, and whether the hall is there."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from threading import Condition
from types import SimpleNamespace
from typing import Any

import pytest

from device.hall.mqtt import (
    ANOTHER,
    LACKING,
    MOST_HEARD,
    MOST_WAITING,
    Broker,
    Lights,
    NoBroker,
    check_broker,
    discovery_messages,
)
from tests.support.hall.brokers import Mosquitto, mosquitto
from tests.support.waiting import until
from web.hall.tiles import Call, HallWall, Tile, Urgency


class Wall:
    """A wall that is changed by hand; done: the number of the newest of which all was told."""

    def __init__(self, *tiles: Tile) -> None:
        self._changed, self._shown, self.done = Condition(), HallWall(1, "Spring Cup", tiles), 0

    def show(self, *tiles: Tile) -> None:
        with self._changed:
            self._shown = HallWall(self._shown.number + 1, "Spring Cup", tiles)
            self._changed.notify_all()

    def wait(self, number: int, timeout: float) -> HallWall:
        with self._changed:
            self.done = number
            self._changed.wait_for(lambda: self._shown.number > number, timeout)
            return self._shown


class Listener:
    """A client that hears everything; said: the newest of each topic; all: topics and payloads in order."""

    def __init__(self, port: int) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.said, self.all = dict[str, str](), list[tuple[str, str]]()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = lambda client, data, message: self._hear(message.topic, message.payload.decode())
        self._client.on_connect = lambda client, *args: client.subscribe("#", qos=1)
        self._client.reconnect_delay_set(1, 1)
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()

    def _hear(self, topic: str, text: str) -> None:
        self.said[topic] = text
        self.all.append((topic, text))

    def state(self, table: str):
        return json.loads(self.said.get(f"shinpan/cup/{table}/state", "{}"))

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


PLAYING = Tile("7", "http://192.0.2.7/", urgency=Urgency.PLAYING, stale=False)
OTHER = Tile("8", "http://192.0.2.8/", urgency=Urgency.PLAYING, stale=False)
CALLED = Tile("7", "http://192.0.2.7/", urgency=Urgency.CALLED, stale=False, call=Call(1, 1000.0))


@pytest.fixture
def broker(tmp_path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as running:
        yield running


def lights(broker: Mosquitto, wall: Wall) -> Lights:
    return Lights(check_broker(f"mqtt://127.0.0.1:{broker.port}/cup"), wall.wait)


@pytest.mark.slow
def test_a_call_is_told_to_who_listens_and_to_who_comes_later(broker):
    wall = Wall(PLAYING)
    with closing(lights(broker, wall)), closing(Listener(broker.port)) as early:
        until(lambda: early.state("7") == {"urgency": "playing", "called": False, "stale": False})
        wall.show(CALLED)
        until(lambda: early.state("7").get("called") is True)
        with closing(Listener(broker.port)) as late:
            descriptions = discovery_messages(Broker.at("mqtt://x/cup"), "7")
            until(lambda: late.state("7").get("called") is True and late.said.get("shinpan/cup/status") == "online")
            until(lambda: all(topic in late.said for topic, _ in descriptions))
            assert [json.loads(late.said[topic]) for topic, _ in descriptions] == [config for _, config in descriptions]


@pytest.mark.slow
def test_the_broker_says_when_the_hall_is_gone(broker):
    with closing(Listener(broker.port)) as listener:
        telling = lights(broker, Wall(PLAYING))
        until(lambda: listener.said.get("shinpan/cup/status") == "online")
        telling._client.on_connect = None  # From now on it comes back, but says nothing.
        telling._client.socket().shutdown(socket.SHUT_RDWR)
        until(lambda: listener.said["shinpan/cup/status"] == "offline")
        telling.close()
    with closing(Listener(broker.port)) as listener:
        telling = lights(broker, Wall(PLAYING))
        until(lambda: listener.said.get("shinpan/cup/status") == "online")
        telling.close()
        until(lambda: listener.said["shinpan/cup/status"] == "offline")


@pytest.mark.slow
def test_a_broker_that_forgot_everything_is_told_anew(broker):
    with closing(lights(broker, Wall(PLAYING))), closing(Listener(broker.port)) as listener:
        until(lambda: listener.state("7") != {})
        broker.kill()
        listener.said.clear()
        broker.again()
        until(lambda: listener.state("7").get("urgency") == "playing" and "shinpan/cup/status" in listener.said)


@pytest.mark.slow
def test_the_states_come_before_the_hall_is_online(broker):
    with closing(Listener(broker.port)) as listener:
        with closing(lights(broker, Wall(PLAYING, OTHER))):
            until(lambda: listener.said.get("shinpan/cup/status") == "online")
        until(lambda: listener.said.get("shinpan/cup/status") == "offline" and listener.state("7") != {})
        listener.all.clear()
        with closing(lights(broker, Wall(CALLED, OTHER))):
            until(lambda: ("shinpan/cup/status", "online") in listener.all)
    topics = [topic for topic, _ in listener.all]
    online = listener.all.index(("shinpan/cup/status", "online"))
    assert max(topics.index(f"shinpan/cup/{table}/state") for table in ("7", "8")) < online


@pytest.mark.slow
def test_nothing_is_published_before_the_hall_has_claimed_its_name(broker, monkeypatch):
    """The library calls itself connected some time before it says so."""
    wall, connect = Wall(PLAYING), Lights._on_connect

    def connect_late(own: Lights, client: Any, *reason: Any) -> None:
        wall.show(CALLED)
        until(lambda: wall.done == 2)
        connect(own, client, *reason)

    monkeypatch.setattr(Lights, "_on_connect", connect_late)
    with closing(Listener(broker.port)) as listener:
        with closing(lights(broker, wall)):
            until(lambda: listener.said.get("shinpan/cup/status") == "online")
        until(lambda: listener.said["shinpan/cup/status"] == "offline")
    topics = [topic for topic, _ in listener.all]
    assert topics[0] == "shinpan/cup/hall" and topics.count("shinpan/cup/status") == 2


@pytest.mark.slow
def test_a_table_that_was_taken_out_of_the_list_is_forgotten(broker):
    with closing(lights(broker, Wall(PLAYING, OTHER))), closing(Listener(broker.port)) as listener:
        until(lambda: listener.state("8") != {} and listener.said.get("shinpan/cup/status") == "online")
    old_topics = {topic for topic in listener.said if "/8/" in topic or "_8/" in topic}
    assert len(old_topics) == 3
    with closing(lights(broker, Wall(PLAYING))), closing(Listener(broker.port)) as listener:
        until(lambda: listener.state("7") != {} and listener.said.get("shinpan/cup/status") == "online")
        until(lambda: all(listener.said.get(topic, "") == "" for topic in old_topics))
    with closing(Listener(broker.port)) as late:
        until(lambda: late.state("7") != {})
        assert not old_topics & late.said.keys()


@pytest.mark.slow
def test_of_two_halls_with_one_name_the_older_says_so_and_keeps_silent(broker, caplog):
    with closing(lights(broker, Wall(PLAYING))) as older, closing(Listener(broker.port)) as listener:
        until(lambda: listener.said.get("shinpan/cup/status") == "online")
        with closing(lights(broker, Wall(CALLED))) as newer:
            another = ANOTHER.format(host="127.0.0.1", name="cup")
            until(lambda: another in caplog.messages)
            until(lambda: listener.state("7").get("called") is True and listener.said["shinpan/cup/status"] == "online")
            older.close()
            assert newer._client.is_connected() and caplog.messages.count(another) == 1
        until(lambda: listener.said["shinpan/cup/status"] == "offline")
    online = [text for topic, text in listener.all if topic == "shinpan/cup/status"]
    assert online == ["online", "online", "offline"]


@pytest.mark.slow
def test_a_last_will_that_comes_late_does_not_make_the_hall_offline(broker):
    with closing(lights(broker, Wall(PLAYING))), closing(Listener(broker.port)) as listener:
        until(lambda: listener.said.get("shinpan/cup/status") == "online")
        listener._client.publish("shinpan/cup/status", "offline", qos=1, retain=True)
        until(
            lambda: (
                [text for topic, text in listener.all if topic.endswith("/status")] == ["online", "offline", "online"]
            )
        )


def test_a_broker_that_says_whatever_it_likes_fills_no_memory():
    """Nobody looks at what it says meanwhile, for nobody is connected."""
    wall = Wall()
    with closing(Lights(Broker.at(f"mqtt://127.0.0.1:{unused()}/cup"), wall.wait)) as lights:
        for number in range(MOST_HEARD + 10):
            lights._queue_message(None, None, said(f"shinpan/cup/{number}/state", b"x" * 1000))
        lights._queue_message(None, None, said("shinpan/cup/" + "x" * 60_000 + "/state", b"x"))
        messages = [lights._messages.get_nowait() for _ in range(lights._messages.qsize())]
        assert len(messages) == MOST_HEARD and {len(text) for _, text in messages} == {64}
        for number in range(2 * MOST_WAITING):
            lights._delete_retained(str(number))
        assert len(lights._client._out_messages) <= MOST_WAITING


def said(topic: str, payload: bytes) -> Any:
    return SimpleNamespace(topic=topic, payload=payload)


def unused() -> int:
    """A port at which nothing listens."""
    with closing(socket.create_server(("127.0.0.1", 0))) as there:
        return int(there.getsockname()[1])


def test_nothing_of_the_game_is_told():
    keys = {key for _, config in discovery_messages(Broker.at("mqtt://x"), "A/1") for key in config}
    assert not keys & {"rows", "last_move", "clocks"}
    topics = [topic for topic, _ in discovery_messages(Broker.at("mqtt://x"), "A/1 +#")]
    assert all(topic.count("/") == 4 and not set(topic) & set(" +#") for topic in topics)


def test_where_a_broker_is():
    assert Broker.at("mqtt://broker.example") == Broker("broker.example", 1883, None, None, False, "hall")
    broker = Broker.at("mqtts://ada:p%40ss@broker.example:1/cup")
    assert (broker.port, broker.user, broker.password, broker.encrypted, broker.name) == (1, "ada", "p@ss", True, "cup")


@pytest.mark.parametrize(
    "address", ["", "broker.example", "http://broker.example", "mqtt://", "mqtt://a:b", "mqtt://a/b/c"]
)
def test_what_is_no_address_of_a_broker_is_said_so(address):
    with pytest.raises(NoBroker, match=r"must|cannot"):
        Broker.at(address)


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(NoBroker) as caught:
        check_broker("mqtt://broker.example")
    assert str(caught.value) == LACKING
