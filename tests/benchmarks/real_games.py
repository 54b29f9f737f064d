"""All 400 real games under three rule sets, with 20 illegal turns and whole cycles of captures put into each.

`python -m tests.benchmarks.real_games`
"""

from __future__ import annotations

import random
import time
from collections import Counter

from tests.device.test_real_games import TAKEN_BACK, assert_all, games, judged


def main() -> None:
    played = games()
    turns = sum(len(game["moves"]) for game in played)
    for rules in TAKEN_BACK:
        started, tally = time.perf_counter(), Counter[str]()
        for number, game in enumerate(played):
            tally += judged(rules, game, random.Random(number))
        spent = time.perf_counter() - started
        print(f"{rules}: {len(played)} games, {turns} turns, all legal; {dict(tally)}; {spent:.0f} s", flush=True)
        assert_all(rules, tally, len(played))


if __name__ == "__main__":
    main()
