"""What is lost by an act of the director's: told before it is done, so that no tap on the wrong button ends a game."""

from __future__ import annotations

from device.journal.entries import Terms
from referee.messages import Message, for_players, message
from referee.standing import Phase, Showing
from referee.time.steps import Act
from referee.turns import Resign, Turn

ENDING = frozenset({Act.RESIGN, Act.CLAIM, Act.REPORT, Act.ADJUDICATE, Act.NO_AGREEMENT, Act.TURN_OFF, Act.CLEAR})
"""Acts about time and the result by which a game can end, or its result become final."""


def by_set_up(now: Showing, terms: Terms) -> Message | None:
    """The game that is running, and the clocks."""
    clocks = now.game.clocks
    without = message("sure.no-clocks") if clocks is not None and terms.manner.control is None else None
    lost = by_rehearsal(now)
    return without if lost is None else lost + without


def by_rehearsal(now: Showing) -> Message | None:
    """The game that is running; whoever set it up does it again afterwards."""
    clocks = now.game.clocks
    begun = now.game.turn > 0 or now.game.result is not None or (clocks is not None and clocks.begun)
    adjourned = now.pause is not None and now.pause.adjourned
    if not begun or adjourned or now.phase is Phase.FINAL:
        return None
    if now.game.result is not None:
        return message("sure.set-up-result", result=now.game.result)
    return message("sure.set-up", n=now.game.turn)


def by_resuming(now: Showing) -> Message | None:
    """What the start check of an adjourned game would still have found."""
    return message("sure.resume") if now.taken_up else None


def by_take_back(now: Showing, turns: int) -> Message | None:
    """Several turns; one alone is easily entered again."""
    last = now.game.turn
    if not 1 < turns <= last or now.game.result is not None:
        return None
    return message("sure.take-back", n=turns, first=last - turns + 1, last=last)


def by_turn(now: Showing, turn: Turn) -> Message | None:
    """The game, where the turn is a resignation."""
    resigned = isinstance(turn, Resign) and not now.game.ended
    return message("sure.resign", player=turn.player, n=now.game.turn) if resigned else None


def by_result(now: Showing, result: str) -> Message:
    """The game that is running, or the result that it has."""
    if now.game.result is not None:
        return message("sure.other-result", before=now.game.result, result=result)
    return message("sure.report", n=now.game.turn, result=result)


def by_verifying(now: Showing) -> Message | None:
    """What the players could still say against the result."""
    if now.game.result is None:
        return None
    return message(for_players("sure.verify", len(now.players)), result=now.game.result)


def by_void(now: Showing) -> Message | None:
    """The game that is running."""
    return message("sure.void", n=now.game.turn) if not now.game.ended else None


def by_step(now: Showing, act: Act) -> Message | None:
    """The game that is running, or that its result can still be changed."""
    if act not in ENDING or now.phase is Phase.FINAL:
        return None
    return message("sure.time", act=message(f"step.{act}"))
