"""A box at a table of more than two players: what it keeps, tells other programs, and does for the director."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from referee.standing import Phase
from tests.support.device.several import NAMES, SeveralPlayers
from tests.support.web.schemas import faults
from web.openapi import Status
from web.status import status_of

Made = Callable[..., SeveralPlayers]
SHARES = {"B": 1, "W": 1, "R": 1, "G": 1}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Made]:
    """Makes tables; they are closed after the test."""
    made = list[SeveralPlayers]()

    def make(players: int = 4, **how: object) -> SeveralPlayers:
        made.append(SeveralPlayers(tmp_path, players, **how))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_game_is_played_to_a_final_result(table):
    four = table()
    four.finish()
    assert four.now.phase is Phase.FINAL and len(four.now.agreed) == 4


def test_the_status_is_as_its_schema_says(table):
    four = table(control="10m")
    four.finish()
    said = four.app.test_client().get("/status.json")
    assert not faults(said.get_json(), "Status")
    assert msgspec.json.decode(said.data, type=Status)["players"] == list(NAMES[:4])
    assert said.get_json()["result"] == SHARES
    assert said.get_json()["counting"]["count"]["result"] == SHARES


def test_the_result_of_a_match_before_is_told_as_it_was_while_it_was_played(table):
    four = table()
    four.finish()
    four.act("set-up", rules="kee", black="Ann")
    (final,) = status_of(four.now)["finals"]
    assert final["result"] == SHARES and final["players"] == list(NAMES[:4])
    assert not faults(status_of(four.now), "Status")
