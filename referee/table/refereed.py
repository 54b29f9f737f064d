"""A refereed game: `done` closes a turn, which is judged on the first look taken after the press, and not before.

An illegal or unfinished turn leaves the record as it is and the turn open; the player corrects it and presses again.
The clock changes over at the press, and goes back if the turn is refused. The theory of the whole table is at the head
of referee/table/table.py.

Players may press again before a look is taken, so that one look has to explain several turns. The presses before it say
how many were closed and by whom, and the board says which. If the presses do not come in turn,
`TableActs.list_readings` lists how they can be read, the likeliest first: somebody forgot one, pressed late, or pressed
twice. The first reading that the look bears out is taken (`_close_turns`). If there is none, `_report_fault` looks for
the one sentence that helps: what has to be lifted, shown again or corrected. Presses wait on if another look may settle
the matter, and are handed back if something has to be set right before any ruling.

What is ugly: presses are taken out before they are judged, and put back if they have to wait (`_keep_presses`); that
they are there again is how `_settle_presses` knows. A press that does not count makes those after the look be handled
again, because the turns that they close were counted from one that is open again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from itertools import combinations, islice
from operator import or_

from referee.game.actor import Actor
from referee.game.board import COLOURS, Colour, Mask, mask_of, opponent_of
from referee.game.likelihoods import NONE_LEFT, BoardLikelihoods, all_unlifted, collect_unlifted, find_differences
from referee.game.messages import Message
from referee.game.observation import LidSight
from referee.game.record import GameRecord
from referee.game.regions import find_chains
from referee.game.ruling import Prohibition, Reason, Reply, Ruling, Status
from referee.game.turns import Delay, Draw, Exchange, Pass, Placement, Removal, Resign, Settlement, Turn
from referee.inference.hypotheses import (
    LookContext,
    are_counted,
    delays_of,
    find_hypotheses,
    find_players_to_count,
    have_same_outcome,
)
from referee.inference.lids import Fault, Lids, find_fault_after_placement, find_fault_without_placement
from referee.inference.search import (
    MOST_TRIED,
    Consensus,
    Explanation,
    Search,
    disputed_stones,
    drop_refused_orders,
    explain_closed,
    find_consensus,
    first_turns,
)
from referee.rules import ruling_messages
from referee.rules.agreements import judge_settlement
from referee.rules.ing import is_adjourned
from referee.rules.legality import judge
from referee.table.acts import ActKind, ClosedTurn, TableAct, TableActs
from referee.table.end_of_game import EndOfGame
from referee.table.handicap import HandicapStones
from referee.table.ledger import GameLedger, captured_count, find_removed_stones, hidden_captures, without_last
from referee.table.start import StartCheck
from referee.table.table_position import BoardMatch, match_board
from referee.table.timing import Timing
from referee.time.steps import Act, Step

MOST_READINGS = 16
"""The maximum number of readings of calls, as passes or as given up, tried for one look."""
LIKELY = 0.97
"""The least probability of what a delay leaves in a lid that is not sure."""


class RefereedGame:
    """The judge of one refereed game.

    ready: before the first move, True if the table was last seen set up for it, with or without the first stone
    handicap: the handicap stones, whose presses close no turns on the clock
    ruled_until: when the newest closed turn was closed that is in the record, in seconds
    """

    def __init__(self, ledger: GameLedger, timing: Timing, start_check: StartCheck, end_of_game: EndOfGame) -> None:
        self._ledger, self._timing, self._start_check, self._end_of_game = ledger, timing, start_check, end_of_game
        self.handicap = HandicapStones(ledger)
        self._acts = TableActs()
        self._judging: tuple[TableAct, ...] = ()
        self._offer: Settlement | None = None
        self._self_capture: tuple[GameRecord, Placement] | None = None
        self._ultimate_question: tuple[GameRecord, float] | None = None
        self._record_in_lids: GameRecord | None = None
        self._asked_about: tuple[GameRecord, Mask] | None = None
        self._seen_at = 0.0
        self._differs = False
        self._presses_after_end: tuple[TableAct, ...] = ()
        self.ruled_until = float("-inf")
        self.ready = False
        self._board_match: tuple[GameRecord, object, BoardMatch] | None = None

    @property
    def players_waiting(self) -> tuple[Colour, ...]:
        """Return the players whose press waits for a look, including that of a declared draw."""
        return tuple(act.player for act in self._acts if act.is_closing or self._has_draws)

    @property
    def players_acting(self) -> tuple[Colour, ...]:
        """Return the players with pending acts."""
        return tuple(dict.fromkeys(act.player for act in self._acts))

    @property
    def _has_draws(self) -> bool:
        """Return True if a `call` declares a draw: under rules that have draws, it needs no `done`."""
        return self._ledger.record.rules.draws is not None

    @property
    def is_draw_declared(self) -> bool:
        """Return True while a draw that the player to move has declared waits for a look."""
        return self._has_draws and any(act.player is self._ledger.record.to_play for act in self._acts.calls)

    @property
    def players_passing(self) -> tuple[Colour, ...]:
        """Return the player to move, if they have called a pass that `done` has to close."""
        mover = self._ledger.record.to_play
        has_called = not self._has_draws and any(act.player is mover for act in self._acts.calls)
        return (mover,) if has_called and not self._acts.dones else ()

    def take_press_after_end(self) -> TableAct | None:
        """Return, once, the first `done` that came after the passes that end play, before anybody had looked."""
        acts, self._presses_after_end = self._presses_after_end, ()
        return next(iter(acts), None)

    @property
    def players_judged(self) -> tuple[Colour, ...]:
        """Return the players whose presses the newest turns were judged for."""
        return tuple(act.player for act in self._judging)

    # Presses

    def handle_done(self, player: Colour, t: float) -> None:
        """Take a `done`: the player's turn is over, or both agree on what the table shows.

        It has no effect while the clock is stopped.
        """
        if player not in self._ledger.record.remaining_players:
            self._refuse_done_out_of_turn(player)
        elif self._is_about_handicap(player):
            self._ledger.nothing_wrong()
            self._acts = self._acts.with_act(TableAct(player, t, is_laying=True))
        else:
            self._close_turn(player, t, t)

    def _close_turn(self, player: Colour, press_t: float, t: float) -> None:
        """Close the player's turn, on the clock at t, which is later if nobody could know earlier that it is one."""
        if self._timing.close_turn(player, t, self._find_following_player(player)):
            self._wait_for_look(player, press_t, ActKind.DONE)

    def _is_about_handicap(self, player: Colour) -> bool:
        """Return True if a `done` may only say that handicap stones lie there, which no clock is kept for."""
        closes = player is Colour.BLACK and all(act.player is Colour.BLACK for act in self._acts.dones)
        return bool(self.handicap.stones_due) or (self.handicap.is_open and closes)

    def _find_following_player(self, player: Colour) -> Colour | None:
        """Return the next player if it is this one again."""
        record = self._ledger.record
        again = player is record.to_play and not self._acts.dones and record.next_to_play is player
        return player if again else None

    def _wait_for_look(self, player: Colour, t: float, kind: ActKind) -> None:
        """Keep a press that closes a turn until a look shows what it closes."""
        self._ledger.nothing_wrong()
        agrees = self._offer is not None and not self._acts.dones and kind is ActKind.DONE
        over = 0 if agrees else self._count_turns_before(player)
        self._acts = self._acts.with_act(TableAct(player, t, kind, over))

    def _count_turns_before(self, player: Colour) -> int:
        """Return the number of unclosed turns that would come before a player's own."""
        order = self._ledger.record.order
        return (order.index(player) - sum(act.turns for act in self._acts.dones)) % len(order)

    def may_resign(self, player: Colour) -> bool:
        """Return True if it is this player's turn, or will be once the pending or visible turn is judged."""
        if player not in self._ledger.record.remaining_players:
            return False
        before = self._count_turns_before(player)
        return before == 0 or (before == 1 and self._differs)

    def resign_player(self, player: Colour, t: float) -> None:
        """Take a confirmed resignation: judged after the turns that were closed, or are open, before it."""
        at_once = player is self._ledger.record.to_play or not self.may_resign(player)
        if at_once and not self._acts.dones:
            self._ledger.judge_declared(Resign(player))
        elif player in self._ledger.record.remaining_players:
            self._timing.close_resigned_turn(player, t)
            self._wait_for_look(player, t, ActKind.RESIGN)

    def claim_turn(self, turn: Turn, t: float) -> None:
        """Take a `call`: a pass, which `done` then closes, or a declared draw; held and confirmed, a resignation."""
        if isinstance(turn, Resign):
            self.resign_player(turn.player, t)
        else:
            self._acts = self._acts.with_act(TableAct(turn.player, t, ActKind.CALL))

    def drop_acts(self, t: float) -> None:
        """Drop all acts, because no look follows or the game is over: a turn that no look shows remains open."""
        self._acts, self._offer = TableActs(), None
        self._timing.accept_turns(0, False, t)

    def reseat_players(self, change: Callable[[Colour], Colour]) -> None:
        """Assign earlier acts to the players who did them, after the seating was decided."""
        self._acts = self._acts.reseat_players(change)

    def forget_who_left(self) -> None:
        """Drop the acts of players who are out of the game by now."""
        playing, acts = self._ledger.record.remaining_players, self._acts
        self._timing.forget_who_left(playing)
        self._acts = TableActs(acts.calls).without_acts(act for act in acts if act.player not in playing)
        for act in acts.dones:
            if act.player in playing:
                self._acts = self._acts.with_act(replace(act, over=self._count_turns_before(act.player)))

    # Looks

    def judge_look(self, look: BoardLikelihoods, sights: tuple[LidSight, ...], t: float) -> None:
        """Judge the turns that were closed before this look was taken."""
        ledger, self._seen_at = self._ledger, t
        ledger.note_lifted(look)
        fault = self._look_at_handicap(look, t) if not look.is_too_doubtful else None
        due = self._acts.before_look(t)
        lids = ledger.lids_of(sights, is_turn_closed=bool(due.dones))
        is_due = bool(due.dones or (self._has_draws and due.calls))
        missing = ledger.start_missing(sights, lids) or fault
        unset = missing or self._start_check.find_start_fault(look, sights, lids)
        if not look.is_too_doubtful:
            self.ready = unset is None
        missing = missing if is_due else unset
        if missing is not None:
            (ledger.issue_ruling if is_due else ledger.issue_finding)(missing)
            self._hand_back(due, t)
        elif is_due and look.is_too_doubtful:
            ledger.report_unclear(look)
        elif is_due and (between := ledger.find_between(look)) is not None:
            ledger.issue_ruling(between)
            self._hand_back(due, t)
        elif is_due:
            number = ledger.record.number
            self._acts = self._acts.without_acts(due.dones)
            self._judge_all(due, look, lids)
            self._settle_presses(due.dones, ledger.record.number - number, t)
        if not look.is_too_doubtful:
            self._note_self_capture(look)
        self._note_lids(lids)
        self._differs = bool(self._ledger.find_changes(look))

    def _look_at_handicap(self, look: BoardLikelihoods, t: float) -> Ruling | None:
        """Write the handicap stones that lie there, and take the presses for them; return what is wrong."""
        was_open, dones = self.handicap.is_open, self._acts.before_look(t).dones
        closers = [act.player for act in dones]
        fault = self.handicap.judge_look(look, Colour.BLACK in closers, max(closers.count(Colour.WHITE), 1))
        if fault is None and was_open and dones:
            self._timing.follow_record(self._ledger.record, t)
            after = self._acts.dones[len(dones) :]
            self._acts = self._acts.without_acts((*dones, *after))
            is_laid = not look.count_required_stones(self._ledger.record.position, Colour.BLACK)
            for number, act in enumerate(dones):
                if act.is_laying:
                    self._take_press(
                        act, is_laid or Colour.WHITE in closers[number:], Colour.WHITE not in closers[:number]
                    )
                else:
                    self._requeue_press(act)
            for act in after:
                self._requeue_press(act)
        return fault

    def _requeue_press(self, act: TableAct) -> None:
        """Keep a press, with the turns that it closes now that those for handicap stones are known."""
        self._acts = self._acts.with_act(
            act if act.is_laying else replace(act, over=self._count_turns_before(act.player))
        )

    def _take_press(self, act: TableAct, may_close: bool, is_before_white: bool) -> None:
        """Take a press made while handicap stones were laid, which may belong to a turn after them.

        The clock begins at the look that shows the stones, so that nobody pays for time in which it stood.

        may_close: it may only have closed them; is_before_white: White had not pressed yet
        """
        due, player = self.handicap.stones_due, act.player
        is_blacks = player is Colour.BLACK and is_before_white
        if is_blacks and (due or may_close) and self.handicap.use_press():
            if not due:
                self._timing.begin_clock(player, self._seen_at)
        elif due and player is Colour.BLACK:
            self._ledger.refuse_turn(Pass(player), Prohibition(Reason.PASS_NOT_AVAILABLE), always=True)
        elif due:
            self._refuse_done_out_of_turn(player)
        else:
            self._timing.begin_clock(player, self._seen_at)
            self._close_turn(player, act.t, self._seen_at)

    def agree_handicap(self, t: float) -> None:
        """Take the stones that were asked for as the handicap, because a player has said so."""
        text = self.handicap.agree_to_handicap()
        if text is not None:
            self.ready = True
            self._end_of_game.add_reply(Reply(t, text, author=Actor.TABLE))

    def _hand_back(self, due: TableActs, t: float) -> None:
        """Cancel the presses, because something has to be corrected first; a called pass is kept."""
        self._acts = self._acts.without_acts(due.acts if self._has_draws else due.dones)
        self._settle_presses(due.dones, 0, t)

    def _note_self_capture(self, look: BoardLikelihoods) -> None:
        """Remember a stone of the mover's that captures only itself.

        Once it is lifted, the board does not show that it was placed.
        """
        record, changed = self._ledger.record, self._ledger.find_changes(look)
        if changed.bit_count() != 1:
            return
        placement = Placement(record.to_play, changed.bit_length() - 1)
        after = judge(record, placement).after if look.likeliest.stones_of(record.to_play) & changed else None
        if after is not None and after.position == record.position:
            self._self_capture = record, placement

    def _note_lids(self, lids: Lids | None) -> None:
        """Remember that the lids once held the record's bowls rather than those after a delay of the player to move."""
        record = self._ledger.record
        if lids is None or self._record_in_lids is record:
            return
        delay = judge(record, Delay(record.to_play)).after
        if delay is not None and lids.are_likelier_with(record.bowls, delay.bowls):
            self._record_in_lids = record

    def match_board(self, look: BoardLikelihoods, is_ruled: bool) -> BoardMatch:
        """Return the relation of the board in a look to the record, as long as nothing waits to be judged.

        is_ruled: the newest press was ruled on as unexplained
        """
        record, left = self._ledger.record, self._ledger.left
        is_handicap_open = bool(self.handicap.stones_due) or bool(self.handicap.asked) or self.handicap.is_open
        if not record.number or record.ended or record.players > 2 or self._acts.acts or is_handicap_open:
            return BoardMatch.OPEN
        if is_adjourned(record):
            return BoardMatch.OPEN
        key = look.find_misfits(record.position), look.likeliest, look.doubtful, look.between, left, is_ruled
        if self._board_match is None or self._board_match[0] is not record or self._board_match[1] != key:
            self._board_match = record, key, match_board(record, look, left, is_ruled)
        return self._board_match[2]

    def find_unpressed(self, look: BoardLikelihoods, lids: Lids | None) -> Turn | None:
        """Return the one legal turn that a look shows, as if it had been closed, without a ruling."""
        ledger = self._ledger
        if look.is_too_doubtful or not ledger.find_changes(look) or ledger.find_between(look) is not None:
            return None
        consensus = self._find_legal_turns(1, look, lids)
        return consensus.explanation.turns[0] if consensus is not None else None

    def _settle_presses(self, dones: tuple[TableAct, ...], accepted: int, t: float) -> None:
        """Report the outcome of these presses to the clock.

        Presses after one that does not count are handled again, because with them the players went on while the turn
        before was open.
        """
        if not dones or any(act in self._acts for act in dones):
            return
        all_stand = accepted >= sum(act.turns for act in dones)
        if all_stand and (self._ledger.record.ended or is_adjourned(self._ledger.record)):
            # No clock runs after the press that ends play, however long it takes to see that.
            self._timing.set_halted(True, dones[-1].t)
        if self._ledger.record.result is not None:
            # It came before any flag that fell until somebody looked.
            self._timing.follow_record(self._ledger.record, t)
        self._timing.accept_turns(accepted, all_stand, t, bool(self._presses_after_end))
        if not all_stand:
            later = self._acts.dones
            self._acts = self._acts.without_acts(later)
            for act in later:
                self._hear_again(act)

    def _hear_again(self, act: TableAct) -> None:
        if act.kind is ActKind.RESIGN:
            self.resign_player(act.player, act.t)
        else:
            self.handle_done(act.player, act.t)

    def _judge_all(self, due: TableActs, look: BoardLikelihoods, lids: Lids | None) -> None:
        """Judge the turns that were closed, then the draws that were declared, in their order."""
        turns = self._select_acts_before_draw(due, look, lids) if self._has_draws else due
        accepted = self._close_in_order(turns, look, lids) if turns.dones else True
        if not self._has_draws or any(act in self._acts for act in turns.dones):
            return
        if not accepted and self._ledger.find_changes(look):
            return  # A refused turn lies there still: the draw waits until it is taken back.
        draws = tuple(act for act in due.calls if act in self._acts.acts)
        self._acts = self._acts.without_acts(draws)
        for act in draws:
            if not self._ledger.record.ended:
                self._judge_draw(act.player, look, lids)

    def _select_acts_before_draw(self, due: TableActs, look: BoardLikelihoods, lids: Lids | None) -> TableActs:
        """Return the acts without the `done` of a declared draw and those after it.

        All of them, if stones show that the call was given up.
        """
        order, dones = self._ledger.record.order, due.dones
        for number in range(len(dones)):
            closed = due.closed_turns(dones[: number + 1], order)
            if any(turn.call for turn in closed):
                given_up = self._find_legal_turns(sum(act.turns for act in dones), look, lids) is not None
                return due if given_up else due.without_acts(dones[number:])
        return due

    def _judge_draw(self, player: Colour, look: BoardLikelihoods, lids: Lids | None) -> None:
        """Judge a declared draw.

        A turn that the other player made without pressing `done` counts before it, if the draw may be declared then.
        """
        if player is not self._ledger.record.to_play:
            consensus = self._find_legal_turns(1, look, lids)
            if consensus is None or not judge(consensus.explanation.records[-1], Draw(player)).legal:
                self._ledger.judge_declared(Draw(player))
                return
            self._ledger.accept_consensus(consensus)
            self._ledger.append_remark(
                self._ledger.record.number, ruling_messages.forgotten_press_message(opponent_of(player))
            )
        record = self._ledger.record
        changed = self._ledger.find_changes(look)
        if changed:
            self._ledger.report_change(look, changed)
        elif lids is not None and not lids.may_hold(record.bowls):
            self._ledger.report_unexplained(ruling_messages.lids_wrong(lids.find_wrong_cells(record.bowls)))
        else:
            self._ledger.judge_declared(Draw(player))

    # Closed turns

    def _close_in_order(self, acts: TableActs, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Judge the closed turns, and after them a resignation, which may come once play has ended.

        Return True if all of them are accepted. With more than two players the others play on: there it is a turn among
        others.
        """
        resignation = next((act for act in acts.dones if act.kind is ActKind.RESIGN), None)
        if resignation is None or resignation.over or self._ledger.record.players > 2:
            return self._close_turns(acts, look, lids)
        before = acts.without_acts(act for act in acts.dones if act.t >= resignation.t)
        if before.dones and not self._close_turns(before, look, lids):
            if any(act in self._acts for act in before.dones):
                self._acts = self._acts.with_act(resignation)
            else:
                self._ledger.judge_declared(Resign(resignation.player))
            return False
        record = self._ledger.record
        if record.ended or is_adjourned(record):
            self._timing.handle_act(Step(resignation.t, Act.RESIGN, resignation.player))
        else:
            self._ledger.judge_declared(Resign(resignation.player))
        return True

    def _close_turns(self, acts: TableActs, look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Judge as many turns as were closed; return True if all of them are accepted."""
        was_offered, dones = self._offer is not None, acts.dones
        if self._is_agreement(dones, look, lids):
            return True
        if was_offered and dones[0].player is not self._ledger.record.to_play:
            dones = (replace(dones[0], over=1), *dones[1:])
        self._judging = dones
        if self._must_wait_for_lids(dones, look, lids):
            return False
        start, order = self._ledger.record.number, self._ledger.record.order
        in_turn, consensus = acts.in_turn(dones, order), None
        closed, vain = acts.closed_turns(in_turn, order), tuple(a for a in dones if replace(a, over=0) not in in_turn)
        if any(act.over for act in dones):
            for turns, double in acts.list_readings(dones, order):
                if consensus is None and (reading := self._read_turns(turns, look, lids)) is not None:
                    (consensus, closed), vain = reading, double
        if not closed:
            self._refuse_out_of_turn(dones[0])
            return False
        consensus = consensus or self._find_legal_turns(len(closed), look, lids, closed)
        if consensus is None:
            self._report_fault(closed, look, lids)
        elif captured := all_unlifted(hidden_captures(consensus, look)):
            self._answer_vain_presses(vain)
            self._show_again(look, captured)
            return False
        else:
            self._ledger.accept_consensus(consensus)
        accepted = self._ledger.record.number - start
        self._use_up(closed[:accepted], start)
        self._note_presses_after_end(dones)
        self._answer_vain_presses(tuple(act for act in vain if act not in self._presses_after_end))
        return accepted == len(closed)

    def _read_turns(
        self, turns: tuple[ClosedTurn, ...], look: BoardLikelihoods, lids: Lids | None
    ) -> tuple[Consensus, tuple[ClosedTurn, ...]] | None:
        """Return how a look shows these turns, or those of them that end play: no press after that closes any."""
        ends = (many for many in range(1, len(turns)) if turns[many - 1].call is not None)
        for many in (len(turns), *ends):
            consensus = self._find_legal_turns(many, look, lids, turns[:many])
            if consensus is not None and (many == len(turns) or consensus.explanation.records[-1].ended):
                return consensus, turns[:many]
        return None

    def _note_presses_after_end(self, dones: tuple[TableAct, ...]) -> None:
        """Keep the presses after those that ended play: they close no turn, but are about the count."""
        record = self._ledger.record
        if record.ended and record.result is None and record.players == len(COLOURS[:2]):
            late = (act for act in dones if act.t > self.ruled_until and act.kind is ActKind.DONE)
            self._presses_after_end = tuple(late)

    def _use_up(self, settled_turns: tuple[ClosedTurn, ...], start: int) -> None:
        """Remove the calls of settled turns; report forgotten presses, and calls given up for another turn.

        start: the number of the turn before
        """
        for number, turn in enumerate(settled_turns, start + 1):
            if turn.forgotten:
                self._ledger.append_remark(number, ruling_messages.forgotten_press_message(turn.player))
            if turn.call is not None and not isinstance(self._ledger.record_at(number).turn, Pass):
                self._ledger.append_remark(number, ruling_messages.given_up(turn.player))
            self._acts = self._acts.without_acts(self._acts.calls_before(turn))
            self.ruled_until = max(self.ruled_until, turn.t)

    def _must_wait_for_lids(self, dones: tuple[TableAct, ...], look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True if a closed turn may have been a delay that no lid proves, though stones were placed.

        The presses wait until it can be counted.
        """
        record, count = self._ledger.record, sum(act.turns for act in dones)
        if not self._ledger.needs_lids or not look.find_misfits(record.position):
            return False
        ways = find_hypotheses(record, NONE_LEFT, LookContext(look, lids, record, (count + 1, MOST_TRIED))) or []
        closed_ways = [first_turns(way, count) for way in ways if len(way.turns) >= count]
        # No lid can show an ultimate delay: its player is asked on their turn.
        visible_ways = [way for way in closed_ways if not any(delay.ultimate for delay in delays_of(way))]
        if not any(map(delays_of, visible_ways)):
            return False
        if have_same_outcome(visible_ways) and are_counted(visible_ways[0], record, lids):
            return False
        points = look.find_misfits(record.position)
        needed = find_players_to_count(closed_ways, record, lids)
        by_owner = lids.sights if lids is not None else {}
        self._ask_players(
            ruling_messages.lids_needed(record, points, needed, by_owner, in_view=lids is not None), points
        )
        return True

    def _answer_vain_presses(self, vain: tuple[TableAct, ...]) -> None:
        """Reply to presses that close nothing, before or after others that do, that they have no effect."""
        for kind, player in dict.fromkeys((act.kind, act.player) for act in vain):
            text = ruling_messages.closes_nothing(player)
            if kind is ActKind.RESIGN:
                text = ruling_messages.resigns_in_vain(player, self._ledger.record.to_play)
            self._end_of_game.refuse_act(self._seen_at, text, player)

    def _refuse_out_of_turn(self, act: TableAct) -> None:
        """Refuse an act of a player who is not to move."""
        if act.kind is ActKind.RESIGN:
            self._ledger.judge_declared(Resign(act.player))
        else:
            self._refuse_done_out_of_turn(act.player)

    def _refuse_done_out_of_turn(self, player: Colour) -> None:
        text = ruling_messages.done_out_of_turn(player, self._ledger.record.to_play)
        refusal = self._ledger.make_ruling(Status.ILLEGAL, text, reason=Reason.NOT_YOUR_TURN)
        self._ledger.issue_ruling(replace(refusal, player=player))

    def _find_legal_turns(
        self, count: int, look: BoardLikelihoods, lids: Lids | None, closed: tuple[ClosedTurn, ...] = ()
    ) -> Consensus | None:
        """Return the closed turns, if every explanation of the look begins with them and nothing is left to do.

        A turn whose player called is a pass, unless only a stone of theirs explains the look, or it would have been
        placed in a later turn that is still open: a stone placed instead of the pass cancels the call. Where a player
        closed several turns, their order does not matter if all orders end the same and nothing else was played.
        """
        later = None
        callers = {turn.player for turn in closed if turn.call}
        for passes in self._find_pass_readings(closed):
            consensus = _explain_turns(self._build_search(look, count + 1, passes, closed, lids), count)
            if consensus is None or len(consensus.explanation.records) < count:
                continue
            best = consensus.explanation
            if any(consensus.orders[:count]) and (consensus.rivals > 1 or len(best.turns) > count):
                continue
            cut = Consensus(first_turns(best, count), consensus.orders[:count])
            if cut.explanation.left != NONE_LEFT and (self._needs_counted_lids or _is_last_capture_unlifted(cut)):
                continue
            if not any(turn.player in callers for turn in best.turns[count:]):
                return cut
            later = later or cut
        return later

    def _build_search(
        self,
        look: BoardLikelihoods,
        most: int,
        passes: frozenset[int],
        closed: tuple[ClosedTurn, ...],
        lids: Lids | None = None,
        vanished: bool = False,
    ) -> Search:
        """Return the search for so many turns at the most, these of which are passes. lids: None to ignore them"""
        record, left = self._ledger.record, self._ledger.left
        resigns = frozenset(number for number, turn in enumerate(closed) if turn.resigns)
        search = Search(look, record, left, most, most_added=0, passes=passes, resigns=resigns, vanished=vanished)
        return (
            search
            if lids is None
            else replace(search, fits=lids.may_hold_record, delays=lids.find_provable_delays(record.bowls))
        )

    def _find_pass_readings(self, closed: tuple[ClosedTurn, ...]) -> list[frozenset[int]]:
        """Return the sets of closed turns that may have been passes, the likeliest first; none if `call` declares a
        draw.

        A call and its `done` are a pass, otherwise a stone that was placed after all. A call without a `done` was given
        up if a stone lies there; otherwise it is a pass whose `done` was forgotten.
        """
        calls = [number for number, turn in enumerate(closed) if turn.call is not None and not self._has_draws]
        likeliest = frozenset(number for number in calls if not closed[number].forgotten)
        otherwise = (frozenset(some) for many in range(len(calls) + 1) for some in combinations(calls, many))
        return list(islice((likeliest ^ some for some in otherwise), MOST_READINGS))

    def _report_fault(self, closed: tuple[ClosedTurn, ...], look: BoardLikelihoods, lids: Lids | None) -> None:
        """Report why the closed turns cannot all be accepted; those before the faulty one are."""
        count, record = len(closed), self._ledger.record
        searches = (self._build_search(look, count, passes, closed) for passes in self._find_pass_readings(closed))
        candidates = (self._explain_board(search, count, lids) for search in searches)
        consensus = next((consensus for consensus in candidates if consensus is not None), None)
        if (
            self._needs_counted_lids
            and consensus is not None
            and (lying_stones := _find_captured_before_last(consensus.explanation))
        ):
            self._ask_players(ruling_messages.lift_stones(look.board, lying_stones), lying_stones)
        elif consensus is None and (stones := self._find_stones_to_wait_for(closed, look, lids)):
            presser = record.order[len(closed) % len(record.order)]
            self._ask_players(ruling_messages.several_wait(look.board, stones, presser), stones)
        elif consensus is None and self._may_have_vanished(closed, look):
            self._report_several(len(closed), look)
        elif consensus is None:
            self._report_unexplained(look, lids)
        elif (
            consensus.rivals > 1 and not consensus.open and (stones := disputed_stones(record, look, self._ledger.left))
        ):
            self._ask_players(ruling_messages.lift_captured(look.board, stones), stones)
        elif consensus.rivals > 1:
            self._show_again(look, consensus.open or self._ledger.find_changes(look))
        elif captured := all_unlifted(hidden_captures(consensus, look)):
            self._show_again(look, captured)
        elif consensus.explanation.refused is not None:
            self._ledger.accept_consensus(consensus)
            self._ledger.refuse_turn(consensus.explanation.turns[-1], consensus.explanation.refused, always=True)
        elif len(consensus.explanation.records) == count:
            self._report_faulty_placement(consensus, lids)
        else:
            turn = closed[len(consensus.explanation.records)]
            if (self._has_draws or turn.call is None) and (hidden_points := self._find_hidden_points(consensus, look)):
                self._show_again(look, hidden_points)
                return
            if self._have_vanished(consensus, closed, look) or self._may_have_vanished(closed, look):
                self._report_several(count, look)
                return
            self._ledger.accept_consensus(consensus)
            if not self._ledger.record.ended:
                self._judge_unchanged(turn, lids)

    @property
    def _needs_counted_lids(self) -> bool:
        """Return True if captured stones have to be in a lid before a later turn can be ruled on."""
        return self._ledger.record.rules.delays is not None

    def _explain_board(self, search: Search, count: int, lids: Lids | None) -> Consensus | None:
        """Return the consensus of what the board alone shows, to find the fault in so many closed turns.

        Where lids count they decide which of very many turns were made: then it only shows what has to come into them.
        """
        consensus = _explain_turns(search, count)
        if not self._needs_counted_lids or not search.has_given_up or consensus is None or consensus.rivals > 1:
            return consensus
        explanation = consensus.explanation
        fault = lids and _find_earlier_lid_fault(explanation, lids)
        return consensus if fault or _find_captured_before_last(explanation) else None

    def _find_stones_to_wait_for(
        self, closed: tuple[ClosedTurn, ...], look: BoardLikelihoods, lids: Lids | None
    ) -> Mask:
        """Return the new stones, if the next turn lies there too and its player has not pressed: which of that player's
        stones belong to the closed turns is known as soon as all of them are closed.
        """
        record = self._ledger.record
        for passes in self._find_pass_readings(closed):
            search = self._build_search(look, len(closed) + 1, passes, closed, lids)
            consensus = find_consensus(drop_refused_orders(search.list_explanations()))
            if consensus is None or consensus.rivals > 1 or _may_lack_a_stone(search, consensus):
                continue
            if any(consensus.orders[: len(closed)]):
                return find_differences(consensus.explanation.records[-1].position, record.position)
        return 0

    def _have_vanished(self, consensus: Consensus, closed: tuple[ClosedTurn, ...], look: BoardLikelihoods) -> bool:
        """Return True if stones that the box asked about while several presses waited are gone, and the turns found did
        not place them: they were placed and captured in others.
        """
        record, points = self._asked_about or (None, 0)
        placed = mask_of(turn.point for turn in consensus.explanation.turns if isinstance(turn, Placement))
        vanished = points & ~look.likeliest.occupied & ~self._ledger.record.position.occupied
        return len(closed) > 1 and record is self._ledger.record and bool(vanished & ~placed)

    def _may_have_vanished(self, closed: tuple[ClosedTurn, ...], look: BoardLikelihoods) -> bool:
        """Return True if every press is right because a stone was placed and captured before anybody looked: nobody can
        tell where it was. True too if that takes too many placements to exclude.
        """
        count = len(closed)
        if count < 2:
            return False
        for passes in self._find_pass_readings(closed):
            search = self._build_search(look, count, passes, closed, vanished=True)
            if any(len(one.records) == count for one in search.list_explanations()):
                return True
            if search.has_run_out:
                return True
        return False

    def _report_several(self, count: int, look: BoardLikelihoods) -> None:
        """Report that so many turns were closed before a look that does not show how they were played."""
        self._ledger.report_unexplained(ruling_messages.several_unexplained(count), self._ledger.find_changes(look))

    def _find_hidden_points(self, consensus: Consensus, look: BoardLikelihoods) -> Mask:
        """Return the points where the next turn's stone may be hidden by a hand, or looks like something else.

        A press says that the turn was made, unless a pass was called.
        """
        record = consensus.explanation.records[-1] if consensus.explanation.records else self._ledger.record
        hidden = record.position.empty & look.doubtful & look.may[COLOURS.index(record.to_play) + 1]
        return hidden | find_differences(record.position, look.likeliest)

    def _show_again(self, look: BoardLikelihoods, points: Mask) -> None:
        """Ask for a better view of these points, and keep the presses."""
        self._ledger.ask_for_view(look, points)
        self._keep_presses()

    def _ask_players(self, text: Message, points: Mask) -> None:
        """Ask for what the closed turns still lack, and keep the presses."""
        self._ledger.issue_finding(self._ledger.make_ruling(Status.UNFINISHED, text, points=points))
        self._asked_about = self._ledger.record, points
        self._keep_presses()

    def _keep_presses(self) -> None:
        """Keep the presses that are being judged for the next look."""
        for act in self._judging:
            self._acts = self._acts.with_act(act)

    def _report_unexplained(self, look: BoardLikelihoods, lids: Lids | None) -> None:
        """Report that no turn explains the look, unless a hand covers it or both players may agree on it."""
        record, changed = self._ledger.record, self._ledger.find_changes(look)
        if changed and not changed & ~look.board.adjacent_to(look.doubtful):
            self._show_again(look, changed | look.doubtful)
            return
        self._offer = find_agreement(record, look, lids)
        if self._offer is None:
            self._ledger.report_change(look, changed)
        else:
            text = ruling_messages.removal_proposed(record, changed)
            self._ledger.issue_ruling(self._ledger.make_ruling(Status.UNFINISHED, text, points=changed))

    def _report_faulty_placement(self, consensus: Consensus, lids: Lids | None) -> None:
        best = consensus.explanation
        after, turn, left = best.records[-1], best.turns[-1], best.left
        before = without_last(consensus)
        if lids is not None and (lid_fault := _find_earlier_lid_fault(best, lids)) is not None:
            self._ask_players(lid_fault.message, 0)
            return
        count = captured_count(after)
        fault = find_fault_after_placement(turn.player, count, after.bowls, lids) if lids is not None else None
        earlier = collect_unlifted(stones & ~find_removed_stones(after) for stones in left)
        self._ledger.accept_consensus(replace(before, explanation=replace(before.explanation, left=earlier)))
        points = all_unlifted(left) & ~all_unlifted(earlier)
        if points and (fault is None or fault.status is Status.UNFINISHED):
            text, captured = ruling_messages.stones_to_lift_message(after, points), find_removed_stones(after)
            self._ledger.issue_ruling(
                self._ledger.make_ruling(Status.UNFINISHED, text, move=turn, captured=captured, points=points)
            )
        elif fault is not None:
            self._ledger.issue_ruling(self._ledger.build_fault_ruling(fault, turn))

    def _judge_unchanged(self, turn: ClosedTurn, lids: Lids | None) -> None:
        """Judge a `done` on an unchanged board: a delay, a pass, or nothing."""
        record = self._ledger.record
        mover = record.to_play
        if record.rules.delays is None or (turn.call is not None and not self._has_draws):
            self._judge_pass_or_nothing(mover, turn)
            return
        if lids is None:
            hidden = Fault(Status.UNFINISHED, ruling_messages.lids_hidden())
            self._ledger.issue_ruling(self._ledger.build_fault_ruling(hidden, Delay(mover)))
            return
        delay = judge(record, Delay(mover)).after
        if delay is not None and self._is_likely(delay, lids):
            self._ledger.advance_record(delay, inferred=ruling_messages.inferred_turn_message(lids.unsure_owners))
            return
        fault = find_fault_without_placement(record, delay, lids)
        if fault is not None and fault.exchange:
            fault = self._offer_exchange(fault)
        if fault is None and mover not in lids.find_provable_delays(record.bowls) and delay is not None:
            fault = Fault(Status.UNFINISHED, lids.ask_to_count(mover))
        if self._ask_about_ultimate_delay(mover, fault, lids):
            return
        if fault is not None:
            self._ledger.issue_ruling(self._ledger.build_fault_ruling(fault, Delay(mover)))
        else:
            self._judge_pass_or_nothing(mover, turn)

    def _is_likely(self, delay: GameRecord, lids: Lids) -> bool:
        """Return True if a delay is likely enough, though its lid is not sure.

        The lids held what they did before it, when they were seen during this turn, and now rather hold what it leaves.
        A stone that the camera never sees is missing from both looks.
        """
        record = self._ledger.record
        is_sure = delay.turn is not None and delay.turn.player in lids.find_provable_delays(record.bowls)
        return (
            not is_sure and self._record_in_lids is record and lids.probability_of(delay.bowls, record.bowls) >= LIKELY
        )

    def _ask_about_ultimate_delay(self, mover: Colour, fault: Fault | None, lids: Lids) -> bool:
        """Ask whether the ultimate prisoner beside the bowl went back (original rules 6 and 8).

        No camera can see that; the player confirms it by another `done`. Return True if this settles the turn.
        """
        record, delay = self._ledger.record, Delay(mover, ultimate=True)
        is_unseen = fault is None or fault.message == lids.ask_to_count(mover)
        if not is_unseen or judge(record, delay).after is None:
            return False
        asked_record, asked_at = self._ultimate_question or (None, 0.0)
        if asked_record is record and self._judging[0].t > asked_at:
            self._ledger.judge_declared(delay)
        else:
            self._ultimate_question = record, self._seen_at
            text = ruling_messages.ask_which_stone_returned(mover, fault is not None)
            self._ledger.issue_ruling(self._ledger.make_ruling(Status.UNFINISHED, text, move=delay))
        return True

    def _judge_pass_or_nothing(self, mover: Colour, turn: ClosedTurn) -> None:
        record, placement = self._self_capture or (None, None)
        if turn.call is not None and not self._has_draws:
            self._acts = self._acts.without_acts(self._acts.calls_before(turn))
            self._ledger.judge_declared(Pass(mover))
        elif placement is not None and record is self._ledger.record:
            self._ledger.judge_declared(placement)
        else:
            self._ledger.refuse_turn(Pass(mover), Prohibition(Reason.PASS_NOT_AVAILABLE), always=True)

    # Agreements

    def _offer_exchange(self, fault: Fault) -> Fault:
        """Return the fault that both lids lost equally many, or the reason why it cannot be agreed on."""
        settlement = Exchange(fault.exchange)
        verdict = judge_settlement(self._ledger.record, settlement)
        if verdict.after is None:
            return Fault(
                Status.UNEXPLAINED, ruling_messages.settlement_message(self._ledger.record, settlement, verdict)
            )
        self._offer = settlement
        return fault

    def _is_agreement(self, dones: tuple[TableAct, ...], look: BoardLikelihoods, lids: Lids | None) -> bool:
        """Return True if the table shows a possible agreement and both have pressed `done`.

        They pressed at once, or the second of them after the announcement.
        """
        record, offer = self._ledger.record, self._offer
        self._offer = None
        agreement = find_agreement(record, look, lids)
        second = offer is not None and agreement == offer and dones[0].player is not record.to_play
        both = second or len({act.player for act in dones}) == 2
        if agreement is None or not both or self._find_legal_turns(len(dones), look, lids):
            return False
        self._ledger.write_settlement(agreement)
        return True


def _explain_turns(search: Search, count: int) -> Consensus | None:
    """Return the consensus of the explanations of so many closed turns, also where there are too many to try."""
    explanations = search.list_explanations()
    if not search.has_given_up or search.resigns:
        consensus = find_consensus(drop_refused_orders(explanations))
        is_unsure = (
            consensus is not None
            and 1 < count <= len(consensus.explanation.turns)
            and _may_lack_a_stone(search, consensus)
        )
        return None if is_unsure else consensus
    return explain_closed(search, count)


def _may_lack_a_stone(search: Search, consensus: Consensus) -> bool:
    """Return True if captured stones lie there, and not the stones of all turns: one that was captured and lifted
    unseen explains the look as well as these turns do.
    """
    best, likeliest, start = consensus.explanation, search.look.likeliest, search.start.position
    if not all_unlifted(best.left) & reduce(or_, map(find_removed_stones, best.records), 0):
        return False
    known_unlifted = search.left or (0,) * len(start.stones)
    added = [now & ~was & ~left for now, was, left in zip(likeliest.stones, start.stones, known_unlifted, strict=True)]
    return sum(map(int.bit_count, added)) != sum(isinstance(turn, Placement) for turn in best.turns)


def _find_captured_before_last(explanation: Explanation) -> Mask:
    """Return the stones that still lie there and were captured before the last turn, which may be a refused one."""
    before = explanation.records if explanation.refused is not None else explanation.records[:-1]
    return all_unlifted(explanation.left) & reduce(or_, map(find_removed_stones, before), 0)


def _find_earlier_lid_fault(explanation: Explanation, lids: Lids) -> Fault | None:
    """Return the fault that stones captured before the last turn have not come into the lid of who captured them."""
    before, bowls = explanation.records[:-1], explanation.records[-1].bowls
    for player in COLOURS[:2]:
        captured = sum(captured_count(record) for record in before if record.turn and record.turn.player is player)
        fault = find_fault_after_placement(player, captured, bowls, lids) if captured else None
        if fault is not None and fault.status is Status.UNFINISHED:
            return fault
    return None


def _is_last_capture_unlifted(consensus: Consensus) -> bool:
    """Return True if the last turn captured stones that still lie there, and no other turn may have been the last."""
    best = consensus.explanation
    return bool(all_unlifted(best.left) & find_removed_stones(best.records[-1])) and not consensus.orders[-1]


def find_agreement(record: GameRecord, look: BoardLikelihoods, lids: Lids | None) -> Settlement | None:
    """Return the agreement that the table shows, certain in every stone; None if it shows none or an impossible one."""
    if lids is None or record.rules.delays is None:
        return None
    settlement = (
        _find_removal(record, look, lids) if look.find_misfits(record.position) else _find_exchange(record, lids)
    )
    after = judge_settlement(record, settlement).after if settlement is not None else None
    return settlement if after is not None and lids.may_hold(after.bowls) else None


def _find_exchange(record: GameRecord, lids: Lids) -> Exchange | None:
    fault = find_fault_without_placement(record, None, lids)
    return Exchange(fault.exchange) if fault is not None and fault.exchange else None


def _find_removal(record: GameRecord, look: BoardLikelihoods, lids: Lids) -> Removal | None:
    """Return the removal if whole chains are gone, nothing else changed, and each stone lies in the opponent's lid."""
    position, removed = record.position, look.find_misfits(record.position)
    if removed & ~(position.occupied & look.likeliest.empty) or sum(find_chains(position, removed)) != removed:
        return None
    additions = {
        (opponent_of(colour), colour): (position.stones_of(colour) & removed).bit_count() for colour in COLOURS[:2]
    }
    is_moved = lids.find_wrong_cells(record.bowls) == {cell: count for cell, count in additions.items() if count}
    return Removal(removed) if is_moved else None
