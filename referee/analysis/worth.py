"""The value of a situation: of Fundamental Go, or of a game that is counted by area or territory.

Both find the winner at one difference after another (`thresholds`), by the same search for proofs (`search`), and know
without a search the territory of living chains (`territory`). They differ in the cost of a turn without a stone, in how
the game ends, and in what is counted (`tally`).
"""

from __future__ import annotations

from collections.abc import Callable

from referee.analysis.counting import CountedSituation, counted_situation
from referee.analysis.figures import NOT_KNOWN, Worth
from referee.analysis.fundamental import Fundamental
from referee.analysis.margin import Margin
from referee.analysis.situation import FullSituation, full_situation
from referee.game.record import GameRecord

Situation = FullSituation | CountedSituation


def worth(subject: GameRecord | Situation, go_on: Callable[[], bool]) -> Worth:
    """Return the known value of a situation, once it is complete or `go_on` has returned False.

    Nothing is known of a game that has ended, or of one that is neither Fundamental Go (see `full_situation`) nor
    counted as `counted_situation` describes.
    """
    situation = (full_situation(subject) or counted_situation(subject)) if isinstance(subject, GameRecord) else subject
    if situation is None:
        return NOT_KNOWN
    valuation = Fundamental(situation, go_on) if isinstance(situation, FullSituation) else Margin(situation, go_on)
    return valuation.worth()
