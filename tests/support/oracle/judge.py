"""A whole judge a second time: lines in, the same answers out, for every rule set with every option.

Written from the rules' texts and the pages for users; it shares no code with the referee. Boards are texts, the game is
the list of its turns, and everything is looked up in it anew each turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.oracle.ing import SlowIng, Table
from tests.support.oracle.sets import ORDER, CannotBe, Lines, Start, read_start

# Forbidden repetitions, worked out a second time: each ko rule reads the whole list of turns, as its text has it.
#
# It shares no code with the referee. Kee's prohibitions are his lists, written down turn by turn; Ing's kos are those
# of slow_ing.py.


@dataclass
class MadeTurn:
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

    def __init__(self, find: Callable[[list[MadeTurn], str, str, str], list[int]], reason: str = "superko") -> None:
        self.find, self.reason = find, reason

    def refuses(self, past: list[MadeTurn], after: str, player: str, following: str, point: int) -> Refusal | None:
        numbers = self.find(past, after, player, following)
        return (self.reason, {numbers[0]}) if numbers else None

    def follows(self, past: list[MadeTurn], point: int | None, playing: int) -> None:
        """Nothing is written down."""


def simple(past: list[MadeTurn], after: str, player: str, following: str) -> list[int]:
    """The position before the turn just made."""
    again = len(past) > 1 and after == past[-2].board and after != past[-1].board
    return [len(past) - 2] if again else []


def positional(past: list[MadeTurn], after: str, player: str, following: str) -> list[int]:
    return [number for number, past_turn in enumerate(past) if past_turn.board == after]


def situational(past: list[MadeTurn], after: str, player: str, following: str) -> list[int]:
    return [number for number in positional(past, after, player, following) if past[number].to_play == following]


def natural(past: list[MadeTurn], after: str, player: str, following: str) -> list[int]:
    """Boards that the same player's own placement left."""
    numbers = positional(past, after, player, following)
    own = [number for number in numbers if past[number].kind == "place" and not past[number].a_pass]
    return [number for number in own if past[number].player == player]


def since_pass(past: list[MadeTurn], numbers: list[int]) -> list[int]:
    last = max((number for number, past_turn in enumerate(past) if past_turn.a_pass), default=0)
    return [number for number in numbers if number >= last]


def spight(past: list[MadeTurn], after: str, player: str, following: str) -> list[int]:
    return since_pass(past, numbers) if (numbers := positional(past, after, player, following)) else []


def spight_situational(past: list[MadeTurn], after: str, player: str, following: str) -> list[int]:
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

    def begin(self, last_turn: MadeTurn, number: int) -> None:
        """Part A. plays: whether each was a pass."""
        here = (last_turn.board, last_turn.to_play)
        self.plays, self.situations, self.recent = [], [here], [(here, number)]
        self.boards, self.paths = [(last_turn.board, number)], []

    def refuses(self, past: list[MadeTurn], after: str, player: str, following: str, point: int) -> Refusal | None:
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

    def follows(self, past: list[MadeTurn], point: int | None, playing: int) -> None:
        """Parts F and G; after a resignation part A again."""
        last_turn, number = past[-1], len(past) - 1
        if last_turn.kind in ("", "resign"):
            self.begin(last_turn, number)
        if last_turn.kind in ("", "resign", "draw"):
            return
        a_pass = last_turn.a_pass or last_turn.kind in ("prisoner", "ultimate")
        if a_pass:
            self.boards = [[entry for entry in self.boards if entry[0] == last_turn.board][-1]]
        else:
            self.boards.append((last_turn.board, number))
        self.plays.append(a_pass)
        self.note((last_turn.board, last_turn.to_play), number, playing)

    def note(self, here: Situation, number: int, playing: int) -> None:
        situations = [situation for situation, _ in self.recent]
        if here in situations and not all(self.plays[-playing:]):
            first = situations.index(here)
            changed = next(i for i in range(first, len(situations)) if situations[i][0] != here[0])
            self.paths.append((tuple(situations[first : changed + 1]), self.recent[changed][1]))
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

    def refuses(self, past: list[MadeTurn], after: str, player: str, following: str, point: int) -> Refusal | None:
        assert self.game is not None
        self.game.player = player
        reason = self.game.refuses(self.at(point))
        return (reason, {len(past) - 2} if reason == "ko" else None) if reason else None

    def follows(self, past: list[MadeTurn], point: int | None, playing: int) -> None:
        last_turn = past[-1]
        if self.game is None:
            stones = {self.at(p): colour for p, colour in enumerate(last_turn.board) if colour != "."}
            table = Table(self.lines.cols, self.lines.rows)
            self.game = SlowIng(table, stones, last_turn.to_play, single_is_pass=self.single_is_pass)
            return
        self.game.player = last_turn.player
        if point is not None:
            self.game.place(self.at(point))
        elif last_turn.a_pass:
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


ACTS = {"place", "delay", "pass", "draw", "resign"}
LONGEST = 1 << 20
"""Bytes that no line has."""
Answer = dict[str, Any]


@dataclass
class Turn:
    """kind: place, prisoner or ultimate (delays), pass, draw, resign. point: None beside the board."""

    kind: str
    player: str
    point: int | None = None


@dataclass
class JudgedSlowGame:
    """One game. forced: the numbers of the passes that a handicap demanded."""

    start: Start
    past: list[MadeTurn] = field(default_factory=list)
    forced: set[int] = field(default_factory=set)
    ended: bool = False
    result: str | None = None

    def __post_init__(self) -> None:
        start = self.start
        self.pieces, self.lines = start.pieces, start.lines
        self.bowls, self.playing, self.to_play = start.bowls, start.players, start.to_play
        self.ultimate = start.ultimate
        self.given = start.ultimate or ""
        self.ko = ko_rule(self.pieces.ko, self.lines, self.pieces.suicide == "single-is-pass")
        self.note(MadeTurn("", "", start.board, self.to_play), None)

    def note(self, past_turn: MadeTurn, point: int | None) -> None:
        self.past.append(past_turn)
        self.ko.follows(self.past, point, len(self.playing))

    @property
    def board(self) -> str:
        return self.past[-1].board

    # Handicap

    def turns_of(self, player: str) -> int:
        return sum(past_turn.player == player for past_turn in self.past)

    @property
    def fresh(self) -> bool:
        """Black begins on an empty board, so a handicap that is played is still to come."""
        return self.start.to_play == "B" and not self.start.stood and self.pieces.handicap != "traditional"

    @property
    def returning(self) -> bool:
        """Ultimate Go: White has still to make one of her first H - 1 turns."""
        handicap = self.start.handicap if self.pieces.delays else 0
        return handicap > 1 and self.turns_of("W") < handicap - 1

    def demanded(self) -> str | None:
        if self.to_play != "W":
            return None
        if self.returning:
            return "must-delay"
        passing = self.pieces.handicap == "passed" and self.fresh and self.start.handicap > 1
        return "must-pass" if passing and self.turns_of("W") < self.start.handicap - 1 else None

    def stones_to_come(self) -> int:
        """Free handicap stones that Black has still to place, one after the other."""
        free = self.pieces.handicap == "free" and self.fresh and self.start.handicap > 1
        return max(self.start.handicap - (len(self.past) - 1), 0) if free else 0

    def following(self) -> str:
        """Return the player whose turn it will be after one more."""
        if self.stones_to_come() > 1:
            return self.to_play
        return self.playing[(self.playing.index(self.to_play) + 1) % len(self.playing)]

    # What may not be done

    def refuses(self, turn: Turn) -> Refusal | None:
        """The first reason that applies."""
        if self.ended:
            return "game-over", None
        if turn.player != self.to_play:
            return "not-your-turn", None
        demanded = self.demanded()
        meets = {"must-delay": ("prisoner", "ultimate", "resign"), "must-pass": ("pass", "resign")}
        if demanded and turn.kind not in meets[demanded]:
            return demanded, None
        if turn.kind == "place":
            return self.refuses_placement(turn)
        reason = self.lacks(turn.kind)
        return (reason, None) if reason else None

    def refuses_placement(self, turn: Turn) -> Refusal | None:
        if turn.point is None:
            return "off-board", None
        if self.board[turn.point] != ".":
            return "occupied", None
        after, _, own = self.lines.placed(self.board, turn.player, turn.point)
        least = {"none": 10_000, "multi": 2}.get(self.pieces.suicide, 1)
        if 0 < len(own) < least:
            return "surrounded", None
        if self.pieces.suicide == "single-is-pass" and len(own) == 1:
            return None
        return self.ko.refuses(self.past, after, turn.player, self.following(), turn.point)

    def lacks(self, kind: str) -> str | None:
        """Return the reason why the rule set, or the bowls, do not allow such a turn; None if they do."""
        if kind == "pass":
            return "pass-not-available" if self.pieces.ending == "none" or self.stones_to_come() else None
        if kind == "draw":
            return None if self.may_draw() else "draw-not-available"
        delays, foe = self.pieces.delays, "W" if self.to_play == "B" else "B"
        if kind == "prisoner" and delays:
            return None if self.bowls[self.to_play][foe] else "no-prisoner"
        if kind == "ultimate" and delays == "ultimate beside":
            return "delay-not-available" if self.to_play in self.given or self.returning else None
        return None if kind == "resign" else "delay-not-available"

    def may_draw(self) -> bool:
        foe = "W" if self.to_play == "B" else "B"
        if self.pieces.delays == "first is ultimate":
            return self.ultimate == foe and not self.bowls[foe][self.to_play]
        return self.pieces.delays == "ultimate beside" and len(self.given) == 2 and self.given[0] == self.to_play

    # What a turn does

    def make(self, turn: Turn) -> set[int]:
        """A turn that is not refused; answers the stones that leave the board."""
        following, board, removed_points, a_pass = self.following(), self.board, set[int](), turn.kind == "pass"
        if turn.kind == "place" and turn.point is not None:
            before = board[: turn.point] + turn.player + board[turn.point + 1 :]
            board, captured_points, own = self.lines.placed(board, turn.player, turn.point)
            removed_points, a_pass = captured_points | own, self.pieces.suicide == "single-is-pass" and len(own) == 1
            if not a_pass:
                self.keep(turn.player, [before[point] for point in removed_points])
        if a_pass and self.pieces.ending == "pass-stones":
            self.bowls["W" if turn.player == "B" else "B"][turn.player] += 1
        forced = self.demanded() == "must-pass"
        self.forced |= {len(self.past)} if forced else set()
        self.ended = a_pass and not forced and self.ends()
        self.give(turn)
        self.to_play = following
        self.leave(turn)
        self.note(MadeTurn(turn.kind, turn.player, board, self.to_play, a_pass), turn.point)
        return removed_points

    def keep(self, player: str, colours: list[str]) -> None:
        """Prisoners into the bowl; a self-captured stone goes to the other where there is only one other."""
        if not self.pieces.keeps_prisoners:
            return
        for colour in colours:
            if colour != player:
                self.bowls[player][colour] += 1
            elif len(self.start.players) == 2:
                self.bowls["W" if player == "B" else "B"][colour] += 1

    def give(self, turn: Turn) -> None:
        """Record a delay: the prisoner that leaves a bowl, or the ultimate stone."""
        foe = "W" if turn.player == "B" else "B"
        if turn.kind == "ultimate":
            self.given += turn.player
            self.ultimate = self.given[0]
        elif turn.kind == "prisoner":
            self.bowls[turn.player][foe] -= 1
            if self.pieces.delays == "first is ultimate" and self.ultimate is None and not self.returning:
                self.ultimate = foe

    def leave(self, turn: Turn) -> None:
        """A draw or a resignation."""
        if turn.kind == "draw":
            half = self.start.komi % 1
            self.ended, self.result = True, "0" if not half else "W+0.5" if self.start.komi > 0 else "B+0.5"
        elif turn.kind == "resign":
            self.playing = self.playing.replace(turn.player, "")
            if len(self.playing) == 1:
                self.ended, self.result = True, f"{self.playing}+R"

    # How passes end it

    def runs(self) -> list[int]:
        """The lengths of the runs of chosen passes, the one that stands now (perhaps 0) last."""
        pattern = "".join("p" if chosen else "." for chosen in self.chosen_passes())
        return [len(run) for run in pattern.split(".")]

    def ends(self) -> bool:
        """Return True if a pass made now ends the game."""
        *earlier, before = self.runs()
        passes = before + 1
        if self.pieces.ending == "n+1-passes":
            return passes > len(self.playing)
        if self.pieces.ending == "pass-stones":
            return passes >= 2 and self.to_play == "W"
        if self.pieces.ending == "adjourn":
            return passes >= (2 if any(run >= 2 for run in earlier) else 4)
        here = self.pieces.ending == "repeated-pass" and any(
            chosen and past_turn.player == self.to_play and past_turn.board == self.board
            for past_turn, chosen in zip(self.past, self.chosen_passes(), strict=True)
        )
        return passes >= 2 or here

    def chosen_passes(self) -> list[bool]:
        """For the start and each turn, whether it is a pass that the player could have done without."""
        return [past_turn.a_pass and number not in self.forced for number, past_turn in enumerate(self.past)]

    # Answers

    def judged(self, turn: Turn) -> Answer:
        """The reply; `repeats` is the set of numbers that may be told."""
        number, refusal = len(self.past), self.refuses(turn)
        removed_points = self.make(turn) if refusal is None else set()
        reason, repeats = refusal or (None, None)
        return {
            "turn": number,
            "player": turn.player,
            "legal": refusal is None,
            "reason": reason,
            "repeats": repeats or {None},
            "captured": self.lines.names(removed_points),
            "rows": self.rows(),
            "bowls": {owner: {c: n for c, n in bowl.items() if n} for owner, bowl in self.bowls.items()},
            "ultimate": self.ultimate,
            "ended": self.ended,
            "result": self.result,
        }

    def rows(self) -> list[str]:
        board, cols = self.board, self.lines.cols
        if len(self.start.players) == 2:
            board = board.replace("B", "X").replace("W", "O")
        return [board[at : at + cols] for at in range(0, len(board), cols)]

    def open_to(self) -> Answer:
        """Return the turns open to the player to move; to nobody in particular once the game has ended."""
        free = [point for point, symbol in enumerate(self.board) if symbol == "."]
        why = {point: self.refuses(Turn("place", self.to_play, point)) for point in free}
        kinds = [kind for kind in ("prisoner", "ultimate") if self.refuses(Turn(kind, self.to_play)) is None]
        return {
            "player": None if self.ended else self.to_play,
            "placements": [self.lines.name(point) for point in free if why[point] is None],
            "refused": {self.lines.name(point): refusal[0] for point, refusal in why.items() if refusal},
            "delays": kinds,
            "draw": self.refuses(Turn("draw", self.to_play)) is None,
            "pass": self.refuses(Turn("pass", self.to_play)) is None,
        }


UNREADABLE: Answer = {"error": True}


@dataclass
class SlowJudge:
    """Reads lines one after the other. rules: the option `--rules`."""

    rules: str | None = None
    game: JudgedSlowGame | None = None

    def handle(self, raw: bytes) -> Answer | None:
        """The answer to a line, None where there is none; raises CannotBe for a start that no game can have."""
        if len(raw) >= LONGEST:
            return UNREADABLE
        raw = raw.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not raw:
            return None
        line = read(raw)
        if line is None:
            return UNREADABLE
        started = bool(ACTS & line.keys()) or "player" in line or "ask" in line
        if not started and self.game is None:
            self.game = JudgedSlowGame(read_start(line, self.rules))
            return None
        if self.game is None:
            self.game = JudgedSlowGame(read_start({"rules": self.rules or "ultimate"}))
        return self.answer(line) if started else UNREADABLE

    def answer(self, line: dict[str, Any]) -> Answer:
        assert self.game is not None
        if "ask" in line:
            return self.game.open_to() if line["ask"] == "legal" else UNREADABLE
        turn = read_turn(line, self.game)
        return UNREADABLE if turn is None else self.game.judged(turn)


def read(raw: bytes) -> dict[str, Any] | None:
    """The object of a line; None for anything else, one with very many brackets among it."""
    if raw.count(b"[") + raw.count(b"{") > 200:
        return None
    try:
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_turn(line: dict[str, Any], game: JudgedSlowGame) -> Turn | None:
    """The turn of a line, None for one that cannot be read."""
    acts, player = ACTS & line.keys(), line.get("player")
    if line.keys() - {"player", *ACTS}:
        return None
    if len(acts) != 1 or not isinstance(player, str) or len(player) != 1 or player not in game.start.players:
        return None
    act = acts.pop()
    value = line[act]
    if act == "place":
        named = isinstance(value, str) and re.fullmatch("[A-Za-z]{1,2}[0-9]+", value)
        return Turn("place", player, game.lines.point(value)) if named else None
    if act == "delay":
        return Turn(value, player) if value in ("prisoner", "ultimate") else None
    return Turn(act, player) if value is True else None


__all__ = ["ORDER", "UNREADABLE", "Answer", "CannotBe", "JudgedSlowGame", "SlowJudge"]
