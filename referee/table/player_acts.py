"""The acts of players, once it is known who did them: DONE, a claimed turn, and steps about time and the result.

A press and a clock step come to the same act here. Where nothing can come of it, the reply says why.
"""

from __future__ import annotations

from referee.game.board import Colour
from referee.game.messages import Message, message
from referee.game.ruling import Prohibition, Reason, Reply
from referee.game.turns import Draw, Pass, Resign, Turn
from referee.rules.ing import is_adjourned
from referee.rules.legality import judge
from referee.rules.ruling_messages import why_refused
from referee.table.buttons import Meaning
from referee.table.game_parts import GameParts
from referee.table.refereed import RefereedGame
from referee.table.resignations import ResignRequest
from referee.time.steps import Act, Step


class PlayerActs:
    """The acts at one table, which go to the parts of its game."""

    def __init__(self, parts: GameParts) -> None:
        self._ledger, self._timing, self._end_of_game = parts.ledger, parts.timing, parts.end_of_game
        self._refereed, self._recorded, self._seats = parts.refereed, parts.recorded, parts.seats

    @property
    def is_played_out(self) -> bool:
        """Return True once passes have ended or adjourned play."""
        return self._ledger.record.ended or is_adjourned(self._ledger.record)

    def may_resign(self, player: Colour) -> bool:
        """Return True if a player may ask to resign now."""
        return self.is_played_out or self._refereed is None or self._refereed.may_resign(player)

    def handle_press(self, meaning: Meaning, player: Colour, t: float, request: ResignRequest | None) -> None:
        """Do what a press of a player means, apart from DONE. request: theirs to resign, until this press."""
        match meaning:
            case Meaning.CONFIRM if request is not None and request.play_over and not self._ledger.record.ended:
                # Asked when either might resign; the other side has let play go on since.
                self._timing.handle_act(Step(t, Act.RESIGN, player))
            case Meaning.CONFIRM:
                self.claim_turn(Resign(player), t)
            case Meaning.LEFT | Meaning.ANSWER_FIRST:
                self._end_of_game.refuse_act(t, self._explain_vain_press(meaning, player), player)
            case Meaning.CLAIM_WIN:
                self._timing.handle_act(Step(t, Act.CLAIM, player))
            case Meaning.OVER:
                self._ledger.refuse_turn(self._build_called_turn(player), Prohibition(Reason.GAME_OVER))
            case Meaning.PASS:
                self.claim_turn(self._build_called_turn(player), t)

    def _build_called_turn(self, player: Colour) -> Turn:
        """Return the turn that `call` means."""
        return Draw(player) if self._ledger.record.rules.draws is not None else Pass(player)

    def _explain_vain_press(self, meaning: Meaning, player: Colour) -> Message:
        """Return the reason why a press has no effect."""
        to_play = self._ledger.record.to_play
        if meaning is Meaning.LEFT:
            return message("press.left", player=player, to_play=to_play)
        return message("count.answer-first", player=self._end_of_game.waits_for or to_play)

    def handle_done(self, player: Colour, t: float) -> None:
        """Take a DONE: it agrees to the result, wakes the clock, or closes a turn."""
        record = self._ledger.record
        if record.result is not None:
            self._timing.handle_act(Step(t, Act.VERIFY, player))
        elif record.ended:
            self._end_of_game.refuse_act(t, message("count.play-ended"), player)
        elif self._end_of_game.waits_for is not None:
            self._end_of_game.refuse_act(t, self._explain_vain_press(Meaning.ANSWER_FIRST, player), player)
        elif (self._is_laying_handicap or not self._timing.wake_clock(player, t)) and self._refereed is not None:
            self._refereed.handle_done(player, t)

    @property
    def _is_laying_handicap(self) -> bool:
        """Return True while handicap stones are due, or may be: DONE starts no clock then."""
        clocks, refereed = self._timing.clocks, self._refereed
        is_due = refereed is not None and (refereed.handicap.stones_due or self._seats.possible_white_side is not None)
        return bool(is_due) and not (clocks is not None and clocks.restored)

    def claim_turn(self, turn: Turn, t: float) -> None:
        """Take a pass, a draw or a resignation that a player claims."""
        record = self._ledger.record
        if self.is_played_out and record.result is None and isinstance(turn, Resign):
            # It replaces the count, and is no longer a turn.
            self._timing.handle_act(Step(t, Act.RESIGN, turn.player))
        elif record.ended:
            self._ledger.refuse_turn(turn, Prohibition(Reason.GAME_OVER))
        elif self._end_of_game.waits_for is not None and not isinstance(turn, Resign):
            self._end_of_game.refuse_act(t, self._explain_vain_press(Meaning.ANSWER_FIRST, turn.player), turn.player)
        elif self._refereed is None:
            self._recorded.claim_turn(turn)
        elif not self._is_vain_pass(self._refereed, turn, t):
            self._refereed.claim_turn(turn, t)

    def _is_vain_pass(self, refereed: RefereedGame, turn: Turn, t: float) -> bool:
        """Return True if there is no pass that DONE could close.

        A pass called too early, or while a press waits, counts in its turn, and is answered.
        """
        if not isinstance(turn, Pass):
            return False
        record = self._ledger.record
        prohibition = judge(record, turn).prohibition
        is_early = prohibition is not None and prohibition.reason is Reason.NOT_YOUR_TURN
        if is_early and not refereed.players_waiting:
            text = message("call.early", player=turn.player, to_play=record.to_play)
            self._end_of_game.add_reply(Reply(t, text, turn.player, author=turn.player))
        if is_early or prohibition is None:
            return False
        self._end_of_game.refuse_act(t, why_refused(record, turn, prohibition), turn.player)
        return True

    def handle_step(self, step: Step) -> None:
        """Handle a step; here DONE closes turns, which are ruled on, and a resignation is a turn."""
        if step.act is Act.RESIGN and step.by is not None:
            self.claim_turn(Resign(step.by), step.t)
        elif step.act is Act.PRESS and step.by is not None:
            self.handle_done(step.by, step.t)
        elif step.act in (Act.ACCEPT, Act.HAND_BACK):
            self._end_of_game.refuse_act(step.t, message("clock.referee-rules"), step.by, step.author)
        else:
            self._timing.handle_act(step)
