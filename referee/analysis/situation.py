"""The complete situation of a game of Fundamental Go: player to move, board, set of earlier boards, bowls.

Source: Analysis of Ultimate Go, section IV.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.board import COLOURS, Board, Colour, Mask, opponent_of
from referee.game.record import GameRecord
from referee.rules.ultimate import is_in_handicap_stretch

Stones = tuple[Mask, Mask]
"""Black's and White's stones."""

BLACK, WHITE = COLOURS[:2]


@dataclass(frozen=True)
class FullSituation:
    """Everything that the value of a situation depends on.

    Attributes:
        board: the board.
        stones: Black's and White's stones.
        to_play: the player to move.
        earlier: the boards that stood in the game and may not repeat (the present one counts, named or not).
        prisoners: White stones that Black can return, Black stones that White can; an ultimate prisoner that can still
            be given counts, because while no draw is declared it is a prisoner like any other (section VI).
    """

    board: Board
    stones: Stones
    to_play: Colour = BLACK
    earlier: frozenset[Stones] = frozenset()
    prisoners: tuple[int, int] = (0, 0)

    @property
    def turn(self) -> int:
        """Return 0 if Black is to move, 1 if White is."""
        return COLOURS.index(self.to_play)

    @property
    def difference(self) -> int:
        """Return D: the prisoners that Black can return less those that White can."""
        return self.prisoners[0] - self.prisoners[1]

    @property
    def can_delay(self) -> bool:
        """Return True if the player to move has a prisoner to return."""
        return self.prisoners[self.turn] > 0


def full_situation(record: GameRecord) -> FullSituation | None:
    """Return the complete situation of a game whose rules make it Fundamental Go; None for any other.

    They do if delays return prisoners and no board may repeat. Declared draws are left out of account (section VI).
    None as well after the end, and while handicap turns that have to be delays are still to come.
    """
    rules = record.rules
    fits = rules.delays is not None and rules.ko.name == "positional" and rules.suicide.name == "none"
    if not fits or record.ended or record.players != 2 or (record.handicap and is_in_handicap_stretch(record)):
        return None
    black, white = (_count_returnable(record, colour) for colour in (BLACK, WHITE))
    now = record.position
    return FullSituation(now.board, stone_pair(now.stones), record.to_play, _earlier_boards(record), (black, white))


def _count_returnable(record: GameRecord, player: Colour) -> int:
    prisoners = record.bowls.count_prisoners(player, opponent_of(player))
    delays = record.rules.delays
    has_ultimate = delays is not None and "ultimate" in delays.kinds and player not in record.bowls.ultimate_delays
    return prisoners + has_ultimate


def _earlier_boards(record: GameRecord) -> frozenset[Stones]:
    """Return the boards that stood before, including those before an agreement to lift stones."""
    return frozenset(
        stone_pair(one.position.stones) for back in record.iterate_back() for one in (back, *back.unsettled_back())
    ) - {stone_pair(record.position.stones)}


def stone_pair(stones: tuple[Mask, ...]) -> Stones:
    """Return the stones of a game of two players."""
    return stones[0], stones[1]
