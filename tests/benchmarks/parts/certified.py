"""A rehearsal at a drawn table and the short games that follow it there: does the certificate say how they go?

The games are refereed, half of them under plain rules and half under Ultimate Go, where the stones in the lids count.
Hands play a ko, stones elsewhere (and delays); once a game one of them stays over the board when the turn is closed.
Whatever the box says to a turn that was played soundly, but that it is legal or, while a hand hides points, that they
are to be shown, is a fault, and so is a turn without a ruling. That a lid is to be spread out before it can be counted
is none, for the players then do it, but for one turn they do it three times at most.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from device.journal.entries import Terms
from device.simulator.games import draw_layout
from device.simulator.script import Lean, Press, Put, Script, Step, Wait
from device.simulator.table import Performance, StepTruth
from device.table.certificate import Level
from device.table.rehearsal import MOST_SPREADS, STAYS, is_asking_again
from referee.game.actor import Actor
from referee.game.messages import message
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Placement, Turn
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Remark
from referee.table.snapshot import Snapshot
from referee.table.table import TableConfig
from tests.benchmarks.parts.hour import NARROW, TROUBLES, Hall
from tests.support.simulator.game_scripts import script_of
from tests.support.simulator.rehearsing import RULES, TEMPO, Rehearsing
from tests.support.vision.troubles import Trouble
from vision.render.looks import club_look
from vision.render.scene import Appearance
from vision.render.table import Table
from vision.training.rendered import relight_look
from web.language import ENGLISH

PLACES = ("good light", "dim", "glare", "sway", "a neighbour's board")
"""By turns."""
SIZES = (9, 13, 19)
GAMES = 10
LIDS = "ultimate"
"""Rules under which stones in the lids count, of every second game."""
GIVES = 0.4
"""The probability that a prisoner is given back after the ko, if one may be."""
SILENT = 15.0
"""Seconds after a press without a ruling, after which it is a fault; counted again if stones are to be spread."""
LEANS = 8
"""Over one of so many turns at first, before stones are captured, a hand stays."""


@dataclass(frozen=True)
class TableOutcome:
    """The outcome at one table. reasons: of its certificate, in English. faults: of the games, by their number."""

    seed: int
    place: str
    size: int
    level: str
    reasons: tuple[str, ...]
    faults: dict[str, str]

    @property
    def fared(self) -> str:
        """The level that the games showed: `referee` if none had a fault, `without-lids` if only those had one in which
        lids count, else `record-only`."""
        if not self.faults:
            return Level.REFEREE.value
        lids = all(_counts_lids(int(number)) for number in self.faults)
        return Level.WITHOUT_LIDS.value if lids else Level.RECORD_ONLY.value

    def line(self) -> str:
        """Return the outcome in a line."""
        faults = "; ".join(f"game {number}: {fault}" for number, fault in self.faults.items()) or "no fault"
        why = f" ({' '.join(self.reasons)})" if self.reasons else ""
        return f"{self.seed}: {self.place}, {self.size} lines: certified {self.level}{why}; {faults}"


def sit(folder: Path, seed: int, turns: int) -> TableOutcome:
    """Rehearse at a table and play its games, of so many turns each."""
    place, size = PLACES[seed % len(PLACES)], SIZES[seed // len(PLACES) % len(SIZES)]
    look, troubles = _table(seed, place, size, 60.0 + GAMES * turns * 4.5)
    table = Rehearsing(folder, look, troubles)
    certificate = table.play()
    level, reasons = (certificate.level, certificate.reasons) if certificate is not None else (Level.RECORD_ONLY, ())
    games = {str(number): _game(table, seed, number, turns, size) for number in range(1, GAMES + 1)}
    table.box.close()
    faults = {number: fault for number, fault in games.items() if fault}
    return TableOutcome(seed, place, size, level.value, tuple(map(ENGLISH.sentence, reasons)), faults)


def _table(seed: int, place: str, size: int, lasts: float) -> tuple[Appearance, Sequence[Trouble]]:
    """The table and what troubles its camera."""
    look = club_look(seed, size, NARROW if place == "a neighbour's board" else 1280, 720)
    if place in ("dim", "glare"):
        look = relight_look(look, place, np.random.default_rng([seed, 23]))
    hall = Hall(seed, look, Table(look).view.grid, lasts)
    return look, [TROUBLES[place](hall)] if place in TROUBLES else []


def _counts_lids(number: int) -> bool:
    return number % 2 == 0


def moves(size: int, seed: int, many: int, delays: bool) -> tuple[Turn, ...]:
    """Turns of a game: a ko is taken at the ninth, then stones are played elsewhere. delays: prisoners are given back
    between them."""
    chance = random.Random(f"certified {size} {seed}")
    places = draw_layout(size, chance)
    black, white = ([places.ko[point] for point in points] for points in ((1, 4, 9), (2, 7, 10)))
    chance.shuffle(black)
    chance.shuffle(white)
    fight = [*chain.from_iterable(zip(black, white, strict=True)), next(places.lone), places.ko[5], places.ko[6]]
    record = Setup(rule_set(LIDS), size=(size, size)).record()
    while record.number < many:
        point = fight[record.number] if record.number < len(fight) else next(places.lone)
        gives = delays and len(fight) <= record.number < many - 1 and chance.random() < GIVES
        delayed = judge(record, Delay(record.to_play)).after if gives else None
        record = delayed or _judge_legal(record, Placement(record.to_play, point))
    return record.turns


def _judge_legal(record: GameRecord, turn: Turn) -> GameRecord:
    after = judge(record, turn).after
    assert after is not None
    return after


def _game(table: Rehearsing, seed: int, number: int, many: int, size: int) -> str:
    """The first fault in a game, empty where there is none."""
    counts = _counts_lids(number)
    turns = moves(size, 100 * seed + number, many, counts)
    script = script_of(turns, size, 100 * seed + number)
    steps = [(*step, Press(turn.player, Button.DONE)) for step, turn in zip(script.steps, turns, strict=True)]
    leans = random.Random(f"leans {seed} {number}").randrange(LEANS)
    steps[leans] = _leaning(turns[leans])
    script = replace(script, steps=((Wait(4.0),), *steps, (Wait(2.0),)))
    config = TableConfig(refereed=True, black_side=None if counts else script.black)
    terms = Terms(Setup(rule_set(LIDS if counts else RULES), size=(size, size)), config)
    table.box.set_up(terms, Remark(table.t, message("director.remark"), Actor.DIRECTOR))
    return _WatchedGame(table, script, turns).fault()


def _leaning(turn: Turn) -> Step:
    """A stone, and `done` with the other hand while the first stays over it."""
    assert isinstance(turn, Placement)
    return (Put(turn.player, turn.player, turn.point), Lean(turn.player, turn.point, STAYS))


class _WatchedGame:
    """One game as it is played."""

    def __init__(self, table: Rehearsing, script: Script, turns: Sequence[Turn]) -> None:
        self._table, self._turns, self._played = table, turns, 0
        self._performance = Performance(script, table.table, TEMPO, lambda: table.panel.lamps)
        self._asked_at: float | None = None
        self._heard, self._spreads = 0, Counter[int]()
        self._leans = [isinstance(step[-1], Lean) for step in script.steps].index(True)

    def fault(self) -> str:
        """Play on to its first fault, or to its end."""
        for happening in self._table.act(self._performance):
            if isinstance(happening, StepTruth):
                self._played = min(max(happening.step - 1, 0), len(self._turns))
            if fault := self._find_fault(happening.t):
                return fault
        return "" if self._ruled == len(self._turns) else f"turn {self._ruled + 1} was not ruled on"

    @property
    def _ruled(self) -> int:
        return len(self._table.box.snapshot.game.turns)

    def _find_fault(self, t: float) -> str:
        game = self._table.box.snapshot.game
        new, self._heard = game.rulings[self._heard :], len(game.rulings)
        for ruling in new:
            self._spreads[ruling.turn] += _asks_to_spread(ruling)
            self._asked_at = t if _asks_to_spread(ruling) else self._asked_at
            if self._spreads[ruling.turn] > MOST_SPREADS:
                return f"the lids were spread in vain at turn {ruling.turn}: {ENGLISH.sentence(ruling.message)}"
            hidden = ruling.turn == self._leans and is_asking_again(ruling)
            if ruling.turn > 0 and not hidden and _is_fault(ruling):
                return f"{ruling.status} at turn {ruling.turn}: {ENGLISH.sentence(ruling.message)}"
        if game.turns != tuple(self._turns[: len(game.turns)]):
            return f"turn {len(game.turns)} is not what was played"
        self._asked_at = None if self._ruled >= self._played else self._asked_at or t
        late = self._asked_at is not None and t - self._asked_at > SILENT
        return (
            f"turn {self._ruled + 1} was not ruled on within {SILENT:.0f} s{self._describe_table(game)}" if late else ""
        )

    def _describe_table(self, game: Snapshot) -> str:
        """Return the state of the table then, and the box's last words."""
        snapshot = self._table.box.snapshot
        suffix = f"; it said: {ENGLISH.sentence(game.rulings[-1].message)}" if game.rulings else ""
        return f" ({snapshot.sight}, {snapshot.display_state.state}{suffix})"


def _is_fault(ruling: Ruling) -> bool:
    return ruling.status is not Status.LEGAL and not _asks_to_spread(ruling)


def _asks_to_spread(ruling: Ruling) -> bool:
    messages = (ruling.message, *ruling.message.then)
    return ruling.status is Status.UNFINISHED and any(part.key == "lids.spread" for part in messages)


def right(sat: TableOutcome) -> str:
    """Return the verdict on the certificate: `right`, `too much` (the wrong that matters) or `too little`."""
    order = [Level.RECORD_ONLY.value, Level.WITHOUT_LIDS.value, Level.REFEREE.value]
    claim, true = order.index(sat.level), order.index(sat.fared)
    return "right" if claim == true else "too much" if claim > true else "too little"
