"""Many boxes in one process, each with its page at a port of its own, which publish recorded games at natural speed.

    python -m tests.benchmarks.parts.hall.stands GAMES FIRST COUNT SEED PACE

writes the tables' lines as JSON, one line; takes up the games where a line comes on standard input, and ends with the
next, when it writes at what time of day each table published each number. What is not a box's own here is camera, rules
and journal: pages, seals and server are. White's name tells the snapshot's number, so that the wall shows it.
"""

from __future__ import annotations

import gc
import heapq
import json
import pickle
import random
import resource
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from referee.game.game_info import GameInfo
from referee.table.display_state import TableSnapshot
from tests.support.hall.lines import RecordedGame
from web.app import create_app
from web.backend import Backend, DirectorBackend, LatestValue
from web.hmac_auth import new_secret
from web.page_config import AccessConfig, PageIdentity
from web.page_server import serve_page
from web.server import fair_server

WORKERS = 2
"""Threads of a page besides those for streams; a real box has more, which wait, and a thousand boxes have no room."""
BETWEEN_GAMES = 60.0
"""Seconds."""


@dataclass
class Stand:
    """A table. at: the index of what it publishes next; began: when that game's time was 0; games: how many so far."""

    table: int
    game: RecordedGame
    at: int
    began: float = 0.0
    number: int = 0
    games: int = 1

    def __post_init__(self) -> None:
        self.board, self.secret, self.box = LatestValue(), new_secret(), f"{self.table:064x}"
        self.board.publish(self._stamped(self.game.snapshots[self.at]))

    def _stamped(self, snapshot: TableSnapshot) -> TableSnapshot:
        self.number += 1
        names = f"Ada of {self.table}", f"Ben #{self.number}."
        game_info = GameInfo("Trial", str(self.games), str(self.table))
        return replace(
            snapshot, number=self.number, names=names, game_info=game_info, match=f"{self.games:05}", t=snapshot.t
        )

    @property
    def due(self) -> float:
        """The time at which it publishes next."""
        return self.began + self.game.snapshots[self.at].t

    def publish(self) -> float:
        """Publish what is due; the time of day at which it did."""
        snapshot = self._stamped(self.game.snapshots[self.at])
        at = time.time()
        self.board.publish(snapshot)
        self.at += 1
        if self.at == len(self.game.snapshots):
            self.began += self.game.lasts + BETWEEN_GAMES
            self.at, self.games = 0, self.games + 1
        return at

    @property
    def backend(self) -> Backend:
        """The backend of its page."""
        director = DirectorBackend(
            pin=lambda pin: False,
            stamp=lambda: None,
            act=lambda act: (),
            place=lambda: None,
            choices=lambda say: {},
            journal=lambda name: None,
            bundle=lambda: None,
            hall=lambda: self.secret,
        )
        return Backend(
            read_snapshot=lambda: self.board.newest,
            wait=self.board.wait,
            picture=lambda overlay: None,
            sgf=lambda: b"",
            health=lambda: {"ok": True},
            director=director,
        )


def stands(games: Sequence[RecordedGame], first: int, count: int, seed: int, pace: float) -> list[Stand]:
    """Tables that have begun at random times, half of them before the time of day is set. pace: so many times as fast
    as they were played."""
    chance = random.Random(seed)
    quick = [_at_pace(game, pace) for game in games]
    stands = []
    for table in range(first, first + count):
        game = quick[table % len(quick)]
        stands.append(Stand(table, game, chance.randrange(len(game.snapshots) - 1)))
    return stands


def _at_pace(game: RecordedGame, pace: float) -> RecordedGame:
    first = game.snapshots[0].t
    return RecordedGame(tuple(replace(one, t=(one.t - first) / pace) for one in game.snapshots))


def play(all_of_them: Sequence[Stand], over: threading.Event) -> dict[str, float]:
    """Publish until it is over; by table and number the time of day."""
    published, now = dict[str, float](), time.monotonic()
    for one in all_of_them:
        one.began = now - one.game.snapshots[one.at].t + random.Random(one.table).uniform(0, 10)
    line = [(one.due, one.table, one) for one in all_of_them]
    heapq.heapify(line)
    while not over.wait(max(line[0][0] - time.monotonic(), 0)):
        _, table, one = heapq.heappop(line)
        published[f"{table} {one.number}"] = one.publish()
        heapq.heappush(line, (one.due, table, one))
    return published


def main(games: str, first: str, count: str, seed: str, pace: str) -> None:
    """Serve and publish."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    fair_server.WORKERS = WORKERS
    with Path(games).open("rb") as file:
        all_of_them = stands(pickle.load(file), int(first), int(count), int(seed), float(pace))
    gc.freeze()
    with ExitStack() as stack:
        lines = []
        for one in all_of_them:
            app = create_app(one.backend, PageIdentity(box=one.box), AccessConfig(viewers=1))
            served = stack.enter_context(serve_page(app, port=0))
            lines.append({"table": str(one.table), "address": served.url, "box": one.box, "secret": one.secret})
        print(json.dumps(lines), flush=True)
        sys.stdin.readline()
        over = threading.Event()
        threading.Thread(target=lambda: (sys.stdin.readline(), over.set()), daemon=True).start()
        print(json.dumps(play(all_of_them, over)), flush=True)
        # A thousand pages need seconds to end one after the other, and nothing here is to be kept.
        sys.stdout.flush()
        stack.pop_all()


if __name__ == "__main__":
    main(*sys.argv[1:])
