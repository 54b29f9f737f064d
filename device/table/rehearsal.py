"""A rehearsal: ten actions at this table, in this light, by which the box shows whether it may referee today.

It is a match like any other, under plain rules and without clocks. Both players follow its instructions, one action a
turn: a stone on each corner, two stones beside them, a capture into each lid with more stones beside it, a stone
between two points, and a stone over which the hand stays. If a lid cannot be counted, its owner is asked to spread
the stones. Pure, with time passed in: the box passes it observations, presses and rulings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from device.journal.entries import Terms
from referee.game.board import Colour, Point, board_of, opponent_of
from referee.game.messages import Message, message, name_points
from referee.game.observation import LidSight, Observation
from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Pressed
from referee.table.table import TableConfig
from vision.stones.reader import DOUBTFUL_BELOW
from web.language import ENGLISH

RULES = "chinese"
SIDES = {Colour.BLACK: 1, Colour.WHITE: 2}
"""Each player's seat."""
MORE = 2
"""Stones of each colour that are put into a lid beside the captured one: about as many as lie there late in a game."""
WITHIN = 3.0
"""Most seconds from a press to its ruling, including the hand's departure."""
STAYS = 3.0
"""Seconds for which the hand stays over the board in the last action."""
UNSEEN = 1.5
"""A ruling that comes sooner after that press, in seconds, comes while the hand lies over the board."""
GOES = 3.0
"""Further seconds for the hand to leave."""
GIVEN_UP = 30.0
"""Seconds after a press without a ruling, after which the rehearsal ends."""
MOST_DOUBTS = 0.02
"""Largest share of doubtful points among all points of the observations that were ruled on; chosen by hand."""
LEFT = 180.0
"""Seconds for an action, after which the rehearsal also ends: nobody rehearses any more."""
MESSAGE_KEYS = tuple(f"rehearsal.{kind}" for kind in ("stone", "capture", "between", "hand"))


class Ask(StrEnum):
    """The instruction to a player about the stone."""

    STONE = "stone"
    CAPTURE = "capture"
    BETWEEN = "between"
    HAND = "hand"


@dataclass(frozen=True)
class RehearsalStep:
    """One action. other: the stone that is captured, or the point towards which the stone is pushed."""

    kind: Ask
    player: Colour
    point: Point
    other: Point | None = None


def plan_acts(size: int) -> tuple[RehearsalStep, ...]:
    """Return the ten actions on that many lines, Black's first."""
    last, middle = size - 1, size // 2 * (size + 1)
    top_right, bottom_right, bottom_left = last, size * size - 1, last * size
    steps = (
        (Ask.STONE, 0, None),
        (Ask.STONE, top_right, None),
        (Ask.STONE, bottom_right, None),
        (Ask.STONE, bottom_left, None),
        (Ask.STONE, top_right - 1, None),
        (Ask.STONE, 1, None),
        (Ask.CAPTURE, top_right + size, top_right),
        (Ask.CAPTURE, size, 0),
        (Ask.BETWEEN, middle, middle + 1),
        (Ask.HAND, middle + 2 * size, None),
    )
    players = (Colour.BLACK, Colour.WHITE)
    return tuple(RehearsalStep(kind, players[nth % 2], point, other) for nth, (kind, point, other) in enumerate(steps))


def put_into_lid(step: RehearsalStep) -> Counts:
    """Return the stones that a capture adds to the player's lid: the captured one, and MORE of each colour."""
    black = opponent_of(step.player) is Colour.BLACK
    return MORE + black, MORE + (not black)


def rehearsal_terms(terms: Terms, size: int) -> Terms:
    """Return the terms of a rehearsal at a table with these usual terms; Black sits at side 1."""
    setup = Setup(rule_set(RULES)).with_size(size)
    game_info = replace(terms.game_info, event=ENGLISH("rehearsal.event"))
    return Terms(setup, TableConfig(terms.config.refereed, SIDES[Colour.BLACK]), game_info=game_info, rehearsal=True)


def is_asking_again(ruling: Ruling) -> bool:
    """Return True if the box asks to show points again: that is right while a hand hides them; the turn stays open."""
    return ruling.status is Status.UNEXPLAINED and ruling.message.key in ("hidden", "unclear")


class Rehearsal:
    """A rehearsal, which asks for one action after the other and takes its outcome.

    reasons: why the box may not referee.
    lids: why it may not referee if stones in the lids count.
    slowest: the longest time from a press to its ruling, in seconds, if presses close the turns.
    over: True once the rehearsal has ended.
    """

    def __init__(self, size: int, refereed: bool, t: float) -> None:
        self._board, self._steps, self._refereed = board_of(size, size), plan_acts(size), refereed
        self._done_count = 0
        self._pressed_at: float | None = None
        self._has_reported = False
        self._observation: Observation | None = None
        self._doubtful: list[set[Point]] = []
        self._lids = LidChecks(SIDES)
        self._t = self._since = t
        self.reasons: tuple[Message, ...] = ()
        self.lids: tuple[Message, ...] = ()
        self.slowest = 0.0
        self.over = False

    @property
    def asks(self) -> Message:
        """Return the current instruction to the players."""
        if self.over:
            return message("rehearsal.over")
        if (player := self._lids.spreading_player) is not None:
            return message("rehearsal.spread", turn=self._done_count, player=player)
        step, number = self._steps[self._done_count], self._done_count + 1
        if step.kind is Ask.BETWEEN and self._has_reported:
            return message("rehearsal.put-right", turn=number, player=step.player, point=self._point_name(step.point))
        if step.kind is Ask.HAND and self._pressed_at is not None:
            may_leave = self._t - self._pressed_at >= STAYS
            return message("rehearsal.hand-goes" if may_leave else "rehearsal.hand-stays", turn=number)
        values: dict[str, int | str] = {"other": self._point_name(step.other)} if step.other is not None else {}
        values |= {"more": MORE} if step.kind is Ask.CAPTURE else {}
        return message(
            f"rehearsal.{step.kind}", turn=number, player=step.player, point=self._point_name(step.point), **values
        )

    # Events

    def handle_observation(self, observation: Observation) -> None:
        """Take an observation, before the rulings on it."""
        self._observation = observation
        self._lids.handle_observation(observation.lids)
        self._sum_up()

    def handle_press(self, press: Pressed) -> None:
        """Take a button press; only `done` of the player who is asked counts. Black sits at side 1."""
        if self.over or self._done_count == len(self._steps):
            return
        side = SIDES[self._steps[self._done_count].player]
        if press.button is Button.DONE and press.side == side and not press.is_held and self._pressed_at is None:
            self._pressed_at = press.t

    def handle_rulings(self, rulings: Iterable[Ruling]) -> None:
        """Take the rulings on an observation or a press."""
        for ruling in rulings:
            if not self.over and self._done_count < len(self._steps):
                self._take_ruling(ruling, self._steps[self._done_count])

    def tick(self, t: float) -> None:
        """Advance to time t."""
        self._t = t
        self._lids.tick(t)
        self._sum_up()
        if not self.over and self._pressed_at is not None and t - self._pressed_at > GIVEN_UP:
            self._end_early(message("rehearsal.silent", turn=self._done_count + 1, seconds=round(GIVEN_UP)))
        elif not self.over and t - self._since > LEFT:
            self._end_early(message("rehearsal.left", turn=self._done_count + 1))

    # Effects

    def _take_ruling(self, ruling: Ruling, step: RehearsalStep) -> None:
        if step.kind is Ask.HAND and is_asking_again(ruling):
            return
        if self._is_under_hand(ruling.t, step):
            self._add_reason(message("rehearsal.hand-unseen", turn=self._done_count + 1))
        waited, self._pressed_at = self._seconds_since_press(ruling.t, step), None
        placement = ruling.move if isinstance(ruling.move, Placement) else None
        if ruling.status is Status.UNFINISHED and step.kind in (Ask.BETWEEN, Ask.CAPTURE):
            self._has_reported = True
        elif ruling.status is not Status.LEGAL or placement is None:
            self._end_early(message("rehearsal.refused", turn=self._done_count + 1, why=ruling.message))
        elif step.kind is Ask.BETWEEN and not self._has_reported:
            self._end_early(
                message("rehearsal.not-between", turn=self._done_count + 1, point=self._point_name(placement.point))
            )
        elif placement.point not in (step.point, step.other if step.kind is Ask.BETWEEN else step.point):
            asked_point, played_point = self._point_name(step.point), self._point_name(placement.point)
            self._end_early(
                message("rehearsal.elsewhere", turn=self._done_count + 1, point=asked_point, other=played_point)
            )
        else:
            self._finish_step(step, waited, ruling.t)

    def _is_under_hand(self, t: float, step: RehearsalStep) -> bool:
        """Return True if the hand that stays was not seen: then it is no merit that the stone under it was seen."""
        return (
            step.kind is Ask.HAND and self._refereed and self._pressed_at is not None and t - self._pressed_at < UNSEEN
        )

    def _seconds_since_press(self, t: float, step: RehearsalStep) -> float:
        """Return the seconds since the press, or since the hand had to leave; 0 if no press is timed.

        No press is timed if a turn is put right or needs none.
        """
        if self._pressed_at is None or self._has_reported or not self._refereed:
            return 0.0
        return max(t - self._pressed_at - (STAYS + GOES if step.kind is Ask.HAND else 0.0), 0.0)

    def _finish_step(self, step: RehearsalStep, waited: float, ruled_at: float) -> None:
        number = self._done_count + 1
        self.slowest = max(self.slowest, waited)
        if waited > WITHIN:
            self._add_reason(message("rehearsal.slow", turn=number, seconds=f"{waited:.1f}"))
        point_chances = () if self._observation is None else self._observation.points
        self._doubtful.append({point for point, chances in enumerate(point_chances) if max(chances) < DOUBTFUL_BELOW})
        if step.kind is Ask.CAPTURE:
            self._lids.note_filling(step.player, put_into_lid(step))
        self._lids.handle_ruling(ruled_at)
        self._done_count, self._has_reported, self._since = number, False, ruled_at
        self._sum_up()

    def _sum_up(self) -> None:
        """Conclude once all actions are done, and nobody is to spread the stones in a lid."""
        if self.over or self._done_count < len(self._steps) or self._lids.spreading_player is not None:
            return
        self.over = True
        doubts = sum(map(len, self._doubtful)) / (len(self._doubtful) * self._board.points)
        if doubts > MOST_DOUBTS:
            self._add_reason(message("rehearsal.doubt", points=name_points(self._board, set.union(*self._doubtful))))
        self.lids = tuple(message("rehearsal.lid", player=player) for player in self._lids.uncounted_players)

    def _add_reason(self, why: Message) -> None:
        self.reasons = (*self.reasons, why)

    def _end_early(self, why: Message) -> None:
        self._add_reason(why)
        self.over = True

    def _point_name(self, point: Point) -> str:
        return self._board.name(point)


# Chosen by hand.
SPREAD_WITHIN = 15.0
"""Seconds for a player to spread the stones in their lid, three times if need be, and for the box to count them."""
MOST_SPREADS = 3
"""Most requests to spread a lid's stones."""
MOST_MISSED = 2
"""Most rulings at which a lid may be uncounted before it is filled: until then it has no stones to spread."""

Counts = tuple[int, int]
"""Black and white stones."""


@dataclass
class _Lid:
    """One lid.

    sight: its newest reading.
    before: the stones in it before it was filled.
    holds: the stones that must be in it since.
    missed_rulings: number of rulings before the filling at which it was not counted.
    requests: number of requests to spread its stones.
    since: time of the current request, None if there is none.
    is_given_up: True once the box has given up on it.
    """

    sight: LidSight | None = None
    before: Counts | None = None
    holds: Counts | None = None
    missed_rulings: int = 0
    requests: int = 0
    since: float | None = None
    is_given_up: bool = False

    def handle_observation(self, sight: LidSight | None) -> None:
        self.sight = sight
        self.since = None if self._is_counted else self.since

    def note_filling(self, stones: Counts) -> None:
        black, white = self.before or (0, 0)
        self.is_given_up = self.before is None or self.missed_rulings > MOST_MISSED
        self.holds = black + stones[0], white + stones[1]

    def handle_ruling(self, t: float) -> None:
        if self.holds is None:
            self._begin_with_this()
        elif not (self.is_given_up or self._is_counted or self.since is not None):
            self._ask_to_spread(t)

    def tick(self, t: float) -> None:
        if self.since is not None and t - self.since > SPREAD_WITHIN:
            self.is_given_up, self.since = True, None

    def _ask_to_spread(self, t: float) -> None:
        """Ask the owner to spread the stones; give up after MOST_SPREADS requests."""
        self.is_given_up = self.requests == MOST_SPREADS
        if not self.is_given_up:
            self.requests, self.since = self.requests + 1, t

    def _begin_with_this(self) -> None:
        """Count a ruling before the lid is filled."""
        if self.sight is not None and self._is_counted:
            self.before = self.sight.black, self.sight.white
        else:
            self.missed_rulings += 1

    @property
    def _is_counted(self) -> bool:
        if self.sight is None:
            return False
        return self.sight.sure if self.holds is None else self.sight.can_confirm(*self.holds)


class LidChecks:
    """The lid checks of both players. sides: each player's seat."""

    def __init__(self, sides: Mapping[Colour, int]) -> None:
        self._sides = sides
        self._lids = {player: _Lid() for player in sides}

    def handle_observation(self, sights: tuple[LidSight, ...]) -> None:
        """Take an observation, before the rulings on it."""
        for player, lid in self._lids.items():
            side = self._sides[player]
            lid.handle_observation(sights[side - 1] if side <= len(sights) else None)

    def note_filling(self, player: Colour, stones: Counts) -> None:
        """Note that the player's turn now being ruled adds these stones to their lid."""
        self._lids[player].note_filling(stones)

    def handle_ruling(self, t: float) -> None:
        """Take a ruling on the newest observation: a lid that it did not count is to be spread."""
        for lid in self._lids.values():
            lid.handle_ruling(t)

    def tick(self, t: float) -> None:
        """Advance to time t."""
        for lid in self._lids.values():
            lid.tick(t)

    @property
    def spreading_player(self) -> Colour | None:
        """Return the player who is to spread the stones in their lid now."""
        return next((player for player, lid in self._lids.items() if lid.since is not None), None)

    @property
    def uncounted_players(self) -> tuple[Colour, ...]:
        """Return the players whose lid was not counted at every turn, spread or not."""
        return tuple(player for player, lid in self._lids.items() if lid.is_given_up)
