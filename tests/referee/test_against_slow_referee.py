"""Random games on small boards: the referee and the slow one agree on every point at every turn."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour, points_of
from referee.game.record import GameRecord
from referee.game.turns import Delay, Draw, Pass, Placement
from referee.rules.legality import (
    available_delays,
    can_only_resign,
    illegal_points,
    judge,
    legal_placements,
    may_draw,
    may_pass,
)
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from tests.support.oracle.game import SlowGame
from tests.support.play import draw_record
from tests.support.referee.positions import stones_astray
from tests.support.tiers import examples

sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))


def both(rules: str, size: tuple[int, int], komi: float) -> tuple[GameRecord, SlowGame]:
    return Setup(RULESETS[rules], size=size, komi=komi).record(), SlowGame(*size, rules, komi=komi)


def assert_agree(record: GameRecord, slow: SlowGame) -> None:
    cols, board = slow.cols, record.position.board
    stones = {divmod(p, cols)[::-1]: record.position.colour_at(p).value for p in points_of(record.position.occupied)}
    assert stones == slow.stones, f"\n{draw_record(record)}\nbut the slow referee has {slow.stones}"
    why = {p: slow.refuses((p % cols, p // cols)) for p in points_of(record.position.empty)}
    assert {p: r.value for p, r in illegal_points(record).items()} == {p: w for p, w in why.items() if w}, draw_record(
        record
    )
    assert legal_placements(record) == sum(1 << p for p, reason in why.items() if reason is None), draw_record(record)
    for point in why:
        verdict = judge(record, Placement(record.to_play, point))
        if verdict.prohibition is not None and verdict.prohibition.repeats is not None:
            assert verdict.prohibition.repeats == slow.repeats((point % cols, point // cols)), board.name(point)
    assert (bool(available_delays(record)), may_draw(record), may_pass(record)) == (
        slow.may_delay(),
        slow.may_draw(),
        slow.may_pass(),
    ), draw_record(record)
    for owner, foe in (("B", "W"), ("W", "B")):
        assert record.bowls.count_prisoners(Colour(owner), Colour(foe)) == slow.bowls[owner], draw_record(record)
    ultimate = record.bowls.ultimate
    assert (ultimate.value if ultimate else None, record.ended, record.result) == (
        slow.ultimate,
        slow.ended,
        slow.result,
    )


def step(record: GameRecord, slow: SlowGame, chance: random.Random) -> GameRecord | None:
    """One random turn in both games; None when only resigning is left."""
    player = record.to_play
    points = list(points_of(legal_placements(record)))
    acts = ["place"] * 8 * bool(points) + ["delay"] * slow.may_delay() + ["pass"] * slow.may_pass()
    acts += ["draw"] * (slow.may_draw() and chance.random() < 0.2)
    assert can_only_resign(record) is (not acts and not slow.may_draw())
    if not acts:
        return None
    act = chance.choice(acts)
    if act == "place":
        point = chance.choice(points)
        slow.place((point % slow.cols, point // slow.cols))
        return judge(record, Placement(player, point)).after
    if act == "delay":
        slow.delay()
        return judge(record, Delay(player)).after
    if act == "pass":
        slow.pass_turn()
        return judge(record, Pass(player)).after
    slow.draw()
    return judge(record, Draw(player)).after


@pytest.mark.parametrize("rules", ["ultimate", "chinese"])
@examples(25)
@given(size=sizes, seed=st.integers(0, 10**9), komi=st.sampled_from([0, 0.5, -0.5, 3, -2, 6.5, -1.5]))
def test_a_random_game_is_judged_alike(rules: str, size: tuple[int, int], seed: int, komi: float) -> None:
    record, slow = both(rules, size, komi)
    chance = random.Random(seed)
    for _ in range(80):
        assert_agree(record, slow)
        following = step(record, slow, chance) if not record.ended else None
        if following is None:
            break
        assert rules != "ultimate" or stones_astray(following) == 0, draw_record(following)
        record = following


def test_small_boards_meet_every_reason_of_ultimate_go() -> None:
    """The games above would prove little if superko, draws and dead ends never came up."""
    met: set[str] = set()
    for seed in range(40):
        record, slow = both("ultimate", (2, 2 + seed % 2), 0)
        chance = random.Random(seed)
        for _ in range(60):
            met |= {reason.value for reason in illegal_points(record).values()}
            met |= {"draw"} if may_draw(record) else set()
            met |= {"only resigning"} if can_only_resign(record) else set()
            following = step(record, slow, chance)
            if following is None or following.ended:
                break
            record = following
    assert met == {"surrounded", "superko", "draw", "only resigning"}
