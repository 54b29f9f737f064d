"""Whole club evenings, drawn as films and watched: is every game recorded as it was played, and nothing else?

    python -m tests.benchmarks.evening [--many 1] [--first 101] [--minutes 15] [--rate 10] [--games 6] [--films FOLDER]
    python -m tests.benchmarks.evening broken [--first 101] ...

An evening has six games on boards of three sizes, with pauses, people leaning over the board, moves taken back, boards
cleared, and a table used for coffee (tests/support/simulator/evenings.py). `shinpan watch` sees the film and nothing
else. Told are the records, the moves in them that were played in that order, moves that were not, and how many times
faster than real time it was: by the clock, and by the processor time that it took. broken: the same evening is watched
once to its end and once broken off three times, by Ctrl-C and by kill -9, and taken up again; records and report have
to be the same, byte by byte. --films keeps the films, and takes those that are there. Exit 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import cv2

from device.journal.event_log import LOG, sibling_path
from device.session.evening_store import NAME
from referee.game.turns import Turn
from referee.sgf.records import read_sgf
from tests.benchmarks.ways import Way, numbers, run
from tests.support import ROOT
from tests.support.simulator.evenings import ClubGame, Plan, film_evening, games_of

BREAKS = (signal.SIGINT, signal.SIGKILL, signal.SIGINT)
BROKEN_OFF = 130


@dataclass(frozen=True)
class EveningOutcome:
    """The outcome of an evening. right: moves that stand in the records as played, of how many. invented: moves in the
    records that were not played there."""

    games: int
    records: int
    right: int
    of: int
    invented: int

    @property
    def is_right(self) -> bool:
        """Return whether nothing is missing and nothing was invented."""
        return (self.games, self.right, self.invented) == (self.records, self.of, 0)

    def line(self) -> str:
        """In words."""
        share = self.right / max(1, self.of)
        return (
            f"{self.records} records of {self.games} games, {self.right} of {self.of} moves right ({share:.2%}), "
            f"{self.invented} that were not played"
        )


def main() -> int:
    """Watch what is asked for; 1 when something came out wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=15.0, help="about how long an evening lasts")
    parser.add_argument("--rate", type=float, default=10.0, help="frames a second")
    parser.add_argument("--games", type=int, default=6, help="how many games, six at most")
    parser.add_argument("--films", type=Path, metavar="FOLDER", help="keep films here, and take what is there")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell has background jobs ignore it.
    return run(__doc__, WAYS, parser, first=101)


def whole(args: argparse.Namespace) -> int:
    """Watch evenings to their end."""
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="shinpan-evening-") as scratch:
        for seed in numbers(args):
            film, games = _film(args, seed, Path(scratch))
            folder = Path(scratch) / f"watched-{seed}"
            timings, outcome = _watched(film, folder), _outcome(games, folder)
            wrong += not outcome.is_right
            print(f"evening {seed}: {outcome.line()}; {_speed(film, *timings)}", flush=True)
    return wrong


def broken(args: argparse.Namespace) -> int:
    """Break evenings off and take them up again."""
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="shinpan-evening-") as scratch:
        for seed in numbers(args):
            film, games = _film(args, seed, Path(scratch))
            once, thrice = Path(scratch) / f"once-{seed}", Path(scratch) / f"thrice-{seed}"
            lasted, _ = _watched(film, once)
            for number, how in enumerate(BREAKS, 1):
                _break_off(film, thrice, how, lasted * number / 12)
            _watched(film, thrice)
            outcome, same = _outcome(games, thrice), _files(once) == _files(thrice)
            wrong += not (same and outcome.is_right)
            print(f"evening {seed}, broken off three times: {outcome.line()}; {'the same' if same else 'NOT THE SAME'}")
    return wrong


def _film(args: argparse.Namespace, seed: int, scratch: Path) -> tuple[Path, list[ClubGame]]:
    plan, folder = Plan(seed, args.minutes, args.rate, args.games), args.films or scratch
    folder.mkdir(parents=True, exist_ok=True)
    film: Path = folder / f"evening-{seed}-{args.games}-{args.minutes:g}-{args.rate:g}.mp4"
    if not film.exists():
        draft = film.with_suffix(".draft.mp4")
        film_evening(plan, draft)
        draft.rename(film)
    return film, games_of(plan)


def _command(film: Path, folder: Path) -> subprocess.Popen[bytes]:
    words = (sys.executable, "-m", "device", "watch", str(film), "--rules", "chinese", "--evening", str(folder))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, **quiet)  # type: ignore[call-overload, no-any-return]


def _watched(film: Path, folder: Path) -> tuple[float, float]:
    """To the end; seconds by the clock and of the processor."""
    begun, spent = time.monotonic(), _spent()
    with _command(film, folder) as process:
        status = process.wait()
    if status:
        raise SystemExit(f"watching {film.name} ended with {status}")
    return time.monotonic() - begun, _spent() - spent


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _break_off(film: Path, folder: Path, how: signal.Signals, after: float) -> None:
    """Watch until something more is on disk and for so many seconds more, and end it."""
    store_path = folder / NAME
    before = _size(store_path)
    with _command(film, folder) as process:
        while process.poll() is None and _size(store_path) <= before + 1:
            time.sleep(0.05)
        time.sleep(after)
        if process.poll() is not None:
            raise SystemExit("it was over before it could be broken off; take a longer evening")
        process.send_signal(how)
        status = process.wait()
    if status not in (BROKEN_OFF, -how):
        raise SystemExit(f"broken off by {how.name} it ended with {status}")


def _size(store_path: Path) -> int:
    """The bytes on disk, with SQLite's log."""
    return sum(path.stat().st_size for path in (store_path, sibling_path(store_path, LOG)) if path.exists())


def _outcome(games: Sequence[ClubGame], folder: Path) -> EveningOutcome:
    records = [read_sgf(path.read_bytes(), "chinese")[1] for path in sorted(folder.glob("game-*.sgf"))]
    right = [_count_right(game.turns, turns) for game, turns in zip(games, records, strict=False)]
    of = sum(len(game.turns) for game in games)
    return EveningOutcome(len(games), len(records), sum(right), of, sum(map(len, records)) - sum(right))


def _count_right(played_turns: Sequence[Turn], recorded_turns: Sequence[object]) -> int:
    """Return how many moves of the record are those that were played, in that order."""
    return sum(
        block.size
        for block in SequenceMatcher(None, played_turns, recorded_turns, autojunk=False).get_matching_blocks()
    )


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != NAME}


def _speed(film: Path, clock: float, processor: float) -> str:
    capture = cv2.VideoCapture(str(film))
    lasts = capture.get(cv2.CAP_PROP_FRAME_COUNT) / capture.get(cv2.CAP_PROP_FPS)
    capture.release()
    times = f"{lasts / clock:.1f} times real time; {lasts / processor:.1f} by processor time"
    return f"{lasts / 60:.1f} minutes in {clock:.0f} s, {times}"


WAYS: dict[str, Way] = {"whole": (whole, 1), "broken": (broken, 1)}


if __name__ == "__main__":
    sys.exit(main())
