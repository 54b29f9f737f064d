"""The hall is killed in the middle of what it does: nothing is lost, and nothing done twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Response, request

from device.hall.event_log import Note
from tests.support.device.hall_program import HallProgram
from tests.support.device.pairgoth import StandIn
from tests.support.device.venues import Venues
from tests.support.tiers import LONG, sample
from tests.support.waiting import until

pytestmark = pytest.mark.slow
MATCH = {"event": "Spring Cup", "round": "1", "table": "7", "black": "Ada Example", "white": "Ben Sample"}
MATCH |= {"rules": "chinese", "control": "20m"}
LIST = """event = "Spring Cup"
host = "127.0.0.1"
public = false
folder = "{folder}"
[pairgoth]
address = "{pairgoth}"
tournament = "1"
[[tables]]
table = "7"
address = "{line.address}"
box = "{line.box}"
secret = "{line.secret}"

[round]
rules = "ultimate"
"""


@pytest.fixture
def hall(venues: Venues, pairgoth: StandIn, tmp_path: Path) -> Iterator[HallProgram]:
    folder = tmp_path / "hall"
    listed = tmp_path / "tables.toml"
    listed.write_text(LIST.format(folder=folder, pairgoth=pairgoth.address, line=venues.line))
    hall_program = HallProgram(listed, folder)
    yield hall_program
    if hall_program.runs:
        hall_program.kill()


def kinds(hall: HallProgram) -> list[Note]:
    return [entry.kind for entry in hall.journal()]


def finish(venues: Venues) -> None:
    venues.box.act("report", result="B+R", why="for the test")
    venues.box.act("verify")


@pytest.mark.long
@pytest.mark.parametrize("before", sample([True, False], 1))
def test_a_result_is_entered_once_though_the_hall_dies_as_it_enters_it(venues, pairgoth, hall, before):
    """Killed before Pairgoth has written it, which then still writes it or does not."""
    hall.start()

    def die() -> None:
        pairgoth.before_write = lambda: None
        hall.kill()
        if before:
            raise OSError("the request is lost with the hall")

    pairgoth.before_write = die
    venues.box.act("set-up", **MATCH)
    finish(venues)
    until(lambda: not hall.runs)
    until(lambda: before or pairgoth.writes)
    assert kinds(hall)[-1] is Note.RESULT and Note.ENTERED not in kinds(hall)
    hall.start()
    until(lambda: pairgoth.writes)
    until(lambda: any(entry.kind is Note.ENTERED for entry in hall.journal()))
    assert pairgoth.writes == [(1, 11, "b")]
    assert kinds(hall).count(Note.RESULT) == kinds(hall).count(Note.ENTERED) == 1


@LONG
def test_a_result_is_not_lost_though_the_hall_dies_before_it_enters_it(venues, pairgoth, hall):
    pairgoth.down = True
    hall.start()
    venues.box.act("set-up", **MATCH)
    finish(venues)
    until(lambda: Note.RESULT in kinds(hall))
    hall.kill()
    # Nor is one that became final meanwhile.
    pairgoth.down = False
    hall.start()
    until(lambda: pairgoth.writes)
    assert pairgoth.writes == [(1, 11, "b")]


@LONG
def test_a_match_is_set_up_once_though_the_hall_dies_before_it_hears_of_it(venues, hall):
    done = list[int]()

    @venues.box.app.after_request
    def die(answer: Response) -> Response:
        if request.path == "/hall/acts":
            done.append(answer.status_code)
            hall.kill()
        return answer

    hall.start()
    hall.hand_out(MATCH)
    until(lambda: done and not hall.runs)
    assert [kind for kind in kinds(hall) if kind is not Note.MET] == [Note.HANDED, Note.SENT]
    journals = len(venues.box.journals)
    hall.start()
    until(lambda: Note.TAKEN in kinds(hall))
    assert done == [200] and len(venues.box.journals) == journals
    assert venues.box.now.names == ("Ada Example", "Ben Sample")
