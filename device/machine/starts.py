"""How often in a row the box did not run well after its start: a file in the data folder, for safe mode and updates.

The file `starts` is JSON: `failed`, so many starts in a row after which the box did not run for WELL seconds (a start
that was told to stop before then counts neither way); `why`, a sentence on the newest of them; `program`, where the
version is installed whose starts these are, for another one begins anew; `boot`, the machine's boot while a start is
under way, by which a box that died is told from a plug that was pulled. `device/machine/versions.py`, which takes a
version back that does not start, counts by itself how often the service ended: it also sees what ends without a word.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

from device.files import write_whole
from device.settings import BadSettings, Data, as_far_as, expanded
from referee.errors import RefereeError

FILE = "starts"
WELL = 60.0
"""Seconds after which a box that still goes round has started well."""
SOON = 30.0
"""Seconds within which a service that stops says so on a page for a while, and not only in the log: so that it has
ended, all in all, before WELL."""
MOST = 3
"""So many failed starts in a row, and the box says so before it tries again."""
DIED = "The box ended without a word, and its log does not say why."
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Starts:
    """The starts of the box whose data folder this is. failed: in a row until now; why: the newest of these did."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        kept = _kept(self._path)
        kept = kept if kept.get("program") == sys.prefix else {}
        boot = kept.get("boot")
        died = boot is not None and boot == _boot()
        self.failed, self.why = _count(kept) + died, DIED if died else str(kept.get("why", ""))

    def begin(self) -> None:
        """The box is about to start."""
        self._keep(boot=_boot())

    def fail(self, why: str) -> None:
        """It could not start, or not run well; why: a sentence."""
        self.failed, self.why = self.failed + 1, why
        self._keep()

    def end(self) -> None:
        """It was told to stop before it was clear whether it runs well."""
        self._keep()

    def well(self) -> None:
        """It runs well."""
        self.failed, self.why = 0, ""
        self._keep()

    def _keep(self, **more: str) -> None:
        """A folder that cannot be written to is told elsewhere."""
        kept = {"failed": self.failed, "why": self.why, "program": sys.prefix, **more}
        with suppress(RefereeError):
            write_whole(self._path, json.dumps(kept).encode())


def folder_of(path: Path | None, data: str | None = None) -> Path:
    """Where the games are, as far as settings say it that may not be usable; data: on the command line."""
    try:
        return expanded(data or as_far_as(path, "data").data.folder)
    except BadSettings:
        return expanded(Data().folder)


def _kept(path: Path) -> dict[str, object]:
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(path.read_bytes())
        return kept if isinstance(kept, dict) else {}
    return {}


def _count(kept: dict[str, object]) -> int:
    failed = kept.get("failed")
    return failed if isinstance(failed, int) and not isinstance(failed, bool) and 0 <= failed < 10**6 else 0


def _boot() -> str:
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""
