"""Messages about Ing's refusals: the class of ko that was applied, and the reason."""

from __future__ import annotations

from referee.game.board import Board, Colour, Mask, Point
from referee.game.messages import Message, Points, message, points
from referee.rules.ko.ing_complexes import Complex

OUR_READING = message("ing.our-reading")


def ko(board: Board, stone: Point) -> Message:
    """Return the message about the stone that has just captured in a ko (class ko)."""
    return message("ing.ko", point=board.name(stone))


def hot(board: Board, found: Complex, hot_from: Point, taken: Mask) -> Message:
    """Return the message about a capture against an unbroken run in which the opponent captured.

    It belongs to class hot, double hot or twin hot.
    """
    where, stones, many = board.name(hot_from), points(board, taken), taken.bit_count()
    if taken >> hot_from & 1:
        return _read(message("ing.hot", points=stones, point=where, n=many), found)
    return _read(message("ing.twin-hot", points=stones, point=where, fight=_fight(found), n=many), found)


def disturbing(board: Board, found: Complex, turn: int) -> Message:
    """Return the message about a second disturbance of balanced kos (class disturbing).

    Args:
        board: the board.
        found: the kos.
        turn: the number of the first disturbance.
    """
    return _read(message("ing.disturbing", points=_kos(board, found), turn=turn), found)


def cycle(board: Board, player: Colour, turns: tuple[int, int], first: Point, played: Point) -> Message:
    """Return the message about a cycle begun again (class cycle), at its first point or elsewhere.

    Args:
        board: the board.
        player: who began it.
        turns: its first and its last turn.
        first: the point of its first placement.
        played: the point of the refused placement.
    """
    if played == first:
        return message("ing.cycle", player=player, first=turns[0], last=turns[1])
    at = board.name(first)
    return message("ing.cycle-elsewhere", player=player, first=turns[0], last=turns[1], point=at) + OUR_READING


def disturbance_used(board: Board, player: Colour, found: Complex) -> Message:
    """Return the message about the right used up by an accepted disturbance."""
    return message("ing.disturbed", points=_kos(board, found), player=player)


def free(board: Board, found: Complex) -> Message:
    """Return the message about a capture in kos that would be balanced if one with a third group counted."""
    return message("ing.free", points=_kos(board, found)) + OUR_READING


def repetition_used(player: Colour, turns: tuple[int, int]) -> Message:
    """Return the message about the right used up by an accepted repetition."""
    return message("ing.cycle-closed", turn=turns[0], player=player)


def _read(said: Message, found: Complex) -> Message:
    return said + OUR_READING if found.doubtful else said


def _fight(found: Complex) -> Message:
    if found.lives:
        return message("ing.long-life-with-ko" if found.kos else "ing.long-life")
    named = {3: message("ing.triple-ko"), 4: message("ing.quadruple-ko")}
    return named.get(len(found.kos)) or message("ing.many-kos", n=len(found.kos))


def _kos(board: Board, found: Complex) -> Points:
    return points(board, sum(1 << ko.point for ko in found.kos))
