"""Lamps on a strip at a serial port, which is a pseudo terminal here."""

from __future__ import annotations

import os
import threading
import tty
from contextlib import closing

import pytest

from device.panel.factory import OpenedPanel, add_lights
from device.panel.panel import NoPanel
from device.panel.signals import Signal
from device.panel.strip import Strip, colours_of, encode_adalight, machine_port
from referee.table.lamps import OFF, Light, Tone
from tests.support.waiting import PATIENCE_S
from tests.support.wanting import SERIAL, module
from tests.support.wording import english

GREEN, RED, WHITE = Light(Tone.GREEN), Light(Tone.RED), Light(Tone.WHITE, pulse=True)


def test_a_frame_has_the_head_that_controllers_look_for():
    assert encode_adalight([(1, 2, 3)] * 9) == b"Ada\x00\x08\x5d" + b"\x01\x02\x03" * 9
    assert encode_adalight([(0, 0, 0)] * 300)[:6] == b"Ada\x01\x2b\x7f"


@pytest.mark.parametrize("leds", [3, 9, 10, 300])
def test_sides_and_table_have_their_shares(leds):
    colours = colours_of(Signal((GREEN, OFF), table=RED), leds, 0.0)
    assert len(colours) == leds and list(dict.fromkeys(colours)) == [(0, 255, 0), (255, 0, 0), (0, 0, 0)]
    assert min(colours.count(colour) for colour in set(colours)) >= leds // 3
    four = colours_of(Signal((GREEN, RED, GREEN, RED), (False,) * 4), 5 * leds, 0.0)
    assert four[::leds] == [(0, 255, 0), (0, 0, 0), (255, 0, 0), (0, 255, 0), (255, 0, 0)]


def test_what_pulses_comes_and_goes():
    levels = [colours_of(Signal((WHITE, OFF)), 3, t / 20)[0][0] for t in range(21)]
    assert max(levels) == 255 and min(levels) == 0 and levels[0] == levels[20]


class Cable:
    """A controller at the end of a cable, of which the program sees a port."""

    def __init__(self):
        self.ours, self.theirs = os.openpty()
        tty.setraw(self.theirs)
        self.port = os.ttyname(self.theirs)

    def frame(self, leds):
        """The next whole frame."""
        data = b""
        while (at := data.find(b"Ada")) < 0 or len(data) < at + 6 + 3 * leds:
            data = data[max(at, 0) :] + os.read(self.ours, 4096)
        return data[at + 6 : at + 6 + 3 * leds]

    def until(self, leds, wanted):
        for _ in range(200):
            if self.frame(leds) == wanted:
                return
        raise AssertionError("it never shows")


def test_the_strip_shows_the_lamps_and_goes_dark_at_the_end():
    module("serial", SERIAL)
    cable, faults = Cable(), []
    opened = add_lights(OpenedPanel(NoPanel()), cable.port, 3, lambda *args: faults.append(args), lambda: 0.0)
    with closing(opened.panel) as panel:
        panel.show(Signal((GREEN, OFF), table=RED))
        cable.until(3, bytes((0, 255, 0, 255, 0, 0, 0, 0, 0)))
        panel.show(Signal((OFF, RED)))
        cable.until(3, bytes((0, 0, 0, 0, 0, 0, 255, 0, 0)))
        # Whoever closes waits until the last frame is sent, which has to be read meanwhile.
        last = threading.Thread(target=cable.until, args=(3, bytes(9)))
        last.start()
    last.join(PATIENCE_S)
    assert not last.is_alive() and faults == []


class Flaky:
    """A port that is there, breaks, and is there again."""

    def __init__(self):
        self.frames, self.opened, self.changed = 0, 0, threading.Condition()

    def open(self, name):
        self.opened += 1
        if self.opened == 1:
            raise FileNotFoundError(name)
        return self

    def write(self, data):
        with self.changed:
            self.frames += 1
            self.changed.notify_all()
            if self.frames == 3:
                raise OSError(5, "Input/output error")

    def close(self):
        """Given back."""


def test_a_strip_that_is_pulled_out_is_told_and_lit_again(monkeypatch):
    monkeypatch.setattr("device.panel.reconnecting.AGAIN", 0.01)
    port, messages = Flaky(), []
    with Strip("/dev/strip", 9, lambda what, message: messages.append(message), lambda: 0.0, port.open), port.changed:
        assert port.changed.wait_for(lambda: port.frames >= 6, PATIENCE_S)
    assert [message is not None for message in messages] == [True, False, True, False]
    assert "/dev/strip cannot be reached" in english(messages[0])


def test_without_the_library_one_sentence_says_what_to_install():
    def opened(name):
        raise ImportError("serial")

    messages = []
    Strip("/dev/strip", 9, lambda what, message: messages.append(message), lambda: 0.0, opened).close()
    assert "python3-serial" in english(messages[0])


def test_a_port_that_is_not_there_is_an_error_of_the_system():
    module("serial", SERIAL)
    with pytest.raises(OSError, match="no-such-port"):
        machine_port("/dev/no-such-port")
