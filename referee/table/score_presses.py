"""The presses of SCORE: each waits for the look that shows which stones were lifted as dead; then it is a statement."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.board import Colour, Mask
from referee.game.count_result import DeadStoneClaim
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Message, message, name_points
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.table.events import Agree, Amend, Button, Pressed, Propose
from referee.table.snapshot import Counting

LOOK_FIRST_S = 1.5
"""Seconds for which a count that the box proposes, or changes, has to be shown before a press can answer it."""


@dataclass(frozen=True)
class ScorePresses:
    """The presses that wait, in the order in which they are to be taken.

    A DONE that came after the passes that end play, before anybody had looked, is one of them.
    """

    presses: tuple[Pressed, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.presses)

    @property
    def sides(self) -> tuple[int, ...]:
        """Return the sides of all of them."""
        return tuple(press.side for press in self.presses)

    @property
    def scoring_sides(self) -> tuple[int, ...]:
        """Return the sides of those whose button was SCORE."""
        return tuple(press.side for press in self.presses if press.button is Button.SCORE)

    def before_look(self, t: float) -> tuple[Pressed, ...]:
        """Return the presses made before a look that was taken at t."""
        return tuple(press for press in self.presses if press.t < t)

    def with_press(self, press: Pressed) -> ScorePresses:
        """Return the presses with one more."""
        return ScorePresses((*self.presses, press))

    def without_side(self, side: int) -> ScorePresses:
        """Return the presses of the other sides."""
        return ScorePresses(tuple(press for press in self.presses if press.side != side))

    def without_press(self, press: Pressed) -> ScorePresses:
        """Return the presses without this one."""
        return ScorePresses(tuple(one for one in self.presses if one is not press))


def stones_lifted_as_dead(record: GameRecord, observation: Observation) -> Mask | Message | None:
    """Return the stones that are missing on the board.

    A message if something else has changed too; None if the observation is too doubtful.
    """
    look = BoardLikelihoods.from_sights(record.position.board, observation.points, players=record.players)
    if look.is_too_doubtful:
        return None
    changed = look.find_misfits(record.position)
    missing = changed & record.position.occupied & look.likeliest.empty
    if changed & ~missing:
        return message("count.lift-only", points=name_points(record.position.board, changed & ~missing))
    return missing


def proposal_or_answer(player: Colour, missing: Mask, counting: Counting, t: float) -> Propose | Amend | Agree:
    """Return the proposal, amendment or agreement of a player who pressed `score` with these stones lifted."""
    if counting.waits_for is not player:
        return Propose(t, player, DeadStoneClaim(missing))
    return Agree(t, player) if missing == counting.named.dead else Amend(t, player, DeadStoneClaim(missing))
