"""Stopped clocks: pauses, restarts, clocks turned off, leaving the table in overtime, and late players."""

from __future__ import annotations

from dataclasses import replace

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import Duration, Listing, Message, for_players, message
from referee.time.controls import ms_of
from referee.time.state import (
    NOT_BEGUN,
    SETTLE_FIRST,
    Finding,
    LeaveRequest,
    OpenIssue,
    Timekeeping,
    refuse_step,
    who_acts,
)
from referee.time.steps import Refusal, Step


def pause_clock(now: Timekeeping, step: Step) -> Finding:
    """Pause the clock for anybody; with the procedures the director is called, and alone resumes.

    The box's own pause calls nobody: what it waits for can be put right by the players.
    """
    if now.clock.running_player is None:
        return refuse_step(now, Refusal.STANDING, message("time.stopped-already"))
    if not now.procedures or step.author is Actor.BOX:
        return Finding(replace(now, clock=now.clock.stop(step.t)), _pause_message(step))
    if step.by is None:
        own = step.author is Actor.DIRECTOR
        sentence = message("time.paused-by-director" if own else "time.paused-wait")
        return Finding(now.standing_for_director(step.t), sentence)
    sentence = message("time.pauses-and-calls", player=step.by, others=Listing(now.opponents_of(step.by)))
    return Finding(now.standing_for_director(step.t), sentence)


def _pause_message(step: Step) -> Message:
    if step.by is not None:
        return message("time.pauses", player=step.by)
    return message("time.paused-by-director" if step.author is Actor.DIRECTOR else "time.paused")


def resume_clock(now: Timekeeping, step: Step) -> Finding:
    """Resume the clock."""
    if now.clock.running_player is not None:
        return refuse_step(now, Refusal.RUNNING, message("time.running"))
    if not now.begun:
        return refuse_step(now, Refusal.STANDING, NOT_BEGUN)
    if now.matter is not None:
        return refuse_step(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    if step.by is not None and now.procedures:
        return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.resume-director"))
    if now.clock.turn in now.absent:
        return refuse_step(now, Refusal.ABSENT, message("time.resume-absent", player=now.clock.turn))
    clock = now.clock.resumed(step.t)
    now = replace(now, clock=clock, called=False, restored=False, ready=frozenset())
    sentence = message("time.resumed", player=clock.turn)
    by_nobody = step.author in (Actor.TABLE, Actor.BOX)
    return Finding(now, sentence if by_nobody else message("time.resumes", who=who_acts(step), player=clock.turn))


def record_ready(now: Timekeeping, step: Step) -> Finding:
    """Record that a player is ready after a power cut; the clocks are stopped until all are."""
    if step.by is None:
        return refuse_step(now, Refusal.PLAYER_ONLY, message("time.ready-self"))
    if not now.restored or now.matter is not None:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.ready-nothing"))
    now = with_all_ready(replace(now, ready=now.ready | {step.by}), step.t)
    if now.restored:
        return Finding(now, message("time.ready", player=step.by, others=Listing(_players_not_ready(now))))
    return Finding(now, message("time.all-ready", player=now.clock.turn))


def with_all_ready(now: Timekeeping, t: float) -> Timekeeping:
    """Return the timekeeping with the clock going on if, after a power cut, everybody who still plays is ready."""
    if not now.restored or _players_not_ready(now):
        return now
    return replace(now, clock=now.clock.resumed(t), restored=False, ready=frozenset(), called=False)


def _players_not_ready(now: Timekeeping) -> tuple[Colour, ...]:
    return tuple(player for player in now.clock.players if player not in now.ready | now.out)


def turn_off(now: Timekeeping, step: Step) -> Finding:
    """Record that a player turned the clock off.

    That forfeits the game, unless the players and the director agree on the times.
    """
    if step.by is None:
        return refuse_step(now, Refusal.PLAYER_ONLY, message("time.turned-off-who"))
    if not now.begun:
        return refuse_step(now, Refusal.STANDING, NOT_BEGUN)
    now = replace(now.standing_for_director(step.t), matter=OpenIssue.OFF, doubter=step.by, proposals=())
    return Finding(now, message(for_players("time.turned-off", len(now.clock.players)), player=step.by), who=step.by)


# Leaving the table in overtime


def ask_leave(now: Timekeeping, step: Step) -> Finding:
    """Ask the opponent to pause the clock of a player in overtime who has to leave."""
    player = step.by
    if player is None:
        return refuse_step(now, Refusal.PLAYER_ONLY, message("time.leave-self"))
    if now.leave is not None:
        return refuse_step(now, Refusal.OPEN_MATTER, message("time.away-already", player=now.leave.player))
    left = now.clock.time_left(player, step.t)
    if left.has_fallen:
        return refuse_step(now, Refusal.FLAG_FALLEN, message("time.ran-out-before", player=player))
    if not left.is_in_overtime:
        return refuse_step(now, Refusal.NOT_IN_OVERTIME, message("time.leave-main-time"))
    sentence = message("time.leave-asked", player=player, others=Listing(now.opponents_of(player)))
    return Finding(replace(now, leave=LeaveRequest(player, left)), sentence)


def refuse_leave(now: Timekeeping, step: Step) -> Finding:
    """Record an open refusal: the clock runs, and running out of time is a loss."""
    leave = _pending_request(now, step)
    if isinstance(leave, Finding):
        return leave
    if leave.player in now.reported_flags:
        return refuse_step(now, Refusal.FLAG_FALLEN, message("time.leave-refused-late"))
    sentence = message("time.leave-refused", who=who_acts(step), player=leave.player)
    return Finding(replace(now, leave=replace(leave, refused=True)), sentence)


def grant_leave(now: Timekeeping, step: Step) -> Finding:
    """Stop the clock until the player is back, because the opponent agrees."""
    leave = _pending_request(now, step)
    if isinstance(leave, Finding):
        return leave
    now = replace(now, clock=now.clock.stop(step.t), leave=replace(leave, granted=True))
    return Finding(now, message("time.leave-granted", who=who_acts(step), player=leave.player))


def record_return(now: Timekeeping, step: Step) -> Finding:
    """Record the player's return. If their time ran out, and nobody had refused, the time at leaving is restored."""
    leave, player = now.leave, step.player or step.by
    if leave is None or player is not leave.player:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.leave-not-asked"))
    clock, sentence = now.clock, message("time.back", player=player)
    if leave.player in clock.fallen_players(step.t) and not leave.refused:
        clock = clock.set_to(step.t, {leave.player: leave.left})
        sentence = message("time.back-with-time", player=player)
    if leave.granted and not now.is_held:
        clock = clock.resumed(step.t)
    return Finding(replace(now, clock=clock, leave=None, reported_flags=now.reported_flags - {leave.player}), sentence)


def _pending_request(now: Timekeeping, step: Step) -> LeaveRequest | Finding:
    """Return the request for leave that this player answers, or the reason why they cannot."""
    leave = now.leave
    if leave is None or leave.refused or leave.granted:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.leave-none"))
    if step.by is None:
        return refuse_step(
            now, Refusal.PLAYER_ONLY, message(for_players("time.leave-opponent", len(now.clock.players)))
        )
    if step.by is leave.player:
        return refuse_step(
            now, Refusal.OTHER_PLAYER, message(for_players("time.leave-opponent", len(now.clock.players)))
        )
    return leave


TIMES_ELAPSED = 2
"""The usual penalty for lateness, as a multiple of the time elapsed."""


def announce_start(now: Timekeeping, step: Step) -> Finding:
    """Record that the announced starting time has come."""
    return Finding(replace(now, announced=step.t), message("time.announced"))


def record_absence(now: Timekeeping, step: Step) -> Finding:
    """Record an absent player. Once the game has begun that changes nothing: the opponent may play and press."""
    player = step.player or step.by
    if player is None:
        return refuse_step(now, Refusal.OTHER_PLAYER, message("time.missing-who"))
    if now.begun:
        return Finding(now, message(for_players("time.away", len(now.clock.players)), player=player), who=player)
    return Finding(replace(now, absent=now.absent | {player}), message("time.absent", player=player), who=player)


def record_arrival(now: Timekeeping, step: Step) -> Finding:
    """Record an absent player's arrival; their clock starts if it is their turn and the game has begun."""
    player = step.player or step.by
    if player is None or player not in now.absent:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.not-awaited"))
    now = replace(now, absent=now.absent - {player}, late=(*now.late, (player, _lateness_now(now, step.t))))
    if now.begun and not now.is_held and now.clock.turn is player:
        now = replace(now, clock=now.clock.start(step.t))
    late = _find_lateness(now, player, step.t)
    if not late:
        return Finding(now, message("time.arrived", player=player), who=player)
    sentence = message("time.arrived-late", player=player, late=Duration(late), penalty=Duration(TIMES_ELAPSED * late))
    return Finding(now, sentence, who=player)


def start_first_turn(now: Timekeeping, step: Step) -> Finding:
    """Begin the game's first turn; only the director starts an absent player's clock."""
    player, is_running = now.clock.turn, now.clock.running_player is not None
    if is_running or (now.begun and player not in now.absent):
        return refuse_step(now, Refusal.RUNNING, message("time.started-already"))
    if player in now.absent and step.by is not None and now.procedures:
        return refuse_step(now, Refusal.ABSENT, message("time.start-absent", player=player))
    if now.matter is not None:
        return refuse_step(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    if now.called and step.by is not None:
        return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.start-director"))
    clock = now.clock.start(step.t)
    now = replace(now, clock=clock, begun=True, called=False, absent=now.absent - {player})
    sentence = message("time.started", player=player)
    return Finding(
        now, sentence if step.author is Actor.BOX else message("time.starts", who=who_acts(step), player=player)
    )


def deduct_time(now: Timekeeping, step: Step) -> Finding:
    """Take time from a player for the director: a given time, or twice the player's lateness."""
    player = step.player
    if step.by is not None:
        return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.penalty-director"))
    if player is None:
        return refuse_step(now, Refusal.OTHER_PLAYER, message("time.penalty-who"))
    ms = TIMES_ELAPSED * _find_lateness(now, player, step.t) if step.ms is None else step.ms
    if ms <= 0:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.penalty-none", player=player))
    now = replace(now, clock=now.clock.penalise(step.t, player, ms))
    return Finding(now, message("time.penalty", player=player, time=Duration(ms)), who=player)


def _lateness_now(now: Timekeeping, t: float) -> int:
    return 0 if now.announced is None else max(ms_of(t) - ms_of(now.announced), 0)


def _find_lateness(now: Timekeeping, player: Colour, t: float) -> int:
    """Return the milliseconds by which a player was late, or is late by now."""
    lateness = dict(now.late)
    return lateness.get(player, _lateness_now(now, t) if player in now.absent else 0)
