"""The thread that feeds the lights of the rim: what it sends, and what it tells of strips that cannot be reached."""

from __future__ import annotations

import threading

import pytest

from device.panel.rim import DARK, Frame
from device.panel.rim_driver import BadRim, Chain, Rim, SpiLights, open_rim
from device.panel.self_test import try_rim
from device.settings import RimSettings
from referee.game.board import board_of
from referee.game.messages import Message
from tests.support.waiting import PATIENCE_S
from tests.support.wanting import SPI, module
from tests.support.web.snapshots import begun_table, superko, take_snapshot
from tests.support.wording import english


class Bench:
    """Lights that can be pulled out, and the messages about them."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.frames: list[Frame] = []
        self.messages: list[tuple[str, Message | None]] = []
        self.broken = self.absent = False
        self.closed = 0

    def open(self) -> Bench:
        if self.absent:
            raise FileNotFoundError("/dev/spidev0.0")
        return self

    def show(self, frame: Frame) -> None:
        if self.broken:
            raise OSError("no such device")
        with self.changed:
            self.frames.append(frame)
            self.changed.notify_all()

    def close(self) -> None:
        with self.changed:
            self.closed += 1
            self.changed.notify_all()

    def tell(self, what: str, message: Message | None) -> None:
        with self.changed:
            self.messages.append((what, message))
            self.changed.notify_all()

    def comes(self, condition) -> bool:
        with self.changed:
            return self.changed.wait_for(condition, PATIENCE_S)

    def rim(self, t: float = 0.1, **settings: object) -> Rim:
        return Rim(self.open, Chain(), RimSettings("spi", **settings), self.tell, lambda: t)


def test_what_is_marked_is_lit_at_once_and_dark_when_it_is_put_right():
    bench = Bench()
    with bench.rim() as rim:
        rim.show(take_snapshot(superko()))
        assert bench.comes(lambda: bench.frames and bench.frames[-1].is_lit)
        assert bench.frames[-1].columns[2] == (51, 0, 0), "a fifth of red"
        rim.show(take_snapshot(begun_table()))
        assert bench.comes(lambda: not bench.frames[-1].is_lit)
        rim.show(take_snapshot(superko()))
        assert bench.comes(lambda: bench.frames[-1].is_lit)
    assert not bench.frames[-1].is_lit and bench.closed == 1, "dark when it is given back"
    assert bench.messages == []


def test_a_port_that_is_away_is_told_once_and_tried_again(monkeypatch):
    monkeypatch.setattr("device.panel.reconnecting.AGAIN", 0.01)
    bench = Bench()
    bench.absent = True
    with bench.rim() as rim:
        rim.show(take_snapshot(superko()))
        assert bench.comes(lambda: len(bench.messages) == 1)
        bench.absent = False
        assert bench.comes(lambda: bench.frames and bench.frames[-1].is_lit)
        bench.broken = True
        assert bench.comes(lambda: len(bench.messages) == 3)
        closed = bench.closed
        assert bench.comes(lambda: bench.closed > closed + 2), "a port that opens and takes nothing is told of once"
        bench.broken = False
        before = len(bench.frames)
        assert bench.comes(lambda: len(bench.frames) > before and bench.frames[-1].is_lit), "and shows the same again"
    sentences = [english(message) if message else None for _, message in bench.messages]
    assert sentences[0] is not None and sentences[0].startswith(
        "The lights of the rim cannot be reached. The page shows"
    )
    assert sentences == [sentences[0], None, sentences[0], None]


def test_a_board_with_more_lines_than_lights_is_told_of():
    bench = Bench()
    with Rim(bench.open, Chain(lights=(20, 20)), RimSettings("spi"), bench.tell, lambda: 0.1) as rim:
        rim.show(take_snapshot(begun_table()))
        assert bench.comes(lambda: bench.messages)
    assert "do not reach all 9 lines" in english(bench.messages[0][1])


def test_without_spidev_the_sentence_says_how_to_get_it():
    bench = Bench()

    def opened() -> Bench:
        raise ImportError("spidev")

    with Rim(opened, Chain(), RimSettings("spi"), bench.tell, lambda: 0.0):
        assert bench.comes(lambda: bench.messages)
    assert "sudo apt install python3-spidev" in english(bench.messages[0][1])


def test_spidev_itself_says_that_there_is_no_such_port():
    module("spidev", SPI)
    with pytest.raises(OSError):
        SpiLights(Chain(), "/dev/spidev98.7")


def test_nothing_is_opened_where_no_lights_are_wanted():
    assert open_rim(RimSettings(), None, lambda *args: None, lambda: 0.0) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (RimSettings("drawn"), "Only a simulated table has simulated lights."),
        (RimSettings("spi", edges=["top", "bottom"]), "share a corner"),
    ],
)
def test_lights_that_cannot_be_are_refused_in_a_sentence(settings, said):
    with pytest.raises(BadRim) as refused:
        open_rim(settings, None, lambda *said: None, lambda: 0.0)
    assert said in english(refused.value)


def test_the_trial_lights_each_line_and_each_sign_by_itself():
    bench, lines, frames = Bench(), [], []

    def wait(seconds: float) -> None:
        before = len(bench.frames)
        assert bench.comes(lambda: len(bench.frames) > before + 1)
        frames.append(bench.frames[-1])

    with bench.rim() as rim:
        try_rim(rim, board_of(9), lines.append, wait)
    lit = [tuple(light != DARK for light in (*frame.columns, *frame.rows)) for frame in frames]
    assert [one.index(True) for one in lit[:18]] == list(range(18)) and all(sum(one) == 1 for one in lit[:18])
    assert lines[:18] == [*(f"column {name}" for name in "ABCDEFGHJ"), *(f"row {n}" for n in range(9, 0, -1))]
    assert lines[18:] == ["A9 refused", "A9 to be put right", "A9 Black's", "A9 White's"]
    assert len({frame.columns[0] for frame in frames[18:]}) == 4 and all(one[0] and one[9] for one in lit[18:])
    assert not bench.frames[-1].is_lit
