"""The parts of a game in one state, after each event.

The order matters: results that came of time go into the record, a finished game of more than two is counted, the clock
follows the record, and what that decided goes into the record again; only then does the count begin anew, or the clock
stop for it.
"""

from __future__ import annotations

from referee.game.actor import Actor
from referee.game.record import GameRecord
from referee.game.ruling import Status
from referee.game.turns import Draw, Resign
from referee.rules.legality import judge
from referee.rules.ruling_messages import lost_on_time
from referee.table.game_parts import GameParts


class Reconciliation:
    """The reconciliation of record, clock and count of one game."""

    def __init__(self, parts: GameParts) -> None:
        self._ledger, self._timing, self._end_of_game = parts.ledger, parts.timing, parts.end_of_game
        self._refereed, self._recorded = parts.refereed, parts.recorded
        self._record_before_result: GameRecord | None = None
        self._result: str | None = None

    def finish_waiting(self, t: float) -> None:
        """Drop or write what waits for a look, because none follows."""
        if self._refereed is not None:
            self._refereed.drop_acts(t)
        else:
            self._recorded.end_source()

    def follow_record(self, before: GameRecord, t: float, author: Actor) -> None:
        """Bring clock, result and agreement to the record's state, and the record to a result that came of time.

        author: who changed the record, if no player's press did
        """
        if self._refereed is None:
            self._time_turns(before, t, author)
        self._take_over(t)
        self._end_of_game.count_alone(t)
        self._timing.follow_record(self._ledger.record, t, author)
        self._timing.wait_for_draw(self._refereed is not None and self._refereed.is_draw_declared, t)
        self._take_over(t)
        if self._ledger.record.ended and self._refereed is not None and self._refereed.players_waiting:
            self._refereed.drop_acts(t)
        self._end_of_game.follow_record()
        self._timing.set_halted(self._end_of_game.needs_stopped_clock, t)

    def _take_over(self, t: float) -> None:
        """Adopt the clock's decisions since the last time."""
        if self._timing.result != self._result:
            self._result = self._timing.result
            self._take_result(t)
        self._take_out()

    def _take_out(self) -> None:
        """Take players who lost on time out of a game that others play on, as if they had resigned."""
        ledger = self._ledger
        while not ledger.record.ended and (player := ledger.record.to_play) in self._timing.players_out:
            after = judge(ledger.record, Resign(player)).after
            assert after is not None, "at their own turn anybody may resign"
            ledger.record = after.with_result(f"{str(after.result)[0]}+T") if after.ended else after
            ledger.issue_ruling(
                ledger.make_ruling(Status.LEGAL, lost_on_time(player), turn=after.number, move=after.turn)
            )
            if self._refereed is not None:
                self._refereed.forget_who_left()

    def _take_result(self, t: float) -> None:
        """Adopt a result that came of time, was reported otherwise, or is undone."""
        result, ledger = self._result, self._ledger
        if result is None and self._record_before_result is not None:
            ledger.record, self._record_before_result = self._record_before_result, None
        elif result is not None and result != ledger.record.result:
            self._record_before_result = self._record_before_result or ledger.record
            ledger.record = ledger.record.with_result(result)
            self.finish_waiting(t)

    def _time_turns(self, before: GameRecord, t: float, author: Actor) -> None:
        """Time the new turns at the look that shows them, because no press closes them."""
        for record in self._ledger.record.records_since(before.number):
            if record.before is not None and record.rules.handicap.stones_to_place(record.before) > 1:
                continue  # No clock runs while handicap stones are laid; White's begins at the last.
            if record.turn is not None and not isinstance(record.turn, Draw | Resign):
                self._timing.end_turn(record.turn.player, record.to_play, t, author)
