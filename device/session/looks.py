"""Assignment of observations to games: boards are changed, cleared, covered, and found as they were left."""

from __future__ import annotations

from dataclasses import dataclass

from device.session.doubts import Doubt
from device.session.game import EveningGame
from referee.game.board import Position
from referee.game.observation import Observation
from referee.rules.setup import Setup
from referee.table.table import TableConfig

# Chosen by hand.
UNSEEN = 60.0
"""Seconds without a steady observation of a board that are reported."""


@dataclass(frozen=True)
class EveningTerms:
    """The terms on which games are recorded.

    setup: rules, komi and handicap
    config: options of the table
    stills: whether each observation is a deliberate photograph
    """

    setup: Setup
    config: TableConfig
    stills: bool = False


class Evening:
    """The games of an evening, from the observations of its tables in order of time.

    terms: of the games
    between: doubts that belong to no game
    """

    def __init__(self, terms: EveningTerms) -> None:
        self._terms = terms
        self._all_games: list[EveningGame] = []
        self._current: EveningGame | None = None
        self._last_look_t: float | None = None
        self.between: list[Doubt] = []

    @property
    def games(self) -> list[EveningGame]:
        """Return the games in which enough was played, in the order in which they began."""
        return [game for game in self._all_games if game.is_one]

    @property
    def now(self) -> EveningGame | None:
        """Return the current game."""
        return self._current

    def handle(self, look: int, observation: Observation) -> None:
        """Handle a steady observation of the board.

        look: its number, from 0
        observation: the observation
        """
        self._mind_the_gap(look, observation.t)
        is_first = not self._all_games
        if self._current is None or self._current.size != observation.lines:
            self._enter_game(look, observation, is_first)
            return
        position = self._current.position_in(observation)
        if position is not None and self._current.is_cleared(position, observation):
            self._leave_game(observation.t)
            self._enter_game(look, observation, False)
            return
        self._current.handle(look, observation)
        if position is not None and self._current.is_astray:
            self._begin_late(self._create_game(observation.lines), position, look, observation)

    def list_lids(self, observation: Observation) -> tuple[tuple[int, int], ...]:
        """Return what the current game's record has in the lids, see `Table.list_lids`."""
        return self._current.list_lids(observation) if self._current is not None else ()

    def end(self, t: float) -> None:
        """End the evening."""
        if self._current is not None:
            self._current.close(t, is_unchanged=True)
        self._current = None

    def is_needed_for_doubt(self, look: int) -> bool:
        """Return True if this observation's picture is needed for a doubt."""
        newest = self.between[-1:]
        return any(one.look == look for one in newest) or any(
            game.doubts.needs_picture(look) for game in self._all_games[-2:]
        )

    def _mind_the_gap(self, look: int, t: float) -> None:
        before, self._last_look_t = self._last_look_t, t
        if before is not None and t - before >= UNSEEN and not self._terms.stills:
            self.between.append(Doubt(look, before, "No board was seen plainly.", t))

    def _leave_game(self, t: float) -> None:
        """End the game after the board was cleared, unless it is found again as it was left."""
        assert self._current is not None
        self._current.close(t, is_unchanged=False)
        self._current = None

    def _enter_game(self, look: int, observation: Observation, is_first: bool) -> None:
        """Handle a board without a known current game.

        look: the observation's number
        observation: the observation
        is_first: whether it is the first of all
        """
        new_game = self._create_game(observation.lines)
        position = new_game.position_in(observation)
        if position is None:
            return
        resumed_game = next(
            (
                game
                for game in reversed(self._all_games)
                if game.size == new_game.size and game.is_continued_by(position, observation)
            ),
            None,
        )
        if resumed_game is not None or is_first or not position.occupied:
            self._follow_game(resumed_game or new_game, look, observation)
        elif not self._is_left_over(position):
            self._begin_late(new_game, position, look, observation)

    def _follow_game(self, game: EveningGame, look: int, observation: Observation) -> None:
        if self._current is not None and self._current is not game:
            self._current.close(observation.t, is_unchanged=False)
        if game not in self._all_games:
            self._all_games.append(game)
        self._current = game
        game.handle(look, observation)

    def _begin_late(self, new_game: EveningGame, position: Position, look: int, observation: Observation) -> None:
        """Begin a game whose first turns, or handicap stones, were on the board when it was first seen.

        If they cannot be explained as turns, the game begins with that position. If it was no game nothing follows, and
        nothing is written.
        """
        new_game.handle(look, _clear_stones(observation))
        new_game.handle(look, observation)
        self._follow_game(
            new_game if new_game.record.position == position else self._create_game(observation.lines),
            look,
            observation,
        )

    def _is_left_over(self, position: Position) -> bool:
        """Return True if the board shows nothing but remaining stones of the game before."""
        before = next((game for game in reversed(self._all_games) if game.size == position.board.cols), None)
        if before is None:
            return False
        earlier_position = before.record.position
        return not any(position.stones_not_in(earlier_position))

    def _create_game(self, size: int) -> EveningGame:
        return EveningGame(self._terms.setup.with_size(size).record(), self._terms.config, self._terms.stills)


def _clear_stones(observation: Observation) -> Observation:
    """Return the same board without stones."""
    empty = (1.0,) + (0.0,) * (len(observation.points[0]) - 1)
    return Observation(observation.t, (empty,) * len(observation.points), observation.lids)
