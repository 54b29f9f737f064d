"""Kept files with one byte damaged: whatever is lost by it has to be told on the page and by `verify`."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path

from device.journal.replay import Folder, ReplayedMatch, replay_journal
from device.journal.store import JournalError

# A kill in the middle of what changes names in a folder.


def killed_at(step: int, do: Callable[[], object]) -> bool:
    """Do it in a process that ends before its so-manieth change of a name in a folder; whether it came so far."""
    if (child := os.fork()) == 0:
        steps = count()

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            named = event in ("os.rename", "os.remove", "os.link") and "shinpan-" not in str(arguments[0])
            if named and next(steps) == step:
                os._exit(9)

        sys.addaudithook(hook)
        do()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


CLOCK_RIGHT = 1.0
"""Seconds by which the clock may be wrong without a word."""


class Damage(StrEnum):
    """The damage to a file: a bit is flipped, all from there on is cut off, or it is gone."""

    FLIPPED = "flipped"
    CUT = "cut"
    GONE = "gone"


@dataclass(frozen=True)
class SavedMatch:
    """A match as it was shown before the damage, and all files of its folder as a kill leaves them."""

    folder: Path
    whole: ReplayedMatch

    def files(self) -> list[Path]:
        """Every file in which something is kept, relative to the folder."""
        paths = (path for path in sorted(self.folder.rglob("*")) if path.is_file() and path.stat().st_size)
        return [path.relative_to(self.folder) for path in paths]


def damage_file(path: Path, kind: Damage, at: int, bit: int) -> None:
    """Damage a file at a byte."""
    match kind:
        case Damage.FLIPPED:
            with path.open("r+b") as file:
                file.seek(at)
                (byte,) = file.read(1)
                file.seek(at)
                file.write(bytes([byte ^ 1 << bit]))
        case Damage.CUT:
            os.truncate(path, at)
        case Damage.GONE:
            path.unlink()


def outcome(game: SavedMatch, file: Path, kind: Damage, at: int, bit: int) -> str:
    """Return the outcome of this damage; raise AssertionError if something is lost and not told.

    "harmless", "told" (on the page and by verify, the sound part taken up), or "told, nothing sound".
    """
    with tempfile.TemporaryDirectory(prefix="shinpan-damage-") as scratch:
        folder = Path(scratch) / "games"
        shutil.copytree(game.folder, folder)
        damage_file(folder / file, kind, at, bit)
        where = f"{file} {kind} at {at}, bit {bit}"
        verified = _verified(folder)
        try:
            newest = Folder(folder).find_newest_match()
        except JournalError:
            assert not verified, f"{where}: verify says nothing"
            return "told, nothing sound"
        assert newest is not None, f"{where}: the match is gone without a word"
        return _compared(where, game.whole, newest[1], verified)


def _compared(where: str, whole: ReplayedMatch, replayed: ReplayedMatch, verified: bool) -> str:
    assert replayed.rulings == whole.rulings[: len(replayed.rulings)], f"{where}: another game is taken up"
    if replayed.lost is not None:
        assert replayed.differs is None
        return "told"
    assert replayed.rulings == whole.rulings and replayed.entries == whole.entries, f"{where}: lost, and not told"
    assert replayed.differs is None and verified, f"{where}: verify tells what the page does not"
    assert abs(replayed.t - whole.t) <= CLOCK_RIGHT, f"{where}: the clock is wrong, and not told"
    return "harmless"


def _verified(folder: Path) -> bool:
    try:
        replayed = [replay_journal(path) for path in Folder(folder).list_journals()]
    except JournalError:
        return False
    return bool(replayed) and all(one.differs is None for one in replayed)


def many(game: SavedMatch, flips: int, seed: int) -> Counter[str]:
    """So many flips of one bit in every file; what came of them, `SILENT` where nothing was said."""
    rng, tally = random.Random(seed), Counter[str]()
    for file in game.files():
        size = (game.folder / file).stat().st_size
        for _ in range(flips):
            try:
                came = outcome(game, file, Damage.FLIPPED, rng.randrange(size), rng.randrange(8))
            except AssertionError:
                came = "SILENT"
            tally[f"{file.suffix}: {came}"] += 1
    return tally
