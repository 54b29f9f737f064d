"""Casual mode: following a game without `done` presses, where a steady look explained by legal turns ends them.

Nobody says here when a turn is over, so each look asks one question: which legal turns lead from the record to what
lies there? These rules hold:

- The board decides. A stone that stays is a turn, and one look may show several. Of two readings that fit, the one with
  fewer turns wins only by a margin; if two are about as likely, nothing is written and the players are told.
- A change in the lids alone ends no turn, because people fiddle with lids: a delay waits in `_pending` until the
  opponent's next act, or their press, confirms it.
- What has been written stays, except where a later look proves that it was misread: then the newest turn is taken
  back (`_correct`), or turns that were only inferred from unsure lids are (`_reconsider`). Nothing else is rewritten.

A look is tried against the readings in `_follow`, the strictest first, and the first that fits ends it: prisoners that
were owed and are there now; turns that may include a delay which no lid shows; turns that fit board and lids; turns
that fit the board alone, the lids then being reported; a delay that waited and that the opponent has answered; another
player who began; a game that was under way already; an illegal stone that nobody took back; a turn misread before. If
none fits, the look is unexplained, and the record stands as it was.

Two kinds of turns leave no trace on the board, and both make the mode wait. A delay changes a lid only: where lids
cannot be counted, every way in which play may have gone on is kept (`_ways`, referee/umpire/hypotheses.py) and each
look drops those that do not lead to it. A stone that is captured between two looks was never seen: if the rest of the
look could hide one, the turns wait in `_unseen` for the next look. What still waits when a player presses, or at the
end of the film, is written as uncertain rather than lost.

A look that stays unexplained begins a gap if it is steady: the record then goes on from what lies there
(`referee/umpire/gaps.py`), by turns if they are few and each left its stone, else from stones that are set up. The
looks since the gap's end are ruled on again, each under its own time.

What is implicit: `_looked` and `_begun_from_look` tell a game watched from its first stone from one joined in the
middle, of which whose turn it is may be a guess until the first stone falls. The order of the readings in `_follow` is
the algorithm; two of them exchanged still pass most games, and fail in the rare one.

What is ugly: the mode is one object with fifteen fields that are set and cleared one by one, so that "nothing waits" is
several fields being empty at once (`forget` lists them).
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.board import Colour, Position, opponent_of
from referee.game.likelihoods import NONE_LEFT, BoardLikelihoods, all_unlifted
from referee.game.observation import LidSight
from referee.game.record import GameRecord, Situation
from referee.game.ruling import Prohibition, Reason, Status
from referee.game.turns import Delay, Placement, SetUp, Turn
from referee.rules.agreements import settle
from referee.rules.legality import judge
from referee.umpire import ruling_messages
from referee.umpire.gaps import GapWatch, Resumption, SeenLook
from referee.umpire.handicap import HandicapStones
from referee.umpire.hypotheses import (
    BOTH,
    LookContext,
    PendingMoves,
    advance_hypotheses,
    are_counted,
    delays_of,
    hold_others,
    leads_past,
    may_hide_turns,
    passes_by,
    resulting_record,
    same_outcome,
    terminal_hypotheses,
    to_count,
)
from referee.umpire.inference import (
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
from referee.umpire.ledger import GameLedger, captured_count, hidden_captures, without_last
from referee.umpire.lids import CELLS, Fault, Lids, after_placement, without_placement
from referee.umpire.posterior import InferredTurns, infer_history, likely_ways, may_hide_delays

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


class CasualMode:
    """The recorder of one game.

    deep: the game is not live, so there is time for a deep search
    """

    def __init__(self, book: GameLedger, to_play_said: bool = False, deep: bool = False) -> None:
        self._book, self._handicap = book, HandicapStones(book)
        self._reach = (DEEP_TURNS, DEEP_TRIED) if deep else (MOST_TURNS, MOST_TRIED)
        self._to_play_said = to_play_said
        self._looked = False
        self._begun_from_look = False
        self._pending: GameRecord | None = None
        self._claims: list[Turn] = []
        self._calm = False
        self._ways: list[Explanation] = []
        self._every: list[Explanation] | None = None
        self._unweighed: list[LookContext] = []
        self._inferred: InferredTurns | None = None
        self._unseen: PendingMoves | None = None
        self._astray: Position | None = None
        self._alone = False
        self._refused: Turn | None = None
        self._delay_seen: Turn | None = None
        self._delay_shown = False
        self._is_lost = False
        self._lost: tuple[GameRecord, SeenLook] | None = None
        self.gaps = GapWatch()

    def forget(self) -> None:
        """Drop everything seen or claimed that still waits, because the director has decided the turns."""
        self._pending = self._refused = self._delay_seen = None
        self._claims, self._ways, self._unseen, self._inferred = [], [], None, None
        self._lost = None
        self.gaps.forget()

    # Looks

    def look(
        self, look: BoardLikelihoods, sights: tuple[LidSight, ...], t: float = 0.0, name: str | None = None
    ) -> None:
        """Rule on one steady look at the table.

        t: seconds
        name: the still's file name
        """
        seen, record = SeenLook(look, sights, t, name), self._book.record
        if self._lost is None or self._lost[0] is not record or not self._lost[1].is_same(seen):
            self._is_lost = False
            self._rule_on(look, sights)
            is_settled = self._is_lost and self._book.record is record and not self._ways
            self._lost = (record, seen) if is_settled else None
        self._mind_gaps(seen)

    def _rule_on(self, look: BoardLikelihoods, sights: tuple[LidSight, ...]) -> None:
        number = self._book.record.number
        waiting, self._pending = self._pending, None
        if look.too_doubtful:
            self._report_hidden(look)
            return
        if fault := self._handicap.lay(look):
            self._book.find(fault)
            return
        if self._handicap.in_hand:
            return
        if between := look.unset(self._book.record.position, self._book.left):
            self._pending = waiting
            self._book.find(self._book.between(between))
            return
        lids = self._book.lids_of(sights, [resulting_record(way, self._book.record).bowls for way in self._ways])
        self._calm = False
        # Lids that are counted and wrong were reported at the start: only the board is judged.
        self._alone = not self._book.lids.believed and len(sights) == 2 and all(sight.sure for sight in sights)
        believed = lids if self._book.lids.believed else None
        self._reconsider(look, believed)
        self._follow(look, sights, believed, waiting)
        if self._calm and not self._start_missing(sights, lids):
            self._book.nothing_wrong()
            if not self._looked:
                self._book.begin()
        if self._pending is not None or self._calm or self._book.record.number != number:
            self._delay_seen = self._pending.turn if self._pending is not None else None
            self._astray = None
        self._delay_shown = believed is not None and self._shows_delay(believed)
        self._looked = True
        self._judge_claims()

    def _shows_delay(self, lids: Lids) -> bool:
        """Return True if the lids hold less than they must, as after a delay, though a delay is not proved."""
        record = self._book.record
        delayed = judge(record, Delay(record.to_play)).after
        return delayed is not None and not lids.fit(record.bowls) and lids.fit(delayed.bowls)

    def _start_missing(self, sights: tuple[LidSight, ...], lids: Lids | None) -> bool:
        """Report lids that are wrong at the start; if play goes on, it is judged by the board alone."""
        book = self._book
        missing = book.start_missing(sights, lids)
        if missing is not None:
            book.find(missing)
        return missing is not None

    def _report_hidden(self, look: BoardLikelihoods) -> None:
        if look.misfits(self._book.record.position):
            self._book.report_unexplained(ruling_messages.board_unclear(look.doubtful.bit_count()), look.doubtful)

    def _follow(
        self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None, waiting: GameRecord | None = None
    ) -> None:
        record = self._book.record
        if (
            lids is not None
            and lids.owed
            and (found := self._explain(record, look, lids.without_differences(), lids.owing()))
        ):
            self._book.lids_right()
            self._accept(self._without_proof(found, look, lids), look)
        elif self._waits(look, sights, lids):
            return
        elif found := self._explain(record, look, lids):
            if not self._hides_turns(found, look, lids):
                self._accept(self._without_proof(found, look, lids), look)
        elif self._unseen is not None:
            self._write_unseen()
            self._follow(look, sights, lids, waiting)
        elif lids is not None and (found := self._explain(record, look, None)):
            self._mind_the_lids(found, look, lids)
        elif lids is not None and waiting is not None and self._confirm_delay(waiting, look, lids):
            return
        elif self._other_begins(look, lids):
            self._follow(look, sights, lids)
        elif self._may_begin(look):
            self._begin(look, sights)
        elif not self._let_stand(look, lids) and not self._correct(look, lids):
            self._report_unexplained(look)

    def _explain(
        self, record: GameRecord, look: BoardLikelihoods, lids: Lids | None, owing: frozenset[Colour] = frozenset()
    ) -> Consensus | None:
        """Return the legal turns that explain the look.

        lids: None to ignore them
        owing: players whose prisoners were missing, which must not be read as a delay
        """
        search = self._search(record, look, lids, owing)
        found = find_consensus(self._by_way(search.explanations()))
        if found is None or (found.rivals > 1 and not found.explanation.turns):
            unseen = replace(search, vanished=True, delays=frozenset())
            wider = find_consensus(self._by_way(unseen.explanations()))
            found = wider if wider and len(wider.explanation.records) >= PLAYED_ON else found
        return found

    def _search(
        self, record: GameRecord, look: BoardLikelihoods, lids: Lids | None, owing: frozenset[Colour] = frozenset()
    ) -> Search:
        most, patience = self._reach
        added = MOST_ADDED if self._looked else 0
        search = Search(look, record, self._book.left, most, most_added=added, patience=patience)
        if lids is None:
            return search
        return replace(search, fits=lids.allow, delays=lids.provable(record.bowls) - owing)

    def _hides_turns(self, found: Consensus, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True if a look with several turns may also hide a stone placed and captured since the last one.

        The turns then wait for the next looks, which mostly decide. If they do not, the turns are written as uncertain.
        """
        others = self._looked and self._book.waits_for_lids and self._may_be_more(found, look, lids)
        if not others and (others is not None or self._unseen is None):
            self._unseen = None
            if self._astray is None or not passes_by(found.explanation, self._astray):
                return False
            self._accept(replace(found, orders=(True,) * len(found.explanation.records)), look)
            return True
        waiting = (self._unseen or PendingMoves()).longer(found, look)
        self._unseen = None if waiting.is_too_long or others is None else waiting
        if self._unseen is None:
            self._accept(waiting.found, look)
            return True
        points = look.misfits(self._book.record.position)
        said = ruling_messages.may_be_more(look.board, points)
        self._book.find(self._book.ruling(Status.UNFINISHED, said, points=points))
        return True

    def _may_be_more(self, found: Consensus, look: BoardLikelihoods, lids: Lids | None) -> bool | None:
        """Return True if other turns, one of them an unseen stone, explain the look as well as these.

        None if there are too many to try.
        """
        if not may_hide_turns(found, self._delay_seen, self._delay_shown):
            return False
        if self._astray is not None and leads_past(found.explanation, self._book.record, self._astray, look):
            return True
        search = replace(self._search(self._book.record, look, lids), vanished=True, freely=True)
        search = replace(search, delays=BOTH) if lids is not None else search
        others = self._by_way(search.explanations())
        too_many = search.gave_up or len(found.explanation.records) + SPARE_TURNS > self._reach[0]
        return hold_others(found.explanation, others) or (None if too_many else False)

    def _by_way(self, found: list[Explanation]) -> list[Explanation]:
        """Return the explanations that agree with what earlier looks showed on the way: a delay seen came first."""
        after_delay = [one for one in found if one.turns[:1] == (self._delay_seen,)]
        if after_delay:
            found = [one for one in found if one in after_delay or not one.turns]
        if self._unseen is not None and any(map(self._unseen.is_on, found)):
            found = [one for one in found if self._unseen.is_on(one) or not one.turns]
        return found

    def _accept(self, found: Consensus, look: BoardLikelihoods) -> None:
        best = found.explanation
        if best.legal and isinstance(best.turns[-1], Delay) and best.refused is None:
            self._pending = best.records[-1]
            found = without_last(found)
        self._book.accept(found)
        self._book.may_stand(hidden_captures(found, look))
        best = found.explanation
        self._refused = best.turns[-1] if best.refused is not None else None
        if best.refused is not None:
            self._book.refuse(best.turns[-1], best.refused)
        elif found.rivals > 1 and look.shows_other(self._book.record.position, found.open):
            self._book.report_unexplained(ruling_messages.unclear(look.board, found.open), found.open)
        elif not best.records and best.left == NONE_LEFT:
            self._calm = True

    def _report_unexplained(self, look: BoardLikelihoods) -> None:
        book, self._astray, self._is_lost = self._book, look.likeliest, True
        changed = look.misfits(book.record.position)
        changed = changed & ~all_unlifted(book.left) or changed
        book.report_unexplained(ruling_messages.unexplained_change(book.record, look.likeliest, changed), changed)

    # Gaps

    def _mind_gaps(self, seen: SeenLook) -> None:
        """Note if the look agrees with the record; go on from it if it cannot be explained and is steady."""
        book, look = self._book, seen.look
        if self._is_lost:
            resumption = self.gaps.doubt(book.record, seen)
            if resumption is not None:
                book.stamp(seen.t, seen.name)
                self._go_on(resumption)
        elif not look.too_doubtful and not look.misfits(book.record.position) & ~all_unlifted(book.left):
            self.gaps.agree(seen)

    def _go_on(self, resumption: Resumption) -> None:
        """Go on after a gap: write the turns of one short enough, or set up the stones; then rule on the looks since.

        Of turns that placed each stone that is there, the order alone is unknown.
        """
        first, *later = resumption.looks
        found = self._fill(resumption)
        self.forget()
        self._refused, self._astray = None, None
        if found is not None:
            self._book.accept(found)
        else:
            self._book.set_up(self._set_up(resumption))
        self._book.stamp(first.t, first.name)
        self.gaps.agree(first)
        for seen in later:
            self.look(seen.look, seen.sights, seen.t, seen.name)
            self._book.stamp(seen.t, seen.name)

    def _fill(self, resumption: Resumption) -> Consensus | None:
        """Return the turns of the gap if they are few, and each placed a stone that is there now."""
        record, first = self._book.record, resumption.looks[0]
        lids = self._book.lids_of(first.sights)
        new = zip(first.look.likeliest.stones, record.position.stones, strict=True)
        count = sum((now & ~was).bit_count() for now, was in new)
        if not 0 < count <= MOST_ADDED or (record.rules.delays is not None and lids is None):
            return None
        fits = lids.allow if lids is not None and self._book.lids.believed else lambda _: True
        found = explain_closed(record, first.look, frozenset(), count, fits)
        ends = found.explanation.records[-1] if found is not None else None
        return found if ends is not None and resumption.to_play in (None, ends.to_play) else None

    def _set_up(self, resumption: Resumption) -> SetUp:
        """Return the stones to set up, with the prisoners if the lids are counted; else the board alone is judged."""
        first, book = resumption.looks[0], self._book
        lids = book.lids_of(first.sights)
        bowls = lids.without_differences().bowls() if lids is not None else None
        book.lids.believed = book.lids.believed and (bowls is not None or book.record.rules.delays is None)
        return SetUp(resumption.position.stones, resumption.to_play, bowls, resumption.since, first.when)

    # Lids that cannot be counted

    def _waits(self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None) -> bool:
        """Return True if a turn in a lid alone may have been played and no lid decides it.

        Nothing is written then, and the players are told what to count. If the lids decide it now, the turns are
        written.
        """
        record = self._book.record
        self._ways = [] if look.likeliest == record.position else self._ways
        if not self._book.minds_lids or self._alone or not (self._ways or self._is_open(look, lids)):
            return False
        found = self._advance(look, lids)
        if found is None and self._unseen is not None:
            self._write_unseen()
            self._follow(look, sights, lids)
            return True
        return self._conclude(found, look, sights, lids)

    def _conclude(
        self,
        found: list[Explanation] | None,
        look: BoardLikelihoods,
        sights: tuple[LidSight, ...],
        lids: Lids | None,
    ) -> bool:
        """Return True if nothing else is to be made of the look, whose hypotheses these are: None if too many."""
        if found is None or (found and not self._is_decided(terminal_hypotheses(found), lids)):
            if self._infer(look, lids):
                return True
            self._ways = terminal_hypotheses(found or self._ways)
            self._ask(look, sights, lids)
            # So many new stones are no quick play before which a lid was not counted.
            changed = look.misfits(self._book.record.position).bit_count()
            self._is_lost = found is None and changed > MOST_ADDED
            return True
        return self._decide(found, look, lids) if found else self._leave(look, sights, lids)

    def _is_open(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True if the turns may include a delay that no lid proves."""
        record = self._book.record
        if not look.misfits(record.position):
            return False
        explained = self._explain(record, look, lids)
        if explained is None and not self._looked:
            return False
        if explained is not None and self._are_counted(lids) and not _delay_may_be_earlier(explained):
            return False
        found = self._advance(look, lids)
        return found is None or any(delays_of(way) for way in terminal_hypotheses(found))

    def _are_counted(self, lids: Lids | None) -> bool:
        """Return True if a delay by either player would be proved."""
        return lids is not None and lids.provable(self._book.record.bowls) == BOTH

    def _advance(self, look: BoardLikelihoods, lids: Lids | None) -> list[Explanation] | None:
        record = self._book.record
        begun = self._ways or [Explanation((), (), self._book.left, 0.0)]
        seen = LookContext(look, lids, record, self._reach)
        found = advance_hypotheses(begun, record, seen)
        return self._by_way(found) if found is not None else None

    def _without_proof(self, found: Consensus, look: BoardLikelihoods, lids: Lids | None) -> Consensus:
        """Return the turns, as unproved if both players may have delayed before them unseen."""
        if not self._book.minds_lids or self._are_counted(lids) or not found.explanation.records:
            return found
        seen = LookContext(look, lids, self._book.record)
        return replace(found, unproved=may_hide_delays(found.explanation, self._book.record, seen))

    def _is_decided(self, ways: list[Explanation], lids: Lids | None) -> bool:
        record = self._book.record
        return same_outcome(ways) and all(are_counted(way, record, lids, self._delay_seen) for way in ways)

    def _decide(self, ways: list[Explanation], look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Write the single hypothesis that is left, in whatever order."""
        fitting = [way for way in ways if lids is None or lids.allow(resulting_record(way, self._book.record))]
        found = find_consensus(sorted(fitting or terminal_hypotheses(ways), key=lambda way: -way.score))
        assert found is not None
        if self._hides_turns(found, look, lids):
            self._ways = ways if self._unseen is not None else []
            return True
        self._ways = []
        if lids is not None and found.explanation.records and not lids.fit(found.explanation.records[-1].bowls):
            self._after_turns(found, look, lids)
        else:
            self._accept(found, look)
        return True

    def _leave(self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None) -> bool:
        """Drop or settle hypotheses when none of them leads to this look.

        Either the lids, or stones taken back, exclude all of them; or the lids identify one, and the rest of the look
        is judged after it.
        """
        record, ways = self._book.record, self._ways
        seen = LookContext(look, lids, record)
        held = [way for way in ways if way.records and seen.may_hold(resulting_record(way, record))]
        if not held and advance_hypotheses(ways, record, replace(seen, lids=None)):
            self._ways = []
            return False
        if not held or not self._is_decided(held, lids):
            if anew := self._advance_anew(look, lids):
                return self._conclude(anew, look, sights, lids)
            self._ask(look, sights, lids)
            return True
        self._decide(held, look, lids)
        self._follow(look, sights, lids)
        return True

    def _advance_anew(self, look: BoardLikelihoods, lids: Lids | None) -> list[Explanation] | None:
        """Return the hypotheses that lead from the record to this look, and drop those so far; None if there are none.

        One of the looks between may have shown a stone in the wrong colour.
        """
        ways, self._ways = self._ways, []
        found = self._advance(look, lids)
        if found and len(found) <= MOST_ANEW and any(way.turns for way in terminal_hypotheses(found)):
            return found
        self._ways = ways
        return None

    # Turns inferred from lids that are not sure

    def _infer(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True and write the one history that board, lids and rules leave likely enough, marked as inferred.

        If it is open, every way is kept for the next look.
        """
        record, seen = self._book.record, LookContext(look, lids, self._book.record, self._reach, every=True)
        if not self._ways:
            self._every, self._unweighed = [Explanation((), (), self._book.left, 0.0)], []
        unsure = lids.unsure if lids is not None else []
        if not unsure or lids is None or not lids.are_weighed():
            self._unweighed.append(seen)
            self._every = self._every if len(self._unweighed) <= MOST_UNWEIGHED else None
            return False
        history = infer_history(self._by_way(self._advance_every(seen)), record, seen)
        found = find_consensus(sorted(history, key=lambda way: -way.score))
        if found is None or found.rivals > 1 or not found.explanation.records:
            return False
        self._ways = []
        self._book.accept(found, inferred=ruling_messages.inferred(unsure))
        self._inferred = InferredTurns(record, self._book.record)
        self._book.may_stand(hidden_captures(found, look))
        return True

    def _advance_every(self, seen: LookContext) -> list[Explanation]:
        """Return every way to this look, through those before it whose lids said nothing; none if there are too many.

        The likely ones are kept.
        """
        record, every = self._book.record, self._every
        for at in (*self._unweighed, seen):
            every = advance_hypotheses(self._every, record, at) if self._every is not None else None
            self._every = likely_ways(every, record, at) if every is not None else None
        self._unweighed = []
        return every or []

    def _reconsider(self, look: BoardLikelihoods, lids: Lids | None) -> None:
        """Take back the turns inferred last if a counted lid contradicts them, and the board shows them still.

        If play has gone on since, the lid is reported as wrong.
        """
        made, record = self._inferred, self._book.record
        if made is None or lids is None or made.end is not record or look.misfits(record.position):
            return
        if lids.fit(record.bowls):
            self._inferred = None if all(map(lids.exact, CELLS)) else made
        elif self._explain(record, look, lids) is None:
            self._inferred = None
            self._book.take_back_inferred(made.start)

    def _ask(self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None) -> None:
        record = self._book.record
        points = look.misfits(record.position)
        players = to_count(self._ways, record, lids) if lids is not None else ()
        by_owner = lids.sights if lids is not None else None
        said = ruling_messages.lids_needed(record, points, players, by_owner, in_view=len(sights) == 2)
        first = {way.turns[:1] for way in self._ways}
        (delay,) = next(iter(first)) if len(first) == 1 else (None,)
        move = delay if isinstance(delay, Delay) else None
        self._book.find(self._book.ruling(Status.UNFINISHED, said, move=move, points=points))

    # Lids that contradict the record

    def _mind_the_lids(self, found: Consensus, look: BoardLikelihoods, lids: Lids) -> None:
        """Judge a look whose board is explained and whose lids are not."""
        best = found.explanation
        if best.refused is not None or found.rivals > 1:
            self._accept(found, look)
        elif not best.records:
            self._book.accept(found)
            self._lids_alone(lids)
        else:
            self._after_turns(found, look, lids)

    def _confirm_delay(self, waiting: GameRecord, look: BoardLikelihoods, lids: Lids) -> bool:
        """Return True and write the delay seen before, if the opponent has moved since.

        The lids need not be right yet.
        """
        found = self._explain(waiting, look, None)
        if found is None or not found.explanation.records:
            return False
        self._book.advance(waiting)
        self._mind_the_lids(found, look, lids)
        return True

    def _lids_alone(self, lids: Lids) -> None:
        record = self._book.record
        delay = judge(record, Delay(record.to_play)).after
        fault = without_placement(record.to_play, record.bowls, delay.bowls if delay else None, lids)
        if fault is None:
            return
        if fault.exchange:
            fault = Fault(Status.UNEXPLAINED, ruling_messages.lids_wrong(lids.wrong(record.bowls)))
        self._find(fault, Delay(record.to_play))

    def _after_turns(self, found: Consensus, look: BoardLikelihoods, lids: Lids) -> None:
        best = found.explanation
        after = best.records[-1]
        delayed = judge(after, Delay(after.to_play)).after if self._book.minds_lids else None
        if lids.fit(after.bowls) or (delayed is not None and lids.fit(delayed.bowls)):
            self._accept(found, look)
            return
        fault = _lid_fault(best, lids)
        if fault.status is Status.UNEXPLAINED and (len(best.records) == 1 or self._book.minds_lids):
            self._find(fault, best.turns[-1])
        elif fault.status is Status.UNFINISHED:
            self._book.accept(found, fault.message, lids.wrong(after.bowls))
        else:
            self._book.accept(found, wrong=lids.wrong(after.bowls))
            self._book.report_unexplained(fault.message)

    def _find(self, fault: Fault, turn: Turn) -> None:
        move = turn if fault.status is not Status.UNEXPLAINED else None
        self._book.find(self._book.ruling(fault.status, fault.message, move=move, reason=fault.reason))

    # Looks that contradict the turns so far

    def _let_stand(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Write the last illegal placement if it was not taken back and play goes on."""
        refused = self._refused
        if not isinstance(refused, Placement):
            return False
        after = judge(self._book.record, replace(refused, stood=True)).after
        found = self._explain(after, look, lids) if after is not None else None
        if after is None or found is None or not found.explanation.records or found.explanation.refused:
            return False
        self._refused = None
        self._book.let_stand(after)
        self._accept(found, look)
        return True

    def _correct(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Take back the newest turn if the turns since show that it was misread, and write what was played."""
        before = self._book.record.before
        if (
            before is None
            or self._book.record.gap is not None
            or (self._book.minds_lids and not self._are_counted(lids))
        ):
            return False
        found = self._explain(before, look, lids)
        if found is None or len(found.explanation.records) < 2 or found.explanation.refused:
            return False
        if isinstance(found.explanation.turns[-1], Delay):
            return False
        self._book.correct(found)
        return True

    def _may_begin(self, look: BoardLikelihoods) -> bool:
        """Return True if the look may be the beginning of the game: none of its turns has been seen yet."""
        record = self._book.record
        if record.players > 2:
            return record.number == 0 and (self._begun_from_look or not self._looked)
        black, white = look.likeliest.stones
        setting_up = not white and black.bit_count() >= HANDICAP_SEEN and record.number <= 1
        unseen = record.number == 0 and (self._begun_from_look or not self._looked)
        return unseen or (setting_up and record.rules.delays is None)

    def _other_begins(self, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Swap the player to move of a game first seen in its middle, if the first stone placed shows it."""
        record = self._book.record
        if record.gap is not None:
            return self._other_goes_on(record.gap, look, lids)
        if not self._begun_from_look or record.number or self._to_play_said or record.players > 2:
            return False
        start = record.start.with_turn(opponent_of(record.to_play))
        swapped = GameRecord.opening(record.rules, start, record.komi, record.handicap)
        if self._explain(swapped, look, lids) is None:
            return False
        self._book.record = swapped
        return True

    def _other_goes_on(self, gap: SetUp, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Swap the player to move after a gap whose end did not tell it, if the first stone placed since shows it."""
        record = self._book.record
        if gap.to_play is not None or record.unsettled is None or record.settlement is not gap:
            return False
        swapped = settle(record.unsettled, replace(gap, to_play=opponent_of(record.to_play))).after
        if swapped is None or self._explain(swapped, look, lids) is None:
            return False
        self._book.record = swapped
        return True

    def _begin(self, look: BoardLikelihoods, sights: tuple[LidSight, ...]) -> None:
        """Begin from a look at a game under way, or at handicap stones."""
        book, old, position = self._book, self._book.record, look.likeliest
        black, white = (position.of(colour).bit_count() for colour in (Colour.BLACK, Colour.WHITE))
        handicap = black if black > 1 and not white and old.rules.delays is None else old.handicap
        to_play = Colour.WHITE if black > 1 and not white else old.start.to_play
        lids = book.lids_of(sights)
        bowls = lids.bowls() if lids is not None else None
        book.lids.believed = book.lids.believed or bowls is not None
        start = Situation(position, bowls or old.start.bowls, to_play)
        book.record = GameRecord.opening(old.rules, start, old.komi, handicap)
        book.left = NONE_LEFT
        self._begun_from_look = True
        book.find(
            book.ruling(
                Status.LEGAL,
                ruling_messages.game_under_way(black + white, to_play)
                + ruling_messages.forced_options_notice(book.record),
                turn=0,
            )
        )

    # Presses, and the end of the source

    def claim(self, turn: Turn) -> None:
        """Take a pass, a declared draw or a resignation that a player made by a press."""
        self._write_unseen()
        pending = self._pending
        if pending is not None and turn.player is pending.to_play:
            self._pending = None
            self._book.advance(pending)
        elif pending is not None:
            self._book.refuse(turn, Prohibition(Reason.NOT_YOUR_TURN), always=True, record=pending)
            return
        if not self._ways and (turn.player is self._book.record.to_play or self._book.record.ended):
            self._book.judge(turn)
        else:
            self._claims.append(turn)

    def _judge_claims(self) -> None:
        """Judge presses that came out of turn, once a look shows what was played before them."""
        claims, self._claims = self._claims, self._claims if self._ways else []
        for turn in claims if not self._ways else []:
            self._book.judge(turn)

    def end(self) -> None:
        """Write what is certain at the end of the source."""
        self._write_unseen()
        self._write_uncounted()
        self._judge_claims()
        if self._pending is not None and self._pending.turn is not None:
            turn, self._pending = self._pending.turn, None
            said = ruling_messages.delay_unconfirmed(turn.player)
            self._book.find(self._book.ruling(Status.UNFINISHED, said, move=turn))

    def _write_unseen(self) -> None:
        """Write the waiting turns as uncertain, because no look will show whether more was played."""
        waited, self._unseen = self._unseen, None
        if waited is not None:
            self._ways = []
            delayed = isinstance(waited.found.explanation.turns[-1], Delay)
            self._book.accept(without_last(waited.found) if delayed else waited.found)

    def _write_uncounted(self) -> None:
        """Write turns played while a lid was uncountable as unfinished, if only one reading is possible."""
        ways, self._ways = self._ways, []
        found = find_consensus(ways) if ways and same_outcome(ways) else None
        if found is not None and found.rivals == 1:
            self._book.accept_uncounted(found, ruling_messages.lids_never_counted())


def _delay_may_be_earlier(found: Consensus) -> bool:
    """Return True if an unanswered delay may also have come before other turns."""
    turns = found.explanation.turns
    return bool(turns) and isinstance(turns[-1], Delay) and found.orders[-1]


def _lid_fault(found: Explanation, lids: Lids) -> Fault:
    """Return the fault of the lids after these turns, preferring a capture whose stones are missing."""
    after = found.records[-1].bowls
    faults = [
        after_placement(turn.player, captured_count(record), after, lids)
        for turn, record in zip(found.turns, found.records, strict=True)
    ]
    unfinished = [fault for fault in faults if fault is not None and fault.status is Status.UNFINISHED]
    alone = faults[0] if len(faults) == 1 else None
    return next(iter(unfinished), alone) or Fault(Status.UNEXPLAINED, ruling_messages.lids_wrong(lids.wrong(after)))
