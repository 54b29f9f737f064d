"""The cost of a move, and the messages about score, sente level and mistakes."""

from __future__ import annotations

from device.match.game_files import read_setup
from referee.analysis import move_cost
from referee.analysis.exact_count import check_count
from referee.analysis.figures import Worth
from referee.analysis.worth import worth
from referee.game.record import GameRecord
from referee.score.procedure import Amendments, Kind


def value(record: GameRecord) -> Worth:
    return worth(record, lambda: True)


def start(**given: object) -> GameRecord:
    return read_setup({"rules": "fundamental", **given}).record()


def test_a_count_that_comes_too_early_shows_the_move_that_changes_it():
    found = check_count(start(board=["..XO."]), 0, Amendments(), value)
    assert found is not None and not found.agrees and (found.counted, found.exact) == ("W+3.5", "W+0.5")
    assert found.slip is not None and (found.slip.number, found.slip.move.kind) == (1, Kind.RESIGN)
    board = found.slip.before.position.board
    assert found.slip.better == ("B1",) and move_cost.turn_name(found.line[0], board) == "B1"
