"""Small boards: the same stones, wood and last-move mark as on the page."""

from __future__ import annotations

import re

from referee import Marks, Position, board_of
from web.page.svg import board_svg
from web.page.thumbnail import small_board

LOOKS = re.compile(r'<circle class="last"[^>]*/>|<stop [^>]*/>|<rect class="wood"|fill="#[0-9a-f]+"')


def test_a_small_board_looks_like_the_pages():
    board = board_of(3, 3)
    position = Position(board, (1, 1 << 4))
    small, large = small_board(["X..", ".O.", "..."], (1, 1)), board_svg(position, Marks(last=4))
    assert set(LOOKS.findall(small)) <= set(LOOKS.findall(large))
    assert small.count('r="19"') == 2 and small.count('class="last"') == 1


def test_small_boards_on_one_page_have_ids_of_their_own():
    ids = [re.findall(r' id="([^"]+)"', small_board(["XO"], None, table)) for table in ("1", "Board 2")]
    assert ids[0] and not set(ids[0]) & set(ids[1])
