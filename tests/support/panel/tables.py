"""Every table that lamps can be asked to show: each state with the sides it can concern."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from device.journal.entries import as_journaled
from referee.game.board import Colour, board_of, empty_position
from referee.game.messages import plain_message
from referee.game.observation import Observation
from referee.game.prisoners import empty_bowls
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import BoxStatus, Phase, Sight, State, TableSnapshot
from referee.table.events import BoxProposal, Button, Pressed
from referee.table.history import GameHistory
from referee.table.outcome import Outcome
from referee.table.proposed_count import proposed_count
from referee.table.snapshot import Clocks, Counting, Snapshot, Stage
from referee.table.table import Table, TableConfig
from referee.time.clock import Clock
from referee.time.clock_events import seconds_to_count
from referee.time.controls import read_control
from tests.support.play import start_game
from tests.support.table import TrueTable

# A match at a true table for tests: it is looked at and pressed, at side 1 Black.


class Hands(TrueTable):
    """Tells `handle` what a camera and buttons would."""

    def __init__(self, record: GameRecord, handle: Callable[[Observation | Pressed], Outcome]) -> None:
        super().__init__(record)
        self.handle = handle

    def look(self, after: float = 1.0) -> Outcome:
        return self.handle(as_journaled(self.observe(after)))

    def press(self, side: int, button: Button = Button.DONE, is_held: bool = False) -> Outcome:
        self.t += 1.0
        return self.handle(Pressed(self.t, side, button, is_held))

    def done(self, side: int) -> Outcome:
        """Press `done`, then look; the look's answer."""
        assert self.press(side).rulings == ()
        return self.look()


EMPTY = (".....",) * 5


def begin_match(rules: str = "ultimate", *rows: str, **start: object) -> tuple[Table, Hands]:
    """Return a refereed table with Black at side 1, before its first look, and the hands at it."""
    table = Table(start_game(rules, *(rows or EMPTY), **start), TableConfig(refereed=True, black_side=1))  # type: ignore[arg-type]
    return table, Hands(table.record, table.receive)


def snapshot_of(table: Table, hands: Hands) -> TableSnapshot:
    """Return what a table in view of its camera shows now."""
    return table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))


BLACK, WHITE = Colour.BLACK, Colour.WHITE
PAST = GameHistory(Setup(rule_set("ultimate"), size=(9, 9)).record())
GAME = Snapshot("ultimate", empty_position(board_of(9)), empty_bowls(), BLACK, 1, (), 1, False, None, PAST)
NOWHERE = replace(GAME, black_side=None)
PLAY = TableSnapshot(1, 10.0, Sight.SEEN, game=GAME, refereed=True, phase=Phase.PLAY)
START = replace(PLAY, phase=Phase.START, game=replace(GAME, turn=0))
RESULT = replace(PLAY, phase=Phase.RESULT, game=replace(GAME, ended=True, result="B+R"))


CLOCK = Clock.for_control(read_control("1m")).start(0.0)


def clocked_snapshot(snapshot: TableSnapshot = PLAY, t: float = 5.0, **changes: object) -> TableSnapshot:
    """The table with clocks, Black's running since 0, as they are at t."""
    clocks = Clocks("1m", t, CLOCK.readings_at(t), begun=True, counted=seconds_to_count(CLOCK, t))
    return replace(snapshot, game=replace(snapshot.game, clocks=replace(clocks, **changes)))  # type: ignore[arg-type]


def proposed_snapshot(waits_for: Colour | None, snapshot: TableSnapshot = PLAY) -> TableSnapshot:
    """A count is proposed, and this player has to answer."""
    counting = Counting(stage=Stage.PROPOSED, waits_for=waits_for)
    return replace(snapshot, game=replace(snapshot.game, counting=counting))


UNCOUNTED = replace(RESULT, game=replace(GAME, ended=True, result=None))


def proposed_by_box(snapshot: TableSnapshot = UNCOUNTED) -> TableSnapshot:
    """The box proposes to count an empty board."""
    record = Setup(rule_set("chinese"), size=(9, 9)).record()
    proposal = proposed_count(record, BoxProposal(1.0, record.position, 0, 0, 0))
    return replace(snapshot, game=replace(snapshot.game, counting=Counting(proposal=proposal)))


def finding(status: Status, player: Colour | None = BLACK, turn: int = 2) -> Ruling:
    return Ruling(status, turn, plain_message(f"This is {status}."), player)


def in_trouble(status: Status, player: Colour | None = BLACK, snapshot: TableSnapshot = PLAY) -> TableSnapshot:
    return replace(snapshot, trouble=finding(status, player))


def unseated_snapshot(snapshot: TableSnapshot) -> TableSnapshot:
    return replace(snapshot, game=replace(snapshot.game, black_side=None))


def state_of(snapshot: TableSnapshot) -> tuple[State, tuple[int, ...]]:
    """The state of the table, and the sides that have to do something about it."""
    return snapshot.display_state.state, snapshot.display_state.concerned.sides


UNEXPLAINED = in_trouble(Status.UNEXPLAINED)
FOUR = replace(GAME, position=empty_position(board_of(9), 4))
AT_FOUR: dict[str, tuple[State, tuple[int, ...], TableSnapshot]] = {
    "the stones are not known": (
        State.UNSHOWN,
        (1, 2, 3, 4),
        replace(START, sight=Sight.UNSHOWN, game=replace(FOUR, turn=0)),
    ),
    "the third has the turn": (State.TURN, (3,), replace(PLAY, game=replace(FOUR, to_play=Colour.RED))),
    "the third has the turn, Black at side 3": (
        State.TURN,
        (1,),
        replace(PLAY, game=replace(FOUR, to_play=Colour.RED, black_side=3)),
    ),
    "sides unknown": (State.TURN, (1, 2, 3, 4), replace(PLAY, game=replace(FOUR, black_side=None))),
}
TABLES: dict[str, tuple[State, tuple[int, ...], TableSnapshot]] = {
    "Black's turn": (State.TURN, (1,), PLAY),
    "White's turn": (State.TURN, (2,), replace(PLAY, game=replace(GAME, to_play=WHITE))),
    "Black's turn at side 2": (State.TURN, (2,), replace(PLAY, game=replace(GAME, black_side=2))),
    "a turn, sides unknown": (State.TURN, (1, 2), unseated_snapshot(PLAY)),
    "before the first move, sides unknown": (
        State.PLACES,
        (1, 2),
        replace(PLAY, game=replace(NOWHERE, turn=0)),
    ),
    "the stones are not known": (State.UNSHOWN, (1, 2), replace(START, sight=Sight.UNSHOWN)),
    "the start is not seen": (State.CHECKING, (1, 2), START),
    "the start is not seen, sides unknown": (State.CHECKING, (1, 2), unseated_snapshot(START)),
    "the start is not right": (State.CHECKING, (1, 2), in_trouble(Status.UNFINISHED, snapshot=START)),
    "refused at the start": (State.ILLEGAL, (1,), in_trouble(Status.ILLEGAL, snapshot=START)),
    "unexplained at the start": (State.UNEXPLAINED, (1, 2), in_trouble(Status.UNEXPLAINED, snapshot=START)),
    "Black is not finished": (State.UNFINISHED, (1,), in_trouble(Status.UNFINISHED)),
    "White is not finished": (State.UNFINISHED, (2,), in_trouble(Status.UNFINISHED, WHITE)),
    "nobody named is not finished": (State.UNFINISHED, (1, 2), in_trouble(Status.UNFINISHED, None)),
    "not finished, sides unknown": (State.UNFINISHED, (1, 2), unseated_snapshot(in_trouble(Status.UNFINISHED))),
    "Black is refused": (State.ILLEGAL, (1,), in_trouble(Status.ILLEGAL)),
    "White is refused": (State.ILLEGAL, (2,), in_trouble(Status.ILLEGAL, WHITE)),
    "nobody named is refused": (State.ILLEGAL, (1, 2), in_trouble(Status.ILLEGAL, None)),
    "unexplained": (State.UNEXPLAINED, (1, 2), UNEXPLAINED),
    "trouble that is none": (State.TURN, (1,), in_trouble(Status.LEGAL)),
    "Black waits for a look": (State.WAITING, (1,), replace(PLAY, waiting=(1,))),
    "White waits for a look": (State.WAITING, (2,), replace(PLAY, waiting=(2,))),
    "both wait for a look": (State.WAITING, (1,), replace(PLAY, waiting=(1, 2))),
    "both wait for a look, sides unknown": (State.WAITING, (2,), replace(unseated_snapshot(PLAY), waiting=(2, 1))),
    "Black waits, unexplained": (State.WAITING, (1,), replace(UNEXPLAINED, waiting=(1,))),
    "White waits, Black refused": (State.WAITING, (2,), replace(in_trouble(Status.ILLEGAL), waiting=(2,))),
    "Black waits at the start": (State.WAITING, (1,), replace(START, waiting=(1,))),
    "Black resigns": (State.RESIGNING, (1,), replace(PLAY, resigning=(1,))),
    "White resigns and waits": (State.RESIGNING, (2,), replace(PLAY, resigning=(2,), waiting=(2,))),
    "both resign": (State.RESIGNING, (1,), replace(PLAY, resigning=(1, 2))),
    "Black's clock runs": (State.TURN, (1,), clocked_snapshot()),
    "after a power cut": (State.RESTORED, (1, 2), clocked_snapshot(restored=True)),
    "after a power cut, White is ready": (State.RESTORED, (1,), clocked_snapshot(restored=True, ready=(WHITE,))),
    "after a power cut, White has to answer": (
        State.COUNT,
        (2,),
        clocked_snapshot(proposed_snapshot(WHITE), restored=True),
    ),
    "White may claim": (State.CLAIM, (2,), clocked_snapshot(fallen=(BLACK,))),
    "Black may claim while White resigns": (
        State.RESIGNING,
        (2,),
        clocked_snapshot(replace(PLAY, resigning=(2,)), fallen=(WHITE,)),
    ),
    "after a power cut, White resigns": (
        State.RESIGNING,
        (2,),
        clocked_snapshot(replace(PLAY, resigning=(2,)), restored=True),
    ),
    "Black resigns, unexplained": (State.RESIGNING, (1,), replace(UNEXPLAINED, resigning=(1,))),
    "Black resigns, the director is called": (State.RESIGNING, (1,), replace(PLAY, called=True, resigning=(1,))),
    "no pictures": (State.LOST, (1,), replace(PLAY, sight=Sight.LOST)),
    "no pictures of what is unexplained": (State.LOST, (1, 2), replace(UNEXPLAINED, sight=Sight.LOST)),
    "no pictures of the result": (State.RESULT, (1, 2), replace(RESULT, sight=Sight.LOST)),
    "no board": (State.SEARCHING, (1,), replace(PLAY, sight=Sight.SEARCHING)),
    "no board, White waits": (State.SEARCHING, (2,), replace(PLAY, sight=Sight.SEARCHING, waiting=(2,))),
    "no board at the start": (State.SEARCHING, (1, 2), replace(START, sight=Sight.SEARCHING)),
    "both have no time left": (State.TURN, (1,), clocked_snapshot(fallen=(BLACK, WHITE))),
    "White has to answer a proposal": (State.COUNT, (2,), proposed_snapshot(WHITE)),
    "Black has to answer an amendment": (State.COUNT, (1,), proposed_snapshot(BLACK, UNCOUNTED)),
    "White waits with an answer": (State.WAITING, (2,), replace(proposed_snapshot(WHITE), waiting=(2,))),
    "Black waits with a proposal": (State.WAITING, (1,), replace(UNCOUNTED, waiting=(1,))),
    "nothing is proposed yet": (State.UNCOUNTED, (1, 2), UNCOUNTED),
    "the box proposes a count": (State.BOX_PROPOSAL, (1, 2), proposed_by_box()),
    "nobody has agreed": (State.RESULT, (1, 2), RESULT),
    "side 1 has agreed": (State.RESULT, (2,), replace(RESULT, agreed=(1,))),
    "side 2 has agreed": (State.RESULT, (1,), replace(RESULT, agreed=(2,))),
    "a stone after the end": (State.RESULT, (1, 2), in_trouble(Status.ILLEGAL, snapshot=RESULT)),
    "final": (State.FINAL, (1, 2), replace(RESULT, phase=Phase.FINAL, agreed=(1, 2))),
    "final and paused": (State.FINAL, (1, 2), replace(RESULT, phase=Phase.FINAL, agreed=(1, 2), paused=True)),
    "paused": (State.PAUSED, (1, 2), replace(PLAY, paused=True)),
    "paused in trouble": (State.PAUSED, (1, 2), replace(UNEXPLAINED, paused=True, waiting=(1,))),
    "paused at the result": (State.PAUSED, (1, 2), replace(RESULT, paused=True)),
    "the director is called": (State.CALLED, (1, 2), replace(PLAY, paused=True, called=True)),
    "the director is called at the end": (State.CALLED, (1, 2), replace(RESULT, called=True, agreed=(1,))),
}
"""State, sides concerned and the snapshot, by a name for the test's report."""
