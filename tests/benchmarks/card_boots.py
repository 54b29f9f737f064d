"""A card's image in an emulated machine: it starts, a match is begun through its page, its power is cut during
the game, and it comes back with it.

    python -m tests.benchmarks.card_boots FOLDER --arch arm64 --cuts 5

hardware/try_image.sh lays image, kernel and initrd into the folder and calls this. The table is drawn here and sent as
a phone sends it; the buttons are a USB keyboard of the emulated machine. The power is cut by killing the emulator: what
the system there had not written is lost, and the disk's own memory is not emulated.
"""

from __future__ import annotations

import argparse
import http.cookiejar
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from device.panel.panel import Edge
from device.simulator.script import open_script
from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, table_of
from referee.table.events import Button
from tests.support import ROOT
from tests.support.vision.streams import jpeg, phone
from vision.render.scene import Scene

PATIENCE_S = 3600.0
"""Seconds after which a start or a ruling is given up: an emulated processor is slow."""
SETTLED_S = 6.0
"""Seconds for which the table is shown still before a button is pressed."""
AGAIN_S = 60.0
FRAME_S = 0.5
MACHINES = {
    "arm64": ("qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"),
    "amd64": ("qemu-system-x86_64", "-machine", "q35", "-cpu", "Nehalem"),
}
CONSOLES = {"arm64": "console=ttyAMA0", "amd64": "console=ttyS0 no_timer_check"}
"""Kernel arguments: the console, and patience with a processor that is emulated on a busy machine."""
UNNEEDED = "mitigations=off"
"""What guards against a processor's faults, which an emulated one does not have."""
PLAYERS = ["Ann", "Ben"]
KEPT = ("box", "players", "rules", "moves")
"""The parts of the status that have to be the same after a start."""
KEYS = {
    (1, Button.DONE): "kp_1",
    (1, Button.CALL): "kp_2",
    (1, Button.SCORE): "kp_3",
    (2, Button.DONE): "kp_9",
    (2, Button.CALL): "kp_8",
    (2, Button.SCORE): "kp_7",
}
"""The keys of a numpad, as the emulator calls them."""


class Machine:
    """The emulated machine with the card in it, and a browser at its page."""

    def __init__(self, folder: Path, arch: str) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._folder, self._console = folder, folder / "console.log"
        self._control = folder / "control"
        append = f"root=LABEL=shinpan-root rw net.ifnames=0 {UNNEEDED} {CONSOLES[arch]}"
        self._command = [
            *MACHINES[arch],
            *("-accel", "tcg,thread=multi", "-smp", "2", "-m", "2048", "-display", "none", "-monitor", "none"),
            *("-kernel", "vmlinuz", "-initrd", "initrd.img", "-append", append),
            *("-drive", "file=card.img,if=virtio,format=raw,cache=unsafe"),
            *(
                "-netdev",
                f"user,id=net,hostfwd=tcp:127.0.0.1:{self._port}-:8000",
                "-device",
                "virtio-net-pci,netdev=net",
            ),
            *("-device", "qemu-xhci", "-device", "usb-kbd", "-qmp", f"unix:{self._control},server=on,wait=off"),
            *("-chardev", f"file,id=console,path={self._console},append=on", "-serial", "chardev:console"),
        ]
        self._jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener, self._token = urllib.request.build_opener(self._jar), ""
        self._process: subprocess.Popen[bytes] | None = None

    _refusal = ""

    def start(self) -> float:
        """Switch it on; return the seconds until its page answers."""
        began = time.monotonic()
        self._process = subprocess.Popen(self._command, cwd=self._folder)
        while True:
            with suppress(OSError, ValueError):
                if self.status()["box"]:
                    return time.monotonic() - began
            if self._process.poll() is not None or time.monotonic() > began + PATIENCE_S:
                self.cut()
                raise SystemExit(f"It does not start:\n{self.console[-2000:]}")
            time.sleep(1)

    def cut(self) -> None:
        """Pull the plug."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def console(self) -> str:
        return self._console.read_text(errors="replace") if self._console.exists() else ""

    def pin(self) -> str:
        """Return the director's PIN as the screen shows it."""
        return self._wait("its screen shows no PIN", lambda: "".join(re.findall(r"PIN is (\d{6})", self.console)[:1]))

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Content-Type": "application/json", "Origin": self._url, "X-Token": self._token}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}{path}", data, headers)
        with self._opener.open(request, timeout=60) as answer:
            return json.loads(answer.read())

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def status(self) -> dict[str, Any]:
        status: dict[str, Any] = self.ask("/status.json")
        return status

    def begin(self, pin: str) -> None:
        """Log in and begin a match, as the director's page does."""
        self._token = self.ask("/director/session", {"pin": pin})["token"]
        body = {
            "act": "set-up",
            "rules": "chinese",
            "size": 9,
            "black": PLAYERS[0],
            "white": PLAYERS[1],
            "control": "30m",
        }

        def is_begun() -> bool:
            try:
                self.ask("/director/acts", body)
            except urllib.error.HTTPError as error:
                self._refusal = error.read().decode()
                return False
            return True

        self._wait("no match can be begun", is_begun)
        self._wait("the match does not show", lambda: self.status()["players"] == PLAYERS)

    def press(self, edge: Edge) -> None:
        for down in (True, False):
            key = {
                "type": "key",
                "data": {"down": down, "key": {"type": "qcode", "data": KEYS[edge.side, edge.button]}},
            }
            with closing(socket.socket(socket.AF_UNIX)) as control:
                control.connect(f"{self._control}")
                file = control.makefile("rw")
                for command in (
                    {"execute": "qmp_capabilities"},
                    {"execute": "input-send-event", "arguments": {"events": [key]}},
                ):
                    file.readline()
                    file.write(f"{json.dumps(command)}\n")
                    file.flush()
                file.readline()
            time.sleep(0.3)

    def go_on(self) -> None:
        """Have both players press, again if nothing comes of it, until the clocks run that a start has stopped."""
        pressed_at = -AGAIN_S

        def runs() -> bool:
            nonlocal pressed_at
            if not self.status()["clocks"]["restored"]:
                return True
            if time.monotonic() > pressed_at + AGAIN_S:
                pressed_at = time.monotonic()
                for side in (1, 2):
                    self.press(Edge(side, Button.DONE, True, 0.0))
            return False

        self._wait("the clocks stay stopped", runs)

    def wait_for_turn(self, turns: int, edge: Edge) -> dict[str, Any]:
        """Press, again if nothing comes of it, until so many turns are ruled."""
        pressed_at = -AGAIN_S

        def is_ruled() -> dict[str, Any] | None:
            nonlocal pressed_at
            status = self.status()
            if len(status["moves"]) >= turns:
                return status
            if time.monotonic() > pressed_at + AGAIN_S:
                pressed_at = time.monotonic()
                self.press(edge)
            return None

        final_status: dict[str, Any] = self._wait(f"turn {turns} is not ruled", is_ruled)
        return final_status

    def _wait(self, failure: str, look: Any, again: float = 3) -> Any:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(OSError):
                if value := look():
                    return value
            time.sleep(again)
        raise SystemExit(f"{failure}: {self.status()['headline']} {self._refusal}")


class Film:
    """The table as the camera sees it, with new grain in each picture, for whoever looks."""

    def __init__(self, photographer: Photographer) -> None:
        self._photographer, self._lock, self._number = photographer, threading.Lock(), 0
        self.scene: Scene | None = None

    def shots(self) -> Iterator[bytes]:
        while True:
            time.sleep(FRAME_S)
            with self._lock:
                if self.scene is None:
                    continue
                self._number += 1
                shot = jpeg(self._photographer.picture(self.scene, self._number))
            yield shot


def turns_of(performance: Performance, film: Film) -> Iterator[Edge | None]:
    """Show the empty board, then the table after each step, and yield what is pressed then: at first nothing."""
    newest = None
    for happening in performance.happenings():
        if isinstance(happening, SimulatedFrame):
            newest = happening.scene
            if film.scene is None:
                film.scene = newest
                yield None
        elif isinstance(happening, Edge) and happening.down:
            film.scene = newest
            yield happening


def play(machine: Machine, film: Film, performance: Performance, cuts: int) -> None:
    """Begin a match and play it, and cut the power after each of the first turns, by turns before and after a press."""
    print(f"first start: the page answers after {machine.start():.0f} s", flush=True)
    pin = machine.pin()
    print("its screen shows the PIN and the address", flush=True)
    steps = turns_of(performance, film)
    next(steps)
    machine.begin(pin)
    print("a match is begun through the page", flush=True)
    turns = 0
    while turns < cuts + 1:
        edge = next(steps)
        assert edge is not None
        time.sleep(SETTLED_S)
        status = machine.wait_for_turn(turns + 1, edge)
        turns += 1
        print(f"turn {turns} is ruled: {status['moves'][-1]}", flush=True)
        if turns <= cuts:
            machine.cut()
            seconds = machine.start()
            now = machine.status()
            print(f"cut {turns}: the page answers after {seconds:.0f} s, with {len(now['moves'])} moves", flush=True)
            if any(status[key] != now[key] for key in KEPT):
                raise SystemExit("It has not come back with its game.")
            machine.go_on()
    print(f"{cuts} cuts, {turns} turns: each time it came back with its game", flush=True)


def main() -> int:
    """Run it on the port of the film that the card's settings name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arch", choices=tuple(MACHINES), default="arm64")
    parser.add_argument("--cuts", type=int, default=5)
    args = parser.parse_args()
    script = open_script(ROOT / "device/simulator/rehearsal.script")
    table = table_of(script, 1280, 720)
    film, performance = Film(Photographer(table)), Performance(script, table)
    machine = Machine(args.folder, args.arch)
    with phone(film.shots, port=int((args.folder / "port").read_text())):
        try:
            play(machine, film, performance, args.cuts)
        finally:
            with suppress(AssertionError):
                machine.cut()
    return 0


if __name__ == "__main__":
    sys.exit(main())
