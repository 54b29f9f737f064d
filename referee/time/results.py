"""The end of a game: resignation, the reported result, its verification, and when it is final."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.board import Colour, opponent_of
from referee.texts import name
from referee.time.state import NOBODY, SETTLE_FIRST, Finding, Timekeeping, names, refused, who_acts
from referee.time.steps import Refusal, Step


def is_result(text: str, players: tuple[Colour, ...]) -> bool:
    """Whether a text is a result: `B+R`, `W+T`, `B+F`, `B+3`, `W+0.5`, `0`, `Void`."""
    won = re.fullmatch(r"([BWRGYV])\+(?:[RTF]|[0-9]{1,4}(?:\.[0-9])?)", text)
    return text in ("0", "Void") or (won is not None and won.group(1) in players)


def resign(now: Timekeeping, step: Step) -> Finding:
    """A player gives the game up, whatever the clock said; a win on time may not be claimed afterwards."""
    if step.by is None:
        return refused(now, Refusal.PLAYER_ONLY, "A player resigns herself.")
    if len(now.clock.players) > 2:
        return Finding(replace(now, out=now.out | {step.by}), f"{name(step.by)} resigns.", lost=step.by)
    now = replace(now, matter=None, doubter=None, admitted=False, proposals=())
    now = replace(now, clock=now.clock.stopped(step.t), result=f"{opponent_of(step.by)}+R", verified=NOBODY)
    return Finding(now, f"{name(step.by)} resigns.", lost=step.by)


def report(now: Timekeeping, step: Step) -> Finding:
    """A result is reported, or reported otherwise before it is final; it has to be verified (again)."""
    if step.result is None or not is_result(step.result, now.clock.players):
        return refused(now, Refusal.BAD_RESULT, "Give the result like B+R, W+3.5, 0 or Void.")
    if now.matter is not None:
        return refused(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    now = replace(now, clock=now.clock.stopped(step.t), result=step.result, verified=NOBODY)
    return Finding(now, f"{who_acts(step)} reports the result {step.result}: both players verify it.")


def verify(now: Timekeeping, step: Step) -> Finding:
    """A player has verified the result."""
    if step.by is None:
        return refused(now, Refusal.PLAYER_ONLY, "The players verify the result themselves.")
    if now.result is None or now.matter is not None:
        return refused(now, Refusal.NOTHING_OPEN, "There is no result to verify.")
    now = replace(now, verified=now.verified | {step.by})
    waits = tuple(player for player in now.clock.players if player not in now.verified)
    then = f"{names(waits)} has to verify it too" if waits else "clear the board, and it is final"
    return Finding(now, f"{name(step.by)} verifies the result {now.result}: {then}.")


def dispute(now: Timekeeping, step: Step) -> Finding:
    """A player does not agree to the result: nobody has verified it any more, and the director is called."""
    if step.by is None:
        return refused(now, Refusal.PLAYER_ONLY, "The director reports another result where the players do not agree.")
    if now.result is None or now.matter is not None:
        return refused(now, Refusal.NOTHING_OPEN, "There is no result to disagree with.")
    text = f"{name(step.by)} does not agree to the result {now.result}: the director is called."
    return Finding(replace(now, verified=NOBODY, called=True), text)


def clear(now: Timekeeping, step: Step) -> Finding:
    """The game has been cleared from the board: with both verifications the result is final."""
    if now.result is None or len(now.verified) < len(now.clock.players):
        return refused(now, Refusal.NOTHING_OPEN, "The result is not final before both players have verified it.")
    return Finding(replace(now, final=True), f"The game has been cleared: the result {now.result} is final.")
