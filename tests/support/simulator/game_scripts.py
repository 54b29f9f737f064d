"""Turns to act out on a drawn table: seeded self-play of Ultimate Go, and real games, as scripts."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from itertools import takewhile

from device.simulator.games import Expected
from device.simulator.script import Give, Place, Play, Script, Step
from device.simulator.table import Performance, StepTruth, Tempo, table_of
from referee.game.board import Board, Colour, Point, board_of, opponent_of, points_of
from referee.game.diagram import position_of
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Draw, Placement, Turn
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Event
from referee.table.table import Table, TableConfig
from tests.support.referee.looks import lid, look
from tests.support.shared import cases

# A script acted out without a camera: after every step the referee is told what was pressed and shown what is so.

SMALL = (160, 90)


def refereed_on_truth(script: Script, refereed: bool = True) -> Table:
    """The referee of the game, after the script's last step."""
    referee = Table(_start_of(script), TableConfig(refereed=refereed))
    _act_out(script, referee.receive)
    return referee


def matched_on_truth(script: Script) -> Table:
    """The match after the script's last step: with counts and results, which a referee alone knows nothing of."""
    table = Table(_start_of(script), TableConfig(refereed=True))
    _act_out(script, table.receive)
    return table


def _start_of(script: Script) -> GameRecord:
    return Setup(rule_set(script.rules), size=(script.size, script.size), handicap=script.handicap).record()


def _act_out(script: Script, handle: Callable[[Event], object]) -> None:
    performance = Performance(script, table_of(script, *SMALL), Tempo())
    for happening in performance.happenings():
        if isinstance(happening, StepTruth):
            for press in performance.presses:
                handle(press)
            performance.presses.clear()
            handle(_observe(happening, script.black))


def _observe(entry: StepTruth, black: int) -> Observation:
    owners = "BW" if black == 1 else "WB"
    lids = tuple(lid(entry.lids[owner].get("B", 0), entry.lids[owner].get("W", 0)) for owner in owners)
    return look(position_of(entry.rows), entry.t, lids)


def said(ruling: Ruling, board: Board) -> Expected:
    """A ruling in the form of what a script expects."""
    points = tuple(map(board.name, ruling.points))
    named = ruling.status in (Status.UNEXPLAINED, Status.UNFINISHED)
    return Expected(
        ruling.status,
        ruling.turn,
        ruling.player,
        _what(ruling, board),
        ruling.reason,
        ruling.repeats,
        points if named else (),
    )


def _what(ruling: Ruling, board: Board) -> str | None:
    match ruling.move:
        case Placement(_, point):
            return board.name(point)
        case Delay():
            return "delay"
        case Draw():
            return "draw"
    return None


EARLIEST_DELAY = 6
NEAR = 2
"""Lines within which players mostly answer."""


def self_play(size: int, seed: int, many: int, delays: bool = True) -> tuple[Turn, ...]:
    """So many legal turns of Ultimate Go, the last of them a placement; both return prisoners as they gather, unless
    there are to be no delays."""
    chance = random.Random(f"self-play {size} {seed}")
    record = Setup(rule_set("ultimate"), size=(size, size)).record()
    while record.number < many:
        last = record.number == many - 1
        turn = None if last or not delays else _delay(record, chance)
        after = judge(record, turn or placement(record, chance)).after
        assert after is not None
        record = after
    return record.turns


def _delay(record: GameRecord, chance: random.Random) -> Delay | None:
    mover = record.to_play
    prisoners = record.bowls.count_prisoners(mover, opponent_of(mover))
    if record.number < EARLIEST_DELAY or not prisoners or chance.random() > 0.05 + 0.05 * prisoners:
        return None
    return Delay(mover)


def placement(record: GameRecord, chance: random.Random) -> Placement:
    """A legal placement drawn by lot: captures and answers nearby come often, filling own eyes seldom."""
    points = list(points_of(legal_placements(record)))
    return Placement(record.to_play, chance.choices(points, [_weight(record, point) for point in points])[0])


def _weight(record: GameRecord, point: Point) -> float:
    position, mover = record.position, record.to_play
    beside = position.board.adjacent_to(1 << point)
    if not beside & ~position.stones_of(mover):
        return 0.01
    outcome = position.place(mover, point)
    if outcome.captured:
        return 12.0
    chain = outcome.position.chain_at(point)
    if outcome.position.liberties_of(chain).bit_count() == 1:
        return 0.1
    newest = record.turn.point if isinstance(record.turn, Placement) else None
    cols = position.board.cols
    far = newest is None or max(abs(point // cols - newest // cols), abs(point % cols - newest % cols)) > NEAR
    return 1.0 if far else 8.0


def real_game(number: int, many: int) -> tuple[Turn, ...]:
    """The first turns of one of the 400 real 19x19 games, as far as its first pass; they are placements alone.

    Played under the rules of Ultimate Go, too, they are legal: the prisoners go into the lids. Skips the test where
    the games are absent.
    """
    board = board_of(19)
    with cases("real_games.jsonl").open(encoding="utf-8") as file:
        moves = json.loads(file.readlines()[number])["moves"]
    placed = takewhile(lambda move: move[1] != "pass", moves)
    return tuple(Placement(Colour(player), board.point(name)) for player, name in placed)[:many]


def script_of(turns: Sequence[Turn], size: int, look: int) -> Script:
    """The turns as acts at a table, each a step of its own: captures go into the own lid, the first prisoner that is
    returned into the other lid, later ones to the supply."""
    first = next((number for number, turn in enumerate(turns) if isinstance(turn, Delay)), None)
    steps = tuple(_step(turn, number == first) for number, turn in enumerate(turns))
    return Script(size, look, random.Random(f"black {look}").randint(1, 2), steps)


def _step(turn: Turn, first: bool) -> Step:
    if isinstance(turn, Placement):
        return (Play(turn.player, turn.point),)
    return (Give(turn.player, opponent_of(turn.player), Place.OTHER if first else Place.SUPPLY),)
