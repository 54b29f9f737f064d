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


def start(**fields: object) -> GameRecord:
    return read_setup({"rules": "fundamental", **fields}).record()


def test_a_count_that_comes_too_early_shows_the_move_that_changes_it():
    check = check_count(start(board=["..XO."]), 0, Amendments(), value)
    assert check is not None and not check.is_right and (check.counted, check.exact) == ("W+3.5", "W+0.5")
    assert check.slip is not None and (check.slip.number, check.slip.move.kind) == (1, Kind.RESIGN)
    board = check.slip.before.position.board
    assert check.slip.better == ("B1",) and move_cost.turn_name(check.line[0], board) == "B1"
