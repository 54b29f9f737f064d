"""Real message servers that are killed and started again: an MQTT broker, and servers of NATS with JetStream."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.hall.public.stream import STREAM
from tests.support.waiting import PATIENCE_S
from tests.support.wanting import MQTT, NATS, module, program


class Mosquitto:
    """A broker on this machine, with its settings in a folder; it keeps nothing."""

    def __init__(self, folder: Path) -> None:
        module("paho.mqtt.client", MQTT)
        self._program, self._file = program("mosquitto", MQTT, "/usr/sbin"), folder / "mosquitto.conf"
        (self.port,) = _free(1)
        self._file.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.again()

    def again(self) -> None:
        """Start it."""
        line = [self._program, "-c", str(self._file)]
        self._running = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        """As a pulled plug does."""
        self._running.kill()
        self._running.wait()


@contextmanager
def mosquitto(folder: Path) -> Iterator[Mosquitto]:
    """The same, until the block ends."""
    broker = Mosquitto(folder)
    try:
        yield broker
    finally:
        broker.kill()


class Servers:
    """`several` servers on this machine, in a folder."""

    def __init__(self, folder: Path, several: int = 1) -> None:
        module("nats", NATS)
        self._program, self._folder = program("nats-server", NATS, "/usr/sbin"), folder
        self.ports, self._routes = _free(several), _free(several)
        self._running = [self._start(number) for number in range(several)]

    @property
    def address(self) -> str:
        """Of all of them."""
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    def kill(self, number: int = 0) -> None:
        """As a pulled plug does."""
        self._running[number].kill()
        self._running[number].wait()

    def again(self, number: int = 0) -> None:
        """Start one that was killed, on what it has kept."""
        self._running[number] = self._start(number)

    def in_step(self) -> bool:
        """Return True if each has all that the stream holds: only then may one of three be lost again."""
        return asyncio.run(self._in_step())

    async def _in_step(self) -> bool:
        from nats import connect
        from nats.errors import Error

        try:
            client = await connect(self.address.split(","), connect_timeout=round(PATIENCE_S), allow_reconnect=False)
            try:
                cluster = (await client.jetstream().stream_info(STREAM)).cluster
            finally:
                await client.close()
        except (Error, OSError, TimeoutError):
            return False
        others = (cluster.replicas or []) if cluster is not None else []
        return len(others) == len(self.ports) - 1 and all(one.current and not one.offline for one in others)

    def forget(self, number: int = 0) -> None:
        """Lose all that one that was killed has kept."""
        shutil.rmtree(self._folder / str(number))

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        folder = self._folder / str(number)
        line = [self._program, "-a", "127.0.0.1", "-p", str(self.ports[number]), "-js", "-sd", str(folder)]
        if len(self.ports) > 1:
            routes = ",".join(f"nats://127.0.0.1:{port}" for port in self._routes)
            cluster = f"nats://127.0.0.1:{self._routes[number]}"
            line += ["-n", f"n{number}", "--cluster_name", "hall", "--cluster", cluster, "--routes", routes]
        with (self._folder / f"{number}.log").open("ab") as log_file:
            return subprocess.Popen(line, stdout=log_file, stderr=log_file)

    def close(self) -> None:
        for one in self._running:
            one.kill()
            one.wait()


def _free(several: int) -> list[int]:
    sockets = [socket.socket() for _ in range(several)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@contextmanager
def servers(folder: Path, several: int = 1) -> Iterator[Servers]:
    """The same, until the block ends."""
    folder.mkdir()
    cluster = Servers(folder, several)
    try:
        yield cluster
    finally:
        cluster.close()
