"""What a hall and a pairing program say to each other: the tables of a round, and how their games ended. Pure.

A pairing program has two verbs (Program): pull the tables of a round, and push results. A result of a box is entered
only where round, table and both names agree with a pairing, and never over another result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from device.settings import BadSettings
from web.hall.tiles import Outcome, Result, by_number

NO_PAIRINGS = "no pairing program is named in tables.toml"


class BadProgram(BadSettings):
    """A pairing program that cannot be asked, or says what cannot be read; one sentence says what and what to do."""


class Score(StrEnum):
    """How a game ended, in Pairgoth's letters. open: it has no result yet. void: it was called off."""

    OPEN = "?"
    BLACK = "b"
    WHITE = "w"
    DRAW = "="
    VOID = "X"
    BOTH_WIN = "#"
    BOTH_LOSE = "0"


@dataclass(frozen=True)
class Ended:
    """A score, and whether the game was not played for it: a win by default."""

    score: Score
    by_default: bool = False


OPEN = Ended(Score.OPEN)


@dataclass(frozen=True)
class Pairing:
    """A table of a round. black, white: names as people say them. komi: None where the program does not say it. key:
    by which the program knows the game."""

    round: str
    table: str
    black: str
    white: str
    handicap: int = 0
    komi: float | None = None
    ended: Ended = OPEN
    key: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entered:
    """A result that goes into the program: the pairing as the program has it, and how its game ended."""

    pairing: Pairing
    ended: Ended


class Program(Protocol):
    """A pairing program, or its file. made: the file that it is handed, if it is handed one. All raise BadProgram."""

    name: str

    @property
    def made(self) -> Path | None: ...

    def pull(self) -> tuple[Pairing, ...]:
        """All tables of all rounds that it has paired, as they stand now."""

    def push(self, entries: Sequence[Entered]) -> None:
        """Enter these results, wherever it has none yet."""

    def written(self, entries: Sequence[Entered]) -> bytes:
        """The file with these results; nothing where it is handed none."""


def matched(result: Result, pairings: Iterable[Pairing]) -> Entered | Outcome:
    """Where this result goes; else why a person has to enter it, or that the program has it."""
    found = [one for one in pairings if (one.round, one.table) == (result.round, result.table)]
    if len(found) != 1:
        return Outcome.NO_GAME
    pairing, said = found[0], (words(result.black), words(result.white))
    names = words(pairing.black), words(pairing.white)
    if not all(names) or names[0] == names[1]:
        return Outcome.NAMES
    if said != names:
        return Outcome.COLOURS if said == names[::-1] else Outcome.NAMES
    ended = ended_of(result.result)
    if ended is None:
        return Outcome.UNDECIDED
    # Not every program tells a win by default from another, and it is nobody's conflict.
    if pairing.ended.score == ended.score:
        return Outcome.STANDS
    return Entered(pairing, ended) if pairing.ended == OPEN else Outcome.DIFFERS


def words(name: str) -> frozenset[str]:
    """A name's words in any order and case, for some write the family name first."""
    return frozenset(name.replace(",", " ").casefold().split())


def ended_of(result: str) -> Ended | None:
    """What a pairing program is told of a box's result, None where nobody has won and it is no draw."""
    if result == "0":
        return Ended(Score.DRAW)
    winner = {"B": Score.BLACK, "W": Score.WHITE}.get(result.partition("+")[0])
    return None if winner is None else Ended(winner, result.endswith("+F"))


def newest_round(pairings: Iterable[Pairing]) -> str:
    """The round that is to be played: the last that has been paired; empty where none has."""
    return max({one.round for one in pairings}, key=by_number, default="")


def rounds_of(pairings: Iterable[Pairing]) -> list[str]:
    """All rounds in their order."""
    return sorted({one.round for one in pairings}, key=by_number)
