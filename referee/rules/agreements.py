"""Agreements of both players during play, which leave the result unchanged; and the stones set up after a gap.

Source: Analysis of Ultimate Go, section III, remarks ("removing dead stones, [...] automatic prisoner exchange"). Only
for two players and for the rule sets of that text, in which prisoners are returned; an agreement uses no turn (our
reading).

A gap is a time in which nobody saw how play went on; it may come under any rules of two players. What was played in it
is not judged. Prisoners are those of the record and of chains that were surely captured meanwhile, unless somebody has
counted them: `find_stones_captured_since`. Positions of the gap are unknown to the rules of repetition; those before it
count, except where a pass in the gap would have cleared them (`KoRule.sets_up`).
"""

from __future__ import annotations

from referee.game.board import COLOURS, Mask, Position, opponent_of, points_of
from referee.game.messages import Message, Stones, message
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord, Situation
from referee.game.regions import find_chains
from referee.game.ruling import Prohibition, Reason
from referee.game.turns import Exchange, Removal, Settlement, SetUp, Turn
from referee.rules.legality import Verdict, judge
from referee.rules.ultimate import is_in_handicap_stretch

_PLAYERS = COLOURS[:2]


def apply_action(record: GameRecord, act: Turn | Settlement) -> Verdict:
    """Judge a player's turn, or an agreement of both players, and return the verdict with the resulting record."""
    return judge_settlement(record, act) if isinstance(act, Settlement) else judge(record, act)


def judge_settlement(record: GameRecord, settlement: Settlement) -> Verdict:
    """Judge an agreement of the players and return the verdict with the resulting record."""
    if record.ended:
        return Verdict(Prohibition(Reason.GAME_OVER), None)
    if isinstance(settlement, SetUp):
        return _set_up(record, settlement)
    if record.rules.delays is None or record.players > 2:
        return _refuse_settlement(Reason.AGREEMENT_NOT_AVAILABLE, message("why.agreement-rules"))
    if isinstance(settlement, Exchange):
        return _judge_exchange(record, settlement)
    return _judge_removal(record, settlement.stones)


def _refuse_settlement(reason: Reason, why: Message) -> Verdict:
    return Verdict(Prohibition(reason, note=why), None)


def _judge_exchange(record: GameRecord, settlement: Exchange) -> Verdict:
    """Judge an exchange, which takes as many prisoners out of each bowl.

    In handicap turns White's prisoners cannot be exchanged.
    """
    bowls = record.bowls
    for owner in _PLAYERS:
        left = bowls.count_prisoners(owner, opponent_of(owner))
        if left < settlement.count:
            few = message("why.agreement-few", player=owner, stones=Stones(left, opponent_of(owner)))
            return _refuse_settlement(Reason.NO_PRISONER, few if left else message("why.agreement-none", player=owner))
    if record.handicap and is_in_handicap_stretch(record):
        return _refuse_settlement(Reason.MUST_DELAY, message("why.agreement-handicap"))
    for owner in _PLAYERS:
        bowls = bowls.change_count(owner, opponent_of(owner), -settlement.count)
    return Verdict(None, record.with_settlement(settlement, record.situation.with_bowls(bowls)))


def _judge_removal(record: GameRecord, stones: Mask) -> Verdict:
    """Judge the removal of the chains of these stones, which become prisoners in the opponents' bowls."""
    position, now = record.position, record.situation
    empty = stones & ~position.occupied
    if empty:
        point = position.board.name(next(points_of(empty)))
        return _refuse_settlement(Reason.AGREEMENT_NOT_AVAILABLE, message("dead.empty", point=point))
    whole, bowls = sum(find_chains(position, stones)), record.bowls
    for colour in _PLAYERS:
        bowls = bowls.change_count(opponent_of(colour), colour, (position.stones_of(colour) & whole).bit_count())
    after = Situation(position.without_stones(whole), bowls, now.to_play, now.resigned)
    return Verdict(None, record.with_settlement(Removal(whole), after), whole)


def _set_up(record: GameRecord, setup: SetUp) -> Verdict:
    """Let the game go on from these stones. Without a next player it is the one whose turn it was before the gap."""
    if record.players > 2:
        return _refuse_settlement(Reason.AGREEMENT_NOT_AVAILABLE, message("why.set-up-players"))
    now = record.situation
    position = Position(now.position.board, setup.stones)
    bowls = setup.bowls or _bowls_after_gap(record, position)
    after = Situation(position, bowls, setup.to_play or now.to_play, now.resigned)
    return Verdict(None, record.with_settlement(setup, after))


def _bowls_after_gap(record: GameRecord, after: Position) -> Bowls:
    bowls = record.bowls
    if record.rules.bowls.are_prisoners_kept:
        for colour, stones in zip(_PLAYERS, find_stones_captured_since(record.position, after), strict=True):
            bowls = bowls.change_count(opponent_of(colour), colour, stones.bit_count())
    return bowls


def find_stones_captured_since(before: Position, after: Position) -> tuple[Mask, ...]:
    """Return the stones, one mask a colour, that were captured if play led from one position to the other.

    They are the chains that are gone as a whole, and on all whose liberties the opponent has a stone now. Stones that
    were moved, or lifted as dead, are none; nor is a chain around which stones were captured again since.
    """
    masks = []
    for colour in _PLAYERS:
        own, foe, captured = before.stones_of(colour), after.stones_of(opponent_of(colour)), 0
        for chain in find_chains(before, own & ~after.stones_of(colour)):
            if not chain & after.stones_of(colour) and not before.liberties_of(chain) & ~foe:
                captured |= chain
        masks.append(captured)
    return tuple(masks)
