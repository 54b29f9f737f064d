"""Detection of agreements that the table shows: prisoners gone from both lids, or dead stones moved to them."""

from __future__ import annotations

from referee.game.board import COLOURS, opponent_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.record import GameRecord
from referee.game.regions import chains
from referee.game.turns import Exchange, Removal, Settlement
from referee.rules.agreements import settle
from referee.umpire.lids import Lids, without_placement


def shown(record: GameRecord, look: BoardLikelihoods, lids: Lids | None) -> Settlement | None:
    """Return the agreement that the table shows, certain in every stone; None if it shows none or an impossible one."""
    if lids is None or record.rules.delays is None:
        return None
    settlement = _removal(record, look, lids) if look.misfits(record.position) else _exchange(record, lids)
    after = settle(record, settlement).after if settlement is not None else None
    return settlement if after is not None and lids.fit(after.bowls) else None


def _exchange(record: GameRecord, lids: Lids) -> Exchange | None:
    fault = without_placement(record.to_play, record.bowls, None, lids)
    return Exchange(fault.exchange) if fault is not None and fault.exchange else None


def _removal(record: GameRecord, look: BoardLikelihoods, lids: Lids) -> Removal | None:
    """Return the removal if whole chains are gone, nothing else changed, and each stone lies in the opponent's lid."""
    position, gone = record.position, look.misfits(record.position)
    if gone & ~(position.occupied & look.likeliest.empty) or sum(chains(position, gone)) != gone:
        return None
    more = {(opponent_of(colour), colour): (position.of(colour) & gone).bit_count() for colour in COLOURS[:2]}
    moved = lids.wrong(record.bowls) == {cell: count for cell, count in more.items() if count}
    return Removal(gone) if moved else None
