"""Leaves out of a failing sequence whatever it fails without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Fails = Callable[[tuple[str, ...]], str | None]
"""Returns how a sequence fails, None where it does not."""


def shrink(acts: Sequence[str], fails: Fails) -> tuple[str, ...]:
    """Return the shortest sequence found that still fails, and as it did at first: leave out ever fewer acts in a row,
    then shorten what is waited for.

    fails: names the promise that is broken before a colon
    """
    kept = tuple(acts)
    kind = _kind(fails(kept))
    many = len(kept) // 2
    while many:
        start = 0
        while start < len(kept):
            tried = kept[:start] + kept[start + many :]
            if tried and _kind(fails(tried)) == kind:
                kept = tried
            else:
                start += many
        many = many // 2 if many > 1 or not _has_shrunk(kept, acts) else 0
        acts = kept
    return kept


def _has_shrunk(kept: Sequence[str], acts: Sequence[str]) -> bool:
    return len(kept) == len(acts)


def _kind(said: str | None) -> str | None:
    return None if said is None else said.partition(":")[0]
