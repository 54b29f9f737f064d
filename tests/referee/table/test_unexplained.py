"""What is said of a board that no turn explains names the stone, the point and what to do."""

from __future__ import annotations

import pytest

from referee.ruling import Status
from tests.support.referee.table import B, Table, W
from tests.support.wording import english

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
        ("wrong colour", "There is a new white stone at E1, but it is Black's turn. Please remove it."),
        ("gone", "The white stone at B3 is gone, but no move captured it. Please put it back."),
        ("another", "There is a black stone at B3 where there was a white one. Please put the white stone back."),
        ("two", "The changes at E2 and E1 don't add up to one move. Please restore those points."),
    ],
)
def test_the_sentence(change: str, text: str) -> None:
    table = Table(ROWS, refereed=True, black_side=1)
    table.look()
    changed(table, change)
    (ruling,) = table.done(B)
    assert (ruling.status, english(ruling)) == (Status.UNEXPLAINED, text)
