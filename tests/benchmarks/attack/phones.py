"""Attack a running box as a phone that is paired with it.

    python -m tests.benchmarks.attack.phones
    python -m tests.benchmarks.attack.phones --tree ../before lies flood

Presses stamped far back, presses without end, numbers beyond all bounds, pictures that take minutes to decode, and more
clocks than there are places.
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack
from tests.support.attack import phones
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    "lies": phones.lies,
    "flood": phones.flood,
    "numbers": phones.numbers,
    "scans": phones.scans,
    "clocks": phones.clocks,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
