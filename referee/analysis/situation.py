"""The complete situation of a game of Fundamental Go: whose turn, the board, the set of earlier boards, the bowls.

Source: Analysis of Ultimate Go, section IV.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import COLOURS, Board, Colour, Mask, opponent_of
from referee.record import GameRecord
from referee.rules.ultimate import in_handicap_stretch

Stones = tuple[Mask, Mask]
"""Black's and White's stones."""

BLACK, WHITE = COLOURS[:2]


@dataclass(frozen=True)
class FullSituation:
    """All that the value of a situation depends on.

    earlier: the boards that stood in the game and may not stand again (the present one counts, named or not).
    prisoners: White stones Black can return, Black stones White can; an ultimate prisoner that can still be given
    counts, for where no draw is declared it is a prisoner like any other (section VI).
    """

    board: Board
    stones: Stones
    to_play: Colour = BLACK
    earlier: frozenset[Stones] = frozenset()
    prisoners: tuple[int, int] = (0, 0)

    @property
    def turn(self) -> int:
        """0 where Black is to move, 1 where White is."""
        return COLOURS.index(self.to_play)

    @property
    def difference(self) -> int:
        """D: the prisoners Black can return less those White can."""
        return self.prisoners[0] - self.prisoners[1]

    @property
    def can_delay(self) -> bool:
        """Whether the player to move has a prisoner to return."""
        return self.prisoners[self.turn] > 0


def full_situation(record: GameRecord) -> FullSituation | None:
    """The complete situation of a game that its rules make one of Fundamental Go; None where they do not.

    They do where delays return prisoners and no board may stand twice. Where draws can be declared they are left out of
    account (section VI). Handicap turns that have to be delays are still to come: None as well, and after the end.
    """
    rules = record.rules
    fits = rules.delays is not None and rules.ko.name == "positional" and rules.suicide.name == "none"
    if not fits or record.ended or record.players != 2 or (record.handicap and in_handicap_stretch(record)):
        return None
    black, white = (_returnable(record, colour) for colour in (BLACK, WHITE))
    now = record.position
    return FullSituation(now.board, pair(now.stones), record.to_play, _earlier(record), (black, white))


def _returnable(record: GameRecord, player: Colour) -> int:
    prisoners = record.bowls.count(player, opponent_of(player))
    delays = record.rules.delays
    beside = delays is not None and "ultimate" in delays.kinds and player not in record.bowls.ultimate_delays
    return prisoners + beside


def _earlier(record: GameRecord) -> frozenset[Stones]:
    """The boards that stood before, those before an agreement to lift stones among them."""
    return frozenset(pair(one.position.stones) for back in record.back() for one in (back, *back.unsettled_back())) - {
        pair(record.position.stones)
    }


def pair(stones: tuple[Mask, ...]) -> Stones:
    """The stones of a game of two players."""
    return stones[0], stones[1]
