"""Attacks on a running hall: `shinpan hall` as a program of its own, its boxes, and others that are not."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self
from urllib.request import urlopen

from tests.support.attack.boxes import PATIENCE, STARTS_WITHIN, Ground, Outcome, free_port
from tests.support.attack.strangers import KINDS, Stranger

STRANGERS, WATCHED = 200, 20.0
"""Addresses at which a stranger answers, and seconds for which the hall's memory is watched."""
MOST_MEMORY = 300
"""Megabytes."""
_LISTENS = re.compile(r"the wall is at (http://[^\s,;]+)")


class AttackedHall:
    """`shinpan hall` on these tables. tables: the lines of each, by their keys."""

    def __init__(self, ground: Ground, folder: Path, tables: Sequence[Mapping[str, str]]) -> None:
        self._said = folder / "stderr"
        (listed := folder / "tables.toml").write_text(_listed(folder, tables))
        with self._said.open("w") as said:
            self.process = subprocess.Popen(
                ground.command("hall", listed, "--port", str(port := free_port())),
                cwd=folder,
                env=ground.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )
        self.address = f"http://127.0.0.1:{port}"

    @property
    def said(self) -> str:
        """What it said on stderr."""
        return self._said.read_text(errors="replace")

    @property
    def memory(self) -> int:
        """Megabytes, at most since it began; 0 once it has ended."""
        with suppress(OSError):
            found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
            return int(found[1]) // 1024 if found else 0
        return 0

    def tables(self) -> dict[str, Any]:
        """What its wall knows of each table, by its name."""
        with urlopen(f"{self.address}/tables.json", timeout=PATIENCE) as answer:
            return {one["table"]: one for one in json.load(answer)["tables"]}

    def __enter__(self) -> Self:
        until = time.monotonic() + STARTS_WITHIN
        while "Ctrl-C ends" not in self.said:
            assert self.process.poll() is None and time.monotonic() < until, self.said[-300:]
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


def _listed(folder: Path, tables: Sequence[Mapping[str, str]]) -> str:
    head = f'folder = "{folder / "hall"}"\nhost = "127.0.0.1"\npublic = false\n'
    lines = ("".join(f'{key} = "{said}"\n' for key, said in one.items()) for one in tables)
    return head + "".join(f"[[tables]]\n{one}" for one in lines)


def memory(ground: Ground) -> Outcome:
    """Strangers at so many addresses who send all they can: how large does the hall become?"""
    outcome, count, limit = Outcome(), ground.many(STRANGERS), MOST_MEMORY
    with ExitStack() as held:
        strangers = [Stranger(kind, "0.0.0.0") for kind in KINDS]
        for one in strangers:
            held.callback(one.close)
        tables = [
            {
                "table": str(number),
                "address": f"http://127.0.2.{1 + number % 250}:{strangers[number % len(strangers)].port}/",
                "box": f"{number:064x}",
                "secret": f"{number:032x}",
            }
            for number in range(count)
        ]
        hall = held.enter_context(AttackedHall(ground, ground.folder("memory"), tables))
        until = time.monotonic() + WATCHED
        while time.monotonic() < until and hall.memory < 20 * limit and hall.process.poll() is None:
            time.sleep(0.2)
        begun = time.monotonic()
        answers = _answers(hall)
        took, most = time.monotonic() - begun, hall.memory
    words = f"{most} MB under {count} strangers; the wall answered in {took:.1f} s"
    outcome.case(answers and most <= limit, words)
    outcome.worst = words
    return outcome


def _answers(hall: AttackedHall) -> bool:
    with suppress(OSError):
        return bool(hall.tables())
    return False
