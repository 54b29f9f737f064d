"""What a player's clock shows at one moment: plain values for lamps, page and journal."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import Colour


@dataclass(frozen=True)
class Face:
    """One player's clock. main, period: milliseconds left of main time, and of the period in use or next to be used.

    periods: left, the one in use included; under Ing's control those that can still be bought. stones: turns to be
    closed before the period ends (Canadian). bought: periods bought; points: what they give the opponent (Ing). spent:
    milliseconds this player has used in the game. running: its time runs now. text: the same in a few words.
    """

    player: Colour
    main: int
    period: int
    periods: int
    stones: int
    bought: int
    points: int
    spent: int
    in_overtime: bool
    fallen: bool
    running: bool
    text: str
