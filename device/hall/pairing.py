"""The interface between a hall and a pairing program: the tables of a round, and how their games ended. Pure.

A pairing program has two verbs (Program): pull the tables of a round, and push results. A box's result is entered only
if it is of the box's own table, and round, table and both names match a pairing, and never over another result.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from device.settings import BadSettings
from referee.game.messages import Message
from web.hall.tiles import Outcome, Result, by_number
from web.language import to_english


class BadProgram(BadSettings):
    """A pairing program that cannot be reached or gives unreadable answers; one sentence says what and what to do."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)

    def __str__(self) -> str:
        return to_english(self)


class Score(StrEnum):
    """A game's outcome, in Pairgoth's letters. OPEN: no result yet. VOID: called off."""

    OPEN = "?"
    BLACK = "b"
    WHITE = "w"
    DRAW = "="
    VOID = "X"
    BOTH_WIN = "#"
    BOTH_LOSE = "0"


@dataclass(frozen=True)
class Ended:
    """A score, and whether it was won by default, without a game."""

    score: Score
    by_default: bool = False


OPEN = Ended(Score.OPEN)


@dataclass(frozen=True)
class Pairing:
    """A table of a round.

    black, white: display names
    komi: None if the program does not give it
    key: the program's own identifier of the game
    """

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
    """A result to enter: the pairing as the program has it, and how its game ended."""

    pairing: Pairing
    ended: Ended


class Program(Protocol):
    """A pairing program, or its file. All methods raise BadProgram.

    tournament: its own file, if the hall reads one
    made: the file that is written for it, if it takes one
    has_forfeits: False if it would have a win by forfeit rated as a game
    """

    name: str
    has_forfeits: bool

    @property
    def tournament(self) -> Path | None: ...

    @property
    def made(self) -> Path | None: ...

    def pull(self) -> tuple[Pairing, ...]:
        """Return all tables of all rounds paired so far."""

    def push(self, entries: Sequence[Entered]) -> None:
        """Enter these results if the program has none yet."""

    def render_results(self, entries: Sequence[Entered]) -> bytes:
        """Return the contents of the file with these results; empty if the program takes none."""


def match_result(result: Result, pairings: Iterable[Pairing]) -> Entered | Outcome:
    """Return the entry for this result; else why a person has to enter it, or that the program already has it."""
    if result.said_at:
        return Outcome.OTHER_TABLE
    candidates = [one for one in pairings if (one.round, one.table) == (result.round, result.table)]
    if len(candidates) != 1:
        return Outcome.NO_GAME
    pairing = candidates[0]
    trouble = _compare_names((result.black, result.white), (pairing.black, pairing.white))
    if trouble is not None:
        return trouble
    ending = ended_of(result.result)
    if ending is None:
        return Outcome.UNDECIDED
    # Not every program tells a win by default from another win, and that is no conflict.
    if pairing.ended.score == ending.score:
        return Outcome.STANDS
    return Entered(pairing, ending) if pairing.ended == OPEN else Outcome.DIFFERS


def _compare_names(reported: tuple[str, str], paired: tuple[str, str]) -> Outcome | None:
    """Return None if a result's players are those of the pairing, Black first; else the trouble.

    Where both names have the same words, their order tells the players apart.
    """
    same = split_name(paired[0]) == split_name(paired[1])
    split: Callable[[str], Iterable[str]] = _words_in_order if same else split_name
    paired_names, reported_names = [split(one) for one in paired], [split(one) for one in reported]
    if not all(paired_names) or paired_names[0] == paired_names[1]:
        return Outcome.NAMES
    if reported_names == paired_names:
        return None
    return Outcome.COLOURS if reported_names == paired_names[::-1] else Outcome.NAMES


def seat_of(pairing: Pairing) -> tuple[str, str]:
    """Return round and table, alike however their numbers are written."""
    round_key, table_key = (
        unicodedata.normalize("NFKC", one).strip().casefold().lstrip("0") for one in (pairing.round, pairing.table)
    )
    return round_key, table_key


Game = tuple[str, str, frozenset[str], frozenset[str]]
"""Round, table, and the words of both names."""


def pairing_of(result: Result) -> Game:
    """Return the pairing that a result is of."""
    return result.round, result.table, split_name(result.black), split_name(result.white)


def find_contested(results: Iterable[Result]) -> set[Game]:
    """Return the pairings whose games ended differently; a person decides which counts. No other table's box has a
    word in this."""
    ends = dict[Game, set[Ended]]()
    for one in results:
        ending = None if one.said_at else ended_of(one.result)
        if ending is not None:
            ends.setdefault(pairing_of(one), set()).add(ending)
    return {game for game, endings in ends.items() if len(endings) > 1}


_ALIKE = str.maketrans({",": " ", "_": " ", "\N{RIGHT SINGLE QUOTATION MARK}": "'"})


def split_name(name: str) -> frozenset[str]:
    """Return a name's words, ignoring order and case, because some write the family name first.

    OpenGotha writes an underscore for a space, and phones a curly apostrophe.
    """
    return frozenset(_words_in_order(name))


def _words_in_order(name: str) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFC", name).translate(_ALIKE).casefold().split())


def ended_of(result: str) -> Ended | None:
    """Return a box's result as pairing programs score it; None if nobody has won and it is no draw."""
    if result == "0":
        return Ended(Score.DRAW)
    winner = {"B": Score.BLACK, "W": Score.WHITE}.get(result.partition("+")[0])
    return None if winner is None else Ended(winner, result.endswith("+F"))


def newest_round(pairings: Iterable[Pairing]) -> str:
    """Return the round to be played: the last that has been paired; empty if there is none."""
    return max({one.round for one in pairings}, key=by_number, default="")


def rounds_of(pairings: Iterable[Pairing]) -> list[str]:
    """Return all rounds in order."""
    return sorted({one.round for one in pairings}, key=by_number)
