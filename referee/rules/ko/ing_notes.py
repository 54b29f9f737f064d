"""Ing's refusals in words for the players: which class was applied and why. Each is the end of a sentence."""

from __future__ import annotations

from referee.board import Board, Colour, Mask, Point
from referee.rules.ko.ing_complexes import Complex

OUR_READING = "Ing's text does not settle this case; it is our reading, and the director may rule otherwise."


def ko(board: Board, stone: Point) -> str:
    """The stone that has just taken in a ko (class ko)."""
    return f"the stone at {board.name(stone)} has just taken one in this ko; play elsewhere or pass first (ko)."


def hot(board: Board, found: Complex, hot_from: Point, taken: Mask) -> str:
    """A capture against an unbroken run in which the opponent captured (class hot, double hot or twin hot)."""
    names, where = _listed(board, taken), board.name(hot_from)
    many = taken.bit_count() > 1
    subject = f"the stone{'s' if many else ''} at {names} {'are' if many else 'is'}"
    if taken >> hot_from & 1:
        why = f"{subject} hot, having captured at {where} ({'double hot stones' if many else 'a hot stone'})"
    else:
        why = f"{subject} hot like the one that captured at {where}, in the same {_fight(found)} (twin hot stones)"
    return _read(f"{why}; play elsewhere or pass first.", found)


def disturbing(board: Board, found: Complex, turn: int) -> str:
    """A second disturbance of balanced kos (class disturbing); turn: the number of the first."""
    where = _listed(board, sum(1 << ko.point for ko in found.kos))
    said = f"the kos at {where} are balanced, and a player may disturb them only once, as was done by turn {turn}"
    return _read(f"{said} (disturbing).", found)


def cycle(board: Board, player: Colour, turns: tuple[int, int], first: Point, played: Point) -> str:
    """The cycle of these turns, the first and the last, begun again (class cycle), at its first point or elsewhere."""
    said = f"{player.name.capitalize()} began the cycle of turns {turns[0]} to {turns[1]} and may not begin it again"
    if played == first:
        return f"{said} (cycle)."
    return f"{said}, neither at {board.name(first)} nor by another capture in it (cycle). {OUR_READING}"


def disturbed(board: Board, player: Colour, found: Complex) -> str:
    """What an accepted disturbance has used up."""
    where = _listed(board, sum(1 << ko.point for ko in found.kos))
    return f"That disturbed the balanced kos at {where}, which {player.name.capitalize()} may not do again."


def free(board: Board, found: Complex) -> str:
    """An accepted capture in kos that would be balanced if a ko with a third group were counted."""
    where = _listed(board, sum(1 << ko.point for ko in found.kos))
    return f"The kos at {where} are taken as unbalanced, for a ko with a third group is left out. {OUR_READING}"


def cycle_closed(player: Colour, turns: tuple[int, int]) -> str:
    """What an accepted repetition has used up."""
    who = player.name.capitalize()
    return f"The board stands again as before turn {turns[0]}: {who} began that cycle and may not begin it again."


def _read(said: str, found: Complex) -> str:
    return f"{said} {OUR_READING}" if found.doubtful else said


def _fight(found: Complex) -> str:
    if found.lives:
        return "long life with a ko" if found.kos else "long life"
    return {3: "triple ko", 4: "quadruple ko"}.get(len(found.kos), f"group of {len(found.kos)} kos")


def _listed(board: Board, points: Mask) -> str:
    *names, last = board.names(points)
    return f"{', '.join(names)} and {last}" if names else last
