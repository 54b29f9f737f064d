"""`shinpan panel`: each lamp, sound and button in turn, on pins, on keys and in a terminal; and keys learned."""

from __future__ import annotations

import io
from collections import deque

import pytest
from rich.console import Console

from device.__main__ import main
from device.panel.gpio import MIX, PINS
from device.panel.keymap import BadKeys, read_keys, write_keys
from device.panel.learning import Listening, learn_keys
from device.panel.panel import Edge, NoPanel
from device.panel.self_test import PRESSED_WITHIN, try_buttons, try_lamps, try_sounds, yield_signals
from device.panel.signals import Signal, Sound
from device.panel.terminal import TerminalPanel
from referee.table.events import Button
from referee.table.lamps import OFF, Light, Tone
from tests.device.panel.gpio import await_light, lamp_pins, panel_on_pins
from tests.support.panel.keyboards import PORTS, DrawnBench


class RecordingPanel(NoPanel):
    def __init__(self):
        self.lit, self.heard = [], []

    def show(self, signal: Signal) -> None:
        self.lit.append(signal)

    def sound(self, sound: Sound) -> None:
        self.heard.append(sound)


@pytest.mark.parametrize("sides", [2, 6])
def test_every_lamp_is_lit_alone_in_each_colour_and_left_dark(sides):
    panel, lines = RecordingPanel(), []
    try_lamps(panel, sides, lines.append, lambda seconds: None)
    assert panel.lit[-1] == Signal((OFF,) * sides, (False,) * sides) and len(lines) == len(panel.lit) - 1 == len(
        set(lines)
    )
    for at in range(sides):
        alone = {signal.sides[at] for signal in panel.lit if signal.sides[at] != OFF}
        assert {light.tone for light in alone} == set(Tone) - {Tone.OFF} and Light(Tone.WHITE, pulse=True) in alone
    assert all(sum(light != OFF for light in (*one.sides, one.table)) + sum(one.ultimate) <= 1 for one in panel.lit)


@pytest.mark.parametrize(("name", "signal"), [*yield_signals(2)], ids=[name for name, _ in yield_signals(2)])
def test_on_pins_each_lamp_shows_what_is_said(name, signal):
    with panel_on_pins() as (panel, factory, _):
        panel.show(signal)
        for lamp, light in zip((*PINS.sides, PINS.table), (*signal.sides, signal.table), strict=True):
            await_light(factory, lamp, light)
            states = tuple(pin.state for pin in lamp_pins(factory, lamp))
            assert light.pulse or states == MIX[light.tone]
        assert tuple(bool(factory.pin(pin).state) for pin in PINS.ultimate) == signal.ultimate


def test_every_sound_is_made_and_waited_for():
    panel, lines, waited = RecordingPanel(), [], []
    try_sounds(panel, lines.append, waited.append)
    assert panel.heard == list(Sound) and lines == [f"sound {sound}" for sound in Sound]
    assert min(waited) > 0.5 and waited[list(Sound).index(Sound.FALLEN)] > 2


def test_in_a_terminal_lamps_and_sounds_are_told():
    output = io.StringIO()
    with TerminalPanel(print, float, Console(file=output), io.StringIO()) as panel:
        try_lamps(panel, 2, lambda name: None, lambda seconds: None)
        try_sounds(panel, lambda name: None, lambda seconds: None)
    assert "side 2 white pulsing" in output.getvalue() and "sound: fallen" in output.getvalue()


class Finger:
    """Presses what is asked for, as the script says; its time passes while it is listened to."""

    def __init__(self, presses):
        self.t, self.edges, self.said = 0.0, deque(presses), []

    def listen(self, seconds):
        if self.edges and self.edges[0].t <= self.t + seconds:
            edge = self.edges.popleft()
            self.t = max(self.t, edge.t)
            return edge
        self.t += max(seconds, 0.001)
        return None


def press(side, button, t):
    return Edge(side, button, True, t), Edge(side, button, False, t + 0.1)


def test_each_button_is_asked_for_and_another_is_named():
    wrong = press(2, Button.DONE, 1.0)
    finger = Finger([*wrong, *press(1, Button.DONE, 2.0), *press(0, Button.PAUSE, 3.0)])
    which = [(1, Button.DONE), (0, Button.PAUSE), (2, Button.CALL)]
    assert try_buttons(which, finger.listen, finger.said.append, lambda: finger.t) == ["call 2"]
    assert finger.said == [
        "press done 1",
        "that was done 2; press done 1",
        "heard",
        "press pause",
        "heard",
        "press call 2",
        "not heard",
    ]
    assert finger.t >= 3.0 + PRESSED_WITHIN


# Learning


def learned_of(strokes):
    """Return what is learned when these keys are pressed, by socket and code."""
    bench = DrawnBench()
    pads = {port: bench.plug(port=port) for port in PORTS}
    lines, left = [], deque(strokes)
    with Listening(bench.paths, bench.opened) as listening:

        def key(seconds):
            if not left:
                return None
            port, code = left.popleft()
            pads[port].turn(code, True)
            pads[port].turn(code, False)
            return listening.key(5)

        return learn_keys(["done 1", "call 1", "done 2"], key, lines.append), lines


def test_keys_are_learned_on_either_of_two_numpads_alike(tmp_path):
    strokes = [(PORTS[0], 79), (PORTS[0], 79), (PORTS[0], 0x110), (PORTS[0], 96), (PORTS[1], 79)]
    with pytest.raises(BadKeys):
        learned_of([])
    keys, lines = learned_of([stroke for stroke in strokes if stroke[1] != 0x110])
    assert "that key is done 1 already; press another for call 1" in lines
    write_keys(tmp_path, keys)
    saved_keys = read_keys(tmp_path)
    assert [(key.button, key.code, key.keyboard.port) for key in saved_keys.keys] == [
        ("done 1", 79, PORTS[0]),
        ("call 1", 96, PORTS[0]),
        ("done 2", 79, PORTS[1]),
    ]


# The command


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('[panel]\nkind = "keys"\n')
    return ["--settings", str(path), "--data", str(tmp_path)]


def test_the_command_tries_the_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setattr("device.panel.self_test.PRESSED_WITHIN", 0.01)
    path = tmp_path / "settings.toml"
    path.write_text('[panel]\nkind = "terminal"\n')
    assert main(["panel", "--test", "--settings", str(path), "--data", str(tmp_path)]) == 1
    output = capsys.readouterr()
    assert "side 1 green\n" in output.out and "sound fallen" in output.out and "sound: heard" in output.err
    assert output.out.splitlines()[-1] == "Not heard: done 1, call 1, score 1, done 2, call 2, score 2, pause."
    assert main(["panel", "--test", "--only", "lamps", "--settings", str(path), "--data", str(tmp_path)]) == 0
    assert "sound" not in (output := capsys.readouterr()).out and output.out.endswith("Nothing is missing.\n")


def test_a_running_box_keeps_its_panel(settings, tmp_path, capsys):
    from device.files import lock_folder

    with lock_folder(tmp_path):
        assert main(["panel", "--learn", *settings]) == 2
    assert "another box uses this folder" in capsys.readouterr().err


def test_two_things_at_once_are_refused(settings, capsys):
    assert main(["panel", "--learn", "--test", *settings]) == 2
    assert "name one" in capsys.readouterr().err
