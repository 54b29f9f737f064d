"""The first difference between two versions of what grows with a game: what comes before it need not be made again.

Items that are the same objects in both, as nearly all of a game's are, are compared without a step in Python.

What is kept over that length has no class of its own, because no two keep the same thing. `/status.json` keeps a text a
turn. The record's text also depends on the line's end before it, and its turns on annotations and times; the history's
entries depend on rulings and times, and its newest versions are kept, not the newest one alone; the notes on when each
answer was given; and a connection keeps no values, but sends the difference.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence


def common_length(before: Sequence[object], now: Sequence[object]) -> int:
    """Return the number of first items that are equal in both."""
    length, most = 0, min(len(before), len(now))
    while length < most:
        middle = (length + most + 1) // 2
        if before[length:middle] == now[length:middle]:
            length = middle
        else:
            most = middle - 1
    return length


def first_difference(before: Mapping[int, object], now: Mapping[int, object]) -> int:
    """Return the lowest number under which these differ; `sys.maxsize` if they are equal."""
    old, new = list(before), list(now)
    common = min(common_length(old, new), common_length(list(before.values()), list(now.values())))
    changed_keys = {*old[common:], *new[common:]}
    return min((n for n in changed_keys if n not in before or n not in now or before[n] != now[n]), default=sys.maxsize)
