"""The stones that lie on a refereed table, as the director may let the game go on from them.

A recording goes on by itself after a gap, see `gaps`. At a refereed table nothing does: players and box have to agree
about each turn, so somebody has to decide that what lies there is right. All that is checked here is that it is seen
plainly and that a game can stand so.
"""

from __future__ import annotations

from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Message, message
from referee.game.record import GameRecord
from referee.game.turns import SetUp
from referee.inference.lids import Lids
from referee.inference.search import has_dead_chain
from referee.table.gaps import is_laying_handicap, turn_by_stones


def find_set_up(record: GameRecord, look: BoardLikelihoods, lids: Lids | None) -> SetUp | Message:
    """Return the stones that lie there, as the game may go on from them, or why it may not.

    lids: what the lids hold, if the owners are known; only needed under rules with a turn in the lids alone
    """
    why = why_not_set_up(record)
    if why is not None:
        return why
    after = look.likeliest
    if look.is_too_doubtful or look.doubtful or look.unset(record.position):
        return message("lying.unseen")
    if has_dead_chain(after):
        return message("lying.dead-chain")
    bowls = None
    if record.rules.delays is not None:
        bowls = lids.without_differences().bowls() if lids is not None else None
        if bowls is None:
            return message("lying.lids")
    if after == record.position and bowls in (None, record.bowls):
        return message("lying.same")
    return SetUp(after.stones, turn_by_stones(record, after), bowls)


def why_not_set_up(record: GameRecord) -> Message | None:
    """Return the reason why no stones can be set up in this game now, whatever lies there."""
    if record.result is not None:
        return message("director.has-result")
    if record.ended:
        return message("lying.ended")
    if record.players > 2:
        return message("why.set-up-players")
    return message("lying.handicap") if is_laying_handicap(record) else None
