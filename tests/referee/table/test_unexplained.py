"""What is said of a board that no turn explains names the stone, the point and what to do."""

from __future__ import annotations

import pytest

from referee.ruling import Status
from tests.support.referee.table import B, Table, W

ROWS = (".....", "..X..", ".O...", ".....", ".....")


def changed(table: Table, change: str) -> None:
    match change:
        case "wrong colour":
            table.put(W, "E1")
        case "gone":
            table.lift("B3")
        case "another":
            table.lift("B3").put(B, "B3")
        case "two":
            table.put(B, "E1").put(B, "E2")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("wrong colour", "A white stone came to E1, but it is Black's turn: take it away."),
        ("gone", "The white stone at B3 is gone, and no turn takes it: put it back."),
        ("another", "At B3 lies a black stone where a white one was: put it right."),
        ("two", "What changed at E2 and E1 is no single turn: put them right."),
    ],
)
def test_the_sentence(change: str, text: str) -> None:
    table = Table(ROWS, refereed=True, black_side=1)
    table.look()
    changed(table, change)
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.text) == (Status.UNEXPLAINED, text)
