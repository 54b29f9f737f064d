"""Snapshots as sent over the connection: of the lists that grow with the game only what is new since the one before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee import ForbiddenPoint, GameHistory, TableSnapshot, common_length

GROWING = ("turns", "rulings", "answers")
"""The fields of a game that grow with it; beside them there is its history."""


@dataclass(frozen=True)
class Growth:
    """A tuple's difference from the one before: the number of its first items that were kept, and those after them."""

    kept_count: int
    new: tuple[Any, ...]

    @classmethod
    def of(cls, before: tuple[Any, ...], now: tuple[Any, ...]) -> Growth:
        """Return the difference of `now` from `before`."""
        length = common_length(before, now)
        return cls(length, now[length:])

    def on(self, before: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the tuple."""
        return (*before[: self.kept_count], *self.new)


@dataclass(frozen=True)
class SnapshotDelta:
    """A snapshot's difference from the one before.

    rest: the snapshot, without what grows.
    growths: of each of GROWING, and of the history's entries.
    barred: the history's forbidden points.
    """

    rest: TableSnapshot
    growths: tuple[Growth, ...]
    barred: tuple[ForbiddenPoint, ...]


class DeltaEncoder:
    """The sender's end of one connection."""

    def __init__(self) -> None:
        self._before = _NOTHING

    def encode(self, snapshot: TableSnapshot) -> SnapshotDelta:
        """Return a snapshot's difference from the one encoded before."""
        lists, game = _growing_fields(snapshot), snapshot.game
        growths = tuple(Growth.of(before, now) for before, now in zip(self._before, lists, strict=True))
        self._before = lists
        empty: dict[str, Any] = dict.fromkeys(GROWING, ())
        return SnapshotDelta(
            replace(snapshot, game=replace(game, **empty, past=GameHistory.from_entries((), ()))),
            growths,
            game.past.forbidden_points,
        )


class DeltaDecoder:
    """The receiver's end of one connection."""

    def __init__(self) -> None:
        self._before = _NOTHING

    def decode(self, delta: SnapshotDelta) -> TableSnapshot:
        """Return the snapshot of a difference from the one decoded before."""
        lists = tuple(growth.on(before) for growth, before in zip(delta.growths, self._before, strict=True))
        self._before = lists
        *grown, entries = lists
        fields: dict[str, Any] = dict(zip(GROWING, grown, strict=True))
        return replace(
            delta.rest, game=replace(delta.rest.game, **fields, past=GameHistory.from_entries(entries, delta.barred))
        )


_NOTHING: tuple[tuple[Any, ...], ...] = ((),) * (len(GROWING) + 1)


def _growing_fields(snapshot: TableSnapshot) -> tuple[tuple[Any, ...], ...]:
    return (*(getattr(snapshot.game, name) for name in GROWING), snapshot.game.past.thens)
