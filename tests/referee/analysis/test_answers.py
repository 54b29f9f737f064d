"""Answers by which chains live: known shapes, the points that have to be answered, and the end of the time."""

from __future__ import annotations

import pytest

from referee import board_of
from referee.analysis.answers import Area, Effort, needed_zone
from referee.game.board import Board, Mask
from tests.support.referee.late import always, never, stones_of

SIX = "#X...X#|#X...X#|#XXXXX#|#######"


def searched(
    rows: str, answers: int, is_owned: bool = False, effort: Effort | None = None
) -> tuple[Board, Mask | None]:
    """Return a board and the zone of Black's stones on it; # is a point outside."""
    board = board_of(rows.index("|"), rows.count("|") + 1)
    text = rows.replace("|", "")
    black, white = stones_of(text)
    region = sum(1 << at for at, char in enumerate(text) if char != "#")
    area = Area(region, white, black, 0, is_owned)
    return board, needed_zone(board, area, answers, effort or Effort(100_000, always))


@pytest.mark.parametrize(
    ("rows", "least"),
    [
        (".X.X#|XXXX#|#####", 0),
        ("....X#|XXXXX#|######", 1),
        (SIX, 3),
        ("..X#|..X#|XXX#|####", None),
        ("...X#|XXXX#|#####", None),
        ("...X.#|XXXX##|######", None),
    ],
)
def test_known_shapes_live_by_so_many_answers(rows: str, least: int | None) -> None:
    found = [answers for answers in range(5) if searched(rows, answers)[1] is not None]
    assert found == ([] if least is None else list(range(least, 5)))


def test_only_points_that_matter_need_an_answer() -> None:
    board, zone = searched(".X.X.....|XXXX.....|#########", 1)
    assert zone is not None and board.names(zone) == ["A3", "C3"]


def test_a_stone_that_is_lost_proves_nothing() -> None:
    """By a throw-in Black would live in a ko only."""
    assert searched(".OX#|XXO#|.X##|####", 4)[1] is None


def test_a_region_is_owned_once_all_of_it_can_be_filled() -> None:
    board, zone = searched(SIX, 4, is_owned=True)
    assert zone is not None and board.mask(["C4", "D4", "E4", "C3", "D3", "E3"]) & ~zone == 0
    assert searched(SIX, 1, is_owned=True)[1] is None


def test_a_search_ends_with_its_time_and_its_effort() -> None:
    assert searched(SIX, 2, effort=Effort(3, always))[1] is None
    effort = Effort(64, never)
    assert searched(SIX, 2, effort=effort)[1] is None and effort.nodes <= 0
