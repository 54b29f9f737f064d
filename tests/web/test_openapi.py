"""The types of the page's JSON responses, and the OpenAPI document that describes them."""

from __future__ import annotations

from tests.support.web.snapshots import (
    begun_table,
    take_snapshot,
)
from web.openapi import MOST_RULINGS
from web.page.status import status_of


def test_rulings_are_newest_first_and_no_more_than_fifty():
    table = begun_table(("." * 19,) * 19)
    for col in "ABCDEFGHJKLMNOPQRST":
        table.play(f"B {col}3", f"W {col}9", f"B {col}6", f"W {col}12")
    status = status_of(take_snapshot(table))
    assert len(status["rulings"]) == MOST_RULINGS
    assert [ruling["turn"] for ruling in status["rulings"]] == list(range(76, 26, -1))
    assert len(status["moves"]) == 76
