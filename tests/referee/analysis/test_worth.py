"""Worth of situations: known values, and agreement with the text worked by hand on the smallest boards."""

from __future__ import annotations

import random
from itertools import product

import pytest

from referee import Colour, Delay, Draw, Pass, Placement, Setup, board_of, judge, rule_set
from referee.analysis import FullSituation, PhaseOfPlay, Worth, full_situation, worth
from referee.analysis.safety import Safety
from referee.game.prisoners import bowls_of
from tests.support.referee import worth_by_hand as by_hand
from tests.support.referee.late import always, boards, nodes, play_randomly, situation, stones_of, with_random_past
from tests.support.referee.worth_by_hand import Budget, Hand, TooLong
from tests.support.tiers import seeds

KNOWN = [
    (1, 1, -0.5, 0, "resign"),
    (2, 1, -0.5, 0, "resign"),
    (3, 1, 0.5, 2, "normal"),
    (4, 1, 1.5, 4, "normal"),
    (5, 1, -0.5, 0, "counting"),
    (6, 1, 0.5, 2, "normal"),
    (2, 2, 0.5, 2, "normal"),
]
"""Empty boards, Black to play, empty bowls: width, height, score, sente level, phase."""


def figures(hand: Hand) -> tuple[object, ...]:
    """All figures by machine."""
    full = situation(hand)
    value = worth(full, nodes(100_000))
    costs = {name if name == "delay" else str(full.board.point(name)): cost for name, cost in value.costs.items()}
    optimal = {name if name == "delay" else str(full.board.point(name)) for name in value.optimal or ()}
    assert value.exact
    return value.score, value.level, str(value.phase), costs, optimal


def figures_by_hand(hand: Hand) -> tuple[object, ...]:
    """The same by hand."""
    costs = by_hand.costs(hand)
    optimal = {name for name, cost in costs.items() if cost == 0}
    return by_hand.score(hand), by_hand.level(hand), by_hand.phase(hand), costs, optimal


@pytest.mark.parametrize(("cols", "rows", "score", "level", "phase"), KNOWN)
def test_empty_boards_have_their_known_values(cols, rows, score, level, phase):
    value = worth(FullSituation(board_of(cols, rows), (0, 0)), always)
    assert (value.score, value.level, value.phase, value.exact) == (score, level, phase, True)


@pytest.mark.parametrize(("cols", "rows"), [(1, 1), (2, 1), pytest.param(3, 1, marks=pytest.mark.long)])
def test_every_situation_without_a_past_agrees_with_the_text(cols, rows):
    for board, player, black, white in product(boards(cols, rows), "XO", range(3), range(3)):
        hand = Hand(player, board, cols, frozenset({board}), black, white)
        assert figures(hand) == figures_by_hand(hand), hand


@pytest.mark.parametrize(("cols", "rows", "seed"), [(4, 1, 1), (2, 2, 2), (3, 2, 3)])
def test_random_situations_with_a_past_agree_with_the_text(cols, rows, seed):
    rng, agreed = random.Random(seed), 0
    while agreed < 6:
        hand = with_random_past(rng, cols, rows, 5)
        by_hand.forget()
        Budget.left = 2_000
        try:
            expected = figures_by_hand(hand)
        except TooLong:
            continue
        assert figures(hand) == expected, hand
        agreed += 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, 5))
def test_bounds_hold_by_search_that_knows_no_life(seed, monkeypatch):
    """Living walls, dame and group tax give bounds at once; a search without them agrees with each."""
    rng = random.Random(seed)
    for _ in range(4):
        situation = play_randomly(rng, *rng.choice([(5, 3), (4, 4), (7, 3)]), rng.randrange(3, 7))
        at_once = worth(situation, nodes(300))
        with monkeypatch.context() as without:
            without.setattr("referee.analysis.bounds.find_safety", lambda *_: Safety(0, 0, ()))
            searched = worth(situation, nodes(600))
        pairs = [(at_once.bounds, searched.bounds)]
        pairs += [(bounds, searched.cost_bounds[name]) for name, bounds in at_once.cost_bounds.items()]
        assert all(low <= other_high and other_low <= high for (low, high), (other_low, other_high) in pairs), situation


def test_a_game_is_read_with_all_its_boards_and_bowls():
    record = Setup(rule_set("fundamental"), size=(3, 1)).record()
    for player, point in ((Colour.BLACK, 0), (Colour.WHITE, 1)):
        record = judge(record, Placement(player, point)).after
    situation = full_situation(record)
    assert situation.stones == (0, 0b010) and situation.prisoners == (0, 1) and situation.to_play is Colour.BLACK
    assert situation.earlier == {(0, 0), (0b001, 0)}


def test_an_ultimate_prisoner_is_one_until_it_is_given():
    record = Setup(rule_set("ultimate-original"), size=(3, 1)).record()
    assert full_situation(record).prisoners == (1, 1)
    after = judge(record, Delay(Colour.BLACK, ultimate=True)).after
    assert full_situation(after).prisoners == (0, 1) and worth(after, always).costs["delay"] == 2
    current = judge(Setup(rule_set("ultimate"), size=(3, 1)).record(), Delay(Colour.BLACK)).after
    assert full_situation(current).prisoners == (0, 1)


def test_nothing_is_known_where_the_rules_are_others_or_the_game_is_over():
    assert worth(Setup(rule_set("spight"), size=(3, 1)).record(), always) == Worth()
    handicap = Setup(rule_set("ultimate"), size=(5, 1), handicap=2).record()
    assert full_situation(handicap) is None
    record = Setup(rule_set("ultimate"), size=(3, 1), bowls=bowls_of({"B": {"W": 1}})).record()
    assert full_situation(judge(record, Delay(Colour.BLACK)).after) is not None
    assert judge(record, Pass(Colour.BLACK)).after is None
    ended = judge(judge(record, Delay(Colour.BLACK)).after, Draw(Colour.WHITE)).after
    assert ended is None or worth(ended, always) == Worth()


def test_a_used_up_budget_leaves_bounds_that_hold():
    whole = worth(FullSituation(board_of(6, 1), (0, 0)), always)
    for most in (0, 1, 10, 100, 1000):
        part = worth(FullSituation(board_of(6, 1), (0, 0)), nodes(most))
        low, high = part.bounds
        assert low <= whole.score <= high and part.nodes <= most * 17
        assert all(part.costs[name] == whole.costs[name] for name in part.costs)
        for name, (least, greatest) in part.cost_bounds.items():
            assert least <= whole.costs[name] <= greatest
    assert not worth(FullSituation(board_of(6, 1), (0, 0)), nodes(10)).exact


def test_phases_are_named_as_in_the_answers():
    assert [str(phase) for phase in PhaseOfPlay] == ["normal", "counting", "resign"]


EXAMPLES = [
    ("..X.O..|XXX.OOO|..X.O..", Colour.BLACK, ("D3", "D2", "D1")),
    ("...XX.O..|XXXX.OOOO|..XX.OO..", Colour.WHITE, ("F3", "E2", "E1")),
]
"""The examples of section VII, rebuilt, for the diagrams are lost: rows, who is to play, what is optimal."""


@pytest.mark.parametrize(("rows", "player", "optimal"), EXAMPLES)
def test_the_examples_of_the_text_have_the_score_it_says(rows, player, optimal):
    board = "".join(rows.split("|"))
    situation = FullSituation(board_of(rows.index("|"), 3), stones_of(board), player)
    assert worth(situation, nodes(0)).score == 0.5, "this needs no second board"
    value = worth(situation, nodes(200))
    assert (value.score, value.level, value.phase, value.optimal) == (0.5, 2, "normal", optimal)
    assert value.exact and {cost for name, cost in value.costs.items() if name not in optimal} == {2}
