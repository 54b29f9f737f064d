"""The director's decisions about the record of a game: turns, an agreement, the komi and a reminder.

A decision overrules all that waited for a look or was unfinished. The clock, the reminders and the handicap stones go
back with the turns that it takes back.
"""

from __future__ import annotations

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import Listing, Message, message
from referee.game.ruling import Reply
from referee.game.turns import Resign
from referee.inference.missing_prisoners import MissingPrisonerPenalty
from referee.table.events import ChangeKomi, EnterAgreement, EnterTurn, TakeBack, WaiveReminder
from referee.table.game_parts import GameParts
from referee.table.ledger import apply_decision, change_komi
from referee.time.steps import Step


class Decisions:
    """The decisions about one game."""

    def __init__(self, parts: GameParts) -> None:
        self._ledger, self._timing, self._end_of_game = parts.ledger, parts.timing, parts.end_of_game
        self._refereed, self._recorded, self._prisoners = parts.refereed, parts.recorded, parts.prisoners
        self._komi: float | None = None

    def take_decision(self, decision: TakeBack | EnterTurn | EnterAgreement | ChangeKomi | WaiveReminder) -> None:
        """Apply a decision."""
        match decision:
            case ChangeKomi():
                self._change_komi(decision)
            case WaiveReminder():
                self._waive_reminder(decision)
            case _:
                self._apply_to_record(decision)

    def _apply_to_record(self, decision: TakeBack | EnterTurn | EnterAgreement) -> None:
        """Apply a decision about turns."""
        before = self._ledger.record
        outcome = apply_decision(before, decision)
        if isinstance(outcome, Message):
            self._end_of_game.refuse_act(decision.t, outcome, author=decision.author)
            return
        self._drop_acts(decision.t)
        self._recorded.forget_pending()
        if isinstance(decision, TakeBack):
            self._timing.take_back(decision.turns, decision.t)
        self._timing.bring_back({*before.situation.resigned} - {*outcome.record.situation.resigned})
        self._prisoners.drop_after(outcome.record.number - isinstance(decision, EnterTurn))
        self._ledger.adopt_overruled(outcome)
        if self._refereed is not None:  # Without buttons the record follows the board.
            self._refereed.handicap.take_back(before)

    def _drop_acts(self, t: float) -> None:
        """Drop the presses that wait, and say whose they were."""
        if self._refereed is None:
            return
        if dropped := self._refereed.players_acting:
            text = message("press.overruled", players=Listing(dropped))
            self._end_of_game.add_reply(Reply(t, text, author=Actor.BOX))
        self._refereed.drop_acts(t)

    def resign_player(self, step: Step, player: Colour) -> None:
        """Enter a player's resignation for the director, as if made at the table."""
        if self._ledger.record.ended:
            self._timing.handle_act(step)
        else:
            self._apply_to_record(EnterTurn(step.t, Resign(player), author=step.author))

    def _change_komi(self, change: ChangeKomi) -> None:
        """Change the komi; the remark on it tells the players."""
        outcome = change_komi(self._ledger.record, change.komi)
        if isinstance(outcome, Message):
            self._end_of_game.refuse_act(change.t, outcome, author=change.author)
        else:
            self._komi, self._ledger.record = change.komi, outcome

    def keep_komi(self) -> None:
        """Give a record that was taken from before the change the komi of now: it is no turn that could be undone."""
        if self._komi is not None:
            self._ledger.record = self._ledger.record.with_komi(self._komi)

    def _waive_reminder(self, waive: WaiveReminder) -> None:
        """Waive the newest reminder; a game that was lost by it goes on."""
        missing_prisoners, result = self._prisoners.newest_reminder, self._ledger.record.result
        if missing_prisoners is None:
            self._end_of_game.refuse_act(waive.t, message("prisoners.none-to-waive"), author=waive.author)
            return
        is_lost = self._prisoners.follows is MissingPrisonerPenalty.LOSS and result == missing_prisoners.losing_result
        if is_lost and not self._timing.undo_result(missing_prisoners.losing_result, waive.t):
            self._end_of_game.refuse_act(
                waive.t, message("prisoners.verified", result=str(result)), author=waive.author
            )
            return
        self._prisoners.waive_newest()
        key = "prisoners.goes-on" if is_lost else "prisoners.waived"
        text = message(key, player=missing_prisoners.player, turn=missing_prisoners.turn)
        self._end_of_game.add_reply(Reply(waive.t, text, author=waive.author))
