"""Tasks for a background worker, and a box of nothing else: `python -m tests.device.table.worker_tasks busy`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from device.table.worker import BackgroundWorker, Lane
from referee.game.errors import BadRecord


def own_pid(path: Path) -> int:
    return os.getpid()


def niceness(path: Path) -> int:
    return os.nice(0)


def spin(path: Path) -> None:
    """Work without end."""
    while True:
        pass


def spin_once(path: Path) -> int:
    """Work without end, unless it was begun before."""
    if not path.exists():
        path.write_text(f"{os.getpid()}")
        spin(path)
    return os.getpid()


def refuse(path: Path) -> None:
    raise BadRecord(f"{path}: no game.")


def fail(path: Path) -> None:
    raise ZeroDivisionError("a fault")


def _run_box(work: str) -> None:
    """Print the worker's process id, then have it work without end or rest."""
    worker = BackgroundWorker()
    print(worker.run(Lane.REPLAY, own_pid, Path(), 60.0), flush=True)
    worker.run(Lane.REVIEW, spin if work == "busy" else own_pid, Path(), 60.0)
    print("idle", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    from tests.device.table import worker_tasks  # The worker knows this module by its name alone.

    worker_tasks._run_box(sys.argv[1])
