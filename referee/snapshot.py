"""All that can be shown of a game and its table at one moment: immutable values, swapped in after each change."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.board import Colour, Position
from referee.bowls import Bowls
from referee.ruling import Ruling
from referee.turns import Turn


@dataclass(frozen=True)
class Snapshot:
    """The game as it stands. turn: accepted turns so far. rulings: all so far, the newest last."""

    rules: str
    position: Position
    bowls: Bowls
    to_play: Colour
    turn: int
    turns: tuple[Turn, ...]
    black_side: int | None
    ended: bool
    result: str | None
    rulings: tuple[Ruling, ...] = ()

    @property
    def newest(self) -> Ruling | None:
        """The newest ruling, None before the first."""
        return self.rulings[-1] if self.rulings else None

    def side_of(self, colour: Colour) -> int | None:
        """At which side, 1 or 2, this player sits; None while nothing says it."""
        if self.black_side is None:
            return None
        return self.black_side if colour is Colour.BLACK else 3 - self.black_side


class Phase(StrEnum):
    """Where a match stands.

    start: the start check, nothing has been played. play: turns are judged. result: the game has ended and both
    players are asked to agree to its result. final: both have agreed.
    """

    START = "start"
    PLAY = "play"
    RESULT = "result"
    FINAL = "final"


class Sight(StrEnum):
    """What the camera gives.

    none: there is no camera. lost: it gives no pictures any more. searching: no board has been found in them.
    covered: the board is covered, or something moves. seen: the table is seen.
    """

    NONE = "none"
    LOST = "lost"
    SEARCHING = "searching"
    COVERED = "covered"
    SEEN = "seen"


@dataclass(frozen=True)
class Showing:
    """The game and the table as lamps and page show them.

    number: grows with every change. t: seconds on the box's clock, when it came to be. refereed: `done` closes turns.
    trouble: the finding that still has to be put right. waiting: sides whose press waits for a look at the table.
    resigning: sides that held `call` and have not confirmed yet. agreed: sides that agreed to the result.
    called: the director has been called. notice: what the box has to say about the newest press or itself, if anything.
    faults: sentences about what the box lacks (no camera, no lamps), one each.
    """

    number: int
    t: float
    game: Snapshot
    refereed: bool
    phase: Phase
    sight: Sight
    trouble: Ruling | None = None
    waiting: tuple[int, ...] = ()
    resigning: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    paused: bool = False
    called: bool = False
    notice: str | None = None
    faults: tuple[str, ...] = ()
