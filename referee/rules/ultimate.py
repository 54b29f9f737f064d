"""The special rules of Ultimate Go: stones in the bowls at the start, delays, the ultimate stone, draws.

Source: the rules of Ultimate Go (Sensei's Library, 13 November 2023), rules 3, 6, 8 and 9, and the remarks on komi and
handicap in the analysis of the rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from referee.game.board import Colour, Position, opponent_of
from referee.game.errors import BadSetup
from referee.game.prisoners import Bowls, empty_bowls
from referee.game.record import GameRecord, HandicapRule
from referee.game.ruling import Reason
from referee.game.turns import Delay
from referee.rules.setup import without_ultimate


@dataclass(frozen=True)
class KomiBowls:
    """Bowls that start with opponent's stones, with komi and handicap added to them.

    Attributes:
        each: the number of opponent's stones in each bowl at the start.
        halves: half a point of komi has a meaning, because there are draws.
        beside: an ultimate prisoner lies beside each bowl.
        are_prisoners_kept: captured stones stay in the bowls.
    """

    each: int = 1
    halves: bool = True
    beside: bool = False
    are_prisoners_kept: bool = True

    def at_start(self, komi: float, handicap: int, players: int) -> Bowls:
        """Return the bowls before the first turn.

        Raise BadSetup for a komi that is not counted in stones and halves, or for halves if they have no meaning.
        """
        if not self.halves and komi != int(komi):
            raise BadSetup(f"Komi {komi:g} means nothing where there are no draws; it must be a whole number.")
        if komi * 2 != int(komi * 2):
            raise BadSetup(f"Komi {komi:g} cannot be given in stones; it must be a whole or a half number.")
        black_gives = math.floor(komi) if komi > 0 else 0
        white_gives = math.floor(-komi) if komi < 0 else 0
        bowls = empty_bowls(players).change_count(Colour.BLACK, Colour.WHITE, self.each + white_gives)
        return bowls.change_count(Colour.WHITE, Colour.BLACK, self.each + black_gives + handicap_komi(handicap))

    def check_given(self, bowls: Bowls) -> Bowls:
        """Return the given bowls; under the original rules "ultimate" names the maker of the first ultimate delay."""
        if self.beside and bowls.ultimate is not None:
            return replace(bowls, ultimate=None).with_ultimate_delay(bowls.ultimate)
        return bowls if self.halves else without_ultimate(bowls)


def handicap_komi(handicap: int) -> int:
    """Return H - 1: the stones that Black gives for a handicap, and the turns on which White must return one."""
    return max(handicap - 1, 0)


def is_in_handicap_stretch(record: GameRecord) -> bool:
    """Return True while White has still to make one of the first H - 1 turns, when delays go to the supply."""
    white_first = record.start.to_play is Colour.WHITE
    return (record.number + white_first) // 2 < handicap_komi(record.handicap)


@dataclass(frozen=True)
class ReturnedPrisoners(HandicapRule):
    """The handicap of Ultimate Go: on each of White's first H - 1 turns the only move is returning a prisoner."""

    name: str = "returned prisoners"

    def find_restriction(self, record: GameRecord) -> Reason | None:
        """Return `must-delay` if the player to move can only return a prisoner."""
        must = record.to_play is Colour.WHITE and is_in_handicap_stretch(record)
        return Reason.MUST_DELAY if must else None

    def first_player(self, handicap: int, position: Position) -> Colour:
        """Return Black."""
        return Colour.BLACK

    @property
    def is_stones(self) -> bool:
        """Return False: it is given in prisoners."""
        return False


@dataclass(frozen=True)
class ReturningDelays:
    """The delay that returns a prisoner to the supply; the only one in Fundamental Go."""

    name: str = "prisoner"
    kinds: tuple[str, ...] = ("prisoner",)

    def find_objection(self, record: GameRecord, delay: Delay) -> Reason | None:
        """Return the reason why this delay is illegal, None if it is legal."""
        if delay.ultimate:
            return Reason.DELAY_NOT_AVAILABLE
        has_prisoner = record.bowls.count_prisoners(delay.player, opponent_of(delay.player)) > 0
        return None if has_prisoner else Reason.NO_PRISONER

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """Return the bowls without the returned prisoner."""
        return record.bowls.change_count(delay.player, opponent_of(delay.player), -1)


@dataclass(frozen=True)
class PrisonerDelays(ReturningDelays):
    """The delay that returns a prisoner; the game's first makes it the ultimate stone (rule 6).

    That one goes into the opponent's bowl. The referee knows which delay is the first, so it has no name of its own.
    """

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """Return the bowls after the prisoner went to the supply, or into the opponent's bowl as the ultimate stone."""
        bowls = super().bowls_after(record, delay)
        first = bowls.ultimate is None and not is_in_handicap_stretch(record)
        return bowls.with_ultimate(opponent_of(delay.player)) if first else bowls


@dataclass(frozen=True)
class UltimatePrisonerDelays(ReturningDelays):
    """The delay that returns a prisoner or, once for each player, the ultimate one (original rules 6 and 8).

    The ultimate prisoner lies beside the bowl.
    """

    name: str = "prisoner, ultimate"
    kinds: tuple[str, ...] = ("prisoner", "ultimate")

    def find_objection(self, record: GameRecord, delay: Delay) -> Reason | None:
        """Return the reason why this delay is illegal, None if it is legal.

        An ultimate one is illegal while handicap delays are still to come.
        """
        if not delay.ultimate:
            return super().find_objection(record, delay)
        is_unavailable = delay.player in record.bowls.ultimate_delays or is_in_handicap_stretch(record)
        return Reason.DELAY_NOT_AVAILABLE if is_unavailable else None

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """Return the bowls without the prisoner, either from the bowl or from beside it."""
        if delay.ultimate:
            return record.bowls.with_ultimate_delay(delay.player)
        return super().bowls_after(record, delay)


@dataclass(frozen=True)
class BowlDraws:
    """The rule that a draw may be declared if the opponent's bowl holds only the ultimate stone (rule 8)."""

    name: str = "ultimate stone"

    def is_available(self, record: GameRecord) -> bool:
        """Return True if the player to move may declare a draw."""
        opponent = opponent_of(record.to_play)
        prisoners = record.bowls.count_prisoners(opponent, record.to_play)
        return record.bowls.ultimate is opponent and prisoners == 0

    def declared_result(self, record: GameRecord) -> str:
        """Return a draw; with a half in the komi, a win of the player who receives it."""
        if record.komi % 1 == 0:
            return "0"
        return "W+0.5" if record.komi > 0 else "B+0.5"


@dataclass(frozen=True)
class UltimateDelayDraws(BowlDraws):
    """The rule that the first to make an ultimate delay may declare a draw after the second (original rule 8)."""

    name: str = "second ultimate delay"

    def is_available(self, record: GameRecord) -> bool:
        """Return True if the player to move may declare a draw, whatever the bowls hold."""
        delays = record.bowls.ultimate_delays
        return len(delays) > 1 and delays[0] is record.to_play
