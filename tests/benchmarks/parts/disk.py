"""Random games with clocks before a box whose disk is full at times, torn at its end, or pulled out.

Every ruling that was shown without a word about the journal has to be there, the journal has to be sound, and once
there is room nothing at all may be missing. What is taken up from a torn end has to be a beginning of the game.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from device.journal.replay import Folder, ReplayedMatch
from referee.game.board import Colour
from tests.support.device.player import Player
from tests.support.wording import english

TURNS = 10
TORN = 4
LEAST = 4096


class Room:
    """The room that is left on the disk, which can be taken away. small: the folder is on a file system of its own."""

    def __init__(self, folder: Path, small: bool) -> None:
        self._folder, self._small = folder, small
        self._usual = resource.getrlimit(resource.RLIMIT_FSIZE)

    def take(self, rng: random.Random) -> None:
        """Leave a few bytes only."""
        if self._small:
            self._fill()
        else:
            largest = max((path.stat().st_size for path in self._folder.iterdir()), default=0)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest + rng.randrange(LEAST), self._usual[1]))

    def give(self) -> None:
        """All of it back."""
        resource.setrlimit(resource.RLIMIT_FSIZE, self._usual)
        (self._folder.parent / "filler").unlink(missing_ok=True)

    def _fill(self) -> None:
        with (self._folder.parent / "filler").open("ab", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(LEAST))
            except OSError:
                return


class Game:
    """A game before a box whose disk comes and goes."""

    def __init__(self, folder: Path, seed: int, small: bool) -> None:
        self.rng = random.Random(f"disk {seed}")
        folder.mkdir()
        self.folder, self.room = folder, Room(folder, small)
        self.player = Player(folder, control="5m+3x30s", rules="chinese").look().press(2)
        self.tally = Counter[str]()
        self.safe = 0

    def play(self) -> None:
        """The whole game, with pulled plugs in it."""
        for _ in range(TURNS):
            self._turn()
            if self.rng.random() < 0.3:
                self.room.take(self.rng)
                self.tally["full"] += 1
            elif self.rng.random() < 0.4:
                self.room.give()
            if self.rng.random() < 0.4:
                self._pull()
        self.room.give()
        self._turn()
        assert not self._faulty, f"there is room, and the page says {[*map(english, self.player.now.faults)]}"
        self._pull()

    @property
    def _faulty(self) -> bool:
        return any("journal" in english(fault) for fault in self.player.now.faults)

    def _turn(self) -> None:
        player, record = self.player, self.player.box.table.record
        empty = [point for point in range(record.position.board.points) if record.position.empty >> point & 1]
        colour = record.to_play
        player.put(colour, record.position.board.name(self.rng.choice(empty)))
        player.press(1 if colour is Colour.BLACK else 2).look().wait(self.rng.random())
        player.position = player.box.table.record.position
        player.look()
        self.tally["turns"] += 1
        if not self._faulty:
            self.safe = len(player.now.game.rulings)
        else:
            self.tally["turns while the page said that the disk was full"] += 1

    def _pull(self) -> None:
        """Take up what lies on the disk now, with room and without; then take up torn copies of it."""
        rulings = self.player.now.game.rulings
        usual = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual[1], usual[1]))
        with tempfile.TemporaryDirectory(prefix="shinpan-disk-") as scratch:
            copy = Path(scratch) / "copy"
            shutil.copytree(self.folder, copy)
            for number in range(TORN):
                shutil.copytree(copy, Path(scratch) / f"torn {number}")
            replayed = taken_up(copy)
            assert replayed.rulings == rulings[: len(replayed.rulings)] and replayed.lost is None
            assert len(replayed.rulings) >= self.safe, f"{len(replayed.rulings)} of {self.safe} rulings are left"
            self.tally["plugs"] += 1
            for number in range(TORN):
                self._torn(Path(scratch) / f"torn {number}", replayed)
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    def _torn(self, folder: Path, whole: ReplayedMatch) -> None:
        tear(folder, self.rng)
        try:
            replayed = taken_up(folder)
        except (AssertionError, Exception) as error:
            assert whole.entries < 4 or "journal" in str(error), error
            self.tally["nothing sound"] += 1
            return
        assert replayed.rulings == whole.rulings[: len(replayed.rulings)], "a torn journal tells another game"
        assert replayed.lost is not None or replayed.entries == whole.entries, "what is lost is not told"
        self.tally["torn, all there" if replayed.entries == whole.entries else "torn, the beginning there"] += 1


def taken_up(folder: Path) -> ReplayedMatch:
    """The match in a folder, after a restart."""
    newest = Folder(folder).find_newest_match()
    assert newest is not None, "there is no match in the journal"
    assert newest[1].differs is None, newest[1].differs
    return newest[1]


def tear(folder: Path, rng: random.Random) -> None:
    """Damage the end of the file that was written last: cut it, or half a page of it never came to the disk."""
    path = max((p for p in folder.iterdir() if not p.name.endswith((".sgf", "-shm"))), key=lambda p: p.stat().st_size)
    size = path.stat().st_size
    if rng.random() < 0.5:
        os.truncate(path, max(size - rng.randrange(1, 6 * LEAST), 0))
    else:
        with path.open("r+b") as file:
            file.seek(max(size - rng.randrange(LEAST // 2, 6 * LEAST), 0))
            file.write(rng.randbytes(rng.randrange(1, LEAST // 2)))
