"""What of a game was doubtful, and until when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.ruling import Ruling, Status
from web.language import ENGLISH

# Chosen by hand.
PASSING = 5.0
"""Seconds: what comes right sooner is a hand at work and nobody's doubt."""

CLEARING = 30.0
"""Seconds that clearing a board takes at most."""
ON = "No turn was recorded after this."


@dataclass(frozen=True)
class Doubted:
    """A thing to look at again. look: number of the look at which it came up, whose picture shows it; None: no picture
    does. t: its time. text: what is doubtful, as sentences. until: when it came right by itself; None where it did not,
    or stands."""

    look: int | None
    t: float
    text: str
    until: float | None = None


class Doubts:
    """Those of one game. waiting: what came up last and has not come right."""

    def __init__(self) -> None:
        self.kept: list[Doubted] = []
        self.waiting: Doubted | None = None

    def hear(self, look: int | None, t: float, rulings: Iterable[Ruling]) -> None:
        """What was ruled on a look."""
        for ruling in rulings:
            said = Doubted(look, t, ENGLISH.sentence(ruling.message))
            if ruling.status in (Status.UNEXPLAINED, Status.UNFINISHED):
                self.waiting = self.waiting or said
            elif ruling.status is Status.ILLEGAL or ruling.order is not None or not ruling.turn:
                self.kept.append(said)

    def settle(self, t: float) -> None:
        """Everything on the board is explained: what waited has come right."""
        waited, self.waiting = self.waiting, None
        if waited is not None and t - waited.t >= PASSING:
            self.kept.append(replace(waited, until=t))

    def tell(self, look: int | None, t: float, text: str) -> None:
        """A thing to be told, which explains what waited."""
        self.waiting = None
        self.kept.append(Doubted(look, t, text))

    def end(self, cleared: float | None = None) -> None:
        """What still waits stays a doubt, unless it came of the board's being cleared then."""
        waited, self.waiting = self.waiting, None
        if waited is not None and (cleared is None or cleared - waited.t >= CLEARING):
            self.kept.append(replace(waited, text=f"{waited.text} {ON}", until=cleared))

    def wanted(self, look: int) -> bool:
        """Whether this look's picture shows one of them."""
        newest = self.kept[-1] if self.kept else None
        return any(one is not None and one.look == look for one in (self.waiting, newest))
