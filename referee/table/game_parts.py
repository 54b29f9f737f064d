"""The parts of one game at a table: each has its own state, and all read and write the same ledger and clocks."""

from __future__ import annotations

from dataclasses import dataclass

from referee.inference.missing_prisoners import Prisoners
from referee.table.end_of_game import EndOfGame
from referee.table.ledger import GameLedger
from referee.table.recorded import RecordedGame
from referee.table.refereed import RefereedGame
from referee.table.seats import Seats
from referee.table.start import StartCheck
from referee.table.timing import Timing


@dataclass(frozen=True)
class GameParts:
    """The parts of one game. refereed: the judge of the turns that presses close; None at a table without buttons"""

    ledger: GameLedger
    timing: Timing
    start_check: StartCheck
    prisoners: Prisoners
    end_of_game: EndOfGame
    refereed: RefereedGame | None
    recorded: RecordedGame
    seats: Seats
