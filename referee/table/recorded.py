"""A recorded game: followed without `done` presses, where a steady look explained by legal turns ends them.

Nobody says here when a turn is over, so each look asks one question: which legal turns lead from the record to what
lies there? These rules hold:

- The board decides. A stone that stays is a turn, and one look may show several. Of two readings that fit, the one with
  fewer turns wins only by a margin; if two are about as likely, nothing is written and the players are told.
- A change in the lids alone ends no turn, because people fiddle with lids: a delay waits in `pending` until the
  opponent's next act, or their press, confirms it.
- What has been written stays, except where a later look proves that it was misread: then the newest turn is taken
  back (`_correct_newest`), or turns that were only inferred from unsure lids are (`_reconsider_inferred`). Nothing else
  is rewritten.

A look is tried against the readings in `_follow_turns`, the strictest first, and the first that fits ends it: prisoners
that were owed and are there now; turns that may include a delay which no lid shows; turns that fit board and lids;
turns that waited, which are written now so that the look is tried after them; turns that fit the board alone, the lids
then being reported; a delay that waited and that the opponent has answered; another player who began; a game that was
under way already; an illegal stone that nobody took back; a turn misread before. If none fits, the look is unexplained,
and the record stands as it was.

Two kinds of turns leave no trace on the board, and both make the recorder wait. A delay changes a lid only: where lids
cannot be counted, every way in which play may have gone on is kept (`ways`, referee/inference/hypotheses.py) and each
look drops those that do not lead to it. A stone that is captured between two looks was never seen: if the rest of the
look could hide one, the turns wait in `unseen` for the next look. When a player presses, or at the end of the film,
turns in `unseen` are written as uncertain rather than lost. At the end so are `ways`, if all have the same outcome,
while a delay that nobody has answered is only reported.

A look that stays unexplained begins a gap if it is steady: the record then goes on from what lies there
(`referee/table/gaps.py`), by turns if they are few and each left its stone, else from stones that are set up. The
looks since the gap's end are ruled on again, each under its own time.

What is implicit: `looked` and `begun_from_look` tell a game watched from its first stone from one joined in the middle,
of which whose turn it is may be a guess until the first stone falls. The order of the readings in `_follow_turns` is
the algorithm; two of them exchanged still pass most games, and fail in the rare one.

What is known between two looks is one frozen `RecordedState`, replaced and never rewritten; the record itself is in the
`GameLedger`, and the gaps have a watch of their own. Nothing waits in `without_waiting`.

What is ugly: the methods replace the state wherever they notice something, in the course of one look, and some of its
fields (`look_agrees`, `is_lost`) say only how that look went.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from referee.game.board import Colour, Position, opponent_of
from referee.game.likelihoods import NONE_LEFT, BoardLikelihoods
from referee.game.observation import LidSight
from referee.game.record import GameRecord, Situation
from referee.game.ruling import Prohibition, Reason, Status
from referee.game.turns import Delay, Placement, SetUp, Turn
from referee.inference.hypotheses import (
    BOTH,
    LookContext,
    PendingMoves,
    advance_hypotheses,
    are_counted,
    delays_of,
    find_players_to_count,
    have_rival_stones,
    have_same_outcome,
    is_bypassing_look,
    is_passing_by,
    may_hide_turns,
    resulting_record,
    terminal_hypotheses,
)
from referee.inference.lids import CELLS, Fault, Lids, find_fault_after_placement, find_fault_without_placement
from referee.inference.posterior import InferredTurns, infer_history, likely_ways, may_hide_delays
from referee.inference.search import (
    MOST_ADDED,
    MOST_TRIED,
    MOST_TURNS,
    SPARE_TURNS,
    Consensus,
    Explanation,
    Search,
    explain_closed,
    find_consensus,
)
from referee.rules import ruling_messages
from referee.rules.agreements import judge_settlement
from referee.rules.legality import judge
from referee.table.gaps import GapWatch, Resumption, SeenLook
from referee.table.handicap import HandicapStones
from referee.table.ledger import GameLedger, captured_count, hidden_captures, without_last

HANDICAP_SEEN = 3
"""The number of black stones, with no white one and hardly a turn made, that count as handicap being set up."""
DEEP_TURNS, DEEP_TRIED = 8, 10_000
"""The maximum numbers of turns followed and sequences tried between two looks, if there is time."""
MOST_ANEW = 16
"""The maximum number of hypotheses that are followed anew if no earlier one leads to a look."""
MOST_UNWEIGHED = 8
"""The maximum number of looks in a row with lids that say nothing, after which nothing is inferred from a later one."""
PLAYED_ON = 3
"""The number of turns that must explain a stone never seen, placed and captured between two looks."""


@dataclass(frozen=True)
class RecordedState:
    """The state of a recorded game between two looks, apart from its record.

    looked: a look has been ruled on
    begun_from_look: the game was joined in its middle
    pending: the record with a delay that the opponent's next act has to confirm
    claims: presses that came out of turn, until a look shows what was played before them
    look_agrees: the newest look shows the table as the record has it
    ways: hypotheses of what was played since the record, while lids cannot be counted; none if nothing waits for a lid
    all_ways: every way to the newest look that lids of any likeliness leave; None if there are too many
    unweighed_looks: looks since the beginning of these ways whose lids said nothing
    inferred_turns: the turns that were inferred last
    unseen: turns that wait because a look may hide a stone beside them
    unexplained_position: the board in the newest look that no turns explained, until one agrees with the record
    ignores_lids: they were counted and wrong at the start, so that only the board is judged
    refused_turn: the illegal turn that lies there
    seen_delay: the delay that the newest look showed
    lids_show_delay: the newest lids hold what a delay would leave, though it is not proved
    is_lost: no turns explain the newest look
    unexplained_look: the newest look that nothing has settled, and the record that it was compared with
    unsure_positions: the turns after which the record's position may never have stood, because their order is uncertain
    """

    looked: bool = False
    begun_from_look: bool = False
    pending: GameRecord | None = None
    claims: tuple[Turn, ...] = ()
    look_agrees: bool = False
    ways: tuple[Explanation, ...] = ()
    all_ways: tuple[Explanation, ...] | None = None
    unweighed_looks: tuple[LookContext, ...] = ()
    inferred_turns: InferredTurns | None = None
    unseen: PendingMoves | None = None
    unexplained_position: Position | None = None
    ignores_lids: bool = False
    refused_turn: Turn | None = None
    seen_delay: Turn | None = None
    lids_show_delay: bool = False
    is_lost: bool = False
    unexplained_look: tuple[GameRecord, SeenLook] | None = None
    unsure_positions: frozenset[int] = frozenset()

    def without_waiting(self) -> RecordedState:
        """Return the state in which nothing that was seen or claimed waits any more."""
        return replace(
            self,
            pending=None,
            claims=(),
            ways=(),
            inferred_turns=None,
            unseen=None,
            refused_turn=None,
            seen_delay=None,
            unexplained_look=None,
        )


class RecordedGame:
    """The recorder of one game.

    deep: the game is not live, so there is time for a deep search
    """

    def __init__(self, ledger: GameLedger, to_play_said: bool = False, deep: bool = False) -> None:
        self._ledger, self._handicap = ledger, HandicapStones(ledger)
        self._reach = (DEEP_TURNS, DEEP_TRIED) if deep else (MOST_TURNS, MOST_TRIED)
        self._to_play_said = to_play_said
        self._state = RecordedState()
        self.gaps = GapWatch()

    def forget_pending(self) -> None:
        """Drop everything seen or claimed that still waits, because the director has decided the turns."""
        self._state = self._state.without_waiting()
        self.gaps.drop_candidate()

    # Looks

    def judge_look(self, seen_look: SeenLook) -> None:
        """Rule on one steady look at the table."""
        settled, record = self._state.unexplained_look, self._ledger.record
        if settled is None or settled[0] is not record or not settled[1].is_same(seen_look):
            self._state = replace(self._state, is_lost=False)
            self._rule_on(seen_look.look, seen_look.sights)
            is_settled = self._state.is_lost and self._ledger.record is record and not self._state.ways
            self._state = replace(self._state, unexplained_look=(record, seen_look) if is_settled else None)
        self._mind_gaps(seen_look)

    def _rule_on(self, look: BoardLikelihoods, sights: tuple[LidSight, ...]) -> None:
        number = self._ledger.record.number
        pending = self._state.pending
        self._state = replace(self._state, pending=None)
        if look.is_too_doubtful:
            if look.find_misfits(self._ledger.record.position):
                self._ledger.report_unclear(look)
            return
        if fault := self._handicap.lay_stones(look):
            self._ledger.issue_finding(fault)
            return
        if self._handicap.in_hand:
            return
        if (between := self._ledger.find_between(look)) is not None:
            self._state = replace(self._state, pending=pending)
            self._ledger.issue_finding(between)
            return
        ends = [resulting_record(way, self._ledger.record).bowls for way in self._state.ways]
        lids = self._ledger.lids_of(sights, ends)
        # Lids that are counted and wrong were reported at the start: only the board is judged.
        are_wrong = not self._ledger.lids.believed and len(sights) == 2 and all(sight.sure for sight in sights)
        self._state = replace(self._state, look_agrees=False, ignores_lids=are_wrong)
        believed_lids = lids if self._ledger.lids.believed else None
        self._reconsider_inferred(look, believed_lids)
        self._follow_turns(look, sights, believed_lids, pending)
        if self._state.look_agrees and not self._report_missing_at_start(sights, lids):
            self._ledger.nothing_wrong()
            if not self._state.looked:
                self._ledger.announce_start()
        if self._state.pending is not None or self._state.look_agrees or self._ledger.record.number != number:
            seen_delay = self._state.pending.turn if self._state.pending is not None else None
            self._state = replace(self._state, seen_delay=seen_delay, unexplained_position=None)
        lids_show_delay = believed_lids is not None and self._is_delay_shown(believed_lids)
        self._state = replace(self._state, lids_show_delay=lids_show_delay, looked=True)
        self._judge_claims()

    def _is_delay_shown(self, lids: Lids) -> bool:
        """Return True if the lids hold less than they must, as after a delay, though a delay is not proved."""
        record = self._ledger.record
        after_delay = judge(record, Delay(record.to_play)).after
        return after_delay is not None and not lids.may_hold(record.bowls) and lids.may_hold(after_delay.bowls)

    def _report_missing_at_start(self, sights: tuple[LidSight, ...], lids: Lids | None) -> bool:
        """Report lids that are wrong at the start; if play goes on, it is judged by the board alone."""
        ledger = self._ledger
        missing = ledger.start_missing(sights, lids)
        if missing is not None:
            ledger.issue_finding(missing)
        return missing is not None

    def _follow_turns(
        self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None, pending: GameRecord | None = None
    ) -> None:
        record = self._ledger.record
        if (
            lids is not None
            and lids.owed
            and (consensus := self._explain_look(record, look, lids.without_differences(), lids.owing_players()))
        ):
            self._ledger.lids_right()
            self._accept_consensus(self._mark_unproved(consensus, look, lids), look)
        elif self._wait_for_lids(look, sights, lids):
            return
        elif consensus := self._explain_look(record, look, lids):
            if not self._may_hide_turns(consensus, look, lids):
                self._accept_consensus(self._mark_unproved(consensus, look, lids), look)
        elif self._state.unseen is not None:
            self._write_unseen()
            self._follow_turns(look, sights, lids, pending)
        elif lids is not None and (consensus := self._explain_look(record, look, None)):
            self._mind_the_lids(consensus, look, lids)
        elif lids is not None and pending is not None and self._confirm_delay(pending, look, lids):
            return
        elif self._swap_first_player(look, lids):
            self._follow_turns(look, sights, lids)
        elif self._may_begin(look):
            self._begin_midgame(look, sights)
        elif not self._let_stand(look, lids) and not self._correct_newest(look, lids):
            self._report_unexplained(look)

    def _explain_look(
        self, record: GameRecord, look: BoardLikelihoods, lids: Lids | None, owing: frozenset[Colour] = frozenset()
    ) -> Consensus | None:
        """Return the legal turns that explain the look.

        lids: None to ignore them
        owing: players whose prisoners were missing, which must not be read as a delay
        """
        search = self._build_search(record, look, lids, owing)
        consensus = find_consensus(self._filter_by_earlier_looks(search.list_explanations()))
        if consensus is None or (consensus.rivals > 1 and not consensus.explanation.turns):
            wider_search = replace(search, vanished=True, delays=frozenset())
            wider = find_consensus(self._filter_by_earlier_looks(wider_search.list_explanations()))
            consensus = wider if wider and len(wider.explanation.records) >= PLAYED_ON else consensus
        return consensus

    def _build_search(
        self, record: GameRecord, look: BoardLikelihoods, lids: Lids | None, owing: frozenset[Colour] = frozenset()
    ) -> Search:
        most, patience = self._reach
        added = MOST_ADDED if self._state.looked else 0
        search = Search(look, record, self._ledger.left, most, most_added=added, patience=patience)
        if lids is None:
            return search
        return replace(search, fits=lids.may_hold_record, delays=lids.find_provable_delays(record.bowls) - owing)

    def _may_hide_turns(self, consensus: Consensus, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True if a look with several turns may also hide a stone placed and captured since the last one.

        The turns then wait for the next looks, which mostly decide. If they do not, the turns are written as uncertain.
        """
        may_be_more = (
            self._state.looked and self._ledger.defers_doubtful_turns and self._may_be_more(consensus, look, lids)
        )
        if not may_be_more and (may_be_more is not None or self._state.unseen is None):
            self._state = replace(self._state, unseen=None)
            unexplained_position = self._state.unexplained_position
            if unexplained_position is None or not is_passing_by(consensus.explanation, unexplained_position):
                return False
            self._accept_consensus(replace(consensus, orders=(True,) * len(consensus.explanation.records)), look)
            return True
        pending_moves = (self._state.unseen or PendingMoves()).extended_by(consensus, look)
        self._state = replace(
            self._state, unseen=None if pending_moves.is_too_long or may_be_more is None else pending_moves
        )
        if self._state.unseen is None:
            self._accept_consensus(pending_moves.found, look)
            return True
        points = look.find_misfits(self._ledger.record.position)
        text = ruling_messages.possibly_more_message(look.board, points)
        self._ledger.issue_finding(self._ledger.make_ruling(Status.UNFINISHED, text, points=points))
        return True

    def _may_be_more(self, consensus: Consensus, look: BoardLikelihoods, lids: Lids | None) -> bool | None:
        """Return True if other turns, one of them an unseen stone, explain the look as well as these.

        None if there are too many to try.
        """
        if not may_hide_turns(consensus, self._state.seen_delay, self._state.lids_show_delay):
            return False
        if self._state.unexplained_position is not None and is_bypassing_look(
            consensus.explanation, self._ledger.record, self._state.unexplained_position, look
        ):
            return True
        search = replace(self._build_search(self._ledger.record, look, lids), vanished=True, freely=True)
        search = replace(search, delays=BOTH) if lids is not None else search
        others = self._filter_by_earlier_looks(search.list_explanations())
        too_many = search.has_given_up or len(consensus.explanation.records) + SPARE_TURNS > self._reach[0]
        return have_rival_stones(consensus.explanation, others) or (None if too_many else False)

    def _filter_by_earlier_looks(self, explanations: list[Explanation]) -> list[Explanation]:
        """Return the explanations that agree with what earlier looks showed on the way: a delay seen came first."""
        after_delay = [one for one in explanations if one.turns[:1] == (self._state.seen_delay,)]
        if after_delay:
            explanations = [one for one in explanations if one in after_delay or not one.turns]
        unseen = self._state.unseen
        if unseen is not None and any(map(unseen.is_on, explanations)):
            explanations = [one for one in explanations if unseen.is_on(one) or not one.turns]
        return explanations

    def _accept_consensus(self, consensus: Consensus, look: BoardLikelihoods) -> None:
        best = consensus.explanation
        if best.records and isinstance(best.turns[-1], Delay) and best.refused is None:
            self._state = replace(self._state, pending=best.records[-1])
            consensus = without_last(consensus)
        self._ledger.accept_consensus(self._mark_exchangeable(consensus))
        self._ledger.note_hidden_captures(hidden_captures(consensus, look))
        best = consensus.explanation
        self._state = replace(self._state, refused_turn=best.turns[-1] if best.refused is not None else None)
        if best.refused is not None:
            self._ledger.refuse_turn(best.turns[-1], best.refused)
        elif consensus.rivals > 1 and look.is_inconsistent_with(self._ledger.record.position, consensus.open):
            self._ledger.ask_for_view(look, consensus.open)
        elif not best.records and best.left == NONE_LEFT:
            self._state = replace(self._state, look_agrees=True)

    def _mark_exchangeable(self, consensus: Consensus) -> Consensus:
        """Return the consensus with turns as uncertain that only a position which may never have stood keeps in order.

        If nobody saw when a ko was taken, nobody knows either how soon it could be taken back.
        """
        best, start = consensus.explanation, self._ledger.record
        earlier = frozenset(number for number in self._state.unsure_positions if number < start.number)
        turns, orders = best.turns[: len(best.records)], list(consensus.orders)
        if earlier and len(orders) == len(turns):
            for i, j in combinations(range(len(turns)), 2):
                exchanged = [*turns[:i], turns[j], *turns[i + 1 : j], turns[i], *turns[j + 1 :]]
                if turns[i].player is turns[j].player and _find_repeated(start, exchanged) in earlier:
                    orders[i] = orders[j] = True
        uncertain = [start.number + number for number, is_unsure in enumerate(orders, 1) if is_unsure]
        new = range(uncertain[0], uncertain[-1]) if uncertain else ()
        self._state = replace(self._state, unsure_positions=earlier.union(new))
        return replace(consensus, orders=tuple(orders))

    def _report_unexplained(self, look: BoardLikelihoods) -> None:
        self._state = replace(self._state, unexplained_position=look.likeliest, is_lost=True)
        changed = self._ledger.find_changes(look) or look.find_misfits(self._ledger.record.position)
        self._ledger.report_change(look, changed)

    # Gaps

    def _mind_gaps(self, seen_look: SeenLook) -> None:
        """Note if the look agrees with the record; go on from it if it cannot be explained and is steady."""
        ledger, look = self._ledger, seen_look.look
        if self._state.is_lost:
            resumption = self.gaps.note_doubt(ledger.record, seen_look)
            if resumption is not None:
                ledger.stamp_rulings(seen_look.t, seen_look.name)
                self._go_on(resumption)
        elif not look.is_too_doubtful and not ledger.find_changes(look):
            self.gaps.note_agreement(seen_look)

    def _go_on(self, resumption: Resumption) -> None:
        """Go on after a gap: write the turns of one short enough, or set up the stones; then rule on the looks since.

        Of turns that placed each stone that is there, the order alone is unknown.
        """
        first, *later = resumption.looks
        consensus = self._fill_gap(resumption)
        self.forget_pending()
        self._state = replace(self._state, refused_turn=None, unexplained_position=None)
        if consensus is not None:
            self._ledger.accept_consensus(consensus)
        else:
            self._ledger.set_up(self._build_set_up(resumption))
        self._ledger.stamp_rulings(first.t, first.name)
        self.gaps.note_agreement(first)
        for seen_look in later:
            self.judge_look(seen_look)
            self._ledger.stamp_rulings(seen_look.t, seen_look.name)

    def _fill_gap(self, resumption: Resumption) -> Consensus | None:
        """Return the turns of the gap if they are few, and each placed a stone that is there now."""
        record, first = self._ledger.record, resumption.looks[0]
        lids = self._ledger.lids_of(first.sights)
        count = sum(map(int.bit_count, first.look.likeliest.stones_not_in(record.position)))
        if not 0 < count <= MOST_ADDED or (record.rules.delays is not None and lids is None):
            return None
        fits = lids.may_hold_record if lids is not None and self._ledger.lids.believed else lambda _: True
        consensus = explain_closed(Search(first.look, record, fits=fits), count)
        end_record = consensus.explanation.records[-1] if consensus is not None else None
        return consensus if end_record is not None and resumption.to_play in (None, end_record.to_play) else None

    def _build_set_up(self, resumption: Resumption) -> SetUp:
        """Return the stones to set up, with the prisoners if the lids are counted; else the board alone is judged."""
        first, ledger = resumption.looks[0], self._ledger
        lids = ledger.lids_of(first.sights)
        bowls = lids.without_differences().exact_bowls() if lids is not None else None
        ledger.lids.believed = ledger.lids.believed and (bowls is not None or ledger.record.rules.delays is None)
        return SetUp(resumption.position.stones, resumption.to_play, bowls, resumption.since, first.when)

    # Lids that cannot be counted

    def _wait_for_lids(self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None) -> bool:
        """Return True if a turn in a lid alone may have been played and no lid decides it.

        Nothing is written then, and the players are told what to count. If the lids decide it now, the turns are
        written.
        """
        record = self._ledger.record
        if look.likeliest == record.position:
            self._state = replace(self._state, ways=())
        minds_lids = self._ledger.needs_lids and not self._state.ignores_lids
        if not minds_lids or not (self._state.ways or self._is_open(look, lids)):
            return False
        ways = self._advance_ways(look, lids)
        if ways is None and self._state.unseen is not None:
            self._write_unseen()
            self._follow_turns(look, sights, lids)
            return True
        return self._conclude_ways(ways, look, sights, lids)

    def _conclude_ways(
        self,
        ways: list[Explanation] | None,
        look: BoardLikelihoods,
        sights: tuple[LidSight, ...],
        lids: Lids | None,
    ) -> bool:
        """Return True if nothing else is to be made of the look, whose hypotheses these are: None if too many."""
        if ways is None or (ways and not self._is_decided(terminal_hypotheses(ways), lids)):
            if self._infer_history(look, lids):
                return True
            self._state = replace(self._state, ways=tuple(terminal_hypotheses(ways or self._state.ways)))
            self._ask_for_count(look, sights, lids)
            # So many new stones are no quick play before which a lid was not counted.
            changed = look.find_misfits(self._ledger.record.position).bit_count()
            self._state = replace(self._state, is_lost=ways is None and changed > MOST_ADDED)
            return True
        return self._decide_ways(ways, look, lids) if ways else self._leave_ways(look, sights, lids)

    def _is_open(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True if the turns may include a delay that no lid proves."""
        record = self._ledger.record
        if not look.find_misfits(record.position):
            return False
        consensus = self._explain_look(record, look, lids)
        if consensus is None and not self._state.looked:
            return False
        if consensus is not None and self._are_counted(lids) and not _may_delay_be_earlier(consensus):
            return False
        ways = self._advance_ways(look, lids)
        return ways is None or any(delays_of(way) for way in terminal_hypotheses(ways))

    def _are_counted(self, lids: Lids | None) -> bool:
        """Return True if a delay by either player would be proved."""
        return lids is not None and lids.find_provable_delays(self._ledger.record.bowls) == BOTH

    def _advance_ways(self, look: BoardLikelihoods, lids: Lids | None) -> list[Explanation] | None:
        record = self._ledger.record
        ways = self._state.ways or [Explanation((), (), self._ledger.left, 0.0)]
        context = LookContext(look, lids, record, self._reach)
        advanced_ways = advance_hypotheses(ways, record, context)
        return self._filter_by_earlier_looks(advanced_ways) if advanced_ways is not None else None

    def _mark_unproved(self, consensus: Consensus, look: BoardLikelihoods, lids: Lids | None) -> Consensus:
        """Return the turns, as unproved if both players may have delayed before them unseen."""
        if not self._ledger.needs_lids or self._are_counted(lids) or not consensus.explanation.records:
            return consensus
        context = LookContext(look, lids, self._ledger.record)
        return replace(consensus, unproved=may_hide_delays(consensus.explanation, self._ledger.record, context))

    def _is_decided(self, ways: list[Explanation], lids: Lids | None) -> bool:
        record = self._ledger.record
        return have_same_outcome(ways) and all(are_counted(way, record, lids, self._state.seen_delay) for way in ways)

    def _decide_ways(self, ways: list[Explanation], look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Write the single hypothesis that is left, in whatever order."""
        fitting = [
            way for way in ways if lids is None or lids.may_hold_record(resulting_record(way, self._ledger.record))
        ]
        consensus = find_consensus(sorted(fitting or terminal_hypotheses(ways), key=lambda way: -way.score))
        assert consensus is not None
        if self._may_hide_turns(consensus, look, lids):
            self._state = replace(self._state, ways=tuple(ways) if self._state.unseen is not None else ())
            return True
        self._state = replace(self._state, ways=())
        if (
            lids is not None
            and consensus.explanation.records
            and not lids.may_hold(consensus.explanation.records[-1].bowls)
        ):
            self._judge_lids_after(consensus, look, lids)
        else:
            self._accept_consensus(consensus, look)
        return True

    def _leave_ways(self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None) -> bool:
        """Drop or settle hypotheses when none of them leads to this look.

        Either the lids, or stones taken back, exclude all of them; or the lids identify one, and the rest of the look
        is judged after it.
        """
        record, ways = self._ledger.record, self._state.ways
        context = LookContext(look, lids, record)
        held_ways = [way for way in ways if way.records and context.may_hold(resulting_record(way, record))]
        if not held_ways and advance_hypotheses(ways, record, replace(context, lids=None)):
            self._state = replace(self._state, ways=())
            return False
        if not held_ways or not self._is_decided(held_ways, lids):
            if new_ways := self._advance_anew(look, lids):
                return self._conclude_ways(new_ways, look, sights, lids)
            self._ask_for_count(look, sights, lids)
            return True
        self._decide_ways(held_ways, look, lids)
        self._write_unseen()  # If those turns wait for the next look, this is it, and does not show them.
        self._follow_turns(look, sights, lids)
        return True

    def _advance_anew(self, look: BoardLikelihoods, lids: Lids | None) -> list[Explanation] | None:
        """Return the hypotheses that lead from the record to this look, and drop those so far; None if there are none.

        One of the looks between may have shown a stone in the wrong colour.
        """
        ways = self._state.ways
        self._state = replace(self._state, ways=())
        advanced_ways = self._advance_ways(look, lids)
        if (
            advanced_ways
            and len(advanced_ways) <= MOST_ANEW
            and any(way.turns for way in terminal_hypotheses(advanced_ways))
        ):
            return advanced_ways
        self._state = replace(self._state, ways=ways)
        return None

    # Turns inferred from lids that are not sure

    def _infer_history(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True and write the one history that board, lids and rules leave likely enough, marked as inferred.

        If it is open, every way is kept for the next look.
        """
        record, context = self._ledger.record, LookContext(look, lids, self._ledger.record, self._reach, every=True)
        if not self._state.ways:
            self._state = replace(
                self._state, all_ways=(Explanation((), (), self._ledger.left, 0.0),), unweighed_looks=()
            )
        unsure = lids.unsure_owners if lids is not None else []
        if not unsure or lids is None or not lids.are_weighed():
            unweighed_looks = (*self._state.unweighed_looks, context)
            all_ways = self._state.all_ways if len(unweighed_looks) <= MOST_UNWEIGHED else None
            self._state = replace(self._state, unweighed_looks=unweighed_looks, all_ways=all_ways)
            return False
        history = infer_history(self._filter_by_earlier_looks(self._advance_every(context)), record, context)
        consensus = find_consensus(sorted(history, key=lambda way: -way.score))
        if consensus is None or consensus.rivals > 1 or not consensus.explanation.records:
            return False
        self._state = replace(self._state, ways=())
        self._ledger.accept_consensus(consensus, inferred=ruling_messages.inferred_turn_message(unsure))
        self._state = replace(self._state, inferred_turns=InferredTurns(record, self._ledger.record))
        self._ledger.note_hidden_captures(hidden_captures(consensus, look))
        return True

    def _advance_every(self, context: LookContext) -> list[Explanation]:
        """Return every way to this look, through those before it whose lids said nothing; none if there are too many.

        The likely ones are kept.
        """
        record, all_ways = self._ledger.record, self._state.all_ways
        ways: list[Explanation] | None = None
        for look_context in (*self._state.unweighed_looks, context):
            ways = advance_hypotheses(all_ways, record, look_context) if all_ways is not None else None
            all_ways = tuple(likely_ways(ways, record, look_context)) if ways is not None else None
        self._state = replace(self._state, all_ways=all_ways, unweighed_looks=())
        return ways or []

    def _reconsider_inferred(self, look: BoardLikelihoods, lids: Lids | None) -> None:
        """Take back the turns inferred last if a counted lid contradicts them, and the board shows them still.

        If play has gone on since, the lid is reported as wrong.
        """
        inferred_turns, record = self._state.inferred_turns, self._ledger.record
        if (
            inferred_turns is None
            or lids is None
            or inferred_turns.end is not record
            or look.find_misfits(record.position)
        ):
            return
        if lids.may_hold(record.bowls):
            self._state = replace(
                self._state, inferred_turns=None if all(map(lids.is_exact, CELLS)) else inferred_turns
            )
        elif self._explain_look(record, look, lids) is None:
            self._state = replace(self._state, inferred_turns=None)
            self._ledger.take_back_inferred(inferred_turns.start)

    def _ask_for_count(self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None) -> None:
        record = self._ledger.record
        points = look.find_misfits(record.position)
        players = find_players_to_count(self._state.ways, record, lids) if lids is not None else ()
        by_owner = lids.sights if lids is not None else None
        text = ruling_messages.lids_needed(record, points, players, by_owner, in_view=len(sights) == 2)
        first = {way.turns[:1] for way in self._state.ways}
        (delay,) = next(iter(first)) if len(first) == 1 else (None,)
        move = delay if isinstance(delay, Delay) else None
        self._ledger.issue_finding(self._ledger.make_ruling(Status.UNFINISHED, text, move=move, points=points))

    # Lids that contradict the record

    def _mind_the_lids(self, consensus: Consensus, look: BoardLikelihoods, lids: Lids) -> None:
        """Judge a look whose board is explained and whose lids are not."""
        best = consensus.explanation
        if best.refused is not None or consensus.rivals > 1:
            self._accept_consensus(consensus, look)
        elif not best.records:
            self._ledger.accept_consensus(consensus)
            self._judge_lids_alone(lids)
        else:
            self._judge_lids_after(consensus, look, lids)

    def _confirm_delay(self, pending: GameRecord, look: BoardLikelihoods, lids: Lids) -> bool:
        """Return True and write the delay seen before, if the opponent has moved since.

        The lids need not be right yet.
        """
        consensus = self._explain_look(pending, look, None)
        if consensus is None or not consensus.explanation.records:
            return False
        self._ledger.advance_record(pending)
        self._mind_the_lids(consensus, look, lids)
        return True

    def _judge_lids_alone(self, lids: Lids) -> None:
        record = self._ledger.record
        delay = judge(record, Delay(record.to_play)).after
        fault = find_fault_without_placement(record, delay, lids)
        if fault is None:
            return
        if fault.exchange:
            fault = Fault(Status.UNEXPLAINED, ruling_messages.lids_wrong(lids.find_wrong_cells(record.bowls)))
        self._ledger.issue_finding(self._ledger.build_fault_ruling(fault, Delay(record.to_play)))

    def _judge_lids_after(self, consensus: Consensus, look: BoardLikelihoods, lids: Lids) -> None:
        best = consensus.explanation
        after = best.records[-1]
        after_delay = judge(after, Delay(after.to_play)).after if self._ledger.needs_lids else None
        if lids.may_hold(after.bowls) or (after_delay is not None and lids.may_hold(after_delay.bowls)):
            self._accept_consensus(consensus, look)
            return
        fault = _find_lid_fault(best, lids)
        if fault.status is Status.UNEXPLAINED and (len(best.records) == 1 or self._ledger.needs_lids):
            self._ledger.issue_finding(self._ledger.build_fault_ruling(fault, best.turns[-1]))
        elif fault.status is Status.UNFINISHED:
            self._ledger.accept_consensus(consensus, fault.message, lids.find_wrong_cells(after.bowls))
        else:
            self._ledger.accept_consensus(consensus, wrong=lids.find_wrong_cells(after.bowls))
            self._ledger.report_unexplained(fault.message)

    # Looks that contradict the turns so far

    def _let_stand(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Write the last illegal placement if it was not taken back and play goes on."""
        refused_turn = self._state.refused_turn
        if not isinstance(refused_turn, Placement):
            return False
        after = judge(self._ledger.record, replace(refused_turn, stood=True)).after
        consensus = self._explain_look(after, look, lids) if after is not None else None
        if after is None or consensus is None or not consensus.explanation.records or consensus.explanation.refused:
            return False
        self._state = replace(self._state, refused_turn=None)
        self._ledger.let_stand(after)
        self._accept_consensus(consensus, look)
        return True

    def _correct_newest(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Take back the newest turn if the turns since show that it was misread, and write what was played."""
        before = self._ledger.record.before
        is_lid_open = self._ledger.needs_lids and not self._are_counted(lids)
        if before is None or self._ledger.record.gap is not None or is_lid_open:
            return False
        consensus = self._explain_look(before, look, lids)
        if consensus is None or len(consensus.explanation.records) < 2 or consensus.explanation.refused:
            return False
        if isinstance(consensus.explanation.turns[-1], Delay):
            return False
        self._ledger.correct_newest(consensus)
        return True

    def _may_begin(self, look: BoardLikelihoods) -> bool:
        """Return True if the look may be the beginning of the game: none of its turns has been seen yet."""
        record = self._ledger.record
        unseen = record.number == 0 and (self._state.begun_from_look or not self._state.looked)
        if record.players > 2:
            return unseen
        black, white = look.likeliest.stones
        setting_up = not white and black.bit_count() >= HANDICAP_SEEN and record.number <= 1
        return unseen or (setting_up and record.rules.delays is None)

    def _swap_first_player(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Swap the player to move of a game first seen in its middle, if the first stone placed shows it."""
        record = self._ledger.record
        if record.gap is not None:
            return self._swap_player_after_gap(record.gap, look, lids)
        if not self._state.begun_from_look or record.number or self._to_play_said or record.players > 2:
            return False
        start = record.start.with_turn(opponent_of(record.to_play))
        swapped = GameRecord.begin_game(record.rules, start, record.komi, record.handicap)
        if self._explain_look(swapped, look, lids) is None:
            return False
        self._ledger.record = swapped
        return True

    def _swap_player_after_gap(self, gap: SetUp, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Swap the player to move after a gap whose end did not tell it, if the first stone placed since shows it."""
        record = self._ledger.record
        if gap.to_play is not None or record.unsettled is None or record.settlement is not gap:
            return False
        swapped = judge_settlement(record.unsettled, replace(gap, to_play=opponent_of(record.to_play))).after
        if swapped is None or self._explain_look(swapped, look, lids) is None:
            return False
        self._ledger.record = swapped
        return True

    def _begin_midgame(self, look: BoardLikelihoods, sights: tuple[LidSight, ...]) -> None:
        """Begin from a look at a game under way, or at handicap stones."""
        ledger, old, position = self._ledger, self._ledger.record, look.likeliest
        black, white = (position.stones_of(colour).bit_count() for colour in (Colour.BLACK, Colour.WHITE))
        handicap = black if black > 1 and not white and old.rules.delays is None else old.handicap
        to_play = Colour.WHITE if black > 1 and not white else old.start.to_play
        lids = ledger.lids_of(sights)
        bowls = lids.exact_bowls() if lids is not None else None
        ledger.lids.believed = ledger.lids.believed or bowls is not None
        start = Situation(position, bowls or old.start.bowls, to_play)
        ledger.record = GameRecord.begin_game(old.rules, start, old.komi, handicap)
        ledger.left = NONE_LEFT
        self._state = replace(self._state, begun_from_look=True)
        text = ruling_messages.game_under_way(black + white, to_play)
        text += ruling_messages.forced_options_notice(ledger.record)
        ledger.issue_finding(ledger.make_ruling(Status.LEGAL, text, turn=0))

    # Presses, and the end of the source

    def claim_turn(self, turn: Turn) -> None:
        """Take a pass, a declared draw or a resignation that a player made by a press."""
        self._write_unseen()
        pending = self._state.pending
        if pending is not None and turn.player is pending.to_play:
            self._state = replace(self._state, pending=None)
            self._ledger.advance_record(pending)
        elif pending is not None:
            self._ledger.refuse_turn(turn, Prohibition(Reason.NOT_YOUR_TURN), always=True, record=pending)
            return
        if not self._state.ways and (turn.player is self._ledger.record.to_play or self._ledger.record.ended):
            self._ledger.judge_declared(turn)
        else:
            self._state = replace(self._state, claims=(*self._state.claims, turn))

    def _judge_claims(self) -> None:
        """Judge presses that came out of turn, once a look shows what was played before them."""
        if self._state.ways:
            return
        claims = self._state.claims
        self._state = replace(self._state, claims=())
        for turn in claims:
            self._ledger.judge_declared(turn)

    def end_source(self) -> None:
        """Write what is certain at the end of the source."""
        self._write_unseen()
        self._write_uncounted()
        self._judge_claims()
        if self._state.pending is not None and self._state.pending.turn is not None:
            turn = self._state.pending.turn
            self._state = replace(self._state, pending=None)
            text = ruling_messages.delay_unconfirmed(turn.player)
            self._ledger.issue_finding(self._ledger.make_ruling(Status.UNFINISHED, text, move=turn))

    def _write_unseen(self) -> None:
        """Write the waiting turns as uncertain, because no look will show whether more was played."""
        pending_moves = self._state.unseen
        self._state = replace(self._state, unseen=None)
        if pending_moves is not None:
            self._state = replace(self._state, ways=())
            ends_with_delay = isinstance(pending_moves.found.explanation.turns[-1], Delay)
            self._ledger.accept_consensus(without_last(pending_moves.found) if ends_with_delay else pending_moves.found)

    def _write_uncounted(self) -> None:
        """Write turns played while a lid was uncountable as unfinished, if only one reading is possible."""
        ways = self._state.ways
        self._state = replace(self._state, ways=())
        consensus = find_consensus(list(ways)) if ways and have_same_outcome(ways) else None
        if consensus is not None and consensus.rivals == 1:
            self._ledger.accept_uncounted(consensus, ruling_messages.lids_never_counted())


def _may_delay_be_earlier(consensus: Consensus) -> bool:
    """Return True if an unanswered delay may also have come before other turns."""
    turns = consensus.explanation.turns
    return bool(turns) and isinstance(turns[-1], Delay) and consensus.orders[-1]


def _find_lid_fault(explanation: Explanation, lids: Lids) -> Fault:
    """Return the fault of the lids after these turns, preferring a capture whose stones are missing."""
    after = explanation.records[-1].bowls
    faults = [
        find_fault_after_placement(turn.player, captured_count(record), after, lids)
        for turn, record in zip(explanation.turns, explanation.records, strict=True)
    ]
    unfinished = [fault for fault in faults if fault is not None and fault.status is Status.UNFINISHED]
    alone = faults[0] if len(faults) == 1 else None
    return next(iter(unfinished), alone) or Fault(
        Status.UNEXPLAINED, ruling_messages.lids_wrong(lids.find_wrong_cells(after))
    )


def _find_repeated(record: GameRecord, turns: Sequence[Turn]) -> int | None:
    """Return the turn after which the position stood that the first refused of these turns would repeat."""
    for turn in turns:
        verdict = judge(record, turn)
        if verdict.after is None:
            return verdict.prohibition.repeats if verdict.prohibition is not None else None
        record = verdict.after
    return None
