"""The annotations of a game record: game information, names and comments of turns, refused turns, territory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.game.board import Mask
from referee.game.count_result import Layout
from referee.game.game_info import NO_GAME_INFO, GameInfo
from referee.game.turns import Turn


@dataclass(frozen=True)
class RefusedMove:
    """A refused turn.

    Attributes:
        turn: the turn.
        name: a short description.
        why: the message that the players were given.
    """

    turn: Turn
    name: str
    why: str


@dataclass(frozen=True)
class MoveMark:
    """The evaluation of a turn's outcome.

    Attributes:
        value: the score, positive if Black is ahead.
        bad: the turn cost points.
        better: points where a stone would have cost nothing.
    """

    value: float | None = None
    bad: bool = False
    better: Mask = 0


@dataclass(frozen=True)
class SgfAnnotations:
    """Annotations, in the language of the record's writer. date: the day on which the game began (ISO 8601)."""

    date: str = ""
    game_info: GameInfo = NO_GAME_INFO
    names: Mapping[int, str] = field(default_factory=dict)
    """Names by turn number of turns that are no placement: a delay, a pass."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """Comments by turn number; 0 is before the first turn."""
    tried: Mapping[int, Sequence[RefusedMove]] = field(default_factory=dict)
    """The turns refused after each turn, by its number, in their order."""
    end: str = ""
    """The comment after the last turn."""
    layout: Layout | None = None
    """The board with dead stones and each player's points, once they are named."""
    marks: Mapping[int, MoveMark] = field(default_factory=dict)
    """The evaluation after each turn, by its number; 0 is the start."""


NOTHING_TO_NOTE = SgfAnnotations()
