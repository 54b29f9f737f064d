"""A hall of many tables, let run and measured: boxes that publish recorded games, `shinpan hall`, and readers."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.parts.hall.readers import Reader
from tests.support.attack.boxes import free_port
from tests.support.device.started import processor_seconds
from tests.support.hall.lines import record_game
from tests.support.waiting import until

GAMES, TURNS = 4, 220
A_PROCESS = 50
"""Boxes' pages in a process."""
LAST = 3.0
"""Seconds before the end in which nothing is counted: it may not have come yet."""


class Talker:
    """A process that is told and tells by lines."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", *map(str, arguments)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid

    def hears(self) -> None:
        """Say go on."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def says(self) -> str:
        """Its next line."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def __enter__(self) -> Talker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def keep_games(path: Path, seed: int, games: int = GAMES, turns: int = TURNS) -> Path:
    """Record games, unless they are there."""
    if not path.exists():
        with tempfile.TemporaryDirectory(prefix="shinpan-games-") as scratch:
            recordings = [record_game(Path(scratch) / str(number), seed + number, turns) for number in range(games)]
        path.write_bytes(pickle.dumps(recordings))
    return path


@contextmanager
def boxes(games: Path, tables: int, pace: float, seed: int) -> Iterator[tuple[list[Talker], list[Any]]]:
    """So many boxes' pages, and their lines for the hall's list."""
    talkers = list[Talker]()
    try:
        for first in range(1, tables + 1, A_PROCESS):
            count = min(A_PROCESS, tables + 1 - first)
            talkers.append(Talker("tests.benchmarks.parts.hall.stands", games, first, count, seed + first, pace))
        yield talkers, [line for one in talkers for line in json.loads(one.says())]
    finally:
        for one in talkers:
            one.__exit__()


@contextmanager
def hall(scratch: Path, lines: Sequence[dict[str, str]]) -> Iterator[tuple[int, str]]:
    """A hall of these tables; its process and its address."""
    port, listed = free_port(), scratch / "tables.toml"
    head = f'event = "Trial"\nhost = "127.0.0.1"\ngallery = {free_port()}\nfolder = "{scratch / "hall"}"\n'
    tables = ("\n[[tables]]\n" + "".join(f'{key} = "{value}"\n' for key, value in line.items()) for line in lines)
    listed.write_text(head + "".join(tables))
    command = [sys.executable, "-m", "device", "hall", str(listed), "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            while "the wall is at" not in (line := process.stderr.readline()):
                assert line, "the hall does not start"
            yield process.pid, f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def peak_memory(pid: int) -> int:
    """Kilobytes that a process has had at most."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


@dataclass(frozen=True)
class Span:
    """The hall's load over so many seconds: processor seconds, and kilobytes of memory at most. begun: the time of
    day. published: table and number to the time of day; seen: by each viewer, table to numbers and times of day; sizes:
    bytes of each answer."""

    seconds: float
    cpu: float
    memory: int
    begun: float
    published: dict[str, float]
    seen: list[dict[str, list[tuple[int, float]]]]
    sizes: list[int]


def measured(games: Path, tables: int, seconds: float, viewers: int, pace: float, seed: int) -> Span:
    """Let it run so long."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-hall-")))
        talkers, lines = stack.enter_context(boxes(games, tables, pace, seed))
        pid, url = stack.enter_context(hall(folder, lines))
        readers = stack.enter_context(Talker("tests.benchmarks.parts.hall.readers", url, viewers))
        assert readers.says(), "the wall cannot be read"
        _wait_for_all(url, tables)
        for one in talkers:
            one.hears()
        time.sleep(LAST)
        before, since, begun = processor_seconds(pid), time.monotonic(), time.time()
        time.sleep(seconds)
        after, memory, took = processor_seconds(pid), peak_memory(pid), time.monotonic() - since
        time.sleep(LAST)
        for one in talkers:
            one.hears()
        published = {key: at for one in talkers for key, at in json.loads(one.says()).items()}
        time.sleep(1)
        readers.hears()
        got = json.loads(readers.says())
    return Span(took, after - before, memory, begun, published, got["seen"], got["sizes"])


def _wait_for_all(url: str, tables: int) -> None:
    reader = Reader(url)

    def follow() -> bool:
        reader.refresh()
        return sum(urgency != "offline" for urgency in reader.urgencies.values()) == tables

    until(follow, lambda: f"not all followed: {reader.urgencies}", again=0.5)


def latencies(span: Span) -> np.ndarray:
    """Milliseconds from each publishing in the span to each viewer; one that was overtaken counts with the next."""
    took = []
    for numbers_by_table in span.seen:
        for key, at in span.published.items():
            table, number = key.split()
            if span.begun <= at < span.begun + span.seconds:
                came = next((when for one, when in numbers_by_table.get(table, ()) if one >= int(number)), np.inf)
                took.append(1000 * (came - at))
    return np.array(took)
