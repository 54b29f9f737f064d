"""A drawn table that is played step by step, and a fake camera of Chromium that looks at it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from device.simulator.script import Script
from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, StepTruth, Tempo, table_of
from tests.support.phones import RATE
from vision.camera.frame import Image
from vision.render.scene import Scene

GRAIN = 9
"""Grey levels of a sensor's noise: without it a still table gives the same picture twice, as a hung camera does."""


class DrawnTable:
    """A drawn table that is seen RATE times a second until it is closed.

    script: the steps that are played.
    offer: takes each picture.
    rows: the position after each step, the table at rest first; filled as `steps` are.
    """

    def __init__(self, script: Script, offer: Callable[[Image], None], width: int = 800, height: int = 450) -> None:
        self._offer = offer
        table = table_of(script, width, height)
        self._photographer, self._number = Photographer(table), 0
        self.rows = list[tuple[str, ...]]()
        self.steps = self._scenes(Performance(script, table, Tempo(RATE, 1.0)))
        self._scene, self._chance = self.steps[0][-1], np.random.default_rng(1)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def play(self, step: int) -> None:
        """Let a step be made, in its own time."""
        for scene in (*self.steps[step], self.steps[step + 1][0]):  # Then the hand has gone.
            self._scene = scene
            time.sleep(1 / RATE)

    def close(self) -> None:
        """Send no more."""
        self._over.set()
        self._thread.join()

    def _send(self) -> None:
        due = time.monotonic()
        while not self._over.wait(max(due - time.monotonic(), 0)):
            self._number, due = self._number + 1, max(due + 1 / RATE, time.monotonic())
            pixels = self._photographer.picture(self._scene, self._number)
            pixels = cv2.add(pixels, self._chance.integers(0, GRAIN, pixels.shape, np.uint8))
            self._offer(np.asarray(pixels, np.uint8))

    def _scenes(self, performance: Performance) -> list[list[Scene]]:
        """Return what the camera sees during each step; first the table at rest."""
        steps = [list[Scene]()]
        for happening in performance.happenings():
            if isinstance(happening, StepTruth):
                steps.append([])
                self.rows.append(happening.rows)
            elif isinstance(happening, SimulatedFrame):
                steps[-1].append(happening.scene)
        return steps[:-1] if not steps[-1] else steps


class LiveFilm:
    """A film of one picture in Y4M, which Chromium's fake camera plays again and again, and which changes meanwhile."""

    def __init__(self, file: Path, width: int, height: int) -> None:
        head = f"YUV4MPEG2 W{width} H{height} F{2 * RATE}:1 Ip A1:1 C420jpeg\nFRAME\n".encode()
        self._begins, self.file = len(head), file
        file.write_bytes(head + bytes(width * height * 3 // 2))
        self._open = os.open(file, os.O_WRONLY)

    def put(self, pixels: Image) -> None:
        """Let the camera see this picture."""
        os.pwrite(
            self._open, np.ascontiguousarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420)).tobytes(), self._begins
        )

    def close(self) -> None:
        """Change it no more."""
        os.close(self._open)
