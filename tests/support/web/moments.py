"""Twenty moments of games, each from a seed: what a wall, a page or a screen reader has to make plain at once.

Boards, colours, names, clocks and the order differ from seed to seed; every position and ruling comes from the referee.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from referee.game.board import Colour, opponent_of
from referee.game.count_result import DeadStoneClaim
from referee.game.diagram import position_of, rows_of
from referee.game.messages import message
from referee.rules.legality import legal_placements
from referee.table.display_state import Phase, Sight, TableSnapshot
from referee.table.events import Agree, Button, Propose
from tests.support.referee.table import B, PlayedTable, W
from tests.support.web.snapshots import take_snapshot

PLAYERS = ("Maria Schneider", "Kim Min-jun", "Aoi Tanaka", "Jean-Baptiste Moreau", "Oksana Melnyk", "Tom Reed")
KO = (".XO.", "X.XO", ".XO.")
EYE = (".O.", "O.O", ".O.")
PAIR = ("..XX.", ".XOO.", "..XX.")
ALONE = ("...", "...", "...")
FILLED = 0.35
"""Of the points away from the pattern."""


@dataclass(frozen=True)
class Moment:
    """The state shown, and what its viewer should be able to say. mover: whose turn it is, or who has won."""

    name: str
    now: TableSnapshot
    mover: Colour | None


class Scene:
    """Makes tables for one moment. me: who acts in it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.me = rng, rng.choice((B, W))
        self.you = opponent_of(self.me)
        self.size = rng.choice((9, 13, 19, 19))
        self.names = tuple(rng.sample(PLAYERS, 2)) if rng.random() < 0.7 else ("", "")

    def table(
        self,
        pattern: tuple[str, ...],
        first: Colour,
        rules: str = "chinese",
        spent: float | None = None,
        **start: object,
    ) -> PlayedTable:
        """A table with the pattern in its corner, seen as it starts. X in it is what I play. spent: seconds."""
        if self.me is W:
            pattern = tuple(row.translate(str.maketrans("XO", "OX")) for row in pattern)
        rows = _filled(self.rng, pattern, self.size)
        control = {} if rules == "ultimate" else {"control": "20m+5x30s"}
        table = PlayedTable(rows, rules=rules, refereed=True, black_side=1, to_play=first, **{**control, **start})  # type: ignore[arg-type]
        assert table.look() == ()
        if table.control is not None:
            table.press(opponent_of(first), Button.DONE)
            table.wait(self.rng.uniform(5, 300) if spent is None else spent).due()
        return table

    def at(self, row: int, col: int) -> str:
        """The name of a point, counted from the pattern's corner."""
        return position_of(["." * self.size] * self.size).board.name(row * self.size + col)

    def played(self, table: PlayedTable, turns: int) -> PlayedTable:
        """So many turns anywhere on the board."""
        for _ in range(turns):
            record = table.referee.record
            mask = legal_placements(record)
            point = self.rng.choice([one for one in range(self.size**2) if mask >> one & 1])
            table.wait(self.rng.uniform(2, 40)).play(f"{record.to_play.value} {table.board.name(point)}")
        return table

    def take_snapshot(self, table: PlayedTable, **changes: object) -> TableSnapshot:
        return take_snapshot(table, names=self.names, **changes)


def _filled(rng: random.Random, pattern: tuple[str, ...], size: int) -> tuple[str, ...]:
    """The pattern in the corner of a board with stones elsewhere, all of which have liberties."""
    rows = [row.ljust(size, ".") for row in pattern] + ["." * size] * (size - len(pattern))
    position = position_of(rows)
    for point in rng.sample(range(size * size), size * size):
        row, col = divmod(point, size)
        away = row > len(pattern) + 1 or col > len(pattern[0]) + 1
        if away and rng.random() < FILLED:
            outcome = position.place(rng.choice((B, W)), point)
            if not outcome.captured and not outcome.surrounded:
                position = outcome.position
    return rows_of(position)


def moments(seed: int) -> list[Moment]:
    """Twenty, in an order that the seed chooses."""
    rng = random.Random(seed)
    moments = [_moment(name, Scene(rng)) for name in _MADE]
    rng.shuffle(moments)
    return moments


def _moment(name: str, scene: Scene) -> Moment:
    now, mover = _MADE[name](scene)
    return Moment(name, now, mover)


Made = tuple[TableSnapshot, Colour | None]


def _turn(scene: Scene) -> Made:
    table = scene.played(scene.table(ALONE, scene.me), 4)
    return scene.take_snapshot(table), scene.me


def _delay(scene: Scene) -> Made:
    bowls = {scene.you.value: {scene.me.value: 2}, scene.me.value: {scene.you.value: 1}}
    table = scene.table(ALONE, scene.you, "ultimate", bowls=bowls).play(f"{scene.you.value} delay")
    return scene.take_snapshot(table), scene.me


def _superko(scene: Scene) -> Made:
    table = scene.table(KO, scene.you, "ultimate").play(f"{scene.you.value} {scene.at(1, 1)}")
    table.put(scene.me, scene.at(1, 2)).lift(scene.at(1, 1)).lid(scene.me, scene.you, +1).done(scene.me)
    return scene.take_snapshot(table), scene.me


def _surrounded(scene: Scene) -> Made:
    table = scene.table(EYE, scene.me)
    table.put(scene.me, scene.at(1, 1)).done(scene.me)
    return scene.take_snapshot(table), scene.me


def _out_of_turn(scene: Scene) -> Made:
    table = scene.table(ALONE, scene.me)
    table.put(scene.you, scene.at(1, 1)).done(scene.you)
    return scene.take_snapshot(table), scene.me


def _unfinished(scene: Scene) -> Made:
    table = scene.table(PAIR, scene.me)
    table.put(scene.me, scene.at(1, 4)).done(scene.me)
    return scene.take_snapshot(table), scene.me


def _unexplained(scene: Scene) -> Made:
    table = scene.table(PAIR, scene.me)
    table.lift(scene.at(0, 2)).put(scene.you, scene.at(2, 4)).done(scene.me)
    return scene.take_snapshot(table), scene.me


def _paused(scene: Scene) -> Made:
    table = scene.played(scene.table(ALONE, scene.me), 2)
    table.press(scene.you, Button.PAUSE)
    return scene.take_snapshot(table, paused=True), scene.me


def _called(scene: Scene) -> Made:
    return scene.take_snapshot(scene.played(scene.table(ALONE, scene.me), 2), paused=True, called=True), scene.me


def _lose_camera(scene: Scene) -> Made:
    blind = message("camera.silent")
    return scene.take_snapshot(scene.table(ALONE, scene.me), sight=Sight.LOST, blind=blind, faults=(blind,)), scene.me


def _covered(scene: Scene) -> Made:
    return scene.take_snapshot(scene.played(scene.table(ALONE, scene.me), 2), sight=Sight.COVERED), scene.me


def _searching(scene: Scene) -> Made:
    return scene.take_snapshot(scene.table(ALONE, scene.me), sight=Sight.SEARCHING), scene.me


def _waiting(scene: Scene) -> Made:
    table = scene.played(scene.table(ALONE, scene.me), 2)
    return scene.take_snapshot(table, waiting=(1 if scene.me is B else 2,)), scene.me


def _ended(scene: Scene) -> PlayedTable:
    table = scene.played(scene.table(ALONE, scene.me), 2)
    return table.play(f"{scene.me.value} pass", f"{scene.you.value} pass")


def _count(scene: Scene) -> Made:
    table = _ended(scene)
    stones = table.position.stones_of(scene.me)
    point = (stones & -stones).bit_length() - 1
    table.say(Propose, scene.you, DeadStoneClaim(table.position.chain_at(point)))
    return scene.take_snapshot(table), scene.me


def _ask_for_result(scene: Scene) -> Made:
    table = _ended(scene)
    table.say(Propose, scene.you, DeadStoneClaim())

    table.say(Agree, scene.me)
    now = scene.take_snapshot(table)
    return now, _winner(now)


def _final(scene: Scene) -> Made:
    table = scene.played(scene.table(ALONE, scene.me), 4).play(f"{scene.me.value} resign")
    now = scene.take_snapshot(table, phase=Phase.FINAL, agreed=(1, 2), seal="4f1c-98ab")
    return now, scene.you


def _overtime(scene: Scene) -> Made:
    table = scene.played(scene.table(ALONE, scene.me, control="5m+3x30s", spent=250), 2)
    table.wait(scene.rng.uniform(55, 95)).due()
    return scene.take_snapshot(table), scene.me


def _fallen(scene: Scene) -> Made:
    table = scene.table(ALONE, scene.you, control="5m", spent=400)
    return scene.take_snapshot(table), scene.me


def _resigning(scene: Scene) -> Made:
    table = scene.played(scene.table(ALONE, scene.me), 2)
    return scene.take_snapshot(table, resigning=(1 if scene.me is B else 2,)), scene.me


def _draw(scene: Scene) -> Made:
    bowls = {scene.me.value: {scene.you.value: 2}, scene.you.value: {}}
    table = PlayedTable(
        _filled(scene.rng, ALONE, scene.size),
        refereed=True,
        black_side=1,
        to_play=scene.me,
        bowls=bowls,
        ultimate=scene.you,
    )
    table.look()
    return scene.take_snapshot(table.play(f"{scene.me.value} draw")), None


def _winner(now: TableSnapshot) -> Colour | None:
    letter, won, _ = (now.game.result or "").partition("+")
    return Colour(letter) if won else None


_MADE: dict[str, Callable[[Scene], Made]] = {
    "turn": _turn,
    "after a delay": _delay,
    "superko": _superko,
    "surrounded": _surrounded,
    "out of turn": _out_of_turn,
    "unfinished": _unfinished,
    "unexplained": _unexplained,
    "paused": _paused,
    "director called": _called,
    "camera lost": _lose_camera,
    "board covered": _covered,
    "no board found": _searching,
    "pressed": _waiting,
    "dead stones named": _count,
    "result asked": _ask_for_result,
    "final": _final,
    "overtime": _overtime,
    "flag fallen": _fallen,
    "about to resign": _resigning,
    "draw": _draw,
}
