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

from device.hall.event_log import Noted
from device.hall.input_file import InputFile
from device.hall.pairing import Score, ended_of, find_contested, pairing_of, split_name
from device.hall.rated import HandedTerms, decode_players
from referee.game.messages import message
from referee.game.record import GameRecord
from web.hall.tiles import Reported, Result

FILE = InputFile(message("hall.wanted.aga"), 1 << 20)
PLAYER = re.compile(r"\s*(\d+)\s+(.+?)(\s+(\d+[kdKD]|-?\d+\.\d+))?\s*")
"""A number, a name, and perhaps a rank or rating."""
_LETTERS = {Score.BLACK: "b", Score.WHITE: "w"}


def build_report(path: Path, results: Sequence[Result], entries: Iterable[Noted]) -> Reported:
    """Return the text with all games whose players it lists, whose terms are known because the hall handed them out,
    and of which nothing is left to be decided.

    Raises BadProgram.
    """
    text, _ = decode_players(FILE.bytes_of(path))
    head = text.removeprefix("\ufeff").partition("\nGAMES")[0].rstrip()
    numbers, terms = _parse_players(head), HandedTerms(entries)
    if not numbers:
        raise FILE.error_for(path, message("hall.file.no-players-line"))
    twice = find_contested(results)
    lines = [
        (one, None if one.said_at or pairing_of(one) in twice else _game_line(one, numbers, terms.of(one)))
        for one in results
    ]
    games = [line for _, line in lines if line is not None]
    left_over = tuple(one for one, line in lines if line is None)
    return Reported("\n".join([head, "GAMES", *games, ""]).encode(), left_over)


def _parse_players(head: str) -> dict[frozenset[str], str]:
    """Return the numbers by the words of a name, without names that occur twice."""
    _, _, listed = head.partition("\nPLAYERS")
    players = [(split_name(one[2]), one[1]) for one in map(PLAYER.fullmatch, listed.splitlines()) if one is not None]
    names = [name for name, _ in players]
    return {name: number for name, number in players if names.count(name) == 1}


def _game_line(result: Result, numbers: Mapping[frozenset[str], str], record: GameRecord | None) -> str | None:
    white, black = numbers.get(split_name(result.white)), numbers.get(split_name(result.black))
    ending = ended_of(result.result)
    # What was not played is not rated.
    letter = None if ending is None or ending.by_default else _LETTERS.get(ending.score)
    if white is None or black is None or letter is None or record is None:
        return None
    return f"{white} {black} {letter} {record.handicap} {math.floor(record.komi)}"
