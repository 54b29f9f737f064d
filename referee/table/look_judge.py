"""A look at a game is judged by what is due: an adjourned game to put back, a board to fill in, or turns to rule on.

After the end a stone is refused once. While a count waits for an answer, and no press for a look, stones may be lifted.
"""

from __future__ import annotations

from referee.game.actor import Actor
from referee.game.board import Mask, points_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.observation import Observation
from referee.game.ruling import Prohibition, Reason, Ruling, Status
from referee.game.turns import Placement
from referee.inference.missing_prisoners import (
    MissingPrisonerPenalty,
    MissingPrisoners,
    missing_message,
    stored_reminder,
)
from referee.table.game_parts import GameParts
from referee.table.gaps import SeenLook
from referee.table.refereed import RefereedGame


class LookJudge:
    """The judge of looks at one game."""

    def __init__(self, parts: GameParts) -> None:
        self._ledger, self._timing, self._end_of_game = parts.ledger, parts.timing, parts.end_of_game
        self._refereed, self._recorded, self._start_check = parts.refereed, parts.recorded, parts.start_check
        self._seats, self._prisoners = parts.seats, parts.prisoners
        self._differences_at_end: Mask | None = None

    def judge_look(self, look: BoardLikelihoods | None, observation: Observation, rulings: tuple[Ruling, ...]) -> None:
        """Judge an observation.

        look: what it shows, None if that is another board
        rulings: all so far
        """
        if look is None:
            return
        if self._start_check.is_open:
            self._start_check.take_up(look, observation.lids)
        elif self._end_of_game.can_be_filled_in:
            self._end_of_game.watch_filling(look, observation.t)
        elif self._ledger.record.ended:
            self._refuse_after_end(look, rulings)
        elif self._end_of_game.waits_for is not None and not (
            self._refereed is not None and self._refereed.players_waiting
        ):
            return
        elif self._refereed is not None:
            self._judge_closed_turns(self._refereed, look, observation)
        else:
            self._recorded.judge_look(SeenLook(look, observation.lids, observation.t, observation.name))

    def _judge_closed_turns(self, refereed: RefereedGame, look: BoardLikelihoods, observation: Observation) -> None:
        """Rule on the turns closed before it; then remind of captured stones that are not in their lid."""
        before = self._ledger.record
        self._seats.settle_by_look(look)
        refereed.judge_look(look, observation.lids, observation.t)
        record = self._ledger.record
        is_end_seen = record.ended and not look.is_too_doubtful
        self._differences_at_end = look.find_misfits(record.position) if is_end_seen else None
        is_settled = not look.is_too_doubtful and not look.find_misfits(record.position)
        lids = self._ledger.lids.peek_at_lids(observation.lids)
        for missing_prisoners in self._prisoners.judge_look(
            (before, record), refereed.players_judged, lids, is_settled
        ):
            self._remind_of_prisoners(missing_prisoners, observation.t)

    def _remind_of_prisoners(self, missing_prisoners: MissingPrisoners, t: float) -> None:
        """Remind by lamp alone, unless the game is lost by it."""
        follows, record = self._prisoners.follows, self._ledger.record
        assert follows is not None
        if follows is MissingPrisonerPenalty.LOSS and record.result is None:
            text = missing_message(missing_prisoners, follows)
            self._ledger.issue_ruling(self._ledger.make_ruling(Status.LEGAL, text, turn=record.number))
            self._timing.report_result(missing_prisoners.losing_result, Actor.BOX, t)
        elif follows is not MissingPrisonerPenalty.LOSS:
            self._end_of_game.add_reply(stored_reminder(missing_prisoners, follows, t))

    def _refuse_after_end(self, look: BoardLikelihoods, rulings: tuple[Ruling, ...]) -> None:
        """Refuse a stone placed after the end, once.

        Clearing the board is no turn. A stone that lies there at the look that ruled on the end, or else at the first
        one after it, may have been placed before the end.
        """
        position = self._ledger.record.position
        changed = look.find_misfits(position)
        if self._differences_at_end is None and not look.is_too_doubtful:
            self._differences_at_end = changed
        changed &= ~(self._differences_at_end or 0)
        if look.is_too_doubtful or changed.bit_count() != 1 or any(r.reason is Reason.GAME_OVER for r in rulings):
            return
        point = next(points_of(changed))
        colour = look.likeliest.colour_at(point)
        if position.empty >> point & 1 and colour is not None:
            self._ledger.refuse_turn(Placement(colour, point), Prohibition(Reason.GAME_OVER))
