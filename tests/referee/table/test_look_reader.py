"""Looks compared with the record, without a ruling."""

from __future__ import annotations

import pytest

from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Pressed
from referee.table.table import Table, TableConfig
from tests.support.referee.looks import lid, lids_of, look, look_at
from tests.support.referee.table import B, begin_seen


def test_a_look_agrees_when_board_and_lids_are_as_the_record_has_them() -> None:
    table = begin_seen()
    record = table.referee.record
    assert table.referee.is_as_recorded(look(record.position, 9.0, lids_of(record.bowls)))
    assert not table.referee.is_as_recorded(look(record.position.with_stones(B, 1), 9.0, lids_of(record.bowls)))
    assert not table.referee.is_as_recorded(look(record.position, 9.0, (lid(0, 0), lid(1, 0))))
    assert not table.referee.is_as_recorded(look_at(("...",) * 3))


@pytest.mark.parametrize(("side", "lids"), [(1, ((0, 1), (1, 0))), (2, ((1, 0), (0, 1)))])
def test_the_lids_on_record_are_listed_by_sides(side, lids):
    record = Setup(rule_set("ultimate"), size=(3, 3)).record()
    table = Table(record, TableConfig(black_side=side))
    observation = look(record.position, 1.0, lids_of(record.bowls, side))
    table.receive(observation)
    assert table.list_lids(observation) == lids


def test_lids_are_not_listed_while_the_table_shows_more_than_the_record():
    record = Setup(rule_set("ultimate"), size=(3, 3)).record()
    table = Table(record, TableConfig(refereed=True, black_side=1))
    lids = lids_of(record.bowls)
    bare, played = look(record.position, 1.0, lids), look(record.position.with_stones(B, 1), 2.0, lids)
    table.receive(bare)
    table.receive(played)
    assert table.list_lids(bare) and not table.list_lids(played)
    assert not table.list_lids(look(record.position, 3.0, (lid(0, 1), lid(0, 0)))), "a lid that holds something else"
    table.receive(Pressed(3.0, 1, Button.DONE))
    assert not table.list_lids(played), "a press waits for the next look"
    table.receive(look(record.position.with_stones(B, 1), 4.0, lids))
    assert table.list_lids(played)
    table.receive(Pressed(5.0, 0, Button.PAUSE))
    assert not table.list_lids(played), "hands may be anywhere in a pause"
