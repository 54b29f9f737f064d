"""One game of an evening, followed observation by observation: recorded as by `watch`, with moves taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from device.session.doubts import Doubts
from device.session.recording import recorded_table
from referee.game.board import Board, Position
from referee.game.likelihoods import find_differences
from referee.game.observation import LidSight, Observation
from referee.game.record import GameRecord
from referee.game.ruling import Ruling
from referee.game.turns import Placement, Turn
from referee.table.events import SourceEnded, TakeBack
from referee.table.table import Table, TableConfig

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
        self._table = recorded_table(record, config)
        self._hold_s = (0.0, 0.0) if stills else (HELD, HELD_BARE)
        self._way: Way | None = None
        self._way_since = 0.0
        self._last_judged: tuple[Position | None, tuple[LidSight, ...], GameRecord] | None = None
        self._repeat_count = self._astray_count = 0
        self.doubts = Doubts()
        self.began: float | None = None
        self.ended = 0.0
        self.steps = 0

    @property
    def record(self) -> GameRecord:
        """Return the record so far."""
        return self._table.record

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
        return not self.is_one and self._astray_count >= ASTRAY

    def position_in(self, observation: Observation) -> Position | None:
        """Return the position in an observation, None if it shows too little."""
        return self._table.position_in(observation)

    def list_lids(self, observation: Observation) -> tuple[tuple[int, int], ...]:
        """Return what the record has in the lids, see `Table.list_lids`."""
        return self._table.list_lids(observation)

    def is_cleared(self, position: Position, observation: Observation) -> bool:
        """Return True if most stones of the game are gone, which neither a capture nor moves taken back explain."""
        record_position = self.record.position
        stone_count = record_position.occupied.bit_count()
        stays = sum((now & was).bit_count() for now, was in zip(position.stones, record_position.stones, strict=True))
        if stone_count < CLEARED:
            return bool(stone_count) and not position.occupied
        if stays * 2 >= stone_count or not position.occupied:
            return stays * 2 < stone_count
        return (
            count_turns_to(self.record, observation, position) is None
            and find_way_back(self.record, observation, position) is None
        )

    def is_continued_by(self, position: Position, observation: Observation) -> bool:
        """Return True if the board shows this game as it was left, or a few turns later."""
        enough = self.record.position.occupied.bit_count() >= 2 * CLEARED
        return enough and count_turns_to(self.record, observation, position) is not None

    def handle(self, look: int, observation: Observation) -> None:
        """Handle a steady observation of the board.

        look: its number
        observation: the observation
        """
        position = self.position_in(observation)
        if not self._is_in_vain(position, observation):
            self._judge(look, observation)
        if position is None or position == self.record.position or self._table.unfinished_rulings:
            self._way, self._astray_count = None, 0
            if position is not None:
                self.doubts.settle(observation.t)
        else:
            self._look_back(look, observation, position)

    def close(self, t: float, is_unchanged: bool) -> None:
        """End the game.

        t: the time in seconds
        is_unchanged: whether the board is still as last seen
        """
        if self._way is not None and not self._way.anew and (is_unchanged or self._is_held(self._way, t)):
            self._take_back(self._way, None, t)
        self._note_rulings(None, t, self._table.receive(SourceEnded(t)).rulings)
        self.doubts.end(None if is_unchanged else t)

    def _judge(self, look: int, observation: Observation) -> None:
        before = self.record
        self._note_rulings(look, observation.t, self._table.receive(observation).rulings)
        if self.record.number > before.number:
            self.began = observation.t if self.began is None else self.began
            self.steps, self.ended = self.steps + 1, observation.t

    def _look_back(self, look: int, observation: Observation, position: Position) -> None:
        """Check for moves taken back, because the record does not lead to the position."""
        before = self._way
        if before is None or before.position != position:
            self._way = find_way_back(self.record, observation, position)
            self._astray_count = self._astray_count + 1 if self._way is None else 0
        if self._way is None or before is None or before.earlier is not self._way.earlier:
            self._way_since = observation.t
        if self._way is not None and self._is_held(self._way, observation.t):
            way, self._way = self._way, None
            self._take_back(way, look, observation.t)
            self._judge(look, observation)

    def _is_in_vain(self, position: Position | None, observation: Observation) -> bool:
        """Return True if the same was judged before without an explanation: the long search is not repeated."""
        state = position, observation.lids, self.record
        self._repeat_count = self._repeat_count + 1 if state == self._last_judged else 0
        self._last_judged = state
        is_known = self._repeat_count >= TWICE and position not in (None, self.record.position)
        return is_known and not self._table.needs_look(observation.t)

    def _is_held(self, way: Way, t: float) -> bool:
        """Return True if the board has shown it long enough to be believed."""
        return t - self._way_since >= self._hold_s[not way.anew]

    def _take_back(self, way: Way, look: int | None, t: float) -> None:
        turns = self.record.turns[way.earlier.number :]
        text = taken_back(turns, way.earlier.number + 1, self.record.position.board)
        self._table.receive(TakeBack(t, len(turns)))
        self.doubts.tell(look, t, text)

    def _note_rulings(self, look: int | None, t: float, rulings: Iterable[Ruling]) -> None:
        self.doubts.handle(look, t, rulings)


def taken_back(turns: Sequence[Turn], first: int, board: Board) -> str:
    """Return a sentence with the turns taken back.

    turns: the turns
    first: number of the first
    board: names the points
    """
    turn_texts = [f"{n} {_format_turn(turn, board)}" for n, turn in enumerate(turns, first)]
    return f"Taken back: {', '.join(turn_texts)}."


def _format_turn(turn: Turn, board: Board) -> str:
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


def find_way_back(record: GameRecord, observation: Observation, position: Position) -> Way | None:
    """Find the fewest turns to take back so that legal turns, or none, lead to the position; None if nothing is found.

    record: the record
    observation: the observation
    position: the position in it
    """
    earlier = list(islice(_yield_earlier(record), FARTHEST))
    same = next((one for one in earlier if one.position == position), None)
    if same is not None:
        return Way(same, 0, position)
    return next((way for one in earlier if (way := _find_way_onward(one, observation, position)) is not None), None)


def count_turns_to(record: GameRecord, observation: Observation, position: Position) -> int | None:
    """Return how many legal turns lead from the record to the position; None if none do."""
    if record.position == position:
        return 0
    if not _may_lead(record.position, position):
        return None
    probe = Table(record, TableConfig(to_play_said=True, waits_for_lids=False))
    probe.receive(Observation(observation.t, observation.points, (), between=observation.between))
    reached = probe.record
    turns = reached.number - record.number
    return turns if turns > 0 and reached.position == position and reached.start is record.start else None


def _find_way_onward(earlier: GameRecord, observation: Observation, position: Position) -> Way | None:
    turns = count_turns_to(earlier, observation, position)
    return Way(earlier, turns, position) if turns else None


def _yield_earlier(record: GameRecord) -> Iterator[GameRecord]:
    """Yield the records before this one, the newest first, except an empty board, where another game begins."""
    return (before for _, before in pairwise(record.iterate_back()) if before.number or before.position.occupied)


def _may_lead(position: Position, target: Position) -> bool:
    """Return True if a few turns may lead from one to the other: few stones are new, and the others mostly stay."""
    new = sum(map(int.bit_count, target.stones_not_in(position)))
    removed = find_differences(position, target) & position.occupied
    return 0 < new <= MOST_ANEW and removed.bit_count() * 2 <= position.occupied.bit_count()
