"""Random event sequences into the running appliance: is it ever stuck, is a result shown that the rules do not give?

    python -m tests.benchmarks.chaos --sequences 10000

Buttons in any order and rhythm, looks right, wrong, partial and from the past, lone edges, a camera that comes and
goes, restarts, and in every second sequence the director's acts as her page sends them: put into the appliance's queue
and heard by its own thread, journal and all. After each sequence the record is checked against the rules, and two
players end the game: that must always be possible. What the director does is answered in a sentence, whatever it is.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support.device.chaos import RunningPlayer, direct, run_chaos


def main() -> int:
    """Run the sequences; 1 when one of them broke a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    args = parser.parse_args()
    logging.disable()
    begun, results, broken = time.monotonic(), Counter[str](), 0
    for seed in range(args.first, args.first + args.sequences):
        with tempfile.TemporaryDirectory(prefix="shinpan-chaos-") as folder:
            player = RunningPlayer(Path(folder), seed)
            try:
                more = (direct,) if seed % 2 else ()
                run_chaos(player, random.Random(seed), args.events, more)
                results[str(player.box.snapshot.game.result)] += 1
            except AssertionError as error:
                broken += 1
                print(f"seed {seed}: {error}", flush=True)
            player.box.close()
    took = time.monotonic() - begun
    print(f"{args.sequences} sequences of {args.events} events, {broken} broken; {dict(results)}; {took:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
