"""The points that a player receives besides those counted on the board: komi, handicap compensation, penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.game.board import Colour
from referee.game.count_result import CountStep, Layout
from referee.game.messages import Message, message
from referee.game.penalties import Penalty


@dataclass(frozen=True)
class Award:
    """Points awarded to a player.

    Attributes:
        act: its name as a step of the count.
        to_white: White's points, negative if Black receives them.
        message: its description.
    """

    act: str
    to_white: float
    message: Message

    def to_step(self, layout: Layout) -> CountStep:
        """Return it as a step of the count."""
        return CountStep(_find_receiver(self.to_white), self.act, self.message, layout=layout)


def _find_receiver(to_white: float) -> Colour:
    return Colour.WHITE if to_white > 0 else Colour.BLACK


def award_komi(to_white: float) -> tuple[Award, ...]:
    """Return the award of komi; none for 0 points."""
    return _award_message("komi", to_white)


def award_compensation(to_white: float) -> tuple[Award, ...]:
    """Return the award that makes up for handicap stones; none for 0 points."""
    return _award_message("handicap", to_white)


def _award_message(act: str, to_white: float) -> tuple[Award, ...]:
    sentence = message(f"score.{act}", player=_find_receiver(to_white), n=abs(to_white))
    return (Award(act, to_white, sentence),) if to_white else ()


MESSAGE_KEYS = ("score.komi", "score.handicap")


def award_penalties(imposed_penalties: Sequence[Penalty]) -> tuple[Award, ...]:
    """Return the awards for each player's penalties, each with its reason."""
    return tuple(Award("penalty", penalty.to_white, penalty.message) for penalty in imposed_penalties)


def total_awards(awards: Sequence[Award]) -> float:
    """Return White's points of all awards, less Black's."""
    return sum(award.to_white for award in awards)


def award_figures(awards: Sequence[Award]) -> dict[str, object]:
    """Return the sum as White's points; and the penalties among them, if there are any."""
    fines = [award for award in awards if award.act == "penalty"]
    all_of_it: dict[str, object] = {"to_white": total_awards(awards)}
    return all_of_it | ({"penalties": total_awards(fines)} if fines else {})
