"""What referee and box have to say, as values: a key and what it speaks of. A sentence is made of it at the edge.

    message("illegal.superko", player=Colour.BLACK, repeats=3)

Every key has its sentence in every language under web/locale, and its row in docs/sentences.md. Where a number decides
between "stone" and "stones" it is the argument `n`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from referee.board import Board, Colour, Mask, Point, points_of


@dataclass(frozen=True, slots=True)
class Points:
    """Points by their names on the board, in the board's order."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stones:
    """Some stones. colour: None where it does not matter."""

    count: int
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in milliseconds, said in hours, minutes and seconds."""

    ms: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Several values with commas and "and" between them: players, messages that are parts of a sentence."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Message:
    """One sentence, or a part of one. args: what it speaks of, by name. then: sentences that follow it."""

    key: str
    args: tuple[tuple[str, Value], ...] = ()
    then: tuple[Message, ...] = ()

    def __hash__(self) -> int:
        """Worked out once: its sentence is looked up again and again."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = self.__dict__["_hash"] = hash((self.key, self.args, self.then))
        return known

    def __reduce__(self) -> tuple[type[Message], tuple[object, ...]]:
        """In another process its hash is another."""
        return Message, (self.key, self.args, self.then)

    def __add__(self, other: Message | None) -> Message:
        """This, and another sentence after it; None adds nothing."""
        return self if other is None else Message(self.key, self.args, (*self.then, other))


Value: TypeAlias = "str | int | float | Colour | Points | Stones | Duration | Listing | Message"
"""What a message can speak of. A str is what a person wrote, a point's name or a result: the same in every language."""


def for_players(key: str, players: int) -> str:
    """The key of a sentence about all who play: of more than two its own, which ends in -all."""
    return key if players == 2 else f"{key}-all"


def message(key: str, /, **args: Value) -> Message:
    """The message of this key."""
    return Message(key, tuple(sorted(args.items())))


def plain(text: str) -> Message:
    """An English sentence that has no key: of a command, or of a journal of version 0.1."""
    return Message("plain", (("text", text),))


def said_by(error: Exception) -> Message:
    """What an error says."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Message) else plain(str(error))


def points(board: Board, which: Mask | Iterable[Point]) -> Points:
    """These points of the board."""
    return Points(tuple(board.name(point) for point in (points_of(which) if isinstance(which, int) else sorted(which))))
