"""How a table is played, as the terms of a match and the commands say it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.table.prisoners import Follows
from referee.time.clock import Adjourned
from referee.time.controls import TimeControl


@dataclass(frozen=True)
class Manner:
    """How the table is played.

    refereed: `done` presses close turns; else a steady look does. black_side: 1 or 2, where it is known; under rules
    with stones in the lids these say it themselves. to_play_said: the record's player to move was named by a person,
    and holds for a game that is first seen in its middle. control: how much time the players have; None: no clocks.
    procedures: those of a tournament hold, see `referee.time`. amendments: the players have agreed on those of the
    expedited count. deep: the game was filmed before, so that there is time to search far for what was played.
    answers_calls: a pass that is called in vain or too early is answered; in those of version 0.1 it was not.
    waits_for_lids: a turn is not written while a delay may have come before it that no lid told; once it was.
    prisoners: what follows where captured stones are not in the lid; None: nobody minds.
    taken_up: the clocks of a game that was adjourned and is taken up again here, see `start`.
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
    prisoners: Follows | None = None
    taken_up: Adjourned | None = None
