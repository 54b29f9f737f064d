"""Real games that are broken off and taken up on another drawn table, and what came of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.settling import made
from referee.standing import Phase
from referee.turns import Turn
from tests.support.virtual.played import real_game
from tests.support.virtual.taken_up import SIZE, Laid, Resumed, adjourned_text, another_look, with_mistakes

FEWEST, MOST_STONES, MOST_MISTAKES, GAMES = 20, 250, 5, 400


@dataclass(frozen=True)
class Outcome:
    """missed, invented: points. lids_wrong: a prisoner is missing; lids_told: once the board is right, the box asks for
    one, or
    asks the players to count. stopped: no clock started while something was wrong; goes_on: once it was mended."""

    stones: int
    mistakes: int
    missed: int
    invented: int
    lids_wrong: bool
    lids_told: bool
    stopped: bool
    goes_on: bool

    @property
    def right(self) -> bool:
        """All of it."""
        told = self.lids_told is self.lids_wrong
        return not (self.missed or self.invented) and told and self.stopped and self.goes_on


def broken_off(number: int) -> Sequence[Turn]:
    """The turns of one of the real games, up to a number of stones drawn by lot."""
    chance = random.Random(f"adjourned {number}")
    wanted = chance.randint(FEWEST, MOST_STONES)
    while True:
        turns = real_game(chance.randrange(GAMES), 400)
        record = Setup(rule_set("japanese")).sized(SIZE).record()
        for turn in turns:
            after = made(record, turn).after
            if after is None or _stones(record) == wanted:
                break
            record = after
        if _stones(record) == wanted:
            return record.turns


def _stones(record: GameRecord) -> int:
    return record.position.occupied.bit_count()


def taken_up(number: int, folder: Path) -> Outcome:
    """One game, adjourned and taken up."""
    chance = random.Random(f"put back {number}")
    text = adjourned_text(folder / "first", broken_off(number))
    second = Resumed(folder / "second", another_look(number), text, chance.randint(1, 2))
    record = second.sealed.record
    laid = with_mistakes(record.position, record.bowls, chance.randint(0, MOST_MISTAKES), chance)
    second.lay(laid)
    asked = second.asked
    second.press(1)
    second.press(2)
    stopped = not laid.wrong or (second.box.showing.phase is Phase.START and not second.runs)
    lids_told = False
    if laid.lids:
        second.lay(Laid(record.position, laid.bowls))
        lids_told = second.asks_for_prisoners
    second.lay(Laid(record.position, record.bowls))
    second.press(1)
    second.press(2)
    return Outcome(
        _stones(record),
        len(laid.wrong),
        len(laid.wrong - asked),
        len(asked - laid.wrong),
        laid.lids,
        lids_told,
        stopped,
        second.box.showing.phase is Phase.PLAY and second.runs,
    )
