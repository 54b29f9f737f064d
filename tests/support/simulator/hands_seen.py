"""Times at which the hands at a drawn table left it and released a button, as its log tells."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from device.simulator.table import POSE


@dataclass
class Seen:
    """Wall times, seconds: hands gone before a `done`, that button let go, new rulings on the page."""

    stopped: list[float] = field(default_factory=list)
    released: list[float] = field(default_factory=list)
    ruled: list[float] = field(default_factory=list)


def watch_table(log: Path, seen: Seen) -> None:
    """Follow the log, in which a step stands as soon as its last frame was shown."""

    def watch() -> None:
        with log.open() as lines:
            for line in lines:
                step = json.loads(line)
                begun = time.monotonic() - step["t"]
                for press in step["presses"]:
                    if press["button"] == "done":
                        times, t = (seen.stopped, press["t"] - POSE) if press["down"] else (seen.released, press["t"])
                        times.append(begun + t)

    threading.Thread(target=watch, daemon=True).start()
