"""A table without solder, from its page alone: what it costs, and a whole game through a phone's stream."""

from __future__ import annotations

import csv
import fcntl
import itertools
import json
import os
import re
import subprocess
import sys
import termios
import threading
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from device.panel.panel import Edge
from device.panel.terminal import HOLDS, KEYS
from device.simulator.messages import Lamps
from device.simulator.script import Script, open_script
from device.simulator.stage import Photographer
from device.simulator.table import RATE, Performance, SimulatedFrame, Tempo, table_of
from tests.support import ROOT
from tests.support.panel.keyboards import KernelBench
from tests.support.terminal import terminal
from tests.support.tiers import LONG
from tests.support.vision.streams import jpeg, phone
from tests.support.waiting import PATIENCE_S, SLOWNESS, until
from vision.camera.network_camera import MESSAGE_KEYS
from web.language import ENGLISH

# A table as docs/first-evening.md has it: drawn, sent as a phone sends it, and its lamps read from the page.
#
# The program is the real one, with a terminal of its own in which the players press keys.

PAGE = (ROOT / "docs/first-evening.md").read_text()
ADDRESS = "http://192.168.1.20:8080/video"
"""The phone of that page."""


def settings(phone: str) -> str:
    """The page's settings, with the address of another phone."""
    (text,) = (text for text in re.findall(r"```toml\n(.*?)```", PAGE, re.S) if ADDRESS in text)
    assert tomllib.loads(text)["camera"]["source"] == ADDRESS
    return text.replace(ADDRESS, phone)


def command(name: str) -> list[str]:
    """Return the words that the page says to type for a command, after `shinpan`."""
    (line,) = re.findall(rf"^    \.venv/bin/shinpan ({name} --settings club\.toml)$", PAGE, re.M)
    return line.split()


class Film:
    """The newest picture of the table, for whoever looks through the phone."""

    def __init__(self) -> None:
        self._changed, self._shot, self._number = threading.Condition(), b"", 0

    def show(self, shot: bytes) -> None:
        with self._changed:
            self._shot, self._number = shot, self._number + 1
            self._changed.notify_all()

    def shots(self) -> Iterator[bytes]:
        """Each as soon as it is taken; the older of two that came meanwhile is left out, as phones do."""
        last = 0
        while True:
            with self._changed:
                if not self._changed.wait_for(lambda: self._number > last, PATIENCE_S):  # noqa: B023
                    return
                last, shot = self._number, self._shot
            yield shot


HERE = (sys.executable, "-m", "device")
"""`shinpan` of this checkout; SHINPAN names another, as one word that may be run in the folder of the settings."""


class Program:
    """`shinpan` with a terminal of its own, in a folder of its own."""

    def __init__(self, words: list[str], folder: Path) -> None:
        self.keys, theirs = terminal()
        self._process = subprocess.Popen(
            [*((os.environ["SHINPAN"],) if "SHINPAN" in os.environ else HERE), *words, "--data", "data", "--port", "0"],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        output = b""
        while (match := re.search(rb"the page is at http://127.0.0.1:(\d+)", output)) is None:
            assert self._process.stderr is not None
            output += os.read(self._process.stderr.fileno(), 4096) or self._ended(output)
        self.url = f"http://127.0.0.1:{match[1].decode()}"
        self._drain = threading.Thread(target=self._read, daemon=True)
        self.said = output.decode()
        self._drain.start()

    def _ended(self, output: bytes) -> bytes:
        raise AssertionError(f"It does not start: {output.decode()}")

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.said += line.decode()

    def ask(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.url}{path}", timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    @property
    def status(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.ask("/status.json"))
        return read

    def close(self) -> int:
        self._process.terminate()
        ended = self._process.wait(PATIENCE_S)
        os.close(self.keys)
        return ended


def lamps_seen(page: str) -> Lamps:
    """Return the lamps as somebody sees them on the phone that lies in their place."""
    matches = re.findall(r'<section class="lamp ([a-z ]+)" aria-label="(?:side (\d)|table lamp)">', page)
    words = [tone.replace(" far", "").replace("table ", "").replace("pulse", "pulsing") for tone, _ in matches]
    return Lamps(tuple(words[:-1]), words[-1])


class Players:
    """They play a script at the drawn table, look at the lamps, and press keys in the program's terminal."""

    def __init__(self, script: Script, program: Program, film: Film) -> None:
        self._program, self._film, self._table = program, film, table_of(script, 1280, 720)
        self._lamps, self._ended = Lamps(("off", "off"), "off"), threading.Event()
        self.performance = Performance(script, self._table, Tempo(), lambda: self._lamps)
        self._photographer = Photographer(self._table)

    def play(self) -> None:
        """All of it, at the pace of a real table, or slower on a machine that is."""
        looking = threading.Thread(target=self._look, daemon=True)
        looking.start()
        try:
            number, began = 0, time.monotonic()
            for happening in itertools.chain(
                self.performance.happenings(), itertools.islice(self.performance.still(), round(PATIENCE_S) * RATE)
            ):
                time.sleep(max(0.0, began + SLOWNESS * happening.t - time.monotonic()))
                if isinstance(happening, SimulatedFrame):
                    self._film.show(jpeg(self._photographer.picture(happening.scene, number)))
                    number += 1
                elif isinstance(happening, Edge) and happening.down:
                    self._press(happening)
                if number % (5 * RATE) == 0 and self._program.status["phase"] == "final":
                    return
        finally:
            self._ended.set()
            looking.join()

    def _press(self, edge: Edge) -> None:
        presses = self.performance.presses
        is_hold = bool(presses) and presses[-1].is_held and presses[-1].side == edge.side
        keys = {which: key for key, which in (HOLDS if is_hold else KEYS).items()}
        os.write(self._program.keys, keys[edge.side, edge.button].encode())

    def _look(self) -> None:
        while not self._ended.wait(0.2):
            self._lamps = lamps_seen(self._program.ask("/lamps"))


MOST = 60
"""Euros, without the computer."""
TOURNAMENT = (ROOT / "docs/tournament.md").read_text()
LIST = ROOT / "hardware/BOM-no-solder.csv"


@pytest.mark.parametrize("choice", ["phone", "webcam"])
def test_it_costs_less_than_sixty_euros_and_the_page_says_how_much(choice):
    with LIST.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["choice"] in ("", choice)]
    low, high = (sum(float(row[key]) * int(row["quantity"]) for row in rows) for key in ("eur from", "eur to"))
    assert high < MOST and f"{low:g} to {high:g}" in PAGE
    end = {
        "phone": f"| {low:g} to N euros | {low * 10:g} to N euros |",
        "webcam": f"N to {high:g} euros | N to {high * 10:g}",
    }
    assert re.search(re.escape(end[choice]).replace("N", r"\d+"), TOURNAMENT)
    assert all(f"`{row['id']}`" in PAGE for row in rows)


def test_every_fault_of_the_phone_stands_on_the_page():
    table = PAGE.partition("| it says | do |")[2].partition("\n\n")[0]
    parts = [part for row in re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, re.M) for part in row.split(", ")]
    sentences = [ENGLISH(key, camera="It", code=404) for key in (*MESSAGE_KEYS, "stream.upright", "feed.slow")]
    for part in parts:
        assert sum(part.lower() in sentence.lower() for sentence in sentences) == 1, part
    assert len(parts) == len(sentences)


@LONG
def test_a_whole_game_from_the_page_alone(tmp_path):
    film, script = Film(), open_script(ROOT / "device/simulator/rehearsal.script")
    with phone(film.shots) as app:
        (tmp_path / "club.toml").write_text(settings(app.address))
        with closing(Program(command("run"), tmp_path)) as program:
            Players(script, program, film).play()
            status, record = program.status, program.ask("/game.sgf")
    assert (status["phase"], status["result"]) == ("final", "W+R")
    assert [one["reason"] for one in status["rulings"] if one["status"] == "illegal"] == ["ko"]
    # The refused turn is a variation, which stands after the game.
    assert " ".join(record_points(record)) == "F2 E2 G3 D3 F4 E4 H8 F3 E3 A7 F3"


@pytest.mark.slow
def test_an_unplugged_numpad_is_told_on_the_page(tmp_path):
    (tmp_path / "club.toml").write_text(settings("http://127.0.0.1:9/video"))
    with closing(KernelBench()) as bench:
        pad = bench.plug()
        with closing(Program(command("run"), tmp_path)) as program:

            def comes_true(is_so):
                until(lambda: is_so(program.status), lambda: (program.status, program.said), again=0.2)

            comes_true(lambda status: any("nothing sends pictures there" in fault for fault in faults_of(status)))
            pad.turn(76, True)
            bench.wait(0.2)
            pad.turn(76, False)
            comes_true(lambda status: status["notice"] is not None)
            bench.unplug(pad)
            comes_true(lambda status: any("No numpad is plugged in" in fault for fault in faults_of(status)))
            pad = bench.plug()
            comes_true(lambda status: not any("No numpad" in fault for fault in faults_of(status)))


def faults_of(status):
    """List the faults that the page reports, in the headline too."""
    return [*status["faults"], status["headline"]]


def record_points(record: str) -> list[str]:
    """The points of a game record on 9 lines, in the order in which they stand there."""
    points = re.findall(r"(?<![A-Z])[BW]\[(\w)(\w)\]", record)
    return ["ABCDEFGHJ"[ord(col) - ord("a")] + str(9 - (ord(row) - ord("a"))) for col, row in points]
