"""The comparison of a look with the record, which rules on nothing: what lies there, and does it agree?"""

from __future__ import annotations

from referee.game.board import Position
from referee.game.likelihoods import BoardLikelihoods
from referee.game.observation import Observation, PointSight
from referee.inference.lids import Lids
from referee.table.ledger import GameLedger


class LookReader:
    """The reader of looks at one game."""

    def __init__(self, ledger: GameLedger) -> None:
        self._ledger = ledger
        self._newest: tuple[tuple[PointSight, ...], BoardLikelihoods] | None = None

    def read_likelihoods(self, observation: Observation) -> BoardLikelihoods | None:
        """Return the look, computed once for all that differ only in their time; None if it shows another board."""
        record = self._ledger.record
        if len(observation.points) != record.position.board.points:
            return None
        newest = self._newest
        if newest is None or newest[0] is not observation.points or newest[1].between != observation.between:
            board, players = record.position.board, record.players
            look = BoardLikelihoods.from_sights(board, observation.points, observation.between, players)
            newest = self._newest = observation.points, look
        return newest[1]

    def lids_of(self, observation: Observation) -> Lids | None:
        """Return the lids in a look, without learning from them; None if the rules have no turn in the lids alone."""
        has_delays = self._ledger.record.rules.delays is not None
        return self._ledger.lids.peek_at_lids(observation.lids) if has_delays else None

    def position_in(self, observation: Observation) -> Position | None:
        """Return the board in a look, doubtful points as in the record; None if it shows too little."""
        look = self.read_likelihoods(observation)
        if look is None or look.is_too_doubtful:
            return None
        return look.likeliest.with_points_of(self._ledger.record.position, look.doubtful)

    def is_as_recorded(self, observation: Observation) -> bool:
        """Return True if a look shows the table exactly as the record has it, visible lids included."""
        look, record = self.read_likelihoods(observation), self._ledger.record
        if look is None or look.is_too_doubtful:
            return False
        lids = self.lids_of(observation)
        set_down = look.likeliest == record.position and not look.find_unset_stones(record.position)
        return set_down and (lids is None or lids.may_hold(record.bowls))
