"""The count of consecutive failed starts: a file in the data folder, for safe mode and updates.

The file `starts` is JSON: `failed`, the number of consecutive starts after which the box did not run for WELL seconds
(a start that was told to stop before then counts neither way); `why`, a sentence on the newest of them; `program`, the
folder of the version that was started, because another one begins at zero; `boot`, the machine's boot id while a start
is under way, which distinguishes a crash from a power cut. `device/machine/versions.py`, which takes back a version
that does not start, counts by itself how often the service ended: it also sees crashes without a message.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

from device.files import write_whole
from device.settings import BadSettings, Data, expand_home, read_section_leniently
from referee.game.errors import RefereeError

FILE = "starts"
WELL = 60.0
"""Seconds after which a box that still runs has started well."""
SOON = 30.0
"""Seconds within which a stopping service still shows the reason on a page for a while, and not only in the log: it
then has ended, all in all, before WELL."""
MOST = 3
"""Consecutive failed starts after which the box shows the reason before it tries again."""
DIED = "The box ended without a word, and its log does not say why."
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Starts:
    """The starts of the box whose data folder this is.

    failed: number of consecutive failures
    why: the reason of the newest
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        kept = _kept(self._path)
        kept = kept if kept.get("program") == sys.prefix else {}
        boot = kept.get("boot")
        died = boot is not None and boot == _boot()
        self.failed, self.why = _count(kept) + died, DIED if died else str(kept.get("why", ""))

    def begin(self) -> None:
        """Record that the box is about to start."""
        self._keep(boot=_boot())

    def fail(self, why: str) -> None:
        """Record a failed start.

        why: a sentence
        """
        self.failed, self.why = self.failed + 1, why
        self._keep()

    def end(self) -> None:
        """Record that the box was told to stop before it was clear whether it runs well."""
        self._keep()

    def well(self) -> None:
        """Record that the box runs well."""
        self.failed, self.why = 0, ""
        self._keep()

    def _keep(self, **more: str) -> None:
        """Write the file; a folder that is not writable is reported elsewhere."""
        kept = {"failed": self.failed, "why": self.why, "program": sys.prefix, **more}
        with suppress(RefereeError):
            write_whole(self._path, json.dumps(kept).encode())


def folder_of(path: Path | None, data: str | None = None) -> Path:
    """Return the folder of games, as far as invalid settings can be read.

    data: from the command line
    """
    try:
        return expand_home(data or read_section_leniently(path, "data").data.folder)
    except BadSettings:
        return expand_home(Data().folder)


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
