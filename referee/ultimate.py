"""What Ultimate Go has beyond other Go: stones in the bowls at the start, delays, the ultimate stone, draws.

Source: the rules of Ultimate Go (Sensei's Library, 13 November 2023), rules 3, 6, 8 and 9, and the remarks on komi and
handicap in the analysis of the rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.board import Colour, Position, opponent_of
from referee.bowls import Bowls, empty_bowls
from referee.errors import BadSetup
from referee.ruling import Reason
from referee.turns import Delay

if TYPE_CHECKING:
    from referee.record import GameRecord, Situation


@dataclass(frozen=True)
class KomiBowls:
    """Each bowl starts with so many of the opponent's stones; komi and handicap are more of them, in the bowl."""

    each: int = 1

    def at_start(self, komi: float, handicap: int, players: int) -> Bowls:
        """The bowls before the first turn; raises BadSetup for a komi that is not counted in halves."""
        if komi * 2 != int(komi * 2):
            raise BadSetup(f"Komi {komi:g} cannot be given in stones; it must be a whole or a half number.")
        black_gives = math.floor(komi) if komi > 0 else 0
        white_gives = math.floor(-komi) if komi < 0 else 0
        bowls = empty_bowls(players).moved(Colour.BLACK, Colour.WHITE, self.each + white_gives)
        return bowls.moved(Colour.WHITE, Colour.BLACK, self.each + black_gives + handicap_komi(handicap))


def handicap_komi(handicap: int) -> int:
    """The stones Black gives for a handicap, which is also how many turns of White's must return one: H - 1."""
    return max(handicap - 1, 0)


def in_handicap_stretch(record: GameRecord) -> bool:
    """White has still to make one of her first H - 1 turns, and delays go to the supply."""
    white_first = record.start.to_play is Colour.WHITE
    return (record.number + white_first) // 2 < handicap_komi(record.handicap)


@dataclass(frozen=True)
class ReturnedPrisoners:
    """The handicap of Ultimate Go: on each of White's first H - 1 turns the only move is returning a prisoner."""

    name: str = "returned prisoners"

    def demands(self, record: GameRecord) -> Reason | None:
        """`must-delay` where the player to move can only return a prisoner."""
        must = record.to_play is Colour.WHITE and in_handicap_stretch(record)
        return Reason.MUST_DELAY if must else None

    def stones_to_place(self, record: GameRecord) -> int:
        """None: players always alternate."""
        return 0

    def first(self, handicap: int, position: Position) -> Colour:
        """Black."""
        return Colour.BLACK


@dataclass(frozen=True)
class PrisonerDelays:
    """A delay returns a prisoner; the game's first puts it into the opponent's bowl as the ultimate stone (rule 6)."""

    name: str = "prisoner"

    def prohibits(self, record: GameRecord, delay: Delay) -> Reason | None:
        """Why this delay may not be made; the referee knows the first one, so it has no name of its own."""
        if delay.ultimate:
            return Reason.DELAY_NOT_AVAILABLE
        has_prisoner = record.bowls.count(delay.player, opponent_of(delay.player)) > 0
        return None if has_prisoner else Reason.NO_PRISONER

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """The bowls when the prisoner has left: to the supply, or as the ultimate stone into the opponent's bowl."""
        opponent = opponent_of(delay.player)
        bowls = record.bowls.moved(delay.player, opponent, -1)
        first = bowls.ultimate is None and not in_handicap_stretch(record)
        return bowls.with_ultimate(opponent) if first else bowls


@dataclass(frozen=True)
class BowlDraws:
    """A draw may be declared when the opponent's bowl holds the ultimate stone and nothing else (rule 8)."""

    name: str = "ultimate stone"

    def available(self, record: GameRecord) -> bool:
        """Whether the player to move may declare a draw."""
        opponent = opponent_of(record.to_play)
        prisoners = record.bowls.count(opponent, record.to_play)
        return record.bowls.ultimate is opponent and prisoners == 0

    def result(self, record: GameRecord) -> str:
        """A draw; with a half in the komi, a win of who receives it."""
        if record.komi % 1 == 0:
            return "0"
        return "W+0.5" if record.komi > 0 else "B+0.5"


def stones_astray(record: GameRecord, situation: Situation | None = None) -> int:
    """How far a situation (the record's own, if left out) is from the stone count the rules keep: 0 when it agrees.

    There is no pass, so black less white stones in the game (board and bowls; returned stones and the ultimate stone
    are out of it) stays what the start made it (the komi stones Black gave less White's), plus 1 at White's turn.
    A positive answer is black stones too many, or white ones missing.
    """
    return _black_lead(situation or record.situation) - _black_lead(record.start)


def _black_lead(situation: Situation) -> int:
    lead = -1 if situation.to_play is Colour.WHITE else 0
    for colour, sign in ((Colour.BLACK, 1), (Colour.WHITE, -1)):
        in_bowls = sum(situation.bowls.count(owner, colour) for owner in (Colour.BLACK, Colour.WHITE))
        lead += sign * (situation.position.of(colour).bit_count() + in_bowls)
    return lead
