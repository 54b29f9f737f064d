"""The stones expected in each lid, as given to `look --expect`, and whether a lid confirms them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from vision.lids.count import LidReading
from vision.tracking.reading import lid_sight

Expected = tuple[tuple[int, int], ...]
"""Black and white stones of each lid, in the order in which the lids are listed."""

MOST_LIDS = 2
"""Number of lids of a table."""


class ExpectedLids(click.ParamType[Expected]):
    """`B+W,B+W`: the black and white stones that must lie in each lid."""

    name = "counts"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Expected:
        """Parse the counts; raise BadParameter for anything else."""
        if isinstance(value, tuple):
            return value
        lids = [re.fullmatch(r"([0-9]{1,3})\+([0-9]{1,3})", lid.strip()) for lid in str(value).split(",")]
        counts = tuple((int(lid[1]), int(lid[2])) for lid in lids if lid)
        if len(counts) < len(lids):
            self.fail(f"{value!r} is not like 3+1,0+2: black and white stones in the first lid, then in the second.")
        if len(counts) > MOST_LIDS:
            self.fail(f"{value!r} has {len(counts)} lids; a table has {MOST_LIDS}.")
        return counts


def confirmed(lids: Sequence[LidReading], expected: Expected) -> tuple[bool, ...]:
    """Return for each lid whether it surely holds the expected stones; False without an expectation."""
    told = (*expected, *(None for _ in lids))
    return tuple(
        counts is not None and lid_sight(lid).confirms(*counts) for lid, counts in zip(lids, told, strict=False)
    )


def other_number(lids: Sequence[LidReading], expected: Expected) -> tuple[str, ...]:
    """Return the note if the number of lids found differs from the number expected."""
    if not expected or len(lids) == len(expected):
        return ()
    found = "no lid was found" if not lids else f"{len(lids)} {'lid was' if len(lids) == 1 else 'lids were'} found"
    told = f"{found}, and --expect speaks of {len(expected)}"
    return (f"{told}; each is compared in the order in which lids are listed.",)
