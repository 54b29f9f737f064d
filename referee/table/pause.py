"""The pause of a table and the call of the director: the one place that knows if play stands, why, and who ends it.

A table may have no clocks, or not have begun them, and can be paused anyway; a clock that was begun can be stopped by
an act of its own. Both are joined here: the table's own flags, and the clocks as they were after the newest event. A
clock that runs again, and a result, end the table's own pause and call (`follow_clocks`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.game.actor import Actor, By
from referee.game.messages import Message, message
from referee.table.buttons import Meaning
from referee.table.display_state import Paused
from referee.table.events import Pause, Pressed, Resume
from referee.table.snapshot import Clocks
from referee.time.state import SETTLE_FIRST
from referee.time.steps import Act, Step


@dataclass(frozen=True)
class PauseState:
    """The pause and the call of a table after an event.

    clocks: the clocks as long as the game has no result, else None
    is_doubted: a doubt about the clock may still undo the result, so that the director is needed
    cause: who paused, why and since when, while the game is paused
    is_table_paused: the table itself is paused, whatever its clocks do
    is_table_called: PAUSE was held to call the director, or a result was disputed
    """

    clocks: Clocks | None = None
    is_doubted: bool = False
    cause: Paused | None = None
    is_table_paused: bool = False
    is_table_called: bool = False

    @property
    def is_paused(self) -> bool:
        """Return True if the game is paused; a game that is over is not, if its result is not doubted."""
        return self.is_table_paused or self.is_called or self._is_clock_paused

    @property
    def is_called(self) -> bool:
        """Return True if the director is called."""
        by_clocks = self.clocks is not None and self.clocks.called and not self.is_directors
        return self.is_table_called or by_clocks or self.is_doubted

    @property
    def is_directors(self) -> bool:
        """Return True if the director paused."""
        return self.cause is not None and self.cause.by is Actor.DIRECTOR

    @property
    def is_boxs(self) -> bool:
        """Return True if the box paused by itself, and nobody has called the director since."""
        return self.cause is not None and self.cause.unexplained and not self.is_called

    @property
    def needs_director(self) -> bool:
        """Return True if only the director lets the game go on."""
        return self.is_directors or self.is_doubted or (self.clocks is not None and self.clocks.called)

    @property
    def is_players_call(self) -> bool:
        """Return True if clocks stand because a player called the director, and anybody may let the game go on."""
        return self.is_table_called and self._is_clock_paused

    @property
    def _is_clock_paused(self) -> bool:
        return self.clocks is not None and self.clocks.is_paused

    @property
    def message(self) -> Message:
        """Return the answer to a press that a pause leaves without effect."""
        if self.is_directors:
            return message("notice.paused-by-director")
        return message("notice.paused-called" if self.needs_director else "notice.paused")

    # After each event

    def follow_clocks(self, clocks: Clocks | None, is_doubted: bool, goes_on: bool) -> PauseState:
        """Return the state with these clocks. goes_on: a clock runs, or there is a result since this event."""
        now = replace(self, clocks=clocks, is_doubted=is_doubted)
        if self._is_clock_paused and clocks is not None and not clocks.begun:
            # The director has taken a handicap stone back: what the clock kept is the table's own.
            return replace(now, is_table_paused=True, is_table_called=self.is_called)
        return now.without_pause() if goes_on else now

    def with_cause(self, by: By, t: float) -> PauseState:
        """Return the state at the end of an event at time t, with the cause of a pause that began with it."""
        if not self.is_paused:
            return replace(self, cause=None) if self.cause is not None else self
        return self if self.cause is not None else replace(self, cause=Paused(by, "", t))

    # Changes

    def without_pause(self) -> PauseState:
        """Return the state without the table's own pause and call."""
        return replace(self, is_table_paused=False, is_table_called=False)

    def with_pause(self) -> PauseState:
        """Return the state with the table's own pause."""
        return replace(self, is_table_paused=True)

    def with_dispute(self) -> PauseState:
        """Return the state after a player did not agree to the result, which calls the director."""
        return replace(self, is_table_paused=True, is_table_called=True)

    def with_boxs_pause(self, pause: Pause) -> PauseState:
        """Return the state after the box's pause has stopped the clock, if one ran."""
        cause = Paused(Actor.BOX, "", pause.t, unexplained=True)
        return replace(self, is_table_paused=self.is_table_paused or not self.is_paused, cause=cause)

    def with_directors_pause(self, pause: Pause) -> PauseState:
        """Return the state after the director's pause has stopped the clock, if one ran."""
        uncalled = replace(self, is_table_called=False)
        since = self.cause.since if self.cause is not None else pause.t
        cause = Paused(pause.author, pause.why, since, pause.adjourned)
        return replace(uncalled, is_table_paused=self.is_table_paused or not uncalled.is_paused, cause=cause)

    # Acts

    def press_pause(self, press: Pressed, meaning: Meaning) -> PauseState | Message:
        """Return the state after a press of PAUSE that lets the game go on, pauses it, or calls the director; else why
        it has no effect. `step_of` stops or starts the clock then.

        Once the clock has begun, a pause stops the clock, unless it is stopped already; before, it only stops the
        judging. The director's own pause ends when they say so, or hold the button.
        """
        if meaning is Meaning.DIRECTOR_GOES_ON and self.is_doubted:
            return SETTLE_FIRST
        if meaning is Meaning.DIRECTORS:
            return message("notice.only-director")
        if meaning in (Meaning.GO_ON, Meaning.DIRECTOR_GOES_ON):
            return self.without_pause()
        if self.is_table_called and press.is_held:
            return message("notice.called-already")
        now = replace(self, is_table_called=press.is_held)
        return now if self._is_running or self._is_clock_paused else now.with_pause()

    def step_of(self, press: Pressed, meaning: Meaning) -> Step | None:
        """Return what a press of PAUSE does to the clock, None if nothing."""
        if meaning in (Meaning.GO_ON, Meaning.DIRECTOR_GOES_ON):
            by = None if press.is_held else Actor.TABLE
            return Step(press.t, Act.RESUME, author=by) if self._is_clock_paused else None
        return Step(press.t, Act.PAUSE, author=Actor.TABLE) if self._is_running else None

    def pause_clock(self, pause: Pause) -> Step | Message | None:
        """Return what a pause of the director's, or the box's, does to the clock, or why it has no effect.

        The director may also come after a call, or after the box has paused. A clock that is stopped stays stopped.
        """
        is_taken_over = pause.author is not Actor.BOX and (self.is_called or self.is_boxs)
        if self.is_paused and not is_taken_over and not pause.adjourned:
            return message("director.paused-already")
        return Step(pause.t, Act.PAUSE, author=pause.author) if self._is_running else None

    def go_on(self, resume: Resume, is_checking: bool) -> Step | Resume | Message | None:
        """Return what follows when the director lets the game go on, also after a power cut, or why nothing does.

        The box ends no pause but its own.

        is_checking: a resumed game has not yet been seen as it was left
        """
        if resume.author is Actor.BOX and not self.is_boxs:
            return message("director.not-paused")
        if self.is_doubted:
            return SETTLE_FIRST
        if self.clocks is not None and (self.clocks.is_paused or self.clocks.restored):
            return Step(resume.t, Act.RESUME, author=resume.author)
        if is_checking:
            return resume
        return None if self.is_paused else message("director.not-paused")

    @property
    def _is_running(self) -> bool:
        return self.clocks is not None and self.clocks.running_player is not None
