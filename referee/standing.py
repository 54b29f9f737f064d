"""What lamps and page show at one moment, and how the table stands: decided here, once, for all of them.

A table is in one State: the first in STATES that holds. With it comes a Task for the players it concerns, and one for
the others. Lamps (referee.lamps), the page's headline and cards, and `/status.json` are tables keyed by these two;
docs/panel.md says what each state means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal

from referee.authors import By
from referee.board import COLOURS, Colour, Position
from referee.messages import Message
from referee.occasion import NO_OCCASION, Occasion
from referee.ruling import Ruling, Status
from referee.snapshot import Snapshot


class Phase(StrEnum):
    """Where a match stands.

    start: the start check, nothing has been played. play: turns are judged. result: the game has ended and both
    players are asked to agree to its result. final: both have agreed.
    """

    START = "start"
    PLAY = "play"
    RESULT = "result"
    FINAL = "final"


class Sight(StrEnum):
    """What the camera gives.

    none: there is no camera. lost: it gives no pictures any more. searching: no board has been found in them.
    unshown: the board has been found, and the players' stones have yet to be shown. covered: the board is covered, or
    something moves. seen: the table is seen.
    """

    NONE = "none"
    LOST = "lost"
    SEARCHING = "searching"
    UNSHOWN = "unshown"
    COVERED = "covered"
    SEEN = "seen"


@dataclass(frozen=True)
class Paused:
    """A pause. by: who paused; why: what the director said of it; since: seconds on the box's clock; adjourned: it is
    until another day."""

    by: By
    why: str
    since: float
    adjourned: bool = False


@dataclass(frozen=True)
class Final:
    """A result that both agreed to. game: the name under which its match is kept. result: as in SGF. seal: stands for
    what the journal held then."""

    game: str
    result: str
    names: tuple[str, ...] = ("", "")
    occasion: Occasion = NO_OCCASION
    seal: str = ""


@dataclass(frozen=True)
class Showing:
    """The game and the table as lamps and page show them; equal to another that shows the same at another time.

    number: grows with every change. t: seconds on the box's clock, when it came to be. refereed: `done` closes turns.
    trouble: the finding that still has to be put right. waiting: sides whose press waits for a look at the table, the
    first to press first.
    resigning: sides that held `call` and have not confirmed yet. agreed: sides that agreed to the result.
    called: the director has been called. notice: what the box has to say about the newest press or itself, if anything.
    faults: what the box lacks (no camera, no lamps). names: Black's and White's, if given. unable: with these faults
    nothing that lies on the table can be judged. seal: stands for all that the journal holds, once there is a result;
    kept: the name under which the record is kept, then. blind: the one of the faults for which the camera is lost, or
    what is to be shown to it. occasion: what the game is part of. seen: the board as the camera last agreed on it, None
    before it has. passing:
    sides that called a pass, and have to press done. pause: who paused the game, while it is. match: the name under
    which its journal is kept, "" before there is one. finals: of matches before this one, the oldest first.
    asks: what the players are asked to do while the box is rehearsed. certified: for what it was certified today; None
    where nobody says.
    """

    number: int = field(compare=False)
    t: float = field(compare=False)
    game: Snapshot
    refereed: bool
    phase: Phase
    sight: Sight
    trouble: Ruling | None = None
    waiting: tuple[int, ...] = ()
    resigning: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    paused: bool = False
    called: bool = False
    notice: Message | None = None
    faults: tuple[Message, ...] = ()
    names: tuple[str, ...] = ("", "")
    unable: bool = False
    seal: str = ""
    kept: str = ""
    blind: Message | None = None
    occasion: Occasion = NO_OCCASION
    seen: Position | None = None
    passing: tuple[int, ...] = ()
    pause: Paused | None = None
    match: str = ""
    finals: tuple[Final, ...] = ()
    asks: Message | None = None
    certified: Message | None = None

    @property
    def taken_up(self) -> bool:
        """Whether an adjourned game is being put back on the table."""
        return self.phase is Phase.START and self.game.turn > 0

    @property
    def players(self) -> tuple[Colour, ...]:
        """Who plays, in the order of play."""
        return COLOURS[: len(self.game.position.stones)]

    @cached_property
    def standing(self) -> Standing:
        """How the table stands."""
        return _standing(self)


class State(StrEnum):
    """How the table stands."""

    RESIGNING = "resigning"
    CALLED = "called"
    FINAL = "final"
    PAUSED = "paused"
    RESULT = "result"
    RESTORED = "restored"
    CLAIM = "claim"
    LOST = "lost"
    SEARCHING = "searching"
    UNSHOWN = "unshown"
    WAITING = "waiting"
    COUNT = "count"
    UNCOUNTED = "uncounted"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"
    CHECKING = "checking"
    UNFINISHED = "unfinished"
    PLACES = "places"
    TURN = "turn"


class Task(StrEnum):
    """What a player has to do, or has done, in a state."""

    CONFIRM = "confirm"
    DIRECTOR = "director"
    AGREES = "agrees"
    WAIT = "wait"
    ASKED = "asked"
    PROPOSED = "proposed"
    GO_ON = "go-on"
    CLAIM = "claim"
    FALLEN = "fallen"
    PRESSED = "pressed"
    LIFT = "lift"
    AGAIN = "again"
    NOT_NEXT = "not-next"
    PUT_RIGHT = "put-right"
    CHECK = "check"
    FINISH = "finish"
    BEGIN = "begin"
    PLAY = "play"
    PRISONERS = "prisoners"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Concerned:
    """Whom a state concerns: sides of the table, and players.

    Both sides stand for a player whose side is not known; a side where nobody is known to sit stands for no player.
    """

    sides: tuple[int, ...]
    players: tuple[Colour, ...]


NOBODY = Concerned((), ())


@dataclass(frozen=True)
class Standing:
    """How the table stands. task: of those concerned; other: of the others. reminded: who has nothing to do but to put
    captured stones into their lid."""

    state: State
    concerned: Concerned
    task: Task
    other: Task
    reminded: Concerned = NOBODY

    def task_of(self, player: Colour) -> Task:
        """What this player has to do."""
        return self._task(player in self.concerned.players, player in self.reminded.players)

    def task_at(self, side: int) -> Task:
        """What who sits at this side has to do."""
        return self._task(side in self.concerned.sides, side in self.reminded.sides)

    def _task(self, concerned: bool, reminded: bool) -> Task:
        task = self.task if concerned else self.other
        return Task.PRISONERS if reminded and task is Task.NOTHING else task


Holds = Callable[[Showing], Concerned | Literal[False] | None]
"""Whom a state concerns that holds; nobody where it does not hold."""


@dataclass(frozen=True)
class Row:
    """A state. task: of those it concerns, None where all have to do what they would without it; other: of the rest."""

    state: State
    holds: Holds
    task: Task | None
    other: Task = Task.NOTHING


def _everybody(now: Showing) -> Concerned:
    return Concerned(now.game.sides, now.players)


def _players(now: Showing, *players: Colour) -> Concerned | None:
    sides = tuple(side for side in now.game.sides if now.game.at_side(side) in (None, *players))
    return Concerned(sides, players) if players else None


def _at(now: Showing, *sides: int) -> Concerned | None:
    if now.game.black_side is None and sides == now.game.sides:
        return _everybody(now)
    players = tuple(player for player in map(now.game.at_side, sides) if player is not None)
    return Concerned(sides, players) if sides else None


def _to_agree(now: Showing) -> Concerned | None:
    return _at(now, *(side for side in now.game.sides if side not in now.agreed))


def _not_ready(now: Showing) -> Concerned | None:
    """After a power cut, and when an adjourned game lies there again; a count that is proposed is answered first, for
    no clock runs meanwhile."""
    clocks, asked = now.game.clocks, now.game.counting.waits_for is not None
    if now.taken_up or clocks is None or not clocks.restored or now.game.ended or asked:
        return None
    return _players(now, *(face.player for face in clocks.faces if face.player not in clocks.ready))


def _claimants(now: Showing) -> Concerned | None:
    clocks = now.game.clocks
    return None if clocks is None or now.game.result is not None else _players(now, *clocks.may_claim)


def _judged_first(now: Showing) -> Concerned | None:
    """Of those who pressed the one whose turn is judged first."""
    either_scores = now.game.ended or len(now.game.counting.may_propose) > 1
    mover = None if either_scores else now.game.side_of(now.game.to_play)
    return _at(now, *((mover,) if mover is not None and mover in now.waiting else now.waiting[:1]))


def _asked(now: Showing) -> Concerned | None:
    waits_for = now.game.counting.waits_for
    return None if waits_for is None else _players(now, waits_for)


def _found(now: Showing, status: Status) -> Concerned | None:
    """Who has to put it right: who made the turn, else both; and both where no turn explains it."""
    trouble = now.trouble
    if trouble is None or trouble.status is not status:
        return None
    player = None if status is Status.UNEXPLAINED else trouble.player
    return _everybody(now) if player is None else _players(now, player)


STATES = (
    # First of all: who holds `call` must know that `done` resigns now, whatever else holds.
    Row(State.RESIGNING, lambda now: _at(now, *now.resigning[:1]), Task.CONFIRM, Task.WAIT),
    Row(State.CALLED, lambda now: now.called and _everybody(now), Task.DIRECTOR),
    Row(State.FINAL, lambda now: now.phase is Phase.FINAL and _everybody(now), Task.AGREES),
    Row(State.PAUSED, lambda now: now.paused and _everybody(now), Task.WAIT),
    Row(State.RESULT, lambda now: now.game.result is not None and _to_agree(now), Task.ASKED, Task.AGREES),
    Row(State.RESTORED, _not_ready, Task.GO_ON, Task.WAIT),
    Row(State.CLAIM, _claimants, Task.CLAIM, Task.FALLEN),
    # All that follows needs the camera.
    Row(State.LOST, lambda now: now.sight is Sight.LOST and _everybody(now), None),
    Row(State.SEARCHING, lambda now: now.sight is Sight.SEARCHING and _everybody(now), None),
    Row(State.UNSHOWN, lambda now: now.sight is Sight.UNSHOWN and _everybody(now), Task.CHECK),
    # The look that a press waits for may change all that follows.
    Row(State.WAITING, _judged_first, Task.PRESSED),
    Row(State.COUNT, _asked, Task.ASKED, Task.PROPOSED),
    Row(State.UNCOUNTED, lambda now: now.game.ended and _everybody(now), Task.LIFT),
    Row(State.ILLEGAL, lambda now: _found(now, Status.ILLEGAL), Task.AGAIN),
    Row(State.UNEXPLAINED, lambda now: _found(now, Status.UNEXPLAINED), Task.PUT_RIGHT),
    Row(State.CHECKING, lambda now: now.phase is Phase.START and _everybody(now), Task.CHECK),
    Row(State.UNFINISHED, lambda now: _found(now, Status.UNFINISHED), Task.FINISH),
    Row(State.PLACES, lambda now: _unseated(now) and _players(now, now.game.to_play), Task.BEGIN),
    Row(State.TURN, lambda now: _players(now, now.game.to_play), Task.PLAY),
)
"""Every state in order of precedence; the last one holds where no other does."""


def _unseated(now: Showing) -> bool:
    return now.game.black_side is None and now.game.turn == 0


def _standing(now: Showing) -> Standing:
    held = ((row, concerned) for row in STATES if (concerned := row.holds(now)))
    row, concerned = next(held)
    state = row.state
    while row.task is None:
        row, concerned = next(held)
    vain = row.task is Task.AGAIN and now.trouble is not None and now.trouble.is_vain_press
    task = Task.NOT_NEXT if vain else row.task
    return Standing(state, concerned, task, row.other, _players(now, *now.game.reminded) or NOBODY)
