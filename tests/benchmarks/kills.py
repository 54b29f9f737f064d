"""kill -9 of the box, not of the table, at random instants: is anything that was shown lost, does play go on?

    python -m tests.benchmarks.kills --kills 50 --speed 2 --seed 1 --control 20m+3x30s
    python -m tests.benchmarks.kills --kills 500 --a-game 20 --speed 3 --set-back

The drawn table plays seeded games in a process of its own and goes on while the box is dead; whoever pressed a button
at that moment was not heard. After every kill the journal is verified, and the page's first answer after the restart is
compared with the last one before it. With a time control the clocks have to stand then, within a second of the time
that they had come to, and the players, who see the lamps, press `done` to go on. At the end the result must be the
script's. `python -m tests.benchmarks.endurance disk` does the same to full and torn disks.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

from device.journal.replay import Folder, replay_journal
from device.journal.store import read_journal
from device.simulator.games import ultimate_game
from device.simulator.serve import TableProcess
from referee.table.display_state import Phase
from tests.support.attack.boxes import free_port
from tests.support.attack.clock import SetBack
from tests.support.device.started import children_of, processor_seconds
from tests.support.wording import english

Status = dict[str, Any]
START_WITHIN = 180.0
SCRIPT_ENDS = 140.0
"""Seconds on the table's clock."""
SLOWEST_TURN = 180.0
SIZE = 9
INSIST = 2
"""Players whose last presses were not heard press again, so many times."""
HALF = 0.5
NEAR = 1.0
"""Seconds by which a clock may be off after a restart."""


@dataclass
class KillTally:
    """The outcome of the kills. lost: sentences, one for every promise that was broken.

    busy: processor seconds of each restart. off: seconds by which the clocks were outside what they may have come to
    while nobody asked, unwatched: how long.
    """

    kills: int = 0
    games: int = 0
    one_more: int = 0
    restarts: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    timed: int = 0
    off: list[float] = field(default_factory=list)
    unwatched: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


class KilledBox:
    """The box as a process that can be killed, and a witness who reads its page all the time."""

    def __init__(self, table: Path, data: Path, control: str | None) -> None:
        port, settings = free_port(), table.with_name("settings.toml")
        settings.write_text(f'[time]\ncontrol = "{control}"\n' if control else "")
        self._command = [sys.executable, "-m", "device", "run", "--rules", "ultimate", "--camera", f"virtual:{table}"]
        self._command += ["--data", str(data), "--port", str(port), "--settings", str(settings)]
        self.url = f"http://127.0.0.1:{port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.environment: dict[str, str] = {}
        self.last: Status | None = None
        self.seconds = self.heard = self.died = 0.0

    def start(self) -> Status:
        """Start it; its page's first answer."""
        self._process = subprocess.Popen(
            self._command, env={**os.environ, **self.environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + START_WITHIN
        while time.monotonic() < until:
            status = self.ask()
            if status is not None:
                return status
            time.sleep(0.01)
        raise RuntimeError("the box does not serve its page")

    def ask(self) -> Status | None:
        """Return the page's status, None if it does not answer, or dies in the middle of it."""
        asked_at = time.monotonic()
        try:
            seconds = self._get("/health")["seconds"]
            self.last, self.seconds, self.heard = self._get("/status.json"), seconds, asked_at
        except (OSError, HTTPException):
            return None
        return self.last

    def _get(self, path: str) -> Status:
        with urllib.request.urlopen(self.url + path, timeout=2) as answer:
            status: Status = json.load(answer)
            return status

    def busy(self) -> float:
        """Processor seconds that the box and the processes it started have used."""
        assert self._process is not None
        return sum(processor_seconds(pid) for pid in (self._process.pid, *children_of(self._process.pid)))

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self.died = time.monotonic()


@dataclass
class Run:
    """The state shared by all games of a run. data: the folder of the games; clock: sets the time of day back."""

    data: Path
    speed: float
    control: str | None
    rng: random.Random
    clock: SetBack | None = None
    tally: KillTally = field(default_factory=KillTally)

    def environment(self) -> dict[str, str]:
        """Return the environment that the next box is started with."""
        return self.clock.anywhere(self.rng) if self.clock is not None and self.rng.random() < HALF else {}


def play_one(run: Run, seed: int, kills: int) -> None:
    """One game with so many kills in it."""
    options = ("--speed", str(run.speed), "--size", str(SIZE), "--seed", str(seed), "--insist", str(INSIST))
    table = run.data.with_name(f"table-{seed}")
    with TableProcess(table, *options):
        box = KilledBox(table, run.data, run.control)
        try:
            box.start()
            _until_begun(box)
            for wait in _draw_waits(run.rng, kills, run.speed):
                _watch(box, wait)
                box.environment = run.environment()
                _kill_and_compare(box, run.data, run.speed, run.tally)
            _to_the_end(box, seed, run.speed, run.tally)
        finally:
            box.kill()
        run.tally.games += 1


def _until_begun(box: KilledBox) -> None:
    """The result of the game before stands until this one's board has been seen."""
    until = time.monotonic() + SLOWEST_TURN
    while time.monotonic() < until and (box.ask() or {"phase": Phase.FINAL})["phase"] == Phase.FINAL:
        time.sleep(0.05)


def _draw_waits(rng: random.Random, kills: int, speed: float) -> Iterator[float]:
    """Seconds between kills, spread over a game of two minutes, the first of them before or after the first move."""
    for _ in range(kills):
        yield rng.uniform(0.0, 2 * (0.9 * SCRIPT_ENDS / speed / kills - 1.5))


def _watch(box: KilledBox, seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        box.ask()
        time.sleep(0.01)


def _kill_and_compare(box: KilledBox, data: Path, speed: float, tally: KillTally) -> None:
    killer = threading.Thread(target=box.kill)
    killer.start()
    while killer.is_alive():
        box.ask()
    before, seconds = box.last, (box.seconds, box.seconds + speed * max(0.0, box.died - box.heard))
    assert before is not None
    journals = Folder(data).list_journals()
    if journals and read_journal(journals[-1]):
        replayed = replay_journal(journals[-1])
        if replayed.differs:
            tally.lost.append(english(replayed.differs))
    begun = time.monotonic()
    after = box.start()
    tally.restarts.append(time.monotonic() - begun)
    tally.busy.append(box.busy())
    tally.kills += 1
    _compare(before, after, seconds[1] - seconds[0] + tally.restarts[-1], tally)
    _compare_clocks(before, seconds, after, tally)


def _compare(before: Status, after: Status, unwatched: float, tally: KillTally) -> None:
    """Everything shown before is shown after; at most one ruling more, and one for each second that nobody watched."""
    old, new = before["rulings"][::-1], after["rulings"][::-1]
    if new[: len(old)] != old or len(new) > len(old) + 1 + unwatched:
        tally.lost.append(f"rulings: {len(old)} before, {len(new)} after; {old[-1:]} {new[-2:]}")
    tally.one_more += len(new) > len(old)
    same = ("rows", "bowls", "ultimate", "turn", "result", "phase", "black_side")
    differs = [key for key in same if before[key] != after[key]]
    if len(new) == len(old) and not set(before["waiting"]) <= set(after["waiting"]):
        tally.lost.append(f"a press that was shown is forgotten: {before['waiting']} became {after['waiting']}")
    if differs and len(new) == len(old) and before["turn"] and not _agreeing(before, after, differs):
        tally.lost.append(f"{differs}: {[before[key] for key in differs]} became {[after[key] for key in differs]}")


def _agreeing(before: Status, after: Status, differs: list[str]) -> bool:
    """A press that agrees to the result is in the journal before it is shown."""
    return differs == ["phase"] and before["phase"] == Phase.RESULT and after["phase"] == Phase.FINAL


def _compare_clocks(before: Status, seconds: tuple[float, float], after: Status, tally: KillTally) -> None:
    """A clock that was begun stands, and what each player has spent is what it was.

    seconds: the box's time right before it was last asked, and at the latest when it died. A press that was heard
    between may have let either clock run.
    """
    old, new = before["clocks"], after["clocks"]
    if old is None or not old["begun"] or after["result"] is not None or new["halted"]:
        return
    tally.timed += 1
    stands = not any(face["running"] for face in new["players"].values())
    if not new["restored"] or not stands:
        tally.lost.append(f"the clock does not stand after a restart: {new}")
    low, now = _spent(old, seconds[0]), _spent(new, seconds[0])
    high = {player: spent + seconds[1] - seconds[0] for player, spent in low.items()}
    wrong = [_beyond(sum(now.values()), sum(low.values()), sum(low.values()) + seconds[1] - seconds[0])]
    if len(before["rulings"]) == len(after["rulings"]) and not before["waiting"]:
        wrong += [_beyond(now[player], low[player], high[player]) for player in low]
    tally.off.append(max(wrong))
    tally.unwatched.append(seconds[1] - seconds[0])
    if max(wrong) > NEAR:
        tally.lost.append(f"clocks: {low} to {high} at {seconds} became {now}")


def _beyond(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0.0)


def _spent(clocks: Status, seconds: float) -> dict[str, float]:
    """Seconds that each player has spent at this time on the box's clock."""
    faces = clocks["players"].items()
    return {
        player: face["spent"] / 1000 + (seconds - clocks["t"] if face["running"] else 0.0) for player, face in faces
    }


def _to_the_end(box: KilledBox, seed: int, speed: float, tally: KillTally) -> None:
    until, ruled = time.monotonic() + max(SLOWEST_TURN, 1.2 * SCRIPT_ENDS / speed), 0
    status: Status | None = None
    while time.monotonic() < until:
        status = box.ask()
        if status is not None and len(status["rulings"]) != ruled:
            # On a busy machine the players wait for the lamps, and the game takes longer.
            ruled, until = len(status["rulings"]), max(until, time.monotonic() + SLOWEST_TURN)
        if status is not None and status["phase"] == Phase.FINAL:
            break
        time.sleep(0.05)
    game = ultimate_game(SIZE, seed, refereed=True)
    if status is None or (status["result"], status["turn"]) != (game.result, game.expected[-1].turn):
        summary = status and (status["phase"], status["turn"], status["result"], status["headline"])
        tally.lost.append(f"the game did not come to the script's result: {summary}")


def main() -> int:
    """Kill as often as asked, print what came of it; 1 when anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--a-game", type=int, default=10, help="kills in one game")
    parser.add_argument("--speed", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set-back", action="store_true", help="set the clock back after half of the kills")
    parser.add_argument("--control", metavar="TIME", help="play with clocks, such as 20m+3x30s")
    args = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="shinpan-kills-"))
    clock = SetBack(scratch) if args.set_back else None
    run = Run(scratch / "data", args.speed, args.control, random.Random(args.seed), clock)
    tally = run.tally
    while tally.kills < args.kills:
        play_one(run, args.seed + tally.games, min(args.a_game, args.kills - tally.kills))
        print(f"{tally.kills} kills, {tally.games} games, {len(tally.lost)} losses {tally.lost}", flush=True)
    _keep_or_remove(scratch, tally)
    print(f"one ruling more after {tally.one_more} of {tally.kills} kills")
    print(f"restart to first page: {_spread(tally.restarts)} s; of processor time: {_spread(tally.busy)} s")
    if tally.off:
        print(f"clocks compared after {tally.timed} kills: off by {_spread(tally.off)} s", end="; ")
        print(f"between the last question and the death: {_spread(tally.unwatched)} s")
    return 1 if tally.lost else 0


def _keep_or_remove(scratch: Path, tally: KillTally) -> None:
    if tally.lost:
        print(f"kept for a look: {scratch}")
    else:
        shutil.rmtree(scratch)


def _spread(of: list[float]) -> str:
    times = sorted(of)
    return f"median {times[len(times) // 2]:.2f}, worst {times[-1]:.2f}"


if __name__ == "__main__":
    sys.exit(main())
