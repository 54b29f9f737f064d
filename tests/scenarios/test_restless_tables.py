"""Games to act out, and tables that do not rest: the parts of `python -m tests.benchmarks.games restless`."""

from __future__ import annotations

import numpy as np
import pytest

from referee.game.record import GameRecord
from referee.game.turns import Delay, Placement, Turn
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support.simulator.game_scripts import real_game, refereed_on_truth, script_of, self_play
from tests.support.simulator.unrest import compared, gain_light, restless, sittings
from vision.render.looks import club_look


def replayed(turns: tuple[Turn, ...], size: int) -> GameRecord:
    """The record of these turns, all of which are legal in Ultimate Go."""
    record = Setup(rule_set("ultimate"), size=(size, size)).record()
    for turn in turns:
        after = judge(record, turn).after
        assert after is not None, turn
        record = after
    return record


def test_self_play_is_legal_the_same_again_and_has_captures_and_delays() -> None:
    games = [self_play(9, seed, 40) for seed in range(1, 4)]
    assert games == [self_play(9, seed, 40) for seed in range(1, 4)] and len({*games}) == 3
    assert all(len(turns) == 40 and isinstance(turns[-1], Placement) for turns in games)
    stones = [replayed(turns, 9).position.occupied.bit_count() for turns in games]
    delays = [sum(isinstance(turn, Delay) for turn in turns) for turns in games]
    assert sum(delays) > 0 and sum(stones) < 120 - sum(delays)


def test_real_games_are_legal_in_ultimate_go() -> None:
    assert all(replayed(real_game(number, 100), 19).number == 100 for number in (14, 28, 42))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_script_of_a_game_acts_out_that_game(seed: int) -> None:
    turns = self_play(9, seed, 30)
    referee = refereed_on_truth(script_of(turns, 9, seed), refereed=False)
    assert referee.record.turns == turns


def test_a_restless_table_is_knocked_and_relit_in_order() -> None:
    look = club_look(1, 9, 160, 90)
    changes = restless(look, 60, 1)
    assert changes == restless(look, 60, 1) and len(changes) == 6
    assert [change.step for change in changes] == sorted(change.step for change in changes)
    assert len({change.look.camera for change in changes}) >= 3 and changes[-1].look.camera == look.camera


def test_gains_multiply_the_light() -> None:
    picture = np.full((2, 2, 3), 100, np.uint8)
    assert (gain_light(picture, (1.0, 1.0, 1.0)) == picture).all()
    blue, green, red = gain_light(picture, (0.5, 1.0, 2.0))[0, 0]
    assert blue < green == 100 < red


def test_a_game_is_right_if_exactly_its_turns_were_ruled() -> None:
    turns = self_play(9, 1, 3)
    names = [Setup(rule_set("ultimate"), size=(9, 9)).record().position.board.name(t.point) for t in turns]  # type: ignore[union-attr]
    lines: list[dict[str, object]] = [
        {"t": 2.0 * n, "turn": n, "status": "legal", "player": "BW"[(n - 1) % 2], "place": name, "order": None}
        for n, name in enumerate(names, 1)
    ]
    left = {n: 2.0 * n - 0.6 for n in (1, 2, 3)}
    assert compared(lines, turns, left, 9).right
    assert compared(lines, turns, left, 9).placements == pytest.approx([0.6] * 3)
    for wrong in (lines[:2], [*lines, lines[-1]], [lines[1], lines[0], lines[2]]):
        assert not compared(wrong, turns, left, 9).right
    assert "None" in compared(lines[:2], turns, left, 9).differs()


def test_every_second_game_on_19_lines_is_a_real_one() -> None:
    games = list(sittings((9, 19), 4, 1))
    assert [one.real is not None for one in games] == [False, False, False, True] * 2
