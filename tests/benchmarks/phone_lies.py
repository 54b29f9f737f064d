"""What phones gain that lie, and what honest ones lose: `python -m tests.benchmarks.phone_lies [SCHEDULES]`."""

from __future__ import annotations

import sys

from device.panel.phone_presses import BELIEVED_S, STAMP_S
from tests.benchmarks.parts.phone_liars import figures_of

SCHEDULES = 100_000


def main() -> int:
    """Print the figures."""
    schedules = int(sys.argv[1]) if len(sys.argv) > 1 else SCHEDULES
    figures = figures_of(range(schedules))
    print(f"{schedules} schedules: {figures.presses[0]} presses of honest phones, {figures.presses[1]} of liars")
    print(f"the most that one lie gained: {figures.gained:.3f} s (bound {STAMP_S:g} s)")
    print(f"the most in ten minutes: {figures.in_all:.3f} s (bound {BELIEVED_S:g} s)")
    print(f"honest presses within the bound: {figures.within}; the most that one lost: {figures.lost * 1000:.0f} ms")
    print(f"moved without a word: {figures.untold}")
    print("\n".join(figures.faults) or "all holds")
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
