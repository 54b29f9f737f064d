"""What late positions of random games are worth, and whether bounds by answers are right: ways of `worth`.

late: the last placements of random games to the end on 9x9, 13x13 and 19x19, at most 12 points undecided: how many
scores are known without a search, and in so many seconds of one core, and how wide the bounds of the others are.
frames: random corners within frames that live or have to live in the corner: the bounds that need no search against a
search that knows Benson's life alone and no answers.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable

from referee.analysis import FullSituation, Worth, worth
from tests.benchmarks.ways import Way
from tests.support.referee.framed import framed, searched
from tests.support.referee.playouts import late, undecided

SIDES = (9, 13, 19)
MOST_UNDECIDED = 12
LOOKS = 600
"""Times 16 boards that the search of a frame may look at."""


def solved(args: argparse.Namespace) -> int:
    """A line a size of board."""
    for side in SIDES:
        rng = random.Random(args.first)
        found = [_late(rng, side) for _ in range(args.many)]
        at_once = [worth(asked, lambda: False) for asked in found]
        in_time = [worth(asked, _within(args.seconds)) for asked in found]
        wide = [_width(value) for value in in_time if value.score is None]
        known = sum(value.score is not None for value in in_time)
        first = sum(value.score is not None for value in at_once)
        print(
            f"{side}x{side}: {first} of {args.many} scores known at once, {known} in {args.seconds:g} s each, ", end=""
        )
        print(f"{sum(value.exact for value in in_time)} with all costs; ", end="")
        print(f"widths {min(wide):g} to {max(wide):g}, median {statistics.median(wide):g}" if wide else "", flush=True)
    return 0


def _late(rng: random.Random, side: int) -> FullSituation:
    while undecided(found := late(rng, side)) > MOST_UNDECIDED:
        pass
    return found


def _within(seconds: float) -> Callable[[], bool]:
    end = time.process_time() + seconds
    return lambda: time.process_time() < end


def _width(value: Worth) -> float:
    low, high = value.bounds
    assert low is not None and high is not None
    return high - low


def frames(args: argparse.Namespace) -> int:
    """How many bounds are wrong."""
    rng, tally = random.Random(args.first), Counter[str]()
    for _ in range(args.many):
        asked = framed(rng)
        at_once, found = worth(asked, lambda: False), searched(asked, LOOKS)
        tally["corners"] += 1
        tally["known by search"] += found.score is not None
        tally["of these known at once"] += found.score is not None and at_once.score == found.score
        (low, high), (least, greatest) = at_once.bounds, found.bounds
        assert low is not None and high is not None and least is not None and greatest is not None
        if low > greatest or least > high:
            tally["wrong"] += 1
            print(asked, at_once.bounds, found.bounds)
    print(dict(tally))
    return tally["wrong"]


WAYS: dict[str, Way] = {"late": (solved, 30), "frames": (frames, 2000)}
