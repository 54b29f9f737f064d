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
from referee.table.snapshot import Clocks
from referee.time.clock import Adjourned, Clock
from referee.time.clock_events import ClockEvent, next_moment, seconds_to_count
from referee.time.clock_presses import close_while_standing, forget_flags_that_stand
from referee.time.controls import TimeControl, TimeLeft
from referee.time.pauses import with_all_ready
from referee.time.records import ClockTimes, Times
from referee.time.state import Timekeeping
from referee.time.steps import Act, Answer, Refusal, Step
from referee.time.timekeeping import go_on, halt_clock, handle_step, restore_after_cut

WITHOUT_CLOCKS = frozenset({Act.RESIGN, Act.REPORT, Act.VERIFY, Act.DISPUTE, Act.CLEAR})
"""The acts that a game without clocks accepts too."""


class Timing:
    """The timekeeping of one game. Its answers are collected until `take_answers` returns them.

    taken_up: the clocks of the adjourned game; as after a power cut they wait for both players
    """

    def __init__(
        self, record: GameRecord, control: TimeControl | None, procedures: bool, taken_up: Adjourned | None = None
    ) -> None:
        self._control = control
        clock = Clock.for_control(control or TimeControl(1), record.players, record.to_play)
        self._timekeeping, opening = Timekeeping(clock, procedures), tuple[TimeLeft, ...]()
        if control is not None and taken_up is not None and taken_up.lefts:
            opening = taken_up.lefts
            clock = Clock.taken_up(control, taken_up, record.to_play)
            self._timekeeping = Timekeeping(clock, procedures, begun=True, restored=True)
        self._times = ClockTimes(record.number, opening)
        self._reported_record: GameRecord | None = None
        self._is_halted = False
        self._new_answers: list[Answer] = []
        self._t = 0.0
        self._cached_clocks: tuple[Timekeeping, float, bool, Clocks] | None = None

    def take_answers(self) -> tuple[Answer, ...]:
        """Return the answers since the last call."""
        new, self._new_answers = tuple(self._new_answers), []
        return new

    @property
    def result(self) -> str | None:
        """Return the game's result, if it was reported here or came of time."""
        return self._timekeeping.result

    @property
    def is_doubted(self) -> bool:
        """Return True if a doubt about the clock, which the director settles first, may still undo the result."""
        return self._timekeeping.result is not None and self._timekeeping.matter is not None

    @property
    def players_verified(self) -> tuple[Colour, ...]:
        """Return the players who have verified the result."""
        return tuple(sorted(self._timekeeping.verified))

    @property
    def players_out(self) -> frozenset[Colour]:
        """Return the players who have lost on time while others play on: there were more than two."""
        return self._timekeeping.out

    @property
    def is_running(self) -> bool:
        """Return True if a player's time is kept and runs."""
        clock = self._timekeeping.clock
        return self._control is not None and clock.running_player is not None and clock.running_player not in clock.free

    @property
    def clocks(self) -> Clocks | None:
        """Return the clock display, as of the newest event that concerned the clocks."""
        if self._control is None:
            return None
        cached = self._cached_clocks
        if cached is None or cached[0] is not self._timekeeping or cached[1:3] != (self._t, self._is_halted):
            clocks = self._build_clocks(self._control)
            cached = self._cached_clocks = self._timekeeping, self._t, self._is_halted, clocks
        return cached[3]

    def _build_clocks(self, control: TimeControl) -> Clocks:
        timekeeping = self._timekeeping
        return Clocks(
            control=str(control),
            t=self._t,
            faces=timekeeping.clock.readings_at(self._t),
            begun=timekeeping.begun,
            halted=self._is_halted,
            called=timekeeping.called,
            restored=timekeeping.restored,
            ready=tuple(sorted(timekeeping.ready | timekeeping.out if timekeeping.restored else timekeeping.ready)),
            absent=tuple(sorted(timekeeping.absent)),
            out=tuple(sorted(timekeeping.out)),
            fallen=tuple(sorted(timekeeping.claimable_players)) if timekeeping.procedures else (),
            counted=seconds_to_count(timekeeping.clock, self._t),
            untimed=timekeeping.clock.running_player in timekeeping.clock.free,
            counts=control.is_counted_down(timekeeping.clock.time_left(timekeeping.clock.turn, self._t)),
        )

    @property
    def times(self) -> Times | None:
        """Return the times of the turns so far, for the game record."""
        return None if self._control is None else self._times.read_times(self._timekeeping.clock)

    def next_moment(self, t: float) -> ClockEvent | None:
        """Return the first automatic clock event after t."""
        is_timed = self._control is not None and self._timekeeping.result is None
        return next_moment(self._timekeeping.clock, t) if is_timed else None

    def list_penalties(self, t: float | None = None) -> tuple[Penalty, ...]:
        """Return the players' fines for time that they have bought by t, or so far."""
        return () if self._control is None else self._timekeeping.clock.time_penalties(self._t if t is None else t)

    def may_claim(self, player: Colour) -> bool:
        """Return True if an opponent's flag is known to have fallen, so that this player's `call` claims the win."""
        clocks = self.clocks
        plays = player not in self._timekeeping.out
        return clocks is not None and plays and any(fallen is not player for fallen in clocks.fallen)

    # Steps

    def handle_act(self, step: Step) -> None:
        """Handle an act of a player, the director or the box about time or the result."""
        if self._control is None and step.act not in WITHOUT_CLOCKS:
            text = message("clock.no-clocks")
            by = step.author or step.by
            self._new_answers.append(Answer(step.t, step.act, text, step.by, Refusal.NO_CLOCK, author=by))
        else:
            self._handle_step(step)

    def restart_after_cut(self, t: float) -> None:
        """Stop the clock from t, when the box lost power, until both players are ready."""
        if self._control is not None:
            self._timekeeping = restore_after_cut(self._timekeeping, t)
            self._t = t

    def set_halted(self, stands: bool, t: float) -> None:
        """Stop the clock while the players agree on something, and start it again after that."""
        if stands:
            self._timekeeping = halt_clock(self._timekeeping, t)
        elif self._is_halted:
            self._timekeeping = go_on(self._timekeeping, t)
        if stands is not self._is_halted:
            self._is_halted, self._t = stands, max(self._t, t)

    def wait_for_draw(self, waits: bool, t: float) -> None:
        """Hold flag falls while a declared draw waits for its ruling, which may end the game before that."""
        if waits is not self._timekeeping.drawing:
            self._timekeeping = replace(self._timekeeping, drawing=waits)
            self._handle_step(Step(t, Act.DUE, author=Actor.BOX))

    # Turns

    def wake_clock(self, player: Colour, t: float) -> bool:
        """Return True if this `done` only means ready or starts the clock; otherwise it is to close a turn."""
        if self._control is None:
            return False
        if self._timekeeping.restored:
            self._handle_step(Step(t, Act.READY, player))
            return True
        if not self._timekeeping.begun:
            self.begin_clock(player, t)
            return not self._timekeeping.begun or player is not self._timekeeping.clock.turn
        return False

    def begin_clock(self, player: Colour, t: float) -> None:
        """Start the clock of the player to move at this player's press, if it has not begun."""
        if self._control is not None and not self._timekeeping.begun:
            self._handle_step(Step(t, Act.START, player))

    def close_turn(
        self, player: Colour, t: float, following: Colour | None = None, author: Actor | None = None
    ) -> bool:
        """Close the player's turn and change the clock over; return False if the clock is stopped.

        following: the next to move, if not the next player in order
        author: who ended the turn, if not its player
        """
        if self._control is None:
            return True
        if self._is_halted:
            self.set_halted(False, t)
        before = len(self._timekeeping.unjudged)
        self._handle_step(Step(t, Act.PRESS, player, following, author=author))
        return len(self._timekeeping.unjudged) > before

    def close_resigned_turn(self, player: Colour, t: float) -> None:
        """Close the turn of a player whose resignation waits for the presses before it, also on a stopped clock."""
        if self._control is None or not self._timekeeping.begun or self._timekeeping.result is not None:
            return
        if self._timekeeping.clock.running_player is None:
            self._timekeeping, self._t = close_while_standing(self._timekeeping, player, t), max(self._t, t)
        else:
            self.close_turn(player, t)

    def accept_turns(self, accepted: int, all_stand: bool, t: float, ended: bool = False) -> None:
        """Report how many closed turns were legal; unless all were, the others are open again and the clock goes back.

        accepted: the number of legal turns
        all_stand: all of them were accepted
        ended: the last legal one ended play: from then on nobody's time ran
        """
        if not all_stand:
            back = len(self._timekeeping.unjudged) - accepted
            if back > 0:
                self._handle_step(Step(t, Act.HAND_BACK, turns=back, author=Actor.BOX))
        if ended:
            self._timekeeping = replace(self._timekeeping, clock=self._timekeeping.clock.without_open_turn(t))
        accepted_count = min(accepted, len(self._timekeeping.unjudged))
        if accepted_count:
            self._handle_step(Step(t, Act.ACCEPT, turns=accepted_count, author=Actor.BOX))

    def end_turn(self, player: Colour, following: Colour, t: float, author: Actor = Actor.BOX) -> None:
        """End a turn now that counts although no press has closed it.

        following: the next to move
        author: the box if a look ended it, or the director
        """
        if self._control is None or self._timekeeping.result is not None:
            return
        if not self._timekeeping.begun:
            self._handle_step(Step(t, Act.START, author=author))
        if self._timekeeping.clock.running_player is player and self.close_turn(player, t, following, author):
            self._handle_step(Step(t, Act.ACCEPT, author=Actor.BOX))

    def take_back(self, turns: int, t: float) -> None:
        """Restore the clock of the director's newest taken-back turns, running or stopped as before they were
        closed."""
        if self._control is not None and self._timekeeping.result is None:
            self._timekeeping = forget_flags_that_stand(
                replace(self._timekeeping, clock=self._timekeeping.clock.taken_back(t, turns)), t
            )
            self._t = max(self._t, t)

    def forget_who_left(self, playing: tuple[Colour, ...]) -> None:
        """Drop the presses of players who are out of the game: nobody rules on them any more."""
        self._timekeeping = replace(
            self._timekeeping, unjudged=tuple(one for one in self._timekeeping.unjudged if one.player in playing)
        )

    def bring_back(self, players: set[Colour]) -> None:
        """Readmit these players: the director took back the turns by which they left the game."""
        self._timekeeping = replace(self._timekeeping, out=self._timekeeping.out - players)

    def follow_record(self, record: GameRecord, t: float, author: Actor = Actor.BOX) -> None:
        """Bring the clock to the record's state: its result, and whose turn it is.

        author: who changed the record
        """
        out = self._timekeeping.out | frozenset(record.situation.resigned)
        someone_left = out != self._timekeeping.out
        if someone_left:
            self._timekeeping = replace(self._timekeeping, out=out)
        self._follow_turn(record, t, author)
        if record.rules.handicap.may_lay(record):
            # Handicap stones are turns that no press closes on the clock.
            closed_count = len(self._timekeeping.clock.closed) - len(self._timekeeping.unjudged)
            self._times.begin_after(record.number - closed_count)
        if someone_left and record.result is None and self._timekeeping.restored:
            self._timekeeping, self._t = with_all_ready(self._timekeeping, t), max(self._t, t)

    def _follow_turn(self, record: GameRecord, t: float, author: Actor) -> None:
        timekeeping = self._timekeeping
        has_stopped = record.ended and not _has_open_last_turn(record, timekeeping)
        if record.result is not None:
            self._report_record_result(record, t, author)
        elif timekeeping.unjudged or has_stopped or timekeeping.result is not None:
            return
        elif timekeeping.clock.turn is not record.to_play and record.rules.handicap.may_lay(record):
            # No clock is kept for handicap stones, nor again after the director has taken one back; a pause is the
            # table's then.
            clock = timekeeping.clock.turn_to(t, record.to_play)
            self._timekeeping = replace(timekeeping, clock=clock, begun=False, called=False)
        elif timekeeping.clock.running_player is None and timekeeping.clock.turn is not record.to_play:
            is_opening = not timekeeping.begun and (record.turn is None or not record.number)
            clock = timekeeping.clock
            clock = clock.turn_to(t, record.to_play) if is_opening else clock.give_turn_to(t, record.to_play)
            self._timekeeping = replace(timekeeping, clock=clock)
        elif timekeeping.clock.running_player not in (None, record.to_play):
            self.end_turn(timekeeping.clock.turn, record.to_play, t, author)

    def report_result(self, result: str, author: Actor, t: float) -> None:
        """Report a result that a count has led to, or that the director has ruled."""
        self._say_if_kept(Step(t, Act.REPORT, result=result, author=author))

    def undo_result(self, result: str, t: float) -> bool:
        """Undo the result and resume the clock; return False if it is another by now, or verified."""
        now = self._timekeeping
        if now.result != result or now.final or set(now.clock.players) == now.verified:
            return False
        self._timekeeping = replace(now, result=None, verified=frozenset())
        self._reported_record, self._t = None, max(self._t, t)
        if self._control is not None:
            self._timekeeping = go_on(self._timekeeping, t)
        return True

    def _report_record_result(self, record: GameRecord, t: float, author: Actor) -> None:
        """Report the record's result to the timekeeping, once no issue is open: resigning ends one."""
        by_resigning = isinstance(record.turn, Resign) and str(record.result).endswith("+R")
        # With more than two players the last resignation leaves a winner whom only the record knows.
        is_resignation = by_resigning and self._timekeeping.result is None and record.players == 2
        if by_resigning and not is_resignation:
            self._timekeeping = replace(self._timekeeping, matter=None, doubter=None, proposals=())
        if (
            record is self._reported_record
            or record.result == self._timekeeping.result
            or not (is_resignation or self._timekeeping.matter is None)
        ):
            return
        self._reported_record = record
        if is_resignation and isinstance(record.turn, Resign):
            entered_by = author if author is Actor.DIRECTOR else None
            self._say_if_kept(Step(t, Act.RESIGN, record.turn.player, author=entered_by))
        else:
            self._say_if_kept(Step(t, Act.REPORT, result=record.result, author=Actor.BOX))

    def _say_if_kept(self, step: Step) -> None:
        """Do a step, dropping its answers if there are no clocks, because the ruling has said it."""
        answer_count = len(self._new_answers)
        self._handle_step(step)
        if self._control is None:
            del self._new_answers[answer_count:]

    def _handle_step(self, step: Step) -> None:
        self._timekeeping, answers = handle_step(self._timekeeping, step)
        self._new_answers += answers
        self._t = max(self._t, step.t)


def _has_open_last_turn(record: GameRecord, timekeeping: Timekeeping) -> bool:
    """Return True if the turn that ended play is still open on the clock because nobody pressed for it."""
    return timekeeping.begun and record.turn is not None and timekeeping.clock.turn is record.turn.player
