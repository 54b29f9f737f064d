"""Games of several players under Kee's rules at the drawn table, played by hands and seen by eyes that were shown the
stones before; nothing but pictures and buttons goes to the box."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder
from device.panel.panel import Edge, NoPanel
from device.simulator.script import Lift, Place, Play, Press, Put, Script, Step, Wait
from device.simulator.stage import HEIGHT, WIDTH
from device.simulator.table import Performance, SimulatedFrame, Tempo
from device.table.controller import TableController
from referee.game.board import COLOURS, points_of
from referee.game.messages import Message
from referee.game.record import GameRecord
from referee.game.turns import Pass, Placement, Turn
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight, TableSnapshot
from referee.table.events import Button
from referee.table.table import TableConfig
from vision.camera.frame import Frame
from vision.render.looks import club_look, with_colours
from vision.render.scene import Appearance
from vision.render.table import Table
from vision.tracking.colour_enrolment import enrolment_points
from vision.tracking.tracker import BoardTracker, TrackerConfig

LIGHTS = {"white": ((1.0, 1.0, 1.0), 1.0), "warm": ((0.62, 0.85, 1.12), 0.9), "cool and dim": ((1.15, 1.0, 0.8), 0.6)}
"""Lamps by name: the tint of their light (blue, green, red), and how bright it is beside the usual."""
SEEN_IN = 2.0
"""Seconds that the players leave the camera for what they show."""
GREED = 6
"""Of so many legal points the one is taken that captures most."""


@dataclass(frozen=True)
class Several:
    """A game to be played. stones: which of the sets of stones; light: by name."""

    players: int
    turns: int
    seed: int
    size: int = 9
    stones: int = 0
    light: str = "white"

    @property
    def setup(self) -> Setup:
        """The setup with which it starts."""
        size, players = (self.size, self.size), "".join(COLOURS[: self.players])
        return Setup(rule_set("kee"), size=size, players=players)

    @property
    def look(self) -> Appearance:
        """Its table."""
        tint, exposure = LIGHTS[self.light]
        look = with_colours(club_look(self.seed, self.size, WIDTH, HEIGHT), self.stones)
        return replace(look, finish=replace(look.finish, tint=tint, exposure=exposure * look.finish.exposure))

    def played(self) -> GameRecord:
        """The game: legal placements, and then the passes that end it."""
        record, rng = self.setup.record(), random.Random(f"several {self.seed}")
        for _ in range(self.turns):
            record = _judge_legal(record, _placement(record, rng))
        while not record.ended:
            record = _judge_legal(record, Pass(record.to_play))
        return record

    def script(self, true_record: GameRecord) -> Script:
        """Return the script of the hands: the stones are shown, then taken away, then the game is played."""
        players, places = COLOURS[: self.players], enrolment_points(self.size, self.players)
        placements = [
            tuple(Put(player, player, at) for at in place) for player, place in zip(players, places, strict=True)
        ]
        lifted = [(Lift(player, place, Place.SUPPLY),) for player, place in zip(players, places, strict=True)]
        acts = [_acts(turn) for turn in true_record.turns]
        steps: list[Step] = [*placements, (Wait(SEEN_IN),), *lifted, (Wait(SEEN_IN),), *acts]
        return Script(self.size, self.seed, 1, tuple(steps), {}, players)


def _placement(record: GameRecord, rng: random.Random) -> Placement:
    legal = list(points_of(legal_placements(record)))
    some = rng.sample(legal, min(GREED, len(legal)))
    mover = record.to_play
    return Placement(mover, max(some, key=lambda at: record.position.place(mover, at).captured.bit_count()))


def _judge_legal(record: GameRecord, turn: Turn) -> GameRecord:
    after = judge(record, turn).after
    assert after is not None, f"{turn} is legal"
    return after


def _acts(turn: Turn) -> Step:
    done = Press(turn.player, Button.DONE)
    if isinstance(turn, Placement):
        return Play(turn.player, turn.point), done
    return Press(turn.player, Button.CALL), done


@dataclass
class SeveralTable:
    """A table of several players with its box. asked: what was asked of the players before the game, in order."""

    box: TableController
    snapshots: list[TableSnapshot]
    asked: list[Message]
    observer: BoardTracker

    @classmethod
    def of(cls, game: Several, folder: Path, black_side: int | None = 1) -> SeveralTable:
        """Before anybody has sat down."""
        snapshots: list[TableSnapshot] = []
        terms = Terms(game.setup, TableConfig(refereed=True, black_side=black_side), ("",) * game.players)
        box = TableController(terms, Folder(folder), NoPanel(), snapshots.append)
        return cls(box, snapshots, [], BoardTracker(TrackerConfig(players=game.players)))

    def play(self, game: Several, true_record: GameRecord) -> None:
        """Let hands play it before the camera."""
        table = Table(game.look)
        acted = Performance(game.script(true_record), table, Tempo(rest=0.8))
        for frame, happening in enumerate(acted.happenings()):
            if isinstance(happening, Edge):
                self.box.take_edge(happening)
            elif isinstance(happening, SimulatedFrame):
                self.see(Frame(table.draw(happening.scene, frame).pixels, happening.t))

    def see(self, frame: Frame) -> None:
        """The box is told what the camera sees, as its eyes tell it."""
        self.box.tick(frame.t)
        agreed = self.observer.see(frame)
        known, place = self.observer.stone_palette, self.observer.place
        if known.instruction is not None and known.instruction not in self.asked[-1:]:
            self.asked.append(known.instruction)
        if place is not None and place != self.box.place:
            self.box.handle_positions(place, frame.t)
        sight = Sight.SEARCHING if place is None else Sight.UNSHOWN if known.needs_stones else Sight.SEEN
        self.box.sight(sight, frame.t, known.instruction)
        observation = agreed or self.observer.standing
        if observation is not None:
            self.box.handle_observation(as_journaled(observation))


def wrong(table: SeveralTable, true_record: GameRecord) -> Iterator[str]:
    """In what the box's record is not what was played."""
    record = table.box.table.record
    for number, (actual, true) in enumerate(zip(record.turns, true_record.turns, strict=False), 1):
        if actual != true:
            yield f"turn {number}: {actual} instead of {true}"
    if record.number != true_record.number:
        yield f"{record.number} turns instead of {true_record.number}"
