"""Random event sequences into the running appliance: is it ever stuck, is a result shown that the rules do not give?

    python -m tests.benchmarks.chaos --sequences 10000

Buttons in any order and rhythm, looks right, wrong, partial and from the past, lone edges, a camera that comes and
goes, restarts, and in every second sequence the director's acts as her page sends them: put into the appliance's queue
and heard by its own thread, journal and all. After each sequence the record is checked against the rules, and two
players end the game: that must always be possible. What the director does is answered in a sentence, whatever it is.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from device.appliance import Appliance
from device.box import Box
from device.director import Director
from device.panel.panel import Edge, NoPanel
from referee.events import Observed
from referee.snapshot import Showing, Sight
from tests.device.test_box import Player
from tests.support.device.chaos import run_chaos
from tests.support.device.sayings import random_act
from web.errors import BadAct


class Threaded:
    """A box behind its appliance: what it is told goes through the queue, and is waited for."""

    def __init__(self, box: Box) -> None:
        self.inner, self.t, self.told = box, 0.0, False
        self.appliance = Appliance(lambda: self.t)
        self.appliance.start(box)
        self.director = Director(self.appliance, self, lambda: self.t, lambda: box.match.manner, lambda place: None)

    def seen(self, seen: Observed) -> None:
        self.appliance.seen(seen)
        self.told = True

    def edge(self, edge: Edge) -> None:
        self.appliance.edge(edge)
        self.told = True

    def sight(self, sight: Sight, t: float, fault: str | None = None) -> None:
        self.appliance.sight(sight, t, fault)
        self.told = True

    def tick(self, t: float) -> None:
        """Time has come to t; the owner's thread finds that out by itself."""
        self.t = max(self.t, t)
        self.appliance.sight(self.inner.showing.sight, t)
        self.told = True
        self._settle()

    @property
    def newest(self) -> Showing:
        """What the director's page shows."""
        return self.showing

    def direct(self, body: dict[str, object]) -> str:
        """The director's act; what was answered."""
        try:
            said = " ".join(self.director.act(body))
        except BadAct as error:
            said = str(error)
        self.told = True
        return said

    def _settle(self) -> None:
        """Wait until all has been heard that was told since the last time."""
        if self.told:
            self.appliance.settle()
        self.told = False
        assert not self.appliance.failed.is_set(), "the owner's thread has stopped"

    @property
    def match(self) -> object:
        self._settle()
        return self.inner.match

    @property
    def showing(self) -> Showing:
        self._settle()
        return self.inner.showing

    def close(self) -> None:
        self.appliance.stop()

    def resume(self, *args: object) -> None:
        self.inner.resume(*args)  # type: ignore[arg-type]


class RunningPlayer(Player):
    """The same true table before a running appliance."""

    def __init__(self, folder: Path, seed: int) -> None:
        control = (None, "2m+2x20s", "1m+5s", "ing 1m 2x20s", "1m+5/1m")[seed % 5]
        rules = ("ultimate", "chinese")[seed % 2]
        super().__init__(folder, seed % 3 != 0, rules, control=control, procedures=seed % 7 != 0, panel=NoPanel())
        self.box = Threaded(self.box)  # type: ignore[assignment]

    def restarted(self) -> Player:
        """The same table before a new box, which takes up the match from the journal."""
        super().restarted()
        self.box = Threaded(self.box)  # type: ignore[assignment]
        return self


def direct(player: RunningPlayer, rng: random.Random) -> None:
    """The director does something on her page."""
    player.box.t = player.t = player.t + rng.choice((0.1, 3.0))
    said = player.box.direct(random_act(rng, player.board))
    assert re.fullmatch(r"[A-Za-z][^\n]*[.)]", said), said


def main() -> int:
    """Run the sequences; 1 when one of them broke a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    args = parser.parse_args()
    logging.disable()
    begun, results, broken = time.monotonic(), Counter[str](), 0
    for seed in range(args.first, args.first + args.sequences):
        with tempfile.TemporaryDirectory(prefix="shinpan-chaos-") as folder:
            player = RunningPlayer(Path(folder), seed)
            try:
                more = (direct,) if seed % 2 else ()
                run_chaos(player, random.Random(seed), args.events, more)  # type: ignore[arg-type]
                results[str(player.box.showing.game.result)] += 1
            except AssertionError as error:
                broken += 1
                print(f"seed {seed}: {error}", flush=True)
            player.box.close()
    took = time.monotonic() - begun
    print(f"{args.sequences} sequences of {args.events} events, {broken} broken; {dict(results)}; {took:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
