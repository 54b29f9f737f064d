"""The worth of late positions of random games, and checks of the bounds by answers: ways of `worth`.

late: the last placements of random games to the end on 9x9, 13x13 and 19x19, at most 12 points undecided: how many
scores are known without a search, and in so many seconds of one core, and how wide the bounds of the others are.
margins: the same if area or territory is counted.
frames: random corners within frames that live or have to live in the corner: the bounds that need no search against a
search that knows Benson's life alone and no answers.
attacks: random walled positions on small boards: what strongholds make sure, against every play on the whole board.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from referee.analysis import FullSituation, Worth, worth
from referee.analysis.claims import Claims
from referee.analysis.counting import CountedSituation
from referee.analysis.safety import find_safety
from referee.analysis.strongholds import with_strongholds
from referee.analysis.tally import AREA, TERRITORY, Tally
from referee.analysis.worth import Situation
from tests.benchmarks.parts.playouts import late, undecided
from tests.benchmarks.ways import Way
from tests.support.referee.late import random_framed_situation, search_worth
from tests.support.referee.walled import is_broken, random_walled_zone

SIDES = (9, 13, 19)
MOST_UNDECIDED = 12
MOST_FREE, MOST_STATES = 7, 8000
"""The empty points of an attacked position, and the positions with a player to move that may follow."""
LOOKS = 600
"""Times 16 boards that the search of a frame may look at."""


def solved(args: argparse.Namespace) -> int:
    """A line a size of board."""
    for side in SIDES:
        _print_widths(f"{side}x{side}", _several(args, side), args.seconds)
    return 0


def margins(args: argparse.Namespace) -> int:
    """The same where area or territory is counted, without komi."""
    for (name, tally), side in product((("area", AREA), ("territory", TERRITORY)), SIDES):
        situations = [counted_as(one, tally) for one in _several(args, side)]
        _print_widths(f"{side}x{side} {name}", situations, args.seconds)
    return 0


def counted_as(one: FullSituation, tally: Tally) -> CountedSituation:
    """The same board and past in a game that is counted, a ko that was just taken left out."""
    return CountedSituation(one.board, one.stones, one.to_play, tally, one.earlier)


def _several(args: argparse.Namespace, side: int) -> list[FullSituation]:
    rng = random.Random(args.first)
    return [_late(rng, side) for _ in range(args.many)]


def _print_widths(name: str, situations: Sequence[Situation], seconds: float) -> None:
    at_once = [worth(situation, lambda: False) for situation in situations]
    in_time = [worth(situation, _within(seconds)) for situation in situations]
    wide = [_width(value) for value in in_time if value.score is None]
    known_count = sum(value.score is not None for value in in_time)
    first = sum(value.score is not None for value in at_once)
    print(f"{name}: {first} of {len(situations)} scores known at once, {known_count} in {seconds:g} s each, ", end="")
    print(f"{sum(value.exact for value in in_time)} with all costs; ", end="")
    print(f"widths {min(wide):g} to {max(wide):g}, median {statistics.median(wide):g}" if wide else "", flush=True)


def _late(rng: random.Random, side: int) -> FullSituation:
    while undecided(situation := late(rng, side)) > MOST_UNDECIDED:
        pass
    return situation


def _within(seconds: float) -> Callable[[], bool]:
    end = time.process_time() + seconds
    return lambda: time.process_time() < end


def _width(value: Worth) -> float:
    low, high = value.bounds
    assert low is not None and high is not None
    return high - low


def frames(args: argparse.Namespace) -> int:
    """Return the number of wrong bounds."""
    rng, tally = random.Random(args.first), Counter[str]()
    for _ in range(args.many):
        situation = random_framed_situation(rng)
        tally["corners"] += 1
        for one in (
            situation,
            *(replace(counted_as(situation, counting), superko=True) for counting in (AREA, TERRITORY)),
        ):
            _compared(one, tally)
    print(dict(tally))
    return tally["wrong"]


def _compared(situation: Situation, tally: Counter[str]) -> None:
    at_once, value = worth(situation, lambda: False), search_worth(situation, LOOKS)
    kind = type(situation.tally).__name__.removeprefix("By") if isinstance(situation, CountedSituation) else "Moves"
    tally[f"{kind} known by search"] += value.score is not None
    tally[f"{kind} of these known at once"] += value.score is not None and at_once.score == value.score
    (low, high), (least, greatest) = at_once.bounds, value.bounds
    assert low is not None and high is not None and least is not None and greatest is not None
    if low > greatest or least > high:
        tally["wrong"] += 1
        print(situation, at_once.bounds, value.bounds)


def attacks(args: argparse.Namespace) -> int:
    """Return the number of wrong claims."""
    rng, tally = random.Random(args.first), Counter[str]()
    for _ in range(args.many):
        attack(rng, tally)
    print(dict(tally))
    return tally["wrong"]


def attack(rng: random.Random, tally: Counter[str]) -> None:
    """Attack what each player of a random walled position is sure of by strongholds, whoever moves first."""
    board, stones = random_walled_zone(rng, MOST_FREE)
    claims = Claims(board, AREA, frozenset(), lambda: True)
    tally["positions"] += 1
    for player in (0, 1):
        own, other = stones[player], stones[1 - player]
        safe = with_strongholds(board, own, other, find_safety(board, own, other), lambda: True)
        for turn in (0, 1) if safe.strongholds else ():
            margin = claims.search_margin(stones, player, player == turn)
            is_wrong = is_broken(board, stones, player, turn, safe.walls, margin, MOST_STATES)
            tally["too many boards" if is_wrong is None else "claims"] += 1
            if is_wrong:
                tally["wrong"] += 1
                print(board, stones, player, turn, margin, safe)


WAYS: dict[str, Way] = {
    "late": (solved, 30),
    "margins": (margins, 30),
    "frames": (frames, 2000),
    "attacks": (attacks, 1000),
}
