"""The watch for a board that no turns explain: when the box pauses by itself, and when it lets the game go on."""

from __future__ import annotations

import pytest

from device.table.unexplained_board import PAUSES_AFTER_S, RESUMES_AFTER_S, UnexplainedBoard
from referee.game.actor import Actor
from referee.game.diagram import position_of
from referee.table.display_state import Paused
from referee.table.events import Pause, Resume
from referee.table.table_position import BoardMatch
from tests.support.play import start_game

RECORD = start_game("chinese", size=(3, 3))
STRAY, OTHER = position_of(("XX.", "...", "...")), position_of(("XX.", "..O", "..."))
BY_BOX = Paused(Actor.BOX, "", 0.0, unexplained=True)


def rest(board: UnexplainedBoard, match: BoardMatch, begins: float, lasts: float, position=STRAY) -> None:
    """See the board twice a second."""
    for number in range(int(lasts * 2) + 1):
        board.see(match, position, RECORD.situation, begins + number / 2)


@pytest.fixture
def board() -> UnexplainedBoard:
    return UnexplainedBoard()


def test_a_board_that_stays_unexplained_is_paused_once(board):
    rest(board, BoardMatch.UNEXPLAINED, 5.0, PAUSES_AFTER_S - 0.5)
    assert board.find_act(None) is None
    rest(board, BoardMatch.UNEXPLAINED, 4.5 + PAUSES_AFTER_S, 0.5)
    assert board.find_act(None) == Pause(5.0 + PAUSES_AFTER_S, author=Actor.BOX)
    rest(board, BoardMatch.UNEXPLAINED, 6.0 + PAUSES_AFTER_S, 2 * PAUSES_AFTER_S)
    assert board.find_act(None) is None, "somebody let the game go on with it"
    rest(board, BoardMatch.UNEXPLAINED, 60.0, PAUSES_AFTER_S, OTHER)
    assert board.find_act(None) is not None


@pytest.mark.parametrize("match", [BoardMatch.EXPLAINED, BoardMatch.OPEN])
def test_no_other_board_is_paused(board, match):
    rest(board, match, 5.0, 3 * PAUSES_AFTER_S)
    assert board.find_act(None) is None


@pytest.mark.parametrize("interrupts", ["hand", "gap", "stone", "open"])
def test_whatever_comes_between_begins_the_wait_again(board, interrupts):
    rest(board, BoardMatch.UNEXPLAINED, 0.0, PAUSES_AFTER_S - 1)
    begins = PAUSES_AFTER_S
    match interrupts:
        case "hand":
            board.cover()
            assert board.find_act(None) is None
        case "gap":
            begins += 3.0
        case "stone":
            board.see(BoardMatch.UNEXPLAINED, OTHER, RECORD.situation, begins - 0.5)
        case "open":
            board.see(BoardMatch.OPEN, STRAY, RECORD.situation, begins - 0.5)
    rest(board, BoardMatch.UNEXPLAINED, begins, PAUSES_AFTER_S - 1)
    assert board.find_act(None) is None
    rest(board, BoardMatch.UNEXPLAINED, begins + PAUSES_AFTER_S - 1, 1.0)
    assert isinstance(board.find_act(None), Pause)


def test_the_wait_begins_again_once_a_pause_ends(board):
    for t in range(60):
        board.see(BoardMatch.UNEXPLAINED, STRAY, RECORD.situation, float(t))
        assert board.find_act(Paused(Actor.DIRECTOR, "", 0.0)) is None
    rest(board, BoardMatch.UNEXPLAINED, 60.0, PAUSES_AFTER_S - 0.5)
    assert board.find_act(None) is None
    rest(board, BoardMatch.UNEXPLAINED, 60.0 + PAUSES_AFTER_S, 0.0)
    assert board.find_act(None) == Pause(60.0 + PAUSES_AFTER_S, author=Actor.BOX)


def test_a_board_put_right_ends_the_boxs_pause_alone(board):
    rest(board, BoardMatch.EXPLAINED, 0.0, RESUMES_AFTER_S - 0.5)
    assert board.find_act(BY_BOX) is None
    rest(board, BoardMatch.EXPLAINED, RESUMES_AFTER_S, 0.0)
    assert board.find_act(BY_BOX) == Resume(RESUMES_AFTER_S, Actor.BOX)
    for other in (None, Paused(Actor.TABLE, "", 0.0), Paused(Actor.DIRECTOR, "", 0.0)):
        assert board.find_act(other) is None


@pytest.mark.parametrize("match", [BoardMatch.UNEXPLAINED, BoardMatch.OPEN])
def test_a_board_that_is_not_right_ends_no_pause(board, match):
    rest(board, match, 0.0, 60.0)
    assert board.find_act(BY_BOX) is None
