"""The first difference between two versions of what grows with a game: what comes before it need not be made again."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence


def common_length(before: Sequence[object], now: Sequence[object]) -> int:
    """Return the number of first items that are equal in both."""
    most = min(len(before), len(now))
    return most if before[:most] == now[:most] else next(k for k in range(most) if before[k] != now[k])


def first_difference(before: Mapping[int, object], now: Mapping[int, object]) -> int:
    """Return the lowest number under which these differ; `sys.maxsize` if they are equal."""
    if before.items() <= now.items():
        return min(now.keys() - before.keys(), default=sys.maxsize)
    numbers = before.keys() | now.keys()
    return min(n for n in numbers if n not in before or n not in now or before[n] != now[n])
