"""Measure the referee's speed, as ratios to sgfmill's board in one run: `python -m tests.benchmarks.speed`.

pytest-benchmark times each function below over the same real games. The table printed at the end divides by what
sgfmill's `Board.play`, which knows no ko rule and keeps no record, takes for a move of them; memory is traced apart.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from sgfmill.boards import Board as OtherBoard

from device.cli.judge import Judge
from referee.game.board import Colour, board_of, points_of
from referee.game.record import GameRecord, RuleSet
from referee.game.turns import Pass, Placement, Turn
from referee.rules import legality
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from tests.support.referee.positions import endless
from tests.support.shared import cases

GAMES = 60
LATE, LATER = 250, 400
OPENING = 800
BOARD = board_of(19)
JUDGED = ("positional", "chinese", "japanese", "aga", "spight", "ing-simplified")
SURVEYED = (*JUDGED, "ultimate", "kee", "ing")
LATE_TURNS = (("positional", LATE), ("ing", LATE), ("positional", LATER), ("kee", LATER))
Moves = tuple[tuple[Colour, int], ...]


@cache
def games() -> tuple[Moves, ...]:
    """Real games as far as their first pass, those of at least 250 moves."""
    with cases("real_games.jsonl").open(encoding="utf-8") as file:
        read = [json.loads(line)["moves"] for line in file]
    placed = (takewhile(lambda move: move[1] != "pass", moves) for moves in read)
    points = (tuple((Colour(player), BOARD.point(point)) for player, point in moves) for moves in placed)
    return tuple(moves for moves in points if len(moves) >= LATE)[:GAMES]


@cache
def turns() -> tuple[tuple[Turn, ...], ...]:
    return tuple(tuple(Placement(player, point) for player, point in moves) for moves in games())


def begin(rules: RuleSet) -> GameRecord:
    return Setup(rules).record()


def play_all(record: GameRecord, turns: Iterable[Turn]) -> GameRecord:
    """The record after these turns. One that is refused (a real game may part from a rule set) becomes a pass."""
    for turn in turns:
        after = legality.judge(record, turn).after or legality.judge(record, Pass(turn.player)).after
        assert after is not None, f"{turn} in {record}"
        record = after
    return record


@cache
def late(rules: str, many: int) -> tuple[GameRecord, ...]:
    """Records of real games after so many moves; shorter games go on with legal placements drawn by lot."""
    chance = random.Random(1)
    return tuple(
        drawn_out(play_all(begin(endless_of(rules)), game_turns[:many]), many, chance) for game_turns in turns()
    )


def endless_of(rules: str) -> RuleSet:
    """The rule set; where passes would end a game too early for these measurements, only its ko rule and suicide."""
    own = RULESETS[rules]
    return own if own.delays is not None else endless(own.ko.name, own.suicide.name)


def drawn_out(record: GameRecord, many: int, chance: random.Random) -> GameRecord:
    """The record with placements drawn by lot until it has so many turns."""
    while record.number < many:
        free = list(points_of(legality.legal_placements(record)))
        turn: Turn = Placement(record.to_play, chance.choice(free)) if free else Pass(record.to_play)
        after = legality.judge(record, turn).after
        assert after is not None
        record = after
    return record


def time_runs(benchmark: Any, name: str, many: int, run: Callable[[], object]) -> None:
    """Time a function that does something so many times."""
    benchmark.extra_info["many"] = many
    benchmark.name = name
    benchmark.pedantic(run, rounds=7, warmup_rounds=1)


def moves_played() -> int:
    return sum(map(len, games()))


def test_play(benchmark: Any) -> None:
    """sgfmill's play, the measure of the others."""
    rows = [[(point // 19, point % 19, player.value.lower()) for player, point in moves] for moves in games()]

    def run() -> None:
        for moves in rows:
            board = OtherBoard(19)
            for row, col, player in moves:
                board.play(row, col, player)

    time_runs(benchmark, "play", moves_played(), run)


def test_bare_placements(benchmark: Any) -> None:
    """Placements, each looked up in the set of all positions of its game."""
    plain = [[("BW".index(player), point) for player, point in moves] for moves in games()]

    def run() -> None:
        place = BOARD.place
        for moves in plain:
            stones: tuple[int, ...] = (0, 0)
            stood = {stones}
            for player, point in moves:
                stones, _, surrounded = place(stones, player, point)
                assert not surrounded and stones not in stood
                stood.add(stones)

    time_runs(benchmark, "bare", moves_played(), run)


@pytest.mark.parametrize("rules", JUDGED)
def test_judge(benchmark: Any, rules: str) -> None:
    """Every turn judged: the verdict, and the record that it leads to."""

    def run() -> None:
        for game_turns in turns():
            play_all(begin(RULESETS[rules]), game_turns)

    time_runs(benchmark, f"judge {rules}", moves_played(), run)


def test_replies(benchmark: Any) -> None:
    """The same with the whole reply of `shinpan judge`, the drawn board included, before it is written."""

    def run() -> None:
        for game_turns in turns():
            judge = Judge(begin(RULESETS["positional"]))
            for turn in game_turns:
                judge.reply(turn)

    time_runs(benchmark, "reply positional", moves_played(), run)


@pytest.mark.parametrize("rules", SURVEYED)
def test_legal_points(benchmark: Any, rules: str) -> None:
    """All legal points of a position late in a game."""
    records = late(rules, LATE)
    time_runs(benchmark, f"legal {rules}", len(records), lambda: [legality.legal_placements(r) for r in records])


@pytest.mark.parametrize("late_under", LATE_TURNS)
def test_late_turn(benchmark: Any, late_under: tuple[str, int]) -> None:
    """One more turn, at a fifth of a position's empty points."""
    rules, many = late_under
    tried = [(record, Placement(record.to_play, p)) for record in late(rules, many) for p in some_points(record)]
    time_runs(benchmark, f"turn {many} {rules}", len(tried), lambda: [legality.judge(*one) for one in tried])


@pytest.mark.parametrize("late_under", LATE_TURNS)
def test_late_capture(benchmark: Any, late_under: tuple[str, int]) -> None:
    """One more turn where it captures, which is what ko rules have to look at."""
    rules, many = late_under
    tried = [(record, Placement(record.to_play, p)) for record in late(rules, many) for p in captures(record)]
    time_runs(benchmark, f"capture {many} {rules}", len(tried), lambda: [legality.judge(*one) for one in tried])


def some_points(record: GameRecord) -> list[int]:
    return list(points_of(record.position.empty))[::5]


def captures(record: GameRecord) -> list[int]:
    return [p for p in points_of(record.position.empty) if record.position.place(record.to_play, p).captured]


@pytest.mark.parametrize("many", [400, 800, 1600, 3200])
def test_long_game(benchmark: Any, many: int) -> None:
    """So many turns drawn by lot after an opening; before captures begin, a turn costs less."""
    start = begin(endless("positional"))
    game_turns = drawn_out(start, OPENING + many, random.Random(2)).turns

    def opened() -> tuple[tuple[GameRecord, tuple[Turn, ...]], dict[str, object]]:
        return (play_all(begin(start.rules), game_turns[:OPENING]), game_turns[OPENING:]), {}

    benchmark.extra_info |= {"many": 1, "bytes": traced(*opened()[0])}
    benchmark.name = f"long {many}"
    benchmark.pedantic(play_all, setup=opened, rounds=15)


def test_whole_game(benchmark: Any) -> None:
    """A game of 400 turns, and what its record holds on to."""
    start = begin(endless("positional"))
    game_turns = late("positional", LATER)[0].turns
    benchmark.extra_info["bytes"] = traced(begin(start.rules), game_turns)
    time_runs(benchmark, "whole 400", 1, lambda: play_all(begin(start.rules), game_turns))


def traced(record: GameRecord, turns: tuple[Turn, ...]) -> int:
    """The bytes that the record of these turns holds on to, beyond those of the record before them."""
    tracemalloc.start()
    after = play_all(record, turns)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after.number > record.number
    return size


def table(results: dict[str, dict[str, Any]]) -> list[str]:
    """The ratios, each with what is wanted."""
    each = {name: one["stats"]["median"] / one["extra_info"]["many"] for name, one in results.items()}
    size = {name: one["extra_info"]["bytes"] for name, one in results.items() if "bytes" in one["extra_info"]}
    return [
        f"a play of sgfmill's board: {1e6 * each['play']:.2f} us",
        *(
            format_figure(name, each["play"] / each[name], "times its rate", RATES[name.split()[0]])
            for name in each
            if is_rate(name)
        ),
        *(
            format_figure(f"{name} points", each[name] / each["play"], "plays", "at most 40")
            for name in each
            if name[:6] == "legal "
        ),
        *against_positional(each),
        format_figure("a game of 400 turns", size["whole 400"] / 1e6, "MB", "at most 4"),
        *(line for few in (400, 800, 1600) for line in doubled(few, each, size)),
    ]


RATES = {"bare": "at least 4", "judge": "at least 1", "reply": "no target"}


def is_rate(name: str) -> bool:
    return name.split()[0] in RATES


def against_positional(each: dict[str, float]) -> Iterator[str]:
    for what in ("turn", "capture"):
        for rules, many, most in (("ing", LATE, 20), ("kee", LATER, 10)):
            ratio = each[f"{what} {many} {rules}"] / each[f"{what} {many} positional"]
            yield format_figure(f"{what} {many} {rules}", ratio, "times positional", f"at most {most}")


def doubled(few: int, each: dict[str, float], size: dict[str, int]) -> Iterator[str]:
    for what, of in (("time", each), ("memory", size)):
        ratio = of[f"long {2 * few}"] / of[f"long {few}"]
        yield format_figure(f"{2 * few} turns, {what}", ratio, f"times that of {few}", "at most 2")


def format_figure(what: str, figure: float, unit: str, wanted: str) -> str:
    return f"{what:24} {figure:7.2f} {unit} ({wanted})"


def main() -> int:
    """Run the benchmarks and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "speed.json"
        # Processor time: a busy machine must not decide a ratio.
        ways = [f"--benchmark-json={path}", "--benchmark-timer=time.process_time", "--benchmark-quiet"]
        status = pytest.main([__file__, "-q", "-p", "no:cacheprovider", *ways, *sys.argv[1:]])
        if status != 0:
            return int(status)
        results = {one["name"]: one for one in json.loads(path.read_text(encoding="utf-8"))["benchmarks"]}
    print("\n".join(table(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
