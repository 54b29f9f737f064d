"""A rule set is a row of small strategies; a setup says which one, on which board, from which start."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.board import COLOURS, LARGEST_SIDE, Colour, Outcome, Position, board_of, empty_position
from referee.bowls import Bowls, empty_bowls
from referee.diagram import position_of
from referee.errors import BadSetup
from referee.penalties import Penalty
from referee.record import GameRecord, RuleSet, Situation
from referee.score.regions import chains

LARGEST_KOMI = 1000


@dataclass(frozen=True)
class EmptyBowls:
    """Bowls start empty and komi is points. Where captured stones go back to the supply they stay empty."""

    keeps: bool = True

    def at_start(self, komi: float, handicap: int, players: int) -> Bowls:
        """Bowls with nothing in them."""
        return empty_bowls(players)

    def given(self, bowls: Bowls) -> Bowls:
        """As they are given; raises BadSetup for an ultimate stone, and for any where they stay empty."""
        if not self.keeps and any(map(any, bowls.contents)):
            raise BadSetup("Under these rules captured stones go back to the supply; leave the bowls out of the start.")
        return without_ultimate(bowls)


def without_ultimate(bowls: Bowls) -> Bowls:
    """The bowls; raises BadSetup where the ultimate stone lies in one of them."""
    if bowls.ultimate is not None:
        raise BadSetup("These rules have no ultimate stone; leave it out of the start.")
    return bowls


@dataclass(frozen=True)
class NoSuicide:
    """A placement whose stone has no path to an empty point is refused, however many stones it would take along."""

    name: str = "none"
    single_is_pass: bool = False

    def after(self, outcome: Outcome) -> Position | None:
        """The position the placement leaves, None where it may not be made."""
        return None if outcome.surrounded else outcome.position


@dataclass(frozen=True)
class SelfCapture:
    """A chain left without a liberty by its own side is taken off the board, if it has so many stones at the least."""

    name: str
    least: int
    single_is_pass: bool = False

    def after(self, outcome: Outcome) -> Position | None:
        """The position without the chain, None where it is too small to be captured so."""
        if not outcome.surrounded:
            return outcome.position
        enough = outcome.surrounded.bit_count() >= self.least
        return outcome.position.without(outcome.surrounded) if enough else None


_FOR_TWO = ("territory", "fill-in", "pass-stones", "adjourn", "ing")
"""Scorings, endings and ko rules that make no sense to more than two players."""


@dataclass(frozen=True)
class Setup:
    """How a game starts; what is left out is the rule set's own start on 19x19.

    size: columns and rows. players: colour letters in the order of play. board: rows of a diagram. bowls: what lies in
    them before the first turn, komi and handicap stones included. penalties: what the players of a game that is read
    have been fined.
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

    def sized(self, cols: int, rows: int | None = None) -> Setup:
        """The same setup on a board of that many columns and rows (square when rows are left out)."""
        return replace(self, size=(cols, cols if rows is None else rows))

    def record(self) -> GameRecord:
        """The game before its first turn; raises BadSetup, in one sentence, for a start that cannot be."""
        self._check_players()
        komi = self._komi()
        position = self._position()
        first = self.to_play or self.rules.handicap.first(self.handicap, position)
        start = Situation(position, self._bowls(komi), first)
        return GameRecord.opened(self.rules, start, komi, self.handicap, self.penalties)

    def _check_players(self) -> None:
        count = len(self.players)
        if self.players != "".join(COLOURS[:count]) or not 2 <= count <= self.rules.most_players:
            allowed = " or ".join("".join(COLOURS[:n]) for n in range(2, self.rules.most_players + 1))
            raise BadSetup(f"The players of {self.rules.name} are {allowed}, not {self.players!r:.20}.")
        if count > 2 and (self.komi or self.handicap):
            raise BadSetup("Komi and handicap are for two players; leave them out of a game of more.")
        rules = self.rules
        for piece in (rules.scoring.value, rules.ending.name, rules.ko.name) if count > 2 else ():
            if piece in _FOR_TWO:
                raise BadSetup(f"Only two players can use {piece}; exchange it by an option.")
        if self.to_play is not None and self.to_play.value not in self.players:
            raise BadSetup(f"{self.to_play.value} cannot be to play: the players are {self.players}.")

    def _komi(self) -> float:
        komi = self.rules.komi_for(self.handicap) if self.komi is None else self.komi
        if not abs(komi) <= LARGEST_KOMI:
            raise BadSetup(f"Komi must be a number from -{LARGEST_KOMI} to {LARGEST_KOMI}, not {komi!s:.20}.")
        return komi

    def _position(self) -> Position:
        if self.board is None:
            cols, rows = self.size or (19, 19)
            if not (1 <= cols <= LARGEST_SIDE and 1 <= rows <= LARGEST_SIDE):
                raise BadSetup(f"A board of {cols!s:.9}x{rows!s:.9} cannot be; a side has 1 to {LARGEST_SIDE} lines.")
            empty = empty_position(board_of(cols, rows), len(self.players))
            self._check_handicap(empty)
            return empty.put(Colour.BLACK, self.rules.handicap.set_up(self.handicap, empty.board))
        position = position_of(self.board, len(self.players))
        drawn = (position.board.cols, position.board.rows)
        if self.size not in (None, drawn):
            raise BadSetup("The board drawn is {}x{}, which is not the size given.".format(*drawn))
        _check_liberties(position)
        self._check_handicap(position)
        return position

    def _check_handicap(self, position: Position) -> None:
        points = position.board.points
        if not 0 <= self.handicap <= points:
            raise BadSetup(f"A handicap of {self.handicap!s:.20} cannot be on this board; it must be 0 to {points}.")

    def _bowls(self, komi: float) -> Bowls:
        at_start = self.rules.bowls.at_start(komi, self.handicap, len(self.players))
        return at_start if self.bowls is None else self.rules.bowls.given(self.bowls)


def _check_liberties(position: Position) -> None:
    for chain in chains(position, position.occupied):
        if not position.liberties(chain):
            names = ", ".join(position.board.names(chain)[:5])
            raise BadSetup(f"The stones at {names} have no liberty; take them off the board before the start.")
