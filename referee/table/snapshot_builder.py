"""The builder of snapshots of one game."""

from __future__ import annotations

from referee.game.penalties import Penalty
from referee.game.ruling import Ruling
from referee.table.game_parts import GameParts
from referee.table.history import GameHistory, HistoryCache
from referee.table.snapshot import AnyAnswer, Snapshot


class SnapshotBuilder:
    """The builder of one game's snapshots: each takes over of the history what it has in common with those before."""

    def __init__(self, parts: GameParts) -> None:
        self._ledger, self._timing, self._end_of_game = parts.ledger, parts.timing, parts.end_of_game
        self._prisoners = parts.prisoners
        self._histories = HistoryCache()

    def build_snapshot(
        self, rulings: tuple[Ruling, ...], answers: tuple[AnyAnswer, ...], penalties: tuple[Penalty, ...]
    ) -> Snapshot:
        """Return the game as it can be shown now.

        rulings, answers: all so far
        penalties: the players' fines
        """
        record = self._ledger.record
        due = record.rules.handicap.stones_to_place(record) if record.handicap and not record.ended else 0
        return Snapshot(
            rules=record.rules.name,
            position=record.position,
            bowls=record.bowls,
            to_play=record.to_play,
            turn=record.number,
            turns=record.turns,
            black_side=self._ledger.lids.black_side,
            ended=record.ended,
            result=record.result,
            past=GameHistory(record, rulings, self._timing.times, self._histories),
            rulings=rulings,
            answers=answers,
            counting=self._end_of_game.counting,
            clocks=self._timing.clocks,
            verified=self._timing.players_verified,
            komi=record.komi,
            handicap=record.handicap,
            reminded=self._prisoners.players_reminded,
            rules_named=record.rules.named,
            penalties=penalties,
            handicap_due=due,
        )
