"""Attack a running box with a disk that fills, fails or is taken away.

    python -m tests.benchmarks.attack.disk
    python -m tests.benchmarks.attack.disk --tree ../before full

The disk full, EIO and ENOLCK in mid-game, the folder or the stick taken away, and how often the disk is written to.
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack
from tests.support.attack import disks, journals
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    "full": disks.full,
    "failing": disks.failing,
    "taken-away": disks.taken_away,
    "stick-gone": disks.stick_gone,
    "syncs": disks.syncs,
    "read-only": journals.read_only,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
