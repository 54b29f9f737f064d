"""The moments of a game that can be looked at: after each turn, each turn that was refused, and each step of the count.

In their order: the start, the turns with what was refused after each, as it stands now, then the steps of the count.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee import Ruling, Snapshot, Then


@dataclass(frozen=True)
class At:
    """turn: after so many turns; tried: at the so-manyeth turn that was refused there, from 1. step: after so many
    steps of the count. None of them: as it stands."""

    turn: int | None = None
    step: int = 0
    tried: int = 0

    @property
    def address(self) -> str:
        """Where the page shows it, relative to the page."""
        if self.step:
            return f"?step={self.step}"
        if self.turn is None:
            return "./"
        return f"?turn={self.turn}" + (f"&tried={self.tried}" if self.tried else "")


NOW = At()


@dataclass(frozen=True)
class Around:
    """Where one stands among the places of a game. back, on: the places before and after; the same at either end."""

    back: At
    on: At


def steps_of(game: Snapshot) -> int:
    """How many steps the count has that was agreed to."""
    return len(game.counting.count.steps) if game.counting.count is not None else 0


def places_of(game: Snapshot) -> list[At]:
    """All of them; NOW stands for the newest turn where nothing was refused after it."""
    turns = [place for then in game.past.thens for place in _of_turn(then)]
    newest = turns[:-1] if turns and not turns[-1].tried else turns
    return [*newest, NOW, *(At(step=step) for step in range(1, steps_of(game) + 1))]


def _of_turn(then: Then) -> list[At]:
    return [At(then.number), *(At(then.number, tried=nth) for nth in range(1, len(then.tried) + 1))]


def around(game: Snapshot, at: At) -> Around:
    """What lies before and after a place."""
    places = places_of(game)
    here = places.index(at) if at in places else places.index(NOW)
    return Around(places[max(here - 1, 0)], places[min(here + 1, len(places) - 1)])


def is_live(game: Snapshot, at: At) -> bool:
    """Whether it is shown as it stands."""
    return at == NOW or at not in places_of(game)


def then_at(game: Snapshot, at: At) -> Then | None:
    """The turn that is looked at; None for how it stands and for the count."""
    return None if at.turn is None or is_live(game, at) else game.past.after(at.turn)


def ruling_at(game: Snapshot, at: At) -> Ruling | None:
    """What was ruled there: of the turn, or of the one that was refused."""
    then = then_at(game, at)
    if then is None:
        return None
    return then.tried[at.tried - 1] if at.tried else then.ruling
