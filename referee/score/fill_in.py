"""Ing's count: each player fills her own area with a full set of stones; what is left over or empty is the margin.

Source: Ing's SST rules as told by Kim, Simon and Straus, parts 2 and 3. The count must come out as the difference of
the areas less White's compensation; here it is done with stones, step by step, as people do it at a table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from referee.board import Board, Colour, Mask, Position, opponent_of, points_of
from referee.counted import Count, CountStep, won_by
from referee.score.area import told
from referee.score.regions import surrounded_by
from referee.table.look import Look
from referee.texts import joined, listed, name, stones

_PLAYERS = (Colour.BLACK, Colour.WHITE)


def set_size(board: Board) -> int:
    """The stones of a full set: 180 on 19x19, 40 on 9x9, half the points rounded down on any other board."""
    return board.points // 2


def count(
    position: Position,
    dead: Mask = 0,
    to_white: float = 8,
    ties_to: Colour = Colour.BLACK,
    supplies: tuple[int, int] | None = None,
) -> Count:
    """The fill-in count of a game of two players.

    to_white: compensation. ties_to: who wins when the points are equal. supplies: Black's and White's stones beside the
    board as counted before anything is lifted; None where both sets are known to be full.
    """
    filling = _Filling.of(position, dead)
    missing = filling.make_sets_full(position, supplies)
    filling.lift_dead(position, dead)
    given = filling.plan(to_white)
    filling.make_room(given)
    filling.compensate(given)
    filling.share()
    for colour in _PLAYERS:
        filling.fill(colour)
    before = {colour: filling.standing(colour) for colour in _PLAYERS}
    lead = before[Colour.WHITE].surplus - before[Colour.BLACK].surplus - given.on_paper
    result = won_by(lead, f"{ties_to}+0")
    filling.place_losing_stones(before, given.on_paper)
    filling.say(None, "result", told(result))
    figures: dict[str, object] = {c.value: before[c].figures(filling.area[c], missing[c]) for c in _PLAYERS}
    figures |= {"to_white": to_white, "shared": filling.shared.bit_count(), **given.figures()}
    figures |= {"margin": abs(lead), "empty": position.board.names(filling.empty)}
    laid_out = Position(position.board, (filling.stones[Colour.BLACK], filling.stones[Colour.WHITE]))
    return Count("fill-in", result, tuple(filling.steps), figures, dead, laid_out=laid_out)


@dataclass(frozen=True)
class _Given:
    """Compensation as it is given: `stones` of the receiver's in the giver's area, `left_open` points there that stay
    empty, and what fits neither way, written positive when it is for White."""

    giver: Colour
    stones: int
    left_open: int
    on_paper: float

    def figures(self) -> dict[str, object]:
        return {"compensation_stones": self.stones, "left_open": self.left_open}


@dataclass(frozen=True)
class _Standing:
    """A player after filling: stones in hand, and points of her area that are empty for want of stones."""

    in_hand: int
    empty: int

    @property
    def surplus(self) -> int:
        return self.in_hand - self.empty

    def figures(self, area: Mask, missing: int) -> dict[str, int]:
        return {"area": area.bit_count(), "left_over": self.in_hand, "empty": self.empty, "missing": missing}


@dataclass
class _Filling:
    """The board and both supplies while the count goes on."""

    board: Board
    stones: dict[Colour, Mask]
    area: dict[Colour, Mask]
    shared: Mask
    supply: dict[Colour, int]
    open_points: Mask = 0
    steps: list[CountStep] = field(default_factory=list)

    @classmethod
    def of(cls, position: Position, dead: Mask) -> _Filling:
        after, board = position.without(dead), position.board
        area = {colour: after.of(colour) | surrounded_by(after, colour) for colour in _PLAYERS}
        shared = board.full & ~area[Colour.BLACK] & ~area[Colour.WHITE]
        supply = {colour: set_size(board) - position.of(colour).bit_count() for colour in _PLAYERS}
        return cls(board, {colour: after.of(colour) for colour in _PLAYERS}, area, shared, supply)

    @property
    def empty(self) -> Mask:
        return self.board.full & ~self.stones[Colour.BLACK] & ~self.stones[Colour.WHITE]

    def say(self, player: Colour | None, act: str, text: str) -> None:
        self.steps.append(CountStep(player, act, text))

    def make_sets_full(self, position: Position, supplies: tuple[int, int] | None) -> dict[Colour, int]:
        """Replace missing stones; answers how many each player lacked (negative: had too many)."""
        found = supplies or (self.supply[Colour.BLACK], self.supply[Colour.WHITE])
        missing = {colour: self.supply[colour] - counted for colour, counted in zip(_PLAYERS, found, strict=True)}
        for colour, lacking in missing.items():
            size = set_size(position.board)
            if lacking > 0:
                found_text = f"Of {name(colour)}'s {size} stones {lacking} cannot be found"
                self.say(colour, "replace", f"{found_text}: put {stones(lacking, colour)} more into the supply.")
            elif lacking < 0:
                self.say(colour, "remove", f"{name(colour)} has {stones(-lacking)} more than {size}: put them away.")
        return missing

    def lift_dead(self, position: Position, dead: Mask) -> None:
        for colour in _PLAYERS:
            lifted = position.of(colour) & dead
            self.supply[colour] += lifted.bit_count()
            if lifted:
                back = f"The dead stones at {listed(self.board, lifted)} go back to {name(colour)}'s supply"
                self.say(colour, "lift", f"{back}, which has {self._has(colour)}.")

    def plan(self, to_white: float) -> _Given:
        """How the compensation is given, as far as stones and points are there for it."""
        giver = Colour.BLACK if to_white >= 0 else Colour.WHITE
        whole, points = math.floor(abs(to_white)), self.area[giver].bit_count()
        placed = min(whole // 2, points, set_size(self.board) - self.shared.bit_count() // 2)
        left_open = min(whole % 2, points - placed)
        on_paper = abs(to_white) - 2 * placed - left_open
        return _Given(giver, placed, left_open, math.copysign(on_paper, to_white))

    def make_room(self, given: _Given) -> None:
        """Lift stones from the inside of a player's area where a set is too small or the compensation needs room."""
        half = self.shared.bit_count() // 2
        for colour in _PLAYERS:
            gives = colour is given.giver
            wanted = half + (0 if gives else given.stones) - self.supply[colour]
            vacant = (self.area[colour] & self.empty).bit_count()
            room = given.stones + given.left_open - vacant if gives else 0
            self._lift_inside(colour, max(wanted, room, -self.supply[colour], 0))

    def _lift_inside(self, colour: Colour, many: int) -> None:
        if not many:
            return
        inner = self.stones[colour] & ~self.board.beside(self.board.full & ~self.area[colour])
        lifted = _some(inner, many)
        lifted |= _some(self.stones[colour] & ~lifted, many - lifted.bit_count())
        self.stones[colour] &= ~lifted
        self.supply[colour] += many
        text = f"{name(colour)} lifts {stones(many)} from inside her own area, at {listed(self.board, lifted)}"
        self.say(colour, "lift", f"{text}, to have stones and room for the count: {self._has(colour)} in the supply.")

    def compensate(self, given: _Given) -> None:
        receiver = opponent_of(given.giver)
        if given.stones:
            points = self._put(receiver, _some(self.area[given.giver] & self.empty, given.stones))
            text = f"For compensation {name(receiver)} puts {stones(given.stones)} into {name(given.giver)}'s area"
            self.say(receiver, "compensate", f"{text}, at {points}: {self._has(receiver)} left.")
        if given.left_open:
            self.open_points = _some(self.area[given.giver] & self.empty, 1)
            point = listed(self.board, self.open_points)
            text = f"For compensation one point of {name(given.giver)}'s area, {point}, stays open"
            self.say(given.giver, "leave-open", f"{text}.")
        if given.on_paper:
            receiver = Colour.WHITE if given.on_paper > 0 else Colour.BLACK
            text = f"{abs(given.on_paper):g} more for {name(receiver)} cannot be laid out in stones"
            self.say(receiver, "note", f"{text}: it is taken off at the end.")

    def share(self) -> None:
        """Fill the shared points alternately over the whole board; an odd one stays empty."""
        points = list(points_of(self.shared))
        half = len(points) // 2
        for colour, first in zip(_PLAYERS, (0, 1), strict=True):
            self._put(colour, sum(1 << point for point in points[first : 2 * half : 2]))
        if half:
            text = f"Of {len(points)} shared points both players fill {half} each, in turn"
            left = f"; {self.board.name(points[-1])} stays empty" if len(points) % 2 else ""
            both = joined([f"{name(colour)} has {self._has(colour)} left" for colour in _PLAYERS])
            self.say(None, "share", f"{text}{left}: {both}.")
        elif points:
            self.say(None, "share", f"The shared point {self.board.name(points[0])} stays empty.")

    def fill(self, colour: Colour) -> None:
        free = self._free(colour)
        filled = _some(free, self.supply[colour])
        self._put(colour, filled)
        still = free.bit_count() - filled.bit_count()
        text = f"{name(colour)} puts {stones(filled.bit_count())} into her area"
        left = _stay_empty(still) if still else f"{self._has(colour)} left over"
        self.say(colour, "fill", f"{text}: {left}.")

    def standing(self, colour: Colour) -> _Standing:
        return _Standing(self.supply[colour], self._free(colour).bit_count())

    def place_losing_stones(self, before: dict[Colour, _Standing], on_paper: float) -> None:
        """Put the loser's stones into the winner's area, and say how the margin is read from what is left."""
        ahead = before[Colour.WHITE].surplus - before[Colour.BLACK].surplus
        if not ahead:
            return
        winner = Colour.BLACK if ahead > 0 else Colour.WHITE
        loser = opponent_of(winner)
        placed = min(before[loser].in_hand, before[winner].empty)
        if placed:
            points = self._put(loser, _some(self._free(winner), placed))
            text = f"{name(loser)} puts {stones(placed)} left over into {name(winner)}'s area, at {points}"
            self.say(loser, "losing-stones", f"{text}.")
        paper = f", before {abs(on_paper):g} on paper" if on_paper else ""
        self.say(winner, "margin", f"{name(winner)} is ahead by {_sum(before[winner], before[loser], placed)}{paper}.")

    def _free(self, colour: Colour) -> Mask:
        return self.area[colour] & self.empty & ~self.open_points

    def _put(self, colour: Colour, points: Mask) -> str:
        self.stones[colour] |= points
        self.supply[colour] -= points.bit_count()
        return listed(self.board, points)

    def _has(self, colour: Colour) -> str:
        return stones(self.supply[colour])


def _sum(winner: _Standing, loser: _Standing, placed: int) -> str:
    """The margin as it is read: the winning point, twice the losing stones, and what is left in the hands."""
    parts = [
        (winner.empty - placed, "{} (the winning point)"),
        (placed, "2 x {} (losing stones)"),
        (loser.in_hand - placed, "{} (a losing stone with no place left)"),
    ]
    said = " + ".join(text.format(many) for many, text in parts if many)
    said += f" - {winner.in_hand} (left in the winner's hand)" if winner.in_hand else ""
    return f"{said} = {loser.surplus - winner.surplus}"


def _some(mask: Mask, many: int) -> Mask:
    """The first `many` points of a mask, from the top left (all of them where there are fewer)."""
    return sum(1 << point for point, _ in zip(points_of(mask), range(many), strict=False))


def _stay_empty(many: int) -> str:
    return "one point of it stays empty" if many == 1 else f"{many} points of it stay empty"


@dataclass(frozen=True)
class Filled:
    """What a look at the filling tells. done: as many points are filled as the count fills."""

    text: str
    done: bool = False


@dataclass(frozen=True)
class _Region:
    """An area, or the shared points (`owner` None). ends: the board as the count filled it."""

    owner: Colour | None
    points: Mask
    ends: Position

    def to_fill(self, seen: Position) -> int:
        """Points that are empty beyond those that stay empty."""
        return (self.points & seen.empty).bit_count() - (self.points & self.ends.empty).bit_count()

    def otherwise(self, seen: Position) -> str | None:
        """What stands in it otherwise than counted, None where nothing does."""
        of = opponent_of(self.owner) if self.owner is not None else Colour.BLACK
        there, counted = ((self.points & board.of(of)).bit_count() for board in (seen, self.ends))
        empty, stay = ((self.points & board.empty).bit_count() for board in (seen, self.ends))
        if (there, empty) == (counted, stay):
            return None
        where = f"In {name(self.owner)}'s area" if self.owner is not None else "On the shared points"
        return f"{where} there should be {stones(counted, of)} and {stay} left empty; there are {there} and {empty}."


def watched(position: Position, count: Count, look: Look) -> Filled | None:
    """What this look tells about filling in a counted position; None where nothing has been filled in yet.

    position: as the game ended, dead stones on it. count: by `fill_in.count`, with the board as it filled it.
    """
    seen, ends = look.likeliest, count.laid_out
    if (
        ends is None
        or look.too_doubtful
        or seen.occupied.bit_count() <= position.without(count.dead).occupied.bit_count()
    ):
        return None
    regions = _regions(position.without(count.dead), ends)
    to_fill, doubtful = [region.to_fill(seen) for region in regions], look.doubtful
    if doubtful and sum(to_fill) <= doubtful.bit_count():
        return Filled(
            f"The board is nearly filled, but what lies at {listed(look.board, doubtful)} is not seen surely."
        )
    if sum(to_fill) > 0:
        each = "{} in Black's area, {} in White's, {} shared".format(*to_fill)
        return Filled(f"Fill-in: points still to be filled: {each}.")
    return Filled(_verdict(regions, seen, count), done=True)


def _regions(position: Position, ends: Position) -> tuple[_Region, ...]:
    areas = [position.of(colour) | surrounded_by(position, colour) for colour in _PLAYERS]
    owned = tuple(_Region(colour, area, ends) for colour, area in zip(_PLAYERS, areas, strict=True))
    return (*owned, _Region(None, position.board.full & ~areas[0] & ~areas[1], ends))


def _verdict(regions: tuple[_Region, ...], seen: Position, count: Count) -> str:
    differs = [said for region in regions if (said := region.otherwise(seen)) is not None]
    if not differs:
        return f"The board is filled in as counted: {count.result}."
    return f"The board is filled in otherwise than counted. {' '.join(differs)} Look again before you agree."
