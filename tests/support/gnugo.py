"""GNU Go beside the referee: random games in which both say of every empty point whether it may be played."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from itertools import product
from types import TracebackType

from referee.game.board import points_of
from referee.game.record import GameRecord
from referee.game.turns import Pass, Placement, Turn
from referee.rules.legality import judge, legal_placements
from referee.rules.setup import Setup
from tests.support import ROOT
from tests.support.referee.positions import endless
from tests.support.wanting import GNUGO, program

# A client of the Go Text Protocol: another program, asked one command at a time.


class GtpRefusal(Exception):
    """The program answered `?`; the message is what it said."""


class Client:
    """A running program; a `with` block ends it."""

    def __init__(self, *command: str) -> None:
        self._program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, text=True
        )
        self._asked = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._program.poll() is None:
            self._program.kill()
        self._program.communicate()

    def ask(self, command: str) -> str:
        """Its answer to a command; raises Refused. The answer's number must be the command's."""
        assert self._program.stdin is not None
        self._asked += 1
        self._program.stdin.write(f"{self._asked} {command}\n")
        self._program.stdin.flush()
        text = self._answer()
        mark, number, answer = text[0], text[1:].split(" ", 1)[0].split("\n", 1)[0], text[1:]
        assert mark in "=?" and number == str(self._asked), text
        answer = answer.removeprefix(number).removeprefix(" ")
        if mark == "?":
            raise GtpRefusal(answer)
        return answer

    def _answer(self) -> str:
        assert self._program.stdout is not None
        lines: list[str] = []
        while (line := self._program.stdout.readline()) != "\n" or not lines:
            assert line, "the program has ended"
            lines += [line] if line != "\n" else []
        return "".join(lines).rstrip("\n")


def gnugo(*options: str) -> Client:
    """GNU Go, or skip the test where it is not installed."""
    return Client(program("gnugo", GNUGO, "/usr/games"), "--mode", "gtp", *options)


def shinpan(*options: str) -> Client:
    """shinpan's own protocol command."""
    return Client(sys.executable, "-m", "device", "gtp", *options)


KO = {"simple": "--simple-ko", "positional": "--positional-superko", "situational": "--situational-superko"}
SUICIDE = {"none": "--forbid-suicide", "multi": "--allow-suicide", "any": "--allow-all-suicide"}
WAYS = list(product(KO, SUICIDE))


def random_game(engine: Client, ko: str, suicide: str, chance: random.Random) -> Counter[str]:
    """One game, every empty point at every ply compared; passes at times, captures welcome."""
    size, tally = chance.randint(5, 9), Counter[str]()
    record = Setup(endless(ko, suicide), size=(size, size)).record()
    engine.ask(f"boardsize {size}")
    for _ in range(size * size * 2):
        ours = legal_placements(record)
        theirs = set(engine.ask(f"all_legal {record.to_play.lower()}").split())
        named = set(record.position.board.names(ours))
        tally["verdicts"] += record.position.empty.bit_count()
        own = {name for name in theirs - named if is_repeating_suicide(record, name)}
        tally["suicides"] += len(own)
        tally["different"] += len(named ^ theirs) - len(own)
        if named != theirs - own:
            print(f"  {ko}, {suicide}, turn {record.number}: ours alone {named - theirs}, theirs {theirs - named}")
        record = step(engine, record, ours, chance)
    return tally


def is_repeating_suicide(record: GameRecord, name: str) -> bool:
    """Return whether a placement there is a suicide after which a board of this game stands again."""
    outcome = record.position.place(record.to_play, record.position.board.point(name))
    after = outcome.position.without_stones(outcome.surrounded)
    return bool(outcome.surrounded) and any(earlier.position == after for earlier in record.iterate_back())


def step(engine: Client, record: GameRecord, legal: int, chance: random.Random) -> GameRecord:
    """One random turn in both."""
    points, player = list(points_of(legal)), record.to_play
    turn: Turn = Placement(player, chance.choice(points)) if points and chance.random() < 0.96 else Pass(player)
    after = judge(record, turn).after
    assert after is not None
    vertex = record.position.board.name(turn.point) if isinstance(turn, Placement) else "pass"
    engine.ask(f"play {player.lower()} {vertex}")
    return after
