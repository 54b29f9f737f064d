"""Forbidden repetitions, worked out a second time: each ko rule reads the whole list of turns, as its text has it.

It shares no code with the referee. Kee's prohibitions are his lists, written down turn by turn; Ing's kos are those of
slow_ing.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.oracle.ing import SlowIng, Table
from tests.support.oracle.lines import Lines


@dataclass
class Made:
    """A turn that was made, or the start (kind ""), and how it left the board and whose turn it was then."""

    kind: str
    player: str
    board: str
    to_play: str
    a_pass: bool = False


Refusal = tuple[str, set[int] | None]
"""A reason, and the numbers of the turns that may be told as repeated."""


class KoRule:
    """A rule that looks at the list of turns alone. refuses: the turn after which the forbidden board first stood."""

    def __init__(self, find: Callable[[list[Made], str, str, str], list[int]], reason: str = "superko") -> None:
        self.find, self.reason = find, reason

    def refuses(self, past: list[Made], after: str, player: str, following: str, point: int) -> Refusal | None:
        numbers = self.find(past, after, player, following)
        return (self.reason, {numbers[0]}) if numbers else None

    def follows(self, past: list[Made], point: int | None, playing: int) -> None:
        """Nothing is written down."""


def simple(past: list[Made], after: str, player: str, following: str) -> list[int]:
    """The position before the turn just made."""
    again = len(past) > 1 and after == past[-2].board and after != past[-1].board
    return [len(past) - 2] if again else []


def positional(past: list[Made], after: str, player: str, following: str) -> list[int]:
    return [number for number, made in enumerate(past) if made.board == after]


def situational(past: list[Made], after: str, player: str, following: str) -> list[int]:
    return [number for number in positional(past, after, player, following) if past[number].to_play == following]


def natural(past: list[Made], after: str, player: str, following: str) -> list[int]:
    """Boards that the same player's own placement left."""
    numbers = positional(past, after, player, following)
    own = [number for number in numbers if past[number].kind == "place" and not past[number].a_pass]
    return [number for number in own if past[number].player == player]


def since_pass(past: list[Made], numbers: list[int]) -> list[int]:
    last = max((number for number, made in enumerate(past) if made.a_pass), default=0)
    return [number for number in numbers if number >= last]


def spight(past: list[Made], after: str, player: str, following: str) -> list[int]:
    return since_pass(past, numbers) if (numbers := positional(past, after, player, following)) else []


def spight_situational(past: list[Made], after: str, player: str, following: str) -> list[int]:
    return since_pass(past, numbers) if (numbers := situational(past, after, player, following)) else []


Situation = tuple[str, str]


@dataclass
class Kee:
    """The Kee rules' lists. A board situation is a board and the player to move; a delay counts as a pass."""

    plays: list[bool] = field(default_factory=list)
    situations: list[Situation] = field(default_factory=list)
    recent: list[tuple[Situation, int]] = field(default_factory=list)
    boards: list[tuple[str, int]] = field(default_factory=list)
    paths: list[tuple[tuple[Situation, ...], int]] = field(default_factory=list)

    def begin(self, made: Made, number: int) -> None:
        """Part A. plays: whether each was a pass."""
        here = (made.board, made.to_play)
        self.plays, self.situations, self.recent = [], [here], [(here, number)]
        self.boards, self.paths = [(made.board, number)], []

    def refuses(self, past: list[Made], after: str, player: str, following: str, point: int) -> Refusal | None:
        """Part D."""
        numbers = [number for board, number in self.boards if board == after]
        if numbers:
            return "superko", {numbers[-1]}
        ways = self.ways((after, following))
        placed = {number for path, number in self.paths if path in ways}
        return ("path", placed) if placed else None

    def ways(self, end: Situation) -> list[tuple[Situation, ...]]:
        """The placement alone, with the pass before it, with two passes before it, and so on."""
        passes = 0
        while passes < len(self.plays) and self.plays[-passes - 1]:
            passes += 1
        return [(*self.situations[len(self.situations) - n - 1 :], end) for n in range(passes + 1)]

    def follows(self, past: list[Made], point: int | None, playing: int) -> None:
        """Parts F and G; after a resignation part A again."""
        made, number = past[-1], len(past) - 1
        if made.kind in ("", "resign"):
            self.begin(made, number)
        if made.kind in ("", "resign", "draw"):
            return
        a_pass = made.a_pass or made.kind in ("prisoner", "ultimate")
        if a_pass:
            self.boards = [[known for known in self.boards if known[0] == made.board][-1]]
        else:
            self.boards.append((made.board, number))
        self.plays.append(a_pass)
        self.note((made.board, made.to_play), number, playing)

    def note(self, here: Situation, number: int, playing: int) -> None:
        known = [situation for situation, _ in self.recent]
        if here in known and not all(self.plays[-playing:]):
            first = known.index(here)
            changed = next(i for i in range(first, len(known)) if known[i][0] != here[0])
            self.paths.append((tuple(known[first : changed + 1]), self.recent[changed][1]))
            self.recent = []
        self.recent.append((here, number))
        self.situations.append(here)


@dataclass
class Ing:
    """Ing's kos, by the procedure; points as columns and rows, as slow_ing.py has them."""

    lines: Lines
    single_is_pass: bool
    game: SlowIng | None = None

    def at(self, point: int) -> tuple[int, int]:
        return point % self.lines.cols, point // self.lines.cols

    def refuses(self, past: list[Made], after: str, player: str, following: str, point: int) -> Refusal | None:
        assert self.game is not None
        self.game.player = player
        reason = self.game.refuses(self.at(point))
        return (reason, {len(past) - 2} if reason == "ko" else None) if reason else None

    def follows(self, past: list[Made], point: int | None, playing: int) -> None:
        made = past[-1]
        if self.game is None:
            stones = {self.at(p): colour for p, colour in enumerate(made.board) if colour != "."}
            table = Table(self.lines.cols, self.lines.rows)
            self.game = SlowIng(table, stones, made.to_play, single_is_pass=self.single_is_pass)
            return
        self.game.player = made.player
        if point is not None:
            self.game.place(self.at(point))
        elif made.a_pass:
            self.game.pass_turn()
        else:
            self.game.other_turn()


def ko_rule(name: str, lines: Lines, single_is_pass: bool) -> KoRule | Kee | Ing:
    """The ko rule of that name, for one game."""
    if name == "kee":
        return Kee()
    if name == "ing":
        return Ing(lines, single_is_pass)
    if name == "simple":
        return KoRule(simple, "ko")
    finds = {
        "positional": positional,
        "situational": situational,
        "natural-situational": natural,
        "spight": spight,
        "spight-situational": spight_situational,
    }
    return KoRule(finds[name])
