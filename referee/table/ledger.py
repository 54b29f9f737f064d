"""The mutable state of one game: its record, its unfinished turns and the rulings issued.

The director may take back the newest turns or enter a turn as it was made. Both correct a misread turn; a table that no
turn explains is resolved by entering the turns that led to it. Rulings are never removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.game.actor import Actor, attribute_to_director
from referee.game.board import Mask, mask_of, points_of
from referee.game.likelihoods import (
    NONE_LEFT,
    BoardLikelihoods,
    UnliftedStones,
    all_unlifted,
    collect_unlifted,
    find_differences,
    merge_unlifted,
)
from referee.game.messages import Message, message
from referee.game.observation import LidSight
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.ruling import Prohibition, Reason, Ruling, Status
from referee.game.turns import Delay, Placement, Settlement, SetUp, Turn
from referee.inference.lids import Cell, Fault, LidKeeper, Lids, at_start
from referee.inference.search import Consensus, more_left, with_stone
from referee.rules import ruling_messages
from referee.rules.agreements import judge_settlement
from referee.rules.legality import judge
from referee.rules.setup import LARGEST_KOMI
from referee.table.events import EnterAgreement, EnterTurn, TakeBack


@dataclass(frozen=True)
class Unfinished:
    """A recorded turn that the players still have to complete on the table.

    lids: it waits for the lids
    """

    ruling: Ruling
    lids: bool = False


class GameLedger:
    """The state of one game. New rulings are collected until `take_rulings` returns them.

    defers_doubtful_turns: no turn is written while an undetected one may have come before it
    """

    def __init__(self, record: GameRecord, black_side: int | None, defers_doubtful_turns: bool = True) -> None:
        self.record = record
        self.defers_doubtful_turns = defers_doubtful_turns
        self.lids = LidKeeper(black_side)
        self.left: UnliftedStones = NONE_LEFT
        self._unfinished: list[Unfinished] = []
        self._last_finding: Ruling | None = None
        self._new_rulings: list[Ruling] = []
        self._stamped_count = 0
        self._tolerated_record: GameRecord | None = None

    @property
    def needs_lids(self) -> bool:
        """Return True if a turn can consist of a change in a lid alone, so that writing waits for the lids."""
        return self.defers_doubtful_turns and self.record.rules.delays is not None

    def take_rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings since the last call."""
        new, self._new_rulings, self._stamped_count = tuple(self._new_rulings), [], 0
        return new

    def stamp_rulings(self, t: float, name: str | None) -> None:
        """Date the rulings since the last call: by the time of what they rule on, and the still's name."""
        self._new_rulings[self._stamped_count :] = (
            replace(ruling, t=t, name=name) for ruling in self._new_rulings[self._stamped_count :]
        )
        self._stamped_count = len(self._new_rulings)

    # Lids

    def lids_of(
        self, sights: tuple[LidSight, ...], open_ends: Sequence[Bowls] = (), is_turn_closed: bool = False
    ) -> Lids | None:
        """Return the lids by owner; None if the rules ignore them or their owners are unknown.

        open_ends: bowls that the record may have reached since, by turns that are not written yet
        is_turn_closed: a turn was closed, so that nobody changes seats any more if the lids have shown who sits where
        """
        if self.record.rules.delays is None:
            return None
        has_begun = self.record.number > 0 or bool(open_ends) or (is_turn_closed and self.lids.believed)
        delay = judge(self.record, Delay(self.record.to_play)).after
        bowls_after_delay = (delay.bowls,) if delay is not None else ()
        return self.lids.assign_lids(sights, (self.record.bowls, *bowls_after_delay, *open_ends), has_begun)

    def lids_at_start(self, sights: tuple[LidSight, ...]) -> Lids | None:
        """Return the lids by owner before play goes on from here.

        Their stones identify the owner, either directly or because they fit only one way round.
        """
        bowls = self.record.bowls
        lids = self.lids.assign_lids(sights, (bowls,), has_begun=False)
        return lids if lids is None or lids.may_hold(bowls) else self.lids.turned_round(sights, bowls) or lids

    def start_missing(self, sights: tuple[LidSight, ...], lids: Lids | None) -> Ruling | None:
        """Return the finding that the lids do not hold what they must before the first turn."""
        if self.record.rules.delays is None or self.record.number or self.lids.believed or len(sights) != 2:
            return None
        if lids is None and self.lids.is_empty_either_way(sights, self.record.bowls):
            return None
        return self.make_ruling(Status.UNFINISHED, at_start(sights, lids, self.record.bowls), turn=0)

    def announce_start(self) -> None:
        """Announce at the start if the first player can only resign, or may declare a draw."""
        if not self.record.number and ruling_messages.forced_options_notice(self.record) is not None:
            self.issue_ruling(
                self.make_ruling(Status.LEGAL, ruling_messages.accepted_turn_message(self.record, 0), turn=0)
            )

    # Accepted turns

    def find_changes(self, look: BoardLikelihoods) -> Mask:
        """Return the points that differ from the record, without captured stones that still lie there."""
        return look.find_misfits(self.record.position) & ~all_unlifted(self.left)

    def accept_consensus(
        self,
        consensus: Consensus,
        note: Message | None = None,
        wrong: Mapping[Cell, int] | None = None,
        inferred: Message | None = None,
    ) -> None:
        """Write the legal turns that were agreed on.

        note: the fault of the lids after the last of them, which makes it unfinished
        wrong: the differences between lids and record after them
        inferred: what they rest on if they were inferred
        """
        best = consensus.explanation
        still = all_unlifted(best.left)
        self.complete_lifted(still)
        self._reopen_newest_turn(still)
        for number, (after, uncertain) in enumerate(zip(best.records, consensus.orders, strict=False), 1):
            is_last = number == len(best.records)
            self.advance_record(
                after, still, _find_doubt(uncertain, consensus.unproved), note if is_last else None, inferred
            )
        self.left = best.left
        self.lids.remember_differences(wrong or {})

    def note_hidden_captures(self, captured: UnliftedStones) -> None:
        """Note captured stones that were taken for lifted but may turn out to be on the board."""
        self.left = merge_unlifted(self.left, captured)

    def accept_uncounted(self, consensus: Consensus, note: Message) -> None:
        """Write turns during which a lid was never counted; from the first delay on they stay unfinished.

        All are uncertain, because more delays than these may have been made.
        """
        open_since = next(n for n, turn in enumerate(consensus.explanation.turns) if isinstance(turn, Delay))
        for number, after in enumerate(consensus.explanation.records):
            doubt = ruling_messages.delays_unseen()
            self.advance_record(after, 0, doubt, note if number >= open_since else None)
        self.left = consensus.explanation.left

    def advance_record(
        self,
        after: GameRecord,
        still: Mask = 0,
        doubt: Message | None = None,
        note: Message | None = None,
        inferred: Message | None = None,
        laid: Mask = 0,
    ) -> None:
        """Write one legal turn, or the newest once more. Captured stones still on the board, its own or earlier ones,
        leave it unfinished.

        doubt: why it is uncertain that the turn was made then
        laid: the handicap stones that were laid at once, the last of which this turn is
        """
        self.record, captured = after, find_removed_stones(after)
        points = still & (captured | self._find_awaited_points())
        is_unfinished = bool(points or note)
        if is_unfinished:
            text = _build_task_message(after, points, note)
        else:
            text = ruling_messages.accepted_turn_message(after, captured, doubt, laid)
        if after.before is not None and after.before is self._tolerated_record:
            text = ruling_messages.after_tolerated_move(self._tolerated_record, text)
        ruling = self.make_ruling(
            Status.UNFINISHED if is_unfinished else Status.LEGAL,
            text + inferred,
            turn=after.number,
            move=after.turn,
            captured=captured,
            points=points,
            order="uncertain" if doubt is not None else None,
        )
        if is_unfinished:
            self._unfinished.append(Unfinished(ruling, lids=note is not None))
        self.issue_ruling(ruling)

    def judge_declared(self, turn: Turn) -> None:
        """Write a turn that was declared and not seen, or refuse it."""
        verdict = judge(self.record, turn)
        if verdict.after is not None:
            self.advance_record(verdict.after)
        elif verdict.prohibition is not None:
            self.refuse_turn(turn, verdict.prohibition, always=True)

    def let_stand(self, after: GameRecord) -> None:
        """Write an illegal placement that was not taken back before play went on; it was ruled illegal earlier."""
        self.record = after
        self._tolerated_record = after

    def correct_newest(self, consensus: Consensus) -> None:
        """Replace the newest turn, which was misread, by the turns that were made."""
        self.record, self._unfinished = self.record.taken_back(), []
        before = len(self._new_rulings)
        self.accept_consensus(consensus)
        first = self._new_rulings[before]
        self._new_rulings[before] = replace(first, message=ruling_messages.turn_corrected(first.message))

    def take_back_inferred(self, start: GameRecord) -> None:
        """Take back the turns since a record, which were inferred wrongly; what was made instead is not known yet."""
        self.record, self.left, self._unfinished = start, NONE_LEFT, []
        text = ruling_messages.inferred_corrected(start.number + 1)
        self.issue_ruling(self.make_ruling(Status.LEGAL, text, turn=start.number))

    def adopt_overruled(self, overruled: Overruled) -> None:
        """Adopt the record that the director decided on: nothing in it is unfinished or owed."""
        self.record, self.left, self._unfinished = overruled.record, NONE_LEFT, []
        self.lids.owed.clear()
        turn, move, captured = self.record.number, overruled.turn, overruled.captured
        self.issue_ruling(self.make_ruling(Status.LEGAL, overruled.message, turn=turn, move=move, captured=captured))

    def write_settlement(self, settlement: Settlement) -> None:
        """Write what both players agreed on, once it was seen and is permitted."""
        before, verdict = self.record, judge_settlement(self.record, settlement)
        if verdict.after is not None:
            self.record = verdict.after
            text = ruling_messages.settlement_message(before, settlement, verdict)
            self.issue_ruling(self.make_ruling(Status.LEGAL, text, turn=before.number, captured=verdict.captured))

    def set_up(self, gap: SetUp) -> None:
        """Go on from these stones, because nobody saw how play went on; nothing is unfinished or owed then."""
        before, after = self.record, judge_settlement(self.record, gap).after
        assert after is not None, "two players, and the game is not over"
        self.record, self.left, self._unfinished = after, NONE_LEFT, []
        self.lids.owed.clear()
        points = find_differences(before.position, after.position)
        self.issue_ruling(
            self.make_ruling(Status.LEGAL, ruling_messages.gap_message(before, gap), turn=before.number, points=points)
        )

    def note_lifted(self, look: BoardLikelihoods) -> None:
        """Complete the turns whose captured stones this look shows lifted; a hidden point shows nothing."""
        if self.left == NONE_LEFT or look.is_too_doubtful:
            return
        hidden = collect_unlifted(stones & look.doubtful & self.record.position.empty for stones in self.left)
        self.left = merge_unlifted(look.find_standing_stones(self.left, self.record.position), hidden)
        self.complete_lifted(all_unlifted(self.left))

    def complete_lifted(self, still: Mask) -> None:
        """Complete the turns whose captured stones have all been lifted.

        still: the captured stones that are still on the board
        """
        waiting, self._unfinished = self._unfinished, []
        for unfinished in waiting:
            points = tuple(point for point in unfinished.ruling.points if still >> point & 1)
            if points == unfinished.ruling.points:
                self._unfinished.append(unfinished)
            elif points or unfinished.lids:
                note = ruling_messages.lids_too() if unfinished.lids else None
                text = _build_task_message(self.record_at(unfinished.ruling.turn), mask_of(points), note)
                text += ruling_messages.inferred_part(unfinished.ruling.message)
                self._unfinished.append(
                    replace(unfinished, ruling=replace(unfinished.ruling, points=points, message=text))
                )
                self.issue_ruling(self._unfinished[-1].ruling)
            else:
                self._complete_ruling(unfinished.ruling)

    def _reopen_newest_turn(self, still: Mask) -> None:
        """Mark the newest turn unfinished if captured stones thought lifted are still on the board."""
        points = still & find_removed_stones(self.record) & ~self._find_awaited_points()
        if points and not any(unfinished.ruling.turn == self.record.number for unfinished in self._unfinished):
            self.advance_record(self.record, points)

    def _find_awaited_points(self) -> Mask:
        return mask_of(point for unfinished in self._unfinished for point in unfinished.ruling.points)

    def lids_right(self) -> None:
        """Clear the lids' differences, and complete the turns that waited for them alone."""
        self.lids.owed.clear()
        waiting, self._unfinished = self._unfinished, []
        for unfinished in waiting:
            if unfinished.lids and not unfinished.ruling.points:
                self._complete_ruling(unfinished.ruling)
            else:
                self._unfinished.append(replace(unfinished, lids=False))

    def _complete_ruling(self, ruling: Ruling) -> None:
        text = ruling_messages.turn_complete_message(self.record_at(ruling.turn), mask_of(ruling.captured))
        text += ruling_messages.inferred_part(ruling.message)
        self.issue_ruling(replace(ruling, status=Status.LEGAL, message=text, points=()))

    def record_at(self, number: int) -> GameRecord:
        """Return the record after a turn, by its number."""
        return next(record for record in self.record.iterate_back() if record.number == number)

    # Rulings

    def issue_ruling(self, ruling: Ruling) -> None:
        """Issue a ruling; an equal finding after it counts as new."""
        self._new_rulings.append(ruling)
        self._last_finding = None

    def issue_finding(self, ruling: Ruling) -> None:
        """Issue a finding that changes nothing in the record, unless it repeats the last one."""
        if self._last_finding is None or not _is_repeat(ruling, self._last_finding):
            self._new_rulings.append(ruling)
            self._last_finding = ruling

    def append_remark(self, turn: int, remark: Message) -> None:
        """Append a sentence to the pending rulings on a turn."""
        self._new_rulings = [replace(r, message=r.message + remark) if r.turn == turn else r for r in self._new_rulings]

    @property
    def unfinished_rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings on accepted turns that are not complete."""
        return tuple(unfinished.ruling for unfinished in self._unfinished)

    def nothing_wrong(self) -> None:
        """Forget the last finding, because the table agrees with the record: it counts as new if it recurs."""
        self._last_finding = None

    def report_unexplained(self, text: Message, points: Mask = 0) -> None:
        """Issue the finding that no turn explains the table."""
        self.issue_finding(self.make_ruling(Status.UNEXPLAINED, text, points=points))

    def report_change(self, look: BoardLikelihoods, points: Mask) -> None:
        """Issue the finding that no turn explains these points of a look."""
        self.report_unexplained(ruling_messages.unexplained_change(self.record, look.likeliest, points), points)

    def report_unclear(self, look: BoardLikelihoods) -> None:
        """Issue the finding that a look is too doubtful to be judged."""
        self.report_unexplained(ruling_messages.board_unclear(look.doubtful.bit_count()), look.doubtful)

    def ask_for_view(self, look: BoardLikelihoods, points: Mask) -> None:
        """Issue the finding that these points have to be seen better than in a look."""
        self.report_unexplained(ruling_messages.unclear_points_message(look.board, points), points)

    def find_between(self, look: BoardLikelihoods) -> Ruling | None:
        """Return the finding that stones lie between points, with what to correct; None if none do."""
        stones = look.find_unset_stones(self.record.position, self.left)
        if not stones:
            return None
        text = ruling_messages.between_points_message(self.record.position.board, stones)
        return self.make_ruling(Status.UNFINISHED, text, points=mask_of(stone.point for stone in stones))

    def build_fault_ruling(self, fault: Fault, turn: Turn) -> Ruling:
        """Return the ruling on a fault of the lids after a turn; it names the turn if that can still be completed."""
        move = None if fault.status is Status.UNEXPLAINED or fault.exchange else turn
        return self.make_ruling(fault.status, fault.message, move=move, reason=fault.reason)

    def refuse_turn(
        self, turn: Turn, prohibition: Prohibition, always: bool = False, record: GameRecord | None = None
    ) -> None:
        """Rule a turn illegal; it is kept in the rulings and not in the record.

        always: rule even if it repeats the last finding, because the turn was made again
        record: the record before the turn, if not the current one
        """
        before = record or self.record
        captured = _find_captures(before, turn)
        ruling = self.make_ruling(
            Status.ILLEGAL,
            ruling_messages.refusal_message(before, turn, prohibition, captured),
            turn=before.number + 1,
            move=turn,
            reason=prohibition.reason,
            repeats=prohibition.repeats,
            captured=captured,
            points=1 << turn.point if isinstance(turn, Placement) else 0,
        )
        if always:
            self.issue_ruling(ruling)
        else:
            self.issue_finding(ruling)

    def make_ruling(
        self,
        status: Status,
        text: Message,
        *,
        turn: int | None = None,
        move: Turn | None = None,
        reason: Reason | None = None,
        repeats: int | None = None,
        captured: Mask = 0,
        points: Mask = 0,
        order: str | None = None,
    ) -> Ruling:
        """Return a ruling on a turn, the next one if no number is given."""
        number = self.record.number + 1 if turn is None else turn
        player = move.player if move is not None else None
        captured_points, concerned_points = tuple(points_of(captured)), tuple(points_of(points))
        return Ruling(status, number, text, player, move, reason, repeats, captured_points, concerned_points, order)


def _find_doubt(uncertain: bool, unproved: bool) -> Message | None:
    if uncertain:
        return ruling_messages.order_unseen()
    return ruling_messages.delays_unseen() if unproved else None


def without_last(consensus: Consensus) -> Consensus:
    """Return the same turns except the last one."""
    best = consensus.explanation
    shorter = replace(best, turns=best.turns[:-1], records=best.records[:-1])
    return replace(consensus, explanation=shorter, orders=consensus.orders[: len(shorter.records)])


def _is_repeat(finding: Ruling, earlier: Ruling) -> bool:
    """Return True if a finding repeats the one before; a hand that covers other points now does not make it new."""
    hides = finding.message.key == earlier.message.key == ruling_messages.board_unclear(0).key
    return finding == earlier or (hides and finding.turn == earlier.turn)


def find_removed_stones(record: GameRecord) -> Mask:
    """Return the stones that the newest turn took off the board; in a self-capture the placed stone too."""
    if record.before is None or record.turn is None:
        return 0
    return with_stone(record.before.position, record.turn).occupied & ~record.position.occupied


def captured_count(record: GameRecord) -> int:
    """Return the number of stones that the newest turn captured."""
    before = record.before
    return 0 if before is None else (before.position.occupied & ~record.position.occupied).bit_count()


def _build_task_message(record: GameRecord, points: Mask, note: Message | None) -> Message:
    if not points:
        assert note is not None
        return note
    return ruling_messages.stones_to_lift_message(record, points) + note


def hidden_captures(consensus: Consensus, look: BoardLikelihoods) -> UnliftedStones:
    """Return the captured stones that a look neither shows as lifted nor as still on the board."""
    left = NONE_LEFT
    for record in consensus.explanation.records:
        if record.before is not None and record.turn is not None:
            before = with_stone(record.before.position, record.turn)
            left = more_left(left, before, find_removed_stones(record) & look.doubtful)
    return left


def _find_captures(record: GameRecord, turn: Turn) -> Mask:
    if not isinstance(turn, Placement) or record.position.occupied >> turn.point & 1:
        return 0
    return record.position.place(turn.player, turn.point).captured


@dataclass(frozen=True)
class Overruled:
    """The record after the director's decision.

    turn: the turn entered
    captured: the stones that it took off the board
    """

    record: GameRecord
    message: Message
    turn: Turn | None = None
    captured: Mask = 0


def apply_decision(record: GameRecord, decision: TakeBack | EnterTurn | EnterAgreement) -> Overruled | Message:
    """Return the record after the decision, or the reason why it is refused."""
    if record.result is not None:
        return message("director.has-result")
    if isinstance(decision, EnterAgreement):
        return _apply_settlement(record, decision)
    if isinstance(decision, TakeBack):
        return _take_back_turns(record, decision.turns)
    return _apply_entered_turn(record, decision)


def change_komi(record: GameRecord, komi: float) -> GameRecord | Message:
    """Return the record with another komi, or the reason why it is refused."""
    if record.result is not None:
        return message("director.komi-late", result=record.result)
    if record.players > 2:
        return message("director.komi-two")
    if record.rules.delays is not None:
        return message("director.komi-in-lids")
    if not abs(komi) <= LARGEST_KOMI:
        return message("director.komi-bounds", most=LARGEST_KOMI)
    return record.with_komi(komi) if komi != record.komi else message("director.komi-same", komi=komi)


def _take_back_turns(record: GameRecord, turns: int) -> Overruled | Message:
    if turns == 0 and record.unsettled is not None:
        return Overruled(record.unsettled, message("director.settlement-undone"))
    if not 0 < turns <= record.number:
        return message("director.too-few-turns", n=record.number, turns=turns)
    after = record
    for _ in range(turns):
        after = after.taken_back()
    first, last = after.number + 1, record.number
    return Overruled(after, message("director.taken-back", n=turns, first=first, last=last, player=after.to_play))


def _apply_settlement(record: GameRecord, decision: EnterAgreement) -> Overruled | Message:
    verdict = judge_settlement(record, decision.settlement)
    text = ruling_messages.settlement_message(record, decision.settlement, verdict)
    if verdict.after is None:
        return text
    text = attribute_to_director(text) if decision.author is Actor.DIRECTOR else text
    return Overruled(verdict.after, text, captured=verdict.captured)


def _apply_entered_turn(record: GameRecord, decision: EnterTurn) -> Overruled | Message:
    turn = decision.turn
    verdict = judge(record, turn)
    if verdict.prohibition is not None and decision.stands and isinstance(turn, Placement):
        turn = replace(turn, stood=True)
        verdict = judge(record, turn)
    if verdict.after is None:
        assert verdict.prohibition is not None
        return ruling_messages.why_refused(record, turn, verdict.prohibition)
    text = message("director.entered") + ruling_messages.accepted_turn_message(verdict.after, verdict.captured)
    if isinstance(turn, Placement) and turn.stood:
        text += message("director.stands")
    return Overruled(verdict.after, text, turn, verdict.captured)
