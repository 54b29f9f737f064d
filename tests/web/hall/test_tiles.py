"""The order of the tables on the hall's wall, and how each stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.table.display_state import Phase, Sight
from tests.support.web import snapshots
from tests.support.web.snapshots import take_snapshot
from web.hall.tiles import NEEDY, OFFLINE, ORDER, STALE, Call, Tile, Trouble, Urgency, in_order
from web.page.status import status_of

NOW = 5000.0


def tile(table: str = "1", heard_at: float | None = NOW, **changes: object) -> Tile:
    return Tile(table, "http://192.0.2.1/", heard_at=heard_at, **changes)  # type: ignore[arg-type]


def status(game: str = "ultimate_game", **changes: object):
    return status_of(take_snapshot(getattr(snapshots, game)(), **changes))


def urgency(one: Tile, now: float = NOW) -> Urgency:
    return one.on(1, now, tile("other")).urgency


@pytest.mark.parametrize(
    ("game", "changes", "wanted"),
    [
        ("ultimate_game", {}, Urgency.PLAYING),
        ("ultimate_game", {"sight": Sight.LOST}, Urgency.FAULT),
        ("ultimate_game", {"sight": Sight.COVERED}, Urgency.PLAYING),
        ("superko", {}, Urgency.DISPUTED),
        ("fallen", {}, Urgency.DISPUTED),
        ("running", {}, Urgency.WAITING),
        ("resigned_table", {}, Urgency.ENDING),
        ("resigned_table", {"phase": Phase.FINAL}, Urgency.FINISHED),
        ("counted_table", {"phase": Phase.FINAL, "sight": Sight.LOST}, Urgency.FINISHED),
    ],
)
def test_how_a_table_stands(game, changes, wanted):
    assert urgency(tile(status=status(game, **changes))) is wanted


def test_who_moves_with_less_than_a_minute_is_short_of_time():
    table = snapshots.running("50s").play("B E5")
    assert urgency(tile(status=status_of(take_snapshot(table)))) is Urgency.TIME
    table = snapshots.running("20s+3x30s").play("B E5")
    assert urgency(tile(status=status_of(take_snapshot(table)))) is Urgency.PLAYING


def test_a_clock_runs_on_while_the_box_has_nothing_to_say():
    table = snapshots.running("90s").play("B E5")
    one = tile(status=status_of(take_snapshot(table)), status_at=NOW)
    assert urgency(one, NOW + 10) is Urgency.PLAYING
    assert urgency(replace(one, heard_at=NOW + 40), NOW + 45) is Urgency.TIME


def test_a_call_and_a_false_box_come_before_everything():
    assert urgency(tile(status=status("resigned_table"), call=Call(1, NOW))) is Urgency.CALLED
    assert urgency(tile(status=status(), trouble=Trouble.OTHER_BOX)) is Urgency.ALARM
    assert urgency(tile(status=status(), trouble=Trouble.GONE)) is Urgency.PLAYING
    assert urgency(tile(heard_at=None)) is Urgency.OFFLINE


def test_silence_is_marked_and_then_counts_as_gone():
    one = tile(status=status())
    for age, stale, is_offline in ((STALE - 1, False, False), (STALE + 1, True, False), (OFFLINE + 1, True, True)):
        aged_tile = one.on(1, NOW + age, one)
        assert (aged_tile.stale, aged_tile.urgency is Urgency.OFFLINE) == (stale, is_offline)


def test_a_tile_keeps_its_number_while_nothing_of_it_changes():
    one = tile(status=status())
    first = one.on(1, NOW, one)
    assert first.number == 1
    assert replace(one, heard_at=NOW + 5).on(2, NOW + 5, first).number == 1
    assert replace(one, call=Call(1, NOW)).on(3, NOW + 6, first).number == 3


def test_the_longest_call_comes_first():
    tiles = [
        tile("10", urgency=Urgency.PLAYING),
        tile("9", urgency=Urgency.PLAYING),
        tile("3", urgency=Urgency.FINISHED),
        tile("7", urgency=Urgency.CALLED, call=Call(2, NOW - 5)),
        tile("8", urgency=Urgency.CALLED, call=Call(1, NOW - 60)),
        tile("2", urgency=Urgency.OFFLINE),
    ]
    assert [one.table for one in in_order(tiles)] == ["8", "7", "2", "9", "10", "3"]
    assert {Urgency.CALLED, Urgency.ALARM, Urgency.FAULT, Urgency.OFFLINE, Urgency.DISPUTED} == NEEDY
    assert set(ORDER) == set(Urgency)
