"""The end of a game: resignation, the reported result, its verification, and when it is final."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.game.actor import Actor
from referee.game.board import Colour, opponent_of
from referee.game.messages import Listing, for_players, message
from referee.time.state import NOBODY, SETTLE_FIRST, Finding, Timekeeping, refuse_step, who_acts
from referee.time.steps import Refusal, Step


def is_result(text: str, players: tuple[Colour, ...]) -> bool:
    """Return True if a text is a result: `B+R`, `W+T`, `B+F`, `B+3`, `W+0.5`, `0`, `Void`.

    With more than two players each one's points, `B:5 W:2 R:2`.
    """
    shares = re.fullmatch(" ".join(f"{player}:[0-9]{{1,4}}" for player in players), text)
    if len(players) > 2 and shares is not None:
        return True
    match = re.fullmatch(r"([BWRGYV])\+(?:[RTF]|[0-9]{1,4}(?:\.[0-9])?)", text)
    return text in ("0", "Void") or (match is not None and match.group(1) in players)


def resign_game(now: Timekeeping, step: Step) -> Finding:
    """Resign the game, whatever the clock said; a win on time may not be claimed afterwards."""
    if step.by is None:
        return refuse_step(now, Refusal.PLAYER_ONLY, message("time.resign-self"))
    if len(now.clock.players) > 2:
        return Finding(replace(now, out=now.out | {step.by}), message("time.resigns", player=step.by), lost=step.by)
    now = replace(now, matter=None, doubter=None, admitted=False, proposals=())
    now = replace(now, clock=now.clock.stop(step.t), result=f"{opponent_of(step.by)}+R", verified=NOBODY)
    return Finding(now, message("time.resigns", player=step.by), lost=step.by)


def report_result(now: Timekeeping, step: Step) -> Finding:
    """Report a result, or change it before it is final; it has to be verified (again)."""
    if step.result is None or not is_result(step.result, now.clock.players):
        return refuse_step(now, Refusal.BAD_RESULT, message("time.give-result"))
    if now.matter is not None:
        return refuse_step(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    now = replace(now, clock=now.clock.stop(step.t), result=step.result, verified=NOBODY)
    players = len(now.clock.players)
    if step.author is Actor.BOX:
        return Finding(now, message(for_players("time.result-is", players), result=step.result))
    sentence = message(for_players("time.reports", players), who=who_acts(step), result=step.result)
    return Finding(now, sentence)


def verify_result(now: Timekeeping, step: Step) -> Finding:
    """Record that a player has verified the result."""
    if step.by is None:
        return refuse_step(now, Refusal.PLAYER_ONLY, message("time.verify-self"))
    if (result := now.result) is None:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.verify-none"))
    if now.matter is not None:
        return refuse_step(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    now = replace(now, verified=now.verified | {step.by})
    waits = tuple(player for player in now.clock.players if player not in now.verified)
    sentence = message("time.verifies", player=step.by, result=result)
    if result == "0":
        sentence = message("time.verifies-draw", player=step.by)
    next_step = message("time.verify-too", others=Listing(waits)) if waits else message("time.clear-board")
    return Finding(now, sentence + next_step)


def dispute_result(now: Timekeeping, step: Step) -> Finding:
    """Withdraw all verifications, because a player does not agree to the result, and call the director."""
    if step.by is None:
        return refuse_step(now, Refusal.PLAYER_ONLY, message("time.dispute-director"))
    if now.result is None:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.dispute-none"))
    if now.matter is not None:
        return refuse_step(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    sentence = message("time.disputes", player=step.by, result=now.result)
    return Finding(replace(now, verified=NOBODY, called=True), sentence)


def make_result_final(now: Timekeeping, step: Step) -> Finding:
    """Make a result final that all players have verified, once the board has been cleared."""
    if now.result is None or len(now.verified) < len(now.clock.players):
        return refuse_step(now, Refusal.NOTHING_OPEN, message(for_players("time.not-verified", len(now.clock.players))))
    return Finding(replace(now, final=True), message("time.cleared", result=now.result))
