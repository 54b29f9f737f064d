"""GNU Go as a live oracle: `python -m tests.benchmarks.gnugo`.

First so many random games on 5x5 to 9x9 under each of its ko rules and suicide rules: at every ply the points that GNU
Go calls legal (all_legal, which asks of every point what is_legal asks) are the referee's own. One difference is GNU
Go's: its superko lets every suicide pass, also one that brings an earlier board back; these are counted apart. Then
whole games that GNU Go plays against itself, refereed through `shinpan gtp`, and counted by both with the dead stones
that it names.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from referee.game.board import Colour
from referee.game.turns import Pass, Placement
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.methods import Agreed, count
from tests.support.gnugo import KO, SUICIDE, WAYS, random_game
from tests.support.gtp_client import Client, Refused, gnugo, shinpan

COUNTS = {"chinese": "--chinese-rules", "japanese": "--japanese-rules"}


def main() -> int:
    """Run both; 0 when nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=900, help="random games")
    parser.add_argument("--games", type=int, default=20, help="games of GNU Go's own")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    differences = oracle(args.random, args.seed) + refereed_games(args.games, args.seed)
    return 1 if differences else 0


def oracle(games: int, seed: int) -> int:
    """Random games, shared out among the ways; prints the first differences of each and how many there are."""
    started, tally = time.perf_counter(), Counter[str]()
    for number, (ko, suicide) in enumerate(WAYS):
        with gnugo(KO[ko], SUICIDE[suicide]) as engine:
            for game in range(number, games, len(WAYS)):
                tally += random_game(engine, ko, suicide, random.Random(seed * 1_000_003 + game))
        print(f"{ko}, suicide {suicide}: {dict(tally)} so far", flush=True)
    spent = time.perf_counter() - started
    told = f"{tally['verdicts']} verdicts, {tally['different']} different, {tally['suicides']} GNU Go's own"
    print(f"{games} random games: {told}, {spent:.0f} s")
    return tally["different"]


def refereed_games(games: int, seed: int) -> int:
    """Games of GNU Go against itself; how many were refused a move or counted otherwise."""
    wrong = 0
    for number in range(games):
        rules, size = list(COUNTS)[number % 2], (9, 13)[number // 2 % 2]
        with gnugo(COUNTS[rules], "--level", "1", "--seed", str(seed + number)) as engine:
            fault, told = refereed_game(engine, rules, size)
        wrong += fault
        print(f"{rules} {size}x{size}: {told}", flush=True)
    print(f"{games - wrong} of {games} games refereed and counted alike")
    return wrong


def refereed_game(engine: Client, rules: str, size: int) -> tuple[bool, str]:
    """One game: whether anything differs, and a line on it."""
    moves: list[str] = []
    with shinpan("--rules", rules) as referee:
        for program in (engine, referee):
            program.ask(f"boardsize {size}")
            program.ask("komi 6.5")
        while moves[-2:] != ["PASS", "PASS"]:
            player = "bw"[len(moves) % 2]
            moves.append(engine.ask(f"genmove {player}"))
            try:
                referee.ask(f"play {player} {moves[-1]}")
            except Refused as refusal:
                return True, f"turn {len(moves)} {moves[-1]}: {refusal}"
    ours, theirs = counted(rules, size, moves, engine), engine.ask("final_score").replace(".0", "")
    return ours != theirs, f"{len(moves)} turns, {ours}, GNU Go {theirs}"


def counted(rules: str, size: int, moves: list[str], engine: Client) -> str:
    """The result with the stones dead that GNU Go says are."""
    record = Setup(rule_set(rules), size=(size, size), komi=6.5).record()
    board = record.position.board
    for number, move in enumerate(moves):
        player = (Colour.BLACK, Colour.WHITE)[number % 2]
        after = judge(record, Pass(player) if move == "PASS" else Placement(player, board.point(move))).after
        assert after is not None
        record = after
    dead = sum(1 << board.point(name) for name in engine.ask("final_status_list dead").split())
    seki = sum(1 << board.point(name) for name in engine.ask("final_status_list seki").split())
    return str(count(record, Agreed(dead=dead, seki=seki)).result)


if __name__ == "__main__":
    sys.exit(main())
