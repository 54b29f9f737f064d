"""The setup of a game: rule set, board and start. A rule set is a collection of small strategies."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.game.board import COLOURS, LARGEST_SIDE, Colour, PlacementOutcome, Position, board_of, empty_position
from referee.game.diagram import position_of
from referee.game.errors import BadSetup
from referee.game.penalties import Penalty
from referee.game.prisoners import Bowls, empty_bowls
from referee.game.record import GameRecord, RuleSet, Situation
from referee.game.regions import find_chains

LARGEST_KOMI = 1000


@dataclass(frozen=True)
class EmptyBowls:
    """Bowls that start empty; komi is points. They stay empty if captured stones go back to the supply."""

    are_prisoners_kept: bool = True

    def at_start(self, komi: float, handicap: int, players: int) -> Bowls:
        """Return bowls without prisoners."""
        return empty_bowls(players)

    def check_given(self, bowls: Bowls) -> Bowls:
        """Return the given bowls. Raise BadSetup for an ultimate stone, and for any stone if the bowls stay empty."""
        if not self.are_prisoners_kept and any(map(any, bowls.contents)):
            raise BadSetup("Under these rules captured stones go back to the supply; leave the bowls out of the start.")
        return without_ultimate(bowls)


def without_ultimate(bowls: Bowls) -> Bowls:
    """Return the bowls. Raise BadSetup if the ultimate stone lies in one of them."""
    if bowls.ultimate is not None:
        raise BadSetup("These rules have no ultimate stone; leave it out of the start.")
    return bowls


@dataclass(frozen=True)
class NoSuicide:
    """The ban on suicide: a stone without a path to an empty point is refused, whatever the size of its chain."""

    name: str = "none"
    is_single_a_pass: bool = False

    def position_after(self, outcome: PlacementOutcome) -> Position | None:
        """Return the position after the placement, None if it is illegal."""
        return None if outcome.surrounded else outcome.position


@dataclass(frozen=True)
class SelfCapture:
    """The rule that a chain left without a liberty by its own side is captured, if it has at least this many stones."""

    name: str
    least: int
    is_single_a_pass: bool = False

    def position_after(self, outcome: PlacementOutcome) -> Position | None:
        """Return the position without the chain, None if it is too small to be captured this way."""
        if not outcome.surrounded:
            return outcome.position
        enough = outcome.surrounded.bit_count() >= self.least
        return outcome.position.without_stones(outcome.surrounded) if enough else None


_FOR_TWO = ("territory", "fill-in", "pass-stones", "adjourn", "ing")
"""Scorings, endings and ko rules that make no sense for more than two players."""


@dataclass(frozen=True)
class Setup:
    """The start of a game; omitted parts are those of the rule set's own start on 19x19.

    Attributes:
        rules: the rule set.
        size: columns and rows.
        players: colour letters in the order of play.
        to_play: the first player.
        komi: the komi.
        handicap: the handicap.
        board: rows of a diagram.
        bowls: the prisoners before the first turn, komi and handicap stones included.
        penalties: the players' penalties, in a game read from a file.
    """

    rules: RuleSet
    size: tuple[int, int] | None = None
    players: str = "BW"
    to_play: Colour | None = None
    komi: float | None = None
    handicap: int = 0
    board: tuple[str, ...] | None = None
    bowls: Bowls | None = None
    penalties: tuple[Penalty, ...] = ()

    def with_size(self, cols: int, rows: int | None = None) -> Setup:
        """Return the same setup on a board with these columns and rows (square if rows are left out)."""
        return replace(self, size=(cols, cols if rows is None else rows))

    def record(self) -> GameRecord:
        """Return the game before its first turn. Raise BadSetup, in one sentence, for an impossible start."""
        self._check_players()
        komi = self._find_komi()
        position = self._build_position()
        first = self.to_play or self.rules.handicap.first_player(self.handicap, position)
        start = Situation(position, self._fill_bowls(komi), first)
        return GameRecord.begin_game(self.rules, start, komi, self.handicap, self.penalties)

    def _check_players(self) -> None:
        count = len(self.players)
        if self.players != "".join(COLOURS[:count]) or not 2 <= count <= self.rules.most_players:
            choices = " or ".join("".join(COLOURS[:n]) for n in range(2, self.rules.most_players + 1))
            raise BadSetup(f"The players of {self.rules.name} are {choices}, not {self.players!r:.20}.")
        if count > 2 and (self.komi or self.handicap):
            raise BadSetup("Komi and handicap are for two players; leave them out of a game of more.")
        rules = self.rules
        for piece in (rules.scoring.value, rules.ending.name, rules.ko.name) if count > 2 else ():
            if piece in _FOR_TWO:
                raise BadSetup(f"Only two players can use {piece}; exchange it by an option.")
        if self.to_play is not None and self.to_play.value not in self.players:
            raise BadSetup(f"{self.to_play.value} cannot be to play: the players are {self.players}.")

    def _find_komi(self) -> float:
        komi = self.rules.komi_for(self.handicap) if self.komi is None else self.komi
        if not abs(komi) <= LARGEST_KOMI:
            raise BadSetup(f"Komi must be a number from -{LARGEST_KOMI} to {LARGEST_KOMI}, not {komi!s:.20}.")
        return komi

    def _build_position(self) -> Position:
        if self.board is None:
            cols, rows = self.size or (19, 19)
            if not (1 <= cols <= LARGEST_SIDE and 1 <= rows <= LARGEST_SIDE):
                raise BadSetup(f"A board of {cols!s:.9}x{rows!s:.9} cannot be; a side has 1 to {LARGEST_SIDE} lines.")
            empty = empty_position(board_of(cols, rows), len(self.players))
            self._check_handicap(empty)
            return empty.with_stones(Colour.BLACK, self.rules.handicap.set_up(self.handicap, empty.board))
        position = position_of(self.board, len(self.players))
        drawn_size = (position.board.cols, position.board.rows)
        if self.size not in (None, drawn_size):
            raise BadSetup("The board drawn is {}x{}, which is not the size given.".format(*drawn_size))
        _check_liberties(position)
        self._check_handicap(position)
        return position

    def _check_handicap(self, position: Position) -> None:
        points = position.board.points
        if not 0 <= self.handicap <= points:
            raise BadSetup(f"A handicap of {self.handicap!s:.20} cannot be on this board; it must be 0 to {points}.")

    def _fill_bowls(self, komi: float) -> Bowls:
        at_start = self.rules.bowls.at_start(komi, self.handicap, len(self.players))
        return at_start if self.bowls is None else self.rules.bowls.check_given(self.bowls)


def _check_liberties(position: Position) -> None:
    for chain in find_chains(position, position.occupied):
        if not position.liberties_of(chain):
            names = ", ".join(position.board.names(chain)[:5])
            raise BadSetup(f"The stones at {names} have no liberty; take them off the board before the start.")
