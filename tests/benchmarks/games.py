"""Whole games filmed at restless tables and watched from the film alone: `python -m tests.benchmarks.games`.

Six games each on 9, 13 and 19 lines under the rules of Ultimate Go: seeded self-play with captures and delays, and on
19 lines three of the 400 real games; of each the first turns, LENGTHS of them. Hands play them on a drawn table at 20
frames a move; meanwhile lamps go on and off and change colour, camera and board are knocked, and the exposure drifts
(tests/support/virtual/unrest.py). `watch` sees the film and nothing else. A game is right when every placement and
every delay was ruled legal, in order, and nothing else was ruled.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import pytest

from device.__main__ import main as shinpan
from device.virtual.stage import HEIGHT, WIDTH
from device.virtual.table import RATE
from referee.board import board_of
from referee.turns import Placement, Turn
from tests.support.virtual.played import real_game, script_of, self_play
from tests.support.virtual.unrest import film_restless, restless
from vision.render.looks import club_look

LENGTHS = {9: 60, 13: 80, 19: 100}
"""How many turns of a game are played."""
GAMES = 6
Said = tuple[object, ...]


@dataclass(frozen=True)
class Sitting:
    """A game to watch. real: the number of a real game, None for self-play with the seed."""

    size: int
    seed: int
    real: int | None = None

    @property
    def name(self) -> str:
        """What it is, in words."""
        return f"{self.size}x{self.size}, " + (f"seed {self.seed}" if self.real is None else f"real game {self.real}")

    def turns(self) -> tuple[Turn, ...]:
        """What is played; skips where the real games are absent."""
        many = LENGTHS[self.size]
        return self_play(self.size, self.seed, many) if self.real is None else real_game(self.real, many)


@dataclass(frozen=True)
class Outcome:
    """What `watch` said of a game, and what it should have said. waits: seconds from the hand's leaving to the ruling,
    of placements and of delays; a delay is ruled on when the opponent goes on."""

    said: list[Said]
    wanted: list[Said]
    uncertain: int
    placements: list[float]
    delays: list[float]

    @property
    def right(self) -> bool:
        """Every turn in order and nothing else."""
        return self.said == self.wanted

    def differs(self) -> str:
        """The first ruling that is not what it should be."""
        number = next(
            (n for n, (one, other) in enumerate(zip(self.said, self.wanted, strict=False)) if one != other), None
        )
        if number is None:
            number = min(len(self.said), len(self.wanted))
        said, wanted = (dict(enumerate(rulings)).get(number) for rulings in (self.said, self.wanted))
        return f"ruling {number + 1} is {said}, not {wanted}"


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
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(io.StringIO()):
        shinpan(["watch", str(film), "--rules", "ultimate"])
    return compared([json.loads(line) for line in heard.getvalue().splitlines()], turns, left, sitting.size)


def compared(lines: list[dict[str, object]], turns: Sequence[Turn], left: dict[int, float], size: int) -> Outcome:
    """The lines beside what was played. left: when the hand left in each turn, counted from 1."""
    waits: dict[bool, list[float]] = {True: [], False: []}
    for line in lines:
        if line["status"] == "legal" and line["turn"] in left:
            waits["delay" in line].append(float(line["t"]) - left[line["turn"]])  # type: ignore[arg-type, index]
    wanted: list[Said] = [
        ("legal", number, turn.player.value, _named(turn, size)) for number, turn in enumerate(turns, 1)
    ]
    uncertain = sum(line["order"] is not None for line in lines)
    return Outcome([_said(line) for line in lines], wanted, uncertain, waits[False], waits[True])


def _said(line: dict[str, object]) -> Said:
    return line["status"], line["turn"], line["player"], line.get("place") or line.get("delay")


def _named(turn: Turn, size: int) -> str:
    return board_of(size).name(turn.point) if isinstance(turn, Placement) else "prisoner"


def waited(name: str, waits: Sequence[float]) -> str:
    """Median and worst of these waits, in frames and in seconds of film."""
    if not waits:
        return f"{name}: none"
    middle, worst = statistics.median(waits), max(waits)
    return (
        f"{name} ({len(waits)}): {middle * RATE:.0f} frames ({middle:.1f} s) in the median, "
        f"{worst * RATE:.0f} ({worst:.1f} s) at worst"
    )


def main() -> int:
    """Watch the games and print each outcome and the waits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(LENGTHS), choices=list(LENGTHS))
    parser.add_argument("--games", type=int, default=GAMES, help="games of each size")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    outcomes = []
    for sitting in sittings(args.sizes, args.games, args.first):
        with contextlib.suppress(pytest.skip.Exception):
            outcomes.append(_told(sitting))
            continue
        print(f"{sitting.name}: left out, for the real games are not in ../shared/cases", flush=True)
    print(f"{sum(one.right for one in outcomes)} of {len(outcomes)} games: every turn in order and no other")
    print(waited("from the hand's leaving to the ruling on a placement", [t for o in outcomes for t in o.placements]))
    print(waited("... on a delay, which waits for the opponent's next turn", [t for o in outcomes for t in o.delays]))
    return 0 if all(one.right for one in outcomes) else 1


def _told(sitting: Sitting) -> Outcome:
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        one = outcome(sitting, Path(folder))
    delays = sum(said[-1] == "prisoner" for said in one.wanted)
    verdict = "right" if one.right else f"WRONG: {one.differs()}"
    print(
        f"{sitting.name}: {len(one.wanted)} turns, {delays} delays, {one.uncertain} marked uncertain, "
        f"{time.process_time() - started:.0f} s: {verdict}; {waited('waits', one.placements)}",
        flush=True,
    )
    return one


if __name__ == "__main__":
    sys.exit(main())
