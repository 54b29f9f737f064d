"""The stones lifted as dead when `score` was pressed, and their meaning as a proposal or answer."""

from __future__ import annotations

from referee.game.board import Colour, Mask
from referee.game.count_result import DeadStoneClaim
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Message, message, points
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.umpire.events import Agree, Amend, Propose
from referee.umpire.snapshot import Counting


def lifted(record: GameRecord, seen: Observation) -> Mask | Message | None:
    """Return the stones that are missing on the board.

    A message if something else has changed too; None if the observation is too doubtful.
    """
    look = BoardLikelihoods.of(record.position.board, seen.points, players=record.players)
    if look.too_doubtful:
        return None
    changed = look.misfits(record.position)
    missing = changed & record.position.occupied & look.likeliest.empty
    if changed & ~missing:
        return message("count.lift-only", points=points(record.position.board, changed & ~missing))
    return missing


def word_for(player: Colour, missing: Mask, counting: Counting, t: float) -> Propose | Amend | Agree:
    """Return the proposal, amendment or agreement of a player who pressed `score` with these stones lifted."""
    if counting.waits_for is not player:
        return Propose(t, player, DeadStoneClaim(missing))
    return Agree(t, player) if missing == counting.named.dead else Amend(t, player, DeadStoneClaim(missing))
