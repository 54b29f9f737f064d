"""Adjourned and taken up on another table: `python -m tests.benchmarks.adjourned`.

Each number is a real game broken off at 20 to 250 stones at one box, which knows it by a journal on disk; the text of
the code on paper takes it to another box, before a drawn table of another wood, light and camera. There it is put back
with 0 to 5 mistakes: what the box points at is compared with them, and that no clock starts; then the mistakes are
mended, and the game has to go on. Of what is pointed at and is no mistake every point counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.benchmarks import ways
from tests.support.simulator.adjourned_games import play_adjourned


def all_of_them(args: argparse.Namespace) -> int:
    """Return the number of games that were not right."""
    counts = Counter[str]()
    for number in ways.numbers(args):
        with tempfile.TemporaryDirectory() as folder:
            one = play_adjourned(number, Path(folder))
        if not one.right:
            print(f"{number}: {one}", flush=True)
        counts += Counter(
            right=one.right, tables=1, stones=one.stones, wrong=one.mistakes, missed=one.missed, invented=one.invented
        )
        counts += Counter(lids=one.lids_wrong, told=one.lids_told)
    print(
        f"{counts['tables']} games of {counts['stones']} stones: {counts['right']} as they should be;"
        f" {counts['wrong']} points wrong, {counts['missed']} of them not pointed at,"
        f" {counts['invented']} others pointed"
        f" at; a prisoner missing at {counts['lids']}, told at {counts['told']}"
    )
    return counts["tables"] - counts["right"]


if __name__ == "__main__":
    sys.exit(ways.run(__doc__, {"taken-up": (all_of_them, 50)}, first=1))
