"""The agreement of two players on dead stones: a state machine without I/O, with the time passed in.

    closed --propose--> proposed --agree--> agreed
                            |---disagree--> disagreed: play goes on
                            '---amend-----> amended --agree--> agreed
                                                '---disagree-> disagreed

Under rules with delays (Analysis of Ultimate Go, section VIII) the player whose turn directly follows the first delay
of the game may propose; their clock is stopped from then until the answer. Once each turn: after a refusal the player
plays on (our reading). Under rules with passes either player may propose when the passes have ended play (or, under
Ing's rules, adjourned it), and again after a refusal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.game import regions
from referee.game.board import Colour, opponent_of
from referee.game.count_result import NOTHING, DeadStoneClaim
from referee.game.errors import BadCount
from referee.game.messages import Message, error_message, message
from referee.game.record import GameRecord
from referee.game.turns import Delay
from referee.rules.ing import is_adjourned
from referee.score.methods import find_claimed_chains
from referee.score.procedure import has_first_delay
from referee.table.events import Agree, Amend, Disagree, Propose
from referee.table.snapshot import Stage

Word = Propose | Agree | Disagree | Amend


@dataclass(frozen=True)
class Agreement:
    """The state of the agreement after the newest turn of a game; make one with `after_newest_turn` for every turn.

    Attributes:
        record: the game.
        may_propose: players who may propose.
        again: they may propose again after a refusal.
        stage: the stage of agreeing.
        by: the proposer.
        named: the stones named last.
        since: when it was proposed, in seconds.
        stood: the seconds for which the proposer's clock was stopped in all finished proposals.
        amendments: the players have agreed on those of section VIII.
    """

    record: GameRecord
    may_propose: tuple[Colour, ...] = ()
    again: bool = False
    stage: Stage = Stage.CLOSED
    by: Colour | None = None
    named: DeadStoneClaim = NOTHING
    since: float = 0.0
    stood: float = 0.0
    amendments: bool = False

    @classmethod
    def after_newest_turn(cls, record: GameRecord, amendments: bool = False) -> Agreement:
        """Return the state after the record's newest turn, or at the start.

        Args:
            record: the game.
            amendments: the players have agreed on those of section VIII: one-sided dame may be named, and counting may
                also begin before the first delay: the player to move may propose as long as there was none.
        """
        if record.players != 2 or record.result is not None:
            return cls(record)
        if record.rules.delays is None:
            open_to_both = record.ended or is_adjourned(record)
            return cls(record, (Colour.BLACK, Colour.WHITE) if open_to_both else (), again=True)
        early = amendments and not has_first_delay(record)
        proposers = (record.to_play,) if early or is_after_first_delay(record) else ()
        return cls(record, proposers, amendments=amendments)

    @property
    def waits_for(self) -> Colour | None:
        """Return the player who has to answer, while the clock of the player to move is stopped; None if nobody has."""
        if self.by is None:
            return None
        return {Stage.PROPOSED: opponent_of(self.by), Stage.AMENDED: self.by}.get(self.stage)

    def receive_statement(self, word: Word) -> Agreement | Message:
        """Return the state after one statement of a player, or why it does not count."""
        match word:
            case Propose():
                refusal = self._check_proposal(word)
            case Agree() | Disagree() | Amend():
                refusal = self._check_answer(word)
        refusal = refusal or (self._check_named(word.named) if isinstance(word, Propose | Amend) else None)
        return refusal or self._apply_statement(word)

    def _apply_statement(self, word: Word) -> Agreement:
        match word:
            case Propose(t, player, named):
                return replace(self, stage=Stage.PROPOSED, by=player, named=named, since=t)
            case Amend(named=named):
                return replace(self, stage=Stage.AMENDED, named=named)
            case Agree(t):
                return replace(self, stage=Stage.AGREED, stood=self.stood + t - self.since)
            case Disagree(t):
                return replace(self, stage=Stage.DISAGREED, named=NOTHING, stood=self.stood + t - self.since)

    def _check_proposal(self, word: Propose) -> Message | None:
        if self.stage is Stage.AGREED:
            return message("agree.done")
        if self.waits_for is not None:
            return message("agree.waits", player=self.waits_for)
        if self.stage is Stage.DISAGREED and not self.again:
            return message("agree.once", player=word.player)
        if word.player not in self.may_propose:
            return message("agree.not-now", player=word.player) + self._explain_when()
        return None

    def _explain_when(self) -> Message:
        if self.may_propose:
            return message("agree.whose-turn", player=self.may_propose[0])
        return message("agree.after-passes" if self.record.rules.delays is None else "agree.after-first-delay")

    def _check_answer(self, word: Agree | Disagree | Amend) -> Message | None:
        if self.waits_for is None:
            return message("agree.no-proposal", player=word.player)
        if word.player is not self.waits_for:
            return message("agree.other-answers", player=self.waits_for, other=word.player)
        if isinstance(word, Amend) and self.stage is Stage.AMENDED:
            return message("agree.amended", player=word.player)
        return None

    def _check_named(self, claim: DeadStoneClaim) -> Message | None:
        rules = self.record.rules
        if any(claim.one_sided) and not self.amendments:
            return message("agree.one-sided")
        try:
            if rules.delays is not None:
                regions.check_dead_stones(self.record.position, claim.dead)
            else:
                find_claimed_chains(self.record, claim)
        except BadCount as error:
            return error_message(error)
        return None


def is_after_first_delay(record: GameRecord) -> bool:
    """Return True if the newest turn is the first delay of the game, handicap apart."""
    before = record.before
    is_delay = isinstance(record.turn, Delay) and has_first_delay(record)
    return is_delay and before is not None and not has_first_delay(before)
