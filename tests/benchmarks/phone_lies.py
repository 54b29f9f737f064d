"""What phones gain that lie, and what honest ones lose: `python -m tests.benchmarks.phone_lies [SCHEDULES]`."""

from __future__ import annotations

import sys

from device.panel.phone import BELIEVED_S, STAMP_S
from tests.benchmarks.parts.phone_liars import figures_of

SCHEDULES = 100_000


def main() -> int:
    """Print the figures."""
    schedules = int(sys.argv[1]) if len(sys.argv) > 1 else SCHEDULES
    found = figures_of(range(schedules))
    print(f"{schedules} schedules: {found.presses[0]} presses of honest phones, {found.presses[1]} of liars")
    print(f"the most that one lie gained: {found.gained:.3f} s (bound {STAMP_S:g} s)")
    print(f"the most in ten minutes: {found.in_all:.3f} s (bound {BELIEVED_S:g} s)")
    print(f"honest presses within the bound: {found.within}; the most that one lost: {found.lost * 1000:.0f} ms")
    print(f"moved without a word: {found.untold}")
    print("\n".join(found.faults) or "all holds")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
