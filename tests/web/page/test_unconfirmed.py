"""A stone that a single frame shows: faint on the board, in no words, and nothing else of the snapshot is other."""

from __future__ import annotations

from dataclasses import fields

from tests.support.web.snapshots import KO, B, begun_table, take_snapshot
from web.page.svg import CELL, MARGIN, board_of_snapshot
from web.page.unconfirmed import mark_stone

PLAIN = take_snapshot(begun_table(KO))
POINT = PLAIN.game.position.board.point("E5")


def test_a_stone_of_a_single_frame_is_faint_and_in_no_words() -> None:
    plain, marked = board_of_snapshot(PLAIN), board_of_snapshot(mark_stone(PLAIN, B, POINT))
    middle = MARGIN + 4 * CELL
    stone = f'<g fill="url(#board-B)" opacity="0.6"><circle cx="{middle}" cy="{middle}" r="19"/></g>'
    assert stone not in plain and marked.replace(stone, "") == plain


def test_a_marked_snapshot_is_otherwise_the_same() -> None:
    marked = mark_stone(PLAIN, B, POINT)
    assert marked.unconfirmed_stone == (B, POINT)
    assert all(getattr(marked, one.name) == getattr(PLAIN, one.name) for one in fields(PLAIN))
