"""The display state of the table at one moment, decided once for lamps and page.

A table is in one State: the first in STATES that holds. With it comes a Task for the players it concerns, and one for
the others. Lamps (referee.table.lamps), the page's headline and cards, and `/status.json` are tables keyed by these
two; docs/panel.md describes each state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal

from referee.game.actor import By
from referee.game.board import COLOURS, Colour, Position
from referee.game.coordinates import Coordinates
from referee.game.game_info import NO_GAME_INFO, GameInfo
from referee.game.messages import Message
from referee.game.ruling import Ruling, Status
from referee.table.snapshot import Snapshot, Stage
from referee.table.table_position import LyingStones


class Phase(StrEnum):
    """The phases of a match.

    Attributes:
        start: the start check; nothing has been played.
        play: turns are judged.
        result: the game has ended and both players are asked to agree to its result.
        final: both have agreed.
    """

    START = "start"
    PLAY = "play"
    RESULT = "result"
    FINAL = "final"


class Sight(StrEnum):
    """The states of the camera's view.

    Attributes:
        none: there is no camera.
        lost: the camera delivers no pictures any more.
        searching: no board has been found in the pictures.
        unshown: the board has been found, and the players' stones have yet to be shown.
        covered: the board is covered, or something moves.
        seen: the table is visible.
    """

    NONE = "none"
    LOST = "lost"
    SEARCHING = "searching"
    UNSHOWN = "unshown"
    COVERED = "covered"
    SEEN = "seen"


@dataclass(frozen=True)
class Paused:
    """A pause.

    Attributes:
        by: who paused.
        why: the director's reason.
        since: seconds on the box's clock.
        adjourned: the pause lasts until another day.
        unexplained: the box paused, because no turns explain the board.
    """

    by: By
    why: str
    since: float
    adjourned: bool = False
    unexplained: bool = False


@dataclass(frozen=True)
class Final:
    """A result that both players agreed to.

    Attributes:
        game: the name under which its match is stored.
        result: the result as in SGF.
        names: Black's and White's names.
        game_info: event, round, table and place.
        seal: the hash of the journal at that time.
    """

    game: str
    result: str
    names: tuple[str, ...] = ("", "")
    game_info: GameInfo = NO_GAME_INFO
    seal: str = ""


@dataclass(frozen=True)
class BoxStatus:
    """The part of a `TableSnapshot` that only the box knows.

    Attributes:
        number: grows with every change.
        t: the time of the change, in seconds on the box's clock.
        sight: the state of the camera's view.
        notice: the box's message about the newest press or itself, if any; in a snapshot the match's own comes first.
        faults: equipment that the box lacks (no camera, no lamps).
        unable: with these faults nothing on the table can be judged.
        unheard: with these faults a side's buttons have no contact.
        seal: the hash of the whole journal, once there is a result.
        archive_name: the name under which the record is stored, once there is a result.
        blind: the one of the faults for which the camera is lost, or a message that names the objects to be shown to
            it.
        match: the name under which its journal is stored, "" before there is one.
        finals: the results of earlier matches, the oldest first.
        asks: the instruction to the players during a rehearsal of the box.
        certified: the use for which the box was certified today; None if unknown.
        lying: the stones that rest on the table unexplained, from which the director may let the game go on.
        coordinates: the way intersections are named to people.
    """

    number: int = field(compare=False)
    t: float = field(compare=False)
    sight: Sight
    notice: Message | None = None
    faults: tuple[Message, ...] = ()
    unable: bool = False
    unheard: bool = False
    seal: str = ""
    archive_name: str = ""
    blind: Message | None = None
    match: str = ""
    finals: tuple[Final, ...] = ()
    asks: Message | None = None
    certified: Message | None = None
    lying: LyingStones | None = None
    coordinates: Coordinates = Coordinates.LETTERS


@dataclass(frozen=True, kw_only=True)
class TableSnapshot(BoxStatus):
    """The game and the table as lamps and page show them; equal to another with the same content at another time.

    Attributes:
        game: the game.
        refereed: `done` closes turns.
        phase: the phase of the match.
        trouble: the ruling that still has to be put right.
        waiting: sides whose press waits for an observation of the table, the first to press first.
        resigning: sides that held `call` and have not confirmed yet.
        agreed: sides that agreed to the result.
        paused: the game is paused.
        called: the director has been called.
        is_notice_granted: the notice answers an act that took effect.
        names: Black's and White's names, if given.
        game_info: event, round, table and place.
        seen_position: the board as the camera last confirmed it, None before the first time.
        passing: sides that called a pass, and have to press done.
        pause: the present pause, if any.
        taken_up: an adjourned game is being put back on the table.
        scoring: those of the waiting sides whose press was `score`.
    """

    game: Snapshot
    refereed: bool
    phase: Phase
    trouble: Ruling | None = None
    waiting: tuple[int, ...] = ()
    resigning: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    paused: bool = False
    called: bool = False
    is_notice_granted: bool = False
    names: tuple[str, ...] = ("", "")
    game_info: GameInfo = NO_GAME_INFO
    seen_position: Position | None = None
    passing: tuple[int, ...] = ()
    pause: Paused | None = None
    taken_up: bool = False
    scoring: tuple[int, ...] = ()

    @property
    def players(self) -> tuple[Colour, ...]:
        """Return the players, in the order of play."""
        return COLOURS[: len(self.game.position.stones)]

    @cached_property
    def display_state(self) -> DisplayState:
        """Return the state of the table with its tasks."""
        return _find_display_state(self)


class State(StrEnum):
    """The states of the table."""

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
    BOX_PROPOSAL = "box-proposal"
    UNCOUNTED = "uncounted"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"
    CHECKING = "checking"
    UNFINISHED = "unfinished"
    PLACES = "places"
    TURN = "turn"


class Task(StrEnum):
    """The tasks of a player in a state, open or done."""

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
    SCORED = "scored"
    JUDGE = "judge"
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
class Addressees:
    """The sides of the table and the players whom a state concerns.

    A player whose side is unknown is represented by both sides; a side with an unknown player by no player.
    """

    sides: tuple[int, ...]
    players: tuple[Colour, ...]


NOBODY = Addressees((), ())


@dataclass(frozen=True)
class DisplayState:
    """The state of the table and its tasks.

    Attributes:
        state: the state.
        concerned: the players and sides it concerns.
        task: the task of those concerned.
        other: the task of the others.
        reminded: players whose only task is to put captured stones into their lid.
    """

    state: State
    concerned: Addressees
    task: Task
    other: Task
    reminded: Addressees = NOBODY

    def task_of(self, player: Colour) -> Task:
        """Return this player's task."""
        return self._choose_task(player in self.concerned.players, player in self.reminded.players)

    def task_at(self, side: int) -> Task:
        """Return the task of the player at this side."""
        return self._choose_task(side in self.concerned.sides, side in self.reminded.sides)

    def _choose_task(self, concerned: bool, reminded: bool) -> Task:
        task = self.task if concerned else self.other
        return Task.PRISONERS if reminded and task is Task.NOTHING else task


Holds = Callable[[TableSnapshot], Addressees | Literal[False] | None]
"""A test that returns the players and sides whom the state concerns, or a false value if the state does not hold."""


@dataclass(frozen=True)
class StateRule:
    """A state with its test and tasks.

    Attributes:
        state: the state.
        holds: the test.
        task: the task of those concerned, None if all keep the task that they would have without this state.
        other: the task of the others.
    """

    state: State
    holds: Holds
    task: Task | None
    other: Task = Task.NOTHING


def _address_everybody(now: TableSnapshot) -> Addressees:
    return Addressees(now.game.sides, now.players)


def _address_players(now: TableSnapshot, *players: Colour) -> Addressees | None:
    sides = tuple(side for side in now.game.sides if now.game.at_side(side) in (None, *players))
    return Addressees(sides, players) if players else None


def _address_sides(now: TableSnapshot, *sides: int) -> Addressees | None:
    if now.game.black_side is None and sides == now.game.sides:
        return _address_everybody(now)
    players = tuple(player for player in map(now.game.at_side, sides) if player is not None)
    return Addressees(sides, players) if sides else None


def _find_not_agreed(now: TableSnapshot) -> Addressees | None:
    return _address_sides(now, *(side for side in now.game.sides if side not in now.agreed))


def _find_not_ready(now: TableSnapshot) -> Addressees | None:
    """Return the players who are not ready after a power cut, or when an adjourned game is on the table again.

    A proposed count is answered first, because no clock runs meanwhile.
    """
    clocks, is_asked = now.game.clocks, now.game.counting.waits_for is not None
    if now.taken_up or clocks is None or not clocks.restored or now.game.ended or is_asked:
        return None
    return _address_players(now, *(face.player for face in clocks.faces if face.player not in clocks.ready))


def _find_claimants(now: TableSnapshot) -> Addressees | None:
    clocks = now.game.clocks
    return None if clocks is None or now.game.result is not None else _address_players(now, *clocks.may_claim)


def _find_judged_first(now: TableSnapshot) -> Addressees | None:
    """Return, of those who pressed, the one whose turn is judged first."""
    either_scores = now.game.ended or len(now.game.counting.may_propose) > 1
    mover = None if either_scores else now.game.side_of(now.game.to_play)
    return _address_sides(now, *((mover,) if mover is not None and mover in now.waiting else now.waiting[:1]))


def _find_asked(now: TableSnapshot) -> Addressees | None:
    waits_for = now.game.counting.waits_for
    return None if waits_for is None else _address_players(now, waits_for)


def _find_box_answerers(now: TableSnapshot) -> Addressees | None:
    """Return everybody while the box proposes a count, and no player has answered it."""
    counting = now.game.counting
    is_open = now.game.ended and counting.proposal is not None and counting.stage is Stage.CLOSED
    return _address_everybody(now) if is_open else None


def _find_responsible(now: TableSnapshot, status: Status) -> Addressees | None:
    """Return those who have to put it right: the turn's player if known, else everybody."""
    trouble = now.trouble
    if trouble is None or trouble.status is not status:
        return None
    player = None if status is Status.UNEXPLAINED else trouble.player
    return _address_everybody(now) if player is None else _address_players(now, player)


def _find_first_to_sit(now: TableSnapshot) -> Addressees | None:
    is_open = now.game.black_side is None and now.game.turn == 0
    return _address_players(now, now.game.to_play) if is_open else None


STATES = (
    # First of all: a player who holds `call` must know that `done` resigns now, whatever other state holds.
    StateRule(State.RESIGNING, lambda now: _address_sides(now, *now.resigning[:1]), Task.CONFIRM, Task.WAIT),
    StateRule(State.CALLED, lambda now: now.called and _address_everybody(now), Task.DIRECTOR),
    StateRule(State.FINAL, lambda now: now.phase is Phase.FINAL and _address_everybody(now), Task.AGREES),
    StateRule(State.PAUSED, lambda now: now.paused and _address_everybody(now), Task.WAIT),
    StateRule(State.RESULT, lambda now: now.game.result is not None and _find_not_agreed(now), Task.ASKED, Task.AGREES),
    StateRule(State.RESTORED, _find_not_ready, Task.GO_ON, Task.WAIT),
    StateRule(State.CLAIM, _find_claimants, Task.CLAIM, Task.FALLEN),
    # All following states need the camera.
    StateRule(State.LOST, lambda now: now.sight is Sight.LOST and _address_everybody(now), None),
    StateRule(State.SEARCHING, lambda now: now.sight is Sight.SEARCHING and _address_everybody(now), None),
    StateRule(State.UNSHOWN, lambda now: now.sight is Sight.UNSHOWN and _address_everybody(now), Task.CHECK),
    # The observation that a press waits for may change all following states.
    StateRule(State.WAITING, _find_judged_first, Task.PRESSED),
    StateRule(State.COUNT, _find_asked, Task.ASKED, Task.PROPOSED),
    StateRule(State.BOX_PROPOSAL, _find_box_answerers, Task.JUDGE),
    StateRule(State.UNCOUNTED, lambda now: now.game.ended and _address_everybody(now), Task.LIFT),
    StateRule(State.ILLEGAL, lambda now: _find_responsible(now, Status.ILLEGAL), Task.AGAIN),
    StateRule(State.UNEXPLAINED, lambda now: _find_responsible(now, Status.UNEXPLAINED), Task.PUT_RIGHT),
    StateRule(State.CHECKING, lambda now: now.phase is Phase.START and _address_everybody(now), Task.CHECK),
    StateRule(State.UNFINISHED, lambda now: _find_responsible(now, Status.UNFINISHED), Task.FINISH),
    StateRule(State.PLACES, _find_first_to_sit, Task.BEGIN),
    StateRule(State.TURN, lambda now: _address_players(now, now.game.to_play), Task.PLAY),
)
"""Every state in order of precedence; the last one holds if no other does."""


def _find_display_state(now: TableSnapshot) -> DisplayState:
    matches = ((row, concerned) for row in STATES if (concerned := row.holds(now)))
    row, concerned = next(matches)
    state = row.state
    while row.task is None:
        row, concerned = next(matches)
    task = _refine_task(row.task, now, concerned)
    return DisplayState(state, concerned, task, row.other, _address_players(now, *now.game.reminded) or NOBODY)


def _refine_task(task: Task, now: TableSnapshot, concerned: Addressees) -> Task:
    """Return the task of those concerned, by what they pressed."""
    if task is Task.AGAIN and now.trouble is not None and now.trouble.is_vain_press:
        return Task.NOT_NEXT
    if task is Task.PRESSED and set(concerned.sides) <= set(now.scoring):
        return Task.SCORED
    return task
