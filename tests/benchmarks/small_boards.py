"""The worth of small boards, and the text's claims of Ultimate Go, checked by machine: ways of `worth`.

atlas: every small empty board, Black to play: score, level, phase, optimal moves, boards looked at and seconds, and the
score by a second algorithm if that ends. agree: all figures of every situation without a past on the tiniest boards
with up to 3 prisoners in each bowl, and of random late situations with random pasts, against the text worked by hand.
claims: the examples of section VII, and section VI's claims on the smallest boards. histories: random pasts with which
the value of a board is another than without; one table of proofs serves them all.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import product

from referee import Colour, board_of
from referee.analysis import FullSituation, worth
from referee.analysis.prover import Prover
from referee.analysis.situation import Stones
from tests.benchmarks.parts import ultimate_by_hand as ultimate
from tests.benchmarks.ways import Way
from tests.support.referee import worth_by_hand as by_hand
from tests.support.referee.late import SMALL, boards, situation, stones_of, with_random_past
from tests.support.referee.worth_by_hand import Budget, Hand, TooLong

ATLAS = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (2, 2), (3, 2), (4, 2), (3, 3))
LATE = ((4, 1), (5, 1), (6, 1), (7, 1), (2, 2), (3, 2), (4, 2))
EXAMPLES = {
    "first": ("..X.O..|XXX.OOO|..X.O..", Colour.BLACK),
    "second": ("...XX.O..|XXXX.OOOO|..XX.OO..", Colour.WHITE),
}
"""The examples of section VII, rebuilt, for the diagrams are lost: rows from the top, who is to play."""


def within(seconds: float) -> Callable[[], bool]:
    """A budget of seconds of one core."""
    end = time.process_time() + seconds
    return lambda: time.process_time() < end


def atlas(args: argparse.Namespace) -> int:
    """A line a board; how many differ."""
    wrong = 0
    for cols, rows in ATLAS[: args.many]:
        began = time.process_time()
        value = worth(FullSituation(board_of(cols, rows), (0, 0)), within(args.seconds))
        spent = time.process_time() - began
        hand = scored_by_hand(Hand("X", "." * cols * rows, cols, frozenset({"." * cols * rows})))
        wrong += hand is not None and not value.bounds[0] <= hand <= value.bounds[1]
        summary = f"{value.score:+} {value.level} {value.phase} {' '.join(value.optimal or ())}" if value.exact else ""
        summary = summary or f"between {value.bounds[0]:+} and {value.bounds[1]:+}"
        print(f"{cols}x{rows}: {summary}; {value.nodes} boards, {spent:.2f} s; second algorithm {hand}", flush=True)
    return wrong


def scored_by_hand(hand: Hand, budget: int = 500_000) -> float | None:
    """The score by the second algorithm, None where that takes too long."""
    Budget.left, Budget.cancelled = budget, True
    by_hand.forget()
    try:
        return by_hand.score(hand)
    except TooLong:
        return None


def figures_by_hand(hand: Hand) -> tuple[object, ...]:
    """Score, level, phase and costs worked by hand."""
    return by_hand.score(hand), by_hand.level(hand), by_hand.phase(hand), by_hand.costs(hand)


def figures(hand: Hand) -> tuple[object, ...]:
    """The same by the product."""
    question = situation(hand)
    value = worth(question, lambda: True)
    costs = {name if name == "delay" else str(question.board.point(name)): cost for name, cost in value.costs.items()}
    assert value.optimal == tuple(name for name, cost in value.costs.items() if cost == 0)
    return value.score, value.level, value.phase, costs


def agree(args: argparse.Namespace) -> int:
    """Every small situation, and random late ones; how many differ."""
    sys.setrecursionlimit(20_000)
    return agree_on_every_small_one() + agree_on_late_ones(random.Random(args.first), args.many)


def agree_on_every_small_one() -> int:
    """Every situation without a past on the smallest boards."""
    different = 0
    for cols, rows in SMALL:
        same, all_of_them = 0, 0
        for board in boards(cols, rows):
            by_hand.forget()
            Budget.left = 10**9
            for player, black, white in product("XO", range(4), range(4)):
                hand = Hand(player, board, cols, frozenset({board}), black, white)
                all_of_them += 1
                same += figures(hand) == figures_by_hand(hand)
        print(f"{cols}x{rows}: {same} of {all_of_them} situations equal", flush=True)
        different += all_of_them - same
    return different


def agree_on_late_ones(rng: random.Random, number: int) -> int:
    """Random late situations with random pasts; those that take too long by hand are left out, and counted."""
    tally, empties = Counter[str](), Counter[int]()
    while tally["equal"] + tally["different"] < number:
        hand = with_random_past(rng, *rng.choice(LATE), 7)
        by_hand.forget()
        Budget.left = 5_000
        try:
            expected = figures_by_hand(hand)
        except TooLong:
            tally["too long by hand"] += 1
            continue
        same = figures(hand) == expected
        tally["equal" if same else "different"] += 1
        empties[hand.board.count(".")] += 1
        if not same:
            print(hand, expected, figures(hand))
    print(dict(tally), "by empty points:", dict(sorted(empties.items())))
    return tally["different"]


def examples() -> int:
    """The scores of section VII; how many are others."""
    wrong = 0
    for name, (rows, player) in EXAMPLES.items():
        board = rows.replace("|", "")
        value = worth(FullSituation(board_of(rows.index("|"), 3), stones_of(board), player), within(60))
        wrong += not value.exact or value.score != 0.5
        print(f"{name} example: {value.score:+}, level {value.level}, {value.phase}, {value.optimal}, {value.costs}")
    return wrong


def claims(args: argparse.Namespace) -> int:
    """Section VII, and section VI on the smallest boards: both versions equal, each change alone too; when ultimate
    delays are due. How much is refuted."""
    tally, rng = Counter[str](), random.Random(args.first)
    wrong = examples()
    for cols, rows in SMALL[:3]:
        for board, player, black, white in product(boards(cols, rows), "XO", range(3), range(3)):
            claimed(tally, Hand(player, board, cols, frozenset({board}), black, white))
    for _ in range(args.many):
        claimed(tally, with_random_past(rng, *rng.choice(SMALL[3:]), 4))
    for name, number in sorted(tally.items()):
        print(f"{name}: {number}")
    return wrong + sum(number for name, number in tally.items() if name.startswith("refuted"))


def claimed(tally: Counter[str], hand: Hand) -> None:
    """Tally the claims for one situation before any delay."""
    Budget.left = 20_000
    by_hand.forget()
    ultimate.forget()
    try:
        claimed_of(tally, hand)
        tally["situations"] += 1
    except TooLong:
        tally["out of reach"] += 1


def claimed_of(tally: Counter[str], hand: Hand) -> None:
    """The same; raises TooLong."""
    versions = {
        "current": ultimate.start(hand, original=False),
        "original": ultimate.start(hand, original=True),
        "first forced": ultimate.start(hand, original=True, forced=True),
        "second late": ultimate.start(hand, original=True, late=True),
        "both": ultimate.start(hand, original=True, forced=True, late=True),
    }
    results = {name: ultimate.result(version) for name, version in versions.items()}
    for name in ("current", "first forced", "second late", "both"):
        tell(tally, f"{name} as original", results[name] == results["original"], hand)
    score, level = by_hand.score(hand), by_hand.level(hand)
    won = 1 if (score > 0) == (hand.player == "X") else -1
    tell(tally, "drawn only where the score is a half", results["original"] == won or abs(score) == 0.5, hand)
    after = {name: -ultimate.result(one) for name, one in ultimate.options(versions["original"]).items()}
    rest = [value for name, value in after.items() if name != "ultimate delay"]
    if level and after["ultimate delay"] > max(rest, default=-1):
        tell(tally, "first ultimate delay only at level 0", False, hand)
    else:
        tell(tally, "first ultimate delay only at level 0", True, hand)


def tell(tally: Counter[str], claim: str, holds: bool, hand: Hand) -> None:
    """Count a claim, and show the first situation that refutes it."""
    name = f"{'held' if holds else 'refuted'}: {claim}"
    if not holds and not tally[name]:
        print(name, hand)
    tally[name] += 1


def histories(args: argparse.Namespace) -> int:
    """Pasts that change who wins a board, for one table of proofs a size; the text worked by hand decides."""
    rng = random.Random(args.first)
    tables = {size: Prover(board_of(*size), frozenset(), lambda: True) for size in SMALL[2:]}
    tally = Counter[str]()
    Budget.left = 10**9
    while tally["past matters"] < args.many:
        size = rng.choice(SMALL[2:])
        hand = with_random_past(rng, *size, 4)
        difference, turn = hand.black - hand.white, "XO".index(hand.player)
        alone = winner(tables[size], stones_of(hand.board), turn, difference, ())
        past = tuple(stones_of(board) for board in hand.stood)
        result = winner(tables[size], stones_of(hand.board), turn, difference, past)
        by_hand.forget()
        expected = turn if by_hand.wins(hand) else 1 - turn
        tally["pasts"] += 1
        tally["past matters"] += alone != expected
        tally["right where it matters"] += alone != expected and result == expected
        tally["wrong"] += result != expected
    print(dict(tally))
    return tally["wrong"]


def winner(table: Prover, stones: Stones, turn: int, difference: int, past: tuple[Stones, ...]) -> int:
    """Return the winner, by a table that has seen other pasts."""
    depth, result = 0, None
    while result is None:
        depth += 1
        result = table.find_winner(stones, turn, difference, depth, past)
    return result


WAYS: dict[str, Way] = {
    "atlas": (atlas, len(ATLAS)),
    "agree": (agree, 1000),
    "claims": (claims, 300),
    "histories": (histories, 100_000),
}
