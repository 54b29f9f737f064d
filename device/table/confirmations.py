"""Confirmation texts: what a director's action would destroy, asked first so that no stray tap ends a game."""

from __future__ import annotations

from device.journal.entries import Terms
from referee.game.messages import Message, for_players, message
from referee.game.turns import Resign, Turn
from referee.time.steps import Act
from referee.umpire.table_state import Phase, TableSnapshot

ENDING = frozenset({Act.RESIGN, Act.CLAIM, Act.REPORT, Act.ADJUDICATE, Act.NO_AGREEMENT, Act.TURN_OFF, Act.CLEAR})
"""Clock and result actions that can end a game, or make its result final."""


def by_set_up(now: TableSnapshot, terms: Terms) -> Message | None:
    """Confirm the loss of the running game and of the clocks."""
    clocks = now.game.clocks
    without = message("sure.no-clocks") if clocks is not None and terms.manner.control is None else None
    lost = by_rehearsal(now)
    return without if lost is None else lost + without


def by_rehearsal(now: TableSnapshot) -> Message | None:
    """Confirm the loss of the running game; the director has to set it up again afterwards."""
    clocks = now.game.clocks
    begun = now.game.turn > 0 or now.game.result is not None or (clocks is not None and clocks.begun)
    adjourned = now.pause is not None and now.pause.adjourned
    if not begun or adjourned or now.phase is Phase.FINAL:
        return None
    if now.game.result is not None:
        return message("sure.set-up-result", result=now.game.result)
    return message("sure.set-up", n=now.game.turn)


def by_resuming(now: TableSnapshot) -> Message | None:
    """Confirm the end of the start check of an adjourned game."""
    return message("sure.resume") if now.taken_up else None


def by_take_back(now: TableSnapshot, turns: int) -> Message | None:
    """Confirm the loss of several turns; a single one is easily entered again."""
    last = now.game.turn
    if not 1 < turns <= last or now.game.result is not None:
        return None
    return message("sure.take-back", n=turns, first=last - turns + 1, last=last)


def by_turn(now: TableSnapshot, turn: Turn) -> Message | None:
    """Confirm a resignation, which ends the game."""
    resigned = isinstance(turn, Resign) and not now.game.ended
    return message("sure.resign", player=turn.player, n=now.game.turn) if resigned else None


def by_result(now: TableSnapshot, result: str) -> Message:
    """Confirm the loss of the running game, or of its present result."""
    if now.game.result is not None:
        return message("sure.other-result", before=now.game.result, result=result)
    return message("sure.report", n=now.game.turn, result=result)


def by_verifying(now: TableSnapshot) -> Message | None:
    """Confirm the end of the players' right to dispute the result."""
    if now.game.result is None:
        return None
    return message(for_players("sure.verify", len(now.players)), result=now.game.result)


def by_void(now: TableSnapshot) -> Message | None:
    """Confirm the loss of the running game."""
    return message("sure.void", n=now.game.turn) if not now.game.ended else None


def by_step(now: TableSnapshot, act: Act) -> Message | None:
    """Confirm a clock action that ends the running game, or makes its result final."""
    if act not in ENDING or now.phase is Phase.FINAL:
        return None
    return message("sure.time", act=message(f"step.{act}"))
