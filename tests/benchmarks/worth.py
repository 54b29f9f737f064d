"""The worth of turns: how far the solver comes on positions of real games, and whether the expedited count is right.

    python -m tests.benchmarks.worth games [--rules ultimate chinese] [--seconds 10] [--back 0]
    python -m tests.benchmarks.worth counts
    python -m tests.benchmarks.worth late|margins [--seconds 10]
    python -m tests.benchmarks.worth frames|attacks|atlas|agree|claims|histories

games: late positions of 100 real games that were played to the end, each of the last 20 moves in turn: how many are
solved in so many seconds of one core, by how many points are undecided (empty, in regions that both colours border),
and how wide the bounds of the others are. counts: the expedited count of 500 endings on small boards that the solver
solves, before the first delay or just after it, beside the exact result: where they differ, whether naming one-sided
dame or dead stones mends it, and else the position and the move of the procedure that changes the result. The others
are told in `late_boards` and `small_boards`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest

from device.table.worth import worth_within
from referee.analysis.exact_count import Checked, Valuer
from referee.analysis.figures import Worth
from referee.analysis.worth import worth
from referee.game.diagram import rows_of
from referee.game.record import GameRecord
from referee.score.procedure import Kind
from tests.benchmarks import late_boards, small_boards
from tests.benchmarks.parts.endings import Ending, dead_sets, endings, examined, one_sided_dame, procedure
from tests.benchmarks.parts.late_games import Late, late
from tests.benchmarks.ways import Way, run

CLASSES = (4, 8, 12, 20, 40, 361)
"""Undecided points, up to so many."""
SOLVED_IN = 0.15
"""Seconds of one core within which an ending has to be solved to be looked at."""
EXAMINED_IN = 3.0
"""The same for each situation on the way, where the count differs."""
PREMISES = {
    Kind.DAME: "a dame was worth more, or less, than a move (the dame are neutral)",
    Kind.TERRITORY: "filling harmed a group, or another move was worth more (territory is safe)",
    Kind.DELAY: "something was still to achieve when a delay came (the first delay was optimal)",
    Kind.RESIGN: "who resigned, or was left alone, has other moves than the procedure's (all that is left is safe)",
}


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", nargs="+", default=["ultimate", "chinese"], help="games: under these")
    parser.add_argument("--seconds", type=float, default=10, help="games, late, atlas: of one core, for each position")
    parser.add_argument("--back", type=int, help="games: so many moves from the last, else 0 to 20 by turns")
    return run(__doc__, WAYS, parser)


def games(args: argparse.Namespace) -> int:
    """Solve the positions and print what came out."""
    for rules in args.rules:
        try:
            positions = list(islice(late(rules, args.back), args.first, args.first + args.many))
        except pytest.skip.Exception:
            print("left out: the real games are not in ../shared/cases")
            return 0
        results = [(one, worth_within(one.record, args.seconds)) for one in positions]
        print(f"{rules}: {sum(w.exact for _, w in results)} of {len(results)} solved, ", end="")
        print(f"{sum(w.score is not None for _, w in results)} scores known, in {args.seconds:g} s each")
        _tell_widths(results)
        _tell_classes(results)
    return 0


def _tell_widths(results: list[tuple[Late, Worth]]) -> None:
    widths = sorted(width for _, value in results if (width := _width(value)) is not None)
    if widths:
        print(f"  widths of all bounds {widths[0]:g} to {widths[-1]:g}, median {statistics.median(widths):g}")


def _tell_classes(results: list[tuple[Late, Worth]]) -> None:
    classes = defaultdict[int, list[Worth]](list)
    for one, value in results:
        classes[next(most for most in CLASSES if one.undecided <= most)].append(value)
    for most, values in sorted(classes.items()):
        widths = sorted(width for value in values if (width := _width(value)) is not None and value.score is None)
        open_ended = sum(value.score is None and _width(value) is None for value in values)
        summary = f"{widths[0]:g} to {widths[-1]:g}, median {statistics.median(widths):g}" if widths else "none"
        solved = sum(value.score is not None for value in values)
        print(f"  up to {most:3} undecided: {solved} of {len(values)} scores known; widths of bounds {summary}", end="")
        print(f"; {open_ended} without any bound" if open_ended else "", flush=True)


def _width(value: Worth) -> float | None:
    low, high = value.bounds
    return None if low is None or high is None else high - low


def counts(args: argparse.Namespace) -> int:
    """Count the endings and print where the count differs, and why."""
    tally = Counter[str]()
    for ending in islice(_solved(args.first), args.many):
        how, check = _judged(ending)
        when = "after the first delay" if ending.delayed else "before the first delay"
        tally[f"{when}: {how}"] += 1
        if check is not None:
            _tell_difference(ending, check, when)
    for line, many in sorted(tally.items()):
        print(f"{many:4} {line}")
    return 0


def _solved(first: int) -> Iterator[Ending]:
    for seed in count(first):
        yield from endings(seed, _budget)


def _budget(seconds: float = SOLVED_IN) -> Callable[[], bool]:
    until = time.process_time() + seconds
    return lambda: time.process_time() < until


def _judged(ending: Ending) -> tuple[str, Checked | None]:
    """Return how the count comes to the exact result; or that it does not, and the count as it stands."""
    if procedure(ending) == ending.exact:
        return "agrees", None
    own = one_sided_dame(ending.record)
    if any(own) and procedure(ending, 0, own) == ending.exact:
        return "agrees where one-sided dame are named", None
    sets = [dead for dead in dead_sets(ending.record) if dead]
    for how, dame in (("dead stones", (0, 0)), ("dead stones and one-sided dame", own)):
        if any(procedure(ending, dead, dame) == ending.exact for dead in sets):
            return f"agrees where {how} are named", None
    check = examined(ending, _valuer())
    slip = check.slip if check is not None else None
    return f"differs: {PREMISES[slip.move.kind] if slip else 'the move that changes it is not found'}", check


def _valuer() -> Valuer:
    """Build a valuer of situations that solves each once."""
    values: dict[GameRecord, Worth] = {}

    def value(record: GameRecord) -> Worth:
        if record not in values:
            values[record] = worth(record, _budget(EXAMINED_IN))
        return values[record]

    return value


def _tell_difference(ending: Ending, check: Checked, when: str) -> None:
    record, slip = ending.record, check.slip
    bowls = ", ".join(f"{owner} {sum(bowl.values())}" for owner, bowl in record.bowls.as_dict().items())
    print(f"{' / '.join(rows_of(record.position))}  {record.to_play} to play, bowls {bowls}, {when}")
    print(f"   counted {check.counted}, exact {check.exact}", end="")
    if slip is not None:
        print(f"; step {slip.number}, {slip.move.kind} of {slip.move.turn.player}, costs {slip.cost:g}", end="")
        print(f"; better: {', '.join(slip.better) or 'nothing'}", end="")
    print(flush=True)


WAYS: dict[str, Way] = {"games": (games, 100), "counts": (counts, 500), **late_boards.WAYS, **small_boards.WAYS}

if __name__ == "__main__":
    sys.exit(main())
