"""Whole games of Ultimate Go as stills, judged by `shinpan watch`: how many turns are right, wait, or are wrong?

    python -m tests.benchmarks.stills drawn [--many 12] [--turns 40] [--sizes 9 13 19]
    python -m tests.benchmarks.stills weighed [--many 60] [--turns 40] [--without]
    python -m tests.benchmarks.stills pressed [--many 60] [--turns 40] [--without]
    python -m tests.benchmarks.stills followed [--many 60] [--turns 40] [--careless 0.1]
    python -m tests.benchmarks.stills boxed [--many 12] [--turns 40] [--without]
    python -m tests.benchmarks.stills looks [--many 60] [--rules ultimate fundamental chinese]
    python -m tests.benchmarks.stills laid --first 3 --turns 18 --sizes 9 --table 8012 --out FOLDER
    python -m vision.training.traced --out FOLDER --many 1 --seed 8012 --scenes FOLDER/scenes.jsonl
    python -m tests.benchmarks.stills traced --first 3 --turns 18 --sizes 9 --out FOLDER

A still after each turn; some of turns half done, some with a hand over the table, some missing. Each game is watched
twice, with `--black-lid` and without. drawn: on drawn tables, by turns a well lit one and any other. weighed: exact
looks at boards of 9 lines, beside which lids of five kinds are drawn, in any light, and read; --without: as if nobody
said how likely a count is. pressed: the same with buttons; how many turns are ruled at the first DONE, and how many a
DONE for nothing was taken for. followed: the same with lids whose stones stay where they lie but for those that a turn
adds or takes, followed as the tracker follows them; how many looks at a lid confirm what it holds, or another number;
--careless: with that share of turns after which the record has one stone too many or too few in a lid.
boxed: such lids at a box, from pictures of a drawn table and buttons alone; --without: the box does not tell its eyes
what the record has in the lids.
looks: no pictures, but random games on small boards, with looks left out so that turns hide each other. laid: writes
what the stills of one game show; the command after it traces them, and traced watches those. Exit 1 if a turn was
written that was not played.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from device.simulator.stage import HEIGHT, WIDTH
from referee.game.board import Colour
from referee.rules.sets import rule_set
from tests.benchmarks.parts.boxed import BoxedGame
from tests.benchmarks.parts.drawn_sights import DISHES, DrawnLids, FollowedLids, pressed_game, weighed_game
from tests.benchmarks.parts.stills import COUNTS, Stills, stills, watched
from tests.benchmarks.ways import Way, numbers, run
from tests.support.referee.skipped import Gaps, hidden_turns
from tests.support.simulator.game_scripts import self_play
from vision.calibration.model import Box
from vision.lids.count import in_reading_order
from vision.render.looks import club_look
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.training.drawn_looks import random_look
from vision.training.traced import truth
from vision.training.traced.chance import random_table

GAPS = (Gaps(0), Gaps(0.15), Gaps(0.3), Gaps(0.15, 0.4), Gaps(0.15, 0.4, 9, 60), Gaps(0.3, 0, 9, 60))
TWO = (Colour.BLACK, Colour.WHITE)


def watch_drawn(args: argparse.Namespace) -> int:
    """Draw the games and watch them; how many turns were wrong."""
    sums: dict[str, Counter[str]] = {}
    for seed in numbers(args):
        game = _game(args, seed)
        with tempfile.TemporaryDirectory() as folder:
            _draw(game, _look(seed, game.size), Path(folder))
            _watch(game, Path(folder), sums)
    return _print_sums(sums)


def _game(args: argparse.Namespace, seed: int) -> Stills:
    size = args.sizes[seed % len(args.sizes)]
    return stills(size, seed, self_play(size, seed, args.turns))


def _look(seed: int, size: int) -> Appearance:
    """A well lit club table, or any other."""
    if seed % 2:
        return club_look(seed, size, WIDTH, HEIGHT)
    return random_look(np.random.default_rng([seed, 91]), size, WIDTH, HEIGHT)


def _order(boxes: Sequence[Box]) -> list[int]:
    """The number from 0 of the side that each lid, by its box, belongs to."""
    return [in_reading_order(*boxes).index(box) for box in boxes]


def _draw(game: Stills, look: Appearance, folder: Path) -> None:
    table, order = Table(look), _order([Table.lid_box(look, lid) for lid in (0, 1)])
    for number, shot in enumerate(game.shots):
        scene = Scene(shot.rows, (shot.lids[order[0]], shot.lids[order[1]]), shot.hand)
        cv2.imwrite(str(folder / f"{number:03}.jpg"), table.draw(scene, number).pixels)


def print_layout(args: argparse.Namespace) -> int:
    """Write what the stills of one game show, for the renderer."""
    game, table = _game(args, args.first), random_table(args.table)
    order, scenes = _order([truth.project_dish_box(table, dish) for dish in table.lids]), []
    for shot in game.shots:
        counts = [[sum(one.colour is colour for one in lid) for colour in TWO] for lid in shot.lids]
        scenes.append({"rows": shot.rows, "lids": [counts[side] for side in order], "arm": shot.hand is not None})
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "scenes.jsonl").write_text("".join(f"{json.dumps(scene)}\n" for scene in scenes))
    print(f"{len(scenes)} scenes, {game.turns}")
    return 0


def looks(args: argparse.Namespace) -> int:
    """Judge exact looks with some left out, under every rule set; how many games have a wrong turn without a mark."""
    bad = 0
    for name, gaps in product(args.rules, GAPS):
        if gaps.unsure and rule_set(name).delays is None:
            continue
        games = [hidden_turns(name, seed, gaps) for seed in numbers(args)]
        became, wrong = sum((counts for counts, _ in games), Counter[str]()), [fault for _, fault in games if fault]
        bad += len(wrong)
        print(
            f"{name}, {gaps}: {became.total()} turns, {dict(became)}, {len(wrong)} games wrong {wrong[:2]}", flush=True
        )
    return bad


def weighed(args: argparse.Namespace) -> int:
    """Judge exact boards with drawn lids; how many games have a wrong turn without a mark."""
    sums, bad, marks = {dish: Counter[str]() for dish in DISHES}, 0, Counter[str]()
    for seed in numbers(args):
        game = weighed_game(seed, 9, args.turns, not args.without)
        sums[_dish(seed)] += game.turns
        marks += Counter({"inferred": game.inferred, "corrected": game.corrected})
        bad += bool(game.wrong)
        for fault in game.wrong[:1]:
            print(f"seed {seed}: {fault}", flush=True)
    for dish, counts in sums.items():
        print(f"{dish}: {counts.total()} turns, {dict(counts)}")
    total = sum(sums.values(), Counter[str]())
    print(f"all: {total.total()} turns, {dict(total)}; rulings {dict(marks)}; {bad} games wrong without a mark")
    return bad


def judge_presses(args: argparse.Namespace) -> int:
    """Judge presses at exact boards with drawn lids; how many games were judged wrongly."""
    return _judge_games(
        args, lambda seed: pressed_game(seed, 9, args.turns, DrawnLids(seed, _dish(seed), not args.without))
    )


def judge_followed(args: argparse.Namespace) -> int:
    """Judge presses with lids that are followed; how many games were judged wrongly, or confirmed a wrong number."""
    looks = Counter[str]()

    def play(seed: int) -> tuple[Counter[str], list[str]]:
        lids = FollowedLids(seed, _dish(seed), args.careless)
        counts, wrong = pressed_game(seed, 9, args.turns, lids)
        looks.update(lids.looks)
        print(f"seed {seed}, {_dish(seed)}: {dict(lids.looks)}", file=sys.stderr, flush=True)
        return counts, wrong

    bad = _judge_games(args, play)
    print(dict(looks))
    return bad + looks["told wrong"]


def judge_boxed(args: argparse.Namespace) -> int:
    """Play games at a box before a camera; how many turns were ruled wrongly, or lids told wrong."""
    total = Counter[str]()
    for seed in numbers(args):
        with tempfile.TemporaryDirectory() as folder:
            counts = BoxedGame(seed, args.turns, Path(folder), not args.without).play()
        print(f"seed {seed}: {dict(counts)}", file=sys.stderr, flush=True)
        total += counts
    print(dict(total))
    return total["wrong"] + total["told wrong"]


def _dish(seed: int) -> str:
    return DISHES[seed % len(DISHES)]


def _judge_games(args: argparse.Namespace, play: Callable[[int], tuple[Counter[str], list[str]]]) -> int:
    """Print what came of the presses in games of these seeds; how many games were judged wrongly."""
    total, bad = Counter[str](), 0
    for seed in numbers(args):
        counts, wrong = play(seed)
        total, bad = total + counts, bad + bool(wrong)
        for fault in wrong:
            print(f"seed {seed}: {fault}", flush=True)
    print(f"{dict(sorted(total.items()))}; {bad} games wrong")
    return bad


def traced(args: argparse.Namespace) -> int:
    """Watch the traced stills of a game; how many turns were wrong."""
    sums: dict[str, Counter[str]] = {}
    _watch(_game(args, args.first), args.out / "images", sums)
    return _print_sums(sums)


def _watch(game: Stills, folder: Path, sums: dict[str, Counter[str]]) -> None:
    """Watch a game in both ways; its outcomes are told and added."""
    for name, options in (("with --black-lid", ("--black-lid", str(game.black))), ("without", ())):
        outcome = watched(game, folder, *options)
        sums[name] = sums.get(name, Counter()) + outcome.counts
        print(f"{game.size}x{game.size}, seed {game.seed}, {name}: {_format_counts(outcome.counts)}", flush=True)
        for fault in outcome.faults:
            print(f"   {fault}", flush=True)


def _format_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[name]} {name}" for name in COUNTS if counts[name])


def _print_sums(sums: dict[str, Counter[str]]) -> int:
    for name, counts in sums.items():
        print(f"{name}: {counts.total()} turns: {_format_counts(counts)}")
    return sum(counts["wrong"] for counts in sums.values())


PARSER = argparse.ArgumentParser()
PARSER.add_argument("--turns", type=int, default=40, help="of each game")
PARSER.add_argument("--sizes", type=int, nargs="+", default=[9, 13, 19], help="lines of the boards, by turns")
PARSER.add_argument("--without", action="store_true", help="nobody says how likely a count is, for `weighed`")
PARSER.add_argument("--careless", type=float, default=0.0, help="of turns, for `followed`")
PARSER.add_argument("--rules", nargs="+", default=["ultimate", "fundamental", "chinese"], help="rule sets of `looks`")
PARSER.add_argument("--out", type=Path, help="the folder of a game that is traced")
PARSER.add_argument("--table", type=int, default=8041, help="the seed of the traced table")
RUNS: dict[str, Way] = {
    "boxed": (judge_boxed, 12),
    "drawn": (watch_drawn, 12),
    "followed": (judge_followed, 60),
    "looks": (looks, 60),
    "laid": (print_layout, 1),
    "pressed": (judge_presses, 60),
    "traced": (traced, 1),
    "weighed": (weighed, 60),
}

if __name__ == "__main__":
    sys.exit(run(__doc__, RUNS, PARSER, first=6000))
