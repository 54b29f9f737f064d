"""A finished game on a drawn table: the box proposes the dead stones, and SCORE on both sides agrees to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.journal.entries import Terms
from device.journal.replay import Folder
from device.panel.panel import NoPanel
from device.table.controller import TableController
from device.table.count_proposals import propose_for
from referee.game.diagram import rows_of
from referee.game.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import State
from referee.table.events import BoxProposal, Button
from referee.table.table import TableConfig
from tests.support.simulator.adjourned_games import ResumedTable
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig
from web.page.model import PageModel

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]

ROWS = (
    "...XO....",
    ".X.XO..O.",
    "...XO.X..",
    "...XO..O.",
    ".O.XO....",
    "...XO....",
    ".X.XO..O.",
    ".X.XO....",
    "...XO....",
)
"""B5 and G7 are dead."""


class FinishedGameBox(ResumedTable):
    """A box whose camera sees such a game."""

    def __init__(self, folder: Path) -> None:
        look = club_look(5, 9, 1280, 720)
        self._table, self._seed, self._black_side = Table(look), look.seed, 1
        self._observer, self._t, self._frames = BoardTracker(TrackerConfig()), 0.0, 0
        setup = Setup(rule_set("chinese"), size=(9, 9), board=ROWS)
        terms = Terms(setup, TableConfig(refereed=True, black_side=1))
        self.box = TableController(terms, Folder(folder), NoPanel(), lambda snapshot: None)
        self.show(Scene(ROWS))

    @property
    def record(self) -> GameRecord:
        return self.box.table.record

    def now(self) -> float:
        """Return the time, a second after what was done last."""
        self._t += 1.0
        return self._t

    def pass_out(self) -> None:
        for side in (1, 2):
            self.press(side, Button.CALL)
            self.press(side)
            self.show(Scene(ROWS))

    def score(self, side: int) -> None:
        self.press(side, Button.SCORE)
        self.show(Scene(rows_of(self.record.position)))


@pytest.mark.long
def test_both_score_and_nobody_lifts_a_stone(tmp_path):
    table = FinishedGameBox(tmp_path)
    table.pass_out()
    assert table.box.snapshot.game.counting.wants_proposal
    proposal = propose_for(table.record.position)
    table.box.say(BoxProposal(table.now(), table.record.position, proposal.dead, proposal.proved, proposal.uncertain))
    table.show(Scene(ROWS))
    assert table.box.snapshot.display_state.state is State.BOX_PROPOSAL
    assert [line.text for line in PageModel(table.box.snapshot).proposed] == ["Dead: G7 and B5 (likely)."]
    table.score(1)
    assert table.box.snapshot.display_state.state is State.COUNT
    table.score(2)
    assert table.record.result == "W+16.5" and rows_of(table.record.position) == ROWS
