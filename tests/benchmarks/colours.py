"""Stones of any colour: are whole games under Kee's rules ruled as they were played?

    python -m tests.benchmarks.colours games [--many 9] [--turns 60] [--players 2 3 4 6]
    python -m tests.benchmarks.colours points [--many 30]

games: acted games at the drawn table, seen through the whole pipeline from pictures and buttons alone: each number is a
stone set and a light, three of either, played by so many players. The stones are shown first; of every game is told
whether it was ruled turn by turn as it was played, what else the box said, and whether stones were refused as too near.
points: random positions of six colours on 9, 13 and 19 lines, after the stones were shown; of every position how many
points are read sure and wrong, how many doubtful, and at how many tables the stones were refused as too near. Exit 1
if a game was ruled wrongly, or a point was sure and wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

import numpy as np

from referee.game.board import COLOURS
from tests.benchmarks.parts.several import LIGHTS, Several, SeveralTable, wrong
from tests.benchmarks.ways import Way, numbers, run
from vision.render.scene import Scene
from vision.render.table import Table
from vision.stones.reader import DOUBTFUL_BELOW
from vision.tracking.colour_enrolment import ColourEnrolment, ColourReader, enrolment_points, sample_colours
from web.language import ENGLISH

SETS = 3
WAYS = tuple(product(range(SETS), LIGHTS))
DENSITIES = (0.3, 0.6, 0.9)
LETTERS = np.array([".", *(colour.value for colour in COLOURS)])


def several(number: int, players: int, turns: int, size: int = 9) -> Several:
    """The game of this number."""
    stones, light = WAYS[number % len(WAYS)]
    return Several(players, turns, 1000 + number, size, stones, light)


def games(args: argparse.Namespace) -> int:
    """Play them; how many were ruled wrongly."""
    bad = 0
    for players, number in product(args.players, numbers(args)):
        game = several(number, players, args.turns)
        with tempfile.TemporaryDirectory() as folder:
            true_record, table, began = game.played(), SeveralTable.of(game, Path(folder)), time.process_time()
            table.play(game, true_record)
            took = time.process_time() - began
        faults = [*wrong(table, true_record), *_odd_rulings(table)]
        refused = table.observer.stone_palette.needs_stones
        bad += bool(faults) and not refused
        summary = f"refused: {_last_question(table)}" if refused else "; ".join(faults) or "as played"
        where = f"{players} players, stones {game.stones}, light {game.light}"
        print(f"{where}: {true_record.number} turns in {took:.0f} s, {summary}", flush=True)
    return bad


def _last_question(table: SeveralTable) -> str:
    return ENGLISH.sentence(table.asked[-1])


def _odd_rulings(table: SeveralTable) -> list[str]:
    """List the rulings of the box other than that a turn is legal."""
    return [f"turn {r.turn} {r.status.value}" for r in table.box.table.snapshot.rulings if r.status.value != "legal"]


def points(args: argparse.Namespace) -> int:
    """Read positions; how many points were sure and wrong."""
    wrong_points = doubts = every = refused = 0
    for number in numbers(args):
        size = (9, 13, 19)[number % 3]
        game = several(number, 6, 0, size)
        table, rng = Table(game.look), np.random.default_rng(number)
        teaching = _taught(table, size)
        if teaching.palette is None:
            refused += 1
            continue
        reader = ColourReader(teaching.palette)
        for frame, density in enumerate(DENSITIES):
            true = rng.choice(LETTERS, (size, size), p=[1 - density] + [density / 6] * 6)
            read = reader.read(table.draw(Scene(tuple(map("".join, true))), frame).pixels, table.view.grid)
            sure = read.max(axis=-1) >= DOUBTFUL_BELOW
            wrong_points += int(((LETTERS[read.argmax(axis=-1)] != true) & sure).sum())
            doubts, every = doubts + int((~sure).sum()), every + true.size
    share = doubts / max(every, 1)
    print(f"{every} points: {wrong_points} sure and wrong, {doubts} doubtful ({share:.1%}); stones refused: {refused}")
    return wrong_points


def _taught(table: Table, size: int) -> ColourEnrolment:
    cells = np.full(size**2, ".")
    for player, place in zip(COLOURS, enrolment_points(size, len(COLOURS)), strict=True):
        cells[list(place)] = player.value
    rows = tuple("".join(row) for row in cells.reshape(size, size))
    teaching = ColourEnrolment(size, len(COLOURS))
    for frame in range(2):
        teaching.take_samples(sample_colours(table.draw(Scene(rows), frame).pixels, table.view.grid))
    return teaching


PARSER = argparse.ArgumentParser()
PARSER.add_argument("--turns", type=int, default=60, help="placements a game, before the passes that end it")
PARSER.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 6], help="how many play")
RUNS: dict[str, Way] = {"games": (games, len(WAYS)), "points": (points, 30)}

if __name__ == "__main__":
    sys.exit(run(__doc__, RUNS, PARSER))
