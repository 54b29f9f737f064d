"""One game of an evening, followed look by look: as `watch` records a game, and moves may be taken back besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from device.evening.doubts import Doubts
from device.evening.taken_back import Way, reaches, way_back
from referee.board import Board, Position
from referee.events import LidSight, Observed, SourceEnded, TakeBack
from referee.record import GameRecord
from referee.ruling import Ruling
from referee.table.referee import Manner, Referee
from referee.turns import Placement, Turn

# Chosen by hand.
FEWEST_TURNS, FEWEST_STEPS = 4, 3
"""A game has so many turns at least, and was seen to go on so many times: three stones on a board are no game."""
HELD = 1.0
"""Seconds that the board has to show other moves than the record before those are taken back."""
HELD_BARE = 8.0
"""The same where moves are only gone, and none was made instead: the board may be about to be cleared."""
CLEARED = 4
"""So many stones have to be known for a board to be told cleared from one with stones taken back."""

ASTRAY = 2
"""After so many positions that nothing explains what is no game yet begins anew."""
TWICE = 2
"""So often the same is judged."""


class EveningGame:
    """The recorder of one game. stills: each look was taken on purpose, and nothing has to stay for a while. began,
    ended: when the first and the newest turn were seen, seconds. steps: how many looks showed new turns."""

    def __init__(self, record: GameRecord, manner: Manner, stills: bool = False) -> None:
        self._referee = Referee(record, manner)
        self._held = (0.0, 0.0) if stills else (HELD, HELD_BARE)
        self._way: Way | None = None
        self._way_since = 0.0
        self._judged: tuple[Position | None, tuple[LidSight, ...], GameRecord] | None = None
        self._same = self._astray = 0
        self.doubts = Doubts()
        self.began: float | None = None
        self.ended = 0.0
        self.steps = 0

    @property
    def record(self) -> GameRecord:
        """The game as recorded so far."""
        return self._referee.record

    @property
    def size(self) -> int:
        """Lines a side."""
        return self.record.position.board.cols

    @property
    def is_one(self) -> bool:
        """Whether enough was played to call it a game."""
        return self.record.number >= FEWEST_TURNS and self.steps >= FEWEST_STEPS

    @property
    def is_astray(self) -> bool:
        """Whether it is no game so far and leads nowhere: what was taken for its first turns were others."""
        return not self.is_one and self._astray >= ASTRAY

    def laid(self, seen: Observed) -> Position | None:
        """The board as a look shows it, None where it shows too little."""
        return self._referee.laid(seen)

    def is_cleared(self, laid: Position, seen: Observed) -> bool:
        """Whether most stones of the game are gone, and neither a capture nor moves taken back explain that."""
        held = self.record.position
        known = held.occupied.bit_count()
        stays = sum((now & was).bit_count() for now, was in zip(laid.stones, held.stones, strict=True))
        if known < CLEARED:
            return bool(known) and not laid.occupied
        if stays * 2 >= known or not laid.occupied:
            return stays * 2 < known
        return reaches(self.record, seen, laid) is None and way_back(self.record, seen, laid) is None

    def goes_on(self, laid: Position, seen: Observed) -> bool:
        """Whether the board shows this game as it was left, or a few turns later."""
        enough = self.record.position.occupied.bit_count() >= 2 * CLEARED
        return enough and reaches(self.record, seen, laid) is not None

    def hear(self, look: int, seen: Observed) -> None:
        """A steady look at the board. look: its number."""
        laid = self.laid(seen)
        if not self._is_in_vain(laid, seen):
            self._judge(look, seen)
        if laid is None or laid == self.record.position or self._referee.unfinished:
            self._way, self._astray = None, 0
            if laid is not None:
                self.doubts.settle(seen.t)
        else:
            self._look_back(look, seen, laid)

    def close(self, t: float, seen_last: bool) -> None:
        """There is nothing more to see of it. seen_last: the board still lies as it was seen last."""
        if self._way is not None and not self._way.anew and (seen_last or self._is_held(self._way, t)):
            self._take_back(self._way, None, t)
        self._note(None, t, self._referee.receive(SourceEnded(t)))
        self.doubts.end(None if seen_last else t)

    def _judge(self, look: int, seen: Observed) -> None:
        before = self.record
        self._note(look, seen.t, self._referee.receive(seen))
        if self.record.number > before.number:
            self.began = seen.t if self.began is None else self.began
            self.steps, self.ended = self.steps + 1, seen.t

    def _look_back(self, look: int, seen: Observed, laid: Position) -> None:
        """The record does not lead to the board: perhaps moves were taken back."""
        before = self._way
        if before is None or before.position != laid:
            self._way = way_back(self.record, seen, laid)
            self._astray = self._astray + 1 if self._way is None else 0
        if self._way is None or before is None or before.earlier is not self._way.earlier:
            self._way_since = seen.t
        if self._way is not None and self._is_held(self._way, seen.t):
            way, self._way = self._way, None
            self._take_back(way, look, seen.t)
            self._judge(look, seen)

    def _is_in_vain(self, laid: Position | None, seen: Observed) -> bool:
        """Whether the same was judged before, and nothing explained it: searching far once more takes long."""
        now = laid, seen.lids, self.record
        self._same = self._same + 1 if now == self._judged else 0
        self._judged = now
        return self._same >= TWICE and laid not in (None, self.record.position)

    def _is_held(self, way: Way, t: float) -> bool:
        """Whether the board has shown it long enough to be believed."""
        return t - self._way_since >= self._held[not way.anew]

    def _take_back(self, way: Way, look: int | None, t: float) -> None:
        gone = self.record.turns[way.earlier.number :]
        text = taken_back(gone, way.earlier.number + 1, self.record.position.board)
        self._referee.receive(TakeBack(t, len(gone)))
        self.doubts.tell(look, t, text)

    def _note(self, look: int | None, t: float, rulings: Iterable[Ruling]) -> None:
        self.doubts.hear(look, t, rulings)


def taken_back(turns: Sequence[Turn], first: int, board: Board) -> str:
    """Which turns were, in a sentence. first: number of the first."""
    named = [f"{n} {_named(turn, board)}" for n, turn in enumerate(turns, first)]
    return f"Taken back: {', '.join(named)}."


def _named(turn: Turn, board: Board) -> str:
    return board.name(turn.point) if isinstance(turn, Placement) else type(turn).__name__.lower()
