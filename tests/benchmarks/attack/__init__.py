"""Attacks that once got through, against running programs; each kind is a command of its own.

A line has the attack's name, how many of its cases held, its seconds, and the first case that got through; where
something is measured, the figures. The programs are processes of their own, met by their commands, pages and folders
alone, so that an older checkout (--tree) can be attacked in the same way. Everything is seeded. Run it with nothing
else going on; --share 0.2 plays a part of the cases. Exit 1 where one got through.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.support import ROOT
from tests.support.attack.boxes import GOT_THROUGH, Attack, Ground, Outcome


def attack(attacks: Mapping[str, Attack], description: str | None) -> int:
    """Attack as the command's words say, and print; 1 where anything got through.

    attacks: each by its name
    description: of the command
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(attacks))
    parser.add_argument("--tree", type=Path, default=ROOT, metavar="FOLDER", help="the checkout attacked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the cases, so much is played")
    parser.add_argument("--patience", type=float, default=1.0, help="so many times as long may all take")
    parser.add_argument("--cases", action="store_true", help="print every case")
    args = parser.parse_args()
    unknown = [name for name in args.attacks if name not in attacks]
    if unknown:
        parser.error(f"there is no attack {unknown[0]}")
    logging.basicConfig(level=logging.INFO if args.cases else logging.WARNING, format="  %(message).400s")
    outcomes = [_play_attack(name, attacks[name], args) for name in args.attacks or attacks]
    return int(any(outcome.verdict == GOT_THROUGH for outcome in outcomes))


def _play_attack(name: str, play: Attack, args: argparse.Namespace) -> Outcome:
    """One attack, and its line."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="shinpan-attack-", ignore_cleanup_errors=True) as scratch:
        ground = Ground(args.tree.resolve(), Path(scratch), args.seed, args.share, args.patience)
        try:
            outcome = play(ground)
        except (AssertionError, OSError) as error:
            outcome = Outcome()
            outcome.case(False, f"not played to its end: {error}")
    count = outcome.skipped or f"{outcome.held} of {outcome.tried} held"
    worst = f"; {outcome.worst}" if outcome.worst else ""
    print(f"{name}: {outcome.verdict}, {count}, {time.monotonic() - begun:.0f} s{worst}", flush=True)
    return outcome
