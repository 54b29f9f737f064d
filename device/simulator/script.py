"""Scripts of the players' acts at a table, one step a line, as text that can be written by hand.

    size 9                     lines a side; before the first act, like the next six
    look 4                     which of the simulated tables it is: any whole number
    black 2                    the side at which Black sits, 1 or 2
    players BWRG               who plays, BW by default; the others sit at the sides that follow Black's
    rules chinese              the rules that it is played by: ultimate by default, or kee if more than two play
    handicap 4                 the handicap that was agreed: 0 by default, to 9
    prisoners fields           they lie on printed fields, one on each circle, and not in lids

    B play E5                  put an own stone on E5 and lift what it captures into the own lid
    B play E5 leaving D4,E4    the same, forgetting stones
    B play E5 to beside        the same, with what it captures laid beside the own lid; or other, supply or hand
    B bring                    put the stones in the hand, or beside the own lid, into it
    B bring done               the same, pressing done while the hand is over the lid
    B put W E5                 put a stone of that colour there and do no more
    B push E5 0.4 -0.1         push the stone on E5 off its point: parts of a cell to the right and down
    B lift D4,E4 own           take stones off the board: into the own lid, the other lid, or the supply
    B drop BBWW                stones of these colours out of the bowls into the own lid
    B give W other             take a stone of that colour out of the own lid: into the other lid or the supply
    B press done               press a button of the own panel: done, call or score; or the table's: pause
    B hold call                the same, long enough to count as held
    B lean E5 4                press done with one hand while the other stays over E5 for so many seconds
    wait 3                     nobody does anything for so many seconds

Acts on one line, separated by semicolons, are done in one go: the hand leaves the table after the last. Lines that
begin with # are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from referee.game.board import COLOURS, Board, Colour, Point, board_of
from referee.game.errors import BadRecord, RefereeError
from referee.rules.sets import DEFAULT, rule_set
from referee.table.events import Button
from vision.input_files import InputFileSpec

SIZES = (9, 13, 19)
SCRIPT = InputFileSpec("a text with an act a line, such as B play E5", 1 << 20, BadRecord)
SEVERAL = "kee"
"""The rules that allow more than two players."""
LONGEST_WAIT = 600.0
MOST_HANDICAP = 9
FARTHEST_PUSH = 0.5


class Place(StrEnum):
    """The place of a stone from the hand, as seen from the player: a lid, the supply, beside the own lid, or still
    in the hand."""

    OWN = "own"
    OTHER = "other"
    SUPPLY = "supply"
    BESIDE = "beside"
    HAND = "hand"


@dataclass(frozen=True)
class Play:
    """The placement of an own stone with its captures.

    leaving: captured stones that are forgotten
    to: where the others go
    """

    player: Colour
    point: Point
    leaving: tuple[Point, ...] = ()
    to: Place = Place.OWN


@dataclass(frozen=True)
class Bring:
    """The move of stones from the hand, or beside the own lid, into it.

    closing: whether `done` is pressed with the other hand before they drop
    """

    player: Colour
    closing: bool = False


@dataclass(frozen=True)
class Put:
    """The placement of a stone of any colour, and no more."""

    player: Colour
    colour: Colour
    point: Point


@dataclass(frozen=True)
class Push:
    """The push of a stone off its point.

    right, down: in cells, as the camera sees them
    """

    player: Colour
    point: Point
    right: float
    down: float


@dataclass(frozen=True)
class Lift:
    """The removal of stones from the board."""

    player: Colour
    points: tuple[Point, ...]
    to: Place


@dataclass(frozen=True)
class Drop:
    """The move of stones of these colours from the bowls into the own lid."""

    player: Colour
    colours: tuple[Colour, ...]


@dataclass(frozen=True)
class Give:
    """The removal of a stone from the own lid."""

    player: Colour
    colour: Colour
    to: Place


@dataclass(frozen=True)
class Press:
    """The press of a button of the own panel, or of the table's `pause`.

    is_held: for longer than two seconds
    """

    player: Colour
    button: Button
    is_held: bool = False


@dataclass(frozen=True)
class Lean:
    """The press of `done` with one hand while the other stays over a point for so many seconds."""

    player: Colour
    point: Point
    seconds: float


@dataclass(frozen=True)
class Wait:
    """A wait of all players for so many seconds."""

    seconds: float


Act = Play | Bring | Put | Push | Lift | Drop | Give | Press | Lean | Wait


_Word = TypeVar("_Word", bound=StrEnum)
Step = tuple[Act, ...]
"""Acts done in one go."""


@dataclass(frozen=True)
class Script:
    """A game to play.

    size: lines a side
    look: the seed of the table's appearance
    black: the side at which Black sits
    steps: the steps
    remarks: texts, perhaps of several lines, by the number of the step they precede, from 0
    players: in the order of play
    rules: the name of the rule set
    fields: prisoners lie on printed fields
    handicap: the handicap that was agreed
    """

    size: int
    look: int
    black: int
    steps: tuple[Step, ...]
    remarks: Mapping[int, str] = field(default_factory=dict)
    players: tuple[Colour, ...] = COLOURS[:2]
    rules: str = DEFAULT
    fields: bool = False
    handicap: int = 0

    @property
    def board(self) -> Board:
        """Return the board it is played on."""
        return board_of(self.size)


def open_script(path: Path) -> Script:
    """Read a script file; raises BadRecord if that fails, or for an invalid line."""
    script = read_script(SCRIPT.text_of(path), f"{path}: ")
    if not script.steps:
        raise SCRIPT.error_for(path, "nobody does anything in it")
    return script


def read_script(text: str, where: str = "") -> Script:
    """Parse a script; raises BadRecord with `where` and the number of an invalid line."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read(line.strip())
        except (ValueError, RefereeError) as error:
            reason = f"{line.strip()!r:.60} is no act ({error!s:.200})"
            raise BadRecord(f"{where}script line {number}: {reason}; write one like B play E5.") from error
    steps, players = tuple(reader.steps), COLOURS[: reader.players]
    rules = reader.rules or (SEVERAL if len(players) > 2 else DEFAULT)
    header = reader.header
    return Script(
        header["size"],
        header["look"],
        header["black"],
        steps,
        reader.remarks,
        players,
        rules,
        reader.fields,
        header["handicap"],
    )


class _Reader:
    """A parser of scripts, line by line."""

    def __init__(self) -> None:
        self.header = {"size": 19, "look": 1, "black": 1, "handicap": 0}
        self.players = 2
        self.rules: str | None = None
        self.fields = False
        self.steps: list[Step] = []
        self.remarks: dict[int, str] = {}

    def read(self, line: str) -> None:
        words = line.split()
        if line.startswith("#"):
            self._read_remark(line[1:].strip())
        elif words and words[0] == "players":
            self._read_players(*words[1:])
        elif words and words[0] == "prisoners":
            self._read_prisoners(*words[1:])
        elif words and words[0] == "rules":
            self._read_rules(*words[1:])
        elif words and words[0] in self.header:
            self._read_header(words[0], *words[1:])
        elif words:
            board = board_of(self.header["size"])
            self.steps.append(tuple(_parse_act(part.split(), board, self.players) for part in line.split(";")))

    def _read_remark(self, text: str) -> None:
        previous = self.remarks.get(len(self.steps))
        self.remarks[len(self.steps)] = text if previous is None else f"{previous}\n{text}"

    def _read_players(self, *values: str) -> None:
        if self.steps:
            raise ValueError("players belongs before the first act")
        allowed = ["".join(COLOURS[:n]) for n in range(2, len(COLOURS) + 1)]
        if len(values) != 1 or values[0] not in allowed:
            raise ValueError(f"players wants one of {', '.join(allowed)}")
        self.players = len(values[0])

    def _read_rules(self, *values: str) -> None:
        if self.steps:
            raise ValueError("rules belongs before the first act")
        if len(values) != 1:
            raise ValueError("rules wants one name")
        self.rules = rule_set(values[0]).name

    def _read_prisoners(self, *values: str) -> None:
        if self.steps:
            raise ValueError("prisoners belongs before the first act")
        if values not in (("fields",), ("lids",)):
            raise ValueError("prisoners wants fields or lids")
        self.fields = values == ("fields",)

    def _read_header(self, name: str, *values: str) -> None:
        black, stones = range(1, self.players + 1), range(MOST_HANDICAP + 1)
        allowed = {"size": SIZES, "black": black, "look": range(10**9), "handicap": stones}[name]
        if self.steps:
            raise ValueError(f"{name} belongs before the first act")
        if len(values) != 1 or not re.fullmatch("[0-9]{1,9}", values[0]) or int(values[0]) not in allowed:
            black_sides, looks = f"1 to {self.players}", "any from 0 to 999999999"
            stones_said = f"0 to {MOST_HANDICAP}"
            expected = {"size": "9, 13 or 19", "black": black_sides, "look": looks, "handicap": stones_said}[name]
            raise ValueError(f"{name} wants one number: {expected}")
        self.header[name] = int(values[0])


def _parse_act(words: list[str], board: Board, players: int = 2) -> Act:
    if words[:1] == ["wait"]:
        return Wait(_parse_seconds(*words[1:]))
    if len(words) < 2:
        raise ValueError("it has a player and what they do")
    player, verb, arguments = _parse_colour(words[0], players), words[1], words[2:]
    match verb, arguments:
        case "play", [point]:
            return Play(player, board.point(point))
        case "play", [point, "leaving", points]:
            return Play(player, board.point(point), _parse_points(points, board))
        case "play", [point, "to", place]:
            return Play(player, board.point(point), to=_parse_member(Place, place))
        case "bring", []:
            return Bring(player)
        case "bring", ["done"]:
            return Bring(player, True)
        case "put", [colour, point]:
            return Put(player, _parse_colour(colour, players), board.point(point))
        case "push", [point, right, down]:
            return Push(player, board.point(point), _parse_offset(right), _parse_offset(down))
        case "lift", [points, to]:
            return Lift(player, _parse_points(points, board), _parse_member(Place, to))
        case "drop", [colours]:
            return Drop(player, tuple(_parse_colour(colour, 2) for colour in colours))
        case "give", [colour, to]:
            return Give(player, _parse_colour(colour, players), _parse_member(Place, to))
        case "lean", [point, seconds]:
            return Lean(player, board.point(point), _parse_seconds(seconds))
        case "press" | "hold", [button]:
            return Press(player, _parse_member(Button, button), verb == "hold")
    raise ValueError(f"nobody can {verb} like that")


def _parse_colour(letter: str, players: int) -> Colour:
    if letter not in COLOURS[:players]:
        raise ValueError(
            f"{letter} is {'neither B nor W' if players == 2 else 'none of ' + ''.join(COLOURS[:players])}"
        )
    return Colour(letter)


def _parse_seconds(*words: str) -> float:
    if len(words) == 1 and re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,9})?|\.[0-9]{1,9}", words[0]):
        seconds = float(words[0])
        if 0 < seconds <= LONGEST_WAIT:
            return seconds
    raise ValueError(f"one waits for up to {LONGEST_WAIT:g} seconds")


def _parse_offset(word: str) -> float:
    """Parse a part of a cell, at most a half either way; raises ValueError for anything else."""
    if re.fullmatch(r"-?0?\.[0-9]{1,3}|0", word) and abs(float(word)) <= FARTHEST_PUSH:
        return float(word)
    raise ValueError(f"a stone is pushed by up to {FARTHEST_PUSH:g} of a cell each way")


def _parse_member(kind: type[_Word], word: str) -> _Word:
    """Return the member of this name; raises ValueError naming them all."""
    if word not in list(kind):
        raise ValueError(f"{word} is none of {', '.join(kind)}")
    return kind(word)


def _parse_points(text: str, board: Board) -> tuple[Point, ...]:
    return tuple(board.point(name) for name in text.split(","))


def write_script(script: Script) -> str:
    """Return the script as text for `read_script`."""
    several = len(script.players) > 2
    head = [f"players {''.join(script.players)}"] if several else []
    head += [f"rules {script.rules}"] if script.rules != (SEVERAL if several else DEFAULT) else []
    head += [f"handicap {script.handicap}"] if script.handicap else []
    head += ["prisoners fields"] if script.fields else []
    lines = [f"size {script.size}", f"look {script.look}", *head, f"black {script.black}"]
    for number in range(len(script.steps) + 1):
        if number in script.remarks:
            lines += ["", *(f"# {remark}".rstrip() for remark in script.remarks[number].split("\n"))]
        lines += [write_step(step, script.board) for step in script.steps[number : number + 1]]
    return "\n".join(lines) + "\n"


def write_step(step: Step, board: Board) -> str:
    """Return one step as a line of a script."""
    return "; ".join(_write_act(act, board) for act in step)


def _write_act(act: Act, board: Board) -> str:
    match act:
        case Play(player, point, leaving, to):
            leaving_text = " leaving " + ",".join(map(board.name, leaving)) if leaving else ""
            return f"{player} play {board.name(point)}{leaving_text}" + (f" to {to}" if to is not Place.OWN else "")
        case Bring(player, closing):
            return f"{player} bring" + (" done" if closing else "")
        case Put(player, colour, point):
            return f"{player} put {colour} {board.name(point)}"
        case Push(player, point, right, down):
            return f"{player} push {board.name(point)} {right:g} {down:g}"
        case Lift(player, points, to):
            return f"{player} lift {','.join(map(board.name, points))} {to}"
        case Drop(player, colours):
            return f"{player} drop {''.join(colours)}"
        case Give(player, colour, to):
            return f"{player} give {colour} {to}"
        case Press(player, button, is_held):
            return f"{player} {'hold' if is_held else 'press'} {button}"
        case Lean(player, point, seconds):
            return f"{player} lean {board.name(point)} {seconds:g}"
        case Wait(seconds):
            return f"wait {seconds:g}"
