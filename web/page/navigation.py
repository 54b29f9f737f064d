"""The viewable moments of a game: after each turn, each refused turn, and each step of the count.

In this order: the start, the turns with the refused ones after each, the present, then the steps of the count.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee import HistoryEntry, Ruling, Snapshot


@dataclass(frozen=True)
class GamePosition:
    """A position in the game; without any value, the present one.

    turn: number of turns made.
    step: number of steps of the count.
    tried: index of the refused turn at this position, from 1.
    """

    turn: int | None = None
    step: int = 0
    tried: int = 0

    @property
    def address(self) -> str:
        """Return its URL, relative to the page."""
        if self.step:
            return f"?step={self.step}"
        if self.turn is None:
            return "./"
        return f"?turn={self.turn}" + (f"&tried={self.tried}" if self.tried else "")


NOW = GamePosition()


@dataclass(frozen=True)
class Neighbours:
    """The neighbours of a position. back, on: the positions before and after; the position itself at either end."""

    back: GamePosition
    on: GamePosition


def steps_of(game: Snapshot) -> int:
    """Return the number of steps of the agreed count."""
    return len(game.counting.count.steps) if game.counting.count is not None else 0


def _nearby(game: Snapshot, at: GamePosition) -> list[GamePosition]:
    """Return the positions from the turn before to the turn after this one, and those at the game's end beside it.

    NOW replaces the newest turn if nothing was refused after it.
    """
    thens = game.past.thens
    turn = len(thens) - 1 if at.turn is None else at.turn
    turns = [place for then in thens[max(turn - 1, 0) : turn + 2] for place in _of_turn(then)]
    if turn + 2 < len(thens):
        return turns
    newest = turns[:-1] if turns and not turns[-1].tried else turns
    return [*newest, NOW, *(GamePosition(step=step) for step in range(1, steps_of(game) + 1))]


def _of_turn(then: HistoryEntry) -> list[GamePosition]:
    return [GamePosition(then.number), *(GamePosition(then.number, tried=nth) for nth in range(1, len(then.tried) + 1))]


def around(game: Snapshot, at: GamePosition) -> Neighbours:
    """Return the positions before and after this one."""
    at = NOW if is_live(game, at) else at
    places = _nearby(game, at)
    here = places.index(at)
    return Neighbours(places[max(here - 1, 0)], places[min(here + 1, len(places) - 1)])


def is_live(game: Snapshot, at: GamePosition) -> bool:
    """Return True if the present position is shown."""
    return at == NOW or at not in _nearby(game, at)


def then_at(game: Snapshot, at: GamePosition) -> HistoryEntry | None:
    """Return the turn of this position; None for the present and for the count."""
    return None if at.turn is None or is_live(game, at) else game.past.after(at.turn)


def ruling_at(game: Snapshot, at: GamePosition) -> Ruling | None:
    """Return the ruling of this position: on the turn, or on the refused one."""
    then = then_at(game, at)
    if then is None:
        return None
    return then.tried[at.tried - 1] if at.tried else then.ruling
