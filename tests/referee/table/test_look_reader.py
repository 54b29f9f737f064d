"""Looks compared with the record, without a ruling."""

from __future__ import annotations

from tests.support.referee.looks import lid, lids_of, look, look_at
from tests.support.referee.table import B, begin_seen


def test_a_look_agrees_when_board_and_lids_are_as_the_record_has_them() -> None:
    table = begin_seen()
    record = table.referee.record
    assert table.referee.is_as_recorded(look(record.position, 9.0, lids_of(record.bowls)))
    assert not table.referee.is_as_recorded(look(record.position.with_stones(B, 1), 9.0, lids_of(record.bowls)))
    assert not table.referee.is_as_recorded(look(record.position, 9.0, (lid(0, 0), lid(1, 0))))
    assert not table.referee.is_as_recorded(look_at(("...",) * 3))
