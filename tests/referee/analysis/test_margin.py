"""The margin of games that are counted: known values, the rules worked by hand, and area beside territory."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from referee import Colour, Pass, Placement, Position, Setup, board_of, judge, rule_set
from referee.analysis.counting import CountedSituation
from referee.analysis.figures import PASS
from referee.analysis.move_cost import find_turn
from referee.analysis.safety import find_safety
from referee.analysis.worth import worth
from referee.game.board import Mask
from referee.game.count_result import winning_result
from referee.game.record import GameRecord
from referee.score.methods import Agreed, count
from tests.benchmarks.parts.playouts import game
from tests.support.referee.late import boards, nodes, stones_of
from tests.support.referee.worth_by_hand import OTHER, TooLong, around, place_stone
from tests.support.tiers import LONG, sample, seeds

# The margin of a game counted by area, straight from the rules: plain, slow, and apart from the product.
#
# Two passes end the game and every stone on the board counts; boards are strings as in `worth_by_hand`. With superko no
# board may stand twice. Without it only a ko may not be retaken at once, and a line that repeats a board ends there,
# with a margin that is given: what does not hang on that margin holds however such a line is judged.


@dataclass(frozen=True)
class Counted:
    """A situation: whose turn, the board, its width, the boards that have stood (this one too), whether the newest turn
    was a pass, and the board that retaking a ko would bring back. cycle: Black's margin of a line that repeats a board;
    None under superko. white_last: only White's pass ends the game."""

    player: str
    board: str
    cols: int
    stood: frozenset[str]
    passed: bool = False
    retaken: str | None = None
    cycle: int | None = None
    white_last: bool = False


class LookBudget:
    """The number of situations that may still be looked at before `TooLong` is raised."""

    left = 10**9


def area(board: str, cols: int) -> int:
    """Black's stones and what only they border, less White's."""
    total, counted_points = board.count("X") - board.count("O"), set[int]()
    for start in range(len(board)):
        if board[start] != "." or start in counted_points:
            continue
        region, edge, borders = {start}, [start], set[str]()
        while edge:
            for near in around(edge.pop(), cols, len(board)):
                if board[near] != ".":
                    borders.add(board[near])
                elif near not in region:
                    region.add(near)
                    edge.append(near)
        counted_points |= region
        total += {"X": len(region), "O": -len(region)}.get("".join(sorted(borders)), 0)
    return total


def margins_by_hand(now: Counted) -> dict[str, int]:
    """Black's margin after each legal move, by name: a point's number, or "pass"."""
    ended = replace(now, player=OTHER[now.player], passed=True, retaken=None)
    ends = now.passed and not (now.white_last and now.player == "X")
    margins = {"pass": area(now.board, now.cols) if ends else margin_by_hand(ended)}
    for point, stone in enumerate(now.board):
        result = place_stone(now.board, now.cols, now.player, point) if stone == "." else None
        if result is None or result[0] == now.retaken:
            continue
        after, captured = result
        if after in now.stood:
            if now.cycle is not None:
                margins[str(point)] = now.cycle
            continue
        retaken = now.board if captured == 1 and now.cycle is not None else None
        stood = now.stood | {after}
        margins[str(point)] = margin_by_hand(
            replace(now, player=OTHER[now.player], board=after, stood=stood, passed=False, retaken=retaken)
        )
    return margins


_known: dict[Counted, int] = {}


def forget(most: int = 10**9) -> None:
    """Forget what has been worked out; so many situations may be looked at now."""
    _known.clear()
    LookBudget.left = most


def margin_by_hand(now: Counted) -> int:
    """Black's margin where both play best. Raises TooLong."""
    if now not in _known:
        LookBudget.left -= 1
        if LookBudget.left < 0:
            raise TooLong
        after = margins_by_hand(now).values()
        _known[now] = max(after) if now.player == "X" else min(after)
    return _known[now]


SLOW = pytest.mark.slow


def situation(hand: Counted) -> CountedSituation:
    """The product's form of it."""
    board = board_of(hand.cols, len(hand.board) // hand.cols)
    player = Colour.BLACK if hand.player == "X" else Colour.WHITE
    earlier = frozenset(map(stones_of, hand.stood - {hand.board}))
    superko, retaken = hand.cycle is None, None if hand.retaken is None else stones_of(hand.retaken)
    banned = earlier if superko else frozenset(() if retaken is None else (retaken,))
    return CountedSituation(
        board,
        stones_of(hand.board),
        player,
        earlier=earlier,
        banned=banned,
        superko=superko,
        retaken=retaken,
        passed=hand.passed,
        white_last=hand.white_last,
    )


def random_hand(rng: random.Random, cols: int, rows: int, cycle: int | None) -> Counted:
    """A random board after a random past, sometimes after a pass."""
    every = boards(cols, rows)
    board = rng.choice(every)
    past = rng.sample(every, round(rng.uniform(0, 0.9) * len(every))) if cycle is None else ()
    stood, player = frozenset({board, *past}), rng.choice("XO")
    passed, white_last = rng.random() < 0.3, rng.random() < 0.5
    return Counted(player, board, cols, stood, passed, None, cycle, white_last)


@pytest.mark.parametrize(("white_last", "costs"), [(False, 3), (True, 6)])
def test_where_white_passes_last_a_pass_of_blacks_ends_nothing(white_last, costs):
    hand = Counted("X", "...", 3, frozenset({"..."}), passed=True, white_last=white_last)
    assert margins_by_hand(hand)["pass"] == 3 - costs
    assert worth(situation(hand), nodes(10_000)).costs["pass"] == costs


@pytest.mark.parametrize("seed", seeds(1, 5))
@pytest.mark.parametrize(
    ("cols", "rows"),
    [(3, 1), (4, 1), pytest.param(5, 1, marks=LONG), pytest.param(2, 2, marks=SLOW), pytest.param(3, 2, marks=LONG)],
)
def test_random_situations_with_a_past_agree_with_the_rules_worked_by_hand(cols, rows, seed):
    rng, agreed = random.Random(seed), 0
    while agreed < 3:
        hand = random_hand(rng, cols, rows, None)
        forget(20_000)
        try:
            after, margin = margins_by_hand(hand), margin_by_hand(hand)
        except TooLong:
            continue
        full = situation(hand)
        value = worth(full, nodes(100_000))
        sign = 1 if hand.player == "X" else -1
        names = {
            name if name == "pass" else full.board.name(int(name)): margin_after for name, margin_after in after.items()
        }
        assert value.score == margin and value.exact, hand
        assert value.costs == {name: (margin - margin_after) * sign for name, margin_after in names.items()}, hand
        agreed += 1


@pytest.mark.parametrize("seed", seeds(1, 5))
@pytest.mark.parametrize("cols", [2, 3])
def test_without_superko_a_margin_is_exact_where_no_cycle_can_change_it(cols, seed):
    rng = random.Random(seed)
    for _ in range(20):
        hand = random_hand(rng, cols, 1, -cols)
        value = worth(situation(hand), nodes(150))
        forget()
        margins = {margin_by_hand(replace(hand, cycle=cycle)) for cycle in (-cols, cols)}
        assert (margins == {value.score}) if value.score is not None else len(margins) == 2, hand


# Games

ENDING = ("X.XOO", "XXXO.", "X..OO", "XXXO.", "X.XOO")


def ending(rules: str, **more):
    """A game on 5x5 where Black has two points, White two, and Black to move can have two more at C3."""
    return Setup(rule_set(rules), size=(5, 5), board=ENDING, to_play=Colour.BLACK, **more).record()


@pytest.mark.parametrize(("rules", "komi"), [("chinese", 7.5), ("positional", 0), ("aga", 7.5)])
def test_komi_counts(rules, komi):
    value = worth(ending(rules), nodes(60))
    assert (value.score, value.optimal, value.level, value.phase) == (5 - komi, ("C3",), None, None)
    assert (value.costs["pass"], value.costs["B3"]) == (2, 2)


def test_by_territory_a_dame_is_worth_nothing_and_a_point_one():
    value = worth(ending("japanese", komi=0), nodes(60))
    assert (value.score, value.optimal, value.costs["pass"], value.costs["B3"]) == (1, ("C3",), 1, 1)


def test_what_a_game_is_worth_goes_on_by_what_its_moves_cost():
    record = ending("chinese")
    before = worth(record, nodes(60))
    for turn in (Placement(Colour.BLACK, record.position.board.point("B3")), Pass(Colour.WHITE)):
        after = judge(record, turn).after
        assert after is not None
        record = after
    assert before.score is not None and worth(record, nodes(60)).score == before.score - 2 + 2


def played_to_the_end(record: GameRecord) -> GameRecord | None:
    """After moves that cost nothing, a pass where that is one; None where they are not known."""
    while not record.ended:
        optimal = worth(record, nodes(100)).optimal
        if not optimal:
            return None
        after = judge(record, find_turn(PASS if PASS in optimal else optimal[0], record)).after
        assert after is not None
        record = after
    return record


def lost_without_life(position: Position) -> Mask:
    """The stones that do not live by answers."""
    (black, white), board = position.stones, position.board
    living = find_safety(board, black, white).walls | find_safety(board, white, black).walls
    return position.occupied & ~living


@LONG
@pytest.mark.parametrize("seed", seeds(1, 5))
@pytest.mark.parametrize("rules", sample(["japanese", "chinese"], 1))
def test_a_game_played_on_without_mistakes_is_counted_as_told(rules, seed):
    rng, score, end = random.Random(seed), None, None
    while end is None:
        records = game(rng, rules, 5)
        record = records[-rng.randint(1, min(10, len(records)))]
        score = worth(record, nodes(60)).score
        end = played_to_the_end(record) if score is not None else None
    dead = lost_without_life(end.position) if rules == "japanese" else 0
    assert score is not None and count(end, Agreed(dead)).result == winning_result(score), record.turns
