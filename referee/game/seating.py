"""Seating: sides are numbered round the table in the order of play, and one of them is Black's."""

from __future__ import annotations

from referee.game.board import COLOURS, Colour


def list_sides(players: int) -> tuple[int, ...]:
    """Return the sides of a table with this many players, one each.

    >>> sides(3)
    (1, 2, 3)
    """
    return tuple(range(1, players + 1))


def player_at(side: int, black_side: int, players: int) -> Colour:
    """Return the player at this side, counted from 1.

    >>> [player_at(side, black_side=2, players=3).value for side in sides(3)]
    ['R', 'B', 'W']
    """
    return COLOURS[(side - black_side) % players]


def side_of(player: Colour, black_side: int, players: int) -> int:
    """Return this player's side, counted from 1."""
    return (black_side - 1 + COLOURS.index(player)) % players + 1


def black_side_of(side: int, player: Colour, players: int) -> int:
    """Return Black's side if this player sits at that side."""
    return (side - 1 - COLOURS.index(player)) % players + 1
