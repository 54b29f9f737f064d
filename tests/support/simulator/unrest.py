"""Films a script at a restless table: board and camera are knocked, lamps switched, and the exposure drifts.

What a knock or a lamp changes is drawn anew in full; exposure and the lamps' colour are laid over the drawn picture
as a camera's gains, in linear light.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import exp, pi, radians, sin
from pathlib import Path

import cv2
import numpy as np

from device.__main__ import main as shinpan
from device.simulator.script import Script
from device.simulator.stage import HEIGHT, WIDTH, Photographer
from device.simulator.table import POSE, RATE, Performance, SimulatedFrame, StepTruth, Tempo
from referee.game.board import board_of
from referee.game.turns import Placement, Turn
from tests.support.simulator.game_scripts import real_game, script_of, self_play
from vision.camera.frame import Image
from vision.render.looks import club_look
from vision.render.scene import Appearance, Lamp
from vision.render.table import Table

# Times at which the hands at a drawn table left it and released a button, as its log tells.


@dataclass
class Timings:
    """Wall times, seconds: hands gone before a `done`, that button let go, new rulings on the page."""

    stopped: list[float] = field(default_factory=list)
    released: list[float] = field(default_factory=list)
    ruled: list[float] = field(default_factory=list)


def watch_table(log: Path, timings: Timings) -> None:
    """Follow the log, in which a step stands as soon as its last frame was shown."""

    def watch() -> None:
        with log.open() as lines:
            for line in lines:
                step = json.loads(line)
                begun = time.monotonic() - step["t"]
                for press in step["presses"]:
                    if press["button"] == "done":
                        times, t = (
                            (timings.stopped, press["t"] - POSE) if press["down"] else (timings.released, press["t"])
                        )
                        times.append(begun + t)

    threading.Thread(target=watch, daemon=True).start()


TEMPO = Tempo(RATE, 1.5)
"""With five frames of a hand a move without captures takes 20 frames."""
WHEN = (3, 9, 17)
"""Frames after a hand has left: before the table has been read, after it, and while the next hand is there."""
DRIFT, PERIOD = 0.3, 37.0
"""The drift of the exposure (natural logarithm), and the seconds that it takes up and down."""


@dataclass(frozen=True)
class Change:
    """A new look of the table from a frame on: `frame` frames after the hand has left in a step, counted from 1.

    tint: gains of blue, green and red that a lamp's colour brings.
    """

    step: int
    frame: int
    name: str
    look: Appearance
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)


def restless(look: Appearance, steps: int, seed: int) -> list[Change]:
    """A lamp on, camera knocked, lamps off, board knocked, another colour, camera knocked back, spread over a game; by
    lot while the hand is there or while nobody plays."""
    chance = random.Random(f"unrest {seed}")
    lit = replace(look, lamps=(*look.lamps, _second_lamp(chance)))
    knocked = _camera_knocked(lit, chance)
    dim = replace(knocked, lamps=(), finish=replace(knocked.finish, exposure=0.6 * knocked.finish.exposure))
    pushed = _board_pushed(dim, chance)
    relit = replace(pushed, lamps=look.lamps, finish=look.finish)
    warm = exp(chance.choice((-1, 1)) * chance.uniform(0.15, 0.3))
    tint = (1 / warm, 1.0, warm**0.6)
    plan = (
        ("a lamp switched on", lit, (1.0, 1.0, 1.0)),
        ("the camera knocked", knocked, (1.0, 1.0, 1.0)),
        ("the lamps switched off", dim, (1.0, 1.0, 1.0)),
        ("the board pushed", pushed, (1.0, 1.0, 1.0)),
        ("a lamp of another colour", relit, tint),
        ("the camera knocked back", replace(relit, camera=look.camera), tint),
    )
    places = [round(steps * (number + chance.uniform(0.3, 0.9)) / len(plan)) for number in range(len(plan))]
    return [Change(step, chance.choice(WHEN), *one) for step, one in zip(places, plan, strict=True)]


def _second_lamp(chance: random.Random) -> Lamp:
    around, up = chance.uniform(0, 2 * pi), radians(chance.uniform(45, 70))
    flat = sin(pi / 2 - up)
    return Lamp((flat * sin(around), flat * sin(around + pi / 2), sin(up)), 0.35, 0.4)


def _camera_knocked(look: Appearance, chance: random.Random) -> Appearance:
    """Turned by a few degrees and shifted by up to 3% of the picture."""
    camera = look.camera
    roll = chance.choice((-1, 1)) * radians(chance.uniform(1, 4))
    shift = camera.shift[0] + chance.uniform(-0.02, 0.02), camera.shift[1] + chance.uniform(-0.03, 0.03)
    return replace(look, camera=replace(camera, roll=camera.roll + roll, shift=shift))


def _board_pushed(look: Appearance, chance: random.Random) -> Appearance:
    """Pushed by up to two thirds of a cell each way and turned a little, while the lids stay on the table."""
    x, y = (chance.choice((-1, 1)) * chance.uniform(0.2, 0.65) for _ in range(2))
    camera, cell = look.camera, look.camera.focal / look.camera.distance
    shift = camera.shift[0] + x * cell / look.width, camera.shift[1] + y * cell / look.height
    moved = replace(camera, shift=shift, roll=camera.roll + radians(chance.uniform(-1, 1)))
    return replace(look, camera=moved, lids_moved=(-x, -y))


def film_restless(script: Script, changes: Sequence[Change], out: Path) -> dict[int, float]:
    """Film the script, changes and all; when the hand was last seen in each step, seconds of film."""
    writer = cv2.VideoWriter(str(out), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (WIDTH, HEIGHT))
    left: dict[int, float] = {}
    for picture in _pictures(script, list(changes), left):
        writer.write(picture)
    writer.release()
    return left


def _pictures(script: Script, changes: list[Change], left: dict[int, float]) -> Iterator[Image]:
    """Every frame as the camera has it; `left` is filled in on the way."""
    table = Table(club_look(script.look, script.size, WIDTH, HEIGHT))
    performance, photographer = Performance(script, table, TEMPO), Photographer(table)
    step, frame, number, tint = 0, 0, 0, (1.0, 1.0, 1.0)
    for happening in performance.happenings():
        match happening:
            case StepTruth():
                step, frame = happening.step, 0
                left[step] = happening.t
            case SimulatedFrame(t, scene):
                while changes and (changes[0].step, changes[0].frame) <= (step, frame):
                    photographer, tint = Photographer(Table(changes[0].look)), changes.pop(0).tint
                gain = exp(DRIFT * sin(2 * pi * t / PERIOD))
                yield gain_light(photographer.picture(scene, number), [gain * part for part in tint])
                frame, number = frame + 1, number + 1


def gain_light(picture: Image, gains: Sequence[float]) -> Image:
    """The picture with its light multiplied, blue, green and red."""
    steps = np.linspace(0, 1, 256)[:, None] ** 2.2 * np.asarray(gains)
    table = np.clip(steps, 0, 1) ** (1 / 2.2) * 255 + 0.5
    return np.asarray(cv2.LUT(picture, table.astype(np.uint8)[None]), np.uint8)


# Games filmed at restless tables and watched from the film alone, and what `watch` said beside what was played.
#
# Seeded self-play with captures and delays, and on 19 lines every second one a real game. Hands play them on a drawn
# table; meanwhile lamps go on and off and change colour, camera and board are knocked, and the exposure drifts.

LENGTHS = {9: 60, 13: 80, 19: 100}
"""Turns of a game that are played, by the board's size."""
LineKey = tuple[object, ...]


@dataclass(frozen=True)
class Sitting:
    """A game to watch. real: the number of a real game, None for self-play with the seed."""

    size: int
    seed: int
    real: int | None = None

    @property
    def name(self) -> str:
        """The game in words."""
        return f"{self.size}x{self.size}, " + (f"seed {self.seed}" if self.real is None else f"real game {self.real}")

    def turns(self) -> tuple[Turn, ...]:
        """Return the turns that are played; skip the test if the real games are absent."""
        many = LENGTHS[self.size]
        return self_play(self.size, self.seed, many) if self.real is None else real_game(self.real, many)


@dataclass(frozen=True)
class Outcome:
    """The output of `watch` on a game, and the output it should have had. waits: seconds from the hand's leaving to the
    ruling, of placements and of delays; a delay is ruled on when the opponent goes on."""

    said: list[LineKey]
    wanted: list[LineKey]
    uncertain: int
    placements: list[float]
    delays: list[float]

    @property
    def right(self) -> bool:
        """Every turn in order and nothing else."""
        return self.said == self.wanted

    def differs(self) -> str:
        """The first ruling that is not what it should be."""
        pairs = enumerate(zip_longest(self.said, self.wanted), 1)
        return next(f"ruling {number} is {one}, not {other}" for number, (one, other) in pairs if one != other)


def sittings(sizes: Sequence[int], games: int, first: int) -> Iterator[Sitting]:
    """The games of each size in turn; on 19 lines every second one is a real game."""
    for seed in range(first, first + games):
        for size in sizes:
            yield Sitting(size, seed, 7 * seed if size == 19 and seed % 2 == 0 else None)


def outcome(sitting: Sitting, folder: Path) -> Outcome:
    """Film one game, watch it, and compare."""
    turns = sitting.turns()
    look = 100 * sitting.size + sitting.seed
    script, film = script_of(turns, sitting.size, look), folder / "film.avi"
    changes = restless(club_look(look, sitting.size, WIDTH, HEIGHT), len(turns), look)
    left = film_restless(script, changes, film)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        shinpan(["watch", str(film), "--rules", "ultimate"])
    return compared([json.loads(line) for line in output.getvalue().splitlines()], turns, left, sitting.size)


def compared(lines: list[dict[str, object]], turns: Sequence[Turn], left: dict[int, float], size: int) -> Outcome:
    """The lines beside what was played. left: when the hand left in each turn, counted from 1."""
    waits: dict[bool, list[float]] = {True: [], False: []}
    for line in lines:
        if line["status"] == "legal" and line["turn"] in left:
            waits["delay" in line].append(float(line["t"]) - left[line["turn"]])  # type: ignore[arg-type, index]
    wanted: list[LineKey] = [
        ("legal", number, turn.player.value, _named(turn, size)) for number, turn in enumerate(turns, 1)
    ]
    uncertain = sum(line["order"] is not None for line in lines)
    return Outcome([_parse_line(line) for line in lines], wanted, uncertain, waits[False], waits[True])


def _parse_line(line: dict[str, object]) -> LineKey:
    return line["status"], line["turn"], line["player"], line.get("place") or line.get("delay")


def _named(turn: Turn, size: int) -> str:
    return board_of(size).name(turn.point) if isinstance(turn, Placement) else "prisoner"
