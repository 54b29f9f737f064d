"""The watching of a recording, decided once for a single game and for an evening of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from referee.game.record import GameRecord
from referee.rules.setup import Setup
from referee.table.table import Table, TableConfig
from vision.calibration.model import Calibration
from vision.camera.recordings import Look, UnreadableStill
from vision.tracking.tracker import TrackerConfig
from web.language import ENGLISH


@dataclass(frozen=True)
class WatchRequest:
    """The request to watch a source.

    source: a file, a folder or a camera.
    setup: the start of its games.
    config: the options of its tables.
    size: lines a side of every board; None to find them out.
    calibration: given by a person; None to find board and lids in the picture.
    in_words: True if a person reads the results.
    """

    source: str
    setup: Setup
    config: TableConfig
    size: int | None
    calibration: Calibration | None
    in_words: bool

    @property
    def name(self) -> str:
        """Return the name of the source without its folder."""
        return Path(self.source).name

    def tracker_config(self, stills: bool) -> TrackerConfig:
        """Return how its boards are tracked. stills: each frame is a deliberate photograph"""
        return TrackerConfig(stills, self.size, self.calibration)


def recorded_table(record: GameRecord, config: TableConfig) -> Table:
    """Return the table of a game in a recording, which repeats no look, so that each is judged."""
    return Table(record, replace(config, every_look=True))


def tell_trouble(look: Look, tell: Callable[[str], None]) -> None:
    """Tell the user why a frame cannot be read, or what was noted about it."""
    if isinstance(look, UnreadableStill):
        tell(look.sentence)
    elif look.note is not None:
        tell(ENGLISH.sentence(look.note))
