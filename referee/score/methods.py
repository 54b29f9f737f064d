"""The methods of counting by name, applied to a game with its rule set's komi and compensation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from referee.game.board import COLOURS, Colour, Mask, opponent_of, points_of
from referee.game.count_result import Count, CountStep, DeadStoneClaim, Layout, lead_of, winning_result
from referee.game.errors import BadCount
from referee.game.messages import Listing, message
from referee.game.penalties import points_to_white
from referee.game.record import GameRecord
from referee.game.regions import whole_chains
from referee.game.turns import Placement
from referee.rules.opening_and_end import is_last_a_pass
from referee.score import area, awards, expedited, fill_in, territory
from referee.score.procedure import Amendments, has_first_delay

METHODS = ("expedited", "area", "territory", "fill-in")


@dataclass(frozen=True)
class Agreed:
    """The players' agreements, or findings at the table, before the count.

    Attributes:
        dead: dead stones.
        seki: stones in seki (territory).
        one_sided: Black's and White's one-sided dame (expedited).
        supplies: Black's and White's stones beside the board (fill-in).
    """

    dead: Mask = 0
    seki: Mask = 0
    one_sided: tuple[Mask, Mask] = (0, 0)
    supplies: tuple[int, int] | None = None


def method_of(record: GameRecord) -> str:
    """Return the method of counting of this game's rule set."""
    return "expedited" if record.rules.delays is not None else record.rules.scoring.value


def count(record: GameRecord, agreement: Agreed | None = None, method: str | None = None) -> Count:
    """Count the present position. Raise BadCount if it cannot be counted by this method."""
    agreement, method = agreement or Agreed(), method or method_of(record)
    if record.result is not None:
        raise BadCount(message("score.has-ended", result=record.result))
    if record.players > 2 and method != "area":
        raise BadCount(message("score.two-players", method=method, players=record.players))
    if method == "expedited":
        result = expedited.count(record, agreement.dead, find_amendments(record, agreement))
        return _with_fines(result, record)
    return _count_by(record, agreement, method)


def may_propose(record: GameRecord) -> bool:
    """Return True if the dead stones of this game are what two players agree on after passes, and points are counted.

    Under Ing's rules nothing is proposed: its count fills the board in with stones.
    """
    return record.players == 2 and may_agree(record) and record.rules.scoring.value in ("area", "territory")


def may_agree(record: GameRecord) -> bool:
    """Return True if dead stones are lifted by agreement after passes."""
    return record.rules.delays is None and record.rules.ending.are_dead_stones_lifted


def find_amendments(record: GameRecord, agreement: Agreed) -> Amendments:
    """Return the amendments of the expedited count: one-sided dame, and a beginning before the first delay."""
    early = record.rules.draws is not None and not has_first_delay(record)
    return Amendments(agreement.one_sided, first_delay=early)


def find_layout(record: GameRecord, claim: Agreed | DeadStoneClaim, method: str | None = None) -> Layout:
    """Return the game's board with the dead stones named and the points that a count by this method finds.

    Raise BadCount for stones that cannot be dead, and for a named point without a stone.
    """
    position, method = record.position, method or method_of(record)
    if method == "expedited":
        return expedited.layout(position, claim.dead, claim.one_sided)
    dead, seki = find_claimed_chains(record, claim)
    seki = seki if method == "territory" else 0
    living, players = position.without_stones(dead), COLOURS[: record.players]
    return Layout(position, dead, tuple(territory.find_territory(living, colour, seki) for colour in players))


def find_claimed_chains(record: GameRecord, claim: Agreed | DeadStoneClaim) -> tuple[Mask, Mask]:
    """Return the chains named as dead, which are removed under rules with passes, and those named as in seki.

    Raise BadCount if the rules remove nothing by agreement, for an empty point, and for a chain that is named as both.
    """
    rules, position = record.rules, record.position
    if claim.dead and rules.delays is None and not rules.ending.are_dead_stones_lifted:
        raise BadCount(message("agree.nothing-dead"))
    dead = whole_chains(position, claim.dead)
    if empty := claim.seki & ~position.occupied:
        raise BadCount(message("seki.empty", point=position.board.name(next(points_of(empty)))))
    seki = whole_chains(position, claim.seki)
    if both := dead & seki:
        raise BadCount(message("seki.dead", point=position.board.name(next(points_of(both)))))
    return dead, seki


def _count_by(record: GameRecord, agreement: Agreed, method: str) -> Count:
    position, komi, for_handicap = record.position, komi_of(record, method), compensation_of(record, method)
    (dead, seki), fines = find_claimed_chains(record, agreement), awards.award_penalties(record.penalties)
    more = (*awards.award_compensation(for_handicap), *fines)
    if method == "area":
        return area.count(position, dead, komi, record.remaining_players, more)
    if method == "territory":
        return territory.count(position, count_prisoners(record), dead, seki, komi, more)
    if method == "fill-in":
        ties_to = Colour.WHITE if record.handicap else Colour.BLACK
        return fill_in.count(position, dead, komi + for_handicap, ties_to, agreement.supplies, fines)
    raise BadCount(message("score.no-method", method=method, methods=Listing(METHODS)))


def _with_fines(count: Count, record: GameRecord) -> Count:
    """Return an expedited count, in which a move is a point, with the players' penalties added."""
    fines = awards.award_penalties(record.penalties)
    if not fines:
        return count
    layout = count.steps[-1].layout if count.steps else None
    assert isinstance(count.result, str) and layout is not None
    result = winning_result(lead_of(count.result) - awards.total_awards(fines))
    ending = CountStep(None, "result", area.result_message(result), layout=layout)
    steps = (*count.steps, *(fine.to_step(layout) for fine in fines), ending)
    return replace(count, result=result, steps=steps, counts={**count.counts, **awards.award_figures(fines)})


def white_receives(record: GameRecord, method: str) -> float:
    """Return White's komi, handicap compensation and net penalty points."""
    points = komi_of(record, method) + compensation_of(record, method)
    return points + points_to_white(record.penalties)


def komi_of(record: GameRecord, method: str) -> float:
    """Return the komi that a count by this method adds.

    If komi was put into the bowls as stones, a count of prisoners includes it already, except for a half.
    """
    in_bowls = method == "territory" and record.rules.delays is not None
    return math.fmod(record.komi, 1) if in_bowls else record.komi


def compensation_of(record: GameRecord, method: str) -> float:
    """Return the rule set's compensation of White in a handicap game.

    Compensation by the number of stones makes up for the handicap stones on the board, which only a count of area or
    with full sets counts; a number of points is given in every count.
    """
    rule, stones = record.rules.compensation, record.handicap if record.handicap > 1 else 0
    if isinstance(rule, str):
        by_stones = {"stones": stones, "stones-less-one": max(stones - 1, 0)}
        return 0 if method == "territory" else by_stones.get(rule, 0)
    return rule if stones else 0


def count_prisoners(record: GameRecord) -> tuple[int, int]:
    """Return the white stones that Black holds, and the black ones that White holds, by the record.

    The lids confirm the record.
    """
    if not record.rules.bowls.are_prisoners_kept:
        white, black = (_count_stones_gone(record, colour) for colour in (Colour.WHITE, Colour.BLACK))
        return white, black
    black_has, white_has = (
        record.bowls.count_prisoners(colour, opponent_of(colour)) for colour in (Colour.BLACK, Colour.WHITE)
    )
    return black_has, white_has


def _count_stones_gone(record: GameRecord, colour: Colour) -> int:
    """Return the number of a colour's stones that were on the board, or handed over at a pass, and are gone."""
    uses = sum(
        _has_used_stone(earlier)
        for earlier in record.iterate_back()
        if earlier.turn is not None and earlier.turn.player is colour
    )
    return record.start.position.stones_of(colour).bit_count() + uses - record.position.stones_of(colour).bit_count()


def _has_used_stone(record: GameRecord) -> bool:
    """Return True if the newest turn used up a stone: a self-capture that counts as a pass takes its stone back."""
    return record.rules.ending.has_pass_stones if is_last_a_pass(record) else isinstance(record.turn, Placement)
