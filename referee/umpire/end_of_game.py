"""The end of a game by the players' statements: a proposed count that is agreed to, or a cycle that voids the game."""

from __future__ import annotations

from dataclasses import replace

from referee.game.actor import Actor, By, attributed_to_director
from referee.game.board import COLOURS, Colour, Position
from referee.game.count_result import Count, DeadStoneClaim, Layout, result_text
from referee.game.errors import BadCount, BadRecord
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Listing, Message, for_players, message, points, said_by
from referee.game.penalties import Penalty
from referee.game.record import GameRecord
from referee.game.ruling import Reply, Status
from referee.rules.ing import is_adjourned
from referee.rules.ko.repetition import end_as_void
from referee.score import methods
from referee.score.area import result_message
from referee.score.fill_in import Filled, progress_of_filling
from referee.score.neutral import seki_eyes
from referee.umpire.count_agreement import Agreement
from referee.umpire.events import Agree, AgreeVoid, Amend, BoxProposal, Disagree, Propose, Remark, Word
from referee.umpire.ledger import GameLedger
from referee.umpire.missing_prisoners import Prisoners, penalty_message
from referee.umpire.proposed_count import ProposedCount, proposed_count
from referee.umpire.snapshot import Counting, Stage
from referee.umpire.timing import Timing

MESSAGE_KEYS = tuple(f"method.{method}" for method in methods.METHODS)


class EndOfGame:
    """The end of one game. Its replies are collected until `take` returns them.

    amendments: the players have agreed on the amendments of the expedited count
    prisoners: the charges made at the count for missing prisoners
    """

    def __init__(self, book: GameLedger, timing: Timing, amendments: bool, prisoners: Prisoners) -> None:
        self._book, self._timing, self._amendments, self._prisoners = book, timing, amendments, prisoners
        self._fined_before = book.record.penalties
        self._agreement = Agreement.after(book.record, amendments)
        self._count: Count | None = None
        self._filled: Filled | None = None
        self._void: frozenset[Colour] = frozenset()
        self._proposal: BoxProposal | None = None
        self._given_up = False
        self._proposed: tuple[tuple[BoxProposal, tuple[Penalty, ...]], ProposedCount] | None = None
        self._drawn: tuple[tuple[Position, DeadStoneClaim], Layout] | None = None
        self._new: list[Reply] = []

    def take(self) -> tuple[Reply, ...]:
        """Return the replies since the last call."""
        new, self._new = tuple(self._new), []
        return new

    @property
    def waits_for(self) -> Colour | None:
        """Return the player who has to answer a proposal."""
        return self._agreement.waits_for

    @property
    def stands(self) -> bool:
        """Return True if the clock stops for it: a proposal is open, or passes have ended or adjourned play."""
        record = self._book.record
        talked = is_adjourned(record) and self._agreement.stage is not Stage.DISAGREED
        return self._agreement.clock_stands or talked or (record.ended and record.result is None)

    @property
    def counting(self) -> Counting:
        """Return the progress of the count."""
        now = self._agreement
        may = now.may_propose if now.waits_for is None and (now.again or now.stage is Stage.CLOSED) else ()
        may = () if self._book.record.result is not None else may
        void, proposal = tuple(sorted(self._void)), self._proposed_count
        return Counting(
            may, now.stage, now.waits_for, now.named, self._count, self._layout, void, proposal, self.wants_proposal
        )

    @property
    def wants_proposal(self) -> bool:
        """Return True if passes have ended play, and neither the box nor a player has named dead stones since."""
        record, untouched = self._book.record, self._agreement.stage is Stage.CLOSED and not self._given_up
        is_open = record.ended and record.result is None and methods.may_propose(record)
        return is_open and untouched and self._proposal is None

    @property
    def _proposed_count(self) -> ProposedCount | None:
        """Return the box's proposal, counted with the players' fines so far; computed once for each."""
        proposal, counted = self._proposal, self._count is not None
        if proposal is None or (self._book.record.result is not None and not counted):
            return None
        if counted and self._proposed is not None:
            return self._proposed[1]
        asked = proposal, self.penalties()
        if self._proposed is None or self._proposed[0] != asked:
            self._proposed = asked, proposed_count(self._book.record.fine(asked[1]), proposal)
        return self._proposed[1]

    def consider(self, proposal: BoxProposal) -> None:
        """Take the box's proposal of dead stones, if it is for the position that is to be counted."""
        if not self.wants_proposal or proposal.position != self._book.record.position:
            return
        territory = self._book.record.rules.scoring.value == "territory"
        if territory and seki_eyes(proposal.position.without(proposal.dead)):
            self._drop_proposal()  # Those are nobody's, which no press of SCORE can say.
            return
        self._proposal = proposal
        try:
            proposed = self._proposed_count
        except BadCount:
            proposed = None
        if proposed is None:
            self._drop_proposal()
        else:
            self._new.append(Reply(proposal.t, proposed.message, author=Actor.BOX))

    def _drop_proposal(self, is_given_up: bool = True) -> None:
        """Drop the box's proposal; if it is given up, the box makes no other before play goes on."""
        self._proposal, self._proposed, self._given_up = None, None, is_given_up

    @property
    def _layout(self) -> Layout | None:
        """Return the board with what is proposed or agreed to; computed once for each."""
        now = self._agreement
        if now.stage not in (Stage.PROPOSED, Stage.AMENDED, Stage.AGREED):
            return None
        if self._drawn is None or self._drawn[0] != (now.record.position, now.named):
            self._drawn = (now.record.position, now.named), methods.layout(now.record, now.named)
        return self._drawn[1]

    def follow(self) -> None:
        """Start again if the record has a new turn or result, unless the agreement itself made the result."""
        record, counted = self._book.record, self._agreement.stage is Stage.AGREED
        if record is not self._agreement.record and not (counted and record.result is not None):
            self._agreement, self._count = Agreement.after(record, self._amendments), None
            self._filled = None
            self._void = frozenset()
            self._drop_proposal(is_given_up=False)

    def count_alone(self, t: float) -> None:
        """Count at once a game of more than two players that passes have ended.

        Nothing is removed by agreement (Kee rules, part E), so there is nothing to agree on.
        """
        record = self._book.record
        if record.players == 2 or not record.ended or record.result is not None:
            return
        count = methods.count(record)
        self._count, self._book.record = count, record.decide(result_text(count.result))
        self._agreement = replace(Agreement.after(self._book.record), stage=Stage.AGREED)
        said = message("count.alone", method=message(f"method.{count.method}"))
        said = sum((step.message for step in count.steps), said)
        self._book.say(self._book.ruling(Status.LEGAL, said, turn=record.number))
        self._timing.report(result_text(count.result), Actor.BOX, t)

    @property
    def fills(self) -> bool:
        """Return True if the game was counted with stones, which the players may now fill in."""
        return self._count is not None and self._count.laid_out is not None

    @property
    def filling_progress(self) -> Message | None:
        """Return the progress of filling in the board, with its outcome."""
        return self._filled.message if self._filled is not None else None

    def watch(self, look: BoardLikelihoods, t: float) -> None:
        """Follow a look at a board that is being filled in; the outcome is announced once."""
        if self._count is None:
            return
        before, self._filled = self._filled, progress_of_filling(self._book.record.position, self._count, look)
        if self._filled is not None and self._filled.done and self._filled != before:
            self._new.append(Reply(t, self._filled.message))

    def refuse(self, t: float, said: Message, player: Colour | None = None, author: By = None) -> None:
        """Reply that something has no effect."""
        self._new.append(Reply(t, said, player, refused=True, author=author or player))

    def tell(self, t: float, said: Message, player: Colour) -> None:
        """Reply to something that takes effect later."""
        self._new.append(Reply(t, said, player, author=player))

    def remind(self, reminder: Reply) -> None:
        """Keep a reminder that players get by a lamp alone."""
        self._new.append(reminder)

    def remark(self, remark: Remark) -> None:
        """Pass on a remark about the director's act, or from the box."""
        self._new.append(Reply(remark.t, remark.message, author=remark.author))

    def _reply(self, word: Word, said: Message) -> None:
        self._new.append(Reply(word.t, _as_said(word, said), word.player, author=word.author or word.player))

    def _refuse(self, word: Word, said: Message) -> None:
        self.refuse(word.t, said, word.player, word.author)

    def handle(self, word: Word, waiting: bool = False) -> None:
        """Handle a statement.

        waiting: a press waits for a look, so nobody can propose
        """
        if isinstance(word, AgreeVoid):
            self._void_by(word)
        elif waiting and isinstance(word, Propose):
            self._refuse(word, message("count.press-waits"))
        else:
            self._answer(word)

    # Agreeing on a count

    def _answer(self, word: Propose | Amend | Agree | Disagree) -> None:
        answer = self._agreement.receive(word)
        if isinstance(word, Disagree) and self._refuses_box(word):
            self._drop_proposal()
            self._agreement = Agreement.after(self._book.record, self._amendments)
            self._reply(word, message("proposal.refused", player=word.player))
        elif answer.refusal is not None:
            self._refuse(word, answer.refusal)
        elif isinstance(word, Agree):
            self._settle(answer.agreement, word)
        else:
            self._agreement = answer.agreement
            self._keep_proposal(word)
            if isinstance(word, Disagree):
                self._disagree(word)
            else:
                self._reply(word, self._claim_message(word))

    def _refuses_box(self, word: Disagree) -> bool:
        """Return True if a player disagrees with the box's proposal, be it that the other has proposed the same."""
        now, record = self._agreement, self._book.record
        is_open = record.result is None and now.stage in (Stage.CLOSED, Stage.PROPOSED, Stage.AMENDED)
        return self._proposal is not None and is_open and now.waits_for in (None, word.player)

    def _keep_proposal(self, word: Propose | Amend | Disagree) -> None:
        """Give the box's proposal up if a player names the dead stones without its own, or play goes on."""
        proposal, record = self._proposal, self._book.record
        if proposal is None:
            return
        named = methods.named_chains(record, word.named)[0] if not isinstance(word, Disagree) else 0
        if isinstance(word, Disagree) or proposal.dead & ~named:
            self._drop_proposal()

    def _claim_message(self, word: Propose | Amend) -> Message:
        board, named = self._book.record.position.board, word.named
        parts = [message("count.dead", points=points(board, named.dead)) if named.dead else message("count.none-dead")]
        parts += [message("count.seki", points=points(board, named.seki))] if named.seki else []
        parts += [
            message("count.one-sided", points=points(board, dame), player=owner)
            for owner, dame in zip(COLOURS, named.one_sided, strict=False)
            if dame
        ]
        key = "count.proposed" if isinstance(word, Propose) else "count.amended"
        waits = self._agreement.waits_for or word.player
        return message(key, player=word.player, named=Listing(tuple(parts)), other=waits)

    def _settle(self, agreement: Agreement, word: Agree) -> None:
        """Count the game that both agree on, and write its result."""
        record, named = self._book.record.fine(self.penalties(word.t)), agreement.named
        agreed = methods.Agreed(named.dead, named.seki, named.one_sided, named.supplies)
        try:
            count = methods.count(record, agreed)
        except BadCount as error:
            self._refuse(word, said_by(error))
            return
        assert isinstance(count.result, str)
        self._agreement, self._count = agreement, count
        said = _count_agreed(record, count)
        if self._proposal is not None and self._proposal.dead and self._proposed is not None:
            said += self._proposed[1].agreed_message
        said += penalty_message(self._prisoners.penalties)
        self._decide(record.decide(count.result), said, word, Actor.BOX)

    def penalties(self, t: float | None = None) -> tuple[Penalty, ...]:
        """Return the players' fines by t, or so far; of a resumed game also the earlier ones."""
        return (*self._fined_before, *self._prisoners.penalties, *self._timing.penalties(t))

    def _disagree(self, word: Disagree) -> None:
        record = self._book.record
        if not record.ended:
            said = message("count.disagreed", player=word.player, to_play=record.to_play)
        elif record.rules.ending.resumes:
            self._book.record = record = record.going_on()
            said = message("count.resumed", player=word.player, to_play=record.to_play)
            self._book.say(self._book.ruling(Status.LEGAL, _as_said(word, said), turn=record.number))
            return
        else:
            said = message("count.disagreed-for-good", player=word.player)
        self._reply(word, said)

    def _decide(self, after: GameRecord, said: Message, word: Word, author: Actor) -> None:
        self._book.record = after
        self._book.say(self._book.ruling(Status.LEGAL, _as_said(word, said), turn=after.number))
        self._timing.report(after.result or "", author, word.t)

    # A game without a result

    def _void_by(self, word: AgreeVoid) -> None:
        record = self._book.record
        try:
            after = end_as_void(record)
        except BadRecord as error:
            self._refuse(word, said_by(error))
            return
        if word.player is not None:
            self._void |= {word.player}
        waits = Listing(tuple(player for player in record.playing if player not in self._void))
        if word.player is not None and waits.values:
            said = message("void.agreed-by-one", player=word.player, others=waits)
            self._reply(word, said)
        else:
            ruled = word.player is None
            said = message("void.ruled" if ruled else for_players("void.agreed", record.players))
            self._decide(after, said, word, Actor.DIRECTOR if ruled else Actor.BOX)


def _as_said(word: Word, said: Message) -> Message:
    return attributed_to_director(said) if word.author is Actor.DIRECTOR else said


def _count_agreed(record: GameRecord, count: Count) -> Message:
    """Return what was agreed to, and the count."""
    method = message(f"method.{count.method}")
    if count.dead:
        said = message(
            "count.agreed", points=points(record.position.board, count.dead), n=count.dead.bit_count(), method=method
        )
    else:
        said = message("count.agreed-none-dead", method=method)
    return sum(count.remarks, said + result_message(str(count.result)))
