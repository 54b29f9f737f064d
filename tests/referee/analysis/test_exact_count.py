"""The exact result beside play by the rules themselves, and counts that another result would follow from."""

from __future__ import annotations

from itertools import product

import pytest

from device.match.game_files import read_setup
from referee.analysis.exact_count import check_count, exact_result
from referee.analysis.figures import NOT_KNOWN, Worth
from referee.analysis.worth import worth
from referee.game.board import Colour, points_of
from referee.game.record import GameRecord
from referee.game.turns import Delay, Draw, Placement
from referee.rules.legality import available_delays, judge, legal_placements, may_draw
from referee.score.procedure import Amendments
from tests.support.tiers import sample


def value(record: GameRecord) -> Worth:
    return worth(record, lambda: True)


def start(**fields: object) -> GameRecord:
    return read_setup({"rules": "fundamental", **fields}).record()


def play_out(record: GameRecord, results: dict[object, int] | None = None) -> int:
    """Return 1 if Black wins with best play by the rules, 0 for a draw, -1 if White wins."""
    results = {} if results is None else results
    stood = frozenset(back.position.stones for back in record.iterate_back())
    key = record.situation.position, record.bowls, record.to_play, stood
    if key not in results:
        player = record.to_play
        win = 1 if player is Colour.BLACK else -1
        best = _declared(record) if may_draw(record) else -win
        turns = [Placement(player, point) for point in points_of(legal_placements(record))]
        for turn in (*turns, *(Delay(player, kind == "ultimate") for kind in available_delays(record))):
            if best == win:
                break
            best = win * max(win * best, win * _outcome(judge(record, turn).after, results))
        results[key] = best
    return results[key]


def _outcome(after: GameRecord | None, results: dict[object, int]) -> int:
    assert after is not None
    return play_out(after, results)


def _declared(record: GameRecord) -> int:
    after = judge(record, Draw(record.to_play)).after
    assert after is not None and after.result is not None
    return {"B": 1, "W": -1, "0": 0}[after.result[0]]


@pytest.mark.parametrize(
    ("rules", "board", "komi"),
    sample(
        product(
            ("ultimate", "ultimate-original"), (["."], [".."], ["..."], ["X.."], ["O.X"], [".O."]), (-2, -1, 0, 1, 2, 3)
        ),
        23,
    ),
)
def test_the_exact_result_is_what_play_by_the_rules_comes_to(rules, board, komi):
    record = start(rules=rules, board=board, komi=komi, to_play="B")
    after = judge(record, Delay(Colour.BLACK, ultimate=rules != "ultimate")).after
    if after is None:
        pytest.skip("Black has given away what she would return")
    exact = exact_result(after, value(after))
    assert exact is not None
    assert {"B": 1, "W": -1, "0": 0}[exact[0]] == play_out(after)


def test_nothing_is_claimed_before_a_delay_or_a_last_prisoner():
    record = start(rules="ultimate", board=["."])
    assert exact_result(record, value(record)) is None and exact_result(start(), NOT_KNOWN) is None
    first = judge(record, Delay(Colour.BLACK)).after
    assert first is not None and exact_result(first, value(first)) == "0"
    second = judge(first, Delay(Colour.WHITE)).after
    assert second is not None and may_draw(second) and exact_result(second, value(second)) is None


def test_a_count_that_is_right():
    check = check_count(start(board=[".X.O."]), 0, Amendments(), value)
    assert check is not None and check.is_right and (check.counted, check.slip) == ("W+0.5", None)


def test_a_count_that_cannot_be_solved_is_not_judged():
    assert check_count(start(size=9), 0, Amendments(), lambda record: NOT_KNOWN) is None
