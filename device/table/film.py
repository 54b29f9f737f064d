"""An archived game as an animated picture to share: each position for as long as the next turn was thought about."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.journal.replay import replay_journal
from referee.game.board import COLOURS, Board, Point, points_of
from referee.game.turns import Placement
from referee.table.history import HistoryEntry
from web.page.svg import INK, SHADES, WOOD, mark_shade, star_points

Picture = NDArray[np.uint8]
SIDE = 400
"""Pixels of the longer side, at most."""
LASTS, ENDS = 30_000, 4_000
"""Milliseconds of the whole game, and of its last position besides."""
LEAST, MOST, USUAL = 60, 2_000, 400
"""Milliseconds for which a position is shown: at least, at most, and without clocks."""
QUALITY = 101
"""Above 100: without loss, which is smaller for flat colours."""


def draw_game(path: Path) -> bytes:
    """Return the game in a journal as an animated WebP. Raises JournalError for a damaged journal."""
    replayed = replay_journal(path)
    return draw_film(replayed.table.snapshot.past.thens)


def draw_film(thens: Sequence[HistoryEntry]) -> bytes:
    """Return these positions as an animated WebP."""
    moving = cv2.Animation()
    moving.frames = [_draw_position(then) for then in thens]
    moving.durations = choose_durations(_thinking_times(thens))
    with tempfile.NamedTemporaryFile(suffix=".webp") as file:
        cv2.imwriteanimation(file.name, moving, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
        return Path(file.name).read_bytes()


def choose_durations(thought: Sequence[int]) -> list[int]:
    """Return for how many milliseconds each position is shown, the start first, by what each turn took.

    The game keeps its rhythm, sped up to some half a minute.
    """
    faster = max(sum(thought) / LASTS, 1.0)
    least = min(LEAST, LASTS // max(len(thought), 1))
    return [*(int(min(max(ms / faster, least), MOST)) for ms in thought), ENDS]


def _thinking_times(thens: Sequence[HistoryEntry]) -> list[int]:
    """Return the milliseconds that each turn took: by the clocks, or from ruling to ruling."""
    return [_thinking_ms(previous, entry) for previous, entry in pairwise(thens)]


def _thinking_ms(previous: HistoryEntry, entry: HistoryEntry) -> int:
    if entry.spent is not None:
        return entry.spent
    if previous.ruling is None or entry.ruling is None:
        return USUAL
    return max(int(1000 * (entry.ruling.t - previous.ruling.t)), 0)


def _draw_position(entry: HistoryEntry) -> Picture:
    """Draw a position and the last move: BGR."""
    board = entry.position.board
    cell = SIDE // (max(board.rows, board.cols) + 1)
    picture = np.full((cell * (board.rows + 1), cell * (board.cols + 1), 3), _to_bgr(WOOD), np.uint8)
    _draw_lines(picture, board, cell)
    for colour, mask in zip(COLOURS, entry.position.stones, strict=False):
        for point in points_of(mask):
            cv2.circle(
                picture, _pixel_of(board, cell, point), round(cell * 0.46), _to_bgr(SHADES[colour][1]), -1, cv2.LINE_AA
            )
            cv2.circle(picture, _pixel_of(board, cell, point), round(cell * 0.46), _to_bgr(INK), 1, cv2.LINE_AA)
    if isinstance(entry.turn, Placement):
        shade, ring = _to_bgr(mark_shade(entry.turn.player)), max(round(cell * 0.21), 2)
        cv2.circle(picture, _pixel_of(board, cell, entry.turn.point), ring, shade, max(cell // 12, 1), cv2.LINE_AA)
    return picture


def _draw_lines(picture: Picture, board: Board, cell: int) -> None:
    near, (right, low) = cell, _pixel_of(board, cell, board.rows * board.cols - 1)
    for row in range(board.rows):
        cv2.line(picture, (near, near + cell * row), (right, near + cell * row), _to_bgr(INK), 1)
    for col in range(board.cols):
        cv2.line(picture, (near + cell * col, near), (near + cell * col, low), _to_bgr(INK), 1)
    for star in star_points(board):
        cv2.circle(picture, _pixel_of(board, cell, star), max(cell // 10, 2), _to_bgr(INK), -1, cv2.LINE_AA)


def _pixel_of(board: Board, cell: int, point: Point) -> tuple[int, int]:
    row, col = divmod(point, board.cols)
    return cell + cell * col, cell + cell * row


def _to_bgr(shade: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(shade.removeprefix("#"))
    return blue, green, red
