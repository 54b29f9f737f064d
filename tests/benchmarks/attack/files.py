"""Attack a box with journals, bundles, settings and sticks from elsewhere.

    python -m tests.benchmarks.attack.files
    python -m tests.benchmarks.attack.files --tree ../before clock-back

Flipped bits, forged and orphaned journals, clocks set back, bombs, settings of any kind.
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack, forms, journals
from tests.benchmarks.parts import bombs, forgers
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    "clock-back": journals.clock_back,
    "flips": journals.flips,
    "stick": journals.stick,
    "forged": forgers.forged,
    "unbegun": journals.unbegun,
    "orphans": journals.orphans,
    "settings": forms.settings,
    "bombs": bombs.bombs,
    "utf16": bombs.utf16,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
