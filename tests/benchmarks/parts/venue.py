"""A hall of made-up tables for pictures: every position, ruling and status comes from the referee and the page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from device.hall.drawn_venue import PLAYERS
from device.hall.incidents import incidents_of
from referee.game.board import Colour, points_of
from referee.game.game_info import GameInfo
from referee.game.turns import Placement
from referee.table.display_state import Phase, TableSnapshot
from tests.support.referee.table import PlayedTable
from tests.support.simulator.game_scripts import self_play
from tests.support.web.snapshots import begun_table, counted_table, superko, take_snapshot, unfinished_table
from web.hall.app import HallDesk
from web.hall.tiles import Call, Entering, HallWall, Incident, Tile, Trouble
from web.page.status import status_of

EVENT, SIZE = "Spring Cup", 9
SUNDAY = 1_790_503_200.0
"""27 September 2026, 10 o'clock UTC."""
ASTRAY = (9, 14, 1000)
"""The turns before which a player goes astray, by the game's seed."""
GONE = 120.0
"""Seconds since the box of the last table was heard."""


def venue() -> HallDesk:
    """Eight tables: a call, a refusal, something to put right, three that play, a result, and one that is away."""
    now = time.monotonic()
    snapshots = [*_snapshots()]
    tiles = [_tile(number, snapshot, now) for number, snapshot in enumerate(snapshots, 1)]
    tiles[3] = replace(tiles[3], call=Call(1, SUNDAY, by="Ada"))
    tiles[7] = replace(tiles[7], heard_at=now - GONE, status_at=now - GONE, trouble=Trouble.GONE)
    wall = HallWall(1, EVENT, tuple(tile.on(1, now, Tile(tile.table, "")) for tile in tiles), tuple(_incidents(tiles)))

    def wait(number: int, timeout: float) -> HallWall:
        time.sleep(timeout)
        return wall

    return HallDesk(
        lambda: wall,
        wait,
        lambda: {tile.table: now - (tile.heard_at or now) for tile in tiles},
        lambda: {tiles[3].table: 42.0},
        time.monotonic,
        lambda table, by: False,
        lambda: Entering(()),
        lambda pin: False,
        lambda: None,
    )


def _snapshots() -> Iterator[TableSnapshot]:
    yield take_snapshot(superko())
    yield take_snapshot(_playing(24, 1))
    yield take_snapshot(unfinished_table())
    yield from (take_snapshot(_playing(many, seed)) for many, seed in ((33, 2), (17, 3), (40, 4)))
    yield take_snapshot(counted_table(), phase=Phase.RESULT)
    yield take_snapshot(_playing(28, 5))


def _playing(many: int, seed: int) -> PlayedTable:
    """A game of Go in which so many turns were made; some twenty minutes are left to each."""
    table = begun_table((".........",) * SIZE, rules="chinese", black_side=1, control="30m")
    moves = [turn for turn in self_play(SIZE, seed, many, delays=False) if isinstance(turn, Placement)]
    for number, turn in enumerate(moves):
        table.wait(20.0 + 7 * seed + 3 * number % 11)
        name = table.board.name(turn.point)
        if number == ASTRAY[seed % len(ASTRAY)]:
            _go_astray(table, turn.player, name)
        table.play(f"{turn.player.value} {name}")
    return table


def _go_astray(table: PlayedTable, player: Colour, name: str) -> None:
    """Put down two stones at once, press DONE, and take them off again."""
    empty = map(table.board.name, points_of(table.board.full & ~table.position.occupied))
    both = name, next(other for other in empty if other != name)
    table.put(player, *both).done(player)
    table.lift(*both)


def _tile(number: int, snapshot: TableSnapshot, now: float) -> Tile:
    info = GameInfo(EVENT, "3", str(number))
    named = replace(snapshot, number=number, names=(PLAYERS[2 * number - 2], PLAYERS[2 * number - 1]), game_info=info)
    return Tile(str(number), f"http://192.168.1.{20 + number}:8000/", status_of(named), heard_at=now, status_at=now)


def _incidents(tiles: list[Tile]) -> Iterator[Incident]:
    """Yield the boxes' sentences that a director wants to know of, some minutes apart."""
    incidents = [(tile.table, one) for tile in tiles if tile.status is not None for one in incidents_of(tile.status)]
    for number, (table, one) in enumerate(incidents):
        yield Incident(SUNDAY + 430.0 * number, table, f"0000{table}_2026-09-27T10-00-00", one.turn, one.sentence)
