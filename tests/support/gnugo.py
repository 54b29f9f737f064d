"""GNU Go beside the referee: random games in which both say of every empty point whether it may be played."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

from referee.game.board import points_of
from referee.game.record import GameRecord
from referee.game.turns import Pass, Placement, Turn
from referee.rules.legality import judge, legal_placements
from referee.rules.setup import Setup
from tests.support.gtp_client import Client
from tests.support.referee.endless import endless

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
    after = outcome.position.without(outcome.surrounded)
    return bool(outcome.surrounded) and any(earlier.position == after for earlier in record.back())


def step(engine: Client, record: GameRecord, legal: int, chance: random.Random) -> GameRecord:
    """One random turn in both."""
    points, player = list(points_of(legal)), record.to_play
    turn: Turn = Placement(player, chance.choice(points)) if points and chance.random() < 0.96 else Pass(player)
    after = judge(record, turn).after
    assert after is not None
    vertex = record.position.board.name(turn.point) if isinstance(turn, Placement) else "pass"
    engine.ask(f"play {player.lower()} {vertex}")
    return after
