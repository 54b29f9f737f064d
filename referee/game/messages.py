"""Messages of the referee and the box as values: a key and its arguments. The edge turns them into sentences.

    message("illegal.superko", player=Colour.BLACK, repeats=3)

Every key has its sentence in every language under web/locale. A number that decides
between "stone" and "stones" is the argument `n`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from referee.game.board import Board, Colour, Mask, Point, points_of


@dataclass(frozen=True, slots=True)
class Points:
    """The names of points on the board, in the board's order."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stones:
    """A number of stones. colour: None if it does not matter."""

    count: int
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in milliseconds, worded in hours, minutes and seconds."""

    ms: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Several values, worded with commas and "and" between them: players, or messages that are parts of a sentence."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Message:
    """One sentence, or a part of one.

    Attributes:
        key: the key of the sentence.
        args: its arguments by name.
        then: the sentences that follow it.
    """

    key: str
    args: tuple[tuple[str, Value], ...] = ()
    then: tuple[Message, ...] = ()

    def __hash__(self) -> int:
        """Return the hash, computed once because the sentence is looked up again and again."""
        value: int | None = self.__dict__.get("_hash")
        if value is None:
            value = self.__dict__["_hash"] = hash((self.key, self.args, self.then))
        return value

    def __reduce__(self) -> tuple[type[Message], tuple[object, ...]]:
        """Pickle without the cached hash, which differs in another process."""
        return Message, (self.key, self.args, self.then)

    def __add__(self, other: Message | None) -> Message:
        """Return this message followed by another sentence; None adds nothing."""
        return self if other is None else Message(self.key, self.args, (*self.then, other))


Value: TypeAlias = "str | int | float | Colour | Points | Stones | Duration | Listing | Message"
"""The type of a message's argument. A str is text that a person wrote, a point's name or a result: the same in every
language."""


def for_players(key: str, players: int) -> str:
    """Return the key of a sentence about all players: with more than two players a separate one, ending in -all."""
    return key if players == 2 else f"{key}-all"


def message(key: str, /, **args: Value) -> Message:
    """Return the message with this key and these arguments."""
    return Message(key, tuple(sorted(args.items())))


def plain_message(text: str) -> Message:
    """Return a message for an English sentence without a key: from a command, or from a journal of version 0.1."""
    return Message("plain", (("text", text),))


def error_message(error: Exception) -> Message:
    """Return an error's message."""
    argument = error.args[0] if error.args else ""
    return argument if isinstance(argument, Message) else plain_message(str(error))


def name_points(board: Board, which: Mask | Iterable[Point]) -> Points:
    """Return the names of these points of the board."""
    return Points(tuple(board.name(point) for point in (points_of(which) if isinstance(which, int) else sorted(which))))
