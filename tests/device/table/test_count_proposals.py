"""A count that the box proposes at a table, found by its background worker and written in the journal."""

from __future__ import annotations

import pytest

from device.journal.replay import replay_journal
from device.table.count_proposals import count_proposals
from referee.table.display_state import Sight, State
from tests.support.device.directed import DirectedTable
from tests.support.waiting import PATIENCE_S, until
from web.page.headline import headline_of
from web.page.model import PageModel
from web.page.status import status_of

pytestmark = pytest.mark.slow
STONES = "A2 C1 B2 C2 B1 C3 A3 C4 B3 C5 B4 D3 B5 D1 A5 E2 D5 pass pass"
"""Black has the left side and White the right; D5 is dead."""


def test_a_finished_game_is_proposed_agreed_to_and_replayed(tmp_path, monkeypatch):
    monkeypatch.setattr("device.table.count_proposals.WITHIN_S", PATIENCE_S)
    table = DirectedTable(tmp_path, "chinese")
    proposals = count_proposals(table.worker, table.event_loop.queue_proposal)
    for number, point in enumerate(STONES.split()):
        turn = {"turn": "pass"} if point == "pass" else {"turn": "place", "point": point}
        table.act("enter", player="BW"[number % 2], why="x", **turn)

    def proposal_of_newest() -> object:
        proposals.show(table.now)
        return table.now.game.counting.proposal

    until(proposal_of_newest, lambda: table.now.game.answers)
    board, proposal = table.now.game.position.board, table.now.game.counting.proposal
    assert board.names(proposal.dead) == ["D5"]
    status, result = status_of(table.now), proposal.count.result
    assert status["counting"]["proposed"]["dead"] == ["D5"] and status["counting"]["dead"] == []
    table.event_loop.sight(Sight.SEEN, table.t)
    table.event_loop.settle()
    assert table.now.display_state.state is State.BOX_PROPOSAL and "Is this count right?" in headline_of(table.now).text
    assert headline_of(table.now).reasons[0].text == f"Result if so: {result}, with 1 dead chain. Hold SCORE to refuse."
    assert any("D5" in line.text for line in PageModel(table.now).proposed)
    proposals.show(table.now)
    table.act("propose", player="B", dead=["D5"])
    table.act("agree", player="W")
    assert table.now.game.result == proposal.count.result
    assert "As the box proposed" in table.box.sgf_record.decode()
    grounds = status_of(table.now)["counting"]["dead_by"]
    assert set(grounds) == {"D5"} and grounds["D5"] in ("proved", "likely")
    table.close()
    replayed = replay_journal(table.journals[-1])
    assert replayed.differs is None and replayed.table.record.result == table.now.game.result
    assert replayed.table.snapshot.counting.proposal == proposal
