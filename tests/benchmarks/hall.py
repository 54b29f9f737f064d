"""How many tables does a hall carry? Boxes' pages that publish recorded games at natural speed, a hall, readers of it.

    python -m tests.benchmarks.hall tables [--tables 100] [--seconds 60] [--viewers 3] [--pace 1]

The boxes' pages serve in a few processes, each page at a port of its own; the hall is `shinpan hall`; the readers hear
of changes by `/events` and fetch `/tiles`, as static/hall.js does. Milliseconds are from the publishing of a Showing at
the box to the last byte of the tile in a reader's hand, the hall's processor time is from /proc. All of it shares this
machine's cores, so run it with nothing else going on, or with `nice -n -10`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np

from tests.support.hall.measured import Span, keep_games, latencies, measured


def figures(tables: int, span: Span) -> str:
    """A line of them."""
    took = latencies(span)
    lost, came = int(np.sum(np.isinf(took))), took[np.isfinite(took)]
    rate = sum(span.begun <= at < span.begun + span.seconds for at in span.published.values()) / span.seconds
    p50, p99 = np.quantile(came, (0.5, 0.99))
    return "; ".join(
        [
            f"{tables} tables, {rate:.1f} events a second, {len(span.seen)} viewers",
            f"box to wall {p50:.0f} ms, p99 {p99:.0f}, worst {came.max():.0f} of {len(came)}, {lost} never",
            f"hall {span.cpu / span.seconds:.1%} of a core, {span.memory / 1024:.0f} MB at most",
            f"{np.mean(span.sizes):,.0f} bytes an answer",
            f"load {os.getloadavg()[0]:.1f}",
        ]
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tables",))
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--viewers", type=int, default=3)
    parser.add_argument("--pace", type=float, default=1.0, help="so many times as fast as people play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=Path, default=Path("out/hall-games"), help="recorded there if they are not")
    args = parser.parse_args()
    args.games.parent.mkdir(parents=True, exist_ok=True)
    games = keep_games(args.games, args.seed)
    print(figures(args.tables, measured(games, args.tables, args.seconds, args.viewers, args.pace, args.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
