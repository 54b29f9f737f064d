"""A blitz on drawn tables in any light: is each stone told between two hands, and nothing that does not lie there?

    python -m tests.benchmarks.blitz drawn [--many 12] [--first 95000] [--turns 10] [--rate 10] [--gap 0.2]
    python -m tests.benchmarks.blitz filmed [--many 12] [--rate 30] ...
    python -m tests.benchmarks.blitz bare [--many 12] ...

Hands move and play; the board is bare for --gap seconds between two turns, and never longer. "In the gap": the board
with the stone was told before the next hand came. "Wrong": a point of an observation that was surely read and not so in
its frame. Exit 1 if there was one. drawn: the tracker sees every frame. filmed: every frame as a phone films it, and
the seconds from when a stone was free of the hand until it was told, and by how many seconds the mark of a stone that a
single frame shows came before that ("early"). "Wrong marks": no such stone lay there in that frame; "marks gone": they
went before the stone was told. bare: only the frames between hands are drawn, and shown to the rule for such frames
alone: a tenth of the time, and no rest in which a turn that was missed is told.
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
from referee.game.board import COLOURS
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
from vision.tracking.glimpses import Glimpses, UnconfirmedStone
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
    total, all_leads = Counter[str](), list[float]()
    for seed in numbers(args):
        counts, waits, leads = play_filmed(seed, SIZES[seed % len(SIZES)], args)
        print(f"seed {seed}: {round_all(waits)} early {round_all(leads)} {dict(counts)}", flush=True)
        total += counts + Counter({"turns": len(waits), "within 0.2 s": sum(wait <= 0.2 for wait in waits)})
        total["early"] += sum(lead > 0 for lead in leads)
        all_leads += leads
    print(f"all: {dict(sorted(total.items()))}, early by {np.median(all_leads or [0]):.2f} s in the middle")
    return total["wrong"] + total["wrong marks"]


def round_all(seconds: list[float]) -> list[float]:
    """Return times as they are printed."""
    return [round(one, 2) for one in seconds]


def play_filmed(seed: int, size: int, args: argparse.Namespace) -> tuple[Counter[str], list[float], list[float]]:
    """Play one game; return what was wrong, and two figures for each turn, in seconds.

    The time from the hand's leaving until it was told, and that from its mark until it was told, 0 without a mark.
    """
    script = script_of(self_play(size, seed, args.turns, delays=False), size, seed)
    steps = ((Wait(AT_FIRST_S),), *script.steps, (Wait(AT_FIRST_S),))
    table = Table(choose_look(seed, size))
    performance = Performance(replace(script, steps=steps), table, Tempo(args.rate, args.gap))
    photographer, phone, observer = Photographer(table), Phone(seed), BoardTracker(TrackerConfig())
    counts, waits, free = Counter[str](), list[float](), dict[tuple[str, ...], float]()
    leads, marks = list[float](), MarkCheck()
    for moment in performance.happenings():
        if not isinstance(moment, SimulatedFrame):
            continue
        scene, number = moment.scene, round(moment.t * args.rate)
        picture = phone.film(photographer.picture(scene, number), moment.t, number)
        observation = observer.see(Frame(picture, moment.t))
        if scene.hand is None:
            free.setdefault(scene.rows, moment.t)
        lead = marks.see(observer.unconfirmed_stone, scene.rows, moment.t, observation is not None)
        if observation is not None:
            counts["wrong"] += count_wrong(observation, scene.rows)
            fresh = [moment.t - t for t in list(free.values())[len(waits) :]]
            waits, leads = waits + fresh, leads + [lead, *[0.0] * len(fresh)][: len(fresh)]
    counts += marks.counts
    return counts, waits[1:], leads[1:]


class MarkCheck:
    """The marks of one game's stones that only a single frame shows."""

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self._stone: UnconfirmedStone | None = None
        self._since = 0.0

    def see(self, stone: UnconfirmedStone | None, rows: tuple[str, ...], t: float, is_told: bool) -> float:
        """Return for how many seconds there was a mark when a frame tells what lies there, else 0."""
        lead = t - self._since if is_told and self._stone is not None else 0.0
        if stone == self._stone:
            return lead
        self.counts["marks gone"] += self._stone is not None and not is_told
        if stone is not None:
            self.counts["wrong marks"] += "XO"[COLOURS.index(stone.colour)] != "".join(rows)[stone.point]
        self._stone, self._since = stone, t
        return lead


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
