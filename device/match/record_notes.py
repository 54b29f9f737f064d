"""The notes of a match's game record beside its turns: rulings, refused turns, messages and agreements, in English."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import TypeVar

from referee.game.differences import common_length
from referee.game.game_info import GameInfo
from referee.game.messages import message, name_points
from referee.game.penalties import Offence
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Placement
from referee.sgf.annotations import RefusedMove, SgfAnnotations
from referee.table.history import HistoryEntry
from referee.table.snapshot import AnyAnswer, Snapshot
from referee.time.steps import Answer
from web.language import ENGLISH
from web.page import labels
from web.page.clocks import is_routine

DAY = len("2026-11-22")
"""Length of the date in a time of day in ISO 8601."""

T = TypeVar("T")


@dataclass(frozen=True)
class _Collected:
    """The notes collected of a game, from its thens and answers. notices: the answers that players are told."""

    thens: tuple[HistoryEntry, ...] = ()
    answers: tuple[AnyAnswer, ...] = ()
    notices: tuple[AnyAnswer, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)
    tried: Mapping[int, Sequence[RefusedMove]] = field(default_factory=dict)


class Annotator:
    """An annotator of one game as it goes on: it keeps what it collected of the turns that are the same.

    Any thread may use it.
    """

    def __init__(self) -> None:
        self._collected = _Collected()

    def collect_annotations(self, game: Snapshot, game_info: GameInfo, began: str) -> SgfAnnotations:
        """Return all rulings, refusals, messages and agreements. began: the time of day (ISO 8601), or empty."""
        self._collected = now = _collect_new(self._collected, game)
        end = _build_end_comment(game, bool(now.tried.get(game.turn)))
        return SgfAnnotations(began[:DAY], game_info, now.names, now.comments, now.tried, end, game.counting.layout)


def _collect_new(collected: _Collected, game: Snapshot) -> _Collected:
    thens, answer_count = game.past.thens, len(collected.answers)
    if game.answers[:answer_count] != collected.answers:
        collected, answer_count = _Collected(), 0
    new = tuple(filter(_is_told, game.answers[answer_count:]))
    starts = _list_starts(thens)
    first, notices = _find_first_changed(collected.thens, thens, starts, new), (*collected.notices, *new)
    changed, later = range(first, len(collected.thens)), thens[first:]
    tried = {then.number: tuple(map(_build_refused_move, then.tried)) for then in later if then.tried}
    return _Collected(
        thens,
        game.answers,
        notices,
        _without_numbers(collected.names, changed) | dict(_yield_names(thens[max(first - 1, 0) :])),
        _without_numbers(collected.comments, changed) | _build_comments(notices, later, starts[first:]),
        _without_numbers(collected.tried, changed) | tried,
    )


def _list_starts(thens: Sequence[HistoryEntry]) -> list[float]:
    """Return the seconds from which each turn is the newest: a late press is ruled on with a time before the last's."""
    return list(accumulate((-math.inf if then.ruling is None else then.ruling.t for then in thens), max))


def _find_first_changed(
    before: Sequence[HistoryEntry], now: Sequence[HistoryEntry], starts: Sequence[float], new: Iterable[AnyAnswer]
) -> int:
    """Return a turn, ruled on or the start, before which nothing is told otherwise. new: the answers told since."""
    first_t = min((answer.t for answer in new), default=math.inf)
    first = max(common_length(before, now) - 1, 0)
    while first and (now[first].ruling is None or starts[first] > first_t):
        first -= 1
    return first


def _without_numbers(notes: Mapping[int, T], numbers: Iterable[int]) -> dict[int, T]:
    remaining = dict(notes)
    for number in numbers:
        remaining.pop(number, None)
    return remaining


def _build_refused_move(ruling: Ruling) -> RefusedMove:
    assert ruling.move is not None
    return RefusedMove(ruling.move, labels.finding_text(ruling), ENGLISH.sentence(ruling.message))


def _yield_names(thens: Iterable[HistoryEntry]) -> Iterator[tuple[int, str]]:
    """Yield the names of turns that put no stone on the board, and of illegal ones that were let stand."""
    for before, then in pairwise(thens):
        turn, board = then.turn, then.position.board
        if isinstance(turn, Delay) and (before.bowls.ultimate, before.bowls.ultimate_delays) != (
            then.bowls.ultimate,
            then.bowls.ultimate_delays,
        ):
            yield then.number, ENGLISH("turn.ultimate")
        elif turn is not None and not (isinstance(turn, Placement) and not turn.stood):
            yield then.number, labels.turn_text(board, turn)


def _build_comments(
    notices: Iterable[AnyAnswer], thens: Sequence[HistoryEntry], starts: Sequence[float]
) -> dict[int, str]:
    """Return each turn's comment: its ruling, and what players and director said or did until the next.

    notices: of the whole game; what was said before the first of these turns is another's, if that is not the start.
    """
    messages = {then.number: [then.ruling.message] if then.ruling is not None else [] for then in thens}
    began = [(start, then.number) for start, then in zip(starts, thens, strict=True) if then.ruling is not None]
    for answer in notices:
        index = bisect_right(began, (answer.t, thens[-1].number))
        number = began[index - 1][1] if index else 0
        if number in messages:
            messages[number].append(answer.message)
    return {number: "\n".join(map(ENGLISH.sentence, notices)) for number, notices in messages.items() if notices}


def _is_told(answer: AnyAnswer) -> bool:
    return not is_routine(answer) and (answer.is_allowed if isinstance(answer, Answer) else not answer.refused)


def _build_end_comment(game: Snapshot, refused: bool) -> str:
    """Return the comment after the last turn: the result, or why another turn was refused.

    It includes the penalties for time and the dead stones.
    """
    newest, layout = game.newest_ruling, game.counting.layout
    tells = newest is not None and (newest.move is None or newest.status is Status.ILLEGAL) and (game.ended or refused)
    messages = [newest.message] if newest is not None and tells else []
    if game.counting.count is not None:
        messages += [fine.message for fine in game.penalties if fine.offence is Offence.TIME]
    if layout is not None and layout.dead:
        messages.append(message("count.dead-stones", points=name_points(layout.position.board, layout.dead)))
    return "\n".join(map(ENGLISH.sentence, messages))
