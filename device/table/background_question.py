"""A question about the table that takes long to answer, asked in a thread of its own while the game goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

from device.threads import start_supervised_thread
from referee.table.display_state import TableSnapshot

log = logging.getLogger("shinpan")
Question = TypeVar("Question")
Answer = TypeVar("Answer")


class BackgroundQuestion(Generic[Question, Answer]):
    """A thread that finds the answers to the questions that snapshots raise, each once while it is raised.

    name: the thread's.
    question_of: returns the question that a snapshot raises, None if it raises none.
    find: returns the answer, None if there is nothing to tell.
    tell: receives question and answer, unless the question is outdated.
    """

    def __init__(
        self,
        name: str,
        question_of: Callable[[TableSnapshot], Question | None],
        find: Callable[[Question], Answer | None],
        tell: Callable[[Question, Answer], None],
    ) -> None:
        self._name, self._question_of, self._find, self._tell = name, question_of, find, tell
        self._newest: Question | None = None
        self._questions = SimpleQueue[Question]()
        start_supervised_thread(name, self._answer_all)

    def show(self, snapshot: TableSnapshot) -> None:
        """Take the newest snapshot, and queue its question if it is another one."""
        question = self._question_of(snapshot)
        is_new = question != self._newest
        self._newest = question  # Before the thread hears of it, which takes any other question for outdated.
        if question is not None and is_new:
            self._questions.put(question)

    def answer(self, question: Question) -> None:
        """Find the answer and tell it, unless the question is outdated."""
        if question != self._newest:
            return
        try:
            answer = self._find(question)
        except Exception:
            log.exception("No answer can be found: %s.", self._name)
            return
        if answer is not None and question == self._newest:
            self._tell(question, answer)

    def _answer_all(self) -> None:
        while True:
            self.answer(self._questions.get())
