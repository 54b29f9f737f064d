"""The games kept in the box's folder, by name: what may be read of them over the page."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from device.journal import ENDING

RECORD = ".sgf"


class Archive:
    """The games in a folder; only names that `names` gives lead to a file, whatever else is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> Sequence[str]:
        """All games with a record, the newest first."""
        return sorted((path.stem for path in self._folder.glob(f"[0-9]*{RECORD}")), reverse=True)

    def record(self, name: str) -> bytes | None:
        """The SGF of a game, None where there is none of that name."""
        return (self._folder / f"{name}{RECORD}").read_bytes() if name in self.names() else None

    def journal(self, name: str) -> bytes | None:
        """A whole copy of a game's journal, also while it is being written; None where there is none of that name."""
        path = self._folder / f"{name}{ENDING}"
        if path.name not in {found.name for found in self._folder.glob(f"[0-9]*{ENDING}")}:
            return None
        written, copy = sqlite3.connect(path), sqlite3.connect(":memory:")
        try:
            written.backup(copy)
            return copy.serialize()
        finally:
            written.close()
            copy.close()
