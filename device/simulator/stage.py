"""Real-time playing of a script for the boxes that watch (see `serve`), or into a video and a file of presses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import cv2
import numpy as np

from device.panel.panel import Edge
from device.simulator.hub import Hub, Pace, Picture
from device.simulator.messages import Header, edge_as_json
from device.simulator.script import Script
from device.simulator.table import RATE, Happening, Performance, SimulatedFrame, StepTruth, Tempo, table_of
from referee.table.events import Pressed
from vision.camera.frame import Image
from vision.render.scene import Scene
from vision.render.table import Table

WIDTH, HEIGHT = 1280, 720
COPIES = 4
"""Renderings of a still table, each with its own noise; then they repeat with other grain."""


def film_script(script: Script, out: Path) -> None:
    """Play the script; write the video and the presses beside `out`."""
    table = table_of(script, WIDTH, HEIGHT)
    performance = Performance(script, table)
    writer = cv2.VideoWriter(f"{out}.avi", cv2.VideoWriter.fourcc(*"MJPG"), RATE, (WIDTH, HEIGHT))
    frames = (happening for happening in performance.happenings() if isinstance(happening, SimulatedFrame))
    for number, frame in enumerate(frames):
        writer.write(table.draw(frame.scene, number).pixels)
    writer.release()
    Path(f"{out}.presses.jsonl").write_text("".join(_press_line(press) + "\n" for press in performance.presses))


def _press_line(press: Pressed) -> str:
    return json.dumps(
        {"t": press.t, "side": press.side, "button": press.button.value} | ({"held": True} if press.is_held else {})
    )


class Photographer:
    """The renderer of frames: new scenes are drawn, and the pictures of a still table repeat in turn."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._scene: Scene | None = None
        self._pictures: list[Image] = []

    def picture(self, scene: Scene, number: int) -> Image:
        """Return the picture of the scene for frame `number`."""
        if scene != self._scene:
            self._scene, self._pictures = scene, []
        if len(self._pictures) < COPIES:
            self._pictures.append(self._table.draw(scene, number).pixels)
            return self._pictures[-1]
        return with_grain(self._pictures[number % COPIES], number)


def with_grain(picture: Image, number: int) -> Image:
    """Add noise in the lowest bits, because no sensor gives the same picture twice."""
    return np.asarray(picture ^ np.random.default_rng(number).integers(0, 2, picture.shape[1:], np.uint8), np.uint8)


@dataclass(frozen=True)
class Staging:
    """A script on its table.

    script: what is played
    table: the simulated table
    tempo: frames and rests
    speed: maximum simulated seconds per second
    """

    script: Script
    table: Table
    tempo: Tempo
    speed: float

    def rehearse(self) -> None:
        """Raise BadRecord if the script has an impossible step."""
        for _ in Performance(self.script, self.table, self.tempo).happenings():
            pass

    def play(self, hub: Hub, log: TextIO | None) -> None:
        """Show the first frame, wait for a box, play to the end, and then show the table forever."""
        pace, number = None, 0
        photographer = Photographer(self.table)
        for happening, is_over in _play_forever(Performance(self.script, self.table, self.tempo, lambda: hub.lamps)):
            if pace is not None:
                _wait(hub, pace, happening.t)
            match happening:
                case SimulatedFrame(t, scene):
                    if number == 0 or not hub.is_empty:
                        header = Header(number, t, self.table.look.width, self.table.look.height, is_over)
                        hub.show(Picture(header, photographer.picture(replace(scene, rim=hub.glows), number)))
                    else:
                        hub.show(None)
                    number += 1
                case Edge():
                    hub.push(happening)
                case StepTruth() if log is not None:
                    log.write(json.dumps(_truth_to_json(happening)) + "\n")
                    log.flush()
            pace = pace or _wait_for_box(hub, self.speed)


def _play_forever(performance: Performance) -> Iterator[tuple[Happening, bool]]:
    """Yield all events, each with whether the script is over."""
    for happening in performance.happenings():
        yield happening, False
    for frame in performance.still():
        yield frame, True


def _wait_for_box(hub: Hub, speed: float) -> Pace:
    """Wait until a box has the first frame; return the pace from then on."""
    with hub.changed:
        hub.changed.wait_for(lambda: hub.begun)
        return Pace(speed, hub.clock())


def _wait(hub: Hub, pace: Pace, t: float) -> None:
    """Wait until simulated time t is due."""
    with hub.changed:
        while (seconds := pace.wait(t, hub.clock(), hub.watcher())) > 0:
            hub.changed.wait(seconds)
        pace.note_time(t, hub.clock())


def _truth_to_json(truth: StepTruth) -> dict[str, object]:
    presses = [edge_as_json(edge) for edge in truth.presses]
    return {"t": truth.t, "step": truth.step, "rows": truth.rows, "lids": truth.lids, "presses": presses}
