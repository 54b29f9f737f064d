"""What a situation is worth."""

from __future__ import annotations

from collections.abc import Callable

from referee.analysis.figures import NOT_KNOWN, Worth
from referee.analysis.fundamental import Fundamental
from referee.analysis.situation import FullSituation, full_situation
from referee.record import GameRecord


def worth(of: GameRecord | FullSituation, go_on: Callable[[], bool]) -> Worth:
    """What is known of a situation when all is, or when `go_on` has said no.

    Of a game that has ended or is not one of Fundamental Go (see `full_situation`) nothing is known.
    """
    situation = full_situation(of) if isinstance(of, GameRecord) else of
    return NOT_KNOWN if situation is None else Fundamental(situation, go_on).worth()
