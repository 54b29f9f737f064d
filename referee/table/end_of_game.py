"""The end of a game by the players' statements: a proposed count that is agreed to, or a cycle that voids the game."""

from __future__ import annotations

from dataclasses import replace

from referee.game.actor import Actor, By, attribute_to_director
from referee.game.board import COLOURS, Colour, Position
from referee.game.count_result import Count, DeadStoneClaim, Layout, result_text
from referee.game.errors import BadCount, BadRecord
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Listing, Message, error_message, for_players, message, name_points
from referee.game.penalties import Penalty
from referee.game.record import GameRecord
from referee.game.ruling import Reply, Status
from referee.inference.missing_prisoners import Prisoners, penalty_message
from referee.rules.ing import is_adjourned
from referee.rules.ko.repetition import end_as_void
from referee.score import methods
from referee.score.area import result_message
from referee.score.fill_in import Filled, progress_of_filling
from referee.score.neutral import seki_eyes
from referee.table.count_agreement import Agreement
from referee.table.events import Agree, AgreeVoid, Amend, BoxProposal, Disagree, Propose, Word
from referee.table.ledger import GameLedger
from referee.table.proposed_count import ProposedCount, proposed_count
from referee.table.snapshot import Counting, Stage
from referee.table.timing import Timing

MESSAGE_KEYS = tuple(f"method.{method}" for method in methods.METHODS)


class EndOfGame:
    """The end of one game. Its replies are collected until `take_replies` returns them.

    amendments: the players have agreed on the amendments of the expedited count
    prisoners: the charges made at the count for missing prisoners
    """

    def __init__(self, ledger: GameLedger, timing: Timing, amendments: bool, prisoners: Prisoners) -> None:
        self._ledger, self._timing, self._amendments, self._prisoners = ledger, timing, amendments, prisoners
        self._earlier_penalties = ledger.record.penalties
        self._agreement = Agreement.after_newest_turn(ledger.record, amendments)
        self._count: Count | None = None
        self._filled: Filled | None = None
        self._players_for_void: frozenset[Colour] = frozenset()
        self._proposal: BoxProposal | None = None
        self._is_given_up = False
        self._cached_count: tuple[tuple[BoxProposal, tuple[Penalty, ...]], ProposedCount] | None = None
        self._cached_layout: tuple[tuple[Position, DeadStoneClaim], Layout] | None = None
        self._new_replies: list[Reply] = []

    def take_replies(self) -> tuple[Reply, ...]:
        """Return the replies since the last call."""
        new, self._new_replies = tuple(self._new_replies), []
        return new

    @property
    def waits_for(self) -> Colour | None:
        """Return the player who has to answer a proposal."""
        return self._agreement.waits_for

    @property
    def needs_stopped_clock(self) -> bool:
        """Return True if the clock stops for it: a proposal is open, or passes have ended or adjourned play."""
        record = self._ledger.record
        is_discussed = is_adjourned(record) and self._agreement.stage is not Stage.DISAGREED
        return self.waits_for is not None or is_discussed or (record.ended and record.result is None)

    @property
    def counting(self) -> Counting:
        """Return the progress of the count."""
        agreement, has_result = self._agreement, self._ledger.record.result is not None
        is_open = agreement.waits_for is None and (agreement.again or agreement.stage is Stage.CLOSED)
        return Counting(
            may_propose=agreement.may_propose if is_open and not has_result else (),
            stage=agreement.stage,
            waits_for=agreement.waits_for,
            named=agreement.named,
            count=self._count,
            layout=self._layout,
            void=tuple(sorted(self._players_for_void)),
            proposal=self.box_proposal,
            wants_proposal=self.needs_proposal,
        )

    @property
    def needs_proposal(self) -> bool:
        """Return True if passes have ended play, and neither the box nor a player has named dead stones since."""
        record, untouched = self._ledger.record, self._agreement.stage is Stage.CLOSED and not self._is_given_up
        is_open = record.ended and record.result is None and methods.may_propose(record)
        return is_open and untouched and self._proposal is None

    @property
    def box_proposal(self) -> ProposedCount | None:
        """Return the box's proposal, counted with the players' fines so far; computed once for each."""
        proposal, is_counted = self._proposal, self._count is not None
        if proposal is None or (self._ledger.record.result is not None and not is_counted):
            return None
        if is_counted and self._cached_count is not None:
            return self._cached_count[1]
        key = proposal, self.list_penalties()
        if self._cached_count is None or self._cached_count[0] != key:
            self._cached_count = key, proposed_count(self._ledger.record.with_penalties(key[1]), proposal)
        return self._cached_count[1]

    def consider_proposal(self, proposal: BoxProposal) -> None:
        """Take the box's proposal of dead stones for the position that is to be counted."""
        territory = self._ledger.record.rules.scoring.value == "territory"
        if territory and seki_eyes(proposal.position.without_stones(proposal.dead)):
            self._drop_proposal()  # Those are nobody's, which no press of SCORE can say.
            return
        self._proposal = proposal
        try:
            count = self.box_proposal
        except BadCount:
            count = None
        if count is None:
            self._drop_proposal()
        else:
            self.add_reply(Reply(proposal.t, count.message, author=Actor.BOX))

    def _drop_proposal(self, is_given_up: bool = True) -> None:
        """Drop the box's proposal; if it is given up, the box makes no other before play goes on."""
        self._proposal, self._cached_count, self._is_given_up = None, None, is_given_up

    @property
    def _layout(self) -> Layout | None:
        """Return the board with what is proposed or agreed to; computed once for each."""
        agreement = self._agreement
        if agreement.stage not in (Stage.PROPOSED, Stage.AMENDED, Stage.AGREED):
            return None
        key = agreement.record.position, agreement.named
        if self._cached_layout is None or self._cached_layout[0] != key:
            self._cached_layout = key, methods.find_layout(agreement.record, agreement.named)
        return self._cached_layout[1]

    def follow_record(self) -> None:
        """Start again if the record has a new turn or result, unless the agreement itself made the result."""
        record, is_counted = self._ledger.record, self._agreement.stage is Stage.AGREED
        if record is not self._agreement.record and not (is_counted and record.result is not None):
            self._agreement, self._count = Agreement.after_newest_turn(record, self._amendments), None
            self._filled = None
            self._players_for_void = frozenset()
            self._drop_proposal(is_given_up=False)

    def count_alone(self, t: float) -> None:
        """Count at once a game of more than two players that passes have ended.

        Nothing is removed by agreement (Kee rules, part E), so there is nothing to agree on.
        """
        record = self._ledger.record
        if record.players == 2 or not record.ended or record.result is not None:
            return
        count = methods.count(record)
        self._count, self._ledger.record = count, record.with_result(result_text(count.result))
        self._agreement = replace(Agreement.after_newest_turn(self._ledger.record), stage=Stage.AGREED)
        text = message("count.alone", method=message(f"method.{count.method}"))
        text = sum((step.message for step in count.steps), text)
        self._ledger.issue_ruling(self._ledger.make_ruling(Status.LEGAL, text, turn=record.number))
        self._timing.report_result(result_text(count.result), Actor.BOX, t)

    @property
    def can_be_filled_in(self) -> bool:
        """Return True if the game was counted with stones, which the players may now fill in."""
        return self._count is not None and self._count.laid_out is not None

    @property
    def filling_progress(self) -> Message | None:
        """Return the progress of filling in the board, with its outcome."""
        return self._filled.message if self._filled is not None else None

    def watch_filling(self, look: BoardLikelihoods, t: float) -> None:
        """Follow a look at a board that is being filled in; the outcome is announced once."""
        if self._count is None:
            return
        before, self._filled = self._filled, progress_of_filling(self._ledger.record.position, self._count, look)
        if self._filled is not None and self._filled.done and self._filled != before:
            self.add_reply(Reply(t, self._filled.message))

    def refuse_act(self, t: float, text: Message, player: Colour | None = None, author: By = None) -> None:
        """Reply that something has no effect."""
        self.add_reply(Reply(t, text, player, refused=True, author=author or player))

    def add_reply(self, reply: Reply) -> None:
        """Add a reply that another part has made: a remark, a reminder, or the answer to what takes effect later."""
        self._new_replies.append(reply)

    def _answer_word(self, word: Word, text: Message) -> None:
        self.add_reply(Reply(word.t, _attribute_text(word, text), word.player, author=word.author or word.player))

    def _refuse_statement(self, word: Word, text: Message) -> None:
        self.refuse_act(word.t, text, word.player, word.author)

    def handle_statement(self, word: Word, is_press_waiting: bool = False) -> None:
        """Handle a statement.

        is_press_waiting: a press waits for a look, so nobody can propose
        """
        if isinstance(word, AgreeVoid):
            self._handle_void(word)
        elif is_press_waiting and isinstance(word, Propose):
            self._refuse_statement(word, message("count.press-waits"))
        else:
            self._answer_statement(word)

    # Agreeing on a count

    def _answer_statement(self, word: Propose | Amend | Agree | Disagree) -> None:
        after = self._agreement.receive_statement(word)
        if isinstance(word, Disagree) and self._is_refusal_of_box(word):
            self._drop_proposal()
            self._agreement = Agreement.after_newest_turn(self._ledger.record, self._amendments)
            self._answer_word(word, message("proposal.refused", player=word.player))
        elif isinstance(after, Message):
            self._refuse_statement(word, after)
        elif isinstance(word, Agree):
            self._settle_count(after, word)
        else:
            self._agreement = after
            self._keep_proposal(word)
            if isinstance(word, Disagree):
                self._handle_disagreement(word)
            else:
                self._answer_word(word, self._claim_message(word))

    def _is_refusal_of_box(self, word: Disagree) -> bool:
        """Return True if a player disagrees with the box's proposal, be it that the other has proposed the same."""
        agreement, record = self._agreement, self._ledger.record
        is_open = record.result is None and agreement.stage in (Stage.CLOSED, Stage.PROPOSED, Stage.AMENDED)
        return self._proposal is not None and is_open and agreement.waits_for in (None, word.player)

    def _keep_proposal(self, word: Propose | Amend | Disagree) -> None:
        """Give the box's proposal up if a player names the dead stones without its own, or play goes on."""
        proposal, record = self._proposal, self._ledger.record
        if proposal is None:
            return
        named_stones = methods.find_claimed_chains(record, word.named)[0] if not isinstance(word, Disagree) else 0
        if isinstance(word, Disagree) or proposal.dead & ~named_stones:
            self._drop_proposal()

    def _claim_message(self, word: Propose | Amend) -> Message:
        board, claim = self._ledger.record.position.board, word.named
        parts = [
            message("count.dead", points=name_points(board, claim.dead)) if claim.dead else message("count.none-dead")
        ]
        parts += [message("count.seki", points=name_points(board, claim.seki))] if claim.seki else []
        parts += [
            message("count.one-sided", points=name_points(board, dame), player=owner)
            for owner, dame in zip(COLOURS, claim.one_sided, strict=False)
            if dame
        ]
        key = "count.proposed" if isinstance(word, Propose) else "count.amended"
        waits = self._agreement.waits_for or word.player
        return message(key, player=word.player, named=Listing(tuple(parts)), other=waits)

    def _settle_count(self, agreement: Agreement, word: Agree) -> None:
        """Count the game that both agree on, and write its result."""
        record, claim = self._ledger.record.with_penalties(self.list_penalties(word.t)), agreement.named
        agreed = methods.Agreed(claim.dead, claim.seki, claim.one_sided, claim.supplies)
        try:
            count = methods.count(record, agreed)
        except BadCount as error:
            self._refuse_statement(word, error_message(error))
            return
        assert isinstance(count.result, str)
        self._agreement, self._count = agreement, count
        text = _build_count_message(record, count)
        if self._proposal is not None and self._proposal.dead and self._cached_count is not None:
            text += self._cached_count[1].agreed_message
        text += penalty_message(self._prisoners.penalties)
        self._write_result(record.with_result(count.result), text, word, Actor.BOX)

    def list_penalties(self, t: float | None = None) -> tuple[Penalty, ...]:
        """Return the players' fines by t, or so far; of a resumed game also the earlier ones."""
        return (*self._earlier_penalties, *self._prisoners.penalties, *self._timing.list_penalties(t))

    def _handle_disagreement(self, word: Disagree) -> None:
        record = self._ledger.record
        if not record.ended:
            text = message("count.disagreed", player=word.player, to_play=record.to_play)
        elif record.rules.ending.can_resume_play:
            self._ledger.record = record = record.going_on()
            text = message("count.resumed", player=word.player, to_play=record.to_play)
            self._ledger.issue_ruling(
                self._ledger.make_ruling(Status.LEGAL, _attribute_text(word, text), turn=record.number)
            )
            return
        else:
            text = message("count.disagreed-for-good", player=word.player)
        self._answer_word(word, text)

    def _write_result(self, after: GameRecord, text: Message, word: Word, author: Actor) -> None:
        self._ledger.record = after
        self._ledger.issue_ruling(
            self._ledger.make_ruling(Status.LEGAL, _attribute_text(word, text), turn=after.number)
        )
        self._timing.report_result(after.result or "", author, word.t)

    # A game without a result

    def _handle_void(self, word: AgreeVoid) -> None:
        record = self._ledger.record
        try:
            after = end_as_void(record)
        except BadRecord as error:
            self._refuse_statement(word, error_message(error))
            return
        if word.player is not None:
            self._players_for_void |= {word.player}
        waits = Listing(tuple(player for player in record.remaining_players if player not in self._players_for_void))
        if word.player is not None and waits.values:
            text = message("void.agreed-by-one", player=word.player, others=waits)
            self._answer_word(word, text)
        else:
            is_ruled = word.player is None
            text = message("void.ruled" if is_ruled else for_players("void.agreed", record.players))
            self._write_result(after, text, word, Actor.DIRECTOR if is_ruled else Actor.BOX)


def _attribute_text(word: Word, text: Message) -> Message:
    return attribute_to_director(text) if word.author is Actor.DIRECTOR else text


def _build_count_message(record: GameRecord, count: Count) -> Message:
    """Return what was agreed to, and the count."""
    method = message(f"method.{count.method}")
    if count.dead:
        text = message(
            "count.agreed",
            points=name_points(record.position.board, count.dead),
            n=count.dead.bit_count(),
            method=method,
        )
    else:
        text = message("count.agreed-none-dead", method=method)
    return sum(count.remarks, text + result_message(str(count.result)))
