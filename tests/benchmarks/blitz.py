"""A blitz on drawn tables in any light: is each stone told between two hands, and nothing that does not lie there?

    python -m tests.benchmarks.blitz drawn [--many 12] [--first 95000] [--turns 10] [--rate 10] [--gap 0.2]
    python -m tests.benchmarks.blitz filmed [--many 12] [--rate 30] ...
    python -m tests.benchmarks.blitz bare [--many 12] ...

Hands move and play; the board is bare for --gap seconds between two turns, and never longer. "In the gap": the board
with the stone was told before the next hand came. "Wrong": a point of an observation that was surely read and not so in
its frame. Exit 1 if there was one. drawn: the tracker sees every frame. filmed: every frame as a phone films it, and
the seconds from when a stone was free of the hand until it was told. bare: only the frames between hands are drawn,
and shown to the rule for such frames alone: a tenth of the time, and no rest in which a turn that was missed is told.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace

import numpy as np

from device.simulator.script import Wait
from device.simulator.stage import HEIGHT, WIDTH, Photographer
from device.simulator.table import Performance, SimulatedFrame, Tempo
from referee.game.observation import Observation
from tests.benchmarks.ways import Way, numbers, run
from tests.support.simulator.game_scripts import script_of, self_play
from tests.support.vision.phone_film import Phone
from vision.board.detect import find_place
from vision.camera.frame import Frame
from vision.render.looks import club_look
from vision.render.scene import Appearance
from vision.render.table import Table
from vision.stones.reader import DOUBTFUL_BELOW
from vision.tracking.glimpses import Glimpses
from vision.tracking.motion import board_view
from vision.tracking.reading import average, read_frame
from vision.tracking.tracker import BoardTracker, TrackerConfig
from vision.training.drawn_looks import random_look

SIZES = (9, 13, 19)
AT_FIRST_S = 2.5
"""Seconds for the board to be found and read."""


def play_drawn_games(args: argparse.Namespace) -> int:
    """Play so many games, and print what became of their turns; how many points were wrong."""
    total = Counter[str]()
    for seed in numbers(args):
        counts = play(seed, SIZES[seed % len(SIZES)], args)
        print(f"seed {seed}: {dict(sorted(counts.items()))}", flush=True)
        total += counts
    print(f"all: {dict(sorted(total.items()))}")
    return total["wrong"]


def play_filmed_games(args: argparse.Namespace) -> int:
    """Play so many games before a phone, and print when their turns were told; how many points were wrong."""
    total = Counter[str]()
    for seed in numbers(args):
        counts, waits = play_filmed(seed, SIZES[seed % len(SIZES)], args)
        print(f"seed {seed}: {[round(wait, 2) for wait in waits]} {dict(counts)}", flush=True)
        total += counts + Counter({"turns": len(waits), "within 0.2 s": sum(wait <= 0.2 for wait in waits)})
    print(f"all: {dict(sorted(total.items()))}")
    return total["wrong"]


def play_filmed(seed: int, size: int, args: argparse.Namespace) -> tuple[Counter[str], list[float]]:
    """Play one game; return what was wrong, and for each turn the seconds from the hand's leaving until it was told."""
    script = script_of(self_play(size, seed, args.turns, delays=False), size, seed)
    steps = ((Wait(AT_FIRST_S),), *script.steps, (Wait(AT_FIRST_S),))
    table = Table(choose_look(seed, size))
    performance = Performance(replace(script, steps=steps), table, Tempo(args.rate, args.gap))
    photographer, phone, observer = Photographer(table), Phone(seed), BoardTracker(TrackerConfig())
    counts, waits, free = Counter[str](), list[float](), dict[tuple[str, ...], float]()
    for moment in performance.happenings():
        if not isinstance(moment, SimulatedFrame):
            continue
        scene, number = moment.scene, round(moment.t * args.rate)
        picture = phone.film(photographer.picture(scene, number), moment.t, number)
        observation = observer.see(Frame(picture, moment.t))
        if scene.hand is None:
            free.setdefault(scene.rows, moment.t)
        if observation is not None:
            counts["wrong"] += count_wrong(observation, scene.rows)
            waits += [moment.t - t for t in list(free.values())[len(waits) :]]
    return counts, waits[1:]


def play(seed: int, size: int, args: argparse.Namespace) -> Counter[str]:
    """Play one game, and count what was told of it."""
    script = script_of(self_play(size, seed, args.turns, delays=False), size, seed)
    table = Table(choose_look(seed, size))
    performance = Performance(
        replace(script, steps=((Wait(AT_FIRST_S),), *script.steps)), table, Tempo(args.rate, args.gap)
    )
    photographer, observer, counts = Photographer(table), BoardTracker(TrackerConfig()), Counter[str]()
    bare_rows, is_told = None, True
    for moment in performance.happenings():
        if not isinstance(moment, SimulatedFrame):
            continue
        scene = moment.scene
        observation = observer.see(Frame(photographer.picture(scene, round(moment.t * args.rate)), moment.t))
        if observer.grid is None:
            if moment.t > AT_FIRST_S:
                return Counter({"board not found": 1})
            continue
        if scene.hand is None and scene.rows != bare_rows:
            is_turn = bare_rows is not None
            counts.update({"turns": is_turn, "in the gap": is_turn and is_told})
            bare_rows, is_told = scene.rows, False
        if observation is not None:
            counts["wrong"] += count_wrong(observation, scene.rows)
            is_told |= scene.hand is None
    return counts


def play_bare_games(args: argparse.Namespace) -> int:
    """Play so many games of which only frames without a hand are drawn; how many points were wrong."""
    total = Counter[str]()
    for seed in numbers(args):
        counts = play_bare(seed, SIZES[seed % len(SIZES)], args)
        print(f"seed {seed}: {dict(sorted(counts.items()))}", flush=True)
        total += counts
    print(f"all: {dict(sorted(total.items()))}")
    return total["wrong"]


def play_bare(seed: int, size: int, args: argparse.Namespace) -> Counter[str]:
    """Play one game, and count what the frames between two hands tell of it."""
    script, table = (
        script_of(self_play(size, seed, args.turns, delays=False), size, seed),
        Table(choose_look(seed, size)),
    )
    performance = Performance(replace(script, steps=((Wait(1.0),), *script.steps)), table, Tempo(args.rate, args.gap))
    photographer, glimpses, counts = Photographer(table), Glimpses(), Counter[str]()
    moments = [moment for moment in performance.happenings() if isinstance(moment, SimulatedFrame)]
    bare_rows = moments[0].scene.rows
    first = photographer.picture(moments[0].scene, 0)
    place = find_place(first, size)
    if place is None:
        return Counter({"board not found": 1})
    accepted, agreed, turns_seen = (
        board_view(first, place.grid),
        read_frame(first, place.grid, ()),
        set[tuple[str, ...]](),
    )
    for moment in moments:
        if moment.scene.hand is not None:
            glimpses.see_hand()
            continue
        if moment.scene.rows == bare_rows:
            continue
        image = photographer.picture(moment.scene, round(moment.t * args.rate))
        counts["turns"] += moment.scene.rows not in turns_seen
        turns_seen.add(moment.scene.rows)
        view = board_view(image, place.grid)
        if not glimpses.may_show_stones(view, accepted, moment.t):
            continue
        both = glimpses.find_agreement(view, accepted, read_frame(image, place.grid, ()), agreed)
        if both is not None:
            accepted, agreed = view, average(both, ())
            counts["in the gap"] += 1
            counts["wrong"] += count_wrong(agreed.to_observation(Frame(image, moment.t)), moment.scene.rows)
    return counts


def choose_look(seed: int, size: int) -> Appearance:
    """Return a well lit club table, or any other."""
    if seed % 2:
        return club_look(seed, size, WIDTH, HEIGHT)
    return random_look(np.random.default_rng([seed, 91]), size, WIDTH, HEIGHT)


def count_wrong(observation: Observation, rows: tuple[str, ...]) -> int:
    """Return the number of points that are surely read as something else than lies there."""
    pairs = zip(observation.points, "".join(rows), strict=True)
    return sum(max(sight) >= DOUBTFUL_BELOW and ".XO"[sight.index(max(sight))] != here for sight, here in pairs)


PARSER = argparse.ArgumentParser()
PARSER.add_argument("--turns", type=int, default=10, help="of each game")
PARSER.add_argument("--rate", type=float, default=10.0, help="frames a second")
PARSER.add_argument("--gap", type=float, default=0.2, help="seconds without a hand between two turns")
WAYS: dict[str, Way] = {
    "drawn": (play_drawn_games, 12),
    "filmed": (play_filmed_games, 12),
    "bare": (play_bare_games, 12),
}

if __name__ == "__main__":
    sys.exit(run(__doc__, WAYS, PARSER, first=95_000))
