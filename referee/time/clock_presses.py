"""Clock presses, the rulings on them, and fallen flags."""

from __future__ import annotations

from dataclasses import replace

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import Listing, Message, message
from referee.time.clock_events import flag_falls
from referee.time.state import Finding, PendingPress, Timekeeping, refuse_step
from referee.time.steps import Refusal, Step


def press_clock(now: Timekeeping, step: Step) -> Finding:
    """Close a player's turn: the clock changes over, and is stopped if the next player has not come yet.

    A player who presses while the previous player's clock runs reports that this one has moved and forgot to press:
    both turns are closed, and the same clock runs again. If the ruling disagrees, both are handed back.
    """
    player, clock, before = step.by, now.clock, now
    if player is None:
        return refuse_step(now, Refusal.PLAYER_ONLY, message("time.press-by-player"))
    waits = clock.turn in now.absent
    if clock.running_player is None or waits:
        return refuse_step(now, Refusal.STANDING, message("time.press-standing"))
    forgetful = clock.turn
    if player is not forgetful:
        now = _close_turn(now, step.t, forgetful, None, player)
        if now.clock.turn is not player:
            sentence = message("time.not-next", running=forgetful, player=player)
            return refuse_step(before, Refusal.NOT_YOUR_TURN, sentence)
    now = _close_turn(now, step.t, player, step.player, player)
    if now.clock.turn in now.absent:
        sentence = message("time.waits-for-absent", player=now.clock.turn)
        return Finding(replace(now, clock=now.clock.stop(step.t)), sentence)
    if player is not forgetful:
        return Finding(now, message("time.presses-for-both", player=player, other=forgetful))
    return Finding(now, _press_message(step, player, now.clock.turn))


def _press_message(step: Step, player: Colour, next_player: Colour) -> Message:
    """Return who pressed; or that nobody did, because the box or the director ended the turn."""
    if step.author is Actor.DIRECTOR:
        return message("time.given-turn", player=next_player)
    return message("time.turn-over" if step.author is Actor.BOX else "time.presses", player=player, other=next_player)


def close_while_standing(now: Timekeeping, player: Colour, t: float) -> Timekeeping:
    """Return the timekeeping after a player on a stopped clock has ended the turn by resigning.

    An open turn of the player before is closed too: that player may have forgotten to press. The clock stays stopped.
    """
    before, forgetful = now, now.clock.turn
    if player is not forgetful:
        now = _close_turn(now, t, forgetful, None, player)
    return _close_turn(now, t, player, None, player) if now.clock.turn is player else before


def _close_turn(now: Timekeeping, t: float, player: Colour, next_player: Colour | None, by: Colour) -> Timekeeping:
    flagged = frozenset(now.clock.fallen_players(t)) - {player} - now.passed_over
    next_player = next_player or now.player_after(player)
    stands = now.clock.running_player is None
    clock = now.clock.give_turn_to(t, next_player) if stands else now.clock.press(t, player, next_player)
    return replace(now, clock=clock, unjudged=(*now.unjudged, PendingPress(player, flagged, by)))


def accept_turns(now: Timekeeping, step: Step) -> Finding:
    """Accept the oldest turns that waited for a ruling; a player who played on past a fallen flag has let it pass."""
    presses, left = now.unjudged[: step.turns], now.unjudged[step.turns :]
    if not presses:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.no-press-waits"))
    flagged: tuple[Colour, ...] = tuple(sorted({player for press in presses for player in press.over}))
    now = replace(now, unjudged=left)
    flagged = tuple(player for player in flagged if _can_lose(now, player))
    if not flagged or not now.procedures or now.result is not None:
        return Finding(now, message("time.turn-counts"))
    for player in flagged:
        now = _let_pass(now, player, step.t)
    who, none_given = Listing(flagged), set(flagged) & now.passed_over
    consequence = message("time.none-given" if none_given else "time.given-anew", players=who)
    return Finding(now, message("time.next-move-made", players=who) + consequence)


def _let_pass(now: Timekeeping, player: Colour, t: float) -> Timekeeping:
    clock = now.clock.set_to(t, {player: now.clock.control.renew_time(now.clock.time_left(player, t))})
    now = replace(now, clock=clock, reported_flags=now.reported_flags - {player})
    if clock.time_left(player, t).has_fallen:
        now = replace(now, passed_over=now.passed_over | {player}, reported_flags=now.reported_flags | {player})
        return now.standing_for_director(t)
    return now


def _can_lose(now: Timekeeping, player: Colour) -> bool:
    """Return True if running out of time loses: not when the game is over for this player, nor on leave."""
    return player not in now.finished | now.players_away


def hand_back(now: Timekeeping, step: Step) -> Finding:
    """Hand back the newest turns, which are illegal or unfinished.

    The clock goes back to the presser with the time since the press.
    """
    if not now.unjudged:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.no-press-waits"))
    was_waiting = now.clock.turn in now.absent and not now.is_held
    clock = now.clock.handed_back(step.t, min(step.turns, len(now.unjudged)))
    clock = clock.start(step.t) if was_waiting and now.result is None else clock
    now = replace(
        now,
        clock=clock,
        unjudged=now.unjudged[: -step.turns],
        reported_flags=now.reported_flags & frozenset(clock.fallen_players(step.t)),
    )
    sentence = message(
        "time.turn-open-again" if clock.running_player is None else "time.clock-resumes", player=clock.turn
    )
    return Finding(now, sentence)


def pass_time(now: Timekeeping, step: Step) -> Finding:
    """Let time come to t; what has fallen due is reported before this step."""
    return Finding(now, None)


def forget_flags_that_stand(now: Timekeeping, t: float) -> Timekeeping:
    """Return the timekeeping without flags that were told and stand again: a press made before the fall came late, or
    time was given back."""
    still = now.reported_flags & frozenset(now.clock.fallen_players(t))
    return now if still == now.reported_flags or now.result is not None else replace(now, reported_flags=still)


def judge_flags(now: Timekeeping, t: float) -> tuple[Timekeeping, list[Finding]]:
    """Return the consequences of flags that have fallen by t.

    None while a press waits for its ruling, which can undo it, or a declared draw, which can have ended the game
    before.
    """
    findings: list[Finding] = []
    if now.result is not None or now.unjudged or now.drawing or now.matter is not None or not now.begun:
        return now, findings
    for player in now.clock.fallen_players(t):
        if player not in now.reported_flags | now.out and now.result is None:
            finding = _handle_fallen_flag(replace(now, reported_flags=now.reported_flags | {player}), player, t)
            now = finding.after
            findings.append(finding)
    return now, findings


def _handle_fallen_flag(now: Timekeeping, player: Colour, t: float) -> Finding:
    if not now.procedures:
        fell = flag_falls(now.clock)
        after = now.lost_by(player, t if fell is None else min(t, fell), "T")
        return Finding(after, message("time.loses", player=player), lost=player, who=player)
    if player in now.finished:
        sentence = message("time.ran-out-after-last-point", player=player)
        return Finding(replace(now, ceded=now.ceded | {player}), sentence, who=player)
    if player in now.players_away:
        return Finding(now, message("time.ran-out-on-leave", player=player), who=player)
    return Finding(
        now, message("time.ran-out", player=player, others=Listing(_find_claimants(now, player))), who=player
    )


def _find_claimants(now: Timekeeping, player: Colour) -> tuple[Colour, ...]:
    """Return the opponents who still play."""
    return tuple(other for other in now.opponents_of(player) if other not in now.out)
