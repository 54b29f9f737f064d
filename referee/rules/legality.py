"""The legality of turns: one turn judged, or all options of the player to move.

If several reasons apply, the first in the order of `Reason` is given: the end of the game, whose turn it is, the kind
of turn demanded, the point, the board that it would leave, and options that the rule set does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.game.board import COLOURS, Mask, PlacementOutcome, Point, Position, opponent_of, points_of
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord, Situation
from referee.game.ruling import Prohibition, Reason
from referee.game.survey import non_capturing_safe_points
from referee.game.turns import Delay, Draw, Pass, Placement, Resign, Turn
from referee.rules.opening_and_end import is_counted_as_pass, must_pass


class Verdict:
    """A judged turn.

    Attributes:
        prohibition: the rule that refuses it, None if it is legal.
        after: the record with it, None if it is refused.
        captured: the stones that it takes off the board.
    """

    __slots__ = ("after", "captured", "prohibition")

    def __init__(self, prohibition: Prohibition | None, after: GameRecord | None, captured: Mask = 0) -> None:
        self.prohibition: Final = prohibition
        self.after: Final = after
        self.captured: Final = captured

    @property
    def legal(self) -> bool:
        """Return True if the turn may be made."""
        return self.prohibition is None


def judge(record: GameRecord, turn: Turn) -> Verdict:
    """Judge a turn and return the verdict with the resulting record. The given record stays unchanged."""
    if record.ended or record.handicap or turn.player is not record.situation.to_play:
        reason = _find_order_violation(record, turn)
        if reason is not None:
            return _refuse_turn(reason)
    match turn:
        case Placement():
            return _judge_placement(record, turn)
        case Delay():
            return _judge_delay(record, turn)
        case Pass():
            return _judge_pass(record, turn)
        case Draw():
            return _judge_draw(record, turn)
        case Resign():
            return _judge_resignation(record, turn)


def legal_placements(record: GameRecord) -> Mask:
    """Return the points on which the player to move may place a stone."""
    free = _find_plainly_free(record)
    return free | sum(1 << point for point, prohibition in _judge_others(record, free) if prohibition is None)


def illegal_points(record: GameRecord) -> dict[Point, Reason]:
    """Return the empty points that the player to move may not take, each with the reason."""
    others = _judge_others(record, _find_plainly_free(record))
    return {point: prohibition.reason for point, prohibition in others if prohibition is not None}


def available_delays(record: GameRecord) -> tuple[str, ...]:
    """Return the kinds of delay open to the player to move, as `judge` names them."""
    rule, player = record.rules.delays, record.to_play
    kinds = rule.kinds if rule is not None else ()
    return tuple(kind for kind in kinds if judge(record, Delay(player, ultimate=kind == "ultimate")).legal)


def may_draw(record: GameRecord) -> bool:
    """Return True if the player to move may declare a draw."""
    return judge(record, Draw(record.to_play)).legal


def may_pass(record: GameRecord) -> bool:
    """Return True if the player to move may pass."""
    return judge(record, Pass(record.to_play)).legal


def can_only_resign(record: GameRecord) -> bool:
    """Return True if the player to move can only resign; the referee does not do it for them."""
    if record.ended or available_delays(record) or may_draw(record) or may_pass(record):
        return False
    free = _find_plainly_free(record)
    return not free and all(prohibition is not None for _, prohibition in _judge_others(record, free))


def _refuse_turn(reason: Reason) -> Verdict:
    return Verdict(Prohibition(reason), None)


def _find_order_violation(record: GameRecord, turn: Turn) -> Reason | None:
    if record.ended:
        return Reason.GAME_OVER
    if turn.player is not record.situation.to_play:
        return Reason.NOT_YOUR_TURN
    demand = record.rules.handicap.find_restriction(record) if record.handicap else None
    return None if demand is None or isinstance(turn, (_MEETS[demand], Resign)) else demand


_MEETS: dict[Reason, type] = {Reason.MUST_DELAY: Delay, Reason.MUST_PASS: Pass}


def _judge_placement(record: GameRecord, placement: Placement) -> Verdict:
    landing = _apply_placement(record, placement)
    if isinstance(landing, Prohibition):
        return Verdict(landing, None)
    position, captured = landing
    # Without captures the board changes, so the placement cannot count as a pass.
    if not captured:
        return Verdict(None, record.extend(placement, _next_situation(record, position, record.situation.bowls)))
    is_pass = is_counted_as_pass(record, placement, position)
    bowls = _bowls_after_pass(record) if is_pass else _bowls_with_prisoners(record, placement, captured)
    ended = is_pass and record.rules.ending.is_ended_by_pass(record)
    return Verdict(None, record.extend(placement, _next_situation(record, position, bowls), ended=ended), captured)


def _apply_placement(record: GameRecord, placement: Placement) -> Prohibition | tuple[Position, Mask]:
    """Return the position after the placement and the captured stones, or the rule that refuses it."""
    before, point = record.situation.position, placement.point
    if not 0 <= point < before.board.points:
        return Prohibition(Reason.OFF_BOARD)
    if before.occupied >> point & 1:
        return Prohibition(Reason.OCCUPIED)
    outcome = before.place(placement.player, point)
    if outcome.surrounded or placement.stood:
        return _judge_surrounded(record, placement, outcome)
    after = outcome.position
    return record.rules.ko.find_prohibition(record, placement, after) or (after, outcome.captured)


def _judge_surrounded(
    record: GameRecord, placement: Placement, outcome: PlacementOutcome
) -> Prohibition | tuple[Position, Mask]:
    """Return the same for a stone that captures its own chain, or an illegal placement that the director let stand."""
    captured = outcome.captured | outcome.surrounded
    if placement.stood:
        return outcome.position.without_stones(outcome.surrounded), captured
    after = record.rules.suicide.position_after(outcome)
    if after is None:
        return Prohibition(Reason.SURROUNDED)
    if is_counted_as_pass(record, placement, after):
        return after, captured
    return record.rules.ko.find_prohibition(record, placement, after) or (after, captured)


def _find_plainly_free(record: GameRecord) -> Mask:
    """Return empty points that need not be judged one by one: nothing is captured there, and no position repeats."""
    rules = record.rules
    if record.ended or (record.handicap and rules.handicap.find_restriction(record) is not None):
        return 0
    quiet = non_capturing_safe_points(record.position, record.to_play)
    return quiet & ~rules.ko.refusable_points(record, quiet)


def _judge_others(record: GameRecord, free: Mask) -> Iterator[tuple[Point, Prohibition | None]]:
    """Yield the empty points except the free ones, each judged."""
    for point in points_of(record.position.empty & ~free):
        placement = Placement(record.to_play, point)
        reason = _find_order_violation(record, placement)
        outcome = Prohibition(reason) if reason is not None else _apply_placement(record, placement)
        yield point, outcome if isinstance(outcome, Prohibition) else None


def _bowls_with_prisoners(record: GameRecord, placement: Placement, captured: Mask) -> Bowls:
    """Return the bowls with the captured stones; with two players the opponent gets the stones of a self-capture."""
    if not record.rules.bowls.are_prisoners_kept:
        return record.bowls
    bowls, before = record.bowls, record.position.with_stones(placement.player, 1 << placement.point)
    for colour, stones in zip(COLOURS, before.stones, strict=False):
        count = (stones & captured).bit_count()
        if count and colour is not placement.player:
            bowls = bowls.change_count(placement.player, colour, count)
        elif count and bowls.are_lids:
            bowls = bowls.change_count(opponent_of(colour), colour, count)
    return bowls


def _next_situation(record: GameRecord, position: Position, bowls: Bowls) -> Situation:
    return Situation(position, bowls, record.next_to_play, record.situation.resigned)


def _judge_delay(record: GameRecord, delay: Delay) -> Verdict:
    rule = record.rules.delays
    reason = Reason.DELAY_NOT_AVAILABLE if rule is None else rule.find_objection(record, delay)
    if rule is None or reason is not None:
        return _refuse_turn(reason or Reason.DELAY_NOT_AVAILABLE)
    bowls = rule.bowls_after(record, delay)
    return Verdict(None, record.extend(delay, _next_situation(record, record.position, bowls)))


def _judge_pass(record: GameRecord, turn: Pass) -> Verdict:
    ending = record.rules.ending
    if not ending.may_pass(record) or record.rules.handicap.stones_to_place(record):
        return _refuse_turn(Reason.PASS_NOT_AVAILABLE)
    situation = _next_situation(record, record.position, _bowls_after_pass(record))
    after = record.extend(turn, situation, ended=not must_pass(record) and ending.is_ended_by_pass(record))
    return Verdict(None, after.going_on(turn.then) if turn.resumed and after.ended else after)


def _bowls_after_pass(record: GameRecord) -> Bowls:
    """Return the bowls after a pass of the player to move, or a turn that counts as one."""
    player, bowls = record.to_play, record.bowls
    return bowls.change_count(opponent_of(player), player, 1) if record.rules.ending.has_pass_stones else bowls


def _judge_draw(record: GameRecord, draw: Draw) -> Verdict:
    rule = record.rules.draws
    if rule is None or not rule.is_available(record):
        return _refuse_turn(Reason.DRAW_NOT_AVAILABLE)
    return Verdict(None, record.extend(draw, record.situation, ended=True, result=rule.declared_result(record)))


def _judge_resignation(record: GameRecord, turn: Resign) -> Verdict:
    left = [colour for colour in record.remaining_players if colour is not turn.player]
    if len(left) == 1:
        return Verdict(None, record.extend(turn, record.situation, ended=True, result=f"{left[0]}+R"))
    now, resigned = record.situation, (*record.situation.resigned, turn.player)
    situation = Situation(now.position, now.bowls, record.next_to_play, resigned)
    return Verdict(None, record.extend(turn, situation))
