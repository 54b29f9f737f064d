"""Random events, words, steps and acts of the director into a box, and what must hold whatever comes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

from device.journal.entries import as_journaled
from device.match.request_fields import KINDS
from device.panel.panel import Edge, NoPanel
from device.table.controller import TableController
from device.table.director import ACTS, TIME_ACTS, Director
from device.table.event_loop import EventLoop
from referee.game.board import Board, Colour
from referee.game.count_result import DeadStoneClaim
from referee.game.messages import plain_message
from referee.game.observation import LidSight, Observation
from referee.game.record import GameRecord
from referee.game.turns import Draw, Placement, Resign
from referee.rules.legality import judge
from referee.table.display_state import Phase, Sight, TableSnapshot
from referee.table.events import Agree, AgreeVoid, Amend, Button, Disagree, Propose, Word
from referee.time.controls import TimeLeft
from referee.time.steps import Act, Answer, Ground, Refusal, Step
from tests.support.device.player import Player
from tests.support.referee.looks import lids_of, look, noisy_look, unsure_lid
from tests.support.wording import english
from web.errors import BadAct

B, W = Colour.BLACK, Colour.WHITE
ENDING = (Act.REPORT, Act.RESIGN, Act.TURN_OFF)
"""Acts that are chosen seldom, for little can be said after them."""


def random_word(rng: random.Random, t: float, points: int) -> Word:
    """A word of any kind, about any points."""
    player = rng.choice((B, W))
    mask = sum({1 << rng.randrange(points) for _ in range(rng.choice((0, 0, 1, 3)))})
    owned = (rng.choice((0, mask)), 0)
    named = DeadStoneClaim(mask, rng.choice((0, mask)), owned, rng.choice((None, None, (3, 12))))
    kind = rng.choice((Propose, Propose, Amend, Agree, Agree, Disagree, AgreeVoid))
    if kind is AgreeVoid:
        return AgreeVoid(t, rng.choice((B, W, None)))
    if kind is Agree or kind is Disagree:
        return kind(t, player)
    return kind(t, player, named)


def random_step(rng: random.Random, t: float) -> Step:
    """A step of any kind, by anybody, about anybody."""
    by, about = rng.choice((B, W, None)), rng.choice((B, W, None))
    lefts = ((B, TimeLeft(rng.choice((5_000, 60_000)))), (W, TimeLeft(30_000))) if rng.random() < 0.6 else ()
    result = rng.choice(("B+R", "W+2.5", "0", "Void", "?", None))
    act = rng.choice((*Act, *(Act.RESUME, Act.START, Act.READY) * 3))
    act = act if act not in ENDING or rng.random() < 0.1 else Act.RESUME
    return Step(t, act, by, about, rng.choice((None, 700)), lefts, result, rng.choice(tuple(Ground)))


def random_act(rng: random.Random, board: Board) -> dict[str, object]:
    """Return an act that the director may send from the page: any, with its fields, now and then with one that it
    does not have."""
    point = board.name(rng.randrange(board.cols * board.rows))
    fields: dict[str, dict[str, object]] = {
        "set-up": {"rules": rng.choice(("ultimate", "chinese")), "size": board.cols, "control": rng.choice(CONTROLS)},
        "enter": {"player": rng.choice("BW"), "turn": rng.choice(KINDS), "point": point, "stands": rng.random() < 0.3},
        "take-back": {"turns": rng.choice((1, 1, 2, 30))},
        "exchange": {"count": rng.choice((1, 1, 2, 30))},
        "remove": {"stones": rng.choice(([], [point]))},
        "clocks": {player: {"main": rng.choice((0, 5_000, 60_000)), "periods": 1, "period": 5_000} for player in "BW"},
        "report": {"result": rng.choice(RESULTS)},
        "propose": {"player": rng.choice("BW"), "dead": rng.choice(([], [point]))},
        "agree": {"player": rng.choice("BW")},
        "disagree": {"player": rng.choice("BW")},
        "time": _time_act(rng),
        "calibrate": {"size": board.cols, "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]},
    }
    act = rng.choice([name for name in ACTS if name not in ("report", "verify") or rng.random() < 0.2])
    body = {"act": act, "why": rng.choice(("misread", "both agree", "")), **fields.get(act, {})}
    return {**body, "odd": 1} if rng.random() < 0.03 else body


CONTROLS = ("5m+2x5s", "40s+2s", "ing 2m 2x5s", "")
RESULTS = ("B+R", "W+2.5", "0", "Void", "?")


def _time_act(rng: random.Random) -> dict[str, object]:
    quiet = [act for act in TIME_ACTS if act not in ENDING or rng.random() < 0.1]
    body: dict[str, object] = {"step": rng.choice(quiet).value, "by": rng.choice("BW-"), "about": rng.choice("BW-")}
    return body | {"ground": rng.choice(tuple(Ground)).value, "ms": rng.choice((0, 700))}


class ThreadedBox:
    """A box behind its appliance: what it is told goes through the queue, and is waited for."""

    def __init__(self, box: TableController) -> None:
        self.inner, self.t, self.is_queued = box, 0.0, False
        self.event_loop = EventLoop(lambda: self.t)
        self.event_loop.start(box)
        self.director = Director(self.event_loop, lambda: self.t, lambda place: None)

    def handle_observation(self, observation: Observation) -> None:
        self.event_loop.handle_observation(observation)
        self.is_queued = True

    def take_edge(self, edge: Edge) -> None:
        self.event_loop.queue_edge(edge)
        self.is_queued = True

    def sight(self, sight: Sight, t: float, fault: str | None = None) -> None:
        self.event_loop.sight(sight, t, fault)
        self.is_queued = True

    def tick(self, t: float) -> None:
        """Time has come to t; the owner's thread finds that out by itself."""
        self.t = max(self.t, t)
        self.event_loop.sight(self.inner.snapshot.sight, t)
        self.is_queued = True
        self._settle()

    def carry_out(self, body: dict[str, object]) -> str:
        """The director's act; what was answered."""
        try:
            answer = " ".join(map(english, self.director.act(body)))
        except BadAct as error:
            answer = str(error)
        self.is_queued = True
        return answer

    def _settle(self) -> None:
        """Wait until all has been heard that was told since the last time."""
        if self.is_queued:
            self.event_loop.settle()
        self.is_queued = False
        assert not self.event_loop.failed.is_set(), "the owner's thread has stopped"

    @property
    def table(self) -> object:
        self._settle()
        return self.inner.table

    @property
    def snapshot(self) -> TableSnapshot:
        self._settle()
        return self.inner.snapshot

    def close(self) -> None:
        self.event_loop.stop()

    def resume_match(self, *args: object) -> None:
        self.inner.resume_match(*args)  # type: ignore[arg-type]


class RunningPlayer(Player):
    """The same true table before a running appliance."""

    def __init__(self, folder: Path, seed: int) -> None:
        control = (None, "2m+2x20s", "1m+5s", "ing 1m 2x20s", "1m+5/1m")[seed % 5]
        rules = ("ultimate", "chinese")[seed % 2]
        super().__init__(folder, seed % 3 != 0, rules, control=control, procedures=seed % 7 != 0, panel=NoPanel())
        self.box = ThreadedBox(self.box)  # type: ignore[assignment]

    def restarted(self) -> Self:
        """Return the table before a new box, which takes up the match from the journal."""
        super().restarted()
        self.box = ThreadedBox(self.box)  # type: ignore[assignment]
        return self


def direct(player: RunningPlayer, rng: random.Random) -> None:
    """The director does something on her page."""
    player.box.t = player.t = player.t + rng.choice((0.1, 3.0))
    answer = player.box.carry_out(random_act(rng, player.board))
    assert re.fullmatch(r"[A-Za-z][^\n]*[.)]", answer), answer


Does = Callable[[Player, random.Random], None]
"""One random event."""


def run_chaos(player: Player, rng: random.Random, events: int, more: tuple[Does, ...] = ()) -> None:
    """So many random events; raises AssertionError as soon as something is shown that the rules do not give.

    more: what else may happen, beside what people and cameras do at a table.
    """
    acts: tuple[Does, ...] = (
        place,
        place,
        place,
        _lift,
        _lid,
        _look,
        _look,
        _look,
        _look,
        _press,
        _press,
        _press,
        _edge,
        _sight,
        _give_odd_look,
        *more,
    )
    for number in range(events):
        rng.choice(acts)(player, rng)
        if number % 40 == 39 and player.box.snapshot.game.turn:
            _restart(player)
        check(player.box)
    assert_not_stuck(player)


def check(box: TableController) -> None:
    """The record is one that the rules give, and so is its result, where no director or player has said it.

    Nobody's time runs while the game is paused, over or the director is called.
    """
    record, game = box.table.record, box.table.snapshot
    assert box.snapshot.game.turn == record.number
    running = game.clocks is not None and game.clocks.running_player is not None
    assert not running or (record.result is None and not box.snapshot.paused and not box.snapshot.called)
    stated_results = {answer.result for answer in game.answers if isinstance(answer, Answer)}
    for after in record.iterate_back():
        if after.before is not None:
            assert after.turn is not None
            _check_turn(after.before, after, after.result in stated_results)
    if record.result is not None:
        is_counted = game.counting.count is not None and game.counting.count.result == record.result
        on_time = game.clocks is not None and record.result in ("B+T", "W+T")
        assert isinstance(record.turn, Draw | Resign) or is_counted or on_time or record.result in stated_results


def _check_turn(before: GameRecord, after: GameRecord, is_stated: bool) -> None:
    """A turn as the rules have it; said: its result is what a person or the clock said."""
    assert after.turn is not None
    verdict = judge(before, after.turn)
    if isinstance(after.turn, Placement) and after.turn.stood:
        return
    assert verdict.after is not None, f"{after.turn} stands in the record, but {verdict.prohibition}"
    assert verdict.after.position == after.position
    if after.result is not None and (is_stated or not isinstance(after.turn, Draw | Resign)):
        return
    assert (verdict.after.ended and not after.resumed, verdict.after.result) == (after.ended, after.result)


def assert_not_stuck(player: Player) -> None:
    """The players put the table right, end a pause, and resign: that always leads to an agreed result.

    A pause that only a matter of the clock keeps up, which the director has to settle, is ended by resigning.
    """
    box = player.box
    _let_go(player)
    for lasting in (0.15, 2.6):
        if box.snapshot.paused:
            press(player, 0, Button.PAUSE, lasting)
    assert not box.snapshot.paused or box.snapshot.game.answers[-1].refusal is Refusal.OPEN_MATTER
    if box.table.phase is Phase.FINAL:
        return
    record = box.table.record
    for name in ("first look", "second look"):
        player.t += 20
        box.handle_observation(
            as_journaled(look(record.position, player.t, lids_of(record.bowls, box.table.snapshot.black_side or 1)))
        )
        assert box.table.record.number >= record.number, name
        record = box.table.record
    if not record.ended:
        _resign(player)
    assert box.table.record.ended, "the player to move could not resign"
    for side in (1, 2, 1, 2) if box.table.record.result is None else ():
        _agree_to_count(player, side)
    if box.snapshot.paused and box.table.record.result is None:
        _resign(player)
    assert box.table.record.result is not None, "the game could not be counted, nor resigned"
    press(player, 1, Button.DONE, 0.15)
    press(player, 2, Button.DONE, 0.15)
    assert box.table.phase is Phase.FINAL


def _resign(player: Player) -> None:
    """The player to move does."""
    table = player.box.table
    mover = table.snapshot.side_of(table.record.to_play) or 1
    press(player, mover, Button.CALL, 2.6)
    press(player, mover, Button.DONE, 0.15)


def _agree_to_count(player: Player, side: int) -> None:
    """Propose that no stone is dead, or agree to it, with the board as it is in the record."""
    box, record = player.box, player.box.table.record
    if record.result is None:
        press(player, side, Button.DONE, 0.15)
        player.t += 20
        box.handle_observation(
            as_journaled(look(record.position, player.t, lids_of(record.bowls, box.table.snapshot.black_side or 1)))
        )


def _let_go(player: Player) -> None:
    """Nobody's finger is on a button any more, and what was under way is over."""
    player.t += 10
    for side in range(3):
        for button in Button:
            player.box.take_edge(Edge(side, button, False, player.t))
    player.t += 30
    player.box.tick(player.t)


def press(player: Player, side: int, button: Button, lasting: float) -> None:
    """A press so long, and some time after it."""
    player.press(side, button, lasting, before=0.5, after=0.1)


def _restart(player: Player) -> None:
    before = player.box.snapshot
    player.restarted()
    after = player.box.snapshot
    assert replace(after.game, clocks=None) == replace(before.game, clocks=None)
    assert (after.phase, after.agreed) == (before.phase, before.agreed)
    assert after.paused == before.paused or after.game.clocks is not None
    assert after.game.clocks is None or after.game.clocks.running_player is None


def place(player: Player, rng: random.Random) -> None:
    """Often a stone of who is to move, sometimes any."""
    point = rng.randrange(player.board.cols * player.board.rows)
    colour = rng.choice((player.box.table.record.to_play, rng.choice((Colour.BLACK, Colour.WHITE))))
    if not player.position.occupied >> point & 1:
        outcome = player.position.place(colour, point)
        player.position = outcome.position if rng.random() < 0.7 else player.position.with_stones(colour, 1 << point)


def _lift(player: Player, rng: random.Random) -> None:
    """Sometimes all is put back as the record has it."""
    if rng.random() < 0.5:
        record = player.box.table.record
        player.position, player.lids = record.position, record.bowls
    else:
        player.position = player.position.without_stones(1 << rng.randrange(player.board.cols * player.board.rows))


def _lid(player: Player, rng: random.Random) -> None:
    owner, colour = rng.choice(tuple(Colour)[:2]), rng.choice(tuple(Colour)[:2])
    if player.lids.count_prisoners(owner, colour) > 0 or rng.random() < 0.5:
        change = 1 if player.lids.count_prisoners(owner, colour) == 0 else rng.choice((-1, 1))
        player.lids = player.lids.change_count(owner, colour, change)


def _look(player: Player, rng: random.Random) -> None:
    player.t += rng.choice((0.1, 1.0, 30.0))
    sights: tuple[LidSight, ...] = lids_of(player.lids)
    kind = rng.random()
    if kind < 0.1:
        sights = ()
    elif kind < 0.2:
        sights = (unsure_lid((0, 4), (0, 4)), sights[1])
    observation = (
        look(player.position, player.t, sights) if kind > 0.3 else noisy_look(player.position, rng, player.t, sights)
    )
    player.box.handle_observation(as_journaled(observation))


def _press(player: Player, rng: random.Random) -> None:
    side = rng.choice((1, 2, 1, 2, 1, 2, 0))
    button = Button.PAUSE if side == 0 else rng.choice((Button.DONE, Button.DONE, Button.CALL, Button.SCORE))
    press(player, side, button, rng.choice((0.05, 0.15, 0.15, 2.5)))


def _edge(player: Player, rng: random.Random) -> None:
    """A lone edge, early, late or from the future."""
    t = player.t + rng.choice((-5.0, -0.01, 0.0, 0.01, 3.0))
    player.box.take_edge(Edge(rng.randrange(3), rng.choice(tuple(Button)), rng.random() < 0.5, t))


def _sight(player: Player, rng: random.Random) -> None:
    player.box.sight(
        rng.choice(tuple(Sight)), player.t, rng.choice((None, plain_message("The camera is gone; check its cable.")))
    )


def _give_odd_look(player: Player, rng: random.Random) -> None:
    """Looks that no camera should give: another size, nothing known, an old time."""
    nothing = Observation(player.t - 10, ((1 / 3, 1 / 3, 1 / 3),) * (player.board.cols * player.board.rows))
    other = Observation(player.t, ((0.9, 0.05, 0.05),) * 81)
    player.box.handle_observation(as_journaled(rng.choice((nothing, other))))
