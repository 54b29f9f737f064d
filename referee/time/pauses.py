"""Standing clocks: pauses, restarts, clocks turned off, leaving the table in overtime, and players who come late."""

from __future__ import annotations

from dataclasses import replace

from referee.board import Colour
from referee.texts import name
from referee.time.controls import in_words, ms_of
from referee.time.state import NOT_BEGUN, SETTLE_FIRST, Finding, Leave, Matter, Timekeeping, names, refused, who_acts
from referee.time.steps import Refusal, Step


def pause(now: Timekeeping, step: Step) -> Finding:
    """Anybody may pause; the director is called, and alone resumes."""
    if now.clock.running is None:
        return refused(now, Refusal.STANDING, "The clock stands already.")
    if not now.procedures:
        text = f"{name(step.by)} pauses the clock." if step.by is not None else "The clock is paused."
        return Finding(replace(now, clock=now.clock.stopped(step.t)), text)
    if step.by is None:
        text = "The clock is paused; players wait for the director without looking at the board."
        return Finding(now.standing_for_director(step.t), text)
    told = f"tells {names(now.opponents(step.by))} and calls the director without looking at the board"
    return Finding(now.standing_for_director(step.t), f"{name(step.by)} pauses the clock, {told}.")


def resume(now: Timekeeping, step: Step) -> Finding:
    """The clock goes on where it stood."""
    if now.clock.running is not None:
        return refused(now, Refusal.RUNNING, "The clock is running.")
    if not now.begun:
        return refused(now, Refusal.STANDING, NOT_BEGUN)
    if now.matter is not None:
        return refused(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    if step.by is not None and now.procedures:
        return refused(now, Refusal.DIRECTOR_ONLY, "Only the director resumes the clock.")
    if now.clock.turn in now.absent:
        return refused(now, Refusal.ABSENT, f"{name(now.clock.turn)} has not come: start the clock if it is to run.")
    clock = now.clock.resumed(step.t)
    now = replace(now, clock=clock, called=False, restored=False, ready=frozenset())
    return Finding(now, f"{who_acts(step)} resumes the clock: {name(clock.turn)} is to play.")


def ready(now: Timekeeping, step: Step) -> Finding:
    """After a power cut the clocks stand until both players say that they are ready."""
    if step.by is None:
        return refused(now, Refusal.PLAYER_ONLY, "The players say themselves that they are ready.")
    if not now.restored or now.matter is not None:
        return refused(now, Refusal.NOTHING_OPEN, "Nothing waits for the players to be ready.")
    now = replace(now, ready=now.ready | {step.by})
    waits = tuple(player for player in now.clock.players if player not in now.ready)
    if waits:
        return Finding(now, f"{name(step.by)} is ready; the clock stands until {names(waits)} is.")
    now = replace(now, clock=now.clock.resumed(step.t), restored=False, ready=frozenset(), called=False)
    return Finding(now, f"All are ready: {name(now.clock.turn)}'s clock runs.")


def turn_off(now: Timekeeping, step: Step) -> Finding:
    """A player turned the clock off: that forfeits, unless the players and the director agree on the times."""
    if step.by is None:
        return refused(now, Refusal.PLAYER_ONLY, "Say which player turned the clock off.")
    if not now.begun:
        return refused(now, Refusal.STANDING, NOT_BEGUN)
    now = replace(now.standing_for_director(step.t), matter=Matter.OFF, doubter=step.by, proposals=())
    unless = "unless both players and the director agree on the times left"
    return Finding(now, f"{name(step.by)} turned the clock off and forfeits, {unless}.", who=step.by)


# Leaving the table in overtime


def ask_leave(now: Timekeeping, step: Step) -> Finding:
    """A player in overtime has to leave and asks the opponent to pause the clock."""
    player = step.by
    if player is None:
        return refused(now, Refusal.PLAYER_ONLY, "The player who has to leave asks herself.")
    if now.leave is not None:
        return refused(now, Refusal.OPEN_MATTER, f"{name(now.leave.player)} is away already.")
    left = now.clock.left(player, step.t)
    if left.fallen:
        return refused(now, Refusal.FLAG_FALLEN, f"{name(player)}'s time has run out before.")
    if not left.in_overtime:
        return refused(now, Refusal.NOT_IN_OVERTIME, "In main time a player may leave without asking; her clock runs.")
    unless = "unless that is openly refused now, running out of time while away is no loss"
    text = f"{name(player)} asks {names(now.opponents(player))} for leave: {unless}."
    return Finding(replace(now, leave=Leave(player, left)), text)


def refuse_leave(now: Timekeeping, step: Step) -> Finding:
    """The opponent refuses openly: the clock runs, and running out of time is a loss."""
    finding = _answers(now, step)
    if finding is not None or now.leave is None:
        return finding or refused(now, Refusal.NOTHING_OPEN, "Nobody asked for leave.")
    if now.leave.player in now.told:
        return refused(now, Refusal.FLAG_FALLEN, "Leave can only be refused before the time runs out.")
    text = f"{who_acts(step)} refuses openly: {name(now.leave.player)}'s clock runs, and running out of time is a loss."
    return Finding(replace(now, leave=replace(now.leave, refused=True)), text)


def grant_leave(now: Timekeeping, step: Step) -> Finding:
    """The opponent agrees: the clock stands until the player is back."""
    finding = _answers(now, step)
    if finding is not None or now.leave is None:
        return finding or refused(now, Refusal.NOTHING_OPEN, "Nobody asked for leave.")
    now = replace(now, clock=now.clock.stopped(step.t), leave=replace(now.leave, granted=True))
    return Finding(now, f"{who_acts(step)} agrees: the clock stands until the player is back.")


def back(now: Timekeeping, step: Step) -> Finding:
    """The player is back. If her time ran out, and nobody had refused, she has what she had when she left."""
    leave, player = now.leave, step.player or step.by
    if leave is None or player is not leave.player:
        return refused(now, Refusal.NOTHING_OPEN, "That player did not ask for leave.")
    clock, text = now.clock, f"{name(player)} is back."
    if leave.player in clock.fallen(step.t) and not leave.refused:
        clock = clock.set_to(step.t, {leave.player: leave.left})
        text = f"{name(player)} is back and has the time that she left with."
    if leave.granted and not now.called:
        clock = clock.resumed(step.t)
    return Finding(replace(now, clock=clock, leave=None, told=now.told - {leave.player}), text)


def _answers(now: Timekeeping, step: Step) -> Finding | None:
    """Why this player cannot answer a request for leave."""
    leave = now.leave
    if leave is None or leave.refused or leave.granted:
        return refused(now, Refusal.NOTHING_OPEN, "No request for leave is open.")
    if step.by is None:
        return refused(now, Refusal.PLAYER_ONLY, "The opponent answers a request for leave, not the director.")
    if step.by is leave.player:
        return refused(now, Refusal.OTHER_PLAYER, "The opponent answers a request for leave.")
    return None


TIMES_ELAPSED = 2
"""A penalty is usually so many times the time by which the player was late."""


def announce(now: Timekeeping, step: Step) -> Finding:
    """The announced starting time has come."""
    return Finding(replace(now, announced=step.t), "The announced time has come: the game begins.")


def missing(now: Timekeeping, step: Step) -> Finding:
    """A player is not there. Once the game has begun that changes nothing: the opponent may play and press."""
    player = step.player or step.by
    if player is None:
        return refused(now, Refusal.OTHER_PLAYER, "Say which player is missing.")
    if now.begun:
        text = f"{name(player)} is away: the opponent may play and press, and shows the move on return."
        return Finding(now, text, who=player)
    text = f"{name(player)} is absent: her clock is not started unless the director says so."
    return Finding(replace(now, absent=now.absent | {player}), text, who=player)


def arrive(now: Timekeeping, step: Step) -> Finding:
    """An absent player has come; her clock starts if it is her turn and the game has begun."""
    player = step.player or step.by
    if player is None or player not in now.absent:
        return refused(now, Refusal.NOTHING_OPEN, "Nobody is waited for by that name.")
    now = replace(now, absent=now.absent - {player}, late=(*now.late, (player, _late(now, step.t))))
    if now.begun and not now.called and now.clock.turn is player:
        now = replace(now, clock=now.clock.started(step.t))
    late = _lateness(now, player, step.t)
    penalty = f"{in_words(late)} late; the director may take {in_words(TIMES_ELAPSED * late)} as a penalty"
    return Finding(now, f"{name(player)} has come" + (f", {penalty}." if late else "."), who=player)


def start(now: Timekeeping, step: Step) -> Finding:
    """The game's first turn begins; an absent player's clock is started by the director alone."""
    player, running = now.clock.turn, now.clock.running is not None
    if running or (now.begun and player not in now.absent):
        return refused(now, Refusal.RUNNING, "The clocks have been started; use resume where they stand.")
    if player in now.absent and step.by is not None and now.procedures:
        text = f"{name(player)} is absent: only the director may have her clock started."
        return refused(now, Refusal.ABSENT, text)
    if now.matter is not None:
        return refused(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    if now.called and step.by is not None:
        return refused(now, Refusal.DIRECTOR_ONLY, "The director is called, who alone lets the clock run.")
    clock = now.clock.started(step.t)
    now = replace(now, clock=clock, begun=True, called=False, absent=now.absent - {player})
    return Finding(now, f"{who_acts(step)} starts the clock: {name(player)} is to play.")


def penalise(now: Timekeeping, step: Step) -> Finding:
    """The director takes time from a player: so much, or twice the time by which she was late."""
    player = step.player
    if step.by is not None:
        return refused(now, Refusal.DIRECTOR_ONLY, "Only the director may impose a time penalty.")
    if player is None:
        return refused(now, Refusal.OTHER_PLAYER, "Say which player the penalty is for.")
    ms = TIMES_ELAPSED * _lateness(now, player, step.t) if step.ms is None else step.ms
    if ms <= 0:
        return refused(now, Refusal.NOTHING_OPEN, f"{name(player)} was not late; say how much time is to be taken.")
    now = replace(now, clock=now.clock.penalised(step.t, player, ms))
    return Finding(now, f"{name(player)} has {in_words(ms)} less, as a penalty.", who=player)


def _late(now: Timekeeping, t: float) -> int:
    return 0 if now.announced is None else max(ms_of(t) - ms_of(now.announced), 0)


def _lateness(now: Timekeeping, player: Colour, t: float) -> int:
    """Milliseconds by which a player was late, or is late by now."""
    arrived = dict(now.late)
    return arrived.get(player, _late(now, t) if player in now.absent else 0)
