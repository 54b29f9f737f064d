"""The cost to a table of a hall that follows its box: from the hand's leaving to the lamps, by turns alone and
followed, while the hall is killed and the line to it is cut, held and slowed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from device.machine.identity import Identity, hall_secret
from tests.benchmarks.attack.crowds import CrowdedBox, crowded
from tests.support.attack.boxes import Ground
from tests.support.device.hall_program import HallProgram
from tests.support.hall.lines import Line, State

SETTLES = 3.0
"""Seconds after which a hall that has just started or ended no longer counts."""
TROUBLES = (None, State.CUT, State.HELD, State.SLOW)
"""None: the hall is killed and begins again."""
LASTS = (0.5, 3.0)
"""Seconds of a trouble, and of the time between two."""
ELSEWHERE = 19
"""The hall's priority: it stands for another machine."""


class Stretches(NamedTuple):
    """Milliseconds from hand to lamps of each turn, alone and followed; and how many troubles there were."""

    alone: list[float]
    followed: list[float]
    troubles: int


def hand_to_lamps(ground: Ground, games: int, seconds: float) -> Stretches:
    """So many games, each with a stretch of both kinds; which comes first changes from game to game."""
    stretches = Stretches([], [], 0)
    for game in range(games):
        with crowded(ground, f"game-{game}", ground.seed + game) as box:
            line, folder = Line(box.port), ground.folder(f"hall-{game}")
            hall = HallProgram(_listed(folder, box, line), folder / "hall", ELSEWHERE)
            if game % 2:
                stretches.alone.extend(_turns(box, seconds))
            with _followed(hall, line, ground.rng) as troubles:
                stretches.followed.extend(_turns(box, seconds))
            if not game % 2:
                stretches.alone.extend(_turns(box, seconds))
            stretches = stretches._replace(troubles=stretches.troubles + len(troubles))
    return stretches


def _listed(folder: Path, box: CrowdedBox, line: Line) -> Path:
    listed, data = folder / "tables.toml", box.data
    values = {"address": f"http://127.0.0.1:{line.port}/", "box": Identity(data).public, "secret": hall_secret(data)}
    lines = [f'folder = "{folder / "hall"}"', "[[tables]]", 'table = "1"', *(f'{k} = "{v}"' for k, v in values.items())]
    listed.write_text("\n".join(lines) + "\n")
    return listed


def _turns(box: CrowdedBox, seconds: float) -> list[float]:
    time.sleep(SETTLES)
    begun = time.monotonic()
    time.sleep(seconds)
    return box.lamps(begun, time.monotonic())


@contextmanager
def _followed(hall: HallProgram, line: Line, chance: random.Random) -> Iterator[list[State | None]]:
    """While a hall follows, with trouble after trouble; which there were."""
    over, happened = threading.Event(), list[State | None]()
    hall.start()
    trouble = threading.Thread(target=_trouble, args=(hall, line, chance, over, happened))
    trouble.start()
    try:
        yield happened
    finally:
        over.set()
        trouble.join()
        line.put(State.OPEN)
        hall.kill()


def _trouble(
    hall: HallProgram, line: Line, chance: random.Random, over: threading.Event, happened: list[State | None]
) -> None:
    while not over.wait(chance.uniform(*LASTS)):
        happened.append(state := chance.choice(TROUBLES))
        if state is None:
            hall.kill()
        else:
            line.put(state)
        over.wait(chance.uniform(*LASTS))
        if state is None:
            hall.start()
        line.put(State.OPEN)
