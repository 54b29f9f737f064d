"""Lines between boxes and a hall that can be cut, held up and slowed."""

from __future__ import annotations

import asyncio
import random
import threading
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from referee.game.board import Colour, opponent_of, points_of
from referee.game.turns import Placement
from referee.rules.legality import judge, legal_placements
from referee.table.display_state import Phase, TableSnapshot
from referee.table.events import Button, Resume
from referee.time.steps import Act, Step
from tests.support.device.player import Player
from tests.support.table import TrueTable

# Games as real boxes published them: each snapshot with its time, from a box with rules, clocks and journal of its own
# that was told what lay on its table and what was pressed. Seeded.

CONTROL = "45m+5x60s"
THINKS = 12.0, 2.0, 90.0
"""Seconds to a turn: their mean, the least and the most."""
SLIPS_EVERY, CALLS_EVERY = 40, 90
"""Turns between two stones of the wrong colour, and between two calls for the director."""


@dataclass(frozen=True)
class RecordedGame:
    """Snapshots that a box published in a game, the oldest first, each at `t` on its clock."""

    snapshots: tuple[TableSnapshot, ...]

    @property
    def lasts(self) -> float:
        """Seconds from the first to the last."""
        return self.snapshots[-1].t - self.snapshots[0].t


class Recording(Player):
    """A game of random legal turns at a table of its own, with slips and calls."""

    def __init__(self, folder: Path, seed: int, size: int) -> None:
        super().__init__(folder, rules="chinese", size=size, control=CONTROL)
        TrueTable.__init__(self, self.box.table.record)
        self._chance = random.Random(seed)
        self.look()

    def play(self, turns: int) -> RecordedGame:
        """So many turns; then who is to move resigns, and both agree."""
        self.press(2)
        for number in range(1, turns + 1):
            self.wait(self._thinks())
            if number % SLIPS_EVERY == 0:
                self._slip()
            if number % CALLS_EVERY == 0:
                self._call()
            self._turn()
        self._end()
        self.box.close()
        assert self.now.phase is Phase.FINAL, self.now.phase
        return RecordedGame(tuple(self.snapshots))

    @property
    def _mover(self) -> Colour:
        return self.box.table.record.to_play

    def _thinks(self) -> float:
        mean, least, most = THINKS
        return min(max(self._chance.expovariate(1 / mean), least), most)

    def _done(self) -> None:
        self.press(1 if self._mover is Colour.BLACK else 2).look()

    def _turn(self) -> None:
        record = self.box.table.record
        points = [*points_of(legal_placements(record))]
        after = judge(record, Placement(record.to_play, self._chance.choice(points))).after
        assert after is not None
        self.position, self.lids = after.position, after.bowls
        self._done()

    def _slip(self) -> None:
        """A stone of the wrong colour, which is refused and taken back."""
        before, mover = self.position, self._mover
        points = [*points_of(legal_placements(self.box.table.record))]
        self.put(opponent_of(mover), self.board.name(self._chance.choice(points)))
        self._done()
        self.position = before
        self.look()
        self.wait(4.0)

    def _call(self) -> None:
        """The player to move calls the director, who comes after half a minute."""
        self.box.say(Step(self.t, Act.PAUSE, self._mover))
        self.wait(30.0)
        self.box.say(Resume(self.t))

    def _end(self) -> None:
        side = 1 if self._mover is Colour.BLACK else 2
        self.press(side, Button.CALL, lasting=3.5)
        self.press(side)
        for each in (1, 2):
            self.press(each)
        self.look()


def record_game(folder: Path, seed: int, turns: int = 220, size: int = 19) -> RecordedGame:
    """A game. folder: where its box keeps its journal."""
    return Recording(folder, seed, size).play(turns)


LOOK_UP, SLOW = 0.05, 0.7
"""Seconds; the second is what a slow line takes for each piece."""
PIECE = 4096


class State(StrEnum):
    """The state of a line: as it should be; cut, so that callers are sent away; holding back what is sent; slow."""

    OPEN = "open"
    CUT = "cut"
    HELD = "held"
    SLOW = "slow"


class Line:
    """A line to a port of this machine, through a port of its own."""

    def __init__(self, to: int) -> None:
        self._to, self._state, self.port = to, State.OPEN, 0
        self._ends = set[asyncio.StreamWriter]()
        self._loop, ready = asyncio.new_event_loop(), threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    @property
    def state(self) -> State:
        """The line's state."""
        return self._state

    def put(self, state: State) -> None:
        """Let it be like this from now on."""
        self._state = state
        if state is State.CUT:
            self._loop.call_soon_threadsafe(self._cut)

    def _run(self, ready: threading.Event) -> None:
        async def serve() -> None:
            server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await server.serve_forever()

        self._loop.run_until_complete(serve())

    def _cut(self) -> None:
        for end in list(self._ends):
            end.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = [writer]
        self._ends.add(writer)
        with suppress(OSError, asyncio.CancelledError):
            if self._state is not State.CUT:
                far, there = await asyncio.open_connection("127.0.0.1", self._to)
                ends.append(there)
                self._ends.add(there)
                await asyncio.gather(self._pass_on(reader, there), self._pass_on(far, writer))
        for end in ends:
            self._ends.discard(end)
            end.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(PIECE):
            if self._state is State.SLOW:
                await asyncio.sleep(SLOW)
            while self._state is State.HELD:
                await asyncio.sleep(LOOK_UP)
            writer.write(data)
            await writer.drain()
        writer.transport.abort()
