"""Faults in shinpan itself: none ends a thread unseen, the game goes on, and page, lamp and log tell it."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest

from device.files import log_to_file
from device.journal.replay import replay_journal
from device.match.record_writer import RecordWriter
from device.panel.panel import NoPanel
from device.panel.rim_driver import BadRim
from device.panel.signals import Signal, signal_of
from device.settings import settings_of
from device.table.bootstrap import Application
from device.table.controller import PASSES
from device.table.event_loop import MOST_FAILURES, REST, Stopped
from device.threads import log_failures_of_threads
from referee.game.board import Colour
from referee.game.messages import Message, message, plain_message
from referee.game.observation import Observation
from referee.table.events import Event, Remark
from referee.table.lamps import Light, Tone
from referee.table.table import Table
from tests.support.device.directed import DirectedTable
from tests.support.device.player import Player
from tests.support.waiting import until
from tests.support.wording import english

B, W = Colour.BLACK, Colour.WHITE
RED = Light(Tone.RED, pulse=True)
LOOKS = 30
"""So many looks fail, a second apart."""


class InjectedFault:
    """Something in shinpan that fails so many times, halfway, on what is new after a time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kind: type[Event], since: float, times: int = 1) -> None:
        self.left, receive = times, Table.receive

        def broken(table: Table, event: Event) -> object:
            if isinstance(event, kind) and event.t > since and self.left:
                self.left -= 1
                table._begun, table._pause = False, None
                raise RuntimeError("nobody thought of that")
            return receive(table, event)

        monkeypatch.setattr(Table, "receive", broken)


@pytest.fixture
def table(tmp_path: Path):
    table = DirectedTable(tmp_path, "chinese")
    yield table
    table.close()


def test_a_look_that_cannot_be_judged_is_told_and_the_game_goes_on(table, monkeypatch, caplog):
    table.act("enter", player="B", turn="place", point="C3", why="x")
    before = table.now.game
    InjectedFault(monkeypatch, Observation, table.t)
    table.put(B, "C3").put(W, "D4").look()
    assert message("fault.look") in table.now.faults and signal_of(table.now).table == RED
    assert "nobody thought of that" in caplog.text and not table.event_loop.failed.is_set()
    assert table.now.game.turn == before.turn == 1 and not table.now.paused
    table.t += REST
    table.lift("D4").look()
    assert table.now.faults == () and replay_journal(table.journals[-1]).differs is None


def test_failing_looks_never_stop_the_box(table, monkeypatch):
    broken = InjectedFault(monkeypatch, Observation, table.t, times=1000)
    for number in range(LOOKS):
        (table.lift("C3") if number % 2 else table.put(B, "C3")).look()
    assert not table.event_loop.failed.is_set() and message("fault.look") in table.now.faults
    assert 1000 - broken.left <= LOOKS / REST + 1, "one that fails is not tried again at once"
    table.act("enter", player="B", turn="place", point="C3", why="x")
    assert table.now.game.turn == 1
    assert replay_journal(table.journals[-1]).differs is None


def test_what_is_said_and_cannot_be_heard_is_told_for_a_while(table, monkeypatch):
    InjectedFault(monkeypatch, Remark, table.t)
    assert table.refused("remark", why="lunch is at one").startswith("This is a fault in shinpan")
    table.event_loop.settle()
    assert table.now.faults == (message("fault.act"),) and not table.now.paused
    assert all("lunch" not in str(entry.body) for entry in table.entries)
    table.act("remark", why="lunch is at two")
    assert any("lunch is at two" in str(entry.body) for entry in table.entries)
    table.t += PASSES
    table.look()
    assert table.now.faults == ()


def test_what_fails_again_and_again_stops_the_box(table, monkeypatch):
    InjectedFault(monkeypatch, Remark, 0.0, times=MOST_FAILURES)
    table.event_loop.say(Remark(table.t, plain_message("one")))
    table.event_loop.say(Remark(table.t, plain_message("two")))
    table.event_loop.say(Remark(table.t, plain_message("three")))
    with pytest.raises(Stopped):
        table.event_loop.settle()
    assert table.event_loop.failed.is_set()


class NoLamps(NoPanel):
    """A panel whose driver fails while it is told to."""

    fails = True

    def show(self, signal: Signal) -> None:
        if self.fails:
            raise OSError("the pins are gone")


def test_lamps_that_cannot_be_lit_are_told_and_the_game_goes_on(tmp_path, caplog):
    panel = NoLamps()
    player = Player(tmp_path, panel=panel).look().put(B, "C3").press(1).look()
    assert player.now.game.turn == 1 and player.now.faults == (message("fault.panel"),)
    assert caplog.text.count("OSError: the pins are gone") == 1
    panel.fails = False
    player.put(W, "D3").press(2).look()
    assert player.now.faults == ()


def test_a_record_that_cannot_be_written_is_told_and_the_game_goes_on(tmp_path, monkeypatch):
    player = Player(tmp_path).look()

    def broken(writer: RecordWriter, table: Table, seal: str = "") -> bytes:
        raise KeyError("KM")

    monkeypatch.setattr(RecordWriter, "write", broken)
    player.put(B, "C3").press(1).look()
    assert player.now.game.turn == 1 and player.now.faults == (message("fault.record"),)
    monkeypatch.undo()
    player.put(W, "D3").press(2).look()
    assert player.now.faults == ()


# Threads


def test_what_no_thread_expected_is_in_the_log_file_and_told(tmp_path, capsys):
    messages, before = list[Message](), threading.excepthook
    end = log_to_file(tmp_path / "log")
    with log_failures_of_threads(messages.append):
        thread = threading.Thread(target=lambda: 1 / 0, name="lost")
        thread.start()
        thread.join()
    end()
    assert messages == [message("fault.part", part="lost")]
    assert "ZeroDivisionError" in (tmp_path / "log").read_text() and "ZeroDivisionError" in capsys.readouterr().err
    assert threading.excepthook is before


@pytest.mark.slow
def test_any_error_in_the_log_is_a_fault_on_the_page(tmp_path):
    box = Application(
        settings_of({"page": {"port": 0}, "camera": {"source": "/dev/video99"}, "data": {"folder": str(tmp_path)}})
    )
    box.start()
    logging.getLogger("shinpan").error("something odd")
    box.event_loop.settle()
    faults = box.board.newest.faults
    box.stop()
    assert message("fault.part", part="MainThread") in faults


@pytest.mark.slow
def test_a_box_starts_though_something_lies_where_its_log_belongs(tmp_path):
    (tmp_path / "shinpan.log" / "inside").mkdir(parents=True)
    box = Application(
        settings_of({"page": {"port": 0}, "camera": {"source": "/dev/video99"}, "data": {"folder": str(tmp_path)}})
    )
    box.start()
    box.event_loop.settle()
    faults = box.board.newest.faults
    box.stop()
    assert message("fault.log", file=str(tmp_path / "shinpan.log")) in faults
    assert (tmp_path / "shinpan.log" / "inside").is_dir()


@pytest.mark.slow
def test_unreachable_rim_lights_are_one_fault(tmp_path):
    box = Application(
        settings_of(
            {
                "page": {"port": 0},
                "camera": {"source": "/dev/video99"},
                "data": {"folder": str(tmp_path)},
                "rim": {"kind": "spi", "port": "/dev/spidev98.7"},
            }
        )
    )
    box.start()
    wanted = {message("rim.away"), message("rim.library")}  # Without spidev the other.

    def is_told() -> bool:
        box.event_loop.settle()
        return bool(wanted & set(box.board.newest.faults))

    until(is_told, lambda: box.board.newest.faults)
    faults = box.board.newest.faults
    box.stop()
    assert len(wanted & set(faults)) == 1


def test_lights_that_cannot_lie_so_are_told_before_the_box_starts(tmp_path):
    settings = {"data": {"folder": str(tmp_path)}, "page": {"port": 0}, "camera": {"source": "/dev/video99"}}
    with pytest.raises(BadRim) as refused:
        Application(settings_of({**settings, "rim": {"kind": "spi", "edges": ["top", "bottom"]}}))
    assert english(refused.value).startswith("The lights of the rim must lie along two edges of the board")
