"""Results for the American Go Association: a text of the tournament, its players and its games.

The director gives a text with TOURNEY and PLAYERS, a line `489 Surname, First 4k` each; a game is a line of White's and
Black's numbers, `w` or `b` for the winner, the handicap, and the komi rounded down. A win by default
is no game, and is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from device.hall.event_log import Note, Noted
from device.hall.pairing import BadProgram, Score, contested, ended_of, pairing_of, words
from device.match.request_fields import Fields
from device.table.match_config import terms_from_request
from referee.game.errors import RefereeError
from referee.umpire.referee import TableConfig
from vision.input_files import InputFileSpec
from web.hall.tiles import Reported, Result

FILE = InputFileSpec("a text with TOURNEY and PLAYERS, as AGA reads it", 1 << 20, BadProgram, is_kept=True)
PLAYER = re.compile(r"\s*(\d+)\s+(.+?)(\s+(\d+[kdKD]|-?\d+\.\d+))?\s*")
"""A number, a name, and perhaps a rank or rating."""
_LETTERS = {Score.BLACK: "b", Score.WHITE: "w"}


def _text(path: Path) -> str:
    """Return the text in UTF-8, or in ISO-8859-15, as OpenGotha writes it."""
    data = FILE.bytes_of(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("iso-8859-15")


def reported(path: Path, results: Sequence[Result], entries: Iterable[Noted]) -> Reported:
    """Return the text with all games whose players it lists, whose terms are known because the hall handed them out,
    and of which nothing is left to be decided.

    Raises BadProgram.
    """
    head = _text(path).partition("\nGAMES")[0].rstrip()
    numbers, acts = _players(head), _acts(entries)
    if not numbers:
        raise FILE.error_for(path, "it has no players after a line PLAYERS")
    twice = contested(results)
    lines = [
        (one, None if one.said_at or pairing_of(one) in twice else _line(one, numbers, acts.get(_key(one))))
        for one in results
    ]
    games = [line for _, line in lines if line is not None]
    left = tuple(one for one, line in lines if line is None)
    return Reported("\n".join([head, "GAMES", *games, ""]).encode(), left)


def _players(head: str) -> dict[frozenset[str], str]:
    """Return the numbers by the words of a name, without names that occur twice."""
    _, _, listed = head.partition("\nPLAYERS")
    found = [(words(one[2]), one[1]) for one in map(PLAYER.fullmatch, listed.splitlines()) if one is not None]
    names = [name for name, _ in found]
    return {name: number for name, number in found if names.count(name) == 1}


def _acts(entries: Iterable[Noted]) -> dict[tuple[str, ...], Mapping[str, Any]]:
    acts = (entry.body["act"] for entry in entries if entry.kind is Note.HANDED)
    return {tuple(act[one] for one in ("round", "table", "black", "white")): act for act in acts}


def _key(result: Result) -> tuple[str, ...]:
    return result.round, result.table, result.black, result.white


def _line(result: Result, numbers: Mapping[frozenset[str], str], act: Mapping[str, Any] | None) -> str | None:
    white, black = numbers.get(words(result.white)), numbers.get(words(result.black))
    ended = ended_of(result.result)
    # What was not played is not rated.
    letter = None if ended is None or ended.by_default else _LETTERS.get(ended.score)
    if white is None or black is None or letter is None or act is None:
        return None
    try:
        record = terms_from_request(Fields(act), TableConfig()).record()
    except RefereeError:  # Terms that this version does not know.
        return None
    return f"{white} {black} {letter} {record.handicap} {math.floor(record.komi)}"
