"""The clocks of one refereed game: presses and rulings become steps of the timekeeping, whose answers are collected.

A game without a time control has no clocks; acts about its result are handled anyway.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import message
from referee.game.penalties import Penalty
from referee.game.record import GameRecord
from referee.game.turns import Resign
from referee.time.clock import Adjourned, Clock
from referee.time.clock_events import ClockEvent, next_moment, seconds_to_count
from referee.time.clock_presses import close_while_standing, forget_flags_that_stand
from referee.time.controls import TimeControl, TimeLeft
from referee.time.pauses import with_all_ready
from referee.time.records import ClockTimes, Times
from referee.time.state import Timekeeping
from referee.time.steps import Act, Answer, Refusal, Step
from referee.time.timekeeping import go_on, halt, handle, restore
from referee.umpire.snapshot import Clocks

WITHOUT_CLOCKS = frozenset({Act.RESIGN, Act.REPORT, Act.VERIFY, Act.DISPUTE, Act.CLEAR})
"""The acts that a game without clocks accepts too."""


class Timing:
    """The timekeeping of one game. Its answers are collected until `take` returns them.

    taken_up: the clocks of the adjourned game; as after a power cut they wait for both players
    """

    def __init__(
        self, record: GameRecord, control: TimeControl | None, procedures: bool, taken_up: Adjourned | None = None
    ) -> None:
        self._control = control
        clock = Clock.of(control or TimeControl(1), record.players, record.to_play)
        self._now, opening = Timekeeping(clock, procedures), tuple[TimeLeft, ...]()
        if control is not None and taken_up is not None and taken_up.lefts:
            opening = taken_up.lefts
            clock = Clock.taken_up(control, taken_up, record.to_play)
            self._now = Timekeeping(clock, procedures, begun=True, restored=True)
        self._times = ClockTimes(record.number, opening)
        self._told: GameRecord | None = None
        self._halted = False
        self._new: list[Answer] = []
        self._t = 0.0
        self._shown: tuple[Timekeeping, float, bool, Clocks] | None = None

    def take(self) -> tuple[Answer, ...]:
        """Return the answers since the last call."""
        new, self._new = tuple(self._new), []
        return new

    @property
    def result(self) -> str | None:
        """Return the game's result, if it was reported here or came of time."""
        return self._now.result

    @property
    def is_doubted(self) -> bool:
        """Return True if a doubt about the clock, which the director settles first, may still undo the result."""
        return self._now.result is not None and self._now.matter is not None

    @property
    def players_verified(self) -> tuple[Colour, ...]:
        """Return the players who have verified the result."""
        return tuple(sorted(self._now.verified))

    @property
    def out(self) -> frozenset[Colour]:
        """Return the players who have lost on time while others play on: there were more than two."""
        return self._now.out

    @property
    def runs(self) -> bool:
        """Return True if a player's time is kept and runs."""
        clock = self._now.clock
        return self._control is not None and clock.running is not None and clock.running not in clock.free

    @property
    def clocks(self) -> Clocks | None:
        """Return the clock display, as of the newest event that concerned the clocks."""
        if self._control is None:
            return None
        shown = self._shown
        if shown is None or (shown[0] is not self._now or shown[1:3] != (self._t, self._halted)):
            shown = self._shown = (self._now, self._t, self._halted, self._clocks(self._control))
        return shown[3]

    def _clocks(self, control: TimeControl) -> Clocks:
        now = self._now
        return Clocks(
            control=str(control),
            t=self._t,
            faces=now.clock.at(self._t),
            begun=now.begun,
            halted=self._halted,
            called=now.called,
            restored=now.restored,
            ready=tuple(sorted(now.ready | now.out if now.restored else now.ready)),
            absent=tuple(sorted(now.absent)),
            out=tuple(sorted(now.out)),
            fallen=tuple(sorted(now.claimable)) if now.procedures else (),
            counted=seconds_to_count(now.clock, self._t),
            untimed=now.clock.running in now.clock.free,
            counts=control.counts(now.clock.time_left(now.clock.turn, self._t)),
        )

    @property
    def times(self) -> Times | None:
        """Return the times of the turns so far, for the game record."""
        return None if self._control is None else self._times.of(self._now.clock)

    def next_moment(self, t: float) -> ClockEvent | None:
        """Return the first automatic clock event after t."""
        return next_moment(self._now.clock, t) if self._control is not None and self._now.result is None else None

    def penalties(self, t: float | None = None) -> tuple[Penalty, ...]:
        """Return the players' fines for time that they have bought by t, or so far."""
        return () if self._control is None else self._now.clock.penalties(self._t if t is None else t)

    def may_claim(self, player: Colour) -> bool:
        """Return True if an opponent's flag is known to have fallen, so that this player's `call` claims the win."""
        clocks = self.clocks
        plays = player not in self._now.out
        return clocks is not None and plays and any(fallen is not player for fallen in clocks.fallen)

    # Steps

    def handle(self, step: Step) -> None:
        """Handle an act of a player, the director or the box about time or the result."""
        if self._control is None and step.act not in WITHOUT_CLOCKS:
            said = message("clock.no-clocks")
            by = step.author or step.by
            self._new.append(Answer(step.t, step.act, said, step.by, Refusal.NO_CLOCK, author=by))
        else:
            self._do(step)

    def restart(self, t: float) -> None:
        """Stop the clock from t, when the box lost power, until both players are ready."""
        if self._control is not None:
            self._now = restore(self._now, t)
            self._t = t

    def stand(self, stands: bool, t: float) -> None:
        """Stop the clock while the players agree on something, and start it again after that."""
        if stands:
            self._now = halt(self._now, t)
        elif self._halted:
            self._now = go_on(self._now, t)
        if stands is not self._halted:
            self._halted, self._t = stands, max(self._t, t)

    def wait_for_draw(self, waits: bool, t: float) -> None:
        """Hold flag falls while a declared draw waits for its ruling, which may end the game before that."""
        if waits is not self._now.drawing:
            self._now = replace(self._now, drawing=waits)
            self._do(Step(t, Act.DUE, author=Actor.BOX))

    # Turns

    def woken(self, player: Colour, t: float) -> bool:
        """Return True if this `done` only means ready or starts the clock; otherwise it is to close a turn."""
        if self._control is None:
            return False
        if self._now.restored:
            self._do(Step(t, Act.READY, player))
            return True
        if not self._now.begun:
            self.begin(player, t)
            return not self._now.begun or player is not self._now.clock.turn
        return False

    def begin(self, player: Colour, t: float) -> None:
        """Start the clock of the player to move at this player's press, if it has not begun."""
        if self._control is not None and not self._now.begun:
            self._do(Step(t, Act.START, player))

    def press(self, player: Colour, t: float, following: Colour | None = None, author: Actor | None = None) -> bool:
        """Close the player's turn and change the clock over; return False if the clock is stopped.

        following: the next to move, if not the next player in order
        author: who ended the turn, if not its player
        """
        if self._control is None:
            return True
        if self._halted:
            self.stand(False, t)
        before = len(self._now.unjudged)
        self._do(Step(t, Act.PRESS, player, following, author=author))
        return len(self._now.unjudged) > before

    def resign(self, player: Colour, t: float) -> None:
        """Close the turn of a player whose resignation waits for the presses before it, also on a stopped clock."""
        if self._control is None or not self._now.begun or self._now.result is not None:
            return
        if self._now.clock.running is None:
            self._now, self._t = close_while_standing(self._now, player, t), max(self._t, t)
        else:
            self.press(player, t)

    def accept_turns(self, accepted: int, all_stand: bool, t: float, ended: bool = False) -> None:
        """Report how many closed turns were legal; unless all were, the others are open again and the clock goes back.

        accepted: the number of legal turns
        all_stand: all of them were accepted
        ended: the last legal one ended play: from then on nobody's time ran
        """
        if not all_stand:
            back = len(self._now.unjudged) - accepted
            if back > 0:
                self._do(Step(t, Act.HAND_BACK, turns=back, author=Actor.BOX))
        if ended:
            self._now = replace(self._now, clock=self._now.clock.without_open_turn(t))
        counted = min(accepted, len(self._now.unjudged))
        if counted:
            self._do(Step(t, Act.ACCEPT, turns=counted, author=Actor.BOX))

    def end_turn(self, player: Colour, following: Colour, t: float, author: Actor = Actor.BOX) -> None:
        """End a turn now that counts although no press has closed it.

        following: the next to move
        author: the box if a look ended it, or the director
        """
        if self._control is None or self._now.result is not None:
            return
        if not self._now.begun:
            self._do(Step(t, Act.START, author=author))
        if self._now.clock.running is player and self.press(player, t, following, author):
            self._do(Step(t, Act.ACCEPT, author=Actor.BOX))

    def take_back(self, turns: int, t: float) -> None:
        """Restore the clock of the director's newest taken-back turns, running or stopped as before they were
        closed."""
        if self._control is not None and self._now.result is None:
            self._now = forget_flags_that_stand(replace(self._now, clock=self._now.clock.taken_back(t, turns)), t)
            self._t = max(self._t, t)

    def forget_who_left(self, playing: tuple[Colour, ...]) -> None:
        """Drop the presses of players who are out of the game: nobody rules on them any more."""
        self._now = replace(self._now, unjudged=tuple(one for one in self._now.unjudged if one.player in playing))

    def bring_back(self, players: set[Colour]) -> None:
        """Readmit these players: the director took back the turns by which they left the game."""
        self._now = replace(self._now, out=self._now.out - players)

    def follow(self, record: GameRecord, t: float, author: Actor = Actor.BOX) -> None:
        """Bring the clock to the record's state: its result, and whose turn it is.

        author: who changed the record
        """
        someone_left = not self._now.out.issuperset(record.situation.resigned)
        if someone_left:
            self._now = replace(self._now, out=self._now.out | frozenset(record.situation.resigned))
        self._follow_turn(record, t, author)
        if record.rules.handicap.may_lay(record):
            # Handicap stones are turns that no press closes on the clock.
            self._times.begin_after(record.number - len(self._now.clock.closed) + len(self._now.unjudged))
        if someone_left and record.result is None and self._now.restored:
            self._now, self._t = with_all_ready(self._now, t), max(self._t, t)

    def _follow_turn(self, record: GameRecord, t: float, author: Actor) -> None:
        now = self._now
        if record.result is not None:
            self._report(record, t, author)
        elif record.turn is not None and _ends_play(record, now):
            self.end_turn(record.turn.player, record.to_play, t, author)
        elif now.unjudged or record.ended or now.result is not None:
            return
        elif now.begun and now.clock.turn is not record.to_play and record.rules.handicap.may_lay(record):
            # The director took a handicap stone back: no clock is kept until all lie there again.
            self._now = replace(now, clock=now.clock.turned_to(t, record.to_play), begun=False)
        elif now.clock.running is None and now.clock.turn is not record.to_play:
            laid = record.rules.handicap.may_lay(record)  # No clock is kept for handicap stones.
            opening = not now.begun and (record.turn is None or not record.number or laid)
            clock = now.clock
            clock = clock.turned_to(t, record.to_play) if opening else clock.given_to(t, record.to_play)
            self._now = replace(now, clock=clock)
        elif now.clock.running not in (None, record.to_play):
            self.end_turn(now.clock.turn, record.to_play, t, author)

    def report(self, result: str, author: Actor, t: float) -> None:
        """Report a result that a count has led to, or that the director has ruled."""
        self._say_if_kept(Step(t, Act.REPORT, result=result, author=author))

    def undo_result(self, result: str, t: float) -> bool:
        """Undo the result and resume the clock; return False if it is another by now, or verified."""
        if self._now.result != result or self._now.final or set(self._now.clock.players) == self._now.verified:
            return False
        self._now, self._told, self._t = replace(self._now, result=None, verified=frozenset()), None, max(self._t, t)
        if self._control is not None:
            self._now = go_on(self._now, t)
        return True

    def _report(self, record: GameRecord, t: float, author: Actor) -> None:
        """Report the record's result to the timekeeping, once no issue is open: resigning ends one."""
        by_resigning = isinstance(record.turn, Resign) and str(record.result).endswith("+R")
        # With more than two players the last resignation leaves a winner whom only the record knows.
        resigned = by_resigning and self._now.result is None and record.players == 2
        if by_resigning and not resigned:
            self._now = replace(self._now, matter=None, doubter=None, proposals=())
        if record is self._told or record.result == self._now.result or not (resigned or self._now.matter is None):
            return
        self._told = record
        if resigned and isinstance(record.turn, Resign):
            entered = author if author is Actor.DIRECTOR else None
            self._say_if_kept(Step(t, Act.RESIGN, record.turn.player, author=entered))
        else:
            self._say_if_kept(Step(t, Act.REPORT, result=record.result, author=Actor.BOX))

    def _say_if_kept(self, step: Step) -> None:
        """Do a step, dropping its answers if there are no clocks, because the ruling has said it."""
        said = len(self._new)
        self._do(step)
        if self._control is None:
            del self._new[said:]

    def _do(self, step: Step) -> None:
        self._now, answers = handle(self._now, step)
        self._new += answers
        self._t = max(self._t, step.t)


def _ends_play(record: GameRecord, now: Timekeeping) -> bool:
    """Return True if the newest turn ended play, and its player's time still runs because nobody pressed for it."""
    open_turn = record.ended and record.turn is not None and now.clock.running is record.turn.player
    return open_turn and not now.unjudged and now.result is None
