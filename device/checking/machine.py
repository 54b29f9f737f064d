"""Checks of the machine: Python, disk, clock, memory, heat."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from device.checking.check import Check, Mark

PYTHON = (3, 11)
"""The oldest Python that will do."""
LITTLE_SPACE, NO_SPACE = 1000, 100
"""Megabytes on the disk: below the first there is a note, below the second something is wrong."""
LITTLE_MEMORY, NO_MEMORY = 400, 200
"""Megabytes that programs can still have, likewise."""
WARM, HOT = 70, 80
"""Degrees Celsius, likewise from above; at 80 a Raspberry Pi slows down."""
SLOW_COMMIT = 0.1
"""Seconds."""
DAY = 86400


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Check:
    """Whether this Python will do."""
    name = ".".join(map(str, version))
    if version >= PYTHON:
        return Check(Mark.OK, "Python", f"{name}.")
    return Check(Mark.WRONG, "Python", f"{name} is too old: install Python {PYTHON[0]}.{PYTHON[1]} or newer.")


def data(folder: Path) -> Iterator[Check]:
    """Whether the folder of journals can be written to, safely, and has room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        spent, kept = _commit(folder)
    except (OSError, sqlite3.Error) as error:
        yield Check(Mark.WRONG, "data", f"{folder} cannot be written to ({error}); name another folder in [data].")
        return
    if not kept:
        yield Check(Mark.WRONG, "data", f"{folder} is on a disk that keeps no journal safe; name another in [data].")
    elif spent > SLOW_COMMIT:
        yield Check(Mark.NOTE, "data", f"{folder} is slow: a journal entry takes {spent * 1000:.0f} ms to be safe.")
    else:
        yield Check(Mark.OK, "data", f"{folder}: a journal entry is safe on the disk in {spent * 1000:.1f} ms.")
    yield space(shutil.disk_usage(folder).free)


def _commit(folder: Path) -> tuple[float, bool]:
    """Seconds that a journal's commit takes there, and whether it is kept through a power cut."""
    with (
        tempfile.TemporaryDirectory(dir=folder, prefix=".doctor-") as scratch,
        closing(sqlite3.connect(Path(scratch) / "try", isolation_level=None)) as base,
    ):
        mode = base.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        base.execute("PRAGMA synchronous=FULL")
        base.execute("CREATE TABLE entries (body TEXT)")
        started = time.perf_counter()
        base.execute("INSERT INTO entries VALUES ('a turn')")
        return time.perf_counter() - started, mode == "wal"


def space(free: int) -> Check:
    """Whether so many free bytes are enough."""
    megabytes = free // 1_000_000
    if megabytes < NO_SPACE:
        return Check(Mark.WRONG, "disk", f"Only {megabytes} MB are free: delete something, or use a larger disk.")
    if megabytes < LITTLE_SPACE:
        return Check(Mark.NOTE, "disk", f"{megabytes} MB are free: enough for some games; make room soon.")
    return Check(Mark.OK, "disk", f"{megabytes / 1000:.0f} GB are free.")


def clock(now: float, built: float = Path(__file__).stat().st_mtime) -> Check:
    """Whether the time of day can be right. Clocks and turns do not need it; dates of games do."""
    told = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < built - DAY:
        return Check(Mark.NOTE, "clock", f"It says {told}, which is over: set it, or games carry a wrong date.")
    return Check(Mark.OK, "clock", f"{told}.")


def memory(path: Path = Path("/proc/meminfo")) -> Check | None:
    """Whether enough memory is left; None where the system does not say."""
    lines = path.read_text().splitlines() if path.exists() else []
    sizes = {name: int(rest.split()[0]) // 1000 for name, _, rest in (line.partition(":") for line in lines)}
    free = sizes.get("MemAvailable")
    if free is None:
        return None
    if free < LITTLE_MEMORY:
        mark = Mark.WRONG if free < NO_MEMORY else Mark.NOTE
        return Check(mark, "memory", f"Only {free} MB are left: stop other programs, or use a larger machine.")
    return Check(Mark.OK, "memory", f"{free} MB are left.")


def heat(folder: Path = Path("/sys/class/thermal")) -> Check | None:
    """Whether the machine is too hot; None where it does not say."""
    told = [_number(path) for path in folder.glob("thermal_zone*/temp")]
    degrees = max((value / 1000 for value in told if value is not None), default=None)
    if degrees is None:
        return None
    if degrees >= WARM:
        mark = Mark.WRONG if degrees >= HOT else Mark.NOTE
        return Check(mark, "heat", f"{degrees:.0f} °C: give it air or a fan; it slows down when it is too hot.")
    return Check(Mark.OK, "heat", f"{degrees:.0f} °C.")


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
