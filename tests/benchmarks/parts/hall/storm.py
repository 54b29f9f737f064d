"""A hall in a storm: hall and boxes are killed, lines cut, held and slowed, clocks set back, a box swapped for another,
while games are played; in the end the hall's journal is compared with the boxes'."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from device.hall.event_log import HallEventLog, Note
from device.journal.replay import Folder, replay_journal
from device.machine.identity import Identity, hall_secret
from referee.table.display_state import Phase
from tests.benchmarks.parts.hall.readers import Reader
from tests.support.attack.boxes import free_port
from tests.support.attack.clock import SetBack, can_set_back
from tests.support.hall.lines import Line, State
from tests.support.waiting import PATIENCE_S, SLOWNESS, comes, until

SOON = 5.0 * SLOWNESS
"""Seconds within which a call has to be on the wall once nothing is in its way."""
SETTLES_WITHIN = 60.0 * SLOWNESS
LASTS = (1.0, 12.0)
"""Seconds of a line's trouble."""
DAY = 86400
Outcome = tuple[str, str, str, tuple[str, ...], str, str]
"""A result: table, game, result, players, round, and the table that it was set up for."""


@dataclass
class Weather:
    """Numbers of kills of the hall and of boxes, and of troubles of lines."""

    halls: int
    boxes: int
    lines: int


@dataclass
class Tally:
    """The outcome. late: calls that were not on the wall in time; calls: how many were looked for."""

    lost: list[Outcome] = field(default_factory=list)
    twice: list[Outcome] = field(default_factory=list)
    wrong: list[Outcome] = field(default_factory=list)
    results: int = 0
    calls: int = 0
    late: list[str] = field(default_factory=list)
    alarms: int = 0

    @property
    def broken(self) -> bool:
        """Return True if anything was lost, doubled, put at the wrong table, or late; or the other box was not told."""
        return bool(self.lost or self.twice or self.wrong or self.late or not self.alarms)


class Table:
    """A table, its box as a process, and its line to the hall. calls: when it called, and until when."""

    def __init__(self, folder: Path, number: int, seed: int, environment: Mapping[str, str]) -> None:
        folder.mkdir()
        self.folder, self.number, self._seed = folder, str(number), seed
        self._environment = {**os.environ, **environment}
        self._port = free_port()
        self.line, self.calls = Line(self._port), list[list[float]]()
        self._process: subprocess.Popen[str] | None = None
        self._over = threading.Event()

    def listed(self) -> str:
        """Its lines in the hall's list."""
        box, secret = Identity(self.folder).public, hall_secret(self.folder)
        values = {"table": self.number, "address": f"http://127.0.0.1:{self.line.port}/", "box": box, "secret": secret}
        return "\n[[tables]]\n" + "".join(f'{key} = "{value}"\n' for key, value in values.items())

    def start(self, folder: Path | None = None, plays: bool = True) -> None:
        """Start its box, or another one in its place, and play."""
        command = [sys.executable, "-m", "tests.benchmarks.parts.hall.player_at"]
        command += [str(folder or self.folder), str(self._port), self.number, str(self._seed)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=self._environment)
        assert self._process.stdout is not None and self._process.stdout.readline() == "here\n"
        if plays:
            self.say()
        if folder is None:
            threading.Thread(target=self._hear, args=(self._process,), daemon=True).start()

    def say(self) -> None:
        """Go on to what comes next: play, or come to an end."""
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        if self.calls and self.calls[-1][1] == float("inf"):
            self.calls[-1][1] = time.monotonic()

    def end(self) -> None:
        """End the game that is played."""
        self.say()
        assert self._over.wait(PATIENCE_S)

    def _hear(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            words = line.split()
            what, last = words[0], words[-1]
            if what == "called":
                self.calls.append([float(last), float("inf")])
            elif what == "answered" and self.calls:
                self.calls[-1][1] = float(last)
            elif what == "over":
                self._over.set()

    def results(self) -> list[Outcome]:
        """Every result that both agreed to, by the journals."""
        replays = [(path, replay_journal(path)) for path in Folder(self.folder).list_journals()]
        return [
            (
                self.number,
                path.stem,
                str(replayed.table.record.result),
                replayed.terms.names,
                replayed.terms.game_info.round,
                replayed.terms.game_info.table,
            )
            for path, replayed in replays
            if replayed.table.phase is Phase.FINAL
        ]


class Storm:
    """The hall, its tables, and who looks at the wall."""

    def __init__(self, scratch: Path, tables: int, seed: int) -> None:
        self.scratch, self.chance = scratch, random.Random(seed)
        clock = SetBack(scratch) if can_set_back() else None
        self.tables = [
            Table(
                scratch / str(number), number, seed, clock.environment(number * DAY) if clock and not number % 3 else {}
            )
            for number in range(1, tables + 1)
        ]
        self.outages = list[tuple[str, float, float]]()
        self._seen: dict[str, list[float]] = defaultdict(list)
        self._port, self._over = free_port(), threading.Event()
        head = f'event = "Stormy Cup"\nhost = "127.0.0.1"\nport = {self._port}\ngallery = {free_port()}\n'
        head += f'folder = "{scratch / "hall"}"\n'
        (scratch / "tables.toml").write_text(head + "".join(table.listed() for table in self.tables))
        self._hall: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """The hall first, for it leaves alone what was before it knew a box."""
        self._start_hall()
        for table in self.tables:
            table.start(plays=False)
        while self._met() < len(self.tables):
            time.sleep(0.1)
        for table in self.tables:
            table.say()
        threading.Thread(target=self._watch, daemon=True).start()

    def blow(self, weather: Weather) -> None:
        """All of it, in any order."""
        happens = [self._kill_hall] * weather.halls + [self._kill_box] * weather.boxes
        happens += [self._trouble_line] * weather.lines + [self._swap]
        self.chance.shuffle(happens)
        for happening in happens:
            happening()
            time.sleep(self.chance.uniform(0.2, 1.5))

    def end(self) -> Tally:
        """Let it calm down; what came of it."""
        while any(table.line.state is not State.OPEN for table in self.tables):
            time.sleep(0.1)
        for table in self.tables:
            table.end()
        wanted = Counter(result for table in self.tables for result in table.results())
        comes(lambda: self._read_journal()[0] == wanted, SETTLES_WITHIN, again=1.0)
        self._over.set()
        results, alarms = self._read_journal()
        calls, late = self._late()
        known_games = {(game, players) for _, game, _, players, _, _ in wanted}
        wrong = [one for one in results - wanted if results[one] == 1 and (one[1], one[3]) in known_games]
        twice = [one for one, times in results.items() if times > 1]
        others = [one for one in results - wanted if one not in wrong and one not in twice]
        return Tally(list(wanted - results), twice, wrong + others, wanted.total(), calls, late, alarms)

    def close(self) -> None:
        """End all processes."""
        self._over.set()
        for table in self.tables:
            table.kill()
        if self._hall is not None:
            self._hall.kill()
            self._hall.wait()

    # What happens

    def _start_hall(self) -> None:
        command = [sys.executable, "-m", "device", "hall", str(self.scratch / "tables.toml")]
        quiet = subprocess.DEVNULL
        self._hall = subprocess.Popen(command, stdin=quiet, stderr=quiet)
        until(self._shows, lambda: "the hall does not start", again=0.05)

    def _shows(self) -> bool:
        with suppress(OSError):
            return bool(Reader(self._url))
        return False

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def _kill_hall(self) -> None:
        assert self._hall is not None
        begun = time.monotonic()
        self._hall.kill()
        self._hall.wait()
        time.sleep(self.chance.uniform(0, 3))
        self._start_hall()
        self.outages += [(table.number, begun, time.monotonic()) for table in self.tables]

    def _kill_box(self) -> None:
        table, begun = self.chance.choice(self.tables), time.monotonic()
        table.kill()
        table.start()
        self.outages.append((table.number, begun, time.monotonic()))

    def _trouble_line(self) -> None:
        free = [table for table in self.tables if table.line.state is State.OPEN]
        if free:
            table, state = self.chance.choice(free), self.chance.choice((State.CUT, State.HELD, State.SLOW))
            threading.Thread(target=self._in_trouble, args=(table, state, self.chance.uniform(*LASTS))).start()

    def _in_trouble(self, table: Table, state: State, seconds: float) -> None:
        begun = time.monotonic()
        table.line.put(state)
        time.sleep(seconds)
        table.line.put(State.OPEN)
        self.outages.append((table.number, begun, time.monotonic()))

    def _swap(self) -> None:
        """Another box, that plays nothing, answers in the place of one for a while."""
        table, begun = self.tables[0], time.monotonic()
        other = self.scratch / "other"
        other.mkdir()
        table.kill()
        table.start(other, plays=False)
        comes(lambda: self._read_journal()[1], again=0.2)
        table.kill()
        table.start()
        self.outages.append((table.number, begun, time.monotonic()))

    # What is seen

    def _watch(self) -> None:
        reader: Reader | None = None
        while not self._over.wait(0.2):
            try:
                reader = reader or Reader(self._url)
                reader.refresh()
            except (OSError, ValueError, IndexError, AssertionError):
                reader = None
                continue
            for table, urgency in reader.urgencies.items():
                if urgency == "called":
                    self._seen[table].append(time.monotonic())

    def _late(self) -> tuple[int, list[str]]:
        """Return the number of calls that lasted long enough to be looked for, and those not on the wall in time."""
        looked, late = 0, list[str]()
        for table in self.tables:
            for called, answered in table.calls:
                due = self._due(table.number, called)
                if due < answered:
                    looked += 1
                    if not any(called <= at <= due for at in self._seen[table.number]):
                        late.append(
                            f"table {table.number} called at {called:.1f}, due at {due:.1f}, answered {answered:.1f}"
                        )
        return looked, late

    def _due(self, table: str, called: float) -> float:
        """Return the time by which it has to be on the wall: so soon after nothing has been in its way any more."""
        clear, outages = called, sorted(one for one in self.outages if one[0] == table)
        for _, begun, ended in sorted(outages, key=lambda one: one[1]):
            if begun < clear + SOON and ended > clear:
                clear = ended
        return clear + SOON

    def _met(self) -> int:
        event_log = HallEventLog(self.scratch / "hall")
        event_log.close()
        return sum(entry.kind is Note.MET for entry in event_log.entries)

    def _read_journal(self) -> tuple[Counter[Outcome], int]:
        """The results in the hall's journal, and its alarms."""
        event_log = HallEventLog(self.scratch / "hall")
        event_log.close()
        results, alarms = Counter[Outcome](), 0
        for entry in event_log.entries:
            if entry.kind is Note.RESULT:
                body, players = entry.body, tuple(entry.body["players"])
                results[entry.table, body["game"], body["result"], players, body["round"], body["table"]] += 1
            alarms += entry.kind is Note.ALARM
        return results, alarms
