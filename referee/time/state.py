"""The timekeeping of a game as a value, and helpers that the procedures share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from referee.game.board import Colour, opponent_of
from referee.game.messages import Message, Value, message
from referee.time.clock import Clock
from referee.time.controls import TimeLeft
from referee.time.steps import Refusal, Step

NOBODY: frozenset[Colour] = frozenset()
NOT_BEGUN = message("time.not-begun")
SETTLE_FIRST = message("time.settle-first")


class OpenIssue(StrEnum):
    """The issue that the director has to settle.

    OFF: a player turned the clock off
    FLAG: a player disputes that their flag fell rightly
    FAULT: the clock is said to be wrong
    DEAD: it shows nothing, or that all have lost
    ADJUDICATION: no times could be agreed
    """

    OFF = "off"
    FLAG = "flag"
    FAULT = "fault"
    DEAD = "dead"
    ADJUDICATION = "adjudication"


@dataclass(frozen=True)
class LeaveRequest:
    """A player's request to leave in overtime.

    left: the player's remaining time then
    granted: the clock is stopped for it
    """

    player: Colour
    left: TimeLeft
    refused: bool = False
    granted: bool = False


@dataclass(frozen=True)
class PendingPress:
    """A turn that was closed and not ruled on.

    over: opponents whose flags had fallen before that
    by: the player who pressed; another one if this player may have forgotten to
    """

    player: Colour
    over: frozenset[Colour]
    by: Colour


@dataclass(frozen=True)
class Timekeeping:
    """The clock of a game and the state of the procedures. `timekeeping.handle_step` applies steps to it.

    procedures: False disables them: a fallen flag loses by itself, and the director sets clocks alone
    monitored: the referee stops the clock of a player for whom the game is over; otherwise it runs on, and they cede
    announced: when the game was to begin, in seconds
    absent: players who were not there then
    late: milliseconds by which each was late
    called: the director is called, who alone resumes
    restored: after a power cut all players have to be ready
    drawing: a draw that the player to move has declared waits for its ruling
    reported_flags: players whose flag was seen to fall
    passed_over: players whose fallen flag nobody claimed in time
    finished: players for whom the last significant point has been taken
    doubter: the player whom the matter concerns
    admitted: the opponent agrees with them, or they have proved it
    proposals: the proposed times, by proposer
    out: the players who lost, with more than two players
    """

    clock: Clock
    procedures: bool = True
    monitored: bool = True
    begun: bool = False
    announced: float | None = None
    absent: frozenset[Colour] = NOBODY
    late: tuple[tuple[Colour, int], ...] = ()
    called: bool = False
    restored: bool = False
    ready: frozenset[Colour] = NOBODY
    unjudged: tuple[PendingPress, ...] = ()
    drawing: bool = False
    reported_flags: frozenset[Colour] = NOBODY
    passed_over: frozenset[Colour] = NOBODY
    leave: LeaveRequest | None = None
    finished: frozenset[Colour] = NOBODY
    ceded: frozenset[Colour] = NOBODY
    matter: OpenIssue | None = None
    doubter: Colour | None = None
    admitted: bool = False
    proposals: tuple[tuple[Colour | None, tuple[tuple[Colour, TimeLeft], ...]], ...] = ()
    out: frozenset[Colour] = NOBODY
    result: str | None = None
    verified: frozenset[Colour] = NOBODY
    final: bool = False

    @property
    def is_held(self) -> bool:
        """Return True if no procedure starts the clock: the director is called, or all have to be ready first."""
        return self.called or self.restored

    @property
    def claimable_players(self) -> frozenset[Colour]:
        """Return the players against whom a win on time may be claimed."""
        return self.reported_flags - self.passed_over - self.finished - self.out - self.players_away

    @property
    def players_away(self) -> frozenset[Colour]:
        """Return the player who is away with leave that was not openly refused: their time may run out."""
        leave = self.leave
        return NOBODY if leave is None or leave.refused else frozenset({leave.player})

    def opponents_of(self, player: Colour) -> tuple[Colour, ...]:
        """Return the other players."""
        return tuple(other for other in self.clock.players if other is not player)

    def player_after(self, player: Colour) -> Colour:
        """Return the player who moves after this one: the next in the order of play who still plays."""
        players = self.clock.players
        index = players.index(player)
        others = (players[(index + step) % len(players)] for step in range(1, len(players) + 1))
        return next((other for other in others if other not in self.out), player)

    def standing_for_director(self, t: float) -> Timekeeping:
        """Stop the clock and call the director."""
        return replace(self, clock=self.clock.stop(t), called=True)

    def lost_by(self, player: Colour, t: float, why: str) -> Timekeeping:
        """Record a player's loss on time (`T`) or by forfeit (`F`).

        With more than two players the others play on.
        """
        if len(self.clock.players) > 2:
            return replace(self, out=self.out | {player}, matter=None, doubter=None, proposals=())
        result = f"{opponent_of(player)}+{why}"
        return replace(self, clock=self.clock.stop(t), result=result, matter=None, doubter=None, verified=NOBODY)


@dataclass(frozen=True)
class Finding:
    """The outcome of a step.

    after: the timekeeping after it
    message: what the players are told
    refusal: why it is refused
    lost: the player who lost by it
    who: the player whom it concerns
    """

    after: Timekeeping
    message: Message | None
    refusal: Refusal | None = None
    lost: Colour | None = None
    who: Colour | None = None


Procedure = Callable[[Timekeeping, Step], Finding]


def refuse_step(now: Timekeeping, refusal: Refusal, sentence: Message) -> Finding:
    """Return the finding that the step has no effect."""
    return Finding(now, sentence, refusal)


def who_acts(step: Step) -> Value:
    """Return the player, or the director."""
    return step.by or message("director")
