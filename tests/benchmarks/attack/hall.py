"""Attack a hall with strangers at boxes' addresses, and with broken or hostile boxes.

    python -m tests.benchmarks.attack.hall
    python -m tests.benchmarks.attack.hall --tree ../before memory

200 strangers, boxes that trickle, boxes with thousands of results, challenges asked for by strangers, and boxes that
stream without end, and hostile message servers: the hall's memory, and how late a call at another table is on the wall.
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack
from tests.support.attack import halls
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    "memory": halls.memory,
    "trickle": halls.trickle,
    "finals": halls.finals,
    "challenges": halls.challenges,
    "flood": halls.flood,
    "messages": halls.messages,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
