"""Attack a running box with odd frames and bad cameras.

    python -m tests.benchmarks.attack.camera
    python -m tests.benchmarks.attack.camera --tree ../before odd-frames

Frames of any shape, and cameras that stop, lie or change.
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack
from tests.support.attack import cameras
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    "odd-frames": cameras.odd_frames,
    "bad-cameras": cameras.bad_cameras,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
