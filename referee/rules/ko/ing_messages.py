"""Messages about Ing's refusals: the class of ko that was applied, and the reason."""

from __future__ import annotations

from referee.game.board import Board, Colour, Mask, Point
from referee.game.messages import Message, Points, message, name_points
from referee.rules.ko.ing_complexes import Complex

OUR_READING = message("ing.our-reading")


def ko_message(board: Board, stone: Point) -> Message:
    """Return the message about the stone that has just captured in a ko (class ko)."""
    return message("ing.ko", point=board.name(stone))


def hot_stone_message(board: Board, ko_complex: Complex, hot_from: Point, captured: Mask) -> Message:
    """Return the message about a capture against an unbroken run in which the opponent captured.

    It belongs to class hot, double hot or twin hot.
    """
    where, stones, many = board.name(hot_from), name_points(board, captured), captured.bit_count()
    if captured >> hot_from & 1:
        return _add_reading_note(message("ing.hot", points=stones, point=where, n=many), ko_complex)
    return _add_reading_note(
        message("ing.twin-hot", points=stones, point=where, fight=_name_fight(ko_complex), n=many), ko_complex
    )


def disturbance_message(board: Board, ko_complex: Complex, turn: int) -> Message:
    """Return the message about a second disturbance of balanced kos (class disturbing).

    Args:
        board: the board.
        ko_complex: the kos.
        turn: the number of the first disturbance.
    """
    return _add_reading_note(message("ing.disturbing", points=_ko_points(board, ko_complex), turn=turn), ko_complex)


def cycle_message(board: Board, player: Colour, turns: tuple[int, int], first: Point, point: Point) -> Message:
    """Return the message about a cycle begun again (class cycle), at its first point or elsewhere.

    Args:
        board: the board.
        player: who began it.
        turns: its first and its last turn.
        first: the point of its first placement.
        point: the point of the refused placement.
    """
    if point == first:
        return message("ing.cycle", player=player, first=turns[0], last=turns[1])
    name = board.name(first)
    return message("ing.cycle-elsewhere", player=player, first=turns[0], last=turns[1], point=name) + OUR_READING


def disturbance_used(board: Board, player: Colour, ko_complex: Complex) -> Message:
    """Return the message about the right used up by an accepted disturbance."""
    return message("ing.disturbed", points=_ko_points(board, ko_complex), player=player)


def free_capture_message(board: Board, ko_complex: Complex) -> Message:
    """Return the message about a capture in kos that would be balanced if one with a third group counted."""
    return message("ing.free", points=_ko_points(board, ko_complex)) + OUR_READING


def repetition_used(player: Colour, turns: tuple[int, int]) -> Message:
    """Return the message about the right used up by an accepted repetition."""
    return message("ing.cycle-closed", turn=turns[0], player=player)


def _add_reading_note(sentence: Message, ko_complex: Complex) -> Message:
    return sentence + OUR_READING if ko_complex.is_doubtful else sentence


def _name_fight(ko_complex: Complex) -> Message:
    if ko_complex.lives:
        return message("ing.long-life-with-ko" if ko_complex.kos else "ing.long-life")
    names = {3: message("ing.triple-ko"), 4: message("ing.quadruple-ko")}
    return names.get(len(ko_complex.kos)) or message("ing.many-kos", n=len(ko_complex.kos))


def _ko_points(board: Board, ko_complex: Complex) -> Points:
    return name_points(board, sum(1 << ko.point for ko in ko_complex.kos))
