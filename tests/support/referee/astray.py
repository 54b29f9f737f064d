"""The count of stones, which Ultimate Go keeps the same all game long."""

from __future__ import annotations

from referee.game.board import Colour
from referee.game.record import GameRecord, Situation


def stones_astray(record: GameRecord, situation: Situation | None = None) -> int:
    """Return the excess of a situation (the record's own, if left out) over the stone count the rules keep: 0 if none.

    There is no pass, so black less white stones in the game (on the board, in the bowls and, as ultimate prisoners,
    beside them; returned stones and the ultimate stone are out of it) stays what the start made it (the komi stones
    Black gave less White's), plus 1 at White's turn.
    A positive answer is black stones too many, or white ones missing.
    """
    return _black_lead(situation or record.situation) - _black_lead(record.start)


def _black_lead(situation: Situation) -> int:
    lead = -1 if situation.to_play is Colour.WHITE else 0
    for colour, sign in ((Colour.BLACK, 1), (Colour.WHITE, -1)):
        lead += sign * (colour in situation.bowls.ultimate_delays)
        in_bowls = sum(situation.bowls.count(owner, colour) for owner in (Colour.BLACK, Colour.WHITE))
        lead += sign * (situation.position.of(colour).bit_count() + in_bowls)
    return lead
