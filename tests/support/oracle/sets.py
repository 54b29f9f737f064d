"""Rule sets and starts a second time: which starts there can be, and what lies where before the first turn.

Written from the pages on the rule sets; it shares no code with the referee. A board is a text of colour letters and
dots, row by row from the top left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

# The lines of a board and what stones do on them, point by point; it shares no code with the referee.


class Lines:
    """cols x rows points, counted row by row from the top left."""

    def __init__(self, cols: int, rows: int) -> None:
        self.cols, self.rows = cols, rows
        self.beside = beside(cols, rows)
        self.points = {self.name(point): point for point in range(cols * rows)}

    def name(self, point: int) -> str:
        return "ABCDEFGHJKLMNOPQRSTUVWXYZ"[point % self.cols] + str(self.rows - point // self.cols)

    def names(self, points: set[int]) -> list[str]:
        return [self.name(point) for point in sorted(points)]

    def point(self, name: str) -> int | None:
        """The point of that name, None beside the board."""
        return self.points.get(name[:1].upper() + name[1:])

    def chain(self, board: Sequence[str], point: int) -> tuple[set[int], bool]:
        """The stones that hang together with the one on this point, and whether one has an empty point beside it."""
        chain, waiting, free = {point}, [point], False
        while waiting:
            for near in self.beside[waiting.pop()]:
                if board[near] == ".":
                    free = True
                elif board[near] == board[point] and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain, free

    def placed(self, board: str, player: str, point: int) -> tuple[str, set[int], set[int]]:
        """The board after a placement, the others' stones it takes off, and the player's own."""
        stones = list(board)
        stones[point] = player
        captured_points: set[int] = set()
        for near in self.beside[point]:
            if stones[near] not in (".", player) and near not in captured_points:
                chain, free = self.chain(stones, near)
                captured_points |= set() if free else chain
        for removed_point in captured_points:
            stones[removed_point] = "."
        own, free = self.chain(stones, point)
        own = set() if free else own
        for removed_point in own:
            stones[removed_point] = "."
        return "".join(stones), captured_points, own


@cache
def beside(cols: int, rows: int) -> list[list[int]]:
    """The neighbours of each point."""
    neighbours: list[list[int]] = []
    for point in range(cols * rows):
        x, y = point % cols, point // cols
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        neighbours.append([j * cols + i for i, j in around if 0 <= i < cols and 0 <= j < rows])
    return neighbours


ORDER = "BWRGYV"
Bowls = dict[str, dict[str, int]]


@dataclass
class Pieces:
    """A rule set. komi: in an even game and in one with a handicap. Only the Ultimate family has `delays`."""

    ko: str
    suicide: str
    ending: str
    scoring: str
    handicap: str
    komi: tuple[float, float] = (0, 0)
    delays: str = ""
    keeps_prisoners: bool = True
    most: int = 2


def _pieces() -> dict[str, Pieces]:
    bare = ("none", "two-passes", "area", "free")
    ing = ("single-is-pass", "adjourn", "fill-in", "passed", (8, 0))
    no_passes = ("none", "none", "none", "returned")
    return {
        "ultimate": Pieces("positional", *no_passes, delays="first is ultimate"),
        "ultimate-original": Pieces("positional", *no_passes, delays="ultimate beside"),
        "fundamental": Pieces("positional", *no_passes, delays="supply"),
        "japanese": Pieces("simple", "none", "two-passes", "territory", "free", (6.5, 0)),
        "chinese": Pieces("simple", *bare, (7.5, 0)),
        "aga": Pieces("situational", "none", "pass-stones", "area", "free", (7.5, 0.5)),
        "new-zealand": Pieces("situational", "any", "two-passes", "area", "free", (7, 0)),
        "simple": Pieces("simple", *bare),
        "positional": Pieces("positional", *bare),
        "situational": Pieces("situational", *bare),
        "spight": Pieces("spight", "none", "repeated-pass", "area", "free"),
        "kee": Pieces("kee", "none", "n+1-passes", "area", "free", most=6),
        "ing": Pieces("ing", *ing, keeps_prisoners=False),
        "ing-simplified": Pieces("positional", *ing, keeps_prisoners=False),
    }


NAMES = tuple(_pieces())
OPTIONS: dict[str, tuple[str, ...]] = {
    "ko": (
        "simple", "positional", "situational", "natural-situational", "spight", "spight-situational", "kee", "ing",
    ),
    "suicide": ("none", "multi", "any", "single-is-pass"),
    "ending": ("none", "two-passes", "n+1-passes", "pass-stones", "repeated-pass", "adjourn"),
    "scoring": ("area", "territory", "fill-in", "none"),
    "handicap": ("free", "traditional", "passed"),
    "compensation": ("none", "stones", "stones-less-one"),
}  # fmt: skip
KEYS = {"rules", "size", "players", "to_play", "komi", "handicap", "board", "bowls", "ultimate", "options"}


class CannotBe(Exception):
    """A start that no game can have."""


def need(condition: object) -> None:
    if not condition:
        raise CannotBe


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass
class Start:
    """The game's state before the first turn. stood: stones were on the board already."""

    pieces: Pieces
    lines: Lines
    board: str
    players: str
    to_play: str
    komi: float
    handicap: int
    bowls: Bowls
    ultimate: str | None = None
    stood: bool = field(init=False)

    def __post_init__(self) -> None:
        self.stood = set(self.board) != {"."}


def read_start(line: dict[str, Any], rules: str | None = None) -> Start:
    """The start that a first line describes; raises CannotBe."""
    fields = {key: value for key, value in line.items() if value is not None}
    need(fields.keys() <= KEYS)
    pieces = _exchanged(fields, rules)
    players = fields.get("players", "BW")
    need(isinstance(players, str) and 2 <= len(players) <= pieces.most and ORDER.startswith(players))
    handicap = fields.get("handicap", 0)
    need(whole(handicap) and handicap >= 0)
    komi = fields.get("komi", pieces.komi[bool(handicap)])
    _check_komi(pieces, komi)
    lines, board = _board(fields, len(players))
    need(handicap <= len(board))
    _check_players(pieces, players, komi, handicap)
    begins = "W" if handicap > 1 and set(board) != {"."} and not pieces.delays else "B"
    if pieces.handicap == "traditional" and "board" not in fields:
        board, begins = _traditional(lines, board, handicap), "W" if handicap > 1 else "B"
    to_play = fields.get("to_play", begins)
    need(isinstance(to_play, str) and len(to_play) == 1 and to_play in players)
    bowls = _bowls(fields, pieces, players, komi, handicap)
    return Start(pieces, lines, board, players, to_play, komi, handicap, bowls, _ultimate(fields, pieces, players))


def _exchanged(fields: dict[str, Any], rules: str | None) -> Pieces:
    """The rule set with its options."""
    name, options = rules or fields.get("rules"), fields.get("options", {})
    need(isinstance(name, str) and name in NAMES and isinstance(options, dict))
    pieces = _pieces()[str(name)]
    for option, wanted in options.items():
        need(option in OPTIONS)
        points = option == "compensation" and number(wanted) and -1000 <= wanted <= 1000
        need(points or (isinstance(wanted, str) and wanted in OPTIONS[option]))
        if pieces.delays and option in ("ending", "scoring", "handicap", "compensation"):
            need(wanted == "none" and option != "handicap")
        elif option != "compensation":
            setattr(pieces, option, wanted)
    _check_passes(pieces)
    return pieces


def _check_passes(pieces: Pieces) -> None:
    """A game without passes cannot be counted, nor one with passes not be; what is a pass needs passes."""
    if pieces.ending == "none":
        need(pieces.scoring == "none" and pieces.suicide != "single-is-pass" and pieces.handicap != "passed")
    else:
        need(pieces.scoring != "none")


def _check_komi(pieces: Pieces, komi: Any) -> None:
    need(number(komi) and -1000 <= komi <= 1000)
    if pieces.delays:
        need(komi * 2 == int(komi * 2) and (pieces.delays != "supply" or komi == int(komi)))


def _check_players(pieces: Pieces, players: str, komi: float, handicap: int) -> None:
    if len(players) > 2:
        need(not komi and not handicap)
        need(pieces.scoring not in ("territory", "fill-in") and pieces.ending not in ("pass-stones", "adjourn"))
        need(pieces.ko != "ing")


def _board(fields: dict[str, Any], players: int) -> tuple[Lines, str]:
    size = fields.get("size", 19 if "board" not in fields else None)
    sides = size if isinstance(size, list) else [size, size]
    if size is not None:
        need(len(sides) == 2 and whole(sides[0]) and whole(sides[1]))
    if "board" not in fields:
        need(1 <= sides[0] <= 25 and 1 <= sides[1] <= 25)
        return Lines(*sides), "." * (sides[0] * sides[1])
    rows = fields["board"]
    need(isinstance(rows, list) and rows and all(isinstance(row, str) and len(row) == len(rows[0]) for row in rows))
    need(1 <= len(rows[0]) <= 25 and len(rows) <= 25 and size in (None, [len(rows[0]), len(rows)], len(rows[0])))
    need(not whole(size) or len(rows) == size)
    board = "".join(rows).replace("X", "B").replace("O", "W")
    need(set(board) <= {*ORDER[:players], "."})
    lines = Lines(len(rows[0]), len(rows))
    need(all(symbol == "." or lines.chain(board, point)[1] for point, symbol in enumerate(board)))
    return lines, board


def _traditional(lines: Lines, board: str, handicap: int) -> str:
    """Two to nine stones on the star points; four corners at most where a side has an even number of lines."""
    if handicap <= 1:
        return board
    small, odd = min(lines.cols, lines.rows), lines.cols % 2 and lines.rows % 2
    need(handicap <= (9 if odd and small >= 9 else 4 if small >= 7 else 0))
    left, middle, right = _three(lines.cols)
    top, centre, bottom = _three(lines.rows)
    corners = [(right, top), (left, bottom), (right, bottom), (left, top)]
    middles = [(left, centre), (right, centre), (middle, top), (middle, bottom)]
    on_sides = [] if handicap < 6 else middles[:2] if handicap < 8 else middles
    stones = corners[: min(handicap, 4)] + on_sides + [(middle, centre)] * (handicap in (5, 7, 9))
    points = {y * lines.cols + x for x, y in stones}
    return "".join("B" if point in points else symbol for point, symbol in enumerate(board))


def _three(side: int) -> tuple[int, int, int]:
    edge = 3 if side >= 13 else 2
    return edge, side // 2, side - 1 - edge


def _bowls(fields: dict[str, Any], pieces: Pieces, players: str, komi: float, handicap: int) -> Bowls:
    bowls = {owner: dict.fromkeys(players, 0) for owner in players}
    if "bowls" not in fields:
        if pieces.delays:
            each = 1 if pieces.delays == "first is ultimate" else 0
            bowls["B"]["W"] = each + (int(-komi) if komi < 0 else 0)
            bowls["W"]["B"] = each + (int(komi) if komi > 0 else 0) + max(handicap - 1, 0)
        return bowls
    need(isinstance(fields["bowls"], dict))
    for owner, bowl in fields["bowls"].items():
        need(owner in bowls and isinstance(bowl, dict))
        for colour, count in bowl.items():
            need(colour in bowls and colour != owner and whole(count) and 0 <= count <= 10_000)
            need(pieces.keeps_prisoners or not count)
            bowls[owner][colour] = count
    return bowls


def _ultimate(fields: dict[str, Any], pieces: Pieces, players: str) -> str | None:
    ultimate = fields.get("ultimate")
    if ultimate is None:
        return None
    need("bowls" in fields and isinstance(ultimate, str) and len(ultimate) == 1 and ultimate in players)
    need(pieces.delays in ("first is ultimate", "ultimate beside"))
    return str(ultimate)
