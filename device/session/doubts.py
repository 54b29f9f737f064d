"""The doubts about a game: what was doubtful, and until when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.game.ruling import Ruling, Status
from referee.rules.ruling_messages import inferred_part, is_gap
from web.language import ENGLISH

# Chosen by hand.
PASSING = 5.0
"""Seconds: trouble that ends sooner is a hand at work, and no doubt."""

CLEARING = 30.0
"""Maximum seconds that clearing a board takes."""
ON = "No turn was recorded after this."


@dataclass(frozen=True)
class Doubt:
    """A moment to check.

    look: number of the observation whose picture shows it, None if no picture does
    t: its time in seconds
    text: what is doubtful, as sentences
    until: when it resolved itself, None if it did not
    """

    look: int | None
    t: float
    text: str
    until: float | None = None


class Doubts:
    """The doubts about one game.

    kept: the confirmed ones
    waiting: the newest trouble that is not resolved
    """

    def __init__(self) -> None:
        self.entries: list[Doubt] = []
        self.waiting: Doubt | None = None

    def handle(self, look: int | None, t: float, rulings: Iterable[Ruling]) -> None:
        """Record the rulings on an observation."""
        for ruling in rulings:
            doubt = Doubt(look, t, ENGLISH.sentence(ruling.message))
            if ruling.status in (Status.UNEXPLAINED, Status.UNFINISHED):
                self.waiting = self.waiting or doubt
            elif is_gap(ruling.message):
                self.tell(look, t, doubt.text)
            elif ruling.status is Status.ILLEGAL or _is_likely_at_most(ruling) or not ruling.turn:
                self.entries.append(doubt)

    def settle(self, t: float) -> None:
        """Record that the position is explained: the waiting trouble is resolved."""
        doubt, self.waiting = self.waiting, None
        if doubt is not None and t - doubt.t >= PASSING:
            self.entries.append(replace(doubt, until=t))

    def tell(self, look: int | None, t: float, text: str) -> None:
        """Add a doubt that explains the waiting trouble."""
        self.waiting = None
        self.entries.append(Doubt(look, t, text))

    def end(self, cleared: float | None = None) -> None:
        """Confirm the waiting trouble, unless it came from the clearing of the board at that time."""
        doubt, self.waiting = self.waiting, None
        if doubt is not None and (cleared is None or cleared - doubt.t >= CLEARING):
            self.entries.append(replace(doubt, text=f"{doubt.text} {ON}", until=cleared))

    def needs_picture(self, look: int) -> bool:
        """Return True if this observation's picture shows one of them."""
        newest = self.entries[-1] if self.entries else None
        return any(one is not None and one.look == look for one in (self.waiting, newest))


def _is_likely_at_most(ruling: Ruling) -> bool:
    """Return True if the order of the turns was not seen, or the turn was inferred."""
    return ruling.order is not None or inferred_part(ruling.message) is not None
