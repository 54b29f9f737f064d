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


def _nearby_positions(game: Snapshot, game_position: GamePosition) -> list[GamePosition]:
    """Return the positions from the turn before to the turn after this one, and those at the game's end beside it.

    NOW replaces the newest turn if nothing was refused after it.
    """
    thens = game.past.thens
    turn = len(thens) - 1 if game_position.turn is None else game_position.turn
    turns = [place for entry in thens[max(turn - 1, 0) : turn + 2] for place in _positions_of(entry)]
    if turn + 2 < len(thens):
        return turns
    newest = turns[:-1] if turns and not turns[-1].tried else turns
    return [*newest, NOW, *(GamePosition(step=step) for step in range(1, steps_of(game) + 1))]


def _positions_of(entry: HistoryEntry) -> list[GamePosition]:
    return [
        GamePosition(entry.number),
        *(GamePosition(entry.number, tried=nth) for nth in range(1, len(entry.tried) + 1)),
    ]


def find_neighbours(game: Snapshot, game_position: GamePosition) -> Neighbours:
    """Return the positions before and after this one."""
    game_position = NOW if is_live(game, game_position) else game_position
    places = _nearby_positions(game, game_position)
    index = places.index(game_position)
    return Neighbours(places[max(index - 1, 0)], places[min(index + 1, len(places) - 1)])


def is_live(game: Snapshot, game_position: GamePosition) -> bool:
    """Return True if the present position is shown."""
    return game_position == NOW or game_position not in _nearby_positions(game, game_position)


def then_at(game: Snapshot, game_position: GamePosition) -> HistoryEntry | None:
    """Return the turn of this position; None for the present and for the count."""
    return (
        None
        if game_position.turn is None or is_live(game, game_position)
        else game.past.entry_after(game_position.turn)
    )


def ruling_at(game: Snapshot, game_position: GamePosition) -> Ruling | None:
    """Return the ruling of this position: on the turn, or on the refused one."""
    entry = then_at(game, game_position)
    if entry is None:
        return None
    return entry.tried[game_position.tried - 1] if game_position.tried else entry.ruling
