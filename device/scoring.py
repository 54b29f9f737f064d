"""What a player says by `score` and the stones that were lifted off the board: pure."""

from __future__ import annotations

from referee.board import Colour, Mask
from referee.events import Agree, Amend, Named, Observed, Propose
from referee.look import Look
from referee.record import GameRecord
from referee.snapshot import Counting


def lifted(record: GameRecord, seen: Observed) -> Mask | str | None:
    """The stones that are missing on the board.

    A sentence where something else has changed too; None where the look shows too little.
    """
    look = Look.of(record.position.board, seen.points)
    if look.too_doubtful:
        return None
    changed = look.misfits(record.position)
    missing = changed & record.position.occupied & look.likeliest.empty
    if changed & ~missing:
        names = ", ".join(record.position.board.names(changed & ~missing)[:8])
        return f"Dead stones are lifted and nothing else changes: put {names} right and press again."
    return missing


def word_for(player: Colour, missing: Mask, counting: Counting, t: float) -> Propose | Amend | Agree:
    """What the player says who pressed `score` with these stones lifted."""
    if counting.waits_for is not player:
        return Propose(t, player, Named(missing))
    return Agree(t, player) if missing == counting.named.dead else Amend(t, player, Named(missing))
