"""GNU Go as a live oracle: `python -m tests.benchmarks.gnugo`.

First so many random games on 5x5 to 9x9 under each of its ko rules and suicide rules: at every ply the points that GNU
Go calls legal (all_legal, which asks of every point what is_legal asks) are the referee's own. One difference is GNU
Go's: its superko lets every suicide pass, also one that brings an earlier board back; these are counted apart. Then
whole games of two GNU Gos with two to nine handicap stones, refereed through `shinpan gtp`, and counted by both with
the dead stones that GNU Go names.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from tests.support.gnugo import KO, SUICIDE, WAYS, Client, GtpRefusal, gnugo, random_game, shinpan

COUNTS = {"chinese": "--chinese-rules", "japanese": "--japanese-rules"}
SIZES = (9, 13, 19)


def main() -> int:
    """Run both; 0 when nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=900, help="random games")
    parser.add_argument("--games", type=int, default=40, help="games of two GNU Gos")
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
    summary = f"{tally['verdicts']} verdicts, {tally['different']} different, {tally['suicides']} GNU Go's own"
    print(f"{games} random games: {summary}, {spent:.0f} s")
    return tally["different"]


def refereed_games(games: int, seed: int) -> int:
    """Games of GNU Go against GNU Go; how many were refused a move or counted otherwise."""
    wrong = 0
    for number in range(games):
        rules, size, handicap = list(COUNTS)[number % 2], SIZES[number // 2 % 3], 2 + number // 2 % 8
        fault, summary = refereed_game(rules, size, handicap, seed + number)
        wrong += fault
        print(f"{rules} {size}x{size}, handicap {handicap}: {summary}", flush=True)
    print(f"{games - wrong} of {games} games refereed and counted alike")
    return wrong


def refereed_game(rules: str, size: int, handicap: int, seed: int) -> tuple[bool, str]:
    """One game of two GNU Gos and a referee: whether anything differs, and a line on it."""
    options = (COUNTS[rules], "--level", "1", "--never-resign")
    black_seed, white_seed = str(2 * seed), str(2 * seed + 1)
    with (
        gnugo(*options, "--seed", black_seed) as black,
        gnugo(*options, "--seed", white_seed) as white,
        shinpan("--rules", rules) as referee,
    ):
        for program in (black, white, referee):
            program.ask(f"boardsize {size}")
            program.ask("komi 0.5")
        stones = [set(program.ask(f"fixed_handicap {handicap}").split()) for program in (black, white, referee)]
        assert stones[0] == stones[1] == stones[2], "the handicap stones lie elsewhere"
        try:
            turns = play(black, white, referee)
        except GtpRefusal as refusal:
            return True, str(refusal)
        dead = " ".join(black.ask("final_status_list dead").split())
        seki = " ".join(black.ask("final_status_list seki").split())
        referee.ask(f"shinpan-dead {dead}")
        ours, theirs = referee.ask("final_score"), black.ask("final_score").replace(".0", "")
    summary = f"{turns} turns, {len(dead.split())} dead, {len(seki.split())} in seki, {ours}, GNU Go {theirs}"
    return ours != theirs, summary


def play(black: Client, white: Client, referee: Client) -> int:
    """Play from White's first turn to two passes in a row; return the turns. Raise Refused with a refused turn."""
    moves: list[str] = []
    while moves[-2:] != ["PASS", "PASS"]:
        mover, other, player = (white, black, "w") if len(moves) % 2 == 0 else (black, white, "b")
        moves.append(mover.ask(f"genmove {player}"))
        for program in (referee, other):
            try:
                program.ask(f"play {player} {moves[-1]}")
            except GtpRefusal as refusal:
                raise GtpRefusal(f"turn {len(moves)} {moves[-1]}: {refusal}") from refusal
    return len(moves)


if __name__ == "__main__":
    sys.exit(main())
