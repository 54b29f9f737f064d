"""The proposed dead stones of finished games against their recorded results: `python -m tests.benchmarks.proposals`.

Games that end with two passes and a counted result are counted with the proposal, and by GNU Go's `final_score`; the
share whose result is met exactly is printed by rule set and board size, with the time of a proposal by the processor.
The proposal was made with the first half of the games in view, and without the second (`--half second`).

With `--times` the processor time of a proposal at 9, 13 and 19 lines is printed instead, for those games and for their
corners, as a multiple of a look at the same board in a drawn picture: its lines fitted anew, and all points read.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from device.cli.score import result_lead
from referee.analysis.benson import split_parts
from referee.analysis.proposal import Proposal, propose_dead
from referee.game.board import Colour, Mask, board_of
from referee.game.diagram import rows_of
from referee.game.record import GameRecord
from referee.game.turns import Pass, Placement
from referee.rules.agreements import apply_action
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.methods import Agreed, count
from tests.benchmarks.parts.baseline import timed
from tests.support.gnugo import GtpRefusal, gnugo
from vision.board.detect import find_board, refine_board
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table
from vision.stones.reader import default_reader

GAMES = Path("../shared/cases/real_games.jsonl")
RULES = {"Chinese": "--chinese-rules", "Japanese": "--japanese-rules", "AGA": "--chinese-rules"}
SIDES, BOARDS, SEED = (9, 13, 19), 5, 3
COUNTED = re.compile(r"[BW]\+[0-9.]+|0")


@dataclass(frozen=True)
class Game:
    """A game as it was played: its rule set, lines a side, komi, result, and moves as pairs of colour and point."""

    rules: str
    size: int
    komi: float
    result: str
    moves: tuple[tuple[str, str], ...]

    def record(self) -> GameRecord:
        """Return the game after its last turn."""
        record = Setup(rule_set(self.rules.lower()), size=(self.size, self.size), komi=self.komi).record()
        for letter, at in self.moves:
            player = Colour(letter)
            turn = Pass(player) if at == "pass" else Placement(player, record.position.board.point(at))
            after = apply_action(record, turn).after
            assert after is not None, (letter, at)
            record = after
        return record

    def has_result(self, result: str) -> bool:
        """Return True if a result is the recorded one."""
        return result_lead(result) == result_lead(self.result)


def games(half: str) -> Iterator[tuple[int, Game]]:
    """Yield the finished games of a half, numbered from 0, if they are beside the project."""
    lines = [json.loads(line) for line in GAMES.read_text().splitlines()] if GAMES.exists() else []
    counted_games = [game for game in lines if COUNTED.fullmatch(game["result"] or "") and game["rules"] in RULES]
    first, last = {
        "first": (0, len(counted_games) // 2),
        "second": (len(counted_games) // 2, len(counted_games)),
        "all": (0, len(counted_games)),
    }[half]
    for number, game in enumerate(counted_games[first:last], first):
        moves = tuple((colour, at) for colour, at in game["moves"])
        yield number, Game(game["rules"], game["size"], game["komi"], game["result"], moves)


def main() -> int:
    """Run the games; return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("first", "second", "all"), default="all")
    parser.add_argument("--games", type=int, default=1000, help="at most so many")
    parser.add_argument("--patience", type=float, default=3600, help="seconds after which no further game is begun")
    parser.add_argument("--times", action="store_true", help="the time of a proposal instead")
    args = parser.parse_args()
    if args.times:
        print_times()
        return 0
    tally, spent, started = Counter[tuple[str, str]](), Counter[int](), time.monotonic()
    for done, (number, game) in enumerate(games(args.half)):
        if done >= args.games or time.monotonic() - started > args.patience:
            break
        kind = f"{game.rules} {game.size}x{game.size}"
        record = game.record()
        begun = time.process_time()
        proposal = propose_dead(record.position.board, (record.position.stones[0], record.position.stones[1]))
        spent[game.size] += round(1000 * (time.process_time() - begun))
        ours, (theirs, dead) = str(count(record, Agreed(proposal.dead)).result), by_gnugo(game)
        tally["proved", "chains"] += sum(len(chains) for chains in proved_chains(record, proposal))
        tally["proved", "chains of which GNU Go says otherwise"] += otherwise(record, proposal, dead)
        flags = {"games": True, "met": game.has_result(ours), "GNU Go met": game.has_result(theirs)}
        flags |= {"sure": not proposal.uncertain, "sure and met": not proposal.uncertain and game.has_result(ours)}
        tally.update((kind, word) for word, holds in flags.items() if holds)
        tally[f"{game.size}", "games"] += 1
        if not flags["met"]:
            print(
                f"{number}: {kind} RE[{game.result}], {ours}, GNU Go {theirs}; {doubts(record, proposal)}", flush=True
            )
    for (kind, word), many in sorted(tally.items()):
        print(f"{kind}: {many} {word}")
    for size, ms in sorted(spent.items()):
        print(f"a proposal on {size} lines: {ms / tally[f'{size}', 'games']:.0f} ms of processor time")
    return 0


def print_times() -> None:
    """Print how long a proposal takes at each size, as a multiple of a look."""
    positions = [rows_of(game.record().position) for _, game in islice(games("all"), BOARDS)]
    for side in SIDES if positions else ():
        pairs = [_times(tuple(row[:side] for row in rows[:side])) for rows in positions]
        proposal, look = (statistics.median(times) for times in zip(*pairs, strict=True))
        slowest = max(time for time, _ in pairs)
        print(
            f"{side} lines: {proposal:.0f} ms, at most {slowest:.0f}; a look {look:.0f} ms: {proposal / look:.1f} times"
        )


def _times(rows: tuple[str, ...]) -> tuple[float, float]:
    """Return the milliseconds of a proposal and of a look."""
    board, text = board_of(len(rows), len(rows)), "".join(rows)
    black, white = (sum(1 << at for at, char in enumerate(text) if char == colour) for colour in "XO")
    image = np.asarray(Table(club_look(SEED, len(rows), 1920, 1080)).draw(Scene(rows), 0).pixels, np.uint8)
    grid, reader = find_board(image), default_reader()
    assert grid is not None, "the drawn board was not found"
    reader.read(image, grid)
    proposal = timed(lambda: propose_dead(board, (black, white)))[1]
    return proposal, timed(lambda: (refine_board(image, grid), reader.read(image, grid)))[1]


def doubts(record: GameRecord, proposal: Proposal) -> str:
    """Return the uncertain stones of a proposal, the first ones of many."""
    names = record.position.board.names(proposal.uncertain)
    return f"uncertain {' '.join(names[:8])}" if names else "nothing uncertain"


def proved_chains(record: GameRecord, proposal: Proposal) -> tuple[list[Mask], ...]:
    """Return each player's chains whose fate is proved."""
    return tuple(split_parts(record.position.board, stones & proposal.proved) for stones in record.position.stones)


def otherwise(record: GameRecord, proposal: Proposal, dead: list[str]) -> int:
    """Return how many chains are proved alive that GNU Go calls dead, or the other way round."""
    theirs = record.position.board.mask(dead)
    return sum(
        bool(chain & proposal.dead) != bool(chain & theirs) for own in proved_chains(record, proposal) for chain in own
    )


def by_gnugo(game: Game) -> tuple[str, list[str]]:
    """Return GNU Go's result of a game, as the record would write it, and its dead stones."""
    with gnugo(RULES[game.rules], "--seed", "1") as program:
        program.ask(f"boardsize {game.size}")
        program.ask(f"komi {game.komi}")
        try:
            for colour, at in game.moves:
                program.ask(f"play {colour} {at}")
        except GtpRefusal:
            return "?", []
        return program.ask("final_score").split(" ")[0], program.ask("final_status_list dead").split()


if __name__ == "__main__":
    sys.exit(main())
