"""Whatever players do between two looks, the record is the game that they played.

A seeded table plays games of which the truth is known: stones, passes called in time, early or twice, calls that are
given up for a stone, presses that are forgotten or made before anybody looks. The expectation is that of docs/panel.md
and docs/rulings.md, not of the code: after every look the record is a part of the truth and no turn is refused; in the
end it is the whole truth. Between two turns of one player, and before a call that was given up is answered, somebody
looks: else no picture could tell in which order the stones came.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from referee.game.board import Colour
from referee.game.ruling import Status
from referee.table.events import Button
from tests.support.referee.table import B, PlayedTable, W
from tests.support.tiers import seeds
from tests.support.wording import english

SIZE, TURNS = 9, 14
LOOK, FORGET, PASS, EARLY, GIVE_UP = 0.4, 0.15, 0.25, 0.5, 0.15
"""Chances: a look after an act, a forgotten `done`, a pass, called early, a call given up."""

Truth = tuple[Colour, str]
"""A turn that was made: its player, and the point or "pass"."""


@dataclass
class Game:
    """One game under way, with all that was done so far in words."""

    table: PlayedTable
    chance: random.Random
    truth: list[Truth] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    early: set[Colour] = field(default_factory=set)

    def press(self, player: Colour, button: Button) -> None:
        self.acts.append(f"{player} {button}")
        self._check(self.table.press(player, button))

    def put(self, player: Colour, point: str) -> None:
        self.acts.append(f"{player} {point}")
        self.table.t += 1
        self.table.put(player, point)

    def look(self) -> None:
        self.acts.append("look")
        self._check(self.table.look())
        assert self.recorded == self.truth[: len(self.recorded)], ", ".join(self.acts)

    def maybe_look(self) -> None:
        if self.chance.random() < LOOK:
            self.look()

    def _check(self, rulings: object) -> None:
        wrong = [english(one) for one in rulings if one.status in (Status.ILLEGAL, Status.UNEXPLAINED)]  # type: ignore[attr-defined]
        assert not wrong, f"{wrong} after {', '.join(self.acts)}"

    @property
    def recorded(self) -> list[Truth]:
        turns = [
            record.turn
            for record in reversed(list(self.table.referee.record.iterate_back()))
            if record.turn is not None
        ]
        board = self.table.board
        return [(one.player, board.name(one.point) if hasattr(one, "point") else "pass") for one in turns]


def quiet_points(chance: random.Random, table: PlayedTable) -> Iterator[str]:
    """Yield points of which no two are neighbours, so that nothing is ever captured."""
    points = [row * SIZE + column for row in range(SIZE) for column in range(SIZE) if (row + column) % 2 == 0]
    chance.shuffle(points)
    return (table.board.name(point) for point in points)


def play_turn(game: Game, player: Colour, point: str, passes: bool, forgets: bool) -> None:
    """Make one turn: a pass or a stone, and the press that closes it, unless it is forgotten."""
    other, gives_up = W if player is B else B, False
    if any(one is player for one, _ in game.truth[len(game.recorded) :]):
        game.look()
    if passes:
        if player not in game.early:
            game.press(player, Button.CALL)
        game.truth.append((player, "pass"))
    else:
        gives_up = player in game.early or game.chance.random() < GIVE_UP
        if gives_up and player not in game.early:
            game.press(player, Button.CALL)
            game.maybe_look()
        game.put(player, point)
        game.truth.append((player, point))
    game.early.discard(player)
    game.maybe_look()
    is_settled = all(one is not other for one, _ in game.truth[len(game.recorded) :])
    if game.chance.random() < PASS * EARLY and other not in game.early and is_settled:
        game.press(other, Button.CALL)
        game.early.add(other)
        game.maybe_look()
    if not forgets:
        game.press(player, Button.DONE)
        game.maybe_look()
    if gives_up:
        game.look()


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga"])
@pytest.mark.parametrize("seed", seeds(12, 400))
def test_the_record_is_the_game_that_was_played(rules: str, seed: int) -> None:
    chance = random.Random(f"{rules} {seed}")
    table = PlayedTable((("." * SIZE),) * SIZE, rules=rules, refereed=True, black_side=1)
    table.look()
    game, points = Game(table, chance), quiet_points(chance, table)
    player, forgot, passed = B, False, False
    for number in range(TURNS):
        passes = not passed and (player in game.early or chance.random() < PASS)
        forgets = not forgot and not passes and number < TURNS - 1 and chance.random() < FORGET
        play_turn(game, player, next(points), passes, forgets)
        player, forgot, passed = (W if player is B else B), forgets, passes
    game.look()
    assert game.recorded == game.truth, ", ".join(game.acts)
