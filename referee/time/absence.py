"""The beginning of a game with and without both players, and penalties for coming late."""

from __future__ import annotations

from dataclasses import replace

from referee.board import Colour
from referee.texts import name
from referee.time.durations import in_words, ms_of
from referee.time.state import SETTLE_FIRST, Finding, Timekeeping, refused, who_acts
from referee.time.steps import Refusal, Step

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
