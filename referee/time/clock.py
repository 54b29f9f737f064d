"""The clock of a game: an immutable value; time is passed in, and only players and the director change it.

    press      the presser's turn is closed, the next player's time runs
    hand back  the ruling was illegal or unfinished: the turn is open again, with all the time since its press
    pause      nobody's time runs until `resumed`

The display at any time follows from these alone, so ticks that come late, early, twice or never change nothing. The
time that the players have spent adds up to the time that the clock ran, to the millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.game.board import COLOURS, Colour
from referee.game.messages import Message
from referee.game.penalties import Offence, Penalty, fine_players
from referee.time.controls import POINTS_EACH, TimeControl, TimeLeft, as_on_a_clock, ms_of, time_left_text


@dataclass(frozen=True)
class ClockReading:
    """One player's clock.

    main: milliseconds left of main time
    period: milliseconds left of the period in use, or next to be used
    periods: periods left, including the one in use; under Ing's control those that can still be bought
    stones: turns to be closed before the period ends (Canadian)
    bought: periods bought
    points: points to the opponent for them (Ing)
    spent: milliseconds this player has used in the game
    running: this player's time runs now
    beside: the text beside the time
    """

    player: Colour
    main: int
    period: int
    periods: int
    stones: int
    bought: int
    points: int
    spent: int
    in_overtime: bool
    fallen: bool
    running: bool
    beside: Message | None

    @property
    def stretch(self) -> int:
        """Return the milliseconds of the time that runs now: main time, or the period."""
        return self.main or self.period

    @property
    def time(self) -> str:
        """Return the time left in it, `1:02:03` or `4:59`, rounded up to whole seconds."""
        return as_on_a_clock(self.stretch)

    @property
    def text(self) -> Message:
        """Return the clock display, in a few words."""
        return time_left_text(self.stretch, self.beside)


@dataclass(frozen=True)
class Closed:
    """A turn that a press closed.

    ms: milliseconds it took
    before: the player's remaining time before it
    after: the player's remaining time when it closed
    sealed: its player's clock was set after it, so that it gives no time back
    """

    player: Colour
    ms: int
    before: TimeLeft
    after: TimeLeft
    sealed: bool = False


@dataclass(frozen=True)
class Adjourned:
    """The clocks of an adjourned game, in the order of play; both empty if it had no clocks.

    lefts: each player's remaining time
    spent: milliseconds that each player had spent
    """

    lefts: tuple[TimeLeft, ...] = ()
    spent: tuple[int, ...] = ()


@dataclass(frozen=True)
class Clock:
    """The clocks of all players of a game. Use `Clock.for_control`.

    lefts: each player's time before the open turn, in the order of play
    turn: the player whose turn is open
    earlier: milliseconds that each player spent in turns that are not open
    used: milliseconds the open turn took until `since`
    since: when its time began to run, in milliseconds; None while the clock is stopped
    closed: the turns so far
    free: players whose time is not kept
    latest: when the clock was last touched, in milliseconds; an event reported as earlier happens then
    """

    control: TimeControl
    lefts: tuple[TimeLeft, ...]
    turn: Colour
    earlier: tuple[int, ...]
    used: int = 0
    since: int | None = None
    closed: tuple[Closed, ...] = ()
    free: frozenset[Colour] = field(default=frozenset())
    latest: int | None = None

    @classmethod
    def for_control(cls, control: TimeControl, players: int = 2, first: Colour = Colour.BLACK) -> Clock:
        """Return the clocks before the game, stopped.

        first: the first player
        """
        return cls(control, (control.time_at_start(),) * players, first, (0,) * players)

    @classmethod
    def taken_up(cls, control: TimeControl, saved_clocks: Adjourned, turn: Colour) -> Clock:
        """Return the clocks of an adjourned game, stopped.

        turn: the player whose turn it was
        """
        return cls(control, saved_clocks.lefts, turn, saved_clocks.spent)

    # Display

    @property
    def players(self) -> tuple[Colour, ...]:
        """Return the players in the order of play."""
        return COLOURS[: len(self.lefts)]

    @property
    def running_player(self) -> Colour | None:
        """Return the player whose turn it is while the clock runs, None while it is stopped."""
        return self.turn if self.since is not None else None

    def time_left(self, player: Colour, t: float) -> TimeLeft:
        """Return a player's remaining time at time t."""
        before = self.lefts[COLOURS.index(player)]
        return self.control.spend(before, self._time_used(self._clamp_to_latest(t))) if player is self.turn else before

    def time_spent(self, player: Colour, t: float) -> int:
        """Return the milliseconds that a player has spent at time t."""
        open_turn = self._time_used(self._clamp_to_latest(t)) if player is self.turn else 0
        return self.earlier[COLOURS.index(player)] + open_turn

    def fallen_players(self, t: float) -> tuple[Colour, ...]:
        """Return the players who have no time left at t."""
        return tuple(player for player in self.players if self.time_left(player, t).has_fallen)

    def readings_at(self, t: float) -> tuple[ClockReading, ...]:
        """Return every player's clock display at time t."""
        return tuple(self._make_reading(player, t) for player in self.players)

    def time_penalties(self, t: float) -> tuple[Penalty, ...]:
        """Return the fines of two players for time that they have bought."""
        two = self.players if self.control.sells_time and len(self.players) == len(COLOURS[:2]) else ()
        return fine_players(
            ((player, self.control.points_charged(self.time_left(player, t))) for player in two), Offence.TIME
        )

    # Players' acts

    def start(self, t: float, player: Colour | None = None) -> Clock:
        """Start the clock at t for the player to move, or for another one who is to begin."""
        if self.since is not None:
            return self
        time_ms = self._clamp_to_latest(t)
        return replace(self, turn=player or self.turn, since=time_ms, latest=time_ms)

    def press(self, t: float, player: Colour, following: Colour | None = None) -> Clock:
        """Close the player's turn and start the next one's time.

        Return the clock unchanged if it is another player's turn, or the clock is stopped.

        following: the next player, if not the next in the order of play
        """
        if self.since is None or player is not self.turn:
            return self
        return self.stop(t)._close_turn(following).start(t)

    def stop(self, t: float) -> Clock:
        """Stop the clock from t on; the open turn stays open."""
        if self.since is None:
            return self
        time_ms = self._clamp_to_latest(t)
        return replace(self, used=self._time_used(time_ms), since=None, latest=time_ms)

    paused = stop
    resumed = start

    def broken_off(self, t: float) -> Clock:
        """Return the clock stopped at t, for another time base: after a power cut the box restarts its time."""
        return replace(self.stop(t), latest=None)

    def handed_back(self, t: float, turns: int = 1) -> Clock:
        """Reopen the newest turns, which were not valid: the first of them is open, with all the time since it began.

        The clock keeps running, or stays stopped. Turns that were not closed on this clock are not handed back.
        """
        clock = self.stop(t)
        for _ in range(min(turns, len(self.closed))):
            clock = clock._reopen_turn()
        return clock if self.since is None else clock.start(t)

    # The director's acts

    def set_to(self, t: float, lefts: Mapping[Colour, TimeLeft]) -> Clock:
        """Set these players' remaining time at t. Time spent before remains spent, and no turn gives it back."""
        clock = self.stop(t)._with_open_turn_spent()
        new = tuple(lefts.get(player, left) for player, left in zip(self.players, clock.lefts, strict=True))
        closed_turns = tuple(replace(turn, sealed=turn.sealed or turn.player in lefts) for turn in clock.closed)
        clock = replace(clock, lefts=new, closed=closed_turns)
        return clock if self.since is None else clock.start(t)

    def penalise(self, t: float, player: Colour, ms: int) -> Clock:
        """Reduce a player's time, as if they had used it; it is not counted among the time spent."""
        clock = self.stop(t)
        index = COLOURS.index(player)
        less = self.control.spend(clock.lefts[index], ms)
        lefts = (*clock.lefts[:index], less, *clock.lefts[index + 1 :])
        clock = replace(clock, lefts=lefts, closed=self._reduce_earlier_times(player, ms))
        return clock if self.since is None else clock.start(t)

    def taken_back(self, t: float, turns: int = 1) -> Clock:
        """Return the clock after the newest turns were taken back: the first of them is open again.

        Its player has used as much of the turn as at the press, and what the press added is taken away. The time of
        the turns after it remains spent.
        """
        clock = self.stop(t)
        for _ in range(min(turns, len(self.closed))):
            clock = clock._with_open_turn_spent()._reopen_turn()
        return clock if self.since is None else clock.start(t)

    def give_turn_to(self, t: float, player: Colour) -> Clock:
        """Return the clock, stopped, after the director ended the open turn; that of the given player is open."""
        return self.stop(t)._close_turn(player)

    def turn_to(self, t: float, player: Colour) -> Clock:
        """Return the clock, stopped, with this player's turn open; the turn before is spent and adds no time."""
        return replace(self.stop(t)._with_open_turn_spent(), turn=player)

    def without_open_turn(self, t: float) -> Clock:
        """Return the clock, stopped, with no time spent on the open turn: play had ended before it."""
        return replace(self.stop(t), used=0)

    def set_free(self, t: float, player: Colour, free: bool = True) -> Clock:
        """Stop keeping a player's time from t on (or keep it again); turns still change over."""
        clock = self.stop(t)
        clock = replace(clock, free=self.free | {player} if free else self.free - {player})
        return clock if self.since is None else clock.start(t)

    # Internals

    def _clamp_to_latest(self, t: float) -> int:
        return ms_of(t) if self.latest is None else max(ms_of(t), self.latest)

    def _time_used(self, time_ms: int) -> int:
        if self.since is None or self.turn in self.free:
            return self.used
        return self.used + time_ms - self.since

    def _reduce_earlier_times(self, player: Colour, ms: int) -> tuple[Closed, ...]:
        """Return the closed turns with a player's time before them reduced, so that reopening does not restore it."""
        spend = self.control.spend
        return tuple(replace(c, before=spend(c.before, ms)) if c.player is player else c for c in self.closed)

    def _close_turn(self, following: Colour | None) -> Clock:
        """Close the open turn of a stopped clock and open the next one."""
        index = COLOURS.index(self.turn)
        left = self.control.close_turn(self.control.spend(self.lefts[index], self.used))
        closed_turn = Closed(self.turn, self.used, self.lefts[index], left)
        lefts = (*self.lefts[:index], left, *self.lefts[index + 1 :])
        following = following or COLOURS[(index + 1) % len(self.lefts)]
        clock = self._spend_open_turn()
        return replace(clock, lefts=lefts, turn=following, closed=(*self.closed, closed_turn))

    def _with_open_turn_spent(self) -> Clock:
        """End the open turn of a stopped clock without a press: its time is spent."""
        index = COLOURS.index(self.turn)
        left = self.control.spend(self.lefts[index], self.used)
        lefts = (*self.lefts[:index], left, *self.lefts[index + 1 :])
        return replace(self._spend_open_turn(), lefts=lefts, closed=self._reduce_earlier_times(self.turn, self.used))

    def _spend_open_turn(self) -> Clock:
        """Count the time of a stopped clock's open turn as spent, and no longer as that turn's."""
        index = COLOURS.index(self.turn)
        earlier = (*self.earlier[:index], self.earlier[index] + self.used, *self.earlier[index + 1 :])
        return replace(self, earlier=earlier, used=0)

    def _reopen_turn(self) -> Clock:
        """Reopen the newest closed turn of a stopped clock."""
        last, index = self.closed[-1], COLOURS.index(self.closed[-1].player)
        closed_turns = self.closed[:-1]
        if last.sealed:
            return replace(self, turn=last.player, closed=closed_turns)
        lefts = (*self.lefts[:index], last.before, *self.lefts[index + 1 :])
        earlier = (*self.earlier[:index], self.earlier[index] - last.ms, *self.earlier[index + 1 :])
        return replace(
            self, lefts=lefts, turn=last.player, earlier=earlier, used=last.ms + self.used, closed=closed_turns
        )

    def _make_reading(self, player: Colour, t: float) -> ClockReading:
        is_running = player is self.running_player and player not in self.free
        return face_of(self.control, player, self.time_left(player, t), self.time_spent(player, t), is_running)


def face_of(
    control: TimeControl, player: Colour, left: TimeLeft, spent: int = 0, running: bool = False
) -> ClockReading:
    """Return the clock display of a player with this much time left.

    left: the remaining time
    spent: milliseconds the player has spent
    running: the player's time runs now
    """
    points = control.points_charged(left)
    return ClockReading(
        player,
        left.main,
        left.period,
        left.periods,
        left.stones,
        points // POINTS_EACH,
        points,
        spent,
        left.is_in_overtime,
        left.has_fallen,
        running,
        control.text_beside(left),
    )
