"""Plays every attack that once got through against a running box, and prints a line an attack.

    python -m tests.benchmarks.attack
    python -m tests.benchmarks.attack --tree ../before flips forged all

A line has the attack's name, how many of its cases held, its seconds, and the first case that got through; for clients
over the network (slow, phones, streams, greedy, all) what they cost. The box is a process of its own, met by its
command, its page and its folder alone, so that an older checkout (--tree) can be attacked in the same way. Everything
is seeded. Run it with nothing else going on; --share 0.2 plays a part of the cases. Exit 1 where one got through.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path

from tests.support import ROOT
from tests.support.attack import bombs, cameras, crowds, disks, doors, forgers, forms, halls, journals
from tests.support.attack.boxes import GOT_THROUGH, Attack, Ground, Outcome

ATTACKS: dict[str, Attack] = {
    "clock-back": journals.clock_back,
    "flips": journals.flips,
    "stick": journals.stick,
    "read-only": journals.read_only,
    "forged": forgers.forged,
    "unbegun": journals.unbegun,
    "orphans": journals.orphans,
    "odd-frames": cameras.odd_frames,
    "bad-cameras": cameras.bad_cameras,
    "forms": forms.forms,
    "settings": forms.settings,
    **{name: crowds.crowd(name) for name in crowds.CROWDS},
    "lock-out": doors.lock_out,
    "host": doors.host,
    "token": doors.token,
    "told-pin": doors.told_pin,
    "owned-pin": doors.owned_pin,
    "bombs": bombs.bombs,
    "utf16": bombs.utf16,
    "full": disks.full,
    "failing": disks.failing,
    "taken-away": disks.taken_away,
    "stick-gone": disks.stick_gone,
    "syncs": disks.syncs,
    "hall-memory": halls.memory,
    "hall-finals": halls.finals,
    "hall-trickle": halls.trickle,
    "hall-flood": halls.flood,
}
"""Every attack by its name."""


def main() -> int:
    """Attack, and print; 1 where anything got through."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--tree", type=Path, default=ROOT, metavar="FOLDER", help="the checkout attacked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the cases, so much is played")
    parser.add_argument("--patience", type=float, default=1.0, help="so many times as long may all take")
    parser.add_argument("--cases", action="store_true", help="print every case")
    args = parser.parse_args()
    unknown = [name for name in args.attacks if name not in ATTACKS]
    if unknown:
        parser.error(f"there is no attack {unknown[0]}")
    logging.basicConfig(level=logging.INFO if args.cases else logging.WARNING, format="  %(message).400s")
    outcomes = [played(name, args) for name in args.attacks or ATTACKS]
    return int(any(outcome.verdict == GOT_THROUGH for outcome in outcomes))


def played(name: str, args: argparse.Namespace) -> Outcome:
    """One attack, and its line."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="shinpan-attack-", ignore_cleanup_errors=True) as scratch:
        ground = Ground(args.tree.resolve(), Path(scratch), args.seed, args.share, args.patience)
        try:
            outcome = ATTACKS[name](ground)
        except (AssertionError, OSError) as error:
            outcome = Outcome()
            outcome.case(False, f"not played to its end: {error}")
    count = outcome.skipped or f"{outcome.held} of {outcome.tried} held"
    said = f"; {outcome.worst}" if outcome.worst else ""
    print(f"{name}: {outcome.verdict}, {count}, {time.monotonic() - begun:.0f} s{said}", flush=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
