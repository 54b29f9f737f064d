"""Films a script at a restless table: board and camera are knocked, lamps switched, and the exposure drifts.

What a knock or a lamp changes is drawn anew in full; exposure and the lamps' colour are laid over the drawn picture
as a camera's gains, in linear light.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, pi, radians, sin
from pathlib import Path

import cv2
import numpy as np

from device.simulator.script import Script
from device.simulator.stage import HEIGHT, WIDTH, Photographer
from device.simulator.table import RATE, Performance, Shown, Tempo, Told
from vision.camera.frame import Image
from vision.render.looks import club_look
from vision.render.scene import Appearance, Lamp
from vision.render.table import Table

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
            case Told():
                step, frame = happening.step, 0
                left[step] = happening.t
            case Shown(t, scene):
                while changes and (changes[0].step, changes[0].frame) <= (step, frame):
                    photographer, tint = Photographer(Table(changes[0].look)), changes.pop(0).tint
                gain = exp(DRIFT * sin(2 * pi * t / PERIOD))
                yield gained(photographer.picture(scene, number), [gain * part for part in tint])
                frame, number = frame + 1, number + 1


def gained(picture: Image, gains: Sequence[float]) -> Image:
    """The picture with its light multiplied, blue, green and red."""
    steps = np.linspace(0, 1, 256)[:, None] ** 2.2 * np.asarray(gains)
    table = np.clip(steps, 0, 1) ** (1 / 2.2) * 255 + 0.5
    return np.asarray(cv2.LUT(picture, table.astype(np.uint8)[None]), np.uint8)
