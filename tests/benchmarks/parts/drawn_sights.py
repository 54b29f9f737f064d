"""Random games of Ultimate Go whose boards are seen exactly and whose lids are drawn and read, and what became of them:
what hides a turn there is a lid alone."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from device.simulator.stage import HEIGHT, WIDTH
from referee.game.board import COLOURS, Colour
from referee.game.observation import LidSight
from referee.game.prisoners import Bowls, bowls_of
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Turn
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Pressed, SourceEnded
from referee.table.table import Table as GameTable
from referee.table.table import TableConfig
from tests.support.referee.looks import lids_of, look
from tests.support.referee.skipped import random_turn
from tests.support.wording import english
from vision.camera.frame import Image
from vision.lids.count import LidReading, read_lid
from vision.lids.memory import LidMemory
from vision.render.scene import LID_STONE, Appearance, LidStone, Scene
from vision.render.table import Table
from vision.tracking.reading import (
    AGREEING_READINGS,
    MAX_READINGS,
    combine_lid,
    settle_lid,
    to_lid_sight,
)
from vision.training.drawn_lids import MANNERS, add_thrown, aim_at_lid, any_lids, thrown_lid
from vision.training.drawn_looks import random_look

DISHES = ("round", "square", "tray", "bamboo", "clear")
SKIPPED = 0.08
"""The share of turns after which no look is taken."""
FOR_NOTHING = 0.1
"""The share of turns before which DONE is pressed for nothing."""
MOST_AT_START = 7
"""The maximum number of prisoners in a lid at the start."""
SIDE = 220
"""Pixels a side of a lid's picture."""
MARK = "Inferred from"
CORRECTED = "inferred wrongly"


@dataclass(frozen=True)
class Weighing:
    """The outcome of one game. turns: of the record at the end, those that are not as played being uncertain or
    misjudged after a turn of which that was said, else wrong. inferred, corrected: rulings so told. wrong: rulings that
    were neither right nor marked, in words."""

    turns: Counter[str]
    inferred: int
    corrected: int
    wrong: list[str]


class DrawnLids:
    """Both lids of a table, drawn and read anew whenever their stones change."""

    def __init__(self, seed: int, dish: str, weighed: bool) -> None:
        self._rng = np.random.default_rng([seed, 73])
        self._look = dish_look(seed, dish)
        self._weighed = weighed
        self._seen: dict[Colour, tuple[tuple[int, int], LidSight]] = {}

    def sights(self, bowls: Bowls) -> tuple[LidSight, ...]:
        """The lids of sides 1 and 2, Black's first."""
        return tuple(self._sight(owner, bowls) for owner in COLOURS[:2])

    def hold(self, bowls: Bowls) -> None:
        """Say what the record has in the bowls."""

    def push(self) -> None:
        """Push the stones about: the same numbers are drawn and read anew."""
        self._seen.clear()

    def _sight(self, owner: Colour, bowls: Bowls) -> LidSight:
        counts = bowls.count_visible_stones(owner, Colour.BLACK), bowls.count_visible_stones(owner, Colour.WHITE)
        if owner not in self._seen or self._seen[owner][0] != counts:
            self._seen[owner] = counts, self._read(COLOURS.index(owner), *counts)
        return self._seen[owner][1]

    def _read(self, side: int, black: int, white: int) -> LidSight:
        stones = thrown_lid(self._rng, black, white, self._look.lid_kind, str(self._rng.choice(MANNERS)))
        share, off = float(self._rng.uniform(0.6, 0.78)), self._rng.uniform(-0.02, 0.02, 2)
        table = Table(aim_at_lid(self._look, side, SIDE, share, off))
        picture = table.draw(
            Scene(("." * self._look.size,) * self._look.size, (stones, ()) if side == 0 else ((), stones))
        )
        box = picture.truth.lids[side].box
        wide = max(box.w, box.h) / float(np.sqrt(self._look.lid_kind.stretch))
        sight = to_lid_sight(read_lid(picture.pixels, box, LID_STONE / self._look.lid_kind.wide * wide))
        return sight if self._weighed else replace(sight, chances=None)


Lid = tuple[LidStone, ...]


class FollowedLids:
    """Both lids of a table whose stones stay where they lie, but for those that a turn adds or takes: read before, and
    followed by the memory. `looks`: how many looks at a lid confirm what it holds, and how many another number.
    `careless`: the share of turns after which the record has one stone too many or too few in a lid."""

    def __init__(self, seed: int, dish: str, careless: float = 0.0) -> None:
        self.looks = Counter[str]()
        self._careless, self._mistakes = careless, random.Random(f"careless {seed}")
        self._rng = np.random.default_rng([seed, 74])
        look, manner = dish_look(seed, dish), str(self._rng.choice(MANNERS))
        self._lids = {owner: FollowedLid(self._rng, look, side, manner) for side, owner in enumerate(COLOURS[:2])}

    def sights(self, bowls: Bowls) -> tuple[LidSight, ...]:
        """The lids of sides 1 and 2, Black's first, after their stones have changed to these."""
        return tuple(self._sight(owner, bowls) for owner in self._lids)

    def hold(self, bowls: Bowls) -> None:
        """Say what the record has in the bowls."""
        for owner, lid in self._lids.items():
            lid.memory = lid.memory.confirm_lids({lid.box: self._recorded(_contents(bowls, owner))}, lid.stone)

    def _recorded(self, true: tuple[int, int]) -> tuple[int, int]:
        """Return the contents that a record has for a lid that holds this."""
        if self._mistakes.random() >= self._careless:
            return true
        off = self._mistakes.choice((-1, 1))
        return (true[0] + off, true[1]) if self._mistakes.random() < 0.5 else (true[0], true[1] + off)

    def push(self) -> None:
        """Push a stone of each lid about."""
        for lid in self._lids.values():
            lid.push()

    def _sight(self, owner: Colour, bowls: Bowls) -> LidSight:
        true = _contents(bowls, owner)
        sight = self._lids[owner].look(true)
        self.looks["lids"] += 1
        self.looks["alone"] += self._lids[owner].alone.can_confirm(*true)
        self.looks["confirmed"] += sight.can_confirm(*true)
        self.looks["told wrong"] += (sight.sure or sight.clear) and not sight.can_confirm(*true)
        return sight


def _contents(bowls: Bowls, owner: Colour) -> tuple[int, int]:
    return bowls.count_visible_stones(owner, Colour.BLACK), bowls.count_visible_stones(owner, Colour.WHITE)


class FollowedLid:
    """One lid whose stones stay where they lie. memory: what is known of it. alone: the last sight without that."""

    def __init__(self, rng: np.random.Generator, look: Appearance, side: int, manner: str) -> None:
        share, off = float(rng.uniform(0.6, 0.78)), rng.uniform(-0.02, 0.02, 2)
        self._rng, self._side, self._manner, self._kind = rng, side, manner, look.lid_kind
        self._table = Table(aim_at_lid(look, side, SIDE, share, off))
        self._wide = 1.98 * LID_STONE / self._kind.wide
        self._lid: Lid = ()
        self.memory = LidMemory()
        self.box = Table.lid_box(self._table.look, side)
        self.stone = LID_STONE / self._kind.wide * max(self.box.w, self.box.h) / float(np.sqrt(self._kind.stretch))

    def look(self, true: tuple[int, int]) -> LidSight:
        """Add or take what is missing, and read the lid twice, or thrice if it wavers, as a tracker does."""
        for colour, count in zip(COLOURS[:2], true, strict=True):
            while sum(stone.colour is colour for stone in self._lid) > count:
                self._take(colour)
            while sum(stone.colour is colour for stone in self._lid) < count:
                self._add(colour)
        alone, readings = list[LidReading](), list[LidReading]()
        while not _is_enough(readings):
            picture = self._draw()
            alone.append(read_lid(picture, self.box, self.stone))
            readings += self.memory.recount_lids(picture, alone[-1:], self.stone)
        agreed, self.alone = (to_lid_sight(_settle(looks)) for looks in (readings, alone))
        self.memory = self.memory.remember_readings(picture, [_settle(readings)])
        return agreed

    def push(self) -> None:
        """Throw a stone on which none lies anew."""
        free = [k for k in range(len(self._lid)) if self._is_free(k)]
        if free:
            index = int(self._rng.choice(free))
            stone = self._lid[index]
            self._lid = self._lid[:index] + self._lid[index + 1 :]
            self._add(stone.colour)

    def _draw(self) -> Image:
        lids: tuple[Lid, Lid] = (self._lid, ()) if self._side == 0 else ((), self._lid)
        size = self._table.look.size
        return self._table.draw(Scene(("." * size,) * size, lids), int(self._rng.integers(1 << 30))).pixels

    def _add(self, colour: Colour) -> None:
        self._lid = add_thrown(self._rng, self._lid, colour, self._kind, self._manner)

    def _take(self, colour: Colour) -> None:
        """Take a stone of a colour; one that lies under others with them pushed aside."""
        of_colour = [k for k, stone in enumerate(self._lid) if stone.colour is colour]
        index = int(self._rng.choice([k for k in of_colour if self._is_free(k)] or of_colour))
        over = [stone for stone in self._lid if self._lies_over(stone, self._lid[index])]
        self._lid = tuple(s for k, s in enumerate(self._lid) if k != index and s not in over)
        for stone in over:
            self._add(stone.colour)

    def _is_free(self, index: int) -> bool:
        return not any(self._lies_over(stone, self._lid[index]) for stone in self._lid)

    def _lies_over(self, upper: LidStone, lower: LidStone) -> bool:
        return upper.layer > lower.layer and bool(np.hypot(upper.x - lower.x, upper.y - lower.y) < self._wide)


def _is_enough(looks: list[LidReading]) -> bool:
    """Two looks that are alike are, and any three."""
    return len(looks) == MAX_READINGS or (len(looks) == AGREEING_READINGS and _are_alike(looks))


def _are_alike(looks: list[LidReading]) -> bool:
    return len({(look.black, look.white, look.sure or look.clear) for look in looks}) == 1


def _settle(looks: list[LidReading]) -> LidReading:
    """Return the reading that a tracker settles on by these looks."""
    newest = looks[-AGREEING_READINGS:]
    return combine_lid(newest) if _are_alike(newest) else settle_lid(looks)


def dish_look(seed: int, dish: str) -> Appearance:
    """A table in any light with lids of that kind."""
    rng = np.random.default_rng([seed, 72])
    bare = random_look(rng, 9, WIDTH, HEIGHT)
    while _dish(look := any_lids(bare, rng)) != dish:
        pass
    return look


def _dish(look: Appearance) -> str:
    kind = look.lid_kind
    if kind.clear:
        return "clear"
    if max(look.lid_colours[0]) < 0.07 and kind.high < 1.1 and kind.corner > 2:
        return "tray"
    if kind.inside is not None and kind.sheen and kind.sheen < 0.1:
        return "bamboo"
    return "square" if kind.corner > 2 else "round"


def weighed_game(seed: int, size: int, turns: int, weighed: bool = True) -> Weighing:
    """Play and judge one game."""
    chance, dish = random.Random(f"weighed {seed}"), DISHES[seed % len(DISHES)]
    prisoner_counts = [chance.randint(1, MOST_AT_START) for _ in COLOURS[:2]]
    bowls = bowls_of({"B": {"W": prisoner_counts[0]}, "W": {"B": prisoner_counts[1]}})
    true = Setup(rule_set("ultimate"), (size, size), bowls=bowls).record()
    referee, lids = GameTable(true, TableConfig(black_side=1)), DrawnLids(seed, dish, weighed)
    rulings = list(referee.receive(look(true.position, 0, lids.sights(true.bowls))).rulings)
    while true.number < turns and (after := random_turn(true, chance)) is not None:
        true = after
        if chance.random() >= SKIPPED:
            rulings += referee.receive(look(true.position, true.number, lids.sights(true.bowls))).rulings
    rulings += referee.receive(SourceEnded(1e3)).rulings
    return _compare(true, referee.record, rulings)


def pressed_game(seed: int, size: int, turns: int, lids: DrawnLids | FollowedLids) -> tuple[Counter[str], list[str]]:
    """Play one game with buttons. Return what came of its presses, and those that were judged wrongly, in words.

    Each turn is closed by DONE; where it is not ruled then, the stones in the lids are spread out, and DONE is pressed
    again. Sometimes DONE is pressed for nothing, after the stones in the lids were pushed about.
    """
    chance = random.Random(f"pressed {seed}")
    prisoner_counts = [chance.randint(1, MOST_AT_START) for _ in COLOURS[:2]]
    bowls = bowls_of({"B": {"W": prisoner_counts[0]}, "W": {"B": prisoner_counts[1]}})
    true = Setup(rule_set("ultimate"), (size, size), bowls=bowls).record()
    table = PressedTable(GameTable(true, TableConfig(True, 1)))
    table.look(true, lids_of(true.bowls))
    lids.sights(true.bowls)
    lids.hold(true.bowls)
    counts, wrong = Counter[str](), list[str]()
    while true.number < turns and (after := random_turn(true, chance)) is not None:
        if chance.random() < FOR_NOTHING:
            lids.push()
            counts["DONE for nothing"] += 1
            if table.press(true.to_play, true, lids.sights(true.bowls)) is not None:
                wrong.append(f"turn {after.number}: DONE for nothing was taken for {table.referee.record.turn}")
                break
        true = after
        assert true.turn is not None
        kind, result = type(true.turn).__name__.lower(), table.press(true.turn.player, true, lids.sights(true.bowls))
        counts[f"{kind}, {'at once' if result is not None else 'asked'}"] += 1
        result = result or table.press(true.turn.player, true, lids_of(true.bowls))
        lids.hold(true.bowls)
        if result != true.turn:
            wrong.append(f"turn {true.number}: {true.turn} was taken for {result}")
            break
    return counts, wrong


@dataclass
class PressedTable:
    """A referee with buttons, who is told of presses and looks."""

    referee: GameTable
    t: float = 0.0

    def look(self, true: GameRecord, sights: tuple[LidSight, ...]) -> None:
        """Show the table once."""
        self.t += 1
        self.referee.receive(look(true.position, self.t, sights))

    def press(self, player: Colour, true: GameRecord, sights: tuple[LidSight, ...]) -> Turn | None:
        """Press DONE, and return the turn that the look after it makes of it."""
        before, self.t = self.referee.record, self.t + 1
        self.referee.receive(Pressed(self.t, COLOURS.index(player) + 1, Button.DONE))
        self.look(true, sights)
        return None if self.referee.record is before else self.referee.record.turn


def _compare(true: GameRecord, record: GameRecord, rulings: list[Ruling]) -> Weighing:
    counts, ordered_turns, inferred = Counter[str](), set[int](), set[int]()
    wrong, texts = [], [english(ruling) for ruling in rulings]
    for ruling, text in zip(rulings, texts, strict=True):
        is_recorded = ruling.status is Status.LEGAL and ruling.move is not None
        ordered_turns |= {ruling.turn} if ruling.order is not None else set()
        inferred |= {ruling.turn} if MARK in text else set()
        if (
            is_recorded
            and not _is_after_marked(ordered_turns | inferred, ruling.turn)
            and true.turns[ruling.turn - 1 : ruling.turn] != (ruling.move,)
        ):
            wrong.append(f"turn {ruling.turn}: {text}")
    for number, turn in enumerate(true.turns, 1):
        actual = record.turns[number - 1 : number]
        other = (
            "uncertain"
            if _is_after_marked(ordered_turns, number)
            else "misjudged"
            if _is_after_marked(inferred, number)
            else "wrong"
        )
        counts["waits" if not actual else "right" if actual == (turn,) else other] += 1
    return Weighing(counts, sum(MARK in text for text in texts), sum(CORRECTED in text for text in texts), wrong)


def _is_after_marked(marked: set[int], number: int) -> bool:
    return bool(marked) and number >= min(marked)
