"""Games as real boxes published them: each Showing with its time, from a box with rules, clocks and journal of its own
that was told what lay on its table and what was pressed. Seeded.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from referee.game.board import Colour, opponent_of, points_of
from referee.game.turns import Placement
from referee.rules.legality import judge, legal_placements
from referee.time.steps import Act, Step
from referee.umpire.events import Button, Resume
from referee.umpire.table_state import Phase, TableSnapshot
from tests.support.device.player import Player
from tests.support.table import TrueTable

CONTROL = "45m+5x60s"
THINKS = 12.0, 2.0, 90.0
"""Seconds to a turn: their mean, the least and the most."""
SLIPS_EVERY, CALLS_EVERY = 40, 90
"""Turns between two stones of the wrong colour, and between two calls for the director."""


@dataclass(frozen=True)
class Recorded:
    """Snapshots that a box published in a game, the oldest first, each at `t` on its clock."""

    showings: tuple[TableSnapshot, ...]

    @property
    def lasts(self) -> float:
        """Seconds from the first to the last."""
        return self.showings[-1].t - self.showings[0].t


class Recording(Player):
    """A game of random legal turns at a table of its own, with slips and calls."""

    def __init__(self, folder: Path, seed: int, size: int) -> None:
        super().__init__(folder, rules="chinese", size=size, control=CONTROL)
        TrueTable.__init__(self, self.box.match.record)
        self._chance = random.Random(seed)
        self.look()

    def play(self, turns: int) -> Recorded:
        """So many turns; then who is to move resigns, and both agree."""
        self.press(2)
        for number in range(1, turns + 1):
            self.wait(self._thinks())
            if number % SLIPS_EVERY == 0:
                self._slip()
            if number % CALLS_EVERY == 0:
                self._call()
            self._turn()
        self._end()
        self.box.close()
        assert self.now.phase is Phase.FINAL, self.now.phase
        return Recorded(tuple(self.shown))

    @property
    def _mover(self) -> Colour:
        return self.box.match.record.to_play

    def _thinks(self) -> float:
        mean, least, most = THINKS
        return min(max(self._chance.expovariate(1 / mean), least), most)

    def _done(self) -> None:
        self.press(1 if self._mover is Colour.BLACK else 2).look()

    def _turn(self) -> None:
        record = self.box.match.record
        points = [*points_of(legal_placements(record))]
        after = judge(record, Placement(record.to_play, self._chance.choice(points))).after
        assert after is not None
        self.position, self.lids = after.position, after.bowls
        self._done()

    def _slip(self) -> None:
        """A stone of the wrong colour, which is refused and taken back."""
        before, mover = self.position, self._mover
        points = [*points_of(legal_placements(self.box.match.record))]
        self.put(opponent_of(mover), self.board.name(self._chance.choice(points)))
        self._done()
        self.position = before
        self.look()
        self.wait(4.0)

    def _call(self) -> None:
        """The player to move calls the director, who comes after half a minute."""
        self.box.say(Step(self.t, Act.PAUSE, self._mover))
        self.wait(30.0)
        self.box.say(Resume(self.t))

    def _end(self) -> None:
        side = 1 if self._mover is Colour.BLACK else 2
        self.press(side, Button.CALL, lasting=3.5)
        self.press(side)
        for each in (1, 2):
            self.press(each)
        self.look()


def recorded(folder: Path, seed: int, turns: int = 220, size: int = 19) -> Recorded:
    """A game. folder: where its box keeps its journal."""
    return Recording(folder, seed, size).play(turns)
