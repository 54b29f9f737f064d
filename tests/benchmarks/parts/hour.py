"""Time at a drawn table in a hall full of trouble, through the eyes' own thread to a box, and how it fared.

Hands play a game of seeded self-play, at the pace of players who think for a moment; a box that knows nothing but the
frames judges it. Compared with what was played: where the board is thought to lie, what is read of it, every turn.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np

from device.journal.entries import Terms
from device.journal.replay import Folder
from device.panel.panel import NoPanel
from device.simulator.stage import HEIGHT, WIDTH, Photographer
from device.simulator.table import RATE, Performance, SimulatedFrame, StepTruth, Tempo
from device.table.camera_worker import CameraWorker
from device.table.controller import TableController
from referee.game.messages import Message
from referee.game.observation import Observation
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight, State, TableSnapshot
from referee.table.snapshot import Snapshot
from referee.table.table import TableConfig
from tests.benchmarks.parts.blinded import Camera
from tests.support.simulator.game_scripts import script_of, self_play
from tests.support.simulator.unrest import Change, restless
from tests.support.vision.streams import jpeg
from tests.support.vision.troubles import (
    Bands,
    BrushedArm,
    Cat,
    Cup,
    DenoisingWebcam,
    Dusk,
    FocusHunt,
    GameClock,
    LeaningPlayer,
    Neighbour,
    SharpeningWebcam,
    Sway,
    Swing,
    Trouble,
    stuff,
    visits,
)
from vision.calibration.model import Calibration, Grid
from vision.camera.frame import Frame, JpegPicture
from vision.render.looks import club_look
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.stones.reader import DOUBTFUL_BELOW
from vision.tracking.tracker import TrackerConfig
from vision.training.drawn_boards import random_rows

RULES = "chinese"
TEMPO = Tempo(RATE, 2.6)
WITHIN = 2.0
"""Seconds of stillness within which a turn has to be ruled on, or told why not."""
NEIGHBOUR_COMES = 12.0
ELSEWHERE = 1.0
"""Cells by which the middle of a board is off that is taken for another."""
TELL = frozenset(State) - {State.TURN, State.CHECKING}
"""States in which players are told that something else is to be done or seen first."""


@dataclass(frozen=True)
class Hall:
    """A table in a hall: its look, its board's grid in the pictures, and how long it is played at."""

    seed: int
    look: Appearance
    grid: Grid
    lasts: float


def _neighbour(hall: Hall) -> Trouble:
    """The next table's board, 60 to 100% as large as the own one."""
    chance = random.Random(f"neighbour {hall.seed}")
    other = club_look(hall.seed + 2000, hall.look.size, hall.look.width, HEIGHT)
    rows = random_rows(np.random.default_rng([hall.seed, 5]), other.size)
    return Neighbour(Table(other).draw(Scene(rows)).pixels, chance.uniform(0.6, 1.0), NEIGHBOUR_COMES)


def _leaning(hall: Hall) -> Trouble:
    leanings = visits(f"leaning {hall.seed}", 14, 5, hall.lasts)
    return LeaningPlayer(
        hall.grid, leanings, stuff(hall.seed, random.Random(hall.seed).choices(range(20, 170), k=3), 0.3)
    )


def _cat(hall: Hall) -> Trouble:
    colour = random.Random(hall.seed + 1).choice(((40, 75, 120), (60, 60, 62), (190, 205, 215), (25, 25, 28)))
    return Cat(hall.grid, visits(f"cat {hall.seed}", 25, 5, hall.lasts), stuff(hall.seed + 9, colour, 0.5))


def _cup(hall: Hall) -> Trouble:
    far = hall.look.width - 50.0 if hall.look.lid_side == "left" else 50.0
    spots = ((far, HEIGHT * 0.15), (hall.look.width / 2, 45.0), (far, HEIGHT * 0.85))
    return Cup(spots, random.Random(hall.seed).uniform(60, 85))


def _clock(hall: Hall) -> Trouble:
    far = hall.look.width - 42.0 if hall.look.lid_side == "left" else 42.0
    return GameClock(far, HEIGHT / 2, hall.grid.cell())


BRUSHED = (Swing(8.22, 1.08), Swing(23.72, 0.32), Swing(135.6, 0.04), Swing(221.6, 0.01))
JOLTED = (Swing(135.6, 2.76), Swing(221.6, 2.62), Swing(23.72, 0.81), Swing(8.22, 0.48))
"""Swings of the arm of square tube under a sleeve's 2 N and a table's 0.5 mm: the figures of hardware/ASSEMBLY.md."""


def _brushed(hall: Hall) -> Trouble:
    """The arm as hardware/ASSEMBLY.md builds it."""
    return BrushedArm((BRUSHED, JOLTED), hall.grid.cell())


Made = Callable[[Hall], Trouble]
KNOCKED = "the board or the camera is knocked"
TROUBLES: dict[str, Made] = {
    "a cup": _cup,
    "a clock": _clock,
    "players leaning": _leaning,
    "a cat": _cat,
    "a neighbour's board": _neighbour,
    "sway": lambda hall: Sway(hall.seed),
    "a brushed arm": _brushed,
    "focus breathing": lambda hall: FocusHunt(),
    "bands of light": lambda hall: Bands(),
    "dusk": lambda hall: Dusk(hall.seed, lasts=max(40.0, hall.lasts / 3)),
    "sharpening": lambda hall: SharpeningWebcam(),
    "temporal denoise": lambda hall: DenoisingWebcam(),
}
"""In the order in which they come between the table and the box."""
KINDS = (*TROUBLES, KNOCKED)
NARROW = 800
"""Pixels across of the own table where another stands beside it."""


@dataclass
class HourOutcome:
    """The outcome. waits: seconds of stillness until each turn was ruled on. late: turns that were not in time, with
    what was told meanwhile. elsewhere: places of the board that were none of its. silent: points read wrongly and
    surely. wrong: turns written that were not played. looks: that reached the referee."""

    turns: int = 0
    frames: int = 0
    looks: int = 0
    waits: list[float] = field(default_factory=list)
    late: dict[str, str] = field(default_factory=dict)
    elsewhere: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __add__(self, other: HourOutcome) -> HourOutcome:
        """Both together."""
        return HourOutcome(
            **{
                one.name: getattr(self, one.name) | getattr(other, one.name)
                if one.name == "late"
                else getattr(self, one.name) + getattr(other, one.name)
                for one in fields(self)
            }
        )

    @property
    def untold(self) -> list[str]:
        """Turns that were late without a word."""
        return [turn for turn, is_told in self.late.items() if not is_told]

    @property
    def wrongs(self) -> list[str]:
        """All that may never be."""
        return [
            *(f"another board: {text}" for text in self.elsewhere),
            *(f"silently wrong: {text}" for text in self.silent),
            *(f"not what was played: {text}" for text in self.wrong),
            *(f"late without a word: {text}" for text in self.untold),
        ]

    def line(self) -> str:
        """Return the outcome in a line."""
        waits = f", median {statistics.median(self.waits):.1f} s, worst {max(self.waits):.1f} s" if self.waits else ""
        late = f"{len(self.late)} late, {len(self.untold)} of them untold"
        never = f"{len(self.elsewhere)} changes of board, {len(self.silent)} silent points, {len(self.wrong)} unplayed"
        lasted = f"{self.frames / RATE / 60:.0f} minutes, {self.looks} looks"
        return f"{len(self.waits)} of {self.turns} turns ruled{waits}; {late}; {never}; {lasted}"


class Sitting:
    """One game at a table with these kinds of trouble; all of it is made from the seed. Nobody plays while something
    lies over the board. truth: the board's grid as it lies now. jpeg: pictures come as a network camera sends them."""

    def __init__(
        self, folder: Path, seed: int, kinds: Sequence[str], many: int, size: int = 19, jpeg: bool = False
    ) -> None:
        wide = NARROW if "a neighbour's board" in kinds else WIDTH
        look = club_look(seed, size, wide, HEIGHT)
        self._jpeg = jpeg
        self._seed, self._turns = seed, self_play(size, seed, many, delays=False)
        self._script, self._table = script_of(self._turns, size, seed), Table(look)
        hall = Hall(seed, look, self._table.view.grid, many * 4.5)
        self._troubles = [build(hall) for name, build in TROUBLES.items() if name in kinds]
        self._changes = _knocks(look, many, seed) if KNOCKED in kinds else []
        self.truth, self._scene, self.t = hall.grid, Scene(("." * size,) * size), 0.0
        self._played = self._ruled = 0
        self._streak, self._sight_trouble = 0.0, ""
        self.fared = HourOutcome(turns=many)
        self._camera = Camera(self._frames())
        self._camera_worker = CameraWorker(
            lambda: self._camera, TrackerConfig(), self, lambda: self.t, wall=lambda: self.t
        )
        terms = Terms(Setup(rule_set(RULES)), TableConfig())
        self._box = TableController(terms, Folder(folder), NoPanel(), self._publish)
        self._publish(self._box.snapshot)

    def play(self) -> HourOutcome:
        """All of it."""
        self._camera_worker.start()
        while not self._camera.over.wait(0.5) and self._camera_worker.is_alive:
            pass
        self._camera_worker.stop()
        self._box.close()
        return self.fared

    # What the eyes tell, on its way to the box

    def handle_observation(self, observation: Observation) -> None:
        """A look: no point of it may be sure and wrong."""
        self.fared.looks += 1
        for point, (chances, here) in enumerate(zip(observation.points, "".join(self._scene.rows), strict=True)):
            best = max(chances)
            if best >= DOUBTFUL_BELOW and ".XO"[chances.index(best)] != here:
                self.fared.silent.append(f"point {point} at {self.t:.1f} read {chances}, {here} lies there")
        self._box.handle_observation(observation)

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Pass on the camera's view of the table, or its fault."""
        self._box.sight(sight, t, fault)

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Pass on the position at which the board is thought to lie, and note it if it is wrong."""
        apart = np.linalg.norm(place.grid.middle() - self.truth.middle()) / self.truth.cell()
        if apart > ELSEWHERE or abs(place.grid.cell() / self.truth.cell() - 1) > 0.1:
            self.fared.elsewhere.append(f"{apart:.1f} cells off at {t:.1f}")
        self._box.handle_positions(place, t)

    def _publish(self, snapshot: TableSnapshot) -> None:
        """Turns that are ruled on, and what is told instead."""
        ruled = len(snapshot.game.turns)
        sees = snapshot.sight is Sight.SEEN and snapshot.display_state.state not in TELL
        self._sight_trouble = "" if sees else f"{snapshot.sight}, {snapshot.display_state.state}"
        if ruled > self._ruled:
            self.fared.waits += [self._streak] * (ruled - self._ruled)
        if ruled != self._ruled and not self._is_played(snapshot.game):
            self.fared.wrong.append(f"at {self.t:.1f} turn {ruled}")
        self._ruled = ruled

    def _is_played(self, game: Snapshot) -> bool:
        """Return True if these turns were played, in this order or in another that is marked as uncertain."""
        turns, played_turns = game.turns, self._turns[: len(game.turns)]
        marked = {ruling.turn for ruling in game.rulings if ruling.order}
        others = {
            number for number, (actual, true) in enumerate(zip(turns, played_turns, strict=False), 1) if actual != true
        }
        return others <= marked and Counter(turns) == Counter(played_turns)

    # The table

    def _frames(self) -> Iterator[Frame]:
        """Every frame as the camera has it."""
        photographer, step, frame = Photographer(self._table), 0, 0
        for happening in Performance(self._script, self._table, TEMPO).happenings():
            match happening:
                case StepTruth():
                    step, frame, self._played = happening.step, 0, happening.step
                case SimulatedFrame(_, scene):
                    photographer = self._knocked(step, frame) or photographer
                    frame += 1
                    yield self._frame(photographer, scene)
                    while scene.hand is None and self._is_disturbed():
                        yield self._frame(photographer, scene)

    def _frame(self, photographer: Photographer, scene: Scene) -> Frame:
        """The next one."""
        self.t, number = self.fared.frames / RATE, self.fared.frames
        self._count(scene)
        self._scene, self.fared.frames = scene, number + 1
        self._box.tick(self.t)
        picture = photographer.picture(scene, number)
        for trouble in self._troubles:
            picture = trouble.over(picture, self.t)
        return Frame(JpegPicture(jpeg(picture)) if self._jpeg else picture, self.t)

    def _is_disturbed(self) -> bool:
        return any(trouble.disturbs(self.t) for trouble in self._troubles)

    def _knocked(self, step: int, frame: int) -> Photographer | None:
        """The table as it lies from now on, when it was knocked."""
        photographer = None
        while self._changes and (self._changes[0].step, self._changes[0].frame) <= (step, frame):
            table = Table(self._changes.pop(0).look)
            photographer, self.truth, self._streak = Photographer(table), table.view.grid, 0.0
        return photographer

    def _count(self, scene: Scene) -> None:
        """Count the time for which the table has been still, and note a turn that waits too long."""
        still = scene.hand is None and not self._is_disturbed()
        self._streak = self._streak + 1 / RATE if still else 0.0
        if self._ruled < self._played and self._streak > WITHIN:
            name = f"game {self._seed}, turn {self._played} of {self.fared.turns}"
            self.fared.late[name] = self.fared.late.get(name) or self._sight_trouble


def _knocks(look: Appearance, many: int, seed: int) -> list[Change]:
    """The board pushed and the camera knocked, and both again, in the light that there is."""
    knocked = [change for change in restless(look, many, seed) if "knocked" in change.name or "pushed" in change.name]
    return [
        replace(change, look=replace(change.look, lamps=look.lamps, finish=look.finish), tint=(1.0, 1.0, 1.0))
        for change in knocked
    ]
