"""Seating for any number of players."""

from __future__ import annotations

import pytest

from referee.game.board import COLOURS, Colour
from referee.game.seating import black_side_of, player_at, side_of


@pytest.mark.parametrize("players", range(2, 7))
def test_sides_follow_the_order_of_play_from_blacks(players):
    for black in range(1, players + 1):
        around = [player_at((black - 1 + step) % players + 1, black, players) for step in range(players)]
        assert tuple(around) == COLOURS[:players]
        for player in COLOURS[:players]:
            side = side_of(player, black, players)
            assert player_at(side, black, players) is player and black_side_of(side, player, players) == black


def test_two_players_sit_opposite_each_other():
    assert [side_of(Colour.WHITE, black, 2) for black in (1, 2)] == [2, 1]
