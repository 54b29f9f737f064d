"""A table before a referee: what is put, lifted and pressed is told to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee.game.board import Colour, mask_of
from referee.game.count_result import DeadStoneClaim
from referee.game.diagram import position_of
from referee.game.prisoners import bowls_of
from referee.game.ruling import Ruling, Status
from referee.game.turns import Draw, Pass, Resign, Turn
from referee.rules.legality import judge, may_draw
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Agree, AgreeVoid, Amend, Button, Disagree, Pressed, Propose, SourceEnded
from referee.table.table import Table, TableConfig
from referee.time.controls import read_control
from referee.time.steps import Act, Answer, Step
from tests.support.play import turn_of
from tests.support.table import B, TrueTable, W
from tests.support.wording import english

ATARI = (".....", "..X..", ".XO..", "..X..", "....O")
"""Black takes C3 by playing D3."""
DRAWN = {"bowls": {"B": {"W": 2}, "W": {}}, "ultimate": W, "black_side": 1}
"""Black may declare a draw: White's bowl holds the ultimate stone alone."""
MANNERS = pytest.mark.parametrize("refereed", [True, False], ids=["refereed", "recorded"])


EMPTY = (".....",) * 5


class PlayedTable(TrueTable):
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
        **how: Any,
    ) -> None:
        start = bowls_of(bowls) if bowls is not None else None
        start = start.with_ultimate(ultimate) if start is not None and ultimate is not None else start
        setup = Setup(rule_set(rules), to_play=to_play, board=tuple(rows), bowls=start, komi=komi, handicap=handicap)
        self.control = read_control(control) if control is not None else None
        self.referee = Table(setup.record(), TableConfig(refereed, black_side, control=self.control, **how))
        super().__init__(self.referee.record)
        self.position = position_of(rows)

    def look(self) -> tuple[Ruling, ...]:
        return self.referee.receive(self.observe()).rulings

    def press(self, colour: Colour, button: Button, is_held: bool = False) -> tuple[Ruling, ...]:
        self.t += 1
        return self.referee.receive(Pressed(self.t, 1 if colour is B else 2, button, is_held)).rulings

    def done(self, colour: Colour) -> tuple[Ruling, ...]:
        """Press `done`, then look."""
        return self.press(colour, Button.DONE) + self.look()

    def call(self, colour: Colour) -> tuple[Ruling, ...]:
        """Press `call`, then look."""
        return self.press(colour, Button.CALL) + self.look()

    def play(self, *texts: str) -> PlayedTable:
        """Make these turns ("B C3", "W delay", "B pass", "W draw", "B resign") with their prisoners, and press what
        closes them; each is legal."""
        for text in texts:
            turn = turn_of(text, self.board)
            after = judge(self.referee.record, turn).after
            assert after is not None, text
            self.position, self.lids = after.position, after.bowls
            rulings = self._closed(turn)
            assert [ruling.status for ruling in rulings] == [Status.LEGAL], rulings
        return self

    def _closed(self, turn: Turn) -> tuple[Ruling, ...]:
        """Press what closes this turn, and look."""
        match turn:
            case Draw():
                return self.call(turn.player)
            case Resign():
                return self.press(turn.player, Button.CALL, is_held=True) + self.press(turn.player, Button.DONE)
            case Pass():
                return self.press(turn.player, Button.CALL) + self.done(turn.player)
        return self.done(turn.player)

    def say(
        self, word: type[Propose | Amend | Agree | Disagree | AgreeVoid], by: Colour | None, *named: DeadStoneClaim
    ) -> str:
        """A player, or the director, says this; the answer's text, whatever kind it is."""
        self.t += 1
        rulings = self.referee.receive(word(self.t, by, *named)).rulings  # type: ignore[arg-type]
        return english(rulings[-1]) if rulings else english(self.referee.answers[-1])

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

    def dead(self, *points: str) -> DeadStoneClaim:
        return DeadStoneClaim(mask_of(self.board.point(name) for name in points))

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
        return clocks.running_player

    def end(self) -> tuple[Ruling, ...]:
        self.t += 1
        return self.referee.receive(SourceEnded(self.t)).rulings

    def names(self, ruling: Ruling) -> list[str]:
        return [self.board.name(point) for point in ruling.points]


def begin_table(rows: tuple[str, ...] = ATARI, refereed: bool = True, **start: object) -> PlayedTable:
    """A table that was seen as it starts, with nothing to say about it but that a draw is open."""
    table = PlayedTable(rows, refereed=refereed, **start)  # type: ignore[arg-type]
    open_draw = ["The game has begun. Black may declare a draw."] if may_draw(table.referee.record) else []
    assert [english(ruling) for ruling in table.look()] == open_draw
    return table


def turn(table: PlayedTable, colour: Colour, refereed: bool) -> Ruling:
    """The one ruling about what was done since."""
    rulings = table.done(colour) if refereed else table.look()
    assert len(rulings) == 1, rulings
    return rulings[0]


def begin_seen(rows: tuple[str, ...] = EMPTY, **start: Any) -> PlayedTable:
    """Return a refereed table that has been seen as it starts."""
    table = PlayedTable(rows, refereed=True, **start)
    assert table.look() == ()
    return table


def begin_play(rules: str = "chinese", rows: tuple[str, ...] = EMPTY, **how: Any) -> PlayedTable:
    """Return a table with Black at side 1 after its first look, refereed unless that is given otherwise."""
    table = PlayedTable(rows, rules=rules, **{"refereed": True, "black_side": 1, **how})
    table.look()
    return table
