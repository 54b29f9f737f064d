"""A table that plays in real time at a box of its own, and takes up its match when it is started again.

    python -m tests.benchmarks.parts.hall.player_at FOLDER PORT TABLE SEED

Box, rules, journal, page and seals are real; what is played is entered as a director does, turn by turn, with calls
between. Begins with a line on standard input, ends its games with the next, and writes when it called, and was
answered, on a clock that all processes of the machine share.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from device.journal.entries import Terms
from device.journal.replay import Folder
from device.machine.identity import Identity, hall_secret
from device.panel.panel import NoPanel
from device.table.bootstrap import SteadyClock
from device.table.controller import TableController
from device.table.director import Director
from device.table.event_loop import EventLoop
from referee.game.board import Colour, points_of
from referee.rules.legality import legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Phase, Sight
from referee.table.events import Resume
from referee.table.table import TableConfig
from referee.time.controls import read_control
from referee.time.steps import Act, Step
from web.app import create_app
from web.backend import Backend, DirectorBackend, LatestValue
from web.errors import BadAct
from web.page_config import AccessConfig, PageIdentity
from web.page_server import serve_page

EVENT, SIZE, TURNS = "Stormy Cup", 5, 6
THINKS, CALLS, STANDS = (0.2, 0.7), 0.3, (2.0, 4.0)
"""Seconds to a turn; share of games with a call; seconds for which a result stands before the next game."""
ANSWERED = (6.0, 12.0)
"""Seconds after a call."""


class PlayerAt:
    """The table. over: nothing more is begun."""

    def __init__(self, folder: Path, table: str, seed: int) -> None:
        self.table, self.chance, self.over = table, random.Random(f"{seed} {time.monotonic()}"), threading.Event()
        game_folder = Folder(folder)
        newest = game_folder.find_newest_match()
        self.clock, self.board = SteadyClock(newest[1].t + 1 if newest else 0.0), LatestValue()
        terms = Terms(Setup(rule_set("chinese"), size=(SIZE, SIZE)), TableConfig(True, 1, control=read_control("45m")))
        self.box = TableController(terms, game_folder, NoPanel(), self.board.publish)
        self.board.publish(self.box.snapshot)
        if newest is not None:
            self.box.resume_match(game_folder.open_journal(newest[0]), newest[1], newest[1].t)
        self.event_loop = EventLoop(self.clock.now)
        self.event_loop.start(self.box)
        self.director = Director(self.event_loop, self.clock.now, lambda place: None)
        self.games = len(game_folder.list_journals())
        self.public, self.secret = Identity(folder).public, hall_secret(folder)

    @property
    def backend(self) -> Backend:
        """The backend of its page."""
        nothing = (lambda pin: False), (lambda: None), self.director.act, (lambda: None), (lambda say: {})
        director = DirectorBackend(*nothing, lambda name: None, lambda: None, hall=lambda: self.secret)
        board = self.board
        return Backend(
            lambda: board.newest,
            board.wait,
            lambda overlay: None,
            lambda: self.box.sgf_record,
            lambda: {"ok": True},
            director=director,
        )

    def play(self) -> None:
        """Game after game, until it is over."""
        self.event_loop.sight(Sight.SEEN, self.clock.now())
        while not self.over.is_set():
            now = self.board.newest
            if now.called:
                self._answer()
            elif now.phase is Phase.FINAL or not now.names[0]:
                self._rest(STANDS if now.phase is Phase.FINAL else THINKS)
                self._set_up()
            elif now.game.turn < TURNS:
                self._turn(now.game.turn)
            else:
                self._end()
            self._rest(THINKS)

    def _rest(self, seconds: tuple[float, float]) -> None:
        self.over.wait(self.chance.uniform(*seconds))

    def _act(self, **fields: object) -> None:
        with suppress(BadAct):  # What was half done before a kill.
            self.director.act({"sure": True, **fields})

    def _set_up(self) -> None:
        if self.over.is_set():
            return
        self.games += 1
        names = {"black": f"Ada {self.games}", "white": f"Ben of {self.table}"}
        game_info = {"event": EVENT, "round": str(self.games), "table": self.table}
        self._act(act="set-up", rules="chinese", control="45m", **names, **game_info)
        self._act(act="time", step="start")

    def _turn(self, turn: int) -> None:
        if turn == TURNS // 2 and self.chance.random() < CALLS:
            self.event_loop.say(Step(self.clock.now(), Act.PAUSE, Colour.WHITE))
            self.event_loop.settle()
            if self.board.newest.called:
                self._answer()
        record = self.box.table.record
        points = [*points_of(legal_placements(record))]
        point = record.position.board.name(self.chance.choice(points))
        self._act(act="enter", player=record.to_play.value, turn="place", point=point, why="it is played")

    def _answer(self) -> None:
        """The director comes after a while."""
        print(f"called {self.table} {time.monotonic()}", flush=True)
        self._rest(ANSWERED)
        self.event_loop.say(Resume(self.clock.now()))
        self.event_loop.settle()
        print(f"answered {self.table} {time.monotonic()}", flush=True)

    def _end(self) -> None:
        if self.board.newest.game.result is None:
            self._act(act="report", result=self.chance.choice(("B+R", "W+R", "B+3.5", "0")), why="it is over")
        self._act(act="verify")


def main(folder: str, port: str, table: str, seed: str) -> None:
    """Serve and play."""
    player = PlayerAt(Path(folder), table, int(seed))
    with serve_page(
        create_app(player.backend, PageIdentity(box=player.public), AccessConfig(viewers=2)), port=int(port)
    ):
        print("here", flush=True)
        sys.stdin.readline()
        threading.Thread(target=lambda: (sys.stdin.readline(), player.over.set()), daemon=True).start()
        player.play()
        player.event_loop.settle()
        print("over", flush=True)
        sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])
