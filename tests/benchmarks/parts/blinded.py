"""A day at a table whose camera fails in every way, one after the other, at random instants and for random times.

Hands of a drawn table play short games; every frame is drawn, and goes through the eyes' own thread to the box, which
hears at once what the eyes tell. Time is the table's. The players see the lamps:
while the table lamp says that the camera is lost, and a little longer, nobody moves. Each game's rulings and result
have to be its script's; each fault has to be told as what it is in time, and nothing may be judged meanwhile.
"""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import numpy as np

from device.journal.entries import Terms
from device.journal.evidence import FAULTS, Evidence
from device.journal.keyframes import KeyFrames
from device.journal.replay import Folder
from device.panel.panel import Edge, NoPanel
from device.panel.signals import signal_of
from device.simulator.games import READ, SETTLE, ActedGame, Expected, draw_layout
from device.simulator.messages import Lamps
from device.simulator.script import Lift, Place, Play, Press, Put, Wait
from device.simulator.stage import Photographer, with_grain
from device.simulator.table import Performance, SimulatedFrame, Tempo, table_of
from device.table.camera_worker import CameraWorker
from device.table.controller import TableController
from referee.game.board import Colour, board_of, opponent_of
from referee.game.messages import Message
from referee.game.observation import Observation
from referee.game.ruling import Status
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Phase, Sight, TableSnapshot
from referee.table.events import Button
from referee.table.table import TableConfig
from tests.support.simulator.watched import said_of, wanted_of
from tests.support.vision.feeds import ODD, every_way
from vision.board.detect import find_place
from vision.calibration.model import Calibration
from vision.camera.frame import Frame, Image
from vision.camera.frame_health import Fault
from vision.render.scene import Scene
from vision.render.table import Table
from vision.tracking.tracker import TrackerConfig
from web.page.status import status_of

SIZE, WIDTH, HEIGHT, RATE = 9, 480, 270, 5
WITHIN = 3.0
"""Seconds within which every fault has to be told."""
LONG = 2.5
"""Seconds after which a fault that is not told is a wrong."""
STILL = 3.0
"""Seconds for which nobody moves after a fault."""
BARE = Scene(("." * SIZE,) * SIZE, ((), ()))
LASTS, SHORT = (4.0, 12.0), (0.2, 0.8)
"""Seconds for which faults last; every fifth only for a moment, so that it need not be told."""
APART = (12.0, 40.0)
"""Seconds between two faults."""
Span = tuple[float, float]
FAST, SLOW = 60, 1
"""Frames a second of a camera that is too fast, and of one that is too slow."""


@dataclass(frozen=True)
class BlindedWay:
    """A way to fail. message_key: of what is told, None where nothing has to be. spoil: makes of a frame what comes
    in its place, None where the frames are repeated or come at another rate."""

    name: str
    message_key: str | None
    spoil: Callable[[Image, np.random.Generator], object] | None = None
    buffers: int = 0
    rate: float = RATE


WAYS = (
    *(BlindedWay(f"{fault} {n}", f"feed.{fault}", spoil) for n, (fault, spoil) in enumerate(every_way())),
    *(BlindedWay(f"frozen {n}", f"feed.{Fault.FROZEN}", buffers=n) for n in (1, 4)),
    BlindedWay("slow", f"feed.{Fault.SLOW}", rate=SLOW),
    BlindedWay("fast", None, rate=FAST),
    *(BlindedWay(name, "camera.odd", lambda pixels, rng, odd=odd: odd) for name, odd in ODD.items()),
)


@dataclass
class CameraFault:
    """A fault that struck. reported_at: when it was told. judged: looks that reached the referee meanwhile. other: what
    else was told."""

    way: BlindedWay
    begin: float
    end: float
    reported_at: float | None = None
    judged: int = 0
    other: set[str] = field(default_factory=set)

    @property
    def wrong(self) -> str | None:
        """The fault in the way it went, None if there is none."""
        wanted = self.way.message_key is not None and self.end - self.begin >= LONG
        if wanted and (self.reported_at is None or self.reported_at - self.begin > WITHIN):
            return f"{self.way.name} at {self.begin:.1f} told at {self.reported_at}"
        if self.judged or self.other:
            return f"{self.way.name} at {self.begin:.1f}: {self.judged} judged, also told {sorted(self.other)}"
        return None


def short_game(seed: int, look: int) -> ActedGame:
    """Some sound turns, a stone of the wrong colour, a capture that is forgotten, and a resignation."""
    rng, game = random.Random(f"short {seed}"), ActedGame(board_of(SIZE), look, refereed=True)
    lone, corner = draw_layout(SIZE, rng).lone, (0, 1, SIZE)
    free = (point for point in lone if point not in corner)
    game.pause(SETTLE)
    for point in (next(free), corner[0], corner[1]):
        game.play(point)
    if seed % 3 == 0:
        _wrong_colour(game, next(free))
    game.play(next(free))
    if seed % 2:
        game.play(corner[2])
    else:
        _forget(game, corner[2], corner[0])
    for _ in range(rng.randint(1, 3)):
        game.play(next(free))
    _resign(game)
    return game


def _wrong_colour(game: ActedGame, point: int) -> None:
    """A stone of the opponent's appears, and is taken away."""
    player = game.to_play
    game.close(Put(player, opponent_of(player), point))
    game.expected.append(Expected(Status.UNEXPLAINED, game.turn + 1, None, None, points=(game.board.name(point),)))
    game.pause(2 * READ)
    game.act(Lift(player, (point,), Place.SUPPLY))


def _forget(game: ActedGame, point: int, left: int) -> None:
    """A captured stone is left on the board, and lifted when told."""
    player, name = game.to_play, game.board.name(point)
    game.close(Play(player, point, (left,)))
    game.pause(2 * READ)
    game.close(Lift(player, (left,), Place.OWN))
    game.rule(Status.UNFINISHED, name, (game.board.name(left),))
    game.expected.append(Expected(Status.LEGAL, game.turn, player, name))


def _resign(game: ActedGame) -> None:
    player = game.to_play
    game.expected.append(Expected(Status.LEGAL, game.turn + 1, player, None))
    game.result = f"{opponent_of(player).value}+R"
    game.act(Wait(READ))
    game.act(Press(player, Button.CALL, True))
    game.act(Press(player, Button.DONE))
    game.act(Wait(READ))
    game.act(Press(Colour.BLACK, Button.DONE))
    game.act(Press(Colour.WHITE, Button.DONE))


def set_up(number: int) -> tuple[int, Table]:
    """A look and its table: as any that is played at, its empty board is found in pictures as small as these."""
    for look in count(number, 1000):
        table = table_of(short_game(number, look).script, WIDTH, HEIGHT)
        if find_place(table.draw(BARE).pixels, SIZE) is not None:
            return look, table
    raise AssertionError


class Camera:
    """The camera, as the eyes have it."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
        self.over = threading.Event()

    def newest(self, timeout: float) -> Frame | None:
        """The next frame; None once there are no more."""
        frame = next(self._frames, None)
        if frame is None:
            self.over.set()
        return frame

    def close(self) -> None:
        """It stays open."""


class BlindedDay:
    """A box, its camera, and how they fared. first: the number of the first game, from which all is made. apart, lasts:
    seconds from one fault to the next, and of each. still: seconds for which nobody moves after one."""

    def __init__(
        self,
        folder: Path,
        first: int,
        many: int,
        apart: Span = APART,
        lasts: tuple[Span, ...] = 4 * (LASTS,) + (SHORT,),
        still: float = STILL,
    ) -> None:
        self._apart, self._lasts, self._still = apart, lasts, still
        self._rng, self._games = random.Random(f"blinded {first}"), range(first, first + many)
        self.t, self.played, self.wrong, self.faults = 0.0, 0, list[str](), list[CameraFault]()
        self._look, self._table = set_up(first)
        self._lamps, self._red_at = Lamps(), -STILL
        self._down = set[tuple[int, Button]]()
        self._camera = Camera(self._spoilt())
        evidence = Evidence(folder / FAULTS, lambda: self.t)
        self._camera_worker = CameraWorker(
            lambda: self._camera, TrackerConfig(), self, lambda: self.t, False, evidence, lambda: self.t
        )
        self._frames = KeyFrames(folder, self._camera_worker.frame_at, 20, self.fault)
        terms = Terms(Setup(rule_set("ultimate")), TableConfig(True))
        self._box = TableController(terms, Folder(folder), NoPanel(), self._publish, self._frames.queue_frame)

    def play(self) -> None:
        """All of it."""
        self._camera_worker.start()
        while not self._camera.over.wait(1.0) and self._camera_worker.is_alive:
            pass
        alive = {thread.name for thread in threading.enumerate()}
        self.wrong += [f"the thread {name} is dead" for name in ("eyes", "key frames") if name not in alive]
        self._camera_worker.stop()
        self._box.close()
        self._frames.close()
        if self._struck is not None:
            self._struck.end = min(self._struck.end, self.t)
        self.wrong += [wrong for struck in self.faults if (wrong := struck.wrong) is not None]

    # What the eyes tell, on its way to the box

    def handle_observation(self, observation: Observation) -> None:
        """A look: none may come of frames that are not well."""
        struck = self._struck
        slow = struck is not None and struck.way.rate == SLOW and struck.reported_at is None
        if struck is not None and struck.way.message_key is not None and observation.t >= struck.begin and not slow:
            struck.judged += 1
        self._box.handle_observation(observation)

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Pass on the camera's view of the table, or its fault."""
        self._box.sight(sight, t, fault)

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Pass on the positions of board and lids."""
        self._box.handle_positions(place, t)

    def fault(self, what: str, message: Message | None) -> None:
        """Pass on a fault of the box."""
        self._box.set_fault(what, message)

    # What players and spectators see

    def _publish(self, snapshot: TableSnapshot) -> None:
        signal = signal_of(snapshot)
        self._snapshot, self._lamps = snapshot, Lamps((str(signal.sides[0]), str(signal.sides[1])), str(signal.table))
        struck = self._struck
        if self._camera.over.is_set():
            return
        if snapshot.sight is Sight.LOST and struck is not None:
            keys = {fault.key for fault in snapshot.faults}
            if struck.way.message_key in keys and struck.reported_at is None:
                struck.reported_at = snapshot.t
            struck.other |= {key for key in keys if key != struck.way.message_key}
        elif snapshot.sight is Sight.LOST and self.t - self._ended > WITHIN:
            self.wrong.append(f"lost at {snapshot.t:.1f} without a fault")

    def _is_held(self) -> bool:
        """Return True if the players hold still: the camera is lost, or was just now. They finish presses first."""
        if self._snapshot is None:
            return False
        if self._snapshot.sight is Sight.LOST:
            self._red_at = self.t
        return not self._down and not self._snapshot.resigning and self.t - self._red_at < self._still

    # The table

    _snapshot: TableSnapshot | None = None
    _struck: CameraFault | None = None
    _ended = -WITHIN

    def _world(self) -> Iterator[Image]:
        """Yield the view of the table at t, frame by frame, for the whole day."""
        photographer, number = Photographer(self._table), 0
        for seed in self._games:
            game, began, scene = short_game(seed, self._look), self.t + 1 / RATE, None
            for happening in Performance(game.script, self._table, Tempo(RATE, 1.5), lambda: self._lamps).happenings():
                if isinstance(happening, Edge):
                    self._move(replace(happening, t=began + happening.t))
                elif isinstance(happening, SimulatedFrame):
                    scene, self.t = happening.scene, began + happening.t
                    number += 1
                    yield photographer.picture(scene, number)
                    while self._is_held():
                        began, self.t, number = began + 1 / RATE, self.t + 1 / RATE, number + 1
                        yield photographer.picture(scene, number)
            for _ in range(30 * RATE):
                if scene is None or (self._snapshot is not None and self._snapshot.phase is Phase.FINAL):
                    break
                self.t, number = self.t + 1 / RATE, number + 1
                yield photographer.picture(scene, number)
            self._compare(game, seed)

    def _move(self, edge: Edge) -> None:
        (self._down.add if edge.down else self._down.discard)((edge.side, edge.button))
        self.t = edge.t
        self._box.take_edge(edge)

    def _compare(self, game: ActedGame, seed: int) -> None:
        self.played += 1
        assert self._snapshot is not None
        status = status_of(self._snapshot)
        rulings = status["rulings"]
        assert isinstance(rulings, list)
        actual = [said_of(ruling) for ruling in reversed(rulings)]
        wanted = [wanted_of(expected) for expected in game.expected]
        if actual != wanted or status["result"] != game.result or self._snapshot.phase is not Phase.FINAL:
            self.wrong.append(f"game {seed} at {self.t:.1f}: {status['result']}, {actual} and not {wanted}")

    # The faults

    def _spoilt(self) -> Iterator[Frame]:
        """The frames as the camera gives them."""
        recent, due, ways = deque[Image](maxlen=4), self._rng.uniform(*self._apart), self._ways()
        came, number, noise = 0.0, 0, np.random.default_rng(self._look)
        for pixels in self._world():
            self._box.tick(self.t)
            number += 1
            if self._struck is not None and self.t >= self._struck.end:
                self._struck, self._ended, due = None, self.t, self.t + self._rng.uniform(*self._apart)
            if self._struck is None and self.t >= due:
                lasts = self._lasts[len(self.faults) % len(self._lasts)]
                self._struck = CameraFault(next(ways), self.t, self.t + self._rng.uniform(*lasts))
                self.faults.append(self._struck)
            way = self._struck.way if self._struck is not None else None
            if way is None:
                recent.append(pixels)
                yield Frame(pixels, self.t)
            elif way.spoil is not None:
                yield Frame(way.spoil(pixels, noise), self.t)  # type: ignore[arg-type]
            elif way.buffers:
                yield Frame(recent[number % way.buffers], self.t)
            elif way.rate > RATE:
                many = round(way.rate / RATE)
                yield from (Frame(with_grain(pixels, number * many + n), self.t + n / way.rate) for n in range(many))
            elif self.t - came < 1 / way.rate:
                continue
            else:
                yield Frame(pixels, self.t)
            came = self.t

    def _ways(self) -> Iterator[BlindedWay]:
        """All ways in a new order, again and again."""
        while True:
            yield from self._rng.sample(WAYS, len(WAYS))
