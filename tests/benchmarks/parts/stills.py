"""Whole games of Ultimate Go as stills: a picture after every turn, now and then one of a turn half done or with a hand
over the table, now and then none; and what `watch` made of them beside what was played.

The stills are values here: a drawn table or a traced one makes pictures of them.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from device.__main__ import main as shinpan
from device.simulator.world import World
from referee.game.board import Board, Colour, board_of, opponent_of, points_of
from referee.game.diagram import rows_of
from referee.game.record import GameRecord
from referee.game.turns import Placement, Turn
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.records import read_sgf
from vision.render.scene import SIDES, Hand, LidStone

HALF_DONE, HANDS, MISSING = 0.25, 0.12, 0.05
"""Shares of captures that are seen before the prisoners are lifted, of turns before which a hand is seen, and of turns
of which there is no still."""
COUNTS = ("right", "uncertain", "waits", "wrong", "illegal", "unexplained")
"""Fates of turns: written as played; written in another order that is said to be uncertain; not written; written
otherwise. And rulings that find fault with a table at which nobody did anything wrong."""


@dataclass(frozen=True)
class Still:
    """A picture to be taken. rows: of the board. lids: of sides 1 and 2. played: turns that are done. hand: over it."""

    rows: tuple[str, ...]
    lids: tuple[tuple[LidStone, ...], tuple[LidStone, ...]]
    played: int
    hand: Hand | None = None


@dataclass(frozen=True)
class Stills:
    """A game to take pictures of. black: at which side Black sits."""

    size: int
    seed: int
    turns: tuple[Turn, ...]
    black: int
    shots: tuple[Still, ...]


def stills(size: int, seed: int, turns: Sequence[Turn], hands: float = HANDS, missing: float = MISSING) -> Stills:
    """The pictures of a game. The first shows the table before it, the last after it."""
    chance, black = random.Random(f"stills {size} {seed}"), random.Random(f"black {seed}").randint(1, 2)
    world = World(board_of(size), np.random.default_rng([seed, 3]), black)
    shots, record = [_shot(world, 0)], Setup(rule_set("ultimate"), size=(size, size)).record()
    for turn in turns:
        before, record = record, _judge_legal(record, turn)
        if chance.random() < hands:
            shots.append(_shot(world, before.number, _hand(chance, before.to_play)))
        if _play(world, before, turn) and chance.random() < HALF_DONE:
            shots.append(_shot(world, before.number))
        _lift(world, before, record)
        if record.number == len(turns) or chance.random() >= missing:
            shots.append(_shot(world, record.number))
    return Stills(size, seed, tuple(turns), black, tuple(shots))


def _judge_legal(record: GameRecord, turn: Turn) -> GameRecord:
    after = judge(record, turn).after
    assert after is not None
    return after


def _shot(world: World, turn_count: int, hand: Hand | None = None) -> Still:
    return Still(rows_of(world.position), (world.lids[0], world.lids[1]), turn_count, hand)


def _hand(chance: random.Random, player: Colour) -> Hand:
    """A hand somewhere over the board, or only just in view."""
    target = chance.uniform(0, 1), chance.uniform(0, 1)
    return Hand(target, chance.choice(SIDES), chance.uniform(0.3, 1.0), chance.choice((player, None)))


def _play(world: World, before: GameRecord, turn: Turn) -> bool:
    """The turn made, but for the prisoners; whether there are some to lift."""
    if isinstance(turn, Placement):
        world.place(turn.player, turn.point)
        return bool(before.position.place(turn.player, turn.point).captured)
    own, other = world.side(turn.player), opponent_of(turn.player)
    world.take(own, other)
    if before.bowls.ultimate is None:
        world.drop(3 - own, other)
    return False


def _lift(world: World, before: GameRecord, after: GameRecord) -> None:
    """The prisoners into the lid of who took them."""
    for point in points_of(world.position.occupied & ~after.position.occupied):
        colour = world.lift(point)
        world.drop(world.side(opponent_of(colour)), colour)


@dataclass(frozen=True)
class Outcome:
    """The outcome of `watch` on one game. faults: what was wrong, in words. said: what it told beside its rulings."""

    counts: Counter[str]
    faults: list[str]
    lines: list[dict[str, object]]
    said: list[str]


def watched(game: Stills, folder: Path, *options: str) -> Outcome:
    """Let `shinpan watch` judge a folder of the game's pictures."""
    output, errors, sgf = io.StringIO(), io.StringIO(), folder / "game.sgf"
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        shinpan(["watch", str(folder), "--rules", "ultimate", "--json", "--sgf", str(sgf), *options])
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    recorded = read_sgf(sgf.read_bytes())[1] if sgf.exists() else ()
    return compared(game, lines, recorded, errors.getvalue().splitlines())


def compared(game: Stills, lines: list[dict[str, object]], recorded: Sequence[object], errors: list[str]) -> Outcome:
    """Compare what was ruled and recorded with what was played."""
    board, true = board_of(game.size), dict(enumerate(game.turns, 1))
    unsure = {line["turn"] for line in lines if line["order"] == "uncertain"}
    faults = dict(_faults(lines, {number: _named(turn, board) for number, turn in true.items()}))
    counts = Counter(str(lines[at]["status"]) for at in faults)
    wrong = {lines[at]["turn"] for at in faults if lines[at]["status"] == "legal"}
    for number, turn in true.items():
        recorded_turn = recorded[number - 1] if number <= len(recorded) else None
        counts[_classify(turn, recorded_turn, number in unsure) if number not in wrong else "wrong"] += 1
    return Outcome(counts, list(faults.values()), lines, errors)


def _faults(lines: Sequence[dict[str, object]], true: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """The rulings that are not as played, by their place: a turn that was not made, or one that is not let pass."""
    for at, line in enumerate(lines):
        actual = f"{line['player']} {line.get('place') or line.get('delay')}"
        other = (
            line["status"] == "legal" and line["order"] is None and line["turn"] and actual != true.get(line["turn"])
        )
        if other or line["status"] in ("illegal", "unexplained"):
            yield at, f"{line.get('image')}: turn {line['turn']}, {line['text']} ({true.get(line['turn'])} was played)"


def _classify(turn: Turn, recorded_turn: object, unsure: bool) -> str:
    if recorded_turn is None:
        return "waits"
    return "right" if recorded_turn == turn else "uncertain" if unsure else "wrong"


def _named(turn: Turn, board: Board) -> str:
    return f"{turn.player.value} {board.name(turn.point) if isinstance(turn, Placement) else 'prisoner'}"
