"""What the director decides about turns: the newest ones are taken back, or one is entered as it was made.

A reading is corrected by both: taken back what was misread, entered what was played. A table that no turn explains is
ruled on by entering the turns that led to it. Whatever is decided stays in the rulings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee import texts
from referee.board import Mask
from referee.events import Enter, TakeBack
from referee.legality import judge
from referee.record import GameRecord
from referee.texts import name
from referee.turns import Placement, Turn


@dataclass(frozen=True)
class Overruled:
    """The record as the director has it now. turn: the one entered, with the stones that it took off the board."""

    record: GameRecord
    text: str
    turn: Turn | None = None
    captured: Mask = 0


def decided(record: GameRecord, decision: TakeBack | Enter) -> Overruled | str:
    """The record after the decision, or why there is none, in a sentence."""
    if record.result is not None:
        return "The game has a result: report another one instead of changing its turns."
    return _taken_back(record, decision.turns) if isinstance(decision, TakeBack) else _entered(record, decision)


def _taken_back(record: GameRecord, turns: int) -> Overruled | str:
    if not 0 < turns <= record.number:
        return f"The game has {record.number} turns; {turns} cannot be taken back."
    after = record
    for _ in range(turns):
        after = after.taken_back()
    what = f"turn {record.number}" if turns == 1 else f"turns {after.number + 1} to {record.number}"
    return Overruled(after, f"The director takes {what} back; it is {name(after.to_play)}'s turn.")


def _entered(record: GameRecord, decision: Enter) -> Overruled | str:
    turn = decision.turn
    verdict = judge(record, turn)
    if verdict.prohibition is not None and decision.stands and isinstance(turn, Placement):
        turn = replace(turn, stood=True)
        verdict = judge(record, turn)
    if verdict.after is None:
        assert verdict.prohibition is not None
        return texts.why_refused(record, turn, verdict.prohibition)
    stands = " It is against the rules and stands." if isinstance(turn, Placement) and turn.stood else ""
    text = f"Entered by the director: {texts.legal(verdict.after, verdict.captured)}{stands}"
    return Overruled(verdict.after, text, turn, verdict.captured)
