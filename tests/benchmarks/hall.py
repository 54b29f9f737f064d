"""Load tests of a hall: boxes' pages that publish recorded games at natural speed, a hall, readers of it.

    python -m tests.benchmarks.hall tables [--tables 100] [--seconds 60] [--viewers 3] [--pace 1]
    python -m tests.benchmarks.hall chaos [--tables 6] [--halls 50] [--boxes 100] [--lines 100]
    python -m tests.benchmarks.hall lamps [--played 8] [--stretch 15]

The boxes' pages serve in a few processes, each page at a port of its own; the hall is `shinpan hall`; the readers hear
of changes by `/events` and fetch `/tiles`, as static/hall.js does. Milliseconds are from the publishing of a snapshot
at the box to the last byte of the tile in a reader's hand, the hall's processor time is from /proc. All of it shares
this machine's cores, so run it with nothing else going on, or with `nice -n -10`.

In the chaos, hall and boxes are killed, lines between them cut, held and slowed, a third of the clocks set back, and a
box swapped for another, while games are played. Every result in the boxes' journals has to be in the hall's, once and
at its table, and every call on the wall five seconds after nothing is in its way.

lamps: tables play before boxes, each by turns alone and followed by a hall that is killed and whose line is cut, held
and slowed; milliseconds from the hand's leaving to the lamps. Exit 1 if the median is more than a tenth longer.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.attack.crowds import NEAR
from tests.benchmarks.parts.hall.measured import Span, keep_games, latencies, measured
from tests.benchmarks.parts.hall.storm import Storm, Weather
from tests.benchmarks.parts.hand_to_lamps import hand_to_lamps
from tests.support import ROOT
from tests.support.attack.boxes import Ground


def figures(tables: int, span: Span) -> str:
    """A line of them."""
    took = latencies(span)
    lost_count, came = int(np.sum(np.isinf(took))), took[np.isfinite(took)]
    rate = sum(span.begun <= at < span.begun + span.seconds for at in span.published.values()) / span.seconds
    p50, p99 = np.quantile(came, (0.5, 0.99))
    return "; ".join(
        [
            f"{tables} tables, {rate:.1f} events a second, {len(span.seen)} viewers",
            f"box to wall {p50:.0f} ms, p99 {p99:.0f}, worst {came.max():.0f} of {len(came)}, {lost_count} never",
            f"hall {span.cpu / span.seconds:.1%} of a core, {span.memory / 1024:.0f} MB at most",
            f"{np.mean(span.sizes):,.0f} bytes an answer",
            f"load {os.getloadavg()[0]:.1f}",
        ]
    )


def chaos(tables: int, weather: Weather, seed: int) -> int:
    """1 where anything was lost, doubled, at the wrong table or late."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="shinpan-storm-") as scratch:
        storm = Storm(Path(scratch), tables, seed)
        try:
            storm.start()
            storm.blow(weather)
            tally = storm.end()
        finally:
            storm.close()
    for what in ("lost", "twice", "wrong", "late"):
        for one in getattr(tally, what):
            print(f"{what}: {one}")
    print(
        f"{weather}, {tables} tables, {time.monotonic() - begun:.0f} s: "
        f"{tally.results} results, {len(tally.lost)} lost, "
        f"{len(tally.twice)} twice, {len(tally.wrong)} wrong; {tally.calls} calls, {len(tally.late)} late; "
        f"the other box told {tally.alarms} times"
    )
    return 1 if tally.broken else 0


def lamps(games: int, seconds: float, seed: int) -> int:
    """1 where a hall makes the players wait."""
    with tempfile.TemporaryDirectory(prefix="shinpan-lamps-", ignore_cleanup_errors=True) as scratch:
        stretches = hand_to_lamps(Ground(ROOT, Path(scratch), seed), games, seconds)
    alone, followed = (np.quantile(turns, (0.5, 0.99)) for turns in (stretches.alone, stretches.followed))
    print(
        f"hand to lamps: alone {alone[0]:.0f} ms, p99 {alone[1]:.0f}, of {len(stretches.alone)} turns; followed "
        f"{followed[0]:.0f} ms, p99 {followed[1]:.0f}, of {len(stretches.followed)}, with {stretches.troubles} troubles"
    )
    return int(followed[0] > (1 + NEAR) * alone[0])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tables", "chaos", "lamps"))
    parser.add_argument("--tables", type=int, default=None, help="100, or 6 in the chaos")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--viewers", type=int, default=3)
    parser.add_argument("--pace", type=float, default=1.0, help="so many times as fast as people play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=Path, default=Path("out/hall-games"), help="recorded there if they are not")
    parser.add_argument("--played", type=int, default=8, help="lamps: so many games")
    parser.add_argument("--stretch", type=float, default=15.0, help="lamps: seconds alone, and followed, of each game")
    for what, often in (("halls", 50), ("boxes", 100), ("lines", 100)):
        parser.add_argument(f"--{what}", type=int, default=often, help="in the chaos, so many are killed, or troubled")
    args = parser.parse_args()
    if args.what == "chaos":
        return chaos(args.tables or 6, Weather(args.halls, args.boxes, args.lines), args.seed)
    if args.what == "lamps":
        return lamps(args.played, args.stretch, args.seed)
    tables = args.tables or 100
    args.games.parent.mkdir(parents=True, exist_ok=True)
    games = keep_games(args.games, args.seed)
    print(figures(tables, measured(games, tables, args.seconds, args.viewers, args.pace, args.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
