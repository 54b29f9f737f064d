"""The annotations of a match's game record beside its turns, in English."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from referee.game.game_info import GameInfo
from referee.game.messages import message, points
from referee.game.penalties import Offence
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Placement
from referee.sgf.annotations import RefusedMove, SgfAnnotations
from referee.time.steps import Answer
from referee.umpire.history import HistoryEntry
from referee.umpire.snapshot import Said, Snapshot
from web.language import ENGLISH
from web.page import labels
from web.page.clocks import is_routine

_DAY = len("2026-11-22")


def notes_of(game: Snapshot, occasion: GameInfo, began: str) -> SgfAnnotations:
    """Collect all rulings, refusals, messages and agreements. began: the time of day (ISO 8601), empty if unknown."""
    thens = game.past.thens
    tried = {then.number: tuple(map(_tried, then.tried)) for then in thens if then.tried}
    return SgfAnnotations(
        began[:_DAY],
        occasion,
        dict(_names(thens)),
        _comments(game, thens),
        tried,
        _end(game, bool(tried.get(game.turn))),
        game.counting.layout,
    )


def _tried(ruling: Ruling) -> RefusedMove:
    assert ruling.move is not None
    return RefusedMove(ruling.move, labels.finding(ruling), ENGLISH.sentence(ruling.message))


def _names(thens: Iterable[HistoryEntry]) -> Iterator[tuple[int, str]]:
    """Yield the names of turns that put no stone on the board, and of illegal ones that were let stand."""
    for before, then in pairwise(thens):
        turn, board = then.turn, then.position.board
        if isinstance(turn, Delay) and (before.bowls.ultimate, before.bowls.ultimate_delays) != (
            then.bowls.ultimate,
            then.bowls.ultimate_delays,
        ):
            yield then.number, ENGLISH("turn.ultimate")
        elif turn is not None and not (isinstance(turn, Placement) and not turn.stood):
            yield then.number, labels.turn(board, turn)


def _comments(game: Snapshot, thens: Iterable[HistoryEntry]) -> Mapping[int, str]:
    """Return each turn's comment: its ruling, and what players and director said or did until the next."""
    said = {then.number: [then.ruling.message] if then.ruling is not None else [] for then in thens}
    began = [(then.ruling.t, then.number) for then in thens if then.ruling is not None]
    for answer in filter(_is_told, game.answers):
        found = bisect_right(began, (answer.t, game.turn))
        said[began[found - 1][1] if found else 0].append(answer.message)
    return {number: "\n".join(map(ENGLISH.sentence, told)) for number, told in said.items() if told}


def _is_told(answer: Said) -> bool:
    return not is_routine(answer) and (answer.allowed if isinstance(answer, Answer) else not answer.refused)


def _end(game: Snapshot, refused: bool) -> str:
    """Return the comment after the last turn: the result, or why another turn was refused.

    It includes the penalties for time and the dead stones.
    """
    newest, laid = game.newest, game.counting.layout
    tells = newest is not None and (newest.move is None or newest.status is Status.ILLEGAL) and (game.ended or refused)
    said = [newest.message] if newest is not None and tells else []
    if game.counting.count is not None:
        said += [fine.message for fine in game.penalties if fine.offence is Offence.TIME]
    if laid is not None and laid.dead:
        said.append(message("count.dead-stones", points=points(laid.position.board, laid.dead)))
    return "\n".join(map(ENGLISH.sentence, said))
