"""Ing's count: each player fills their own area with a full set of stones.

The margin is the stones left over or the points left empty. Source: Ing's SST rules as described by Kim, Simon and
Straus, parts 2 and 3. The count must equal the difference of the areas less White's compensation; here it is done with
stones, step by step, as people do it at a table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

from referee.game.board import Board, Colour, Mask, Position, opponent_of, points_of
from referee.game.count_result import Count, CountStep, Layout, winning_result
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Message, Points, Stones, message, name_points
from referee.game.regions import points_bordered_by, some_points
from referee.score import awards
from referee.score.area import result_message
from referee.score.awards import Award

_PLAYERS = (Colour.BLACK, Colour.WHITE)


def set_size(board: Board) -> int:
    """Return the size of a full set: 180 on 19x19, 40 on 9x9, half the points rounded down on any other board."""
    return board.points // 2


def count(
    position: Position,
    dead: Mask = 0,
    to_white: float = 8,
    ties_to: Colour = Colour.BLACK,
    supplies: tuple[int, int] | None = None,
    more: Sequence[Award] = (),
) -> Count:
    """Return the fill-in count of a game of two players.

    Args:
        position: the board, with dead stones on it.
        dead: the dead stones.
        to_white: compensation, in points.
        ties_to: the winner if the points are equal.
        supplies: Black's and White's stones beside the board, counted before anything is lifted; None if both sets are
            known to be full.
        more: penalties, which are laid out with the compensation.
    """
    filling = _Filling.begin_filling(position, dead)
    missing = filling.make_sets_full(position, supplies)
    filling.lift_dead(position, dead)
    all_awards = (*awards.award_komi(to_white), *more)
    for award in all_awards if more else ():
        filling.steps.append(award.to_step(filling.layout))
    compensation = filling.plan_compensation(awards.total_awards(all_awards))
    filling.make_room(compensation)
    filling.lay_compensation(compensation)
    filling.fill_shared()
    for colour in _PLAYERS:
        filling.fill_area(colour)
    before = {colour: filling.standing_of(colour) for colour in _PLAYERS}
    lead = before[Colour.WHITE].surplus - before[Colour.BLACK].surplus - compensation.on_paper
    result = winning_result(lead, f"{ties_to}+0")
    filling.place_losing_stones(before, compensation.on_paper)
    filling.add_step(None, "result", result_message(result))
    figures: dict[str, object] = {c.value: before[c].figures(filling.area[c], missing[c]) for c in _PLAYERS}
    figures |= {**awards.award_figures(all_awards), "shared": filling.shared.bit_count(), **compensation.figures()}
    figures |= {"margin": abs(lead), "empty": position.board.names(filling.empty)}
    return Count("fill-in", result, tuple(filling.steps), figures, dead, laid_out=filling.layout.position)


@dataclass(frozen=True)
class _Compensation:
    """The compensation as it is given.

    Attributes:
        giver: the player who gives it.
        stones: the number of the receiver's stones put into the giver's area.
        left_open: the number of points there that stay empty.
        on_paper: the rest that fits neither way, positive if it is for White.
    """

    giver: Colour
    stones: int
    left_open: int
    on_paper: float

    def figures(self) -> dict[str, object]:
        return {"compensation_stones": self.stones, "left_open": self.left_open}


@dataclass(frozen=True)
class _Standing:
    """A player after filling: stones in hand, and points of their area that are empty for want of stones."""

    in_hand: int
    empty: int

    @property
    def surplus(self) -> int:
        return self.in_hand - self.empty

    def figures(self, area: Mask, missing: int) -> dict[str, int]:
        return {"area": area.bit_count(), "left_over": self.in_hand, "empty": self.empty, "missing": missing}


@dataclass
class _Filling:
    """The board and both supplies during the count.

    Attributes:
        board: the lines.
        stones: each player's stones on the board.
        area: each player's area.
        shared: the points of nobody's area.
        supply: the number of each player's stones beside the board.
        dead: dead stones not lifted yet.
        open_points: points that stay empty as compensation.
        losing: the loser's stones in the winner's area.
        steps: the steps of the count so far.
    """

    board: Board
    stones: dict[Colour, Mask]
    area: dict[Colour, Mask]
    shared: Mask
    supply: dict[Colour, int]
    dead: Mask = 0
    open_points: Mask = 0
    losing: Mask = 0
    steps: list[CountStep] = field(default_factory=list)

    @classmethod
    def begin_filling(cls, position: Position, dead: Mask) -> _Filling:
        after, board = position.without_stones(dead), position.board
        area = {colour: after.stones_of(colour) | points_bordered_by(after, colour) for colour in _PLAYERS}
        shared = board.full & ~area[Colour.BLACK] & ~area[Colour.WHITE]
        supply = {colour: set_size(board) - position.stones_of(colour).bit_count() for colour in _PLAYERS}
        return cls(board, {colour: position.stones_of(colour) for colour in _PLAYERS}, area, shared, supply, dead)

    @property
    def empty(self) -> Mask:
        return self.board.full & ~self.stones[Colour.BLACK] & ~self.stones[Colour.WHITE]

    def add_step(self, player: Colour | None, act: str, sentence: Message) -> None:
        self.steps.append(CountStep(player, act, sentence, layout=self.layout))

    @property
    def layout(self) -> Layout:
        """Return the present board, and the points of each area that are to be filled, or show the margin."""
        open_to = (self.empty | self.dead | self.losing) & ~self.open_points
        position = Position(self.board, (self.stones[Colour.BLACK], self.stones[Colour.WHITE]))
        return Layout(position, self.dead, tuple(self.area[colour] & open_to for colour in _PLAYERS))

    def make_sets_full(self, position: Position, supplies: tuple[int, int] | None) -> dict[Colour, int]:
        """Replace missing stones; return the number that each player lacked (negative: had too many)."""
        counts = supplies or (self.supply[Colour.BLACK], self.supply[Colour.WHITE])
        missing = {colour: self.supply[colour] - count for colour, count in zip(_PLAYERS, counts, strict=True)}
        for colour, number in missing.items():
            size = set_size(position.board)
            if number > 0:
                stones = Stones(number, colour)
                self.add_step(
                    colour, "replace", message("score.replace", player=colour, size=size, n=number, stones=stones)
                )
            elif number < 0:
                more = Stones(-number)
                self.add_step(
                    colour, "remove", message("score.remove", player=colour, size=size, n=-number, stones=more)
                )
        return missing

    def lift_dead(self, position: Position, dead: Mask) -> None:
        for colour in _PLAYERS:
            dead_stones = position.stones_of(colour) & dead
            self.stones[colour] &= ~dead_stones
            self.dead &= ~dead_stones
            self.supply[colour] += dead_stones.bit_count()
            if dead_stones:
                back = message("score.back-to-supply", player=colour, points=name_points(self.board, dead_stones))
                self.add_step(colour, "lift", back + self._supply_message(colour))

    def plan_compensation(self, to_white: float) -> _Compensation:
        """Return the division of the compensation, as far as there are stones and points for it."""
        giver = Colour.BLACK if to_white >= 0 else Colour.WHITE
        whole, points = math.floor(abs(to_white)), self.area[giver].bit_count()
        stones = min(whole // 2, points, set_size(self.board) - self.shared.bit_count() // 2)
        left_open = min(whole % 2, points - stones)
        on_paper = abs(to_white) - 2 * stones - left_open
        return _Compensation(giver, stones, left_open, math.copysign(on_paper, to_white))

    def make_room(self, compensation: _Compensation) -> None:
        """Lift stones from the inside of a player's area if a set is too small or the compensation needs room."""
        half = self.shared.bit_count() // 2
        for colour in _PLAYERS:
            gives = colour is compensation.giver
            shortage = half + (0 if gives else compensation.stones) - self.supply[colour]
            vacant = (self.area[colour] & self.empty).bit_count()
            room = compensation.stones + compensation.left_open - vacant if gives else 0
            self._lift_inside(colour, max(shortage, room, -self.supply[colour], 0))

    def _lift_inside(self, colour: Colour, many: int) -> None:
        if not many:
            return
        inner = self.stones[colour] & ~self.board.adjacent_to(self.board.full & ~self.area[colour])
        stones = some_points(inner, many)
        stones |= some_points(self.stones[colour] & ~stones, many - stones.bit_count())
        self.stones[colour] &= ~stones
        self.supply[colour] += many
        where = name_points(self.board, stones)
        sentence = message("score.make-room", player=colour, stones=Stones(many), points=where)
        self.add_step(colour, "lift", sentence + self._supply_message(colour))

    def lay_compensation(self, compensation: _Compensation) -> None:
        receiver = opponent_of(compensation.giver)
        if compensation.stones:
            where = self._lay_stones(
                receiver, some_points(self.area[compensation.giver] & self.empty, compensation.stones)
            )
            many = Stones(compensation.stones)
            sentence = message("score.compensate", player=receiver, stones=many, other=compensation.giver, points=where)
            self.add_step(receiver, "compensate", sentence + self._supply_message(receiver))
        if compensation.left_open:
            self.open_points = some_points(self.area[compensation.giver] & self.empty, 1)
            point = name_points(self.board, self.open_points)
            self.add_step(
                compensation.giver, "leave-open", message("score.leave-open", player=compensation.giver, point=point)
            )
        if compensation.on_paper:
            receiver = _find_receiver(compensation.on_paper)
            self.add_step(receiver, "note", message("score.on-paper", player=receiver, n=abs(compensation.on_paper)))

    def fill_shared(self) -> None:
        """Fill the shared points alternately over the whole board; an odd one stays empty."""
        shared = list(points_of(self.shared))
        half = len(shared) // 2
        for colour, first in zip(_PLAYERS, (0, 1), strict=True):
            self._lay_stones(colour, sum(1 << point for point in shared[first : 2 * half : 2]))
        odd = message("score.stays-empty", point=self.board.name(shared[-1])) if len(shared) % 2 else None
        if half:
            sentence = message("score.share", shared=len(shared), each=half) + odd
            self.add_step(None, "share", sum(map(self._supply_message, _PLAYERS), sentence))
        elif odd:
            self.add_step(None, "share", odd)

    def fill_area(self, colour: Colour) -> None:
        free = self._free_points(colour)
        filled_points = some_points(free, self.supply[colour])
        self._lay_stones(colour, filled_points)
        still = free.bit_count() - filled_points.bit_count()
        sentence = message("score.fill", player=colour, stones=Stones(filled_points.bit_count()))
        self.add_step(
            colour, "fill", sentence + (message("score.stay-empty", n=still) if still else self._supply_message(colour))
        )

    def standing_of(self, colour: Colour) -> _Standing:
        return _Standing(self.supply[colour], self._free_points(colour).bit_count())

    def place_losing_stones(self, before: dict[Colour, _Standing], on_paper: float) -> None:
        """Put the loser's stones into the winner's area, and explain how the margin is read from the rest."""
        ahead = before[Colour.WHITE].surplus - before[Colour.BLACK].surplus
        if not ahead:
            return
        winner = Colour.BLACK if ahead > 0 else Colour.WHITE
        loser = opponent_of(winner)
        placed_stones = min(before[loser].in_hand, before[winner].empty)
        if placed_stones:
            self.losing = some_points(self._free_points(winner), placed_stones)
            where = self._lay_stones(loser, self.losing)
            sentence = message(
                "score.losing-stones", player=loser, stones=Stones(placed_stones), other=winner, points=where
            )
            self.add_step(loser, "losing-stones", sentence)
        sentence = message(
            "score.margin",
            player=winner,
            sum=_margin_sum(before[winner], before[loser], placed_stones),
            total=abs(ahead),
        )
        note = message("score.before-paper", player=_find_receiver(on_paper), n=abs(on_paper)) if on_paper else None
        self.add_step(winner, "margin", sentence + note)

    def _free_points(self, colour: Colour) -> Mask:
        return self.area[colour] & self.empty & ~self.open_points

    def _lay_stones(self, colour: Colour, filled_points: Mask) -> Points:
        self.stones[colour] |= filled_points
        self.supply[colour] -= filled_points.bit_count()
        return name_points(self.board, filled_points)

    def _supply_message(self, colour: Colour) -> Message:
        return message("score.left", player=colour, stones=Stones(self.supply[colour]))


def _find_receiver(to_white: float) -> Colour:
    return Colour.WHITE if to_white > 0 else Colour.BLACK


def _margin_sum(winner: _Standing, loser: _Standing, placed_stones: int) -> Message:
    """Return the margin as it is read: the winning points, twice the losing stones, and the stones left in hand."""
    open_points, no_place = winner.empty - placed_stones, loser.in_hand - placed_stones
    parts = [message("score.winning-point", count=open_points)] if open_points else []
    parts += [message("score.losing", count=placed_stones)] if placed_stones else []
    parts += [message("score.no-place", count=no_place)] if no_place else []
    sentence = reduce(lambda left, right: message("score.plus", left=left, right=right), parts)
    return message("score.minus", left=sentence, count=winner.in_hand) if winner.in_hand else sentence


@dataclass(frozen=True)
class Filled:
    """The progress of the filling in one observation. done: as many points are filled as the count fills."""

    message: Message
    done: bool = False


@dataclass(frozen=True)
class _Region:
    """An area, or the shared points.

    Attributes:
        owner: the player, None for the shared points.
        points: its points.
        ends: the board as the count filled it.
    """

    owner: Colour | None
    points: Mask
    ends: Position

    def to_fill(self, board_now: Position) -> int:
        """Return the number of empty points beyond those that stay empty."""
        return (self.points & board_now.empty).bit_count() - (self.points & self.ends.empty).bit_count()

    def describe_difference(self, board_now: Position) -> Message | None:
        """Return a message about the difference from the count in this region, None if there is none."""
        colour = opponent_of(self.owner) if self.owner is not None else Colour.BLACK
        stones_now, stones_counted = (
            (self.points & board.stones_of(colour)).bit_count() for board in (board_now, self.ends)
        )
        empty, stay = ((self.points & board.empty).bit_count() for board in (board_now, self.ends))
        if (stones_now, empty) == (stones_counted, stay):
            return None
        expected, actual = Stones(stones_counted, colour), Stones(stones_now, colour)
        if self.owner is None:
            return message("score.shared-differ", stones=expected, empty=stay, found=actual, left=empty)
        return message("score.area-differs", player=self.owner, stones=expected, empty=stay, found=actual, left=empty)


def progress_of_filling(position: Position, count: Count, look: BoardLikelihoods) -> Filled | None:
    """Return the progress of the filling in this observation; None before the filling has begun.

    Args:
        position: the end of the game, dead stones on the board.
        count: by `fill_in.count`, with the board as it filled it.
        look: the observation.
    """
    board_now, ends = look.likeliest, count.laid_out
    if (
        ends is None
        or look.is_too_doubtful
        or board_now.occupied.bit_count() <= position.without_stones(count.dead).occupied.bit_count()
    ):
        return None
    regions = _list_regions(position.without_stones(count.dead), ends)
    to_fill, doubtful = [region.to_fill(board_now) for region in regions], look.doubtful
    if doubtful and sum(to_fill) <= doubtful.bit_count():
        return Filled(message("score.nearly-filled", points=name_points(look.board, doubtful)))
    if sum(to_fill) > 0:
        black, white, shared = to_fill
        return Filled(message("score.to-fill", black=black, white=white, shared=shared))
    return Filled(_compare_with_count(regions, board_now, count), done=True)


def _list_regions(position: Position, ends: Position) -> tuple[_Region, ...]:
    areas = [position.stones_of(colour) | points_bordered_by(position, colour) for colour in _PLAYERS]
    owned = tuple(_Region(colour, area, ends) for colour, area in zip(_PLAYERS, areas, strict=True))
    return (*owned, _Region(None, position.board.full & ~areas[0] & ~areas[1], ends))


def _compare_with_count(regions: tuple[_Region, ...], board_now: Position, count: Count) -> Message:
    differs = [sentence for region in regions if (sentence := region.describe_difference(board_now)) is not None]
    if not differs:
        return message("score.filled-as-counted", result=str(count.result))
    return sum(differs, message("score.filled-otherwise")) + message("score.look-again")
