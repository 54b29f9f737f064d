"""Attack a running box from its network, and at the director's login.

    python -m tests.benchmarks.attack.page
    python -m tests.benchmarks.attack.page --tree ../before forms

Crowds of slow and greedy clients; PINs guessed; names that are not the box's; odd tokens, forms and acts.
"""

from __future__ import annotations

import sys

from tests.benchmarks.attack import attack, crowds, forms
from tests.support.attack.boxes import Attack

ATTACKS: dict[str, Attack] = {
    **{name: crowds.crowd(name) for name in crowds.CROWDS},
    "forms": forms.forms,
    "lock-out": forms.lock_out,
    "host": forms.host,
    "token": forms.token,
    "told-pin": forms.told_pin,
    "owned-pin": forms.owned_pin,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
