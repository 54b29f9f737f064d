"""Keys as buttons: on drawn keyboards with a clock of their own, and on the kernel's where there are any."""

from __future__ import annotations

import random
import re
from contextlib import closing
from itertools import pairwise

import pytest

from device.panel.keyboard import SETTLES, NoKeys
from device.panel.keymap import NUMPAD, Key, Keyboard, KeyMap, read_keys, write_keys
from device.panel.keys import Keyboards
from device.panel.panel import Edge
from referee.table.events import Button
from tests.device.panel.conftest import BENCHES, HOLD, pressed, said_of
from tests.support import ROOT
from tests.support.panel.keyboards import KEPT, NAME, PORTS, THREE, Desk, DrawnBench, KernelBench
from tests.support.wording import english

DONE, CALL, SCORE, PAUSE = Button


def table_of_buttons():
    """Return the buttons of docs/panel.md."""
    text = (ROOT / "docs/panel.md").read_text().partition("## The buttons")[2]
    heads = re.findall(r"^\| .* in the first state that holds \|(.*)$", text, re.MULTILINE)
    return [Button(name.lower()) for head in heads for name in re.findall(r"\b[A-Z]+\b", head)]


@pytest.mark.parametrize("bench", BENCHES, indirect=True)
def test_every_button_of_the_table_is_pressed_and_held(desk):
    assert table_of_buttons() == [DONE, CALL, SCORE, PAUSE]
    keys = [(pad, code, (side, button)) for side, pad in enumerate(desk.pads, 1) for code, button in THREE.items()]
    keys.append((desk.pads[0], 76, (0, PAUSE)))
    for seconds in (0.1, HOLD):
        for pad, code, _ in keys:
            pressed(desk, pad, code, seconds)
    wanted = [(*which, held) for held in (False, True) for _, _, which in keys]
    assert said_of(desk.presses()) == wanted


@pytest.mark.parametrize("bench", BENCHES, indirect=True)
def test_one_numpad_between_the_players_needs_no_learning(bench):
    pad = bench.plug()
    with closing(Desk(bench, KeyMap())) as desk:
        bench.wait(SETTLES + 0.1)
        for code in NUMPAD:
            pressed(desk, pad, code)
        assert said_of(desk.presses()) == [(*which, False) for which in NUMPAD.values()]
        assert not any(desk.messages.values())


@pytest.mark.parametrize("bench", BENCHES, indirect=True)
def test_no_press_is_lost_or_doubled_when_numpads_are_replugged(desk):
    Hands(desk, random.Random(20261123)).play(1000 if isinstance(desk.bench, KernelBench) else 300)


class Hands:
    """Both players press at random, several keys at once, and numpads are pulled out and plugged in again."""

    def __init__(self, desk, rng):
        self.desk, self.rng, self.bench = desk, rng, desk.bench
        self.down, self.changed, self.wanted, self.unplugged = {}, {}, [], 0

    def play(self, presses):
        while len(self.wanted) < presses:
            self.turn()
            if self.rng.random() < 0.01:
                self.pull_out(self.rng.randrange(2))
        for key in list(self.down):
            self.up(key)
        self.bench.wait(0.2)
        self.desk.until(lambda: len(self.desk.presses()) >= len(self.wanted))
        new_presses = self.desk.presses()
        for which in {one[:2] for one in self.wanted}:
            own_presses = [
                (press.side, press.button, press.is_held)
                for press in new_presses
                if (press.side, press.button) == which
            ]
            assert own_presses == [one for one in self.wanted if one[:2] == which]
        assert len(new_presses) == len(self.wanted) >= presses and self.unplugged >= 3

    def turn(self):
        """One key goes down or comes up; none sooner than a finger can."""
        now = self.bench.machine()
        late = [key for key, since in self.down.items() if now - since > 1.0]
        key = late[0] if late else (self.rng.randrange(2), self.rng.choice(list(THREE)))
        if now - self.changed.get(key, 0.0) >= 0.045:
            self.up(key) if key in self.down else self.press(key)
        self.bench.wait(self.rng.uniform(0.005, 0.05))

    def push(self, key, down):
        """A drawn clock goes no further before the panel has heard it; the kernel's time does not ask."""
        before = len(self.desk.edges)
        self.desk.pads[key[0]].turn(key[1], down)
        if isinstance(self.bench, DrawnBench):
            self.desk.until(lambda: len(self.desk.edges) > before)

    def press(self, key):
        is_held = self.rng.random() < 0.01
        if is_held and not self.down:
            self.push(key, True)
            self.bench.wait(HOLD)
            self.push(key, False)
            self.wanted.append((key[0] + 1, THREE[key[1]], True))
        else:
            self.push(key, True)
            self.down[key] = self.bench.machine()
        self.changed[key] = self.bench.machine()

    def up(self, key):
        self.push(key, False)
        del self.down[key]
        self.changed[key] = self.bench.machine()
        self.wanted.append((key[0] + 1, THREE[key[1]], False))

    def pull_out(self, which):
        """With keys down or not; what was down has no effect. It comes back, now and then with a key held."""
        self.bench.wait(0.15)  # What the kernel has not handed out it forgets.
        self.bench.unplug(self.desk.pads[which])
        self.desk.until_told(f"keys {which}", True)
        self.down = {key: since for key, since in self.down.items() if key[0] != which}
        for key in list(self.down):
            self.up(key)
        self.bench.wait(self.rng.uniform(0.0, 1.0))
        pad = self.desk.pads[which] = self.bench.plug(port=PORTS[which])
        holds = self.rng.random() < 0.5
        if holds:
            pad.turn(79, True)
        self.desk.until_told(f"keys {which}", False)
        self.bench.wait(SETTLES + 0.2)
        if holds:
            pad.turn(79, False)
            self.bench.wait(0.1)
        self.unplugged += 1


def test_what_is_down_when_it_is_pulled_out_was_let_go_by_nobody(desk):
    desk.pads[1].turn(80, True)
    desk.until(lambda: len(desk.edges) == 1)
    desk.bench.wait(1.0)
    desk.bench.unplug(desk.pads[1])
    desk.until_told("keys 1", True)
    sentence = english(desk.messages["keys 1"])
    assert f"{NAME} is not plugged in" in sentence and "done 2, call 2 and score 2" in sentence
    assert desk.edges[-1] == Edge(2, CALL, False, desk.edges[-1].t, done=False)
    desk.bench.wait(5.0)
    assert desk.presses() == []


def test_a_hold_is_told_once_though_its_numpad_is_unplugged(desk):
    desk.pads[0].turn(76, True)
    desk.until(lambda: len(desk.edges) == 1)
    desk.bench.wait(HOLD)
    desk.bench.unplug(desk.pads[0])
    desk.until_told("keys 0", True)
    assert said_of(desk.presses()) == [(0, PAUSE, True)]


def test_presses_read_late_count_by_the_kernels_time(bench):
    pad = bench.plug()
    late = Desk(bench, KeyMap())
    bench.wait(SETTLES + 0.1)
    # All of it lies in the pipe before the reader's thread can take it.
    for _ in range(5):
        pad.turn(79, True)
        bench.wait(0.05)
        pad.turn(79, False)
        bench.wait(0.05)
    late.until(lambda: len(late.edges) == 10)
    late.close()
    times = [press.t for press in late.presses()]
    assert [round(after - before, 3) for before, after in pairwise(times)] == [0.1] * 4


def test_a_numpad_that_sends_numlock_before_each_key_is_heard(desk):
    for code, down in ((69, True), (69, False), (79, True), (79, False)):
        desk.pads[0].turn(code, down)
        desk.bench.wait(0.05)
    desk.until(lambda: len(desk.edges) == 2)
    assert said_of(desk.presses()) == [(1, DONE, False)]


def test_keyboards_are_had_for_the_panel_alone_and_given_back(bench):
    pad, other = bench.plug(), bench.plug("Another", codes=[30, 31], port="usb-7")
    desk = Desk(bench, KeyMap())
    assert (pad.grabbed, other.grabbed) == (True, False)
    desk.close()
    assert not pad.grabbed


def test_a_laptops_own_keyboard_is_never_taken_for_a_numpad(bench):
    own = bench.plug("AT Translated Set 2 keyboard", "isa0060/serio0", bus=0x11)
    with closing(Desk(bench, KeyMap())) as desk:
        assert not own.grabbed and english(desk.messages["keys none"]).startswith("No numpad is plugged in.")
        bench.plug()
        desk.until_told("keys none", False)


def test_of_two_numpads_none_is_guessed_at(bench):
    pads = [bench.plug(port=port) for port in PORTS]
    with closing(Desk(bench, KeyMap())) as desk:
        assert not any(pad.grabbed for pad in pads)
        sentence = "Several keyboards with a numpad are plugged in (Drawn Numpad and Drawn Numpad)"
        assert sentence in english(desk.messages["keys several"])
        bench.unplug(pads[1])
        desk.until_told("keys several", False)
        desk.until(lambda: pads[0].grabbed)


def test_the_other_numpad_is_taken_when_the_first_is_pulled_out(bench):
    first = bench.plug(port="usb-1")
    with closing(Desk(bench, KeyMap())) as desk:
        second = bench.plug(port="usb-2")
        desk.bench.wait(1.0)
        assert first.grabbed and not second.grabbed
        bench.unplug(first)
        bench.wait(1.0)
        desk.until(lambda: second.grabbed)


def test_a_learned_keyboard_is_known_in_any_socket(bench):
    keymap = KeyMap((Key("done 2", 28, Keyboard(NAME, 0x1C4F, 2, "input0")),))
    with closing(Desk(bench, keymap)) as desk:
        pad = bench.plug(port="usb-9", codes=[28])
        desk.until_told("keys 0", False)
        bench.wait(1.0)
        pressed(desk, pad, 28)
        assert said_of(desk.presses()) == [(2, DONE, False)]


def test_a_numpad_in_the_other_socket_is_no_third_one(bench):
    bench.plug(port="usb-3")
    with closing(Desk(bench)) as desk:
        assert desk.messages["keys 0"] and desk.messages["keys 1"]


class BarredKeyboards(DrawnBench):
    """Keyboards that cannot be had."""

    def opened(self, path):
        raise self.error


@pytest.mark.parametrize("bench", [BarredKeyboards], indirect=True)
def test_keyboards_that_may_not_be_read_are_told_with_what_to_do(bench):
    bench.plug()
    bench.error = PermissionError(13, "Permission denied")
    with closing(Desk(bench, KeyMap())) as desk:
        assert "sudo usermod -aG input" in english(desk.messages["keys access"])


def test_a_keyboard_in_use_is_told_and_taken_once_it_is_free(bench):
    pad = bench.plug()
    original = pad.grab
    pad.grab = lambda: (_ for _ in ()).throw(OSError(16, "busy"))
    with closing(Desk(bench, KeyMap())) as desk:
        assert "Another program holds the keyboard Drawn Numpad" in english(desk.messages["keys busy"])
        pad.grab = original
        desk.until_told("keys busy", False)
        assert pad.grabbed


def test_without_the_library_one_sentence_says_what_to_install(bench, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "evdev", None)
    with pytest.raises(NoKeys) as none:
        Keyboards(KeyMap(), print, print, bench.machine, lambda: ["/dev/input/event0"])
    assert "python3-evdev" in english(none.value)


def test_what_was_learned_is_read_back(tmp_path):
    assert read_keys(tmp_path) == KeyMap()
    write_keys(tmp_path, KEPT.keys)
    assert read_keys(tmp_path) == KEPT
    one = [Key(key.button, key.code, key.keyboard) for key in KEPT.keys if key.keyboard.port == PORTS[0]]
    write_keys(tmp_path, one)
    assert {key.keyboard.port for key in read_keys(tmp_path).keys} == {""}, "no other is like it"
