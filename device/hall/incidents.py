"""Incidents that a director wants to know of: refused turns, cautions and penalties, and players who come late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from device.hall.sentences import hall_sentence
from referee.game.messages import message
from referee.game.ruling import Status as Ruled
from referee.inference.missing_prisoners import TOLD
from referee.time.steps import Act
from web.hall.assignment import HandedOut, Handing, is_running
from web.hall.sentences import BoxSentence, box_sentence, usage_of
from web.hall.tiles import Tile
from web.language import ENGLISH
from web.openapi import Answer, Status

REFUSED = frozenset({Ruled.ILLEGAL.value, Ruled.UNEXPLAINED.value})
"""Statuses of rulings that are incidents."""
ACTS = frozenset({Act.MISSING, Act.ARRIVE, Act.PENALISE, Act.MALFUNCTION, Act.DISPUTE})
"""Actions that are incidents."""
REMARK = ENGLISH.sentence(message("director.remark"))
"""Beginning of the director's messages to the players, such as a caution."""
REMINDER = ENGLISH.sentence(TOLD)
"""Beginning of the reminder that captured stones are not in their lid."""


@dataclass(frozen=True)
class ReportedIncident:
    """An incident as a box reports it.

    key: unique in its game
    sentence: the sentence
    """

    key: str
    sentence: BoxSentence
    turn: int


def incidents_of(status: Status) -> Iterator[ReportedIncident]:
    """Yield the incidents among the newest rulings and answers."""
    counts, usage = Counter[str](), usage_of(status)
    for ruling in reversed(status["rulings"]):
        if ruling["status"] in REFUSED or ruling["text"].startswith(REMINDER):
            key = f"{ruling['turn']} {ruling['status']} {ruling['text']}"
            counts[key] += 1
            sentence = box_sentence(ruling["text"], ruling.get("message"), usage)
            yield ReportedIncident(f"{key} {counts[key]}", sentence, ruling["turn"])
    for answer in filter(_is_told, reversed(status["answers"])):
        counts[answer["text"]] += 1
        sentence = box_sentence(answer["text"], answer.get("message"), usage)
        yield ReportedIncident(f"{answer['text']} {counts[answer['text']]}", sentence, status["turn"])


def _is_told(answer: Answer) -> bool:
    remark = answer["act"] is None and answer["author"] == "director" and answer["text"].startswith(REMARK)
    reminder = answer["act"] is None and answer["author"] == "box" and answer["text"].startswith(REMINDER)
    return not answer["refused"] and (remark or reminder or answer["act"] in ACTS)


class Lateness:
    """The start of each round, which is when the first of its tables began, and the tables that are late.

    minutes: after the start, until a table that has not begun is late; 0 for never
    """

    def __init__(self, minutes: float) -> None:
        self._within_s = 60.0 * minutes
        self._began_at = dict[str, float]()

    def late(
        self, assignments: Iterable[HandedOut], tile: Callable[[str], Tile], now: float
    ) -> Iterator[tuple[str, Status, BoxSentence]]:
        """Yield the tables that are late now, each with its box's status and a sentence.

        assignments: the assignments
        tile: returns a table's tile
        now: monotonic seconds
        """
        accepted = [(one, tile(one.table).status) for one in assignments if one.standing is Handing.TAKEN]
        waiting = list[tuple[HandedOut, Status]]()
        for one, status in accepted:
            if status is None or (status["round"], *status["players"]) != (one.round, one.black, one.white):
                continue
            if is_running(status) or status["phase"] == "final":
                self._began_at.setdefault(one.round, now)
            else:
                waiting.append((one, status))
        for one, status in waiting:
            if self._within_s and now - self._began_at.get(one.round, now) >= self._within_s:
                minutes = int(self._within_s // 60)
                yield one.table, status, hall_sentence(message("hall.late", minutes=minutes, round=one.round))
