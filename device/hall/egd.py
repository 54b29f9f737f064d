"""Results for the European Go Database: its tournament table with the games that it does not have yet.

The director gives the table with the players, as the pairing program or EGD writes it. A win by default is marked with
`!`, so that it is never rated; what a person has entered otherwise stays, and is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from device.hall.event_log import Noted
from device.hall.input_file import InputFile
from device.hall.pairing import Score, ended_of, find_contested, pairing_of, split_name
from device.hall.rated import HandedTerms, decode_players
from device.hall.wall_list import BadTable, WallList, cell_from
from referee.game.messages import error_message, message
from web.hall.tiles import Reported, Result, number_in

FILE = InputFile(message("hall.wanted.egd"), 1 << 20)
MOST_ROUNDS = 40
_SIGNS = {Score.BLACK: "+-", Score.WHITE: "-+", Score.DRAW: "=="}
"""The signs of Black and White."""


def build_report(path: Path, results: Sequence[Result], entries: Iterable[Noted]) -> Reported:
    """Return the table with all games whose players it has, whose terms are known because the hall handed them out,
    and of which nothing is left to be decided.

    Raises BadProgram.
    """
    text, charset = decode_players(FILE.bytes_of(path))
    try:
        table = WallList(text)
    except BadTable as error:
        raise FILE.error_for(path, error_message(error)) from error
    terms, undecided = HandedTerms(entries), _find_undecided(results)
    left_over = tuple(one for one in results if one in undecided or not _enter_result(table, one, terms))
    return Reported(table.text.encode(charset), left_over)


def _find_undecided(results: Sequence[Result]) -> set[Result]:
    """Return what a person has to decide: two ends of a game, and two games of one player in a round."""
    own = [one for one in results if not one.said_at]
    twice = find_contested(own)
    pairings = {pairing_of(one) for one in own if ended_of(one.result) is not None}
    busy = Counter((round_name, name) for round_name, _, *names in pairings for name in names)
    return {
        one
        for one in results
        if one.said_at
        or pairing_of(one) in twice
        or any(busy[one.round, split_name(name)] > 1 for name in (one.black, one.white))
    }


def _enter_result(table: WallList, result: Result, terms: HandedTerms) -> bool:
    """Return True if a result stands in the table now."""
    black, white = table.line_of(result.black), table.line_of(result.white)
    ending, record, round_number = ended_of(result.result), terms.of(result), number_in(result.round)
    if black is None or white is None or black == white or ending is None or record is None:
        return False
    if not 1 <= round_number <= MOST_ROUNDS or ending.score not in _SIGNS:
        return False
    # What was not played is not rated.
    mark = "!" if ending.by_default else "/"
    signs = _SIGNS[ending.score]
    cells = {
        black: f"{table.place(white)}{signs[0]}{mark}b{record.handicap}",
        white: f"{table.place(black)}{signs[1]}{mark}w{record.handicap}",
    }
    pairs = [(cell_from(table.cell(line, round_number)), cell_from(cell)) for line, cell in cells.items()]
    if all(present is not None and new is not None and present.is_consistent_with(new) for present, new in pairs):
        return True
    others = {0, table.place(black), table.place(white)}
    if not all(present is not None and present.is_open and present.opponent in others for present, _ in pairs):
        return False
    for line, cell in cells.items():
        table.set(line, round_number, cell)
    return True
