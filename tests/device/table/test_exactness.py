"""Exactness of a proposed expedited count, told at the table while nobody has answered yet."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from threading import Event

import pytest

from device.table.exactness import exactness_checks
from referee.game.board import Colour
from referee.table.display_state import Phase
from tests.support.device.directed import DirectedTable
from tests.support.waiting import PATIENCE_S, until
from tests.support.wording import english

pytestmark = pytest.mark.slow
WALLS = ("B5 D5 A4 D4 B4 E4 B3 D3 A2 D2 B2 E2 B1 D1", "C5 C4 C3 C2 C1")
"""Both live in three eyes, and the dame between them are filled."""


class ExactnessTable(DirectedTable):
    """A table whose players are told. paths: of the journals in which a count was looked at."""

    def __init__(self, folder: Path, rules: str) -> None:
        super().__init__(folder, rules)
        self.paths = list[Path | None]()
        self.meanwhile: Callable[[], None] = lambda: None
        self.exactness = exactness_checks(self.worker, self._journal, self.event_loop.remark)

    def _journal(self) -> Path | None:
        self.paths.append(self.box.journal)
        self.meanwhile()
        return self.box.journal

    def shows(self) -> None:
        self.exactness.show(self.now)

    @property
    def remarks(self) -> list[str]:
        return [english(answer.message) for answer in self.now.game.answers]


def delayed(table: ExactnessTable) -> None:
    """Dame are filled, and White makes the first delay."""
    points = " ".join(WALLS).split()
    for player, point in zip(cycle("BW"), points, strict=False):
        table.act("enter", player=player, turn="place", point=point, why="x")
    table.act("enter", player="W", turn="delay", why="x")


@pytest.fixture
def table_at(tmp_path, monkeypatch):
    monkeypatch.setattr("device.table.exactness.WITHIN", PATIENCE_S)
    tables = list[ExactnessTable]()

    def at(rules: str) -> ExactnessTable:
        tables.append(ExactnessTable(tmp_path / str(len(tables)), rules))
        return tables[-1]

    yield at
    for one in tables:
        one.close()


def test_an_exact_count_is_told_before_anybody_answers(table_at):
    table = table_at("ultimate")
    delayed(table)
    table.act("propose", player="B")
    table.shows()
    until(lambda: any("The count is exact" in remark for remark in table.remarks), lambda: table.remarks)
    assert table.now.game.counting.waits_for is Colour.WHITE and table.now.phase is not Phase.RESULT


def test_nothing_is_searched_without_a_count_by_stones(table_at):
    for rules, acts in (("ultimate", ()), ("chinese", ("pass", "pass"))):
        table = table_at(rules)
        for player, turn in zip("BW", acts, strict=False):
            table.act("enter", player=player, turn=turn, why="x")
        if acts:
            table.act("propose", player="B")
        table.shows()
        assert not table.paths


def test_what_was_answered_meanwhile_is_told_nobody(table_at):
    table = table_at("ultimate")
    delayed(table)
    table.act("propose", player="B")
    claims, answered = table.now.game.counting.named, Event()

    def agreed() -> None:
        table.act("agree", player="W")
        table.shows()
        answered.set()

    table.exactness.answer(claims)
    assert not table.paths, "it was not shown yet"
    table.meanwhile = agreed
    table.shows()
    assert answered.wait(PATIENCE_S) and table.now.game.result == "0"
    table.exactness.answer(claims)
    assert len(table.paths) == 1 and not any("exact" in remark for remark in table.remarks)
