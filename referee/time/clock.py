"""The clock of a game: an immutable value; time is passed in, and only what the players and the director do changes it.

    press      the presser's turn is closed, the next player's time runs
    hand back  the ruling was illegal or unfinished: the turn is open again, with all the time since its press
    pause      nobody's time runs until `resumed`

What a clock shows at a time follows from these alone, so ticks that come late, early, twice or never change nothing.
The time that the players have spent adds up to the time that the clock ran, to the millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.board import COLOURS, Colour
from referee.messages import Message
from referee.penalties import Offence, Penalty, fined
from referee.time.controls import POINTS_EACH, Left, TimeControl, as_on_a_clock, ms_of, shown


@dataclass(frozen=True)
class Face:
    """One player's clock. main, period: milliseconds left of main time, and of the period in use or next to be used.

    periods: left, the one in use included; under Ing's control those that can still be bought. stones: turns to be
    closed before the period ends (Canadian). bought: periods bought; points: what they give the opponent (Ing). spent:
    milliseconds this player has used in the game. running: its time runs now. beside: what is said beside the time.
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
        """Milliseconds of the time that runs now: main time, or the period."""
        return self.main or self.period

    @property
    def time(self) -> str:
        """What is left of it: `1:02:03` or `4:59`, rounded up to whole seconds."""
        return as_on_a_clock(self.stretch)

    @property
    def shown(self) -> Message:
        """What the clock shows, in a few words."""
        return shown(self.stretch, self.beside)


@dataclass(frozen=True)
class Closed:
    """A turn that a press closed. ms: time it took. before, after: what its player had before it and when it closed."""

    player: Colour
    ms: int
    before: Left
    after: Left


@dataclass(frozen=True)
class Adjourned:
    """The clocks of a game that was adjourned, in the order of play; nothing of either where it had none.

    lefts: what each player had left. spent: milliseconds that each had spent.
    """

    lefts: tuple[Left, ...] = ()
    spent: tuple[int, ...] = ()


@dataclass(frozen=True)
class Clock:
    """The clocks of all players of a game. Use `Clock.of`.

    lefts: what each player has, in the order of play, before the turn that is open. turn: whose turn is open. used:
    milliseconds it took until `since`. since: when its time began to run, in milliseconds; None while it stands.
    earlier: milliseconds that each player spent in turns that are not open. closed: the turns so far. sealed: so many
    of them were closed before the director set clocks, and cannot give their time back. free: players whose time is
    not kept. latest: when the clock was last touched, in milliseconds; what is said to be earlier happens then.
    """

    control: TimeControl
    lefts: tuple[Left, ...]
    turn: Colour
    earlier: tuple[int, ...]
    used: int = 0
    since: int | None = None
    closed: tuple[Closed, ...] = ()
    sealed: int = 0
    free: frozenset[Colour] = field(default=frozenset())
    latest: int | None = None

    @classmethod
    def of(cls, control: TimeControl, players: int = 2, first: Colour = Colour.BLACK) -> Clock:
        """The clocks before the game, standing. first: who begins."""
        return cls(control, (control.start(),) * players, first, (0,) * players)

    @classmethod
    def taken_up(cls, control: TimeControl, adjourned: Adjourned, turn: Colour) -> Clock:
        """The clocks as they stood when a game was adjourned, standing. turn: whose turn it was."""
        return cls(control, adjourned.lefts, turn, adjourned.spent)

    # What it shows

    @property
    def players(self) -> tuple[Colour, ...]:
        """The players in the order of play."""
        return COLOURS[: len(self.lefts)]

    @property
    def running(self) -> Colour | None:
        """The player whose turn it is while the clock runs, None while it stands."""
        return self.turn if self.since is not None else None

    def left(self, player: Colour, t: float) -> Left:
        """What a player has left at time t."""
        before = self.lefts[COLOURS.index(player)]
        return self.control.spend(before, self._used(self._at(t))) if player is self.turn else before

    def spent(self, player: Colour, t: float) -> int:
        """Milliseconds that a player has spent at time t."""
        open_turn = self._used(self._at(t)) if player is self.turn else 0
        return self.earlier[COLOURS.index(player)] + open_turn

    def fallen(self, t: float) -> tuple[Colour, ...]:
        """The players who have no time left at t."""
        return tuple(player for player in self.players if self.left(player, t).fallen)

    def at(self, t: float) -> tuple[Face, ...]:
        """What every player's clock shows at time t."""
        return tuple(self._face(player, t) for player in self.players)

    def penalties(self, t: float) -> tuple[Penalty, ...]:
        """What two players are fined for time that they have bought."""
        two = self.players if len(self.players) == len(COLOURS[:2]) else ()
        return fined(((player, self.control.points(self.left(player, t))) for player in two), Offence.TIME)

    # What players do

    def started(self, t: float, player: Colour | None = None) -> Clock:
        """The clock of the player whose turn it is, or of another one who is to begin, runs from t."""
        if self.since is not None:
            return self
        at = self._at(t)
        return replace(self, turn=player or self.turn, since=at, latest=at)

    def pressed(self, t: float, player: Colour, following: Colour | None = None) -> Clock:
        """The player closes the turn; the next one's time runs. Nothing happens at another's turn or a standing clock.

        following: who is next, where that is not the next in the order of play.
        """
        if self.since is None or player is not self.turn:
            return self
        return self.stopped(t)._closed(following).started(t)

    def stopped(self, t: float) -> Clock:
        """Nobody's time runs from t on; the turn that is open stays open."""
        if self.since is None:
            return self
        at = self._at(t)
        return replace(self, used=self._used(at), since=None, latest=at)

    paused = stopped
    resumed = started

    def broken_off(self, t: float) -> Clock:
        """As it stood at t, to be resumed on another time base: after a power cut the box counts time anew."""
        return replace(self.stopped(t), latest=None)

    def handed_back(self, t: float, turns: int = 1) -> Clock:
        """The newest turns were not valid: the first of them is open again, with all the time since it began.

        It runs, or stands, as the clock did. Turns that were not closed on this clock are not handed back.
        """
        clock = self.stopped(t)
        for _ in range(min(turns, len(self.closed))):
            clock = clock._reopened()
        return clock if self.since is None else clock.started(t)

    # What the director does

    def set_to(self, t: float, lefts: Mapping[Colour, Left]) -> Clock:
        """These players have this much left at t. Time spent before stays spent, and no turn gives it back."""
        clock = self.stopped(t)
        new = tuple(lefts.get(player, clock.left(player, t)) for player in self.players)
        clock = replace(clock._taken_out(), lefts=new, sealed=len(self.closed))
        return clock if self.since is None else clock.started(t)

    def penalised(self, t: float, player: Colour, ms: int) -> Clock:
        """A player has so much less time, as if they had used it; it is not counted among the time spent."""
        clock = self.stopped(t)
        at = COLOURS.index(player)
        less = self.control.spend(clock.lefts[at], ms)
        lefts = (*clock.lefts[:at], less, *clock.lefts[at + 1 :])
        clock = replace(clock, lefts=lefts, closed=self._dearer(player, ms))
        return clock if self.since is None else clock.started(t)

    def taken_back(self, t: float, turns: int = 1) -> Clock:
        """Return the clock after the newest turns were taken back: the first of them is open again.

        Its player has used as much of the turn as at the press, and what the press added is taken away. The time of
        the turns after it stays spent.
        """
        clock = self.stopped(t)
        for _ in range(min(turns, len(self.closed))):
            clock = clock._with_open_turn_spent()._reopened()
        return clock if self.since is None else clock.started(t)

    def given_to(self, t: float, player: Colour) -> Clock:
        """Return the clock of a standing game after the director ended the open turn; another player's is open."""
        return self.stopped(t)._closed(player)

    def freed(self, t: float, player: Colour, free: bool = True) -> Clock:
        """From t on a player's time is not kept (or again): the clock changes over, and theirs stands."""
        clock = self.stopped(t)
        clock = replace(clock, free=self.free | {player} if free else self.free - {player})
        return clock if self.since is None else clock.started(t)

    # Inside

    def _at(self, t: float) -> int:
        return ms_of(t) if self.latest is None else max(ms_of(t), self.latest)

    def _used(self, at: int) -> int:
        if self.since is None or self.turn in self.free:
            return self.used
        return self.used + at - self.since

    def _dearer(self, player: Colour, ms: int) -> tuple[Closed, ...]:
        """Return the closed turns, a player's with so much less time before them: it is not given back with them."""
        spend = self.control.spend
        return tuple(replace(c, before=spend(c.before, ms)) if c.player is player else c for c in self.closed)

    def _closed(self, following: Colour | None) -> Clock:
        """The open turn of a standing clock closed; the next one open."""
        at = COLOURS.index(self.turn)
        left = self.control.close(self.control.spend(self.lefts[at], self.used))
        closed = Closed(self.turn, self.used, self.lefts[at], left)
        lefts = (*self.lefts[:at], left, *self.lefts[at + 1 :])
        following = following or COLOURS[(at + 1) % len(self.lefts)]
        clock = self._taken_out()
        return replace(clock, lefts=lefts, turn=following, closed=(*self.closed, closed))

    def _with_open_turn_spent(self) -> Clock:
        """The open turn of a standing clock ended without a press: its time is spent."""
        at = COLOURS.index(self.turn)
        left = self.control.spend(self.lefts[at], self.used)
        lefts = (*self.lefts[:at], left, *self.lefts[at + 1 :])
        return replace(self._taken_out(), lefts=lefts, closed=self._dearer(self.turn, self.used))

    def _taken_out(self) -> Clock:
        """The time of the open turn of a standing clock counted as spent, and no longer as that turn's."""
        at = COLOURS.index(self.turn)
        earlier = (*self.earlier[:at], self.earlier[at] + self.used, *self.earlier[at + 1 :])
        return replace(self, earlier=earlier, used=0)

    def _reopened(self) -> Clock:
        """The newest closed turn of a standing clock open again."""
        last, at = self.closed[-1], COLOURS.index(self.closed[-1].player)
        closed = self.closed[:-1]
        if len(closed) < self.sealed:
            return replace(self, turn=last.player, closed=closed, sealed=len(closed))
        lefts = (*self.lefts[:at], last.before, *self.lefts[at + 1 :])
        earlier = (*self.earlier[:at], self.earlier[at] - last.ms, *self.earlier[at + 1 :])
        return replace(self, lefts=lefts, turn=last.player, earlier=earlier, used=last.ms + self.used, closed=closed)

    def _face(self, player: Colour, t: float) -> Face:
        running = player is self.running and player not in self.free
        return face_of(self.control, player, self.left(player, t), self.spent(player, t), running)


def face_of(control: TimeControl, player: Colour, left: Left, spent: int = 0, running: bool = False) -> Face:
    """What a player's clock shows who has this much left. spent: milliseconds."""
    points = control.points(left)
    return Face(
        player,
        left.main,
        left.period,
        left.periods,
        left.stones,
        points // POINTS_EACH,
        points,
        spent,
        left.in_overtime,
        left.fallen,
        running,
        control.beside(left),
    )
