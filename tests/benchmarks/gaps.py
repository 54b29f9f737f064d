"""Several moves between two looks: what `watch` makes of stills with turns missing: `python -m tests.benchmarks.gaps`.

Seeded self-play with captures and real games are drawn still by still, one after every GAPS turns, in good light and in
dim light with noise. Of every game is told whether its turns are all there in the right order, whether each that stands
in another order is marked, whether the position is right at the end, and after how many of the looks it is right.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2

from device.commands.watch import Table as Watched
from device.virtual.stage import HEIGHT, WIDTH
from referee.diagram import rows_of
from referee.events import Observed, SourceEnded
from referee.legality import judge
from referee.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.look import Look
from referee.table.referee import Manner
from referee.turns import Turn
from tests.support.virtual.played import real_game, self_play
from vision.frame import Frame
from vision.observer import Looking, Observer
from vision.render.looks import club_look
from vision.render.scene import Look as Appearance
from vision.render.scene import Scene
from vision.render.table import Table

GAPS = (2, 3, 4, 5, 6, 8)
MANY = 60
RULES = "positional"
Sat = tuple[list[GameRecord], list[Observed | None]]


@dataclass(frozen=True)
class Followed:
    """What was made of one game. looks: after how many of the looks the position was right."""

    ordered: bool
    marked: bool
    ended: bool
    looks: int
    of: int


def records(turns: Sequence[Turn], size: int) -> list[GameRecord]:
    """The record after each number of turns."""
    found = [Setup(rule_set(RULES), size=(size, size)).record()]
    for turn in turns:
        after = judge(found[-1], turn).after
        assert after is not None
        found.append(after)
    return found


def looks(played: Sequence[GameRecord], look: Appearance) -> list[Observed | None]:
    """What is seen of a still of every position."""
    table, observer = Table(look), Observer(Looking(True, look.size))
    pictures = (table.draw(Scene(rows_of(record.position)), record.number).pixels for record in played)
    return [observer.see(Frame(pixels, float(number), str(number))) for number, pixels in enumerate(pictures)]


def followed(played: Sequence[GameRecord], seen: Sequence[Observed | None], gap: int, deep: bool = True) -> Followed:
    """Let the table hear one game with turns missing."""
    said, right, turns = io.StringIO(), 0, played[-1].turns
    table = Watched(Setup(rule_set(RULES)), Manner(deep=deep), None, None)
    shown = [*range(0, len(turns), gap), len(turns)]
    with contextlib.redirect_stdout(said):
        for number in shown:
            look = seen[number]
            if look is not None:
                table.hear(look)
            right += number > 0 and _rows(table) == rows_of(played[number].position)
        table.hear(SourceEnded(float(len(turns))))
    lines = [json.loads(line) for line in said.getvalue().splitlines()]
    made = table.referee.record.turns if table.referee else ()
    unsure = {line["turn"] for line in lines if line["order"] == "uncertain"}
    differ = {n for n, pair in enumerate(zip(made, turns, strict=False), 1) if pair[0] != pair[1]}
    ended = _rows(table) == rows_of(played[-1].position)
    return Followed(made == tuple(turns), differ <= unsure, ended, right, len(shown) - 1)


def _rows(table: Watched) -> tuple[str, ...]:
    return rows_of(table.referee.record.position) if table.referee else ()


def dim(look: Appearance) -> Appearance:
    """The same table in bad light: dark, noisy, a little out of focus."""
    return replace(look, finish=replace(look.finish, exposure=0.16, noise=7.0, blur=1.2, quality=70))


def main() -> int:
    """Print a line for every gap and light."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4, help="games of each kind")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    lights: tuple[tuple[str, Callable[[Appearance], Appearance]], ...] = (
        ("good light", lambda look: look),
        ("dim, noisy", dim),
    )
    for light, of in lights:
        started, sat = time.process_time(), []
        for size, seed, turns in games(args.games):
            played = records(turns, size)
            sat.append((played, looks(played, of(club_look(seed, size, WIDTH, HEIGHT)))))
        print(f"{light}: {doubts(sat)}; {time.process_time() - started:.0f} s", flush=True)
        for gap in GAPS:
            started = time.process_time()
            found = [followed(played, seen, gap) for played, seen in sat]
            print(told(f"  {gap} turns between looks", found, time.process_time() - started), flush=True)
    return 0


def doubts(sat: Sequence[Sat]) -> str:
    """How hard the looks are: how many there are, and how many of their points are read wrongly or not surely."""
    seen = [(record, look) for played, looks in sat for record, look in zip(played, looks, strict=True) if look]
    points = wrong = doubtful = 0
    for record, look in seen:
        read = Look.of(record.position.board, look.points)
        points += len(look.points)
        wrong += sum(
            a != b
            for one, two in zip(rows_of(read.likeliest), rows_of(record.position), strict=True)
            for a, b in zip(one, two, strict=True)
        )
        doubtful += read.doubtful.bit_count()
    total = sum(len(looks) for _, looks in sat)
    return f"{len(seen)} of {total} stills are looks, {wrong} of {points} points read wrongly, {doubtful} doubtful"


def games(many: int) -> Iterator[tuple[int, int, tuple[Turn, ...]]]:
    """Size, seed and turns: self-play on 9 and 13 lines, real games on 19."""
    for seed in range(1, many + 1):
        yield 9, seed, self_play(9, seed, MANY, delays=False)
        yield 13, seed, self_play(13, seed, MANY, delays=False)
        yield 19, seed, real_game(seed * 11, 2 * MANY)


def told(what: str, found: Sequence[Followed], seconds: float) -> str:
    """One line of the table."""
    right, looks = sum(one.looks for one in found), sum(one.of for one in found)
    return (
        f"{what}: {len(found)} games, {sum(one.ended for one in found)} with the right position at the end, "
        f"{sum(one.ordered for one in found)} in the order played, "
        f"{sum(not one.marked for one in found)} with a turn unmarked in another order; "
        f"position right after {right} of {looks} looks; {seconds:.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
