"""How two players agree on dead stones: a machine without I/O. Events in, answers out, time passed in.

    closed --propose--> proposed --agree--> agreed
                            |---disagree--> disagreed: play goes on
                            '---amend-----> amended --agree--> agreed
                                                '---disagree-> disagreed

Under rules with delays (Analysis of Ultimate Go, section VIII) the player whose turn follows the first delay of the
game directly may propose; her clock stands from then until the answer. Once a turn: who has been refused plays on (our
reading). Under rules with passes either player may propose when the passes have ended play (or,
under Ing's rules, adjourned it), and again after a refusal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from referee.board import Colour, Mask, opponent_of
from referee.errors import BadCount
from referee.ing import adjourned
from referee.record import GameRecord
from referee.score import dead as dead_stones
from referee.score.procedure import first_delay_made
from referee.texts import name
from referee.turns import Delay


@dataclass(frozen=True)
class Propose:
    """A player proposes to score and names the dead stones. t: seconds."""

    player: Colour
    dead: Mask
    t: float


@dataclass(frozen=True)
class Agree:
    """A player agrees to the stones that were named last."""

    player: Colour
    t: float


@dataclass(frozen=True)
class Disagree:
    """A player wants to play on."""

    player: Colour
    t: float


@dataclass(frozen=True)
class Amend:
    """A player answers a proposal with another set of dead stones."""

    player: Colour
    dead: Mask
    t: float


Word = Propose | Agree | Disagree | Amend


class Stage(StrEnum):
    """How far the players have come."""

    CLOSED = "closed"
    PROPOSED = "proposed"
    AMENDED = "amended"
    AGREED = "agreed"
    DISAGREED = "disagreed"


@dataclass(frozen=True)
class Answer:
    """What became of a word. refusal: a sentence why it does not count, None where it does."""

    agreement: Agreement
    refusal: str | None = None


@dataclass(frozen=True)
class Agreement:
    """Where the players stand after the newest turn of a game; make one with `after` for every turn.

    may_propose: who may begin. again: whether they may after a refusal. by: who proposed. dead: the stones named last.
    since: when it was proposed. stood: how many seconds the proposer's clock stood in all that is over.
    """

    record: GameRecord
    may_propose: tuple[Colour, ...] = ()
    again: bool = False
    stage: Stage = Stage.CLOSED
    by: Colour | None = None
    dead: Mask = 0
    since: float = 0.0
    stood: float = 0.0

    @classmethod
    def after(cls, record: GameRecord, before_first_delay: bool = False) -> Agreement:
        """Where the players stand when the record's newest turn has been made, or at the start.

        before_first_delay: the players have agreed that counting may also begin before the first delay (an amendment of
        section VIII); the player to move may then propose as long as there was none.
        """
        if record.players != 2 or record.result is not None:
            return cls(record)
        if record.rules.delays is None:
            open_to_both = record.ended or adjourned(record)
            return cls(record, (Colour.BLACK, Colour.WHITE) if open_to_both else (), again=True)
        early = before_first_delay and not first_delay_made(record)
        return cls(record, (record.to_play,) if early or follows_first_delay(record) else ())

    @property
    def waits_for(self) -> Colour | None:
        """Who has to answer, None where nobody has."""
        if self.by is None:
            return None
        return {Stage.PROPOSED: opponent_of(self.by), Stage.AMENDED: self.by}.get(self.stage)

    @property
    def clock_stands(self) -> bool:
        """Whether the clock of the player to move stands."""
        return self.waits_for is not None

    def receive(self, word: Word) -> Answer:
        """Take one word of a player; a refused one changes nothing."""
        match word:
            case Propose():
                refusal = self._why_no_proposal(word)
            case Agree() | Disagree() | Amend():
                refusal = self._why_no_answer(word)
        refusal = refusal or (self._why_not_dead(word.dead) if isinstance(word, Propose | Amend) else None)
        return Answer(self, refusal) if refusal else Answer(self._having_heard(word))

    def _having_heard(self, word: Word) -> Agreement:
        match word:
            case Propose(player, dead, t):
                return replace(self, stage=Stage.PROPOSED, by=player, dead=dead, since=t)
            case Amend(_, dead):
                return replace(self, stage=Stage.AMENDED, dead=dead)
            case Agree(_, t):
                return replace(self, stage=Stage.AGREED, stood=self.stood + t - self.since)
            case Disagree(_, t):
                return replace(self, stage=Stage.DISAGREED, dead=0, stood=self.stood + t - self.since)

    def _why_no_proposal(self, word: Propose) -> str | None:
        who = name(word.player)
        if self.stage is Stage.AGREED:
            return "Both have agreed on the dead stones already."
        if self.waits_for is not None:
            return f"A proposal waits for {name(self.waits_for)}'s answer."
        if self.stage is Stage.DISAGREED and not self.again:
            return f"{who} has proposed to score on this turn already: play on."
        if word.player not in self.may_propose:
            return f"{who} cannot propose to score now{self._when()}"
        return None

    def _when(self) -> str:
        if self.may_propose:
            return f": it is {name(self.may_propose[0])}'s turn."
        if self.record.rules.delays is not None:
            return ": that is done on the turn directly after the first delay of the game."
        return ": that is done when passes have ended play."

    def _why_no_answer(self, word: Agree | Disagree | Amend) -> str | None:
        who = name(word.player)
        if self.waits_for is None:
            return f"There is no proposal that {who} could answer."
        if word.player is not self.waits_for:
            return f"{name(self.waits_for)} has to answer, not {who}."
        if isinstance(word, Amend) and self.stage is Stage.AMENDED:
            return f"The dead stones have been amended once: {who} can agree or disagree."
        return None

    def _why_not_dead(self, dead: Mask) -> str | None:
        try:
            if self.record.rules.delays is not None:
                dead_stones.check(self.record.position, dead)
            else:
                dead_stones.whole_chains(self.record.position, dead)
        except BadCount as error:
            return str(error)
        return None


def follows_first_delay(record: GameRecord) -> bool:
    """Whether the newest turn is the first delay of the game, handicap apart."""
    before = record.before
    delayed = isinstance(record.turn, Delay) and first_delay_made(record)
    return delayed and before is not None and not first_delay_made(before)
