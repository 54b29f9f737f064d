"""A second, slow referee of ko and suicide: the whole history as a list, each rule as its text has it.

It shares no code with the referee. A board is a dict from (column, row), counted from the top left, to "B" or "W".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.oracle.game import Coordinate, Stones, has_path_to_empty, other


@dataclass
class Moment:
    """The state after a turn: the board, who is to move, and whose placement led to it ("" after a pass)."""

    stones: Stones
    to_play: str
    placed_by: str = ""


@dataclass
class SlowKoGame:
    """Two players, endless passes."""

    cols: int
    rows: int
    ko: str
    suicide: str
    history: list[Moment] = field(default_factory=lambda: [Moment({}, "B")])
    prisoners: dict[str, int] = field(default_factory=lambda: {"B": 0, "W": 0})

    @property
    def now(self) -> Moment:
        return self.history[-1]

    def placed(self, point: Coordinate) -> tuple[Stones, int, int]:
        """The board after a placement, how many of the opponent's stones it takes and how many of its own."""
        mover = self.now.to_play
        after = {**self.now.stones, point: mover}
        foes = [p for p, colour in after.items() if colour != mover and not self.lives(after, p)]
        after = {p: colour for p, colour in after.items() if p not in foes}
        own = [p for p, colour in after.items() if colour == mover and not self.lives(after, p)]
        return {p: colour for p, colour in after.items() if p not in own}, len(foes), len(own)

    def lives(self, stones: Stones, point: Coordinate) -> bool:
        return has_path_to_empty(stones, point, self.cols, self.rows)

    def refuses(self, point: Coordinate) -> str | None:
        after, _, own = self.placed(point)
        if own and (self.suicide == "none" or (self.suicide == "multi" and own == 1)):
            return "surrounded"
        if own == 1 and self.suicide == "single-is-pass":
            return None
        return self.repeats(after)

    def repeats(self, after: Stones) -> str | None:
        mover, following = self.now.to_play, other(self.now.to_play)
        if self.ko == "simple":
            two_ago = self.history[-2].stones if len(self.history) > 1 else None
            return "ko" if after == two_ago and after != self.now.stones else None
        same = [moment for moment in self.barred() if moment.stones == after]
        if self.ko in ("situational", "spight-situational"):
            same = [moment for moment in same if moment.to_play == following]
        if self.ko == "natural-situational":
            same = [moment for moment in same if moment.placed_by == mover]
        return "superko" if same else None

    def barred(self) -> list[Moment]:
        """The moments that may count: all, or those from the last pass on."""
        if not self.ko.startswith("spight"):
            return self.history
        passes = [number for number, moment in enumerate(self.history) if number and not moment.placed_by]
        return self.history[passes[-1] :] if passes else self.history

    def place(self, point: Coordinate) -> None:
        mover = self.now.to_play
        after, foes, own = self.placed(point)
        a_pass = own == 1 and self.suicide == "single-is-pass"
        self.prisoners[mover] += foes
        self.prisoners[other(mover)] += 0 if a_pass else own
        self.history.append(Moment(after, other(mover), "" if a_pass else mover))

    def pass_turn(self) -> None:
        self.history.append(Moment(self.now.stones, other(self.now.to_play)))
