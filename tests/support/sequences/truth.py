"""A game of players who know what they do, and what has to come of each of their acts.

`Truth.take` follows one act, or raises NotPlayed if players who know the rules and the panel would not do it here.
What is promised is compared with what is shown in `shown`: the record is the game that was played, nobody is refused
anything, the clock runs for the player to move and shows what docs/clocks.md gives, and the lamps are those of
docs/panel.md. Stones lie on points of which no two are neighbours, so that nothing is ever captured.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.support.sequences.laws import CONFIRM_WITHIN
from tests.support.sequences.moment import ORDER
from tests.support.sequences.table import (
    BEFORE,
    HOLD,
    PRESS,
    SETTLED,
    SIZE,
    Agreement,
    name_of,
    point_of,
)

# The count of a small board by area or territory, as docs/counting.md has it.

KOMI = {"chinese": 7.5, "japanese": 6.5, "aga": 7.5, "new-zealand": 7}
"""Points that White gets at the count if nobody says otherwise (docs/rules); none under other sets."""


def counted(
    rules: str, stones: Mapping[str, str], dead: Collection[str], captured: int, bought: Mapping[str, int]
) -> str:
    """Return the result with the dead stones lifted. captured: White's stones that Black took. bought: periods of
    time, each for two points."""
    left = {point: player for point, player in stones.items() if point not in dead}
    points = dict.fromkeys("BW", 0)
    for region, owners in regions(left):
        if len(owners) == 1:
            points[owners.pop()] += len(region)
    if rules == "japanese":
        points["B"] += captured
        for point in dead:
            points["W" if stones[point] == "B" else "B"] += 1
    else:
        for player in left.values():
            points[player] += 1
    for player, periods in bought.items():
        points["W" if player == "B" else "B"] += 2 * periods
    margin = points["B"] - points["W"] - KOMI.get(rules, 0)
    return "0" if not margin else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def regions(stones: Mapping[str, str]) -> Iterator[tuple[set[int], set[str]]]:
    """Yield the empty regions of a board and whose stones border them."""
    stone_owners = {point_of(point): player for point, player in stones.items()}
    unseen = set(range(SIZE * SIZE)) - set(stone_owners)
    while unseen:
        edge, region, owners = [unseen.pop()], set[int](), set[str]()
        while edge:
            point = edge.pop()
            region.add(point)
            for beside in neighbours(point):
                if beside in stone_owners:
                    owners.add(stone_owners[beside])
                elif beside in unseen:
                    unseen.discard(beside)
                    edge.append(beside)
        yield region, owners


def neighbours(point: int) -> Iterator[int]:
    """Yield the points beside one."""
    row, column = divmod(point, SIZE)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < SIZE and 0 <= c < SIZE:
            yield r * SIZE + c


def has_liberty(stones: Mapping[str, str], stone: str) -> bool:
    """Return True if the chain of a stone has a liberty."""
    edge, chain = [stone], {stone}
    while edge:
        for beside in map(name_of, neighbours(point_of(edge.pop()))):
            if beside not in stones:
                return True
            if stones[beside] == stones[stone] and beside not in chain:
                chain.add(beside)
                edge.append(beside)
    return False


# A player's time as docs/clocks.md has it, in milliseconds: a small model that asks no clock of the product.

KINDS = {
    "absolute": r"(\d+)s",
    "fischer": r"(\d+)s\+(\d+)s",
    "byo-yomi": r"(\d+)s\+(\d+)x(\d+)s",
    "canadian": r"(\d+)s\+(\d+)/(\d+)s",
    "ing": r"ing (\d+)s (\d+)x(\d+)s",
}


@dataclass
class Purse:
    """The time that a player has left.

    periods: byo-yomi: those left, the one in use included; Ing: those that can still be bought. stones: Canadian: turns
    to be closed before the period ends
    """

    kind: str
    main: int
    length: int = 0
    many: int = 0
    period: int = 0
    periods: int = 0
    stones: int = 0
    spent: int = 0

    @property
    def fallen(self) -> bool:
        """Return True if there is no time left."""
        return not (self.main or self.period)

    @property
    def bought(self) -> int:
        """Return how many periods were bought, each for two points (Ing)."""
        return self.many - self.periods if self.kind == "ing" else 0

    @property
    def left(self) -> int:
        """Return the milliseconds until the flag falls."""
        spare = {"byo-yomi": self.periods - (not self.main), "ing": self.periods}.get(self.kind, 0)
        if self.kind == "byo-yomi" and self.main:
            return self.main + self.periods * self.length
        if self.kind == "canadian" and self.main:
            return self.main + self.length
        return self.main + (0 if self.main else self.period) + spare * self.length

    def spend(self, ms: int) -> None:
        """Use time."""
        self.spent += ms
        while ms and not self.fallen:
            part = min(ms, self.main or self.period)
            ms -= part
            if self.main:
                self.main -= part
                self._open_period() if not self.main else None
            else:
                self.period -= part
                self._next_period() if not self.period else None

    def _open_period(self) -> None:
        if self.kind == "ing":
            self._next_period()
        elif self.kind in ("absolute", "fischer"):
            self.period = 0

    def _next_period(self) -> None:
        last = 1 if self.kind == "byo-yomi" else 0
        if self.kind == "canadian" or self.periods <= last:
            self.period, self.periods = 0, 0
        else:
            self.period, self.periods = self.length, self.periods - 1

    def close(self) -> None:
        """End a turn."""
        if self.fallen:
            return
        if self.kind == "fischer":
            self.main += self.length
        elif self.kind == "byo-yomi":
            self.period = self.length
        elif self.kind == "canadian" and not self.main:
            self.stones -= 1
            if not self.stones:
                self.stones, self.period = self.many, self.length

    def renew(self) -> None:
        """Go on after a fall that nobody claimed: with one period, a whole one, or one turn's addition."""
        if self.kind == "fischer":
            self.main = self.length
        else:
            self.period, self.periods = self.length, int(self.kind == "byo-yomi")
            self.stones = self.many if self.kind == "canadian" else 0

    def after(self, ms: int) -> Purse:
        """Return what is left after so much more."""
        purse = replace(self)
        purse.spend(ms)
        return purse


def purse_of(control: str) -> Purse:
    """Return what a player has at the beginning."""
    for kind, pattern in KINDS.items():
        match = re.fullmatch(pattern, control)
        if match is None:
            continue
        numbers = list(map(int, match.groups()))
        main = numbers[0] * 1000
        if kind == "absolute":
            return Purse(kind, main)
        if kind == "fischer":
            return Purse(kind, main, numbers[1] * 1000)
        length, many = numbers[2] * 1000, numbers[1]
        if kind == "canadian":
            return Purse(kind, main, length, many, length, stones=many)
        return Purse(kind, main, length, many, 0 if kind == "ing" else length, many)
    raise ValueError(control)


LIDS = frozenset({"ultimate", "ultimate-original", "fundamental"})
FLAG_TOLD = 0.1
"""Seconds after which a fallen flag is told at the latest (docs/clocks.md)."""
LOOK_FIRST = 1_500
"""Milliseconds for which a count that the box proposes is shown before a press can answer it."""
MARGIN = 300
"""Milliseconds around the fall of a flag in which no act of a game lies, so that no order is in doubt."""


class NotPlayed(Exception):
    """Players who know what they do do not do this here."""


class Turn(NamedTuple):
    """A turn that was made. what: a point, "pass", "delay", "draw" or "resign"."""

    player: str
    what: str


@dataclass
class Truth:
    """The game as it was played, and as it has to be shown.

    turns: those that were closed, of which `judged` have been looked at. made: what the player to move has done and not
    closed. ahead: what the next player has done, while the player before forgets to press. early: who called before
    their turn. gave_up: a call was given up for a stone, which somebody has to see first. pressed: who pressed since
    the last look. doubled: the last of them pressed twice. hold: who holds `call`, and when it was held. stands: why
    play stands: "paused", "called" or "director". ready: who is ready after a power cut. running, last: whose time
    runs, and is charged up to when. purses, saved: what players have left, and had before each turn was closed (None:
    taking it back gives nothing back). todo: what has to be done next: the director has entered a turn or taken one
    back, and the stone `on_board` is put there or taken off; or a stone was captured. captured: how many were.
    passed_over: turns by which nobody claimed a win on time. resigns: who has resigned while a press before that waits
    for its look. lids, ultimate: prisoners, and whose bowl has the ultimate stone. draws: a draw is declared. scoring:
    who pressed `score` since the last look. asked, named, lifted, amended: of a count. boxed: what the box proposes as
    dead, since `boxed_t`; unboxed: it proposes nothing more. hasty: whose `score` came before they can have seen that.
    seen: a look showed what is made. covered: a hand was over the board when something had to be judged. acted: when
    the newest act was done, waiting apart.
    """

    agreed: Agreement
    t: int = 100_000
    looked: bool = False
    begun: bool = False
    seat: int = 0
    turns: list[Turn] = field(default_factory=list)
    judged: int = 0
    made: str = ""
    ahead: str = ""
    mover: str = "B"
    out: list[str] = field(default_factory=list)
    early: set[str] = field(default_factory=set)
    gave_up: bool = False
    pressed: list[str] = field(default_factory=list)
    doubled: bool = False
    hold: tuple[str, int] | None = None
    stands: str = ""
    ready: set[str] | None = None
    running: str = ""
    last: int = 0
    purses: dict[str, Purse] = field(default_factory=dict)
    saved: list[Purse | None] = field(default_factory=list)
    stones: dict[str, str] = field(default_factory=dict)
    todo: list[str] = field(default_factory=list)
    on_board: str = ""
    captured: int = 0
    passed_over: list[int] = field(default_factory=list)
    resigns: str = ""
    lids: dict[str, int] = field(default_factory=dict)
    ultimate: str = ""
    draws: bool = False
    scoring: list[str] = field(default_factory=list)
    asked: str = ""
    named: frozenset[str] = frozenset()
    lifted: frozenset[str] = frozenset()
    amended: bool = False
    boxed: frozenset[str] | None = None
    boxed_t: int = 0
    hasty: set[str] = field(default_factory=set)
    unboxed: bool = False
    seen: bool = False
    covered: bool = False
    acted: int = 0
    result: str | None = None
    verified: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.seat = self.agreed.seat or int(self.agreed.rules == "ultimate")  # There the lids say it.
        self.players = ORDER[: self.agreed.players]
        if self.agreed.control:
            self.purses = {player: purse_of(self.agreed.control) for player in self.players}
        if self.agreed.rules == "ultimate":
            self.lids = dict.fromkeys(self.players, 1)

    def copy(self) -> Truth:
        """Return a copy; what happens to one does not happen to the other."""
        other = object.__new__(Truth)
        other.__dict__ = {
            name: value.copy() if isinstance(value, (list, set, dict)) else value for name, value in vars(self).items()
        }
        other.purses = {player: copy(purse) for player, purse in self.purses.items()}
        return other

    # What players and director do

    def take(self, act: str, shown_t: float | None = None) -> None:
        """Follow one act. shown_t: the table's time after it, which a power cut sets back."""
        words = act.split()
        if self.todo and act != self.todo[0]:
            raise NotPlayed
        self.todo = self.todo[1:]
        self._need(not self.doubled or words[0] in ("look", "wait", "replay"))
        self._need(not self.resigns or words[0] in ("look", "wait", "replay", "0") or act == "director resume")
        begun, falls = self.t, self.falls
        match words:
            case ["replay"]:
                return
            case ["look"]:
                self._pass_time(BEFORE)
                self._look()
            case ["cover"]:
                self._pass_time(BEFORE)
                self._cover()
            case ["late", age, side, button]:
                self._late(ms(float(age)), int(side), button)
            case ["wait", seconds]:
                self._wait(float(seconds))
            case ["power", "cut"]:
                self._power_cut(shown_t)
            case ["lift", point]:
                self._lift(point)
            case ["lid", owner, colour, change]:
                self._lid(owner, colour, int(change))
            case ["director", *rest]:
                self._pass_time(BEFORE)
                self._direct(rest)
            case ["box", "dead", *dead]:
                self._pass_time(BEFORE)
                self._box_proposes(frozenset(dead))
            case [side, "hold", button]:
                self.t = begun + ms(BEFORE + 2)
                self._press(int(side), f"hold {button}")
                self.t = begun + ms(BEFORE + HOLD + SETTLED)
            case [side, button] if side.isdigit():
                self.t = begun + ms(BEFORE + PRESS)
                self._press(int(side), button)
                self.t = begun + ms(BEFORE + PRESS + SETTLED)
            case [player, point]:
                self._put(player, point)
            case _:
                raise NotPlayed
        if words[0] != "wait":
            self.acted = self.t
        if words[0] != "wait" and falls is not None and begun <= falls <= self.t + MARGIN:
            raise NotPlayed  # No flag falls while anybody acts.
        if self.hold is not None and abs(self.t - self.hold[1] - ms(CONFIRM_WITHIN)) <= MARGIN:
            raise NotPlayed  # Nor does the time to confirm end then.

    def _late(self, age: int, side: int, button: str) -> None:
        """A phone's press counts from when it was made, if nobody has done anything since."""
        arrived = self.t + ms(BEFORE)
        pressed_at = arrived - age
        falls = self.falls
        self._need(button == "done", pressed_at > self.acted, not self.hold, self.seat)
        near = falls is not None and (abs(falls - pressed_at) <= MARGIN or self.t <= falls <= arrived + MARGIN)
        self._need(not near)
        self.t = pressed_at
        self._press(side, button)
        self.t = arrived + ms(SETTLED)
        falls = self.falls
        self._need(falls is None or falls > self.t + MARGIN)  # No flag falls while anybody acts: not the next one's.

    def _cover(self) -> None:
        """A hand is over the board: nothing is judged, and whatever waits, waits."""
        self._need(self.looked, self.result is None)
        if not self.stands:
            self.covered = self.covered or bool(self.unjudged or self.draws or self.resigns)

    def adopt(self, shown_turns: Sequence[tuple[str, str]]) -> None:
        """Take over in which order one player's stones were recorded that were closed before the same look: no picture
        shows it."""
        places = [number for number, turn in enumerate(self.turns) if turn.what != "resumed"][: len(shown_turns)]
        turns = [self.turns[place] for place in places]
        if [turn.player for turn in turns] == [player for player, _ in shown_turns] and sorted(turns) == sorted(
            shown_turns
        ):
            passes = [number for number, turn in enumerate(turns) if turn.what == "pass"]
            if passes == [number for number, (_, what) in enumerate(shown_turns) if what == "pass"]:
                for place, turn in zip(places, shown_turns, strict=True):
                    self.turns[place] = Turn(*turn)

    def _pass_time(self, seconds: float) -> None:
        self.t += ms(seconds)

    def _need(self, *holds: object) -> None:
        if not all(holds):
            raise NotPlayed

    @property
    def playing(self) -> str:
        """Return who still plays, in their order."""
        return "".join(player for player in self.players if player not in self.out)

    def next(self, player: str) -> str:
        """Return who is next after a player."""
        order = self.players[self.players.index(player) + 1 :] + self.players
        return next(one for one in order if one not in self.out)

    @property
    def unjudged(self) -> list[Turn]:
        """Return the closed turns that nobody has looked at."""
        return self.turns[self.judged :]

    @property
    def is_final(self) -> bool:
        """Return True once all have agreed to the result."""
        return self.result is not None and self.verified == set(self.players)

    @property
    def in_play(self) -> bool:
        """Return True while turns can be made."""
        halted = self.stands or self.ready is not None or self.result or self.is_over
        return self.looked and not halted

    @property
    def is_over(self) -> bool:
        """Return True after the passes that end play."""
        return self._has_ended(self.turns)

    def _has_ended(self, turns: list[Turn]) -> bool:
        passes = 0
        for turn in reversed(turns):
            if turn.what != "pass":
                break
            passes += 1
        if self.agreed.rules == "kee":
            return passes > len(self.playing)
        if self.agreed.rules == "aga":
            return passes >= 2 and turns[-1].player == "W"
        return passes >= 2

    def player_at(self, side: int) -> str:
        """Return who sits at a side; the first press says who that is, if nothing else does."""
        self.seat = self.seat or (side - 1 - ORDER.index(self.mover)) % len(self.players) + 1
        return ORDER[(side - self.seat) % len(self.players)]

    def side_of(self, player: str) -> int:
        """Return at which side a player sits."""
        return (self.seat - 1 + ORDER.index(player)) % len(self.players) + 1

    # The board

    def _put(self, player: str, point: str) -> None:
        if self.on_board == point:
            self.stones[point], self.on_board = player, ""
            return
        self._need(self.in_play, not self.hold, not self.gave_up, not self.asked, point not in self.stones)
        self._need(point in QUIET or self._is_corner(player, point))
        self._need(not self.draws, len(self.unjudged) <= MOST_UNSEEN)
        if player == self.mover and self.made in ("", "call"):
            self.gave_up = self.made == "call" or player in self.early
            self._need(not self.gave_up or not self.unjudged)
            self.early.discard(player)
            self.made = point
        else:
            may = player == self.next(self.mover) and self.made not in ("", "delay", "moving") and not self.ahead
            self._need(may, player not in self.early, not self.gave_up, self.begun or not self.purses)
            self._need(not any(turn.player == player for turn in self.unjudged), not self.pressed)
            self._need(not self.claimant)
            self.ahead, self.seen = point, False
        self.stones[point] = player
        if point == CAPTURES:
            owner = [f"lid {player} W 1"] if self.agreed.rules not in ("ing", "ing-simplified") else []
            self.todo, self.on_board, self.captured = [f"lift {CORNER}", *owner], CORNER, 1

    def _is_corner(self, player: str, point: str) -> bool:
        """Return True for the stones by which Black takes White's in the corner."""
        if len(self.players) > 2 or self.unjudged or player != self.mover:
            return False
        beside, corner = self.stones.get(BESIDE), self.stones.get(CORNER)
        return {
            ("B", BESIDE): corner is None and not self.captured,
            ("W", CORNER): beside is not None and not self.captured,
            ("B", CAPTURES): corner is not None,
        }.get((player, point), False)

    def _lift(self, point: str) -> None:
        if self.on_board == point:
            self.on_board = ""
            del self.stones[point]
            return
        over = self.is_over and self.judged == len(self.turns) and not self.result and len(self.players) == 2
        self._need(over, point in self.stones, point not in self.lifted, self.agreed.rules != "kee")
        self._need(not self.scoring, not self.stands, not self.amended)
        self.lifted |= {point}

    def _lid(self, owner: str, colour: str, change: int) -> None:
        """A delay: a prisoner goes from the own lid into the other one, if it is the first, else to the supply."""
        if self.made == CAPTURES:
            self.lids = {**self.lids, owner: self.lids[owner] + 1} if self.lids else {}
            return
        other = self.next(self.mover)
        self._need(
            self.in_play,
            not self.claimant,
            self.agreed.rules == "ultimate",
            not self.unjudged,
            not self.hold,
            not self.draws,
        )
        if change == -1:
            self._need(owner == self.mover, colour == other, self.lids[owner] > 0, not self.made)
            self.made = "delay"
            if not self.ultimate:
                self.todo = [f"lid {other} {other} 1"]
        else:
            self._need(self.made == "delay")

    # Presses

    def _press(self, side: int, button: str) -> None:
        self._need(self.looked)
        if side == 0:
            self._pause(button)
            return
        self._need(1 <= side <= len(self.players))
        if button == "hold done":
            self._need(not self.turns, not self.agreed.seat, self.agreed.rules != "ultimate", not self.begun)
            self._need(self.purses, not self.made, not self.early, not self.stands)
            self.seat = side
            return
        if not self.seat:
            self._need(button in ("done", "call"), self.made or button == "call")
        self._need(self.seat or not self.stands)
        player = self.player_at(side)
        self._need(player not in self.out)
        self._need(not self.claimant or button in ("hold call", "done") or (player, button) == (self.claimant, "call"))
        if self.hold is not None and self.hold[0] == player:
            held_at, self.hold = self.hold[1], None
            self._need(abs(self.t - held_at - ms(CONFIRM_WITHIN)) > MARGIN)
            if self.t - held_at <= ms(CONFIRM_WITHIN) and button != "hold call":
                if button == "done":
                    self._resign(player)
                return
        if button == "hold call":
            over = self.is_over and not self.unjudged and self.agreed.rules not in ("ing", "ing-simplified")
            self._need(not (self.is_over and self.scoring and self.unjudged))  # Nobody has seen yet that play is over.
            self._need(not self.result, over or player == self.mover, not self.ahead, self.begun or not self.purses)
            self._need(len(self.players) == 2 or not over, self.hold is None)
            self.hold = player, self.t
        elif self.stands:
            self._need(button in ("done", "call"))  # "The game is paused": nothing comes of it.
        elif button == "done":
            self._done(player)
        elif button == "call":
            self._call(player)
        elif button == "score":
            self._score(player)
        elif button == "hold score":
            self._disagree(player)
        else:
            raise NotPlayed

    def _resign(self, player: str) -> None:
        if self.unjudged:
            self.resigns = player
            self.pressed.append(player)
            self._charge(self.t)
            self.running = self.next(player) if self.running and len(self.playing) > 2 else ""
            return
        self._charge(self.t)
        if len(self.playing) == 2:
            winner = next(one for one in self.playing if one != player)
            if len(self.players) > 2:
                self._need(not self.unjudged)
                self.turns.append(Turn(player, "resign"))
                self.judged += 1
            self._end(f"{winner}+R")
            return
        self._need(not self.unjudged, not self.made)
        self.turns.append(Turn(player, "resign"))
        self.saved.append(None)
        self.judged += 1
        following = self.next(player)
        self.out.append(player)
        self.mover, self.made = following, ""
        self.running = following if self.running else ""
        self._need(not self.early)
        self._all_ready()

    def _end(self, result: str) -> None:
        self.result, self.running, self.pressed, self.scoring, self.asked = result, "", [], [], ""
        self.stands, self.ready, self.draws, self.hold = "", None, False, None

    def _done(self, player: str) -> None:
        if self.ready is not None:
            self.ready.add(player)
            self._all_ready()
        elif self.result is not None:
            self.verified.add(player)
        elif self.is_over and self.unjudged:
            self._need(len(self.players) == 2, self.agreed.rules not in ("ing", "ing-simplified"), not self.scoring)
            self.scoring.append(player)
            self.pressed.append(player)
        elif self.is_over or self.asked:
            self._need(not self.unjudged, self.asked or self.agreed.rules not in ("ing", "ing-simplified"))
            self._score(player)
        elif self.purses and not self.begun and player != self.mover:
            self._need(not self.made)
            self.begun = True
            self._run(self.mover)
        else:
            self._close(player)

    def _all_ready(self) -> None:
        if self.ready is not None and self.ready >= set(self.playing):
            self.ready = None
            self._run(self.mover)

    def _close(self, player: str) -> None:
        self._need(self.in_play, not self.draws)
        if self.pressed[-1:] == [player] and player != self.mover and not (self.made or self.early or self.ahead):
            self.doubled = True
            return
        self._need(self.hold is None or self.hold[0] == player)
        mine = [turn for turn in self.unjudged if turn.player == player]
        self._need(not mine or (player == self.mover and not self.ahead))
        if player == self.mover:
            self._need(not self.ahead)
            what = self.made or ("call" if player in self.early else "")
            self._need(what)
            if self.purses and not self.begun:
                self.begun = True
                self._run(player)
            self._closed(player, what)
        else:
            self._need(self.ahead, player == self.next(self.mover), not self.purses or self.begun)
            self._closed(self.mover, self.made)
            self._need(not self.is_over)
            self._closed(player, self.ahead)
        self.pressed.append(player)
        self.made, self.ahead, self.seen = "", "", False

    def _closed(self, player: str, what: str) -> None:
        self._charge(self.t)
        if self._may_let_pass(player):
            self._need(self.agreed.control[:3] != "ing", "+" in self.agreed.control)
            self.passed_over.append(len(self.turns))
        purse = self.purses.get(player)
        self.saved.append(purse.after(0) if purse is not None else None)
        if purse is not None:
            purse.close()
        self.turns.append(Turn(player, "pass" if what == "call" else what))
        self.early.discard(player)
        self.mover = self.next(player)
        if self.running:
            self.running = "" if self.is_over else self.mover

    def _may_let_pass(self, player: str) -> bool:
        """The other's flag has fallen, whether or not one's own has too."""
        claims = self.agreed.procedures and len(self.players) == 2 and bool(self.purses)
        return claims and self.purse_at(self.next(player), self.t).fallen

    def _call(self, player: str) -> None:
        if self.purses and self.agreed.procedures and self.claimant == player:
            self._claim(player)
            return
        self._need(self.in_play, not self._may_let_pass(player), not self.claimant, not self.asked, not self.gave_up)
        if self.agreed.rules in LIDS:
            other = self.next(player)
            may = self.ultimate == other and self.lids[other] == 0 and player == self.mover
            self._need(may, not self.unjudged, not self.made, self.agreed.rules == "ultimate")
            self.draws = True
            self.pressed.append(player)
            return
        self._need(self.begun or not self.purses)
        if player in self.early or (player == self.mover and self.made == "call"):
            return  # Who calls twice passes once.
        if player == self.mover:
            self._need(not self.made)
            self.made = "call"
        else:
            self._need(all(turn.player != player for turn in self.unjudged))
            self._need(not self.ahead or player != self.next(self.mover))
            self.early.add(player)

    # The end

    def _claim(self, player: str) -> None:
        self._need(not any(turn.player == player for turn in self.unjudged), player not in self.pressed)
        self._need(not (self.is_over and self.unjudged))  # Until a look the claimer's own clock runs on.
        self._charge(self.t)
        self._end(f"{player}+T")

    def _score(self, player: str) -> None:
        if self.result is not None:
            self.verified.add(player)
            return
        self._need(self.is_over, not self.unjudged, len(self.players) == 2, not self.asked or self.asked == player)
        self._need(player not in self.scoring)
        self.scoring.append(player)
        if self.boxed is not None and self.t < self.boxed_t + LOOK_FIRST:
            self.hasty.add(player)

    def _box_proposes(self, dead: frozenset[str]) -> None:
        self._need(self.is_over, not self.unjudged, len(self.players) == 2, self.result is None, not self.stands)
        self._need(self.agreed.rules not in ("kee", "ing", "ing-simplified"), dead <= set(self.stones))
        self._need(not self.asked, not self.scoring, self.boxed is None, not self.unboxed)
        self.boxed, self.boxed_t = dead, self.t

    def _disagree(self, player: str) -> None:
        if self.result is not None and self.verified == set(self.players):
            return
        if self.result is not None:
            self.stands, self.verified = "called", set()
            return
        if self.boxed is not None and self.asked in ("", player):
            self._need(not self.scoring)
            self.boxed, self.unboxed = None, True
            self.asked, self.named, self.amended = "", frozenset(), False
            return
        self._need(self.asked == player, not self.lifted, not self.scoring)
        self._need(self.agreed.rules not in ("kee", "ing", "ing-simplified"))
        self.asked, self.named, self.amended = "", frozenset(), False
        self.boxed, self.unboxed = None, False
        self.turns.append(Turn("", "resumed"))
        self.saved.append(None)
        self.judged += 1
        if self.purses:
            self._run(self.mover)

    def _count(self) -> None:
        bought = {player: purse.bought for player, purse in self.purses.items()}
        self._end(counted(self.agreed.rules, self.stones, self.named, self.captured, bought))
        self.lifted = frozenset()

    # Looks

    def _look(self) -> None:
        if not self.looked:
            self._need(not self.stones)
            self.looked = True
            return
        self._need(self.result is None or self.verified != set(self.players))  # The next game may begin.
        mine = [turn for turn in self.unjudged if turn.player == self.mover]
        self._need(not mine or self.made in ("", "call"))  # Which of them is closed, nobody can see.
        self.seen = self.seen or (bool(self.made) and self.result is None)
        if self.stands or self.result is not None:
            return
        self.covered = False
        self._need(not self.lifted or self.scoring)
        if self.draws:
            self._need(not self.made)
            self.turns.append(Turn(self.mover, "draw"))
            self.saved.append(None)
            self.judged += 1
            self._charge(self.t)
            self._end("0")
            return
        if self.unjudged:
            self._judge()
        if self.resigns:
            self._resign(self.resigns)
            self.resigns = ""
        for player in self.scoring:
            if player not in self.hasty:
                self._say_score(player)
            if self.result is not None:
                break
        self.scoring, self.hasty = [], set()

    def _judge(self) -> None:
        for turn in self.unjudged:
            if turn.what == "delay":
                other = next(one for one in self.players if one != turn.player)
                self.lids[turn.player] -= 1
                self.ultimate = self.ultimate or other
        for number in self.passed_over:
            other = self.next(self.turns[number].player)
            self._charge(self.t)
            self.purses[other].renew()
            for index, saved in enumerate(self.saved):
                if self.turns[index].player != other or saved is None:
                    continue
                if index < number:
                    self.saved[index] = None  # Whoever takes back an earlier turn leaves the time that was given since.
                else:  # It was closed before the same look.
                    self.saved[index] = renewed = saved.after(0)
                    renewed.renew()
        self.passed_over = []
        self.judged = len(self.turns)
        self.pressed, self.gave_up, self.doubled = [], False, False
        if self.is_over and len(self.players) > 2:
            raise NotPlayed  # It is counted by itself, which `regions` does not know.

    def _say_score(self, player: str) -> None:
        self._need(self.agreed.rules not in ("ing", "ing-simplified"))
        dead = self.lifted | (self.boxed or frozenset())
        if not self.asked:
            self.asked, self.named = self.next(player), dead
            self.unboxed = self.unboxed or self.boxed is None
        elif player == self.asked and dead == self.named:
            self._count()
        else:
            self._need(player == self.asked, not self.amended)
            self.asked, self.named, self.amended = self.next(player), dead, True

    # Pauses and the director

    def _pause(self, button: str) -> None:
        self._need(self.result is None, not self.is_over, self.ready is None, self.begun or not self.purses)
        self._need(not self.claimant)
        guarded = self.purses and self.agreed.procedures
        is_hold = button == "hold pause"
        if not self.stands:
            self._charge(self.t)
            self.running = ""
            self.stands = "called" if guarded or is_hold else "paused"
        elif self.stands == "director":
            self.stands = "" if is_hold else "director"
        elif guarded:
            self.stands = "" if is_hold else self.stands
        else:
            self._need(not is_hold)
            self.stands = ""
        self._goes_on()

    def _goes_on(self) -> None:
        if self.stands or not self.purses or self.running:
            return
        if not self.resigns:
            self._run(self.mover)
        elif len(self.playing) > 2:
            self._run(self.next(self.resigns))

    def _direct(self, words: list[str]) -> None:
        self._need(self.looked, self.begun or not self.purses, self.ready is None or words == ["resume"])
        self._need(not self.claimant or words[0] in ("time", "report"))
        match words:
            case ["pause"]:
                self._need(not self.stands, self.result is None, not self.is_over)
                self._charge(self.t)
                self.running, self.stands = "", "director"
            case ["adjourn"]:
                self._need(not self.stands, self.result is None, not self.is_over, self.judged, not self.unjudged)
                self._need(len(self.players) == 2, not self.pressed, not self.draws)
                self._charge(self.t)
                self.running, self.stands = "", "director"
            case ["resume"]:
                self._need(self.stands)
                self.ready = None
                self.stands = ""
                if self.result is None:
                    self._goes_on()
            case ["enter", player, what]:
                self._enter(player, what)
            case ["take-back", "1"]:
                self._take_back()
            case ["verify"]:
                self._need(self.result is not None, not self.stands)
                self.verified = set(self.players)
            case ["report", result]:
                self._need(self.result is None or self.stands == "called", len(self.players) == 2, not self.stands)
                self._charge(self.t)
                self.verified = set()
                self._end(result)
            case ["time", "claim", player]:
                self._need(self.claimant == player)
                self._claim(player)
            case ["time", "resign", player]:
                self._need(self.result is None, len(self.players) == 2, not self.unjudged)
                self._need(player == self.mover or self.is_over)
                self._charge(self.t)
                self._end(f"{self.next(player)}+R")
            case _:
                raise NotPlayed

    def _enter(self, player: str, what: str) -> None:
        quiet = not (self.unjudged or self.early or self.ahead or self.hold or self.gave_up or self.draws)
        self._need(
            self.in_play,
            not self.claimant,
            quiet,
            player == self.mover,
            self.agreed.rules not in LIDS or what != "pass",
            not any(self.purse_at(one, self.t).fallen for one in self.purses),
        )
        if what != "pass":
            self._need(what in QUIET, what not in (CORNER, CAPTURES))
            self._need(self.made == what or (not self.made and what not in self.stones))
            if not self.made:
                self.todo, self.on_board = [f"{player} {what}"], what
        else:
            self._need(not self.made)
        self._closed(player, what)
        self.made, self.judged = "", len(self.turns)
        self._need(not self.is_over or len(self.players) == 2)

    def _take_back(self) -> None:
        self._need(self.turns, self.judged == len(self.turns), not self.made, not self.early, self.result is None)
        self._need(not self.stands, not self.asked, not self.hold, not self.gave_up, not self.scoring, not self.draws)
        turn, saved = self.turns[-1], self.saved[-1]
        self._need(turn.what not in ("resumed", "resign", "delay", CAPTURES), not self.lifted, not self.out)
        self._charge(self.t)
        self.boxed, self.unboxed = None, False
        del self.turns[-1], self.saved[-1]
        self.judged -= 1
        self.mover = turn.player
        if saved is not None:
            since = self.purses[turn.player].spent - saved.spent
            self.purses[turn.player] = saved.after(since)  # The time of later turns stays spent.
        if self.purses:
            self._run(turn.player)
        if turn.what != "pass":
            self.todo, self.on_board = [f"lift {turn.what}"], turn.what

    def _power_cut(self, shown_t: float | None) -> None:
        paused = self.stands in ("paused", "called") and self.purses
        self._need(self.looked, not paused, not self.is_over, self.result is None, not self.claimant)
        if shown_t is not None:
            self.t = ms(shown_t)
        self._charge(max(self.t, self.last))
        self.running = ""
        if self.purses and self.begun:
            self.ready = set()

    # Time

    def _run(self, player: str) -> None:
        self.running, self.last = player, self.t

    def _charge(self, until: int) -> None:
        if self.running:
            self.purses[self.running].spend(until - self.last)
        self.last = until

    @property
    def falls(self) -> int | None:
        """Return when the running clock's flag falls; None where it has fallen, or none runs."""
        purse = self.purses.get(self.running)
        return self.last + purse.left if purse is not None and not purse.fallen else None

    def _wait(self, seconds: float) -> None:
        falls, begun = self.falls, self.t
        self._pass_time(seconds)
        if falls is None or falls > self.t + MARGIN or falls < begun:
            return
        self._need(falls < self.t - MARGIN, len(self.players) == 2, not self.unjudged, not self.draws)
        if not self.agreed.procedures:
            loser = self.running
            self._charge(falls)
            self._end(f"{self.next(loser)}+T")

    @property
    def claimant(self) -> str:
        """Return who may claim the win on time."""
        if not self.agreed.procedures or len(self.players) > 2:
            return ""
        fallen = [player for player in self.purses if self.purse_at(player, self.t).fallen]
        return self.next(fallen[0]) if len(fallen) == 1 and self.result is None else ""

    def purse_at(self, player: str, t: int) -> Purse:
        """Return what a player has left at t."""
        ran = max(t - self.last, 0) if player == self.running else 0
        return self.purses[player].after(ran)


def ms(seconds: float) -> int:
    """Return milliseconds."""
    return round(seconds * 1000)


BESIDE, CORNER, CAPTURES = "A2", "A1", "B1"
"""Points at which Black takes a stone in the corner."""
MOST_UNSEEN = 5
"""Turns that are closed at the most before somebody looks."""
QUIET = tuple(
    name_of(p)
    for p in range(SIZE * SIZE)
    if (p // SIZE + p % SIZE) % 2 == 0 and name_of(p) not in (CORNER, "A3", "B2", "C1")
)
"""Points of which no two are neighbours, and none is beside the stones in the corner."""
