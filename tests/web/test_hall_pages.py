"""The hall's pages where something is asked for that is not there, or cannot be shown."""

from __future__ import annotations

import pytest

from web.hall.app import HallDesk, create_hall_app
from web.hall.tiles import Entering, Shown

DESK = HallDesk(
    lambda: Shown(1, "Spring Cup"),
    lambda number, timeout: Shown(1),
    dict,
    dict,
    lambda: 0.0,
    lambda table, by: False,
    lambda: failing(),
    lambda pin: False,
    lambda: None,
)


def failing() -> Entering:
    raise ValueError("for the test")


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("/results", 500, "This could not be shown. The log says why.\n"),
        ("/nowhere", 404, "There is nothing at this address. The page is at /.\n"),
    ],
)
def test_what_cannot_be_answered_gets_one_plain_sentence(path, code, said):
    answer = create_hall_app(DESK).test_client().get(path)
    assert (answer.status_code, answer.get_data(as_text=True)) == (code, said)
    assert answer.mimetype == "text/plain"
