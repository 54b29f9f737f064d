"""The acts at a refereed table since the last settled turn, in chronological order.

No act overwrites another: a called pass is kept until its player's turn is settled, a press until it is judged. The
seating may still be undecided, so an act belongs to its side until it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from referee.game.board import Colour


class ActKind(StrEnum):
    """The kind of an act.

    DONE: a turn is closed
    CALL: a pass, or a declared draw if the rules have it
    RESIGN: the turn is a confirmed resignation
    """

    DONE = "done"
    CALL = "call"
    RESIGN = "resign"


@dataclass(frozen=True)
class TableAct:
    """One press that waits to be judged.

    over: how many turns of other players it closes too, because they may have forgotten to press
    is_laying: it was made while handicap stones were laid, and has closed nothing on the clock yet
    """

    player: Colour
    t: float
    kind: ActKind = ActKind.DONE
    over: int = 0
    is_laying: bool = False

    @property
    def turns(self) -> int:
        """Return how many turns it closes."""
        return 1 + self.over if self.is_closing else 0

    @property
    def is_closing(self) -> bool:
        """Return True if it closes its player's turn."""
        return self.kind is not ActKind.CALL


@dataclass(frozen=True)
class ClosedTurn:
    """A turn that a press has closed.

    t: when the press was made
    call: its player's `call` before that, which makes it a pass, unless a stone lies there
    forgotten: its player did not press; the next one did
    resigns: it is a resignation
    """

    player: Colour
    t: float
    call: TableAct | None
    forgotten: bool = False
    resigns: bool = False


@dataclass(frozen=True)
class TableActs:
    """The pending acts, in chronological order."""

    acts: tuple[TableAct, ...] = ()

    def __iter__(self) -> Iterator[TableAct]:
        return iter(self.acts)

    @property
    def dones(self) -> tuple[TableAct, ...]:
        """Return the presses that close turns, confirmed resignations included."""
        return tuple(act for act in self.acts if act.is_closing)

    @property
    def calls(self) -> tuple[TableAct, ...]:
        """Return the calls that no settled turn has used up."""
        return tuple(act for act in self.acts if act.kind is ActKind.CALL)

    def calls_before(self, turn: ClosedTurn) -> tuple[TableAct, ...]:
        """Return the calls that a closed turn uses up: however often its player called, it was one turn."""
        return tuple(act for act in self.calls if act.player is turn.player and act.t <= turn.t)

    def with_act(self, act: TableAct) -> TableActs:
        """Return the acts with one more, in chronological order."""
        return TableActs(tuple(sorted((*self.acts, act), key=lambda one: one.t)))

    def without_acts(self, acts: Iterable[TableAct]) -> TableActs:
        """Return the acts without these."""
        ids = list(map(id, acts))
        return TableActs(tuple(act for act in self.acts if id(act) not in ids))

    def before_look(self, t: float) -> TableActs:
        """Return the acts done before a look that was taken at t."""
        return TableActs(tuple(act for act in self.acts if act.t < t))

    def reseat_players(self, change: Callable[[Colour], Colour]) -> TableActs:
        """Return the acts after the seating was decided."""
        return TableActs(tuple(replace(act, player=change(act.player)) for act in self.acts))

    def closed_turns(self, dones: Iterable[TableAct], order: tuple[Colour, ...]) -> tuple[ClosedTurn, ...]:
        """Return the turns that these presses close, including those of players who forgot to press.

        order: the players in the order of play
        """
        closed: list[ClosedTurn] = []
        for done in dones:
            index = order.index(done.player)
            for back in range(done.over, -1, -1):
                player = order[(index - back) % len(order)]
                resigns = done.kind is ActKind.RESIGN and back == 0
                call = None if resigns else self._find_open_call(player, done, closed)
                closed.append(ClosedTurn(player, done.t, call, forgotten=back > 0, resigns=resigns))
        return tuple(closed)

    def list_readings(
        self, dones: tuple[TableAct, ...], order: tuple[Colour, ...]
    ) -> Iterator[tuple[tuple[ClosedTurn, ...], tuple[TableAct, ...]]]:
        """Yield the possible readings of these presses, the likeliest first.

        Each is a pair: the turns closed, and the presses without effect.

        1. Each press closes one turn, and the forgotten ones before it.
        2. A player whose turn another player's press closed pressed for that turn too, only later.
        3. A player pressed twice.
        4. As 2, and another player then pressed out of turn.
        """
        yield self.closed_turns(dones, order), ()
        closed, vain = self._read_late_presses(dones, order)
        if not vain:
            yield closed, ()
        pairs = zip((None, *dones), dones, strict=False)
        double = tuple(
            act for before, act in pairs if before and before.player is act.player and act.kind is ActKind.DONE
        )
        yield self.closed_turns((act for act in dones if act not in double), order), double
        if closed and vain:
            yield closed, vain

    @staticmethod
    def in_turn(dones: tuple[TableAct, ...], order: tuple[Colour, ...]) -> tuple[TableAct, ...]:
        """Return the presses that were made by the player to move at that time, if nobody forgot any."""
        acts: list[TableAct] = []
        for act in dones:
            if act.player is order[len(acts) % len(order)]:
                acts.append(replace(act, over=0))
        return tuple(acts)

    def _read_late_presses(
        self, dones: tuple[TableAct, ...], order: tuple[Colour, ...]
    ) -> tuple[tuple[ClosedTurn, ...], tuple[TableAct, ...]]:
        open_since, late = dict[Colour, float](), set[Colour]()
        closing_acts, vain = list[TableAct](), list[TableAct]()
        for done in dones:
            since = open_since.get(done.player) if done.player not in late else None
            if done.over == 0 and since is not None and not self._has_called(done.player, since, done.t):
                late.add(done.player)
                continue
            if since is not None:
                open_since[done.player] = done.t
            index = order.index(done.player)
            if (index - done.over - sum(act.turns for act in closing_acts)) % len(order):
                vain.append(done)  # With the late press it closes no turn of theirs.
                continue
            open_since |= {order[(index - back) % len(order)]: done.t for back in range(1, done.over + 1)}
            closing_acts.append(done)
        closed = self.closed_turns(closing_acts, order)
        in_time = (replace(turn, forgotten=False) if turn.player in late else turn for turn in closed)
        return tuple(in_time), tuple(vain)

    def _has_called(self, player: Colour, since: float, until: float) -> bool:
        """Return True if a player called between two presses: then the second closes that pass."""
        return any(act.player is player and since < act.t <= until for act in self.calls)

    def _find_open_call(self, player: Colour, done: TableAct, closed: list[ClosedTurn]) -> TableAct | None:
        """Return the first call of a player before a `done` that belongs to no earlier turn of theirs, whoever closed
        it."""
        press_times = [act.t for act in self.dones if act.player is player and act.t < done.t]
        last = max([*press_times, *(turn.t for turn in closed if turn.player is player)], default=float("-inf"))
        return next((act for act in self.calls if act.player is player and last <= act.t <= done.t), None)
