"""Wins on time, when they may be claimed and until when; and clocks that are said to be wrong.

Of a wrong clock: who has to show what, agreement on times, and adjudication where there is none.
"""

from __future__ import annotations

from dataclasses import replace

from referee.board import Colour
from referee.texts import name
from referee.time.results import is_result
from referee.time.state import NOBODY, NOT_BEGUN, SETTLE_FIRST, Finding, Matter, Timekeeping, refused, who_acts
from referee.time.steps import Ground, Refusal, Step


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


def malfunction(now: Timekeeping, step: Step) -> Finding:
    """Somebody says that the clock malfunctions: it stands, and the director is called."""
    if not now.begun:
        return refused(now, Refusal.STANDING, NOT_BEGUN)
    fallen = now.clock.fallen(step.t)
    lost = step.by is not None and (step.by in fallen or _lost_on_time(now, step))
    if now.result is not None and not lost:
        return refused(now, Refusal.GAME_OVER, f"The game is over ({now.result}).")
    if lost and step.ground in (Ground.STICKY, Ground.UNPRESSED):
        return refused(
            now, Refusal.NO_GROUND, "A sticky or unpressed button does not show that the loss is impossible."
        )
    if step.ground is Ground.DEAD or len(fallen) == len(now.clock.players):
        matter, then = Matter.DEAD, "agree on the times left, or the position is adjudicated"
    elif lost:
        matter, then = Matter.FLAG, "the loss stands unless the opponent agrees or it is shown to be impossible"
    else:
        matter, then = Matter.FAULT, "it is replaced at the times it shows, unless all agree on others"
    after = replace(now.standing_for_director(step.t), matter=matter, doubter=step.by, admitted=False, proposals=())
    return Finding(
        after, f"{who_acts(step)} says that the clock malfunctions: it stands, the director is called; {then}."
    )


def _lost_on_time(now: Timekeeping, step: Step) -> bool:
    return now.result in [f"{other}+T" for other in now.clock.players if other is not step.by]


def admit(now: Timekeeping, step: Step) -> Finding:
    """The opponent agrees that the clock malfunctioned, or the director finds it shown that the loss is impossible."""
    if now.matter is not Matter.FLAG or now.admitted:
        return refused(now, Refusal.NOTHING_OPEN, "No loss on time is in doubt.")
    if step.by is now.doubter:
        return refused(now, Refusal.OTHER_PLAYER, "The opponent has to agree, or the director to find it shown.")
    how = "agrees" if step.by else "finds it shown"
    text = f"{who_acts(step)} {how} that the clock was wrong: no loss on time; the times left have to be agreed."
    return Finding(replace(now, admitted=True, result=None, verified=NOBODY), text)


def dismiss(now: Timekeeping, step: Step) -> Finding:
    """The director finds nothing shown: a loss stands, a clock is replaced at the times it shows."""
    if step.by is not None:
        return refused(now, Refusal.DIRECTOR_ONLY, "Only the director decides on a doubted clock.")
    if now.matter is Matter.FAULT:
        return _at_times_shown(now, step)
    if now.matter is not Matter.FLAG or now.admitted or now.doubter is None:
        return refused(now, Refusal.NOTHING_OPEN, "No doubt of a clock can be dismissed now.")
    after = now.lost_by(now.doubter, step.t, "T")
    text = f"{name(now.doubter)} has not shown that the clock was wrong: the loss on time stands."
    return Finding(replace(after, matter=None, doubter=None), text, lost=now.doubter, who=now.doubter)


def _at_times_shown(now: Timekeeping, step: Step) -> Finding:
    now = replace(now, matter=None, doubter=None, proposals=())
    return Finding(now, "The clock is replaced at the times it shows; the director resumes it.")


def propose(now: Timekeeping, step: Step) -> Finding:
    """Times are proposed; when the players and the director propose the same, the clocks are set to them."""
    if now.result is not None and now.matter is None:
        return refused(now, Refusal.GAME_OVER, f"The game is over ({now.result}).")
    if now.clock.running is not None:
        return refused(now, Refusal.RUNNING, "Pause the clock before times are agreed.")
    lefts = tuple(sorted(step.lefts, key=lambda pair: now.clock.players.index(pair[0])))
    if not lefts:
        return refused(now, Refusal.OTHER_PLAYER, "Say which times are proposed, and for whom.")
    if not now.procedures:
        if step.by is not None:
            return refused(now, Refusal.DIRECTOR_ONLY, "Only the director sets the clocks.")
        return _set(now, step, "The director sets the clocks")
    proposals = (*(pair for pair in now.proposals if pair[0] != step.by), (step.by, lefts))
    now = replace(now, proposals=proposals)
    everybody = {None, *now.clock.players}
    if {who for who, _ in proposals} == everybody and len({times for _, times in proposals}) == 1:
        return _set(now, step, "Both players and the director agree" if len(everybody) == 3 else "All agree")
    shown = ", ".join(f"{name(player)} {now.clock.control.shown(left)}" for player, left in lefts)
    return Finding(now, f"{who_acts(step)} proposes these times: {shown}.")


def _set(now: Timekeeping, step: Step, text: str) -> Finding:
    clock = now.clock.set_to(step.t, dict(step.lefts))
    still = frozenset(clock.fallen(step.t))
    now = replace(now, clock=clock, matter=None, doubter=None, admitted=False, proposals=(), result=None)
    now = replace(now, told=now.told & still, passed_over=now.passed_over & still)
    return Finding(now, f"{text}: the clocks are set; the director resumes them.")


def no_agreement(now: Timekeeping, step: Step) -> Finding:
    """No times can be agreed."""
    if step.by is not None:
        return refused(now, Refusal.DIRECTOR_ONLY, "Only the director says that no times can be agreed.")
    if now.matter is Matter.OFF and now.doubter is not None:
        text = f"No times were agreed: {name(now.doubter)} turned the clock off and forfeits."
        return Finding(now.lost_by(now.doubter, step.t, "F"), text, lost=now.doubter, who=now.doubter)
    if now.matter is Matter.FAULT:
        return _at_times_shown(now, step)
    if now.matter is Matter.FLAG and not now.admitted:
        return refused(now, Refusal.NOT_SHOWN, "Decide first whether the clock was wrong: admit or dismiss the doubt.")
    if now.matter not in (Matter.FLAG, Matter.DEAD):
        return refused(now, Refusal.NOTHING_OPEN, "No times are to be agreed.")
    who = "the strongest player present may adjudicate the frozen position"
    return Finding(replace(now, matter=Matter.ADJUDICATION), f"No times were agreed: {who}.")


def adjudicate(now: Timekeeping, step: Step) -> Finding:
    """The strongest player present has decided the frozen position, which the director announces."""
    if step.by is not None:
        return refused(now, Refusal.DIRECTOR_ONLY, "Only the director has a position adjudicated.")
    if now.matter is not Matter.ADJUDICATION:
        text = "A position is adjudicated only where the clock was wrong and no times could be agreed."
        return refused(now, Refusal.AGREEMENT_FIRST, text)
    if step.result is None or not is_result(step.result, now.clock.players):
        return refused(now, Refusal.BAD_RESULT, "Give the result like B+R, W+3.5, 0 or Void.")
    now = replace(now, matter=None, doubter=None, admitted=False, proposals=(), result=step.result, verified=NOBODY)
    return Finding(now, f"The frozen position is adjudicated by the strongest player present: {step.result}.")
