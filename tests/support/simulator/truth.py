"""A script acted out without a camera: after every step the referee is told what was pressed and shown what is so."""

from __future__ import annotations

from collections.abc import Callable

from device.match.match import Match
from device.simulator.games import Expected
from device.simulator.script import Script
from device.simulator.table import Performance, Tempo, Told, table_of
from referee.game.board import Board
from referee.game.diagram import position_of
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Draw, Placement
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.umpire.events import Event
from referee.umpire.referee import Referee, TableConfig
from tests.support.referee.looks import lid, look

SMALL = (160, 90)


def refereed_on_truth(script: Script, refereed: bool = True) -> Referee:
    """The referee of the game, after the script's last step."""
    referee = Referee(_start_of(script), TableConfig(refereed=refereed))
    _act_out(script, referee.receive)
    return referee


def matched_on_truth(script: Script) -> Match:
    """The match after the script's last step: with counts and results, which a referee alone knows nothing of."""
    match = Match(_start_of(script), TableConfig(refereed=True))
    _act_out(script, match.handle)
    return match


def _start_of(script: Script) -> GameRecord:
    return Setup(rule_set(script.rules), size=(script.size, script.size)).record()


def _act_out(script: Script, handle: Callable[[Event], object]) -> None:
    performance = Performance(script, table_of(script, *SMALL), Tempo())
    for happening in performance.happenings():
        if isinstance(happening, Told):
            for press in performance.presses:
                handle(press)
            performance.presses.clear()
            handle(_seen(happening, script.black))


def _seen(told: Told, black: int) -> Observation:
    owners = "BW" if black == 1 else "WB"
    lids = tuple(lid(told.lids[owner].get("B", 0), told.lids[owner].get("W", 0)) for owner in owners)
    return look(position_of(told.rows), told.t, lids)


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
