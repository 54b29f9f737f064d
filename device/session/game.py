"""One game of an evening, followed observation by observation: recorded as by `watch`, with moves taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from device.session.doubts import Doubts
from referee.game.board import Board, Position
from referee.game.likelihoods import differ
from referee.game.observation import LidSight, Observation
from referee.game.record import GameRecord
from referee.game.ruling import Ruling
from referee.game.turns import Placement, Turn
from referee.umpire.events import SourceEnded, TakeBack
from referee.umpire.referee import Referee, TableConfig

# Chosen by hand.
FEWEST_TURNS, FEWEST_STEPS = 4, 3
"""Minimum turns of a game, and minimum observations with new turns: three stones on a board are no game."""
HELD = 1.0
"""Seconds that the board has to show other moves than the record before those are taken back."""
HELD_BARE = 8.0
"""The same if moves are only gone, and none was played instead: the board may be about to be cleared."""
CLEARED = 4
"""Minimum stones to distinguish a cleared board from stones taken back."""

ASTRAY = 2
"""Number of unexplained positions after which something that is no game yet starts again."""
TWICE = 2
"""Number of times that an unexplained position is judged."""


class EveningGame:
    """The recorder of one game.

    record: the record before the first turn
    config: options of the table
    stills: whether each observation is a deliberate photograph, so that nothing has to be held
    doubts: about the game
    began, ended: when the first and the newest turn were seen, in seconds
    steps: number of observations with new turns
    """

    def __init__(self, record: GameRecord, config: TableConfig, stills: bool = False) -> None:
        self._referee = Referee(record, config)
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
        """Return the record so far."""
        return self._referee.record

    @property
    def size(self) -> int:
        """Return the lines a side."""
        return self.record.position.board.cols

    @property
    def is_one(self) -> bool:
        """Return True if enough was played to call it a game."""
        return self.record.number >= FEWEST_TURNS and self.steps >= FEWEST_STEPS

    @property
    def is_astray(self) -> bool:
        """Return True if it is no game so far and leads nowhere: its first turns were misread."""
        return not self.is_one and self._astray >= ASTRAY

    def position_in(self, seen: Observation) -> Position | None:
        """Return the position in an observation, None if it shows too little."""
        return self._referee.position_in(seen)

    def is_cleared(self, laid: Position, seen: Observation) -> bool:
        """Return True if most stones of the game are gone, which neither a capture nor moves taken back explain."""
        held = self.record.position
        known = held.occupied.bit_count()
        stays = sum((now & was).bit_count() for now, was in zip(laid.stones, held.stones, strict=True))
        if known < CLEARED:
            return bool(known) and not laid.occupied
        if stays * 2 >= known or not laid.occupied:
            return stays * 2 < known
        return reaches(self.record, seen, laid) is None and way_back(self.record, seen, laid) is None

    def goes_on(self, laid: Position, seen: Observation) -> bool:
        """Return True if the board shows this game as it was left, or a few turns later."""
        enough = self.record.position.occupied.bit_count() >= 2 * CLEARED
        return enough and reaches(self.record, seen, laid) is not None

    def handle(self, look: int, seen: Observation) -> None:
        """Handle a steady observation of the board.

        look: its number
        seen: the observation
        """
        laid = self.position_in(seen)
        if not self._is_in_vain(laid, seen):
            self._judge(look, seen)
        if laid is None or laid == self.record.position or self._referee.unfinished_rulings:
            self._way, self._astray = None, 0
            if laid is not None:
                self.doubts.settle(seen.t)
        else:
            self._look_back(look, seen, laid)

    def close(self, t: float, seen_last: bool) -> None:
        """End the game.

        t: the time in seconds
        seen_last: whether the board is still as last seen
        """
        if self._way is not None and not self._way.anew and (seen_last or self._is_held(self._way, t)):
            self._take_back(self._way, None, t)
        self._note(None, t, self._referee.receive(SourceEnded(t)).rulings)
        self.doubts.end(None if seen_last else t)

    def _judge(self, look: int, seen: Observation) -> None:
        before = self.record
        self._note(look, seen.t, self._referee.receive(seen).rulings)
        if self.record.number > before.number:
            self.began = seen.t if self.began is None else self.began
            self.steps, self.ended = self.steps + 1, seen.t

    def _look_back(self, look: int, seen: Observation, laid: Position) -> None:
        """Check for moves taken back, because the record does not lead to the position."""
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

    def _is_in_vain(self, laid: Position | None, seen: Observation) -> bool:
        """Return True if the same was judged before without an explanation: the long search is not repeated."""
        now = laid, seen.lids, self.record
        self._same = self._same + 1 if now == self._judged else 0
        self._judged = now
        is_known = self._same >= TWICE and laid not in (None, self.record.position)
        return is_known and not self._referee.needs_look(seen.t)

    def _is_held(self, way: Way, t: float) -> bool:
        """Return True if the board has shown it long enough to be believed."""
        return t - self._way_since >= self._held[not way.anew]

    def _take_back(self, way: Way, look: int | None, t: float) -> None:
        gone = self.record.turns[way.earlier.number :]
        text = taken_back(gone, way.earlier.number + 1, self.record.position.board)
        self._referee.receive(TakeBack(t, len(gone)))
        self.doubts.tell(look, t, text)

    def _note(self, look: int | None, t: float, rulings: Iterable[Ruling]) -> None:
        self.doubts.handle(look, t, rulings)


def taken_back(turns: Sequence[Turn], first: int, board: Board) -> str:
    """Return a sentence with the turns taken back.

    turns: the turns
    first: number of the first
    board: names the points
    """
    named = [f"{n} {_turn_text(turn, board)}" for n, turn in enumerate(turns, first)]
    return f"Taken back: {', '.join(named)}."


def _turn_text(turn: Turn, board: Board) -> str:
    return board.name(turn.point) if isinstance(turn, Placement) else type(turn).__name__.lower()


# Chosen by hand.
FARTHEST = 30
"""Maximum number of turns taken back at once."""
MOST_ANEW = 8
"""Maximum number of turns played since then."""


@dataclass(frozen=True)
class Way:
    """An explanation by moves taken back.

    earlier: the record to return to
    anew: number of turns played from there
    position: the position on the board
    """

    earlier: GameRecord
    anew: int
    position: Position


def way_back(record: GameRecord, seen: Observation, laid: Position) -> Way | None:
    """Find the fewest turns to take back so that legal turns, or none, lead to the position; None if nothing is found.

    record: the record
    seen: the observation
    laid: the position in it
    """
    earlier = list(islice(_before(record), FARTHEST))
    same = next((one for one in earlier if one.position == laid), None)
    if same is not None:
        return Way(same, 0, laid)
    return next((way for one in earlier if (way := _onward(one, seen, laid)) is not None), None)


def reaches(record: GameRecord, seen: Observation, laid: Position) -> int | None:
    """Return how many legal turns lead from the record to the position; None if none do."""
    if record.position == laid:
        return 0
    if not _may_lead(record.position, laid):
        return None
    probe = Referee(record, TableConfig(to_play_said=True, waits_for_lids=False))
    probe.receive(Observation(seen.t, seen.points, (), between=seen.between))
    found = probe.record
    turns = found.number - record.number
    return turns if turns > 0 and found.position == laid and found.start is record.start else None


def _onward(earlier: GameRecord, seen: Observation, laid: Position) -> Way | None:
    turns = reaches(earlier, seen, laid)
    return Way(earlier, turns, laid) if turns else None


def _before(record: GameRecord) -> Iterator[GameRecord]:
    """Yield the records before this one, the newest first, except an empty board, where another game begins."""
    return (before for _, before in pairwise(record.back()) if before.number or before.position.occupied)


def _may_lead(position: Position, laid: Position) -> bool:
    """Return True if a few turns may lead from one to the other: few stones are new, and the others mostly stay."""
    new = sum((now & ~was).bit_count() for now, was in zip(laid.stones, position.stones, strict=True))
    gone = differ(position, laid) & position.occupied
    return 0 < new <= MOST_ANEW and gone.bit_count() * 2 <= position.occupied.bit_count()
