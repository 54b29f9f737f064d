"""The box's own part of the count of consecutive failed starts (device/machine/versions.py), for safe mode: the reason.

A start that was told to stop before it ran for WELL seconds counts neither way, and several tries of one start count
once.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from device.machine.versions import DIED, STARTS, read_count, read_starts, write_starts
from device.settings import BadSettings, Data, expand_home, read_section_leniently
from device.system import system

SOON = 30.0
"""Seconds within which a stopping service still shows the reason on a page for a while, and not only in the log: it
then has ended, all in all, before WELL."""


class StartCounter:
    """The starts of the box whose data folder this is.

    failed: number of consecutive failures
    why: the reason of the newest
    """

    def __init__(self, folder: Path) -> None:
        self._path, self._start = folder / STARTS, os.environ.get("INVOCATION_ID", "")
        starts = read_starts(self._path)
        starts = starts if starts.get("program", sys.prefix) == sys.prefix else {}
        boot = starts.get("boot")
        has_died = boot is not None and boot == system.boot_id()
        self.failed, self.why = (
            read_count(starts, "failed") + has_died,
            DIED if has_died else str(starts.get("why", "")),
        )
        self._counted_from, self._is_counted = read_count(starts, "told"), False

    def begin(self) -> None:
        """Record that the box is about to start."""
        if not self._is_counted:
            self._write_file(boot=system.boot_id())

    def fail(self, why: str) -> None:
        """Record a failed start.

        why: a sentence
        """
        self.failed, self.why, self._is_counted = self.failed + (not self._is_counted), why, True
        self._write_file(start=self._start)

    def end(self) -> None:
        """Record that the box was told to stop before it was clear whether it runs well."""
        self._write_file()

    def well(self) -> None:
        """Record that the box runs well."""
        self.failed, self.why, self._counted_from = 0, "", 0
        self._write_file()

    def _write_file(self, **more: str) -> None:
        """Write the file; a folder that is not writable is reported elsewhere."""
        starts = {"failed": self.failed, "told": self._counted_from, "why": self.why, "program": sys.prefix, **more}
        with suppress(OSError):
            write_starts(self._path, starts)


def folder_of(path: Path | None, data: str | None = None) -> Path:
    """Return the folder of games, as far as invalid settings can be read.

    data: from the command line
    """
    try:
        return expand_home(data or read_section_leniently(path, "data").data.folder)
    except BadSettings:
        return expand_home(Data().folder)
