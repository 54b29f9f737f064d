"""Questions that snapshots raise, answered in the background and told while they are still raised."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import pytest

from device.table.background_question import BackgroundQuestion
from tests.support.waiting import until


@dataclass(frozen=True)
class Snapshot:
    question: int | None


class Numbers:
    """Questions about numbers. answers: those that were told."""

    def __init__(self) -> None:
        self.answers = list[tuple[int, float]]()
        self.background = BackgroundQuestion[int, float]("test", self.question_of, self.find, self.tell)

    def question_of(self, snapshot: Any) -> int | None:
        return snapshot.question

    def raise_question(self, question: int | None) -> None:
        snapshot: Any = Snapshot(question)
        self.background.show(snapshot)

    def find(self, question: int) -> float | None:
        if question == 7:
            self.raise_question(8)
        return 1 / question if question < 100 else None

    def tell(self, question: int, answer: float) -> None:
        self.answers.append((question, answer))


@pytest.fixture
def numbers():
    return Numbers()


def test_each_question_is_answered_once_while_it_is_raised(numbers):
    for question, many in ((2, 1), (2, 1), (None, 1), (2, 2), (4, 3)):
        numbers.raise_question(question)
        until(lambda many=many: len(numbers.answers) >= many)
    assert numbers.answers == [(2, 0.5), (2, 0.5), (4, 0.25)]


def test_a_new_question_is_answered_however_quick_the_thread(numbers, monkeypatch):
    """It answered before the question was known to be the newest one, and then nobody ever did."""

    class Quick:
        def put(self, question: int) -> None:
            numbers.background.answer(question)

    monkeypatch.setattr(numbers.background, "_questions", Quick())
    numbers.raise_question(2)
    assert numbers.answers == [(2, 0.5)]


def test_an_answer_is_not_told_once_its_question_is_outdated(numbers):
    numbers.raise_question(7)
    until(lambda: numbers.answers)
    assert numbers.answers == [(8, 0.125)]


def test_nothing_is_told_without_an_answer(numbers):
    numbers.raise_question(100)
    numbers.background.answer(100)
    assert numbers.answers == []


def test_a_failure_is_logged_and_the_next_question_answered(numbers, caplog):
    with caplog.at_level(logging.ERROR, "shinpan"):
        numbers.raise_question(0)
        until(lambda: caplog.records)
    numbers.raise_question(4)
    until(lambda: numbers.answers)
    assert numbers.answers == [(4, 0.25)] and "No answer can be found: test." in caplog.text
