"""Gaps: when a position that no turns explain is taken as the one from which play goes on.

A pause at another board, a camera that was off, an arm that lay there for ten moves, a bumped board that was put right:
then what is seen cannot be reached by turns that can be found, and a recording would stop there for good. So a look
that is not explained becomes a *candidate*: perhaps the game stands so now. The candidate is followed beside the
record, by the board alone and with either player to move, and once enough speaks for it the record goes on from there
(`RecordedGame` sets the stones up and hears again the looks since, so that nothing seen in between is lost).

A false set-up is worse than a late one, therefore:

- The record always comes first. A look that it explains drops the candidate: the arm is gone, the board put right.
- Some changes are no play, and never become a candidate (`is_no_play`): more than half of the stones gone, as when a
  board is cleared; the same stones elsewhere, as when the camera or the board was moved; new stones in territory alone,
  as in a scoring rearrangement.
- A candidate needs steady evidence. Either play goes on from it, by turns of both players in turn, or it lies there
  unchanged for long. How much is needed depends on `may_be_play`: if each missing stone was captured, with opponents on
  all its liberties, and both players have placed about as many stones, it is what play leaves behind, and a few looks
  are enough. If not (stones moved by hand, lifted as dead, or captured in ways that have left no trace), only a series
  of turns convinces, on a board that has not lost stones.
- A look that neither the record nor the candidate explains begins another candidate, so that a misreading never counts.
  A point that was doubtful is read again in each later look; none that differs from the record is set up before it was
  once seen plainly.

What is implicit: looks that are too doubtful, or that show stones between points, are not heard here at all. A still
(it has a name) is a deliberate photograph, so that no time has to go by between two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.game.board import COLOURS, Colour, Mask, Position, opponent_of
from referee.game.likelihoods import NONE_LEFT, BoardLikelihoods, UnliftedStones, all_unlifted, find_differences
from referee.game.observation import LidSight
from referee.game.record import GameRecord, Situation
from referee.game.regions import points_bordered_by
from referee.inference.hypotheses import BOTH
from referee.inference.search import Search, find_consensus, has_dead_chain
from referee.rules.agreements import find_stones_captured_since
from referee.time.controls import as_on_a_clock

# Chosen by hand.
STEADY_S = 20.0
"""Time in seconds for which a candidate has to lie unchanged in a film, if play does not go on from it."""
PLAYED_S = 5.0
"""The same if play goes on from it."""
FEWEST_LOOKS = 3
"""The minimum number of looks that agree with a candidate, the first one included."""
FEWEST_TURNS = 2
"""The minimum number of turns played from a candidate that has not been steady for long."""
FEWEST_LOOKS_MOVED, FEWEST_TURNS_MOVED = 4, 6
"""The same numbers for a candidate that play alone does not leave behind."""
MOST_LOOKS = 60
"""The maximum number of different looks that are kept of a candidate."""
MOST_TURNS, MOST_TRIED = 4, 1000
"""The maximum numbers of turns followed and sequences tried where the board alone shows them."""
UNEVEN = 10
"""One player may have placed one stone more than the other for every so many: unseen ones were captured."""


@dataclass(frozen=True)
class SeenLook:
    """A look with its lids.

    t: seconds
    name: the still's file name
    """

    look: BoardLikelihoods
    sights: tuple[LidSight, ...]
    t: float
    name: str | None

    @property
    def when(self) -> str:
        """Return the picture's name, or the time as a clock shows it."""
        return self.name if self.name is not None else as_on_a_clock(int(self.t) * 1000)

    def is_same(self, other: SeenLook) -> bool:
        """Return True if another look shows nothing else."""
        mine = self.look.likeliest, self.look.doubtful, self.sights
        return mine == (other.look.likeliest, other.look.doubtful, other.sights)


@dataclass(frozen=True)
class Resumption:
    """The position from which the record goes on.

    position: at the end of the gap
    to_play: the next player, None if unknown
    since: when the record was last seen on the board
    looks: the different looks since, the first of which shows the position
    """

    position: Position
    to_play: Colour | None
    since: str
    looks: tuple[SeenLook, ...]


@dataclass(frozen=True)
class _Line:
    """A game that may have gone on from the candidate. first: who moved first in it"""

    first: Colour
    record: GameRecord
    left: UnliftedStones = NONE_LEFT


@dataclass
class _Candidate:
    """A position from which play may have gone on.

    before: the record before the gap
    unsure: the points that no look so far has shown plainly
    lines: of the game since
    looks: the different looks since
    count: the number of looks
    t: of the newest one
    """

    before: GameRecord
    position: Position
    unsure: Mask
    looks: list[SeenLook]
    count: int = 1
    t: float = 0.0

    def __post_init__(self) -> None:
        self.lines = self._begin_lines()

    @property
    def is_possible(self) -> bool:
        """Return False if the game cannot stand so."""
        return not has_dead_chain(self.position) and not is_no_play(self.before.position, self.position)

    @property
    def is_play(self) -> bool:
        """Return True if play alone may have led to it."""
        return may_be_play(self.before.position, self.position)

    def _begin_lines(self) -> list[_Line]:
        record, komi = self.before, self.before.komi
        starts = (Situation(self.position, record.bowls, player) for player in COLOURS[:2])
        return [_Line(start.to_play, GameRecord.begin_game(record.rules, start, komi)) for start in starts]

    def follow_look(self, seen_look: SeenLook) -> bool:
        """Return True if the look shows the candidate's game as it was, or a few turns later."""
        return self._read_again(seen_look.look) and self._advance_lines(seen_look)

    def _read_again(self, look: BoardLikelihoods) -> bool:
        """Read points that were doubtful so far; return False if the earlier looks do not agree with them."""
        plain_points, self.unsure = self.unsure & ~look.doubtful, self.unsure & look.doubtful
        if not find_differences(self.position, look.likeliest) & plain_points:
            return True
        self.position = self.position.with_points_of(look.likeliest, plain_points)
        looks, self.looks, self.lines = self.looks, self.looks[:1], self._begin_lines()
        count, t = self.count, self.t
        agrees = self.is_possible and all(map(self._advance_lines, looks[1:]))
        self.count, self.t = count, t
        return agrees

    def _advance_lines(self, seen_look: SeenLook) -> bool:
        lines = [after for line in self.lines if (after := _advance_line(line, seen_look.look)) is not None]
        if not lines:
            return False
        most = max(line.record.number for line in lines)
        # A line that explains a new stone as merely doubtful says less than one that has its turn.
        self.lines = [line for line in lines if line.record.number == most]
        self.count, self.t = self.count + 1, seen_look.t
        if not seen_look.is_same(self.looks[-1]):
            self.looks.append(seen_look)
        return True

    @property
    def turns(self) -> int:
        """Return the number of turns played from it."""
        return max(line.record.number for line in self.lines)

    @property
    def is_proved(self) -> bool:
        """Return True if enough speaks for it."""
        then, now = self.before.position, self.lines[0].record.position
        if self.unsure & find_differences(self.position, then) or is_no_play(then, now):
            return False
        duration_s = float("inf") if self.looks[0].name is not None else self.t - self.looks[0].t
        if not self.is_play:
            enough = self.count >= FEWEST_LOOKS_MOVED and self.turns >= FEWEST_TURNS_MOVED
            return enough and duration_s >= STEADY_S and now.occupied.bit_count() >= then.occupied.bit_count()
        if self.count < FEWEST_LOOKS:
            return False
        return duration_s >= (PLAYED_S if self.turns >= FEWEST_TURNS else STEADY_S)

    @property
    def to_play(self) -> Colour | None:
        """Return who moved next, by the turns since or else by the stones; None if neither tells."""
        first = {line.first for line in self.lines}
        return next(iter(first)) if len(first) == 1 else turn_by_stones(self.before, self.position)


class GapWatch:
    """The watch for gaps in one recording."""

    def __init__(self) -> None:
        self._since = ""
        self.lost_since: str | None = None
        self._candidate: _Candidate | None = None

    def drop_candidate(self) -> None:
        """Drop the candidate: the record was changed by other means."""
        self._candidate = self.lost_since = None

    def note_agreement(self, seen_look: SeenLook) -> None:
        """Note a look that shows the record's position."""
        self._since, self._candidate, self.lost_since = seen_look.when, None, None

    def note_doubt(self, record: GameRecord, seen_look: SeenLook) -> Resumption | None:
        """Note a look that no turns explain; return where the record goes on, if enough speaks for it."""
        self.lost_since = self.lost_since or seen_look.when
        candidate = self._candidate
        if (
            candidate is None
            or candidate.before is not record
            or not candidate.follow_look(seen_look)
            or len(candidate.looks) > MOST_LOOKS
        ):
            self._candidate = candidate = _find_candidate(record, seen_look)
        if candidate is None or not candidate.is_proved:
            return None
        self._candidate = None
        return Resumption(candidate.position, candidate.to_play, self._since, tuple(candidate.looks))

    def needs_look(self, t: float) -> bool:
        """Return True if another look is needed to prove a candidate, though it shows nothing new."""
        candidate = self._candidate
        return candidate is not None and candidate.is_play and t - candidate.t >= STEADY_S / FEWEST_LOOKS


def _find_candidate(record: GameRecord, seen_look: SeenLook) -> _Candidate | None:
    """Return the candidate that a look begins; None if the game cannot stand so."""
    if record.players > 2 or is_laying_handicap(record):
        return None
    candidate = _Candidate(record, seen_look.look.likeliest, seen_look.look.doubtful, [seen_look], t=seen_look.t)
    return candidate if candidate.is_possible else None


def is_laying_handicap(record: GameRecord) -> bool:
    """Return True while the handicap decides the turns, which are counted from the start."""
    handicap = record.rules.handicap
    return bool(record.handicap) and (
        handicap.stones_to_place(record) > 1 or handicap.find_restriction(record) is not None
    )


def _advance_line(line: _Line, look: BoardLikelihoods) -> _Line | None:
    """Return the line after this look; None if no turns lead to it."""
    if not look.find_misfits(line.record.position) & ~all_unlifted(line.left):
        return line
    consensus = find_consensus(search_by_board(line.record, look, line.left).list_explanations())
    if consensus is None or consensus.rivals > 1:
        return None
    best = consensus.explanation
    return replace(line, record=best.records[-1], left=best.left) if best.records and best.refused is None else None


def search_by_board(record: GameRecord, look: BoardLikelihoods, left: UnliftedStones) -> Search:
    """Return the search for a few turns that the board alone has to show: either player may have delayed meanwhile."""
    delays = BOTH if record.rules.delays is not None else frozenset[Colour]()
    return Search(look, record, left, MOST_TURNS, delays=delays, patience=MOST_TRIED)


def turn_by_stones(record: GameRecord, after: Position) -> Colour | None:
    """Return whose turn it is after a gap by the numbers of stones; None if stones are gone, or the numbers differ."""
    before, mover = record.position, record.to_play
    if any(before.stones_not_in(after)):
        return None
    own, other = (after.stones_not_in(before)[COLOURS.index(player)] for player in (mover, opponent_of(mover)))
    ahead = own.bit_count() - other.bit_count()
    return {0: mover, 1: opponent_of(mover)}.get(ahead)


def may_be_play(before: Position, after: Position) -> bool:
    """Return True if nothing but play need have led from one position to the other."""
    black, white = (stones.bit_count() for stones in after.stones_not_in(before))
    is_even = abs(black - white) <= 1 + (black + white) // UNEVEN
    return is_even and before.stones_not_in(after) == find_stones_captured_since(before, after)


def is_no_play(before: Position, after: Position) -> bool:
    """Return True if a board was cleared, moved or rearranged for the count."""
    removed = sum(before.stones_not_in(after))
    if removed.bit_count() * 2 > before.occupied.bit_count():
        return True
    return _is_moved(before, after) or _is_in_territory(before.without_stones(removed), after.stones_not_in(before))


def _is_moved(before: Position, after: Position) -> bool:
    """Return True if the stones fit better when the whole board is turned, or shifted by a line."""
    agreeing = _count_agreeing(before.stones, after)
    return any(_count_agreeing(elsewhere, after) > agreeing for elsewhere in _list_displacements(before))


def _list_displacements(position: Position) -> Sequence[tuple[Mask, ...]]:
    board, stones = position.board, position.stones
    shifted = [tuple(way) for way in zip(*(board.neighbours_of(mask) for mask in stones), strict=True)]
    return [*shifted, tuple(map(board.rotate_mask, stones))]


def _count_agreeing(stones: Sequence[Mask], after: Position) -> int:
    return sum((one & other).bit_count() for one, other in zip(stones, after.stones, strict=True))


def _is_in_territory(before: Position, added: Sequence[Mask]) -> bool:
    """Return True if all new stones lie where only one colour borders, and both are on the board."""
    if not all(before.stones) or not any(added):
        return False
    territory = sum(points_bordered_by(before, colour) for colour in COLOURS[:2])
    return not any(stones & ~territory for stones in added)
