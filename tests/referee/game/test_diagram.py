"""The words for a point for people who cannot see it, against liberties counted one by one."""

import random

import pytest

from referee.game.board import points_of
from referee.game.diagram import describe_point
from referee.game.turns import Placement
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support.wording import english


def random_position(seed, size=7, turns=40):
    """A position of a random game."""
    rng, record = random.Random(seed), Setup(rule_set("chinese"), size=(size, size)).record()
    for _ in range(turns):
        record = judge(record, Placement(record.to_play, rng.choice(list(points_of(legal_placements(record)))))).after
    return record.position


def count_chain(rows, at):
    """Stones of the chain at (row, column), and its liberties, walked point by point."""
    chain, liberties, open_ = {at}, set(), [at]
    while open_:
        row, col = open_.pop()
        for beside in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if beside not in rows:
                continue
            if rows[beside] is None:
                liberties.add(beside)
            elif rows[beside] is rows[at] and beside not in chain:
                chain.add(beside)
                open_.append(beside)
    return len(chain), len(liberties)


def sentence(name, player, chain, liberties):
    stones = "one stone" if chain == 1 else f"chain of {chain} stones"
    free = "in atari, one liberty" if liberties == 1 else f"{liberties} liberties"
    return f"{player} {name}, {stones}, {free}."


@pytest.mark.parametrize("seed", range(12))
def test_every_point_of_random_positions(seed):
    position = random_position(seed)
    board = position.board
    rows = {divmod(point, board.cols): position.colour_at(point) for point in range(board.cols * board.rows)}
    for (row, col), colour in rows.items():
        point = row * board.cols + col
        description, name = english(describe_point(position, point)), board.name(point)
        if colour is None:
            assert description == f"{name} is empty."
        else:
            player = {"B": "Black", "W": "White"}[colour.value]
            assert description == sentence(name, player, *count_chain(rows, (row, col)))
