"""What Ultimate Go has beyond other Go: stones in the bowls at the start, delays, the ultimate stone, draws.

Source: the rules of Ultimate Go (Sensei's Library, 13 November 2023), rules 3, 6, 8 and 9, and the remarks on komi and
handicap in the analysis of the rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from referee.board import Colour, Position, opponent_of
from referee.bowls import Bowls, empty_bowls
from referee.errors import BadSetup
from referee.record import GameRecord, HandicapRule
from referee.rules.setup import without_ultimate
from referee.ruling import Reason
from referee.turns import Delay


@dataclass(frozen=True)
class KomiBowls:
    """Each bowl starts with so many of the opponent's stones; komi and handicap are more of them, in the bowl.

    halves: half a point of komi has a meaning, for there are draws. beside: an ultimate prisoner lies beside each bowl.
    """

    each: int = 1
    halves: bool = True
    beside: bool = False
    keeps: bool = True

    def at_start(self, komi: float, handicap: int, players: int) -> Bowls:
        """The bowls before the first turn; raises BadSetup for a komi that is not counted in stones and halves."""
        if not self.halves and komi != int(komi):
            raise BadSetup(f"Komi {komi:g} means nothing where there are no draws; it must be a whole number.")
        if komi * 2 != int(komi * 2):
            raise BadSetup(f"Komi {komi:g} cannot be given in stones; it must be a whole or a half number.")
        black_gives = math.floor(komi) if komi > 0 else 0
        white_gives = math.floor(-komi) if komi < 0 else 0
        bowls = empty_bowls(players).moved(Colour.BLACK, Colour.WHITE, self.each + white_gives)
        return bowls.moved(Colour.WHITE, Colour.BLACK, self.each + black_gives + handicap_komi(handicap))

    def given(self, bowls: Bowls) -> Bowls:
        """As they are given; under the original rules "ultimate" says who has made the first ultimate delay."""
        if self.beside and bowls.ultimate is not None:
            return replace(bowls, ultimate=None).with_ultimate_delay(bowls.ultimate)
        return bowls if self.halves else without_ultimate(bowls)


def handicap_komi(handicap: int) -> int:
    """The stones Black gives for a handicap, which is also how many turns of White's must return one: H - 1."""
    return max(handicap - 1, 0)


def in_handicap_stretch(record: GameRecord) -> bool:
    """White has still to make one of the first H - 1 turns, and delays go to the supply."""
    white_first = record.start.to_play is Colour.WHITE
    return (record.number + white_first) // 2 < handicap_komi(record.handicap)


@dataclass(frozen=True)
class ReturnedPrisoners(HandicapRule):
    """The handicap of Ultimate Go: on each of White's first H - 1 turns the only move is returning a prisoner."""

    name: str = "returned prisoners"

    def demands(self, record: GameRecord) -> Reason | None:
        """`must-delay` where the player to move can only return a prisoner."""
        must = record.to_play is Colour.WHITE and in_handicap_stretch(record)
        return Reason.MUST_DELAY if must else None

    def first(self, handicap: int, position: Position) -> Colour:
        """Black."""
        return Colour.BLACK


@dataclass(frozen=True)
class ReturningDelays:
    """A delay returns a prisoner to the supply; Fundamental Go knows no other."""

    name: str = "prisoner"
    kinds: tuple[str, ...] = ("prisoner",)

    def prohibits(self, record: GameRecord, delay: Delay) -> Reason | None:
        """Why this delay may not be made."""
        if delay.ultimate:
            return Reason.DELAY_NOT_AVAILABLE
        has_prisoner = record.bowls.count(delay.player, opponent_of(delay.player)) > 0
        return None if has_prisoner else Reason.NO_PRISONER

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """The bowls when the prisoner has left."""
        return record.bowls.moved(delay.player, opponent_of(delay.player), -1)


@dataclass(frozen=True)
class PrisonerDelays(ReturningDelays):
    """A delay returns a prisoner; the game's first puts it into the opponent's bowl as the ultimate stone (rule 6).

    The referee knows which one is the first, so it has no name of its own.
    """

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """The bowls when the prisoner has left: to the supply, or as the ultimate stone into the opponent's bowl."""
        bowls = super().bowls_after(record, delay)
        first = bowls.ultimate is None and not in_handicap_stretch(record)
        return bowls.with_ultimate(opponent_of(delay.player)) if first else bowls


@dataclass(frozen=True)
class UltimatePrisonerDelays(ReturningDelays):
    """A delay returns a prisoner or, once a player, the ultimate prisoner beside the bowl (original rules 6 and 8)."""

    name: str = "prisoner, ultimate"
    kinds: tuple[str, ...] = ("prisoner", "ultimate")

    def prohibits(self, record: GameRecord, delay: Delay) -> Reason | None:
        """Why this delay may not be made; an ultimate one may not while handicap delays are still to come."""
        if not delay.ultimate:
            return super().prohibits(record, delay)
        gone = delay.player in record.bowls.ultimate_delays or in_handicap_stretch(record)
        return Reason.DELAY_NOT_AVAILABLE if gone else None

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """The bowls when the prisoner has left, the one from the bowl or the one beside it."""
        if delay.ultimate:
            return record.bowls.with_ultimate_delay(delay.player)
        return super().bowls_after(record, delay)


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


@dataclass(frozen=True)
class UltimateDelayDraws(BowlDraws):
    """Who made the first ultimate delay may declare a draw from the second one on (original rule 8)."""

    name: str = "second ultimate delay"

    def available(self, record: GameRecord) -> bool:
        """Whether the player to move may, whatever lies in the bowls."""
        given = record.bowls.ultimate_delays
        return len(given) > 1 and given[0] is record.to_play
