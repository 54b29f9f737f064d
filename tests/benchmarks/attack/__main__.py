"""Every attack of every kind, before a release.

python -m tests.benchmarks.attack
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack, camera, disk, files, hall, page, phones, update
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    f"{kind.__name__.rpartition('.')[2]}.{name}": one
    for kind in (files, camera, page, phones, disk, update, hall)
    for name, one in kind.ATTACKS.items()
}
"""Each by its kind and its name, such as `hall.memory`."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
