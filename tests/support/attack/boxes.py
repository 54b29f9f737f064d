"""A running box as somebody outside meets it: its command, its page over the network, and its folder. Of any checkout.

A checkout (`tree`) is run with this one's Python, so that the same attack can be played on an older version.
"""

from __future__ import annotations

import http.client
import json
import logging
import os
import random
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.waiting import PATIENCE_S, comes

log = logging.getLogger("attack")
Status = dict[str, Any]
DIRECTOR = "127.0.0.9"
NO_TABLE = "virtual:none"
"""A camera that is never there: for what concerns no picture."""
GOT_THROUGH = "got through"
_PIN = re.compile(r"director's PIN is (\d{6})")
_PORTS = cycle(random.SystemRandom().sample(range(20_000, 32_000), 2_000))
"""Drawn anew by each process, so that two that run side by side hardly meet."""


def free_port() -> int:
    """A port that nobody uses just now, below those that the system gives to clients, which may take it meanwhile."""
    for port in _PORTS:
        with suppress(OSError), socket.socket() as free:
            free.bind(("0.0.0.0", port))
            return port
    raise OSError("no port is free")


@dataclass
class Ground:
    """The place of an attack. tree: the checkout attacked. share: so much of its usual number of cases is played.
    patience: so many times as long as on a free machine anything may take.
    """

    tree: Path
    scratch: Path
    seed: int = 1
    share: float = 1.0
    patience: float = 1.0
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def many(self, usual: int) -> int:
        """So many cases."""
        return max(1, round(usual * self.share))

    def folder(self, name: str) -> Path:
        """A new folder."""
        path = self.scratch / name
        path.mkdir(parents=True)
        return path

    def command(self, *words: str | Path, module: str = "device") -> list[str]:
        """A command of the checkout."""
        return [sys.executable, "-m", module, *map(str, words)]

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the environment of its programs, without this checkout's own settings for OpenCV."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
        return {**ours, "PYTHONPATH": str(self.tree), **(more or {})}

    def run(self, *words: str | Path, within: float = PATIENCE_S) -> tuple[int, str]:
        """A command to its end; its status and all that it said."""
        done = subprocess.run(
            self.command(*words),
            cwd=self.scratch,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=within,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def verified(self, journals: Sequence[Path]) -> list[tuple[int, str]]:
        """Return what `shinpan verify` says of each, all in one process."""
        words = [sys.executable, "-c", _VERIFY, *map(str, journals)]
        done = subprocess.run(words, cwd=self.scratch, env=self.environment(), capture_output=True, text=True)
        return [(row[0], row[1]) for row in json.loads(done.stdout.splitlines()[-1])]


_VERIFY = """
import contextlib, io, json, sys, traceback
from device.__main__ import main
found = []
for path in sys.argv[1:]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = main(["verify", path])
        except BaseException:
            status = 70
            traceback.print_exc()
    found.append((status, said.getvalue()))
print(json.dumps(found))
"""


@dataclass
class Outcome:
    """The outcome of an attack. worst: the first case that got through, in words; skipped: why it was not played."""

    tried: int = 0
    held: int = 0
    worst: str = ""
    skipped: str = ""

    def case(self, has_held: bool, description: str) -> bool:
        """One case. said: what happened, told where it got through."""
        log.info("%s %s", "held" if has_held else GOT_THROUGH, description)
        self.tried += 1
        self.held += has_held
        if not has_held and not self.worst:
            self.worst = " ".join(description.split())[:300]
        return has_held

    @property
    def verdict(self) -> str:
        """In one word."""
        return "skipped" if self.skipped else "held" if self.held == self.tried else GOT_THROUGH


Attack = Callable[[Ground], Outcome]


class AttackedBox:
    """`shinpan run` on a folder, and what its page says. pin: told when it was made, passed on later. tls_port: where
    it is asked over TLS, which the settings turn on.
    """

    def __init__(
        self,
        ground: Ground,
        data: Path,
        *words: str,
        camera: str = NO_TABLE,
        settings: str = "",
        panel: str = "none",
        pin: str = "",
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
        launcher: Sequence[str] = ("-m", "device"),
        tls_port: int | None = None,
    ) -> None:
        self.data, self.pin, self.port, self.tls_port = data, pin, free_port(), tls_port
        self.stderr = data.with_name(f"{data.name}-{self.port}.stderr")
        (file := data.with_name(f"{data.name}.toml")).write_text(f'[panel]\nkind = "{panel}"\n{settings}')
        command = [*before, sys.executable, *launcher, "run", "--camera", camera, "--settings", str(file)]
        command += ["--data", str(data), "--port", str(self.port), *words]
        with self.stderr.open("w") as stderr_file:
            self.process = subprocess.Popen(
                command,
                cwd=data.parent,
                env=ground.environment(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr_file,
            )
        self._token = self.cookie = ""

    @property
    def said(self) -> str:
        """The stderr output so far."""
        return self.stderr.read_text(errors="replace")

    @property
    def ended(self) -> bool:
        """Return whether the process has ended."""
        return self.process.poll() is not None

    def begun(self) -> Self:
        """Wait for the page's first answer."""
        if not comes(lambda: self.ended or self._answers()) or self.ended:
            raise OSError(f"the box does not serve its page: {self.said[-300:]}")
        self._read_pin()
        return self

    def _read_pin(self) -> bool:
        """Take the PIN that the box has told, if it made one; return True if there is one."""
        match = _PIN.search(self.said)
        self.pin = match[1] if match else self.pin
        return bool(self.pin)

    def _answers(self) -> bool:
        with suppress(OSError):
            return bool(self.status())
        return False

    def ask(
        self, method: str, path: str, address: str = DIRECTOR, body: object = None, headers: Mapping[str, str] = {}
    ) -> tuple[int, bytes]:
        """An answer; raises OSError where there is none in time."""
        connection, origin = self._connection(address)
        request_headers = {"Origin": origin, **headers}
        data = None if body is None else json.dumps(body).encode()
        request_headers |= {"Content-Type": "application/json"} if body is not None else {}
        try:
            connection.request(method, path, data, {name: value.encode() for name, value in request_headers.items()})
            answer = connection.getresponse()
            self.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0] or self.cookie
            return answer.status, answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def _connection(self, address: str) -> tuple[http.client.HTTPConnection, str]:
        """A connection from an address, over TLS where that was asked for, and the page's origin there."""
        if self.tls_port is None:
            plain = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE_S, source_address=(address, 0))
            return plain, f"http://127.0.0.1:{self.port}"
        unknown = ssl._create_unverified_context()
        secure = http.client.HTTPSConnection(
            "127.0.0.1", self.tls_port, timeout=PATIENCE_S, source_address=(address, 0), context=unknown
        )
        return secure, f"https://127.0.0.1:{self.tls_port}"

    def status(self) -> Status:
        """Return the status that the page shows."""
        status: Status = json.loads(self.ask("GET", "/status.json")[1])
        return status

    def health(self) -> Status:
        """Return the health that a monitor is told."""
        health: Status = json.loads(self.ask("GET", "/health")[1])
        return health

    def login(self, pin: str | None = None, address: str = DIRECTOR) -> int:
        """Come in as the director; the answer's status. The page may answer before the new PIN is told."""
        if pin is None and not self.pin:
            comes(self._read_pin)
        code, body = self.ask("POST", "/director/session", address, {"pin": self.pin if pin is None else pin})
        self._token = json.loads(body)["token"] if code == 200 else self._token
        return code

    @property
    def inside(self) -> dict[str, str]:
        """The headers that the director's browser sends with an act."""
        return {"X-Token": self._token, "Cookie": self.cookie}

    def act(self, **body: object) -> tuple[int, str]:
        """Act as the director, whatever is lost by it; return the answer."""
        code, answer = self.ask("POST", "/director/acts", DIRECTOR, {"sure": True, **body}, self.inside)
        return code, answer.decode()

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self.begun()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()


MATCH = {"act": "set-up", "rules": "chinese", "size": 9, "black": "Ann", "white": "Ben"}


def play(box: AttackedBox, turns: int, rng: random.Random, **terms: object) -> Status:
    """A new match by the director's acts, with so many turns; what the page shows then."""
    assert box.login() == 200, "the director does not come in"
    code, answer = box.act(**{**MATCH, **terms})
    assert code == 200, answer
    points = rng.sample([f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)], turns)
    for number, point in enumerate(points):
        code, answer = box.act(act="enter", player="BW"[number % 2], turn="place", point=point, why="misread")
        assert code == 200, answer
    return box.status()
