"""Kill an update forty times in its middle, and check what is left behind.

    python -m tests.benchmarks.attack.update
    python -m tests.benchmarks.attack.update --tree ../before killed

Each at another line of it: which version runs, whether anything is lost, and whether the next try succeeds.
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack
from tests.support.attack import updates
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    "killed": updates.killed,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
