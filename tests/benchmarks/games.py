"""Whole games: is every turn ruled, in order, and nothing else?

    python -m tests.benchmarks.games restless [--many 6]
    python -m tests.benchmarks.games slips [--many 10]
    python -m tests.benchmarks.games gaps [--many 4]
    python -m tests.benchmarks.games judged

restless: games filmed at tables that do not rest (tests/support/simulator/unrest.py), at 20 frames a move; `watch`
sees the film and nothing else. slips: games of Ultimate Go with every kind of slip, filmed and watched, ruled as
scripted. gaps: stills with turns missing between them, in good light and in dim light with noise; of every game is
told whether its turns are all there in the right order, whether each that stands in another order is marked, and
whether the position is right at the end and after each look. judged: all 400 real games under three rule sets, with
20 illegal turns and whole cycles of captures put into each, without a camera. Exit 1 if a game was ruled wrongly.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product, zip_longest
from pathlib import Path

import pytest

from device.cli.watch import Watched
from device.simulator.stage import HEIGHT, WIDTH
from device.simulator.table import RATE
from referee.game.diagram import rows_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.game.turns import Turn
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import SourceEnded
from referee.table.table import TableConfig
from tests.benchmarks.parts import real_games
from tests.benchmarks.ways import Way, numbers, run
from tests.support.simulator.game_scripts import real_game, self_play
from tests.support.simulator.unrest import LENGTHS, Outcome, Sitting, outcome, sittings
from tests.support.simulator.watched import film_and_watch
from vision.camera.frame import Frame
from vision.render.looks import club_look
from vision.render.scene import Appearance as Appearance
from vision.render.scene import Scene
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

GAPS = (2, 3, 4, 5, 6, 8)
MANY = 60
RULES = "positional"
Sat = tuple[list[GameRecord], list[Observation | None]]


def main() -> int:
    """Play what is asked for; 1 when a game was ruled wrongly."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=list(LENGTHS), choices=list(LENGTHS))
    return run(__doc__, WAYS, parser, first=1)


def restless_games(args: argparse.Namespace) -> int:
    """Watch the games and print each outcome and the waits."""
    outcomes = []
    for sitting in sittings(args.sizes, args.many, args.first):
        with contextlib.suppress(pytest.skip.Exception):
            outcomes.append(_play_untouched(sitting))
            continue
        print(f"{sitting.name}: left out, for the real games are not in ../shared/cases", flush=True)
    print(f"{sum(one.right for one in outcomes)} of {len(outcomes)} games: every turn in order and no other")
    print(waited("from the hand's leaving to the ruling on a placement", [t for o in outcomes for t in o.placements]))
    print(waited("... on a delay, which waits for the opponent's next turn", [t for o in outcomes for t in o.delays]))
    return sum(not one.right for one in outcomes)


def _play_untouched(sitting: Sitting) -> Outcome:
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        one = outcome(sitting, Path(folder))
    delays = sum(expected[-1] == "prisoner" for expected in one.wanted)
    verdict = "right" if one.right else f"WRONG: {one.differs()}"
    print(
        f"{sitting.name}: {len(one.wanted)} turns, {delays} delays, {one.uncertain} marked uncertain, "
        f"{time.process_time() - started:.0f} s: {verdict}; {waited('waits', one.placements)}",
        flush=True,
    )
    return one


def waited(name: str, waits: Sequence[float]) -> str:
    """Median and worst of these waits, in frames and in seconds of film."""
    if not waits:
        return f"{name}: none"
    middle, worst = statistics.median(waits), max(waits)
    return (
        f"{name} ({len(waits)}): {middle * RATE:.0f} frames ({middle:.1f} s) in the median, "
        f"{worst * RATE:.0f} ({worst:.1f} s) at worst"
    )


def slips(args: argparse.Namespace) -> int:
    """Print each game's outcome, and where a ruling differs from the script."""
    wrong = 0
    for seed in numbers(args):
        size, started = args.sizes[seed % len(args.sizes)], time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            watched = film_and_watch(size, seed, Path(folder))
        wrong += not watched.right
        spent = time.perf_counter() - started
        verdict = "as scripted" if watched.right else "NOT as scripted"
        print(f"{size}x{size}, seed {seed}: {len(watched.lines)} rulings, {verdict}, {spent:.0f} s", flush=True)
        differ = (pair for pair in zip_longest(watched.ruled, watched.wanted) if pair[0] != pair[1])
        for actual, wanted in islice(differ, 1):
            print(f"   said {actual}\n   not  {wanted}", flush=True)
    print(f"{args.many - wrong} of {args.many} games ruled as scripted")
    return wrong


def judged(args: argparse.Namespace) -> int:
    """Judge real games with illegal turns and cycles put into them."""
    records = real_games.games()[: args.many]
    turns = sum(len(game["moves"]) for game in records)
    for rules in real_games.TAKEN_BACK:
        started, tally = time.perf_counter(), Counter[str]()
        for number, game in enumerate(records):
            tally += real_games.judged(rules, game, random.Random(number))
        spent = time.perf_counter() - started
        print(f"{rules}: {len(records)} games, {turns} turns, all legal; {dict(tally)}; {spent:.0f} s", flush=True)
        real_games.assert_all(rules, tally, len(records))
    return 0


@dataclass(frozen=True)
class GameOutcome:
    """The outcome of one game. looks: after how many of the looks the position was right."""

    ordered: bool
    marked: bool
    ended: bool
    looks: int
    of: int


def _records(turns: Sequence[Turn], size: int) -> list[GameRecord]:
    """The record after each number of turns."""
    records = [Setup(rule_set(RULES), size=(size, size)).record()]
    for turn in turns:
        after = judge(records[-1], turn).after
        assert after is not None
        records.append(after)
    return records


def looks(records: Sequence[GameRecord], look: Appearance) -> list[Observation | None]:
    """Return the observations of a still of every position."""
    table, observer = Table(look), BoardTracker(TrackerConfig(True, look.size))
    pictures = (table.draw(Scene(rows_of(record.position)), record.number).pixels for record in records)
    return [observer.see(Frame(pixels, float(number), str(number))) for number, pixels in enumerate(pictures)]


def followed(
    records: Sequence[GameRecord], observations: Sequence[Observation | None], gap: int, deep: bool = True
) -> GameOutcome:
    """Let the table hear one game with turns missing."""
    output, right, turns = io.StringIO(), 0, records[-1].turns
    table = Watched(Setup(rule_set(RULES)), TableConfig(deep=deep), None, None)
    numbers = [*range(0, len(turns), gap), len(turns)]
    with contextlib.redirect_stdout(output):
        for number in numbers:
            look = observations[number]
            if look is not None:
                table.handle(look)
            right += number > 0 and _rows(table) == rows_of(records[number].position)
        table.handle(SourceEnded(float(len(turns))))
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    made = table.referee.record.turns if table.referee else ()
    unsure = {line["turn"] for line in lines if line["order"] == "uncertain"}
    differ = {n for n, pair in enumerate(zip(made, turns, strict=False), 1) if pair[0] != pair[1]}
    ended = _rows(table) == rows_of(records[-1].position)
    return GameOutcome(made == tuple(turns), differ <= unsure, ended, right, len(numbers) - 1)


def _rows(table: Watched) -> tuple[str, ...]:
    return rows_of(table.referee.record.position) if table.referee else ()


def dim(look: Appearance) -> Appearance:
    """The same table in bad light: dark, noisy, a little out of focus."""
    return replace(look, finish=replace(look.finish, exposure=0.16, noise=7.0, blur=1.2, quality=70))


def gaps(args: argparse.Namespace) -> int:
    """Stills with turns missing: a line for every gap and light."""
    lights: tuple[tuple[str, Callable[[Appearance], Appearance]], ...] = (
        ("good light", lambda look: look),
        ("dim, noisy", dim),
    )
    wrong = 0
    for light, of in lights:
        started, sat = time.process_time(), []
        for size, seed, turns in gap_games(args):
            records = _records(turns, size)
            sat.append((records, looks(records, of(club_look(seed, size, WIDTH, HEIGHT)))))
        print(f"{light}: {doubts(sat)}; {time.process_time() - started:.0f} s", flush=True)
        for gap in GAPS:
            started = time.process_time()
            outcomes = [followed(records, observations, gap) for records, observations in sat]
            wrong += sum(not one.marked for one in outcomes)
            print(format_line(f"  {gap} turns between looks", outcomes, time.process_time() - started), flush=True)
    return wrong


def doubts(sat: Sequence[Sat]) -> str:
    """Describe how hard the looks are: how many there are, and how many points are read wrongly or not surely."""
    sights = [(record, look) for records, looks in sat for record, look in zip(records, looks, strict=True) if look]
    points = wrong = doubtful = 0
    for record, look in sights:
        read = BoardLikelihoods.from_sights(record.position.board, look.points)
        points += len(look.points)
        pairs = zip("".join(rows_of(read.likeliest)), "".join(rows_of(record.position)), strict=True)
        wrong += sum(one != other for one, other in pairs)
        doubtful += read.doubtful.bit_count()
    total = sum(len(looks) for _, looks in sat)
    return f"{len(sights)} of {total} stills are looks, {wrong} of {points} points read wrongly, {doubtful} doubtful"


def gap_games(args: argparse.Namespace) -> Iterator[tuple[int, int, tuple[Turn, ...]]]:
    """Size, seed and turns: self-play on 9 and 13 lines, real games on 19."""
    for seed, size in product(numbers(args), args.sizes):
        yield size, seed, real_game(seed * 11, 2 * MANY) if size == 19 else self_play(size, seed, MANY, delays=False)


def format_line(what: str, outcomes: Sequence[GameOutcome], seconds: float) -> str:
    """One line of the table."""
    right, looks = sum(one.looks for one in outcomes), sum(one.of for one in outcomes)
    return (
        f"{what}: {len(outcomes)} games, {sum(one.ended for one in outcomes)} with the right position at the end, "
        f"{sum(one.ordered for one in outcomes)} in the order played, "
        f"{sum(not one.marked for one in outcomes)} with a turn unmarked in another order; "
        f"position right after {right} of {looks} looks; {seconds:.0f} s"
    )


WAYS: dict[str, Way] = {
    "restless": (restless_games, 6),
    "slips": (slips, 10),
    "gaps": (gaps, 4),
    "judged": (judged, 400),
}


if __name__ == "__main__":
    sys.exit(main())
