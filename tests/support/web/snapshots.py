"""Snapshots of real games: every position and ruling in them comes from the referee."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Condition

from referee.game.board import COLOURS, points_of
from referee.game.count_result import DeadStoneClaim
from referee.game.observation import Observation
from referee.game.ruling import Ruling, Status
from referee.rules.legality import legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score import expedited
from referee.sgf.records import write_sgf
from referee.table.display_state import Phase, Sight, TableSnapshot
from referee.table.events import Agree, Button, Pressed, Propose
from referee.table.snapshot import Counting
from referee.table.table import Table, TableConfig
from referee.time.controls import read_control
from tests.support.referee.positions import record_of
from tests.support.referee.table import B, PlayedTable, W, begin_seen
from web.backend import Backend, Listed, PhoneBackend, Replay

# The text that people read or hear of a page.


def words_of(page: str) -> str:
    """Its text, and what a screen reader says besides."""
    text = re.sub(r"(?s)<(script|style).*?</\1>", "", page)
    spoken = re.findall(r'(?:aria-label|alt|title)="([^"]*)"', text)
    return " ".join([re.sub(r"<[^>]*>", " ", text), *spoken])


# A page's backend with a phone at the table.


def backend_with(backend: Backend, **part: object) -> Backend:
    """A backend with one phone, which has this part, and whose contacts are heard."""

    def nothing(*_: object) -> None:
        return None

    def contact(*_: object) -> dict[str, object]:
        return {"t": time.monotonic(), "run": "run", "last": 0, "number": 1, "name": "phone", **part}

    phones = PhoneBackend(*(nothing,) * 9)  # type: ignore[arg-type]
    return replace(backend, phones=replace(phones, phone_part=lambda secret: part, phone_contact=contact))


KO = (".XO......", "X.XO.....", ".XO......", *(".........",) * 6)
"""White takes C8 by playing B8; Black may not take back while the whole board would repeat."""
SPLIT = (".XO..",) * 5
BORDERED = ("XX.XO.O",) * 4 + (".XXXOO.",)
PAIR = (".........", "..XX.....", ".XOO.....", "..XX.....", *(".........",) * 5)
"""Black takes C7 and D7 by playing E7."""


def take_snapshot(table: PlayedTable, number: int = 1, **changes: object) -> TableSnapshot:
    """Return the box's snapshot of this table; the newest ruling is the open trouble unless it is legal."""
    game = table.referee.snapshot
    newest = game.newest_ruling
    trouble = newest if newest is not None and newest.status is not Status.LEGAL else None
    phase = Phase.RESULT if game.ended else Phase.PLAY if game.rulings else Phase.START
    plain = TableSnapshot(
        number,
        table.t,
        Sight.SEEN,
        game=game,
        refereed=True,
        phase=phase,
        trouble=trouble,
        seen_position=table.position,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def begun_table(rows: tuple[str, ...] = KO, **start: object) -> PlayedTable:
    """A refereed table that has been seen as it starts."""
    return begin_seen(rows, **start)


def ultimate_game() -> PlayedTable:
    """Eight turns of Ultimate Go: captures, prisoners in both lids, and the ultimate stone in White's."""
    turns = ("W B8", "B G3", "W E7", "B delay", "W G5", "B C8", "W F2", "B E4")
    return begun_table(to_play=W).play(*turns)


def superko() -> PlayedTable:
    """White has taken the ko and Black takes it back at once: illegal, repeating the start."""
    table = begun_table(to_play=W).play("W B8")
    table.put(B, "C8").lift("B8").lid(B, W, +1)
    assert table.done(B)[0].repeats == 0
    return table


def unfinished_table() -> PlayedTable:
    """Black has taken two stones that still stand."""
    table = begun_table(PAIR)
    table.put(B, "E7")
    assert table.done(B)[0].status is Status.UNFINISHED
    return table


def resigned_table() -> PlayedTable:
    """The game of `ultimate_game`, which White gives up."""
    return ultimate_game().play("W resign")


def running(control: str = "1m+3x10s") -> PlayedTable:
    """Black's clock has run for ten seconds."""
    table = PlayedTable(SPLIT, rules="chinese", refereed=True, black_side=1, control=control)
    table.look()
    table.press(W, Button.DONE)
    table.wait(9).due()
    return table


def several(players: int, control: str | None = "1m+3x20s") -> TableSnapshot:
    """A game of Kee in which White has pressed out of turn."""
    setup = Setup(rule_set("kee"), size=(9, 9), players="".join(COLOURS[:players]))
    time_control = read_control(control) if control is not None else None
    referee = Table(setup.record(), TableConfig(True, 1, control=time_control))
    bare = Observation(1.0, ((0.99, *players * (0.01 / players,)),) * 81)
    for event in (bare, Pressed(2.0, players, Button.DONE), Pressed(5.0, 2, Button.DONE), replace(bare, t=6.0)):
        referee.receive(event)
    game = referee.snapshot
    return TableSnapshot(1, 8.0, Sight.SEEN, game=game, refereed=True, phase=Phase.PLAY, trouble=game.newest_ruling)


def several_with_names(players: int) -> TableSnapshot:
    """The game of `several`, its players known by name."""
    return replace(several(players), names=("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")[:players])


def passed_out() -> PlayedTable:
    """Both have passed."""
    return running().play("B pass", "W pass")


def proposed_table() -> PlayedTable:
    """Black has proposed a dead stone."""
    table = passed_out()
    table.say(Propose, B, table.dead("B5"))
    return table


def random_game(turns: int, seed: int = 7) -> PlayedTable:
    """A game on 19x19 with clocks, so many turns long, of stones anywhere."""
    rng = random.Random(seed)
    table = PlayedTable(("." * 19,) * 19, rules="chinese", refereed=True, black_side=1, control="20m+3x30s")
    table.look()
    for _ in range(turns):
        table.wait(rng.randint(1, 9))
        table.play(random_turn(table, rng))
    return table


def random_turn(table: PlayedTable, rng: random.Random | None = None) -> str:
    """A legal placement, the first one unless it is left to chance."""
    record = table.referee.record
    points = list(points_of(legal_placements(record)))
    return f"{record.to_play} {table.board.name(rng.choice(points) if rng else points[0])}"


def counted_table() -> PlayedTable:
    """Both have agreed that no stone is dead."""
    table = passed_out()
    table.say(Propose, B, DeadStoneClaim())
    table.say(Agree, W)
    return table


def fallen() -> PlayedTable:
    """Black's time has run out."""
    table = running("15s").wait(20)
    table.due()
    return table


def expedited_snapshot() -> TableSnapshot:
    """The result of a count by the expedited procedure."""
    record = record_of(BORDERED, B, W)
    game = take_snapshot(begun_table()).game
    game = replace(game, position=record.position, counting=Counting(count=expedited.count(record)), result="B+1")
    return replace(take_snapshot(begun_table()), game=game, phase=Phase.RESULT)


def newest(table: PlayedTable) -> Ruling:
    """The newest ruling at this table."""
    ruling = table.referee.snapshot.newest_ruling
    assert ruling is not None
    return ruling


@dataclass
class Box:
    """The backend that a page is handed in tests: a snapshot that can be changed, and counters of nothing else."""

    now: TableSnapshot
    pictures: Mapping[bool, bytes] = field(default_factory=dict)
    health: Mapping[str, object] = field(default_factory=lambda: {"ok": True})
    record: Callable[[], bytes] = lambda: b"(;FF[4])"
    games: Mapping[str, bytes] = field(default_factory=dict)
    replays: Mapping[str, Replay] = field(default_factory=dict)
    _changed: Condition = field(default_factory=Condition)

    @property
    def backend(self) -> Backend:
        return Backend(
            read_snapshot=lambda: self.now,
            wait=self._wait,
            picture=lambda overlay: self.pictures.get(overlay),
            sgf=lambda: self.record(),
            health=lambda: self.health,
            games=lambda: list(self.games),
            game=self.games.get,
            listed=lambda: [Listed(name) for name in self.games],
            replay=lambda name: self.replays.get(name),
        )

    def show(self, now: TableSnapshot) -> None:
        """Something has changed."""
        with self._changed:
            self.now = now
            self._changed.notify_all()

    def _wait(self, above: int, seconds: float) -> TableSnapshot:
        with self._changed:
            self._changed.wait_for(lambda: self.now.number > above, seconds)
            return self.now


def box(table: PlayedTable, number: int = 1, **changes: object) -> Box:
    """A box that shows this table and its record."""
    return Box(take_snapshot(table, number, **changes), record=lambda: write_sgf(table.referee.record))
