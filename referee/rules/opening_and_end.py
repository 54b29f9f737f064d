"""The beginning and end of a game: handicap stones before White's first turn, and the passes that end play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from referee.game.board import Board, Colour, Mask, Point, Position
from referee.game.errors import BadSetup
from referee.game.record import GameRecord, HandicapRule
from referee.game.ruling import Reason
from referee.game.turns import Pass, Placement, Turn


@dataclass(frozen=True)
class FreePlacement(HandicapRule):
    """The handicap whose stones Black puts anywhere, one each turn, before White's first turn.

    A start with stones on the board, or with White to play, has them already.
    """

    name: str = "free"

    def stones_to_place(self, record: GameRecord) -> int:
        """Return the number of handicap stones still to come; a handicap of 1 is only the first turn."""
        return max(record.handicap - record.number, 0) if _is_placing_stones(record) else 0

    def may_lay(self, record: GameRecord) -> bool:
        """Return True until White's first turn."""
        return _is_placing_stones(record) and record.number <= record.handicap and not record.ended


def _is_placing_stones(record: GameRecord) -> bool:
    fresh = record.start.to_play is Colour.BLACK and not record.start.position.occupied
    return fresh and record.handicap > 1


@dataclass(frozen=True)
class TraditionalPoints(HandicapRule):
    """The handicap of two to nine stones on the traditional points before White's first turn."""

    name: str = "traditional"

    def set_up(self, handicap: int, board: Board) -> Mask:
        """Return the traditional points. Raise BadSetup if the board is too small or does not have that many."""
        if handicap <= 1:
            return 0
        most = _most_traditional(board)
        if handicap > most:
            places = f"2 to {most}" if most else "no"
            raise BadSetup(f"A board of {board.cols}x{board.rows} has {places} traditional handicap stones.")
        return sum(1 << _traditional_point(board, *direction) for direction in _PATTERNS[handicap])


_CORNERS = ((1, 1), (-1, -1), (1, -1), (-1, 1))
_SIDES = ((-1, 0), (1, 0), (0, 1), (0, -1))
_CENTRE = (0, 0)
_PATTERNS = {
    2: _CORNERS[:2],
    3: _CORNERS[:3],
    4: _CORNERS,
    5: (*_CORNERS, _CENTRE),
    6: (*_CORNERS, *_SIDES[:2]),
    7: (*_CORNERS, *_SIDES[:2], _CENTRE),
    8: (*_CORNERS, *_SIDES),
    9: (*_CORNERS, *_SIDES, _CENTRE),
}
"""By handicap, the place of each stone: left or right (-1, 1; 0 the middle), and lower or upper."""


def handicap_points(board: Board) -> Mask:
    """Return the points on which traditional handicap stones may be: nine, four, or on a small board none."""
    return TraditionalPoints().set_up(_most_traditional(board), board)


def _most_traditional(board: Board) -> int:
    odd = board.cols % 2 and board.rows % 2 and min(board.cols, board.rows) >= 9
    return 9 if odd else 4 if min(board.cols, board.rows) >= 7 else 0


def _traditional_point(board: Board, across: int, up: int) -> Point:
    return _handicap_line(board.rows, -up) * board.cols + _handicap_line(board.cols, across)


def _handicap_line(lines: int, side: int) -> int:
    """Return the third line from the edge, from thirteen lines on the fourth; for side 0 the middle line."""
    edge = 3 if lines >= 13 else 2
    return (edge, lines // 2, lines - 1 - edge)[side + 1]


@dataclass(frozen=True)
class NoPasses:
    """The ending without passes: the game ends by resignation or a draw."""

    name: str = "none"
    has_pass_stones: bool = False
    are_dead_stones_lifted: bool = False
    can_resume_play: bool = False

    def may_pass(self, record: GameRecord) -> bool:
        """Return False."""
        return False

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Return False."""
        return False


@dataclass(frozen=True)
class TwoPasses:
    """The ending by two passes in a row, after which the game is counted."""

    name: str = "two-passes"
    has_pass_stones: bool = False
    are_dead_stones_lifted: bool = True
    can_resume_play: bool = True

    def may_pass(self, record: GameRecord) -> bool:
        """Return True."""
        return True

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Return True from the second pass in a row on."""
        return passes_in_a_row(record) >= 1


@dataclass(frozen=True)
class PassesOfAll(TwoPasses):
    """The ending by one pass more in a row than there are players; the game is then counted (Kee rules, part E)."""

    name: str = "n+1-passes"
    are_dead_stones_lifted: bool = False
    can_resume_play: bool = False

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Return True for the pass after all players have passed; players who have resigned do not count."""
        return passes_in_a_row(record) >= len(record.remaining_players)


@dataclass(frozen=True)
class PassStones(TwoPasses):
    """The ending by two or more passes in a row, the last of them White's; each hands the opponent a stone.

    So both have made as many turns, and area and territory agree (rules of the American Go Association).
    """

    name: str = "pass-stones"
    has_pass_stones: bool = True

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Return True for White's pass if the turn before was a pass."""
        return record.to_play is Colour.WHITE and super().is_ended_by_pass(record)


@dataclass(frozen=True)
class RepeatedPass(TwoPasses):
    """The ending by two passes in a row, or by a pass of a player who passed before in the same position.

    A turn that counts as a pass is treated like one.
    """

    name: str = "repeated-pass"

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Return True from the second pass in a row on, or if the player passed in this position before."""
        return super().is_ended_by_pass(record) or _has_passed_here(record)


def _has_passed_here(record: GameRecord) -> bool:
    """Return True if the player to move has passed before with this position on the board."""
    first = record.first_stood(record.position)
    records = takewhile(lambda earlier: earlier.number >= (first or 0), _records_since_resumption(record))
    return any(earlier.position == record.position and _is_pass_of(earlier, record.to_play) for earlier in records)


def _is_pass_of(record: GameRecord, player: Colour) -> bool:
    return was_voluntary_pass(record) and record.turn is not None and record.turn.player is player


def is_counted_as_pass(record: GameRecord, turn: Turn, after: Position) -> bool:
    """Return True if a turn made in this record, which left `after`, is a pass or counts as one."""
    single = record.rules.suicide.is_single_a_pass and isinstance(turn, Placement) and after == record.position
    return isinstance(turn, Pass) or single


def passes_in_a_row(record: GameRecord) -> int:
    """Return the number of newest turns in a row that are passes or count as one.

    Those before play was resumed do not count, and a pass that the handicap demands breaks the run.
    """
    return sum(1 for _ in takewhile(was_voluntary_pass, _records_since_resumption(record)))


def _records_since_resumption(record: GameRecord) -> Iterator[GameRecord]:
    """Yield the record and those before it, back to a turn after which play was resumed or not seen for a while."""
    return takewhile(lambda earlier: not earlier.resumed and earlier.gap is None, record.iterate_back())


def is_last_a_pass(record: GameRecord) -> bool:
    """Return True if the newest turn is a pass, or counts as one, and play was seen since."""
    before, turn = record.before, record.turn
    if record.gap is not None or before is None or turn is None:
        return False
    return is_counted_as_pass(before, turn, record.position)


def was_voluntary_pass(record: GameRecord) -> bool:
    """Return True if the newest turn is a pass, or counts as one, that the handicap did not demand.

    Only such passes end play (our reading, because a forced pass says nothing about the end).
    """
    return is_last_a_pass(record) and record.before is not None and not must_pass(record.before)


def must_pass(record: GameRecord) -> bool:
    """Return True if the handicap makes the player to move pass."""
    return record.handicap > 0 and record.rules.handicap.find_restriction(record) is Reason.MUST_PASS
