"""A true table before a running appliance, whose own thread hears what it is told, and the director at her page."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Self

from device.appliance import Appliance
from device.box import Box
from device.director import Director
from device.panel.panel import Edge, NoPanel
from referee.events import Observed
from referee.standing import Showing, Sight
from tests.support.device.player import Player
from tests.support.device.sayings import random_act
from tests.support.wording import english
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
            said = " ".join(map(english, self.director.act(body)))
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

    def restarted(self) -> Self:
        """The same table before a new box, which takes up the match from the journal."""
        super().restarted()
        self.box = Threaded(self.box)  # type: ignore[assignment]
        return self


def direct(player: RunningPlayer, rng: random.Random) -> None:
    """The director does something on her page."""
    player.box.t = player.t = player.t + rng.choice((0.1, 3.0))
    said = player.box.direct(random_act(rng, player.board))
    assert re.fullmatch(r"[A-Za-z][^\n]*[.)]", said), said
