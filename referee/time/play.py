"""A turn's press and the ruling on it, and what falls due by itself."""

from __future__ import annotations

from dataclasses import replace

from referee.board import Colour
from referee.texts import name
from referee.time.moments import flag_falls
from referee.time.state import Finding, Timekeeping, Unjudged, names, refused
from referee.time.steps import Refusal, Step


def press(now: Timekeeping, step: Step) -> Finding:
    """A player closes her turn: the clock changes over; it stands where the next player has not come yet.

    Who presses while the clock of the player before runs says that this one has moved and forgot to press: both turns
    are closed, and her clock runs again. If the ruling finds it otherwise both are handed back.
    """
    player, clock, before = step.by, now.clock, now
    if player is None:
        return refused(now, Refusal.PLAYER_ONLY, "A turn is closed by the player who made it.")
    waits = clock.turn in now.absent
    if clock.running is None or waits:
        return refused(now, Refusal.STANDING, "The clock stands: a press changes nothing.")
    forgetful = clock.turn
    if player is not forgetful:
        now = _closed(now, step.t, forgetful, None)
        if now.clock.turn is not player:
            return refused(
                before, Refusal.NOT_YOUR_TURN, f"{name(forgetful)}'s clock runs, and {name(player)} is not next."
            )
    now = _closed(now, step.t, player, step.player)
    whose = name(now.clock.turn)
    if now.clock.turn in now.absent:
        text = f"{whose} is absent: the clock stands until {whose} comes or the director starts it."
        return Finding(replace(now, clock=now.clock.stopped(step.t)), text)
    if player is not forgetful:
        forgot = f"if {name(forgetful)} moved and forgot to press, both turns count"
        return Finding(now, f"{name(player)} presses while {name(forgetful)}'s clock runs: {forgot}.")
    return Finding(now, f"{name(player)} presses: {whose}'s clock runs.")


def _closed(now: Timekeeping, t: float, player: Colour, following: Colour | None) -> Timekeeping:
    over = frozenset(now.clock.fallen(t)) - {player} - now.passed_over
    clock = now.clock.pressed(t, player, following)
    return replace(now, clock=clock, unjudged=(*now.unjudged, Unjudged(player, over)))


def accept(now: Timekeeping, step: Step) -> Finding:
    """The oldest turns that waited for a ruling are legal; who played on past a fallen flag has let it pass."""
    judged, left = now.unjudged[: step.turns], now.unjudged[step.turns :]
    if not judged:
        return refused(now, Refusal.NOTHING_OPEN, "No press waits for a ruling.")
    over: tuple[Colour, ...] = tuple(sorted({player for press in judged for player in press.over}))
    now = replace(now, unjudged=left)
    over = tuple(player for player in over if _can_lose(now, player))
    if not over or not now.procedures or now.result is not None:
        return Finding(now, "The turn counts.")
    for player in over:
        now = _let_pass(now, player, step.t)
    who = names(over)
    on = f"{who} goes on with what the time control gives anew"
    if set(over) & now.passed_over:
        on = f"nothing is left for {who} to go on with: the clock stands, and the director is called"
    return Finding(now, f"The next move has been made: no win on {who}'s time may be claimed any more; {on}.")


def _let_pass(now: Timekeeping, player: Colour, t: float) -> Timekeeping:
    clock = now.clock.set_to(t, {player: now.clock.control.renew(now.clock.left(player, t))})
    now = replace(now, clock=clock, told=now.told - {player})
    if clock.left(player, t).fallen:
        now = replace(now, passed_over=now.passed_over | {player}, told=now.told | {player})
        return now.standing_for_director(t)
    return now


def _can_lose(now: Timekeeping, player: Colour) -> bool:
    """Whether a player whose time ran out can lose by it: not when the game is over for her, nor on leave."""
    away = now.leave is not None and now.leave.player is player and not now.leave.refused
    return player not in now.finished and not away


def hand_back(now: Timekeeping, step: Step) -> Finding:
    """The newest turns are illegal or unfinished: the clock goes back to the presser with the time since the press."""
    if not now.unjudged:
        return refused(now, Refusal.NOTHING_OPEN, "No press waits for a ruling.")
    waited = now.clock.turn in now.absent and not now.called
    clock = now.clock.handed_back(step.t, min(step.turns, len(now.unjudged)))
    clock = clock.started(step.t) if waited and now.result is None else clock
    now = replace(
        now, clock=clock, unjudged=now.unjudged[: -step.turns], told=now.told & frozenset(clock.fallen(step.t))
    )
    return Finding(now, f"The clock goes back to {name(clock.turn)} with the time since the press.")


def due(now: Timekeeping, step: Step) -> Finding:
    """Time has come to t; what has fallen due is said before this step."""
    return Finding(now, "")


def flags(now: Timekeeping, t: float) -> tuple[Timekeeping, list[Finding]]:
    """What follows from flags that have fallen by t. Nothing while a press waits for its ruling, which can undo it."""
    said: list[Finding] = []
    if now.result is not None or now.unjudged or now.matter is not None or not now.begun:
        return now, said
    now = replace(now, told=now.told & frozenset(now.clock.fallen(t)))
    for player in now.clock.fallen(t):
        if player not in now.told | now.out and now.result is None:
            finding = _fallen(replace(now, told=now.told | {player}), player, t)
            now = finding.after
            said.append(finding)
    return now, said


def _fallen(now: Timekeeping, player: Colour, t: float) -> Finding:
    who, others = name(player), names(now.opponents(player))
    if not now.procedures:
        fell = flag_falls(now.clock)
        lost = now.lost_by(player, t if fell is None else min(t, fell), "T")
        return Finding(lost, f"{who} has used up all time and loses.", lost=player, who=player)
    if player in now.finished:
        ceded = f"{who} cedes unclaimed points and protective moves and does not lose"
        text = f"{who}'s time ran out after the last point: {ceded}; a group's status may still be shown, at once."
        return Finding(replace(now, ceded=now.ceded | {player}), text, who=player)
    if now.leave is not None and now.leave.player is player and not now.leave.refused:
        return Finding(now, f"{who}'s time ran out while away with leave: that is no loss.", who=player)
    text = f"{who} has used up all time: {others} may claim the win at once, before the next move."
    return Finding(now, text, who=player)
