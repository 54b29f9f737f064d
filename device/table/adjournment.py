"""Adjournment of a game until another day: the director's actions, the printed code, and the resumption."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from device.files import read_stored
from device.journal.entries import placed_of
from device.journal.keyframes import FRAMES, PICTURE, encode_jpeg
from device.journal.replay import ReplayedMatch, replay_journal
from device.journal.store import ENDING, JournalError, Kind, read_journal
from device.match.adjournment_code import MARK, AdjournedGame, decode_game, encode_game
from device.match.saved_page import text_of_page
from device.qr_reader import decode_picture, read_qr
from device.table.controller import TableController
from referee.game.errors import BadRecord
from referee.game.messages import Message, message
from referee.game.ruling import Status
from referee.table.display_state import BoxStatus, Sight, TableSnapshot
from vision.calibration.model import Grid
from vision.camera.frame import Grey, decode_image
from vision.input_files import InputFileSpec
from vision.stones.reader import rectify_board
from web.errors import BadAct

LARGEST_PAGE = 1 << 25
DAY = len("2026-11-22")
TEXT = InputFileSpec("a page or the text of an adjourned game's code", LARGEST_PAGE, BadRecord)
WIDE, AROUND = 900, 0.8
"""Width of the photograph on paper (px), and margin round the board's outer lines (cells); both chosen by hand."""


def why_not_adjournable(snapshot: TableSnapshot) -> Message | None:
    """Return the reason why the game cannot be adjourned now; None if it can."""
    if snapshot.game.ended or snapshot.game.result is not None:
        return message("director.adjourn-over")
    if len(snapshot.players) > 2:
        return message("sealed.players")
    if not snapshot.game.turn:
        return message("director.adjourn-nothing")
    return message("director.adjourn-waits") if snapshot.waiting else None


def resumed_message(adjourned: AdjournedGame) -> Message:
    """Return the players' message for the resumption of the game."""
    black, white = adjourned.names
    if not (black and white):
        return message("director.take-up-unnamed", turn=adjourned.record.number)
    return message("director.take-up", black=black, white=white, turn=adjourned.record.number)


def current_code(box: TableController) -> tuple[str, str]:
    """Return the code text for the current adjourned game, and its journal's digest.

    Raises BadAct if the game is not adjourned, or if its code does not fit on paper.
    """
    pause, journal = box.snapshot.pause, box.journal
    if journal is None or pause is None or not pause.adjourned:
        raise BadAct(message("paper.none"))
    try:
        seal = box.seal
        return encode_game(box.table, journal.stem, seal, box.table.began[:DAY]).text, seal
    except BadRecord as error:
        raise BadAct(*error.args) from error


def archived_code(replayed: ReplayedMatch, path: Path) -> str:
    """Return the code text of a journal's game if it was adjourned, else the empty string."""
    snapshot = replayed.table.build_snapshot(BoxStatus(1, replayed.t, Sight.NONE))
    if snapshot.pause is None or not snapshot.pause.adjourned or replayed.head is None:
        return ""
    try:
        return encode_game(replayed.table, path.stem, replayed.head.short, replayed.table.began[:DAY]).text
    except BadRecord:
        return ""


def read_adjourned(source: str) -> AdjournedGame:
    """Read an adjourned game. Raises RefereeError.

    source: the text of a page's code, or the path of a file: a picture of the page, that text, or the journal itself.
    """
    if MARK in source.upper():
        return decode_game(source)
    path = Path(source)
    if path.suffix != ENDING:
        data = TEXT.bytes_of(path)
        picture = decode_picture(data)
        return decode_game(text_of_page(data) if picture is None else _find_code(picture, source))
    text = archived_code(replay_journal(path), path)
    if not text:
        raise BadRecord(message("sealed.not-adjourned", journal=source))
    return decode_game(text)


def _find_code(picture: Grey, name: str) -> str:
    """Return the text of the QR code in a picture of the page; raise BadRecord if none can be read."""
    text = read_qr(picture)
    if not text:
        raise BadRecord(message("sealed.no-code", picture=name))
    return text


def find_photograph(folder: Path, name: str) -> bytes | None:
    """Return the newest stored picture of a legal turn as JPEG, rectified to a top view; None if there is none."""
    pictures = sorted((folder / f"{name}{FRAMES}").glob(f"*.{Status.LEGAL}{PICTURE}"))
    grid = _find_grid(folder / f"{name}{ENDING}", int(pictures[-1].name[:6])) if pictures else None
    if grid is None:
        return None
    try:
        pixels = decode_image(np.frombuffer(read_stored(pictures[-1]), np.uint8))
    except OSError:
        return None
    if pixels is None:
        return None
    cell = WIDE / (grid.size - 1 + 2 * AROUND)
    return encode_jpeg(rectify_board(pixels, grid, cell, AROUND))


def _find_grid(path: Path, number: int) -> Grid | None:
    """Return the board's grid at this entry of a journal."""
    try:
        placed = [entry for entry in read_journal(path)[:number] if entry.kind is Kind.PLACED]
    except JournalError:
        return None
    return placed_of(placed[-1]).grid if placed else None
