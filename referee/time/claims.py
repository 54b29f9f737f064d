"""Wins on time: when they may be claimed, and the end of play after which they may not."""

from __future__ import annotations

from dataclasses import replace

from referee.board import Colour
from referee.texts import name
from referee.time.state import NOT_BEGUN, SETTLE_FIRST, Finding, Matter, Timekeeping, refused, who_acts
from referee.time.steps import Refusal, Step


def claim(now: Timekeeping, step: Step) -> Finding:
    """A player claims to have won because an opponent's time has run out."""
    if step.by is None:
        return refused(now, Refusal.PLAYER_ONLY, "The opponent claims a win on time; the director does not.")
    against = step.player or next(iter(now.told - {step.by}), now.opponents(step.by)[0])
    if against is step.by:
        return refused(now, Refusal.OTHER_PLAYER, "Nobody wins by her own time.")
    if now.matter is not None:
        return refused(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    if step.by in now.clock.fallen(step.t) and against in now.clock.fallen(step.t) and not now.unjudged:
        return _both(now, step)
    prevented = _prevented(now, step, step.by, against)
    if prevented is not None:
        return prevented
    text = f"{name(step.by)} claims the win: {name(against)} has used up all time and loses."
    return Finding(now.lost_by(against, step.t, "T"), text, lost=against, who=against)


def _both(now: Timekeeping, step: Step) -> Finding:
    after = replace(now.standing_for_director(step.t), matter=Matter.DEAD, proposals=())
    agree = "the players and the director agree on times, or the position is adjudicated"
    return Finding(after, f"The clock says that both have lost on time: {agree}.", Refusal.BOTH_FALLEN)


def _prevented(now: Timekeeping, step: Step, player: Colour, against: Colour) -> Finding | None:
    """Why a win on time may not be claimed now."""
    whose = f"{name(against)}'s"
    if against in now.finished:
        text = f"{name(against)} has said with cause that the last point was taken: no win on time against that player."
        return refused(now, Refusal.PLAY_WAS_OVER, text)
    if any(press.player is player for press in now.unjudged):
        return refused(now, Refusal.UNJUDGED, f"{name(player)}'s own press waits for its ruling; claim after it.")
    if against not in now.clock.fallen(step.t):
        return refused(now, Refusal.FLAG_STANDING, f"{whose} time has not run out.")
    if against in now.passed_over:
        return refused(
            now, Refusal.NEXT_MOVE_MADE, f"{whose} time ran out before; a claim has to come before the next move."
        )
    if now.leave is not None and now.leave.player is against and not now.leave.refused:
        return refused(now, Refusal.AWAY, f"{name(against)} is away with leave that was not refused: that is no loss.")
    return None


def last_point(now: Timekeeping, step: Step) -> Finding:
    """A player says with cause, or the director finds, that the last significant point has been taken."""
    player = step.player if step.by is None else step.by
    if player is None:
        return refused(now, Refusal.OTHER_PLAYER, "Say for which player the game is over.")
    if not now.begun:
        return refused(now, Refusal.STANDING, NOT_BEGUN)
    if player in now.finished:
        return refused(now, Refusal.NOTHING_OPEN, f"That has been said for {name(player)} already.")
    if step.by is not None and player in now.clock.fallen(step.t):
        return refused(now, Refusal.FLAG_FALLEN, f"{name(player)}'s time has run out before; the director may say it.")
    now = replace(now, finished=now.finished | {player}, told=now.told - {player})
    said = f"{who_acts(step)} says that the last significant point was taken"
    if not now.monitored:
        return Finding(now, f"{said}: no win on time against {name(player)}; her clock runs on.", who=player)
    now = replace(now, clock=now.clock.freed(step.t, player))
    return Finding(now, f"{said}: {name(player)}'s clock is stopped, and nothing is ceded.", who=player)


def deny_last_point(now: Timekeeping, step: Step) -> Finding:
    """The director finds that there was no cause: the clock is kept again."""
    player = step.player
    if step.by is not None:
        return refused(now, Refusal.DIRECTOR_ONLY, "Only the director finds whether there was cause.")
    if player is None or player not in now.finished:
        return refused(now, Refusal.NOTHING_OPEN, "That player did not say that the last point was taken.")
    clock = now.clock.freed(step.t, player, free=False)
    now = replace(
        now, clock=clock, finished=now.finished - {player}, ceded=now.ceded - {player}, told=now.told - {player}
    )
    return Finding(now, f"Points are left to take: {name(player)}'s clock is kept again.", who=player)
