"""What people do at a table, one act a line, as text that can be written by hand.

    B play E5                  put a stone of one's own on E5 and lift what it captures into one's own lid
    B play E5 leaving D4,E4    the same, forgetting stones
    B put W E5                 put a stone of that colour there and do no more
    B lift D4,E4 own           take stones off the board: into the own lid, the other lid, or the supply
    B give W other             take a stone of that colour out of the own lid: into the other lid or the supply
    B press call               press a button

Acts on one line, parted by semicolons, are done in one go: the hand leaves the table after the last. Lines that begin
with # are remarks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from referee.board import Board, Colour, Point
from referee.errors import BadRecord, RefereeError
from referee.events import Button


class Place(StrEnum):
    """Where a stone in the hand goes, as seen from the player."""

    OWN = "own"
    OTHER = "other"
    SUPPLY = "supply"


@dataclass(frozen=True)
class Play:
    """A stone of one's own on a point; what it captures goes into the own lid, but for the stones left."""

    player: Colour
    point: Point
    leaving: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Put:
    """A stone of any colour on a point, and no more."""

    player: Colour
    colour: Colour
    point: Point


@dataclass(frozen=True)
class Lift:
    """Stones taken off the board."""

    player: Colour
    points: tuple[Point, ...]
    to: Place


@dataclass(frozen=True)
class Give:
    """A stone taken out of the own lid."""

    player: Colour
    colour: Colour
    to: Place


@dataclass(frozen=True)
class Press:
    """A button of one's own panel."""

    player: Colour
    button: Button


Act = Play | Put | Lift | Give | Press


Step = tuple[Act, ...]
"""Acts done in one go."""


def read_script(text: str, board: Board) -> tuple[Step, ...]:
    """The steps of a script; raises BadRecord naming the line that is none."""
    return tuple(_steps(text, board))


def _steps(text: str, board: Board) -> Iterator[Step]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.strip().startswith("#"):
            continue
        try:
            yield tuple(_act(part.split(), board) for part in line.split(";"))
        except (ValueError, IndexError, RefereeError) as error:
            sentence = f"script line {number}: {line.strip()!r} is no act ({error}); write one like B play E5."
            raise BadRecord(sentence) from error


def _act(words: list[str], board: Board) -> Act:
    player, verb, rest = Colour(words[0]), words[1], words[2:]
    match verb, rest:
        case "play", [point]:
            return Play(player, board.point(point))
        case "play", [point, "leaving", points]:
            return Play(player, board.point(point), _points(points, board))
        case "put", [colour, point]:
            return Put(player, Colour(colour), board.point(point))
        case "lift", [points, to]:
            return Lift(player, _points(points, board), Place(to))
        case "give", [colour, to]:
            return Give(player, Colour(colour), Place(to))
        case "press", [button]:
            return Press(player, Button(button))
    raise ValueError(f"nobody can {verb} like that")


def _points(text: str, board: Board) -> tuple[Point, ...]:
    return tuple(board.point(name) for name in text.split(","))


def write_script(steps: tuple[Step, ...], board: Board) -> str:
    """The script's text; `read_script` reads it back."""
    return "".join("; ".join(_line(act, board) for act in step) + "\n" for step in steps)


def _line(act: Act, board: Board) -> str:
    match act:
        case Play(player, point, leaving):
            left = " leaving " + ",".join(map(board.name, leaving)) if leaving else ""
            return f"{player} play {board.name(point)}{left}"
        case Put(player, colour, point):
            return f"{player} put {colour} {board.name(point)}"
        case Lift(player, points, to):
            return f"{player} lift {','.join(map(board.name, points))} {to}"
        case Give(player, colour, to):
            return f"{player} give {colour} {to}"
        case Press(player, button):
            return f"{player} press {button}"
