"""A game's last position as a small picture: from its record, and only if that says too little from its journal."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from device.files import read_stored
from device.journal.replay import record_of, replay_journal
from device.match.adjournment_code import play_sgf
from device.match.game_files import LARGEST_SGF
from referee.game.board import Board
from referee.game.diagram import rows_of
from referee.game.errors import RefereeError
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Placement
from referee.sgf.records import is_whole
from web.page.thumbnail import small_board


def draw_last_board(path: Path) -> str:
    """Return the last position of the game with this journal, as SVG. Raises RefereeError or OSError without one."""
    record = _read_last_record(path)
    turn = record.turns[-1] if record.turns else None
    last_point = turn.point if isinstance(turn, Placement) and turn.point != OFF_BOARD else None
    return small_board(rows_of(record.position), _row_and_column(record.position.board, last_point))


def _row_and_column(board: Board, point: int | None) -> tuple[int, int] | None:
    return None if point is None else divmod(point, board.cols)


def _read_last_record(path: Path) -> GameRecord:
    """Return the whole game: from its record if that is sealed and undamaged, because a journal, which holds every look
    at the table, takes ten times as long; else from its journal, or from whatever record there is."""
    beside_it = record_of(path)
    data = read_stored(beside_it, LARGEST_SGF) if beside_it is not None else b""
    if is_whole(data):
        with suppress(RefereeError):  # It may have turns that the director let stand.
            return play_sgf(data)
    try:
        return replay_journal(path).table.record
    except RefereeError:
        return play_sgf(data)
