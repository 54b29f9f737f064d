"""A real MQTT broker, which can be killed and started again; it keeps nothing."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.wanting import MQTT, module, program


class Mosquitto:
    """A broker on this machine, with its settings in a folder."""

    def __init__(self, folder: Path) -> None:
        module("paho.mqtt.client", MQTT)
        self._program, self._file = program("mosquitto", MQTT, "/usr/sbin"), folder / "mosquitto.conf"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
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
    made = Mosquitto(folder)
    try:
        yield made
    finally:
        made.kill()
