"""The seats: which player sits at which side, as far as presses decide it.

The lids, or the agreement before the game, may name Black's side (`LidKeeper.black_side`). If neither does, the first
to press is taken for the player to move. After handicap stones `done` is taken for Black's still, who may close
them by it; if White had played and pressed at once, the next look shows that by the stone.
"""

from __future__ import annotations

from referee.game.board import Colour
from referee.game.likelihoods import BoardLikelihoods
from referee.game.seating import black_side_of, list_sides, player_at, side_of
from referee.table.events import Button, Pressed
from referee.table.ledger import GameLedger
from referee.table.refereed import RefereedGame


class Seats:
    """The seats of one game.

    possible_white_side: the side whose first press was taken for Black's, though White may sit there; None if no doubt
        is left
    """

    def __init__(self, ledger: GameLedger, refereed: RefereedGame | None) -> None:
        self._ledger, self._refereed = ledger, refereed
        self.possible_white_side: int | None = None

    @property
    def sides(self) -> tuple[int, ...]:
        """Return the sides of the table, one for each player."""
        return list_sides(self._ledger.record.players)

    def player_at(self, side: int) -> Colour | None:
        """Return the player at a side, None while that is unknown."""
        black_side = self._ledger.lids.black_side
        return None if black_side is None else player_at(side, black_side, self._ledger.record.players)

    def side_of(self, player: Colour) -> int | None:
        """Return a player's side, None while it is unknown."""
        black_side = self._ledger.lids.black_side
        return None if black_side is None else side_of(player, black_side, self._ledger.record.players)

    def sides_of(self, players: tuple[Colour, ...]) -> tuple[int, ...]:
        """Return the sides of these players, as far as they are known, in order."""
        return tuple(sorted({side for player in players if (side := self.side_of(player)) is not None}))

    def find_presser(self, press: Pressed, claims_black: bool) -> Colour:
        """Return the player who pressed. If the seating is unknown, the first to press is the player to move."""
        lids, players = self._ledger.lids, self._ledger.record.players
        if self.possible_white_side != press.side:
            self.possible_white_side = None
        if claims_black:
            self._seat_black(press.side)
            self.possible_white_side = None
        elif lids.black_side is None:
            closes_handicap = press.button is Button.DONE and self._is_blacks_press
            presser = Colour.BLACK if closes_handicap else self._ledger.record.to_play
            lids.black_side = black_side_of(press.side, presser, players)
            if closes_handicap:
                self.possible_white_side = press.side
        assert lids.black_side is not None
        return player_at(press.side, lids.black_side, players)

    def settle_by_look(self, look: BoardLikelihoods) -> None:
        """Settle by a look whether the first press was White's: it was if a white stone lies there."""
        side = self.possible_white_side
        if side is None or look.is_too_doubtful:
            return
        self.possible_white_side = None
        if look.likeliest.stones_of(Colour.WHITE):
            self._seat_black(black_side_of(side, Colour.WHITE, self._ledger.record.players))

    @property
    def _is_blacks_press(self) -> bool:
        return self._refereed is not None and self._refereed.handicap.is_blacks_press

    def _seat_black(self, black_side: int) -> None:
        """Seat Black at this side: earlier presses belong to their side's player."""
        lids, players = self._ledger.lids, self._ledger.record.players
        was, lids.black_side = lids.black_side, black_side
        if was is not None and was != black_side and self._refereed is not None:
            self._refereed.reseat_players(lambda player: player_at(side_of(player, was, players), black_side, players))
