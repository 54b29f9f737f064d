"""A count as values that can be shown: its steps, its figures and its result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.game.board import Colour, Mask, Point, Position
from referee.game.messages import Message
from referee.game.prisoners import Bowls

Result = str | dict[str, int]
"""A result: `B+3`, `W+0.5`, `0` (a draw); `B+0` if Black wins a tie; with more than two players each one's points."""


def result_text(result: Result) -> str:
    """Return a result as a record stores it; with more than two players each one's points, `B:5 W:2 R:2`."""
    return result if isinstance(result, str) else " ".join(f"{letter}:{points}" for letter, points in result.items())


def result_read(text: str) -> Result:
    """Parse a result stored in a record."""
    if not re.fullmatch(r"[BWRGYV]:[0-9]+( [BWRGYV]:[0-9]+)+", text):
        return text
    pairs = (share.partition(":") for share in text.split())
    return {letter: int(points) for letter, _, points in pairs}


Figures = Mapping[str, object]
"""Numbers by name; a player's are under the colour's letter."""


@dataclass(frozen=True)
class Layout:
    """The board in a count, with its dead stones and the owners of its points.

    Attributes:
        position: the stones, including dead ones until they are lifted.
        dead: the dead stones.
        owned: each player's points in the order of play, as far as they are counted: empty ones, those of dead stones,
            and those that the other's stones fill. Dame, and points in seki, belong to nobody.
        bowls: the bowls if the count moves prisoners, else None.
    """

    position: Position
    dead: Mask = 0
    owned: tuple[Mask, ...] = ()
    bowls: Bowls | None = None


@dataclass(frozen=True)
class CountStep:
    """One act of a count.

    Attributes:
        player: who acts, None for both.
        act: the kind of act.
        message: its description.
        point: the point of a single placed stone, else None.
        layout: the board after it.
    """

    player: Colour | None
    act: str
    message: Message
    point: Point | None = None
    layout: Layout | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Count:
    """A counted game.

    Attributes:
        method: the way of counting.
        result: the result.
        steps: the acts of the count.
        counts: its figures.
        dead: the dead stones.
        order_matters: the same procedure could end otherwise where its text leaves a choice (expedited counting alone).
        remarks: for the players: the assumptions, and their options if they doubt the count.
        laid_out: the board at the end of a count with stones (fill-in), as one of the ways to fill it.
    """

    method: str
    result: Result
    steps: tuple[CountStep, ...]
    counts: Figures
    dead: Mask = 0
    order_matters: bool = False
    remarks: tuple[Message, ...] = field(default=())
    laid_out: Position | None = None


def lead_of(result: str) -> float:
    """Return Black's points less White's from a result of a count of two players."""
    if result == "0":
        return 0
    margin = float(result[2:])
    return margin if result[0] == Colour.BLACK else -margin


def winning_result(lead: float, tie: str = "0") -> str:
    """Return the result of a game of two players.

    Args:
        lead: Black's points less White's.
        tie: the result if the lead is 0.
    """
    if not lead:
        return tie
    return f"{Colour.BLACK if lead > 0 else Colour.WHITE}+{abs(lead):g}"


@dataclass(frozen=True)
class DeadStoneClaim:
    """The stones that a player names for the count.

    Attributes:
        dead: dead stones.
        seki: stones in seki (territory).
        one_sided: Black's and White's one-sided dame (expedited, if the amendments are agreed on).
        supplies: Black's and White's stones beside the board (fill-in); None for full sets.
    """

    dead: Mask = 0
    seki: Mask = 0
    one_sided: tuple[Mask, Mask] = (0, 0)
    supplies: tuple[int, int] | None = None


NOTHING = DeadStoneClaim()
"""The value that names nothing: no stone is dead."""
