"""Kill an update forty times in its middle, and check what is left behind.

    python -m tests.benchmarks.attack.update
    python -m tests.benchmarks.attack.update --tree ../before killed

Each at another line of it: which version runs, whether anything is lost, and whether the next try succeeds.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

from device.machine import versions
from tests.benchmarks.attack import attack
from tests.support import ROOT
from tests.support.attack.boxes import Attack, Ground, Outcome
from tests.support.device.installed import InstalledMachine, stand_in_environment

KILLS = 40
OLD, NEW = "0.2.0-1", "0.3.0"
"""The version that runs before, and the one that is installed."""
_UPDATE = """import os, signal, sys
from pathlib import Path
folder, root, python, wheel, left = *sys.argv[1:5], int(sys.argv[5])
sys.path.insert(0, folder)
import versions

def counted(frame, event, _):
    global left
    if frame.f_code.co_filename != versions.__file__:
        return None
    if event == "line":
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return counted

sys.settrace(counted)
versions.Versions(Path(root), python).update(Path(wheel))
sys.settrace(None)
print(-left)
"""
"""An update that kills itself at a line of its own, as a power cut would; it prints how many there are."""


def killed(ground: Ground) -> Outcome:
    """An update is killed at so many lines of it: the box has a whole version, its games, and the next try succeeds."""
    if ground.tree != ROOT:
        return Outcome(skipped="this checkout's update alone is killed")
    outcome, many = Outcome(), ground.many(KILLS)
    lines = int(_updated(_machine(ground.folder("counted")), 0) or 0)
    assert lines > many, "the update was not made"
    new = 0
    for number in range(many):
        at = 1 + round(number * (lines - 1) / max(many - 1, 1))
        machine = _machine(ground.folder(f"killed {number}"))
        _updated(machine, at)
        new += _is_new(machine)
        outcome.case(_is_whole(machine), f"killed at line {at} of {lines}: {machine.installed()}")
        _updated(machine, 0)
        outcome.case(_is_new(machine) and _is_whole(machine), f"again after line {at}: {machine.installed()}")
        there = str(machine.installed()["there"]).split()
        outcome.case(len(there) == 2, f"left after line {at}: {there}")
    outcome.worst = outcome.worst or f"{many} kills within {lines} lines; {new} had switched to the new version"
    return outcome


def _machine(folder: Path) -> InstalledMachine:
    machine = InstalledMachine(folder, stand_in_environment(folder / "template"))
    machine.lay(OLD)
    (machine.data / "game.journal").write_bytes(b"kept")
    return machine


def _updated(machine: InstalledMachine, left: int) -> str:
    """An update, killed at this line of it; what it prints. The step in which it was killed ends by itself."""
    words = [Path(versions.__file__).parent, machine.root, machine.folder / "bin/python", machine.wheel(NEW), left]
    done = subprocess.run(
        [sys.executable, "-c", _UPDATE, *map(str, words)], env=machine.environment, capture_output=True, text=True
    )
    with (machine.home / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    return done.stdout.strip()


def _is_new(machine: InstalledMachine) -> bool:
    return str(machine.installed()["current"]).startswith(NEW)


def _is_whole(machine: InstalledMachine) -> bool:
    """Return whether a whole version runs, with a whole one before it if it is new, and the games are there."""
    ways = [machine.versions.current, *([machine.versions.before] if _is_new(machine) else [])]
    whole = all(way is not None and (way / "bin/shinpan").is_file() for way in ways)
    return whole and (machine.data / "game.journal").read_bytes() == b"kept"


ATTACKS: dict[str, Attack] = {
    "killed": killed,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
