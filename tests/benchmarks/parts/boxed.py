"""A box at a drawn table of Ultimate Go: hands play and press, and its camera's thread has every frame, in order."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from device.journal.entries import Terms
from device.journal.replay import Folder
from device.panel.panel import Edge
from device.simulator.script import Press
from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, Tempo
from device.table.camera_worker import CameraWorker
from device.table.controller import TableController
from referee.game.board import COLOURS
from referee.game.messages import Message
from referee.game.observation import Observation
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight
from referee.table.events import Button
from referee.table.table import TableConfig
from tests.support.simulator.game_scripts import script_of, self_play
from tests.support.simulator.rehearsing import SeenLamps
from vision.calibration.model import Calibration
from vision.camera.frame import Frame
from vision.errors import CameraLost
from vision.render.scene import Appearance
from vision.render.table import Table
from vision.tracking.tracker import TrackerConfig
from vision.training.drawn_lids import any_lids
from vision.training.drawn_looks import random_look

SIZE, WIDTH, HEIGHT = 9, 960, 540
TEMPO = Tempo(5, 1.6)


class BoxedGame:
    """A game at a box. looks: new looks at a lid, how many confirm what it holds, and how many tell something else.

    is_told: the box tells its eyes what the record has in the lids.
    """

    def __init__(self, seed: int, turns: int, folder: Path, is_told: bool = True) -> None:
        self.looks, self._over = Counter[str](), threading.Event()
        self._played = self_play(SIZE, seed, turns)
        script = script_of(self._played, SIZE, seed)
        pairs = zip(script.steps, self._played, strict=True)
        script = replace(script, steps=tuple((*step, Press(turn.player, Button.DONE)) for step, turn in pairs))
        table, panel = Table(any_table(seed)), SeenLamps()
        self._performance = Performance(script, table, TEMPO, lambda: panel.lamps)
        self._photographer = Photographer(table)
        self._happenings = self._performance.happenings()
        self._newest: Observation | None = None
        self._pictures = 0
        config = TableConfig(refereed=True, black_side=script.black)
        self._worker = CameraWorker(lambda: self, TrackerConfig(), self, lambda: 0.0, once=True, wall=lambda: 0.0)
        hold_lids = self._worker.hold_lids if is_told else lambda contents, t: None
        terms = Terms(Setup(rule_set("ultimate")), config)
        self.box = TableController(terms, Folder(folder), panel, lambda snapshot: None, hold_lids=hold_lids)

    def play(self) -> Counter[str]:
        """Play it to its end; return its looks at lids, and its turns: those ruled as played, and others."""
        self._worker.start()
        self._over.wait()
        self._worker.stop()
        ruled = self.box.table.record.turns
        right = sum(one == other for one, other in zip(ruled, self._played, strict=False))
        self.box.close()
        return self.looks + Counter({"turns": len(self._played), "turns right": right, "wrong": len(ruled) - right})

    # The camera

    def newest(self, timeout: float) -> Frame | None:
        """Return the next frame, after what is pressed before it."""
        for happening in self._happenings:
            if isinstance(happening, Edge):
                self.box.take_edge(happening)
            elif isinstance(happening, SimulatedFrame):
                self.box.tick(happening.t)
                self._pictures += 1
                return Frame(self._photographer.picture(happening.scene, self._pictures), happening.t)
        raise CameraLost("The game is over.")

    def close(self) -> None:
        """Nothing is open."""

    # The camera's listener

    def handle_observation(self, observation: Observation) -> None:
        """Count the lids of a new look, and let the box judge it."""
        if self._newest is None or self._newest.lids is not observation.lids:
            for stones, sight in zip(self._performance.world.lids, observation.lids, strict=True):
                black, white = (sum(stone.colour is colour for stone in stones) for colour in COLOURS[:2])
                is_confirmed = sight.can_confirm(black, white)
                is_wrong = (sight.sure or sight.clear) and not is_confirmed
                self.looks.update({"lids": 1, "confirmed": is_confirmed, "told wrong": is_wrong})
        self._newest = observation
        self.box.handle_observation(observation)

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Pass the camera's state to the box; the game is over with the last frame."""
        if sight is Sight.LOST:
            self._over.set()
        self.box.sight(sight, t, fault)

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Pass the place of board and lids to the box."""
        self.box.handle_positions(place, t)


def any_table(seed: int) -> Appearance:
    """Return a table in any light with lids of any kind."""
    rng = np.random.default_rng([seed, 72])
    return any_lids(random_look(rng, SIZE, WIDTH, HEIGHT), rng)
