"""The undoing of the director's newest one-tap act: what reverses it, and until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.game.actor import Actor
from referee.game.messages import Message
from referee.game.turns import Placement, Resign, Settlement, SetUp, Turn
from referee.table.display_state import TableSnapshot
from referee.table.events import ChangeKomi, Decision, EnterAgreement, EnterTurn, Pause, Resume, TakeBack, Word
from referee.time.steps import Act, Step
from web.backend import UNDO_S

Event = Word | Decision | Step


@dataclass(frozen=True)
class Undo:
    """The reversal of an act.

    until: the last moment at which it may be done, in seconds.
    done: the announcement of the act.
    turn: the number of turns made just after the act; with any other the game has gone on.
    events: returns the reversing events at a time.
    """

    until: float
    done: Message
    turn: int
    events: Callable[[float], tuple[Event, ...]]

    def is_open(self, snapshot: TableSnapshot, t: float) -> bool:
        """Return True if the act can still be undone."""
        return t <= self.until and snapshot.game.turn == self.turn


def undo_of(
    then: tuple[Event, ...], done: Message, snapshot: TableSnapshot, t: float, settlements: tuple[Settlement, ...] = ()
) -> Undo | None:
    """Return what reverses this act; None if nothing does, as of what ends a game or answers a player.

    then: the act's events.
    done: its announcement.
    snapshot: the table before it.
    settlements: what the players had agreed on after the newest turn then.
    """
    turn, at_rest = snapshot.game.turn, snapshot.paused or snapshot.called
    match then:
        case (Pause(adjourned=False),) if not at_rest:
            return Undo(t + UNDO_S, done, turn, lambda at: (Resume(at),))
        case (Resume(),) if snapshot.paused and not snapshot.taken_up:
            return Undo(t + UNDO_S, done, turn, lambda at: (Pause(at),))
        case (Step(act=Act.START),):
            return Undo(t + UNDO_S, done, turn, lambda at: (Pause(at),))
        case (EnterTurn(turn=entered_turn),) if not isinstance(entered_turn, Resign):
            return Undo(t + UNDO_S, done, turn + 1, lambda at: (TakeBack(at, 1, Actor.DIRECTOR),))
        case (ChangeKomi(),):
            return Undo(t + UNDO_S, done, turn, lambda at: (ChangeKomi(at, snapshot.game.komi, Actor.DIRECTOR),))
        case (EnterAgreement(settlement=SetUp()),):
            return Undo(t + UNDO_S, done, turn, lambda at: (TakeBack(at, 0, Actor.DIRECTOR),))
        case (Pause(), EnterAgreement(settlement=SetUp())):
            resumes = not at_rest
            return Undo(t + UNDO_S, done, turn, lambda at: _undo_set_up(at, resumes))
        case (EnterAgreement(settlement=SetUp()), Resume()):
            again = (lambda at: TakeBack(at, 0, Actor.DIRECTOR)), (lambda at: Pause(at, author=Actor.BOX))
            return Undo(t + UNDO_S, done, turn, lambda at: tuple(act(at) for act in again))
        case (TakeBack(turns=1),) if turn:
            return Undo(t + UNDO_S, done, turn - 1, lambda at: _enter_again(snapshot.game.turns[-1], settlements, at))
    return None


def _undo_set_up(t: float, resumes: bool) -> tuple[Event, ...]:
    """Return what takes stones set up out of the record again, and lets the game go on that was paused for it."""
    take_back = TakeBack(t, 0, Actor.DIRECTOR)
    return (take_back, Resume(t)) if resumes else (take_back,)


def _enter_again(turn: Turn, settlements: tuple[Settlement, ...], t: float) -> tuple[Event, ...]:
    """Return the entries of a turn, and of the agreements after it."""
    stood = isinstance(turn, Placement) and turn.stood
    plain_turn = replace(turn, stood=False) if isinstance(turn, Placement) else turn
    agreements = (EnterAgreement(t, settlement, Actor.DIRECTOR) for settlement in settlements)
    return EnterTurn(t, plain_turn, stood, Actor.DIRECTOR), *agreements
