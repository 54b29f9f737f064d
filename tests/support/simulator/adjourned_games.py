"""A game that was adjourned at one box and is put back at another: a drawn table of its own wood, light and camera.

The first box has a journal on disk and is told the turns by the director; the second has nothing but the text of the
code on paper, and pictures.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from device.journal.entries import Terms, as_journaled, taken_up
from device.journal.replay import Folder
from device.match.adjournment_code import decode_game
from device.panel.panel import Edge, NoPanel
from device.table.adjournment import current_code, resumed_message
from device.table.controller import TableController
from referee.game.actor import Actor
from referee.game.board import COLOURS, Board, Colour, Point, Position, opponent_of, points_of
from referee.game.diagram import rows_of
from referee.game.messages import message
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.turns import Turn
from referee.rules.agreements import apply_action
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Phase, Sight
from referee.table.events import Button, EnterTurn, Pause, Remark
from referee.table.table import TableConfig
from referee.time.controls import read_control
from tests.support.simulator.game_scripts import real_game
from vision.camera.frame import Frame
from vision.render.looks import BLACKS, WHITES, WOODS, club_look, pick_lamp
from vision.render.scene import Appearance, LidStone, Scene, lid_stone
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

FEWEST, MOST_STONES, MOST_MISTAKES, GAMES = 20, 250, 5, 400


@dataclass(frozen=True)
class TakenUpOutcome:
    """missed, invented: points. lids_wrong: a prisoner is missing; lids_told: once the board is right, the box asks for
    one, or
    asks the players to count. stopped: no clock started while something was wrong; goes_on: once it was mended."""

    stones: int
    mistakes: int
    missed: int
    invented: int
    lids_wrong: bool
    lids_told: bool
    stopped: bool
    goes_on: bool

    @property
    def right(self) -> bool:
        """All of it."""
        lids_agree = self.lids_told is self.lids_wrong
        return not (self.missed or self.invented) and lids_agree and self.stopped and self.goes_on


def broken_off(number: int) -> Sequence[Turn]:
    """The turns of one of the real games, up to a number of stones drawn by lot."""
    chance = random.Random(f"adjourned {number}")
    wanted = chance.randint(FEWEST, MOST_STONES)
    while True:
        turns = real_game(chance.randrange(GAMES), 400)
        record = Setup(rule_set("japanese")).with_size(SIZE).record()
        for turn in turns:
            after = apply_action(record, turn).after
            if after is None or _stones(record) == wanted:
                break
            record = after
        if _stones(record) == wanted:
            return record.turns


def _stones(record: GameRecord) -> int:
    return record.position.occupied.bit_count()


def play_adjourned(number: int, folder: Path) -> TakenUpOutcome:
    """One game, adjourned and taken up."""
    chance = random.Random(f"put back {number}")
    text = adjourned_text(folder / "first", broken_off(number))
    second = ResumedTable(folder / "second", another_look(number), text, chance.randint(1, 2))
    record = second.sealed.record
    layout = with_mistakes(record.position, record.bowls, chance.randint(0, MOST_MISTAKES), chance)
    second.lay(layout)
    asked = second.asked
    second.press(1)
    second.press(2)
    stopped = not layout.wrong or (second.box.snapshot.phase is Phase.START and not second.runs)
    lids_told = False
    if layout.lids:
        second.lay(RestoredStones(record.position, layout.bowls))
        lids_told = second.asks_for_prisoners
    second.lay(RestoredStones(record.position, record.bowls))
    second.press(1)
    second.press(2)
    return TakenUpOutcome(
        _stones(record),
        len(layout.wrong),
        len(layout.wrong - asked),
        len(asked - layout.wrong),
        layout.lids,
        lids_told,
        stopped,
        second.box.snapshot.phase is Phase.PLAY and second.runs,
    )


SIZE, APART, LEAST_FRAMES, MOST_FRAMES = 19, 0.25, 10, 80
"""Lines; seconds between pictures; pictures for which everything lies there at least, and after which a box that has
agreed on none has failed."""
PICTURES = ((1280, 720), (1536, 864), (1920, 1080), (1440, 1080))


def another_look(seed: int) -> Appearance:
    """A table of any wood and stones under any lamp, seen by any camera."""
    chance = random.Random(f"another table {seed}")
    look = club_look(chance.randrange(10_000, 10**6), SIZE, *chance.choice(PICTURES))
    wood, grain = chance.choice(WOODS)
    light = pick_lamp(np.random.default_rng(seed), chance.uniform(0.25, 0.5), chance.uniform(0.3, 0.8), 45, 85)
    tint = (chance.uniform(0.8, 1.1), 1.0, chance.uniform(0.9, 1.15))
    finish = replace(look.finish, exposure=chance.uniform(0.75, 1.1), tint=tint, noise=chance.uniform(1.0, 3.0))
    stones = chance.choice(BLACKS), chance.choice(WHITES)
    wooden = replace(look.wood, colour=wood, grain=grain)
    return replace(look, wood=wooden, lamps=(light,), ambient=chance.uniform(0.5, 0.75), finish=finish, stones=stones)


@dataclass(frozen=True)
class RestoredStones:
    """The stones on the table after somebody has put them back. wrong: points that differ from how the game was left;
    lids: whether one of the lids does."""

    position: Position
    bowls: Bowls
    wrong: frozenset[Point] = frozenset()
    lids: bool = False


def with_mistakes(position: Position, bowls: Bowls, many: int, chance: random.Random) -> RestoredStones:
    """So many mistakes, each at points of its own: a stone forgotten, one too many, one of the other colour, one on the
    point beside its own, and in a lid a prisoner too few."""
    touched, lids = set[Point](), False
    for _ in range(many):
        kind = chance.choice(("forgotten", "extra", "other", "beside", "prisoner"))
        owners = [owner for owner in COLOURS[:2] if bowls.count_prisoners(owner, opponent_of(owner))]
        if kind == "prisoner" and owners and not lids:
            lids, owner = True, chance.choice(owners)
            bowls = bowls.change_count(owner, opponent_of(owner), -1)
            continue
        position, points = _spoilt(position, "extra" if kind == "prisoner" else kind, touched, chance)
        touched |= points
    return RestoredStones(position, bowls, frozenset(touched), lids)


def _spoilt(position: Position, kind: str, touched: set[Point], chance: random.Random) -> tuple[Position, set[Point]]:
    board = position.board
    stones = [point for point in points_of(position.occupied) if point not in touched]
    free = [point for point in points_of(position.empty) if point not in touched]
    if kind == "extra":
        point = chance.choice(free)
        return position.with_stones(chance.choice(COLOURS[:2]), 1 << point), {point}
    chance.shuffle(stones)
    for point in stones:
        colour, without = position.colour_at(point), position.without_stones(1 << point)
        assert colour is not None
        beside = [one for one in points_of(board.adjacent_to(1 << point)) if one in free]
        if kind == "forgotten":
            return without, {point}
        if kind == "other":
            return without.with_stones(opponent_of(colour), 1 << point), {point}
        if beside:
            to = chance.choice(beside)
            return without.with_stones(colour, 1 << to), {point, to}
    return position, set()


def _prisoners(bowls: Bowls, owner: Colour, seed: int) -> tuple[LidStone, ...]:
    chance, stones = np.random.default_rng([seed, 5, COLOURS.index(owner)]), tuple[LidStone, ...]()
    for colour in COLOURS[:2]:
        for _ in range(bowls.count_visible_stones(owner, colour)):
            stones += (lid_stone(stones, colour, chance),)
    return stones


def adjourned_text(folder: Path, turns: Sequence[Turn], rules: str = "japanese") -> str:
    """Return the text of the code on paper for these turns, which a box was told and a director adjourned."""
    config = TableConfig(refereed=True, black_side=1, control=read_control("1h+5x30s"))
    terms = Terms(Setup(rule_set(rules)).with_size(SIZE), config, ("Aoki Ume", "Baker Jo"))
    box = TableController(terms, Folder(folder), NoPanel(), lambda snapshot: None)
    box.set_up(terms, Remark(0.5, message("director.remark"), Actor.DIRECTOR))
    for number, turn in enumerate(turns):
        box.carry_out([EnterTurn(1.0 + number, turn)], Remark(1.0 + number, message("director.enter"), Actor.DIRECTOR))
    t = 2.0 + len(turns)
    box.carry_out([Pause(t, adjourned=True)], Remark(t, message("director.adjourn"), Actor.DIRECTOR))
    text, _ = current_code(box)
    box.close()
    return text


class ResumedTable:
    """The second table with its box, where the game is taken up."""

    def __init__(self, folder: Path, look: Appearance, text: str, black_side: int = 1) -> None:
        self.sealed, self._table, self._seed = decode_game(text), Table(look), look.seed
        terms = Terms(Setup(rule_set("chinese")), TableConfig(refereed=True, black_side=black_side))
        self.box = TableController(terms, Folder(folder), NoPanel(), lambda snapshot: None)
        self._black_side, self._observer, self._t, self._frames = black_side, BoardTracker(TrackerConfig()), 0.0, 0
        self.show(Scene(("." * SIZE,) * SIZE))
        assert self.box.place is not None, "the board is not found"
        self.box.set_up(taken_up(terms, self.sealed), Remark(self._t, resumed_message(self.sealed), Actor.DIRECTOR))

    @property
    def board(self) -> Board:
        return self.sealed.record.position.board

    @property
    def runs(self) -> bool:
        """Return True if somebody's time runs."""
        clocks = self.box.snapshot.game.clocks
        return clocks is not None and clocks.running_player is not None

    @property
    def asks_for_prisoners(self) -> bool:
        """Return True if the players are asked to put prisoners right, or to count them because the box cannot."""
        trouble, newest = self.box.snapshot.trouble, self.box.snapshot.game.newest_ruling
        counts = newest is not None and "take-up.count" in [part.key for part in newest.message.then]
        return counts or (trouble is not None and not trouble.points)

    @property
    def asked(self) -> frozenset[Point]:
        """The points that the box wants put right."""
        trouble = self.box.snapshot.trouble
        return frozenset() if trouble is None else frozenset(trouble.points)

    def lay(self, layout: RestoredStones) -> None:
        """Everything lies there, and the box looks at it."""
        lids = tuple(_prisoners(layout.bowls, owner, self._seed) for owner in COLOURS[:2])
        sides = lids if self._black_side == 1 else lids[::-1]
        self.show(Scene(rows_of(layout.position), (sides[0], sides[1])))

    def show(self, scene: Scene) -> None:
        """Pictures of it until the box has agreed on what it sees."""
        agreed = 0
        for number in range(1, MOST_FRAMES + 1):
            self._t, self._frames = self._t + APART, self._frames + 1
            agreed += self._see(Frame(self._table.draw(scene, self._frames).pixels, self._t))
            if agreed > 1 and number >= LEAST_FRAMES:
                return

    def press(self, side: int, button: Button = Button.DONE) -> None:
        for down in (True, False):
            self.box.take_edge(Edge(side, button, down, self._t))
            self._t += 0.5
            self.box.tick(self._t)

    def _see(self, frame: Frame) -> bool:
        self.box.tick(frame.t)
        agreed, place = self._observer.see(frame), self._observer.place
        if place is not None and place != self.box.place:
            self.box.handle_positions(place, frame.t)
        self.box.sight(Sight.SEARCHING if place is None else Sight.SEEN, frame.t)
        observation = agreed or self._observer.standing
        if observation is not None:
            self.box.handle_observation(as_journaled(observation))
        return observation is not None
