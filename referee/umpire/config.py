"""The configuration of a table, as match settings and commands give it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.time.clock import Adjourned
from referee.time.controls import TimeControl
from referee.umpire.missing_prisoners import MissingPrisonerPenalty


@dataclass(frozen=True)
class TableConfig:
    """The configuration of a table.

    refereed: `done` presses close turns; otherwise a steady look does
    black_side: 1 or 2, if known; under rules with stones in the lids these identify it themselves
    to_play_said: a person named the record's player to move, which holds for a game first seen in its middle
    control: the time control; None: no clocks
    procedures: tournament procedures apply, see `referee.time`
    amendments: the players have agreed on the amendments of the expedited count
    deep: the game was filmed before, so there is time for a deep search
    answers_calls: a pass that is called in vain or too early is answered; version 0.1 did not
    waits_for_lids: no turn is written while an undetected delay may have come before it; earlier versions did
    prisoners: the consequence if captured stones are not in the lid; None: not checked
    taken_up: the clocks of an adjourned game that is resumed here, see `start`
    """

    refereed: bool = False
    black_side: int | None = None
    to_play_said: bool = False
    control: TimeControl | None = None
    procedures: bool = True
    amendments: bool = False
    deep: bool = False
    answers_calls: bool = True
    waits_for_lids: bool = True
    prisoners: MissingPrisonerPenalty | None = None
    taken_up: Adjourned | None = None
