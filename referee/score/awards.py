"""What a player receives beside what is counted on the board: komi, compensation for a handicap, penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.board import Colour
from referee.counted import CountStep, Layout
from referee.messages import Message, message
from referee.penalties import Penalty


@dataclass(frozen=True)
class Award:
    """act: what a step of the count calls it. to_white: White's points, negative where Black receives them."""

    act: str
    to_white: float
    message: Message

    def step(self, layout: Layout) -> CountStep:
        """It told as a step of the count."""
        return CountStep(_receiver(self.to_white), self.act, self.message, layout=layout)


def _receiver(to_white: float) -> Colour:
    return Colour.WHITE if to_white > 0 else Colour.BLACK


def komi(to_white: float) -> tuple[Award, ...]:
    """Komi; none where nothing is given."""
    return _told("komi", to_white)


def compensation(to_white: float) -> tuple[Award, ...]:
    """What evens out the stones of a handicap; none where nothing is given."""
    return _told("handicap", to_white)


def _told(act: str, to_white: float) -> tuple[Award, ...]:
    said = message(f"score.{act}", player=_receiver(to_white), n=abs(to_white))
    return (Award(act, to_white, said),) if to_white else ()


MESSAGE_KEYS = ("score.komi", "score.handicap")


def penalties(found: Sequence[Penalty]) -> tuple[Award, ...]:
    """Those of each player, each with its reason."""
    return tuple(Award("penalty", penalty.to_white, penalty.message) for penalty in found)


def total(awards: Sequence[Award]) -> float:
    """White's points of all, less Black's."""
    return sum(award.to_white for award in awards)


def figures(awards: Sequence[Award]) -> dict[str, object]:
    """All as White's points; and of them the penalties, where there are any."""
    fined = [award for award in awards if award.act == "penalty"]
    all_of_it: dict[str, object] = {"to_white": total(awards)}
    return all_of_it | ({"penalties": total(fined)} if fined else {})
