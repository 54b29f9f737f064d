"""The event loop of a running box: one queue, and one thread that owns the match, its journal and the panel."""

from __future__ import annotations

from pathlib import Path

from device.journal.store import read_journal
from device.panel.panel import Edge
from device.table.controller import TableController
from device.table.event_loop import EventLoop
from referee.table.events import AgreeVoid, Button
from referee.time.steps import Act, Step
from tests.support.device.player import Player
from tests.support.table import B, W
from tests.support.wording import english


def begin_timed(folder: Path, control: str = "1m", **how: object) -> Player:
    """A Chinese game with clocks, Black's clock running."""
    player = Player(folder, rules="chinese", control=control, **how).look().press(2)
    assert player.clocks.running_player is B
    return player


def test_a_short_press_is_no_hold_while_the_box_is_busy(tmp_path):
    """Its end waits in the queue while a look is judged for three seconds: a hold of CALL would be a resignation."""
    now = 10.0
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    loop = EventLoop(lambda: now)

    def judge_for_long(box: TableController) -> None:
        nonlocal now
        now = 13.2
        loop.queue_edge(Edge(2, Button.CALL, False, 10.15))

    loop.queue_edge(Edge(2, Button.CALL, True, 10.0))
    loop._queue.put(judge_for_long)
    for _ in range(3):
        loop._run_round(player.box)
    assert not [entry for entry in read_journal(player.journal) if entry.body.get("held")]
    assert read_journal(player.journal)[-1].body["button"] == "call"


def test_a_running_box_hears_what_is_said_on_the_page(tmp_path):
    player = begin_timed(tmp_path)
    running = EventLoop(lambda: player.t)
    running.start(player.box)
    running.say(Step(player.t, Act.PAUSE, B))
    running.say(AgreeVoid(player.t, W))
    running.settle()
    running.stop()
    assert player.now.paused and "long cycle" in english(player.now.notice)
