"""A table for tests: a true board and true lids that are changed by hand, looked at, and pressed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.board import Colour, Position
from referee.bowls import Bowls, bowls_of
from referee.diagram import position_of
from referee.events import (
    Agree,
    AgreeVoid,
    Amend,
    Button,
    Disagree,
    LidSight,
    Named,
    Pressed,
    Propose,
    SourceEnded,
)
from referee.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.ruling import Ruling, Status
from referee.table.book import mask_of
from referee.table.referee import Manner, Referee
from referee.time.controls import read_control
from referee.time.steps import Act, Answer, Step
from referee.turns import Pass
from tests.support.play import turn_of
from tests.support.referee.looks import lids_of, look

B, W = Colour.BLACK, Colour.WHITE
ATARI = (".....", "..X..", ".XO..", "..X..", "....O")
"""Black takes C3 by playing D3."""
DRAWN = {"bowls": {"B": {"W": 2}, "W": {}}, "ultimate": W, "black_side": 1}
"""Black may declare a draw: White's bowl holds the ultimate stone alone."""
MANNERS = pytest.mark.parametrize("refereed", [True, False], ids=["refereed", "recorded"])


class Table:
    """Black sits at side 1. `put`, `lift` and `lid` move stones; `look`, `done` and `call` tell the referee."""

    def __init__(
        self,
        rows: Sequence[str] = ("....",) * 4,
        *,
        rules: str = "ultimate",
        refereed: bool = False,
        to_play: Colour = B,
        bowls: dict[str, dict[str, int]] | None = None,
        ultimate: Colour | None = None,
        komi: float | None = None,
        handicap: int = 0,
        black_side: int | None = None,
        control: str | None = None,
        **how: bool,
    ) -> None:
        start = bowls_of(bowls) if bowls is not None else None
        start = start.with_ultimate(ultimate) if start is not None and ultimate is not None else start
        setup = Setup(rule_set(rules), to_play=to_play, board=tuple(rows), bowls=start, komi=komi, handicap=handicap)
        self.control = read_control(control) if control is not None else None
        self.referee = Referee(setup.record(), Manner(refereed, black_side, control=self.control, **how))
        self.board = self.referee.record.position.board
        self.position: Position = position_of(rows)
        self.lids: Bowls = self.referee.record.bowls
        self.seen_lids: tuple[LidSight, ...] | None = None
        self.t = 0.0

    def put(self, colour: Colour, *points: str) -> Table:
        for name in points:
            self.position = self.position.put(colour, 1 << self.board.point(name))
        return self

    def lift(self, *points: str) -> Table:
        for name in points:
            self.position = self.position.without(1 << self.board.point(name))
        return self

    def lid(self, owner: Colour, colour: Colour, change: int) -> Table:
        """Stones into (or out of) a lid; an ultimate stone is counted like any other here."""
        self.lids = self.lids.moved(owner, colour, change)
        return self

    def wait(self, seconds: float) -> Table:
        """Time passes, and nobody does anything."""
        self.t += seconds
        return self

    def look(self) -> tuple[Ruling, ...]:
        self.t += 1
        lids = lids_of(self.lids) if self.seen_lids is None else self.seen_lids
        return self.referee.receive(look(self.position, self.t, lids))

    def press(self, colour: Colour, button: Button, held: bool = False) -> tuple[Ruling, ...]:
        self.t += 1
        return self.referee.receive(Pressed(self.t, 1 if colour is B else 2, button, held))

    def done(self, colour: Colour) -> tuple[Ruling, ...]:
        """Press `done`, then look."""
        return self.press(colour, Button.DONE) + self.look()

    def call(self, colour: Colour) -> tuple[Ruling, ...]:
        """Press `call`, then look."""
        return self.press(colour, Button.CALL) + self.look()

    def play(self, *texts: str) -> Table:
        """Make these turns ("B C3", "W delay", "B pass") as they should be made; each is legal."""
        for text in texts:
            turn = turn_of(text, self.board)
            after = judge(self.referee.record, turn).after
            assert after is not None, text
            self.position, self.lids = after.position, after.bowls
            if isinstance(turn, Pass):
                self.press(turn.player, Button.CALL)
            (ruling,) = self.done(turn.player)
            assert ruling.status is Status.LEGAL, ruling
        return self

    def say(self, word: type[Propose | Amend | Agree | Disagree | AgreeVoid], by: Colour | None, *named: Named) -> str:
        """A player, or the director, says this; the answer's text, whatever kind it is."""
        self.t += 1
        said = self.referee.receive(word(self.t, by, *named))  # type: ignore[arg-type]
        return said[-1].text if said else self.referee.answers[-1].text

    def act(self, act: Act, by: Colour | None = None, **more: object) -> Answer:
        """A player, or the director, does this about time; the answer to it."""
        self.t += 1
        self.referee.receive(Step(self.t, act, by, **more))  # type: ignore[arg-type]
        answer = self.referee.answers[-1]
        assert isinstance(answer, Answer)
        return answer

    def due(self) -> None:
        """Time has come to now, whatever follows from it."""
        self.t += 1
        self.referee.receive(Step(self.t, Act.DUE))

    def dead(self, *points: str) -> Named:
        return Named(mask_of(self.board.point(name) for name in points))

    @property
    def spent(self) -> tuple[float, ...]:
        """Seconds that Black and White have spent, as the clocks show it."""
        clocks = self.referee.snapshot.clocks
        assert clocks is not None
        return tuple(face.spent / 1000 for face in clocks.faces)

    @property
    def running(self) -> Colour | None:
        clocks = self.referee.snapshot.clocks
        assert clocks is not None
        return clocks.running

    def end(self) -> tuple[Ruling, ...]:
        self.t += 1
        return self.referee.receive(SourceEnded(self.t))

    def names(self, ruling: Ruling) -> list[str]:
        return [self.board.name(point) for point in ruling.points]


def begun(rows: tuple[str, ...] = ATARI, refereed: bool = True, **start: object) -> Table:
    """A table that was seen as it starts, with nothing to say about it."""
    table = Table(rows, refereed=refereed, **start)  # type: ignore[arg-type]
    assert table.look() == ()
    return table


def turn(table: Table, colour: Colour, refereed: bool) -> Ruling:
    """The one ruling about what was done since."""
    rulings = table.done(colour) if refereed else table.look()
    assert len(rulings) == 1, rulings
    return rulings[0]
