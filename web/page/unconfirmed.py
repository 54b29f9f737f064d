"""A snapshot with a stone that only a single frame of the camera shows, for the drawn board and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, fields

from referee import Colour, Point, TableSnapshot


@dataclass(frozen=True, kw_only=True)
class MarkedSnapshot(TableSnapshot):
    """A snapshot whose board has a mark.

    unconfirmed_stone: drawn faint, and never told in words.
    """

    unconfirmed_stone: tuple[Colour, Point]


def mark_stone(snapshot: TableSnapshot, colour: Colour, point: Point) -> MarkedSnapshot:
    """Return the snapshot with this stone marked."""
    values = {one.name: getattr(snapshot, one.name) for one in fields(snapshot)}
    return MarkedSnapshot(**values, unconfirmed_stone=(colour, point))
