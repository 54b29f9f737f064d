"""The sequences that a benchmark runs, by number."""

from __future__ import annotations

from tests.support.sequences.check import Check, check, check_played
from tests.support.sequences.handicaps import check_laid, laid
from tests.support.sequences.random_games import drawn, played
from tests.support.sequences.table import Agreement

KINDS = ((check, drawn), (check_played, played)) * 4 + ((check, drawn), (check_laid, laid))
"""How sequences are checked and made: of ten, five, four and one."""


def sequence_of(seed: int) -> tuple[Check, Agreement, tuple[str, ...]]:
    """Return the sequence of a seed, which no other seed has, and how it is checked."""
    checks, make = KINDS[seed % len(KINDS)]
    return checks, *make(seed // 2)  # Kinds take turns, and each draws games of two kinds by the parity of its seed.
