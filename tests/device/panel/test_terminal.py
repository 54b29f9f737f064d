import io
import os
import pty
import queue
import re
import termios
import threading

import pytest
from rich.console import Console

from device.panel.debouncer import Presses
from device.panel.gpio import PINS
from device.panel.panel import Edge
from device.panel.signals import Signal, Sound, signal_of
from device.panel.terminal import (
    HELD_FOR,
    HELP,
    HOLDS,
    KEYS,
    PRESSED_FOR,
    STYLES,
    Keys,
    TerminalPanel,
    draw_lamps,
    lamps_in_words,
)
from referee.table.events import Button
from referee.table.lamps import OFF, Light, Tone
from tests.support import ROOT
from tests.support.panel.tables import TABLES
from tests.support.waiting import PATIENCE_S

SIGNALS = sorted({signal_of(snapshot) for _, _, snapshot in TABLES.values()}, key=str)
EVERYTHING = Signal((Light(Tone.RED, pulse=True), OFF), (True, True), Light(Tone.GREEN))


class Screen:
    """A terminal panel without keys, and what it writes."""

    def __init__(self, interactive):
        self.file = io.StringIO()
        console = Console(file=self.file, force_terminal=interactive, width=120, color_system="standard", _environ={})
        self.panel = TerminalPanel(print, lambda: 0.0, console, io.StringIO())

    def take(self):
        output = self.file.getvalue()
        self.file.seek(0)
        self.file.truncate()
        return output


@pytest.fixture(params=[True, False], ids=["redrawn", "plain"])
def screen(request):
    opened = Screen(request.param)
    with opened.panel:
        yield opened


def light_of(words):
    colour, *pulsing = words.split()
    return Light(Tone(colour), pulse=pulsing == ["pulsing"])


def signal_in(output):
    """The signal that the newest lamps in the text say, by their words alone."""
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", output)
    matches = re.findall(r"side 1 (?:● )?(.*?)[, ]\s*side 2 (?:● )?(.*?)[, ]\s*table (?:● )?(\w+(?: pulsing)?)", text)
    one, two, table = (light_of(words) for words in matches[-1])
    last = text.strip().splitlines()[-1]
    lit = tuple(f"ultimate stone side {side}" in last for side in (1, 2))
    return Signal((one, two), lit, table)


@pytest.mark.parametrize("signal", [*SIGNALS, EVERYTHING], ids=str)
def test_every_state_is_drawn(screen, signal):
    screen.panel.show(signal)
    assert signal_in(screen.take()) == signal


def test_every_side_of_a_larger_table_has_its_lamp(screen):
    sides = tuple(light_of(words) for words in ("green", "off", "blue pulsing", "red", "amber", "off"))
    screen.panel.show(Signal(sides, (False,) * 6, light_of("green")))
    text = " ".join(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|●", "", screen.take()).split())
    assert all(f"side {side} {light}" in text for side, light in enumerate(sides, 1)) and "table green" in text


@pytest.mark.parametrize("colour", Tone)
def test_a_dot_has_its_lamps_colour(colour):
    line = draw_lamps(Signal((Light(colour, pulse=True), OFF)))
    dot = next(span for span in line.spans if line.plain[span.start : span.end] == "●")
    assert dot.style == f"{STYLES[colour]} blink"
    assert len(set(STYLES.values())) == len(Tone)


def test_what_stays_is_not_written_again(screen):
    screen.panel.show(EVERYTHING)
    screen.panel.say("Black played D4.")
    assert "Black played D4." in screen.take()
    screen.panel.show(EVERYTHING)
    screen.panel.say("Black played D4.")
    assert screen.take() == ""


def test_a_sentence_is_shown_as_it_is(screen):
    screen.panel.say("[bold]A4[/bold] :smile:")
    assert "[bold]A4[/bold] :smile:" in screen.take()


def test_a_file_gets_one_plain_line_a_change():
    screen = Screen(interactive=False)
    with screen.panel as panel:
        panel.show(EVERYTHING)
        panel.sound(Sound.REFUSED)
        panel.say("Black's A1 is surrounded.")
        panel.say("")
    assert screen.take().splitlines() == [
        "side 1 off, side 2 off, table off",
        "side 1 red pulsing, side 2 off, table green, ultimate stone side 1, ultimate stone side 2",
        "sound: refused",
        "Black's A1 is surrounded.",
    ]


def test_a_terminal_rings_its_bell():
    screen = Screen(interactive=True)
    with screen.panel as panel:
        screen.take()
        panel.sound(Sound.HEARD)
    assert "\a" in screen.take()


def test_output_that_is_no_terminal_is_left_alone(capsys):
    with Screen(interactive=True).panel:
        print('{"turn": 1}')
    assert capsys.readouterr().out == '{"turn": 1}\n'


@pytest.mark.parametrize("key", [*KEYS, *HOLDS])
def test_a_key_is_the_press_that_its_button_is(key):
    """The same as the contact on the pins (test_gpio), which tells the same edges."""
    which = KEYS.get(key) or HOLDS[key]
    keys, presses, result = Keys(), Presses(), []
    edges = [*keys.edges_typed(key, 10.0), *keys.due(keys.deadline)]
    assert [(edge.side, edge.button, edge.down) for edge in edges] == [(*which, True), (*which, False)]
    for edge in edges:
        result += presses.edge(edge)
    result += presses.due(20.0)
    assert [(press.side, press.button, press.is_held) for press in result] == [(*which, key in HOLDS)]


def test_every_button_of_the_pins_has_its_keys():
    assert set(KEYS.values()) == set(HOLDS.values()) == set(PINS.buttons)
    assert not set(KEYS) & set(HOLDS)


@pytest.mark.parametrize(
    "help_text", [HELP, (ROOT / "docs/first-evening.md").read_text()], ids=["hint", "first evening"]
)
def test_what_holds_pause_is_told_wherever_the_keys_are(help_text):
    """Under the procedures only holding it lets a stopped clock go on, and no capital letter says so by itself."""
    by_themselves = {key for key, button in HOLDS.items() if key.lower() not in KEYS}
    assert by_themselves == {"P"} and re.search(r"capitals hold|capital letter holds", help_text)
    assert re.search(r"\bP\b", help_text)


def test_the_hint_fits_a_usual_terminal():
    assert len(HELP) <= 80


def test_keys_come_up_by_themselves():
    keys = Keys()
    assert keys.deadline is None
    assert keys.edges_typed("aK", 1.0) == (Edge(1, Button.DONE, True, 1.0), Edge(2, Button.CALL, True, 1.0))
    assert keys.deadline == 1.0 + PRESSED_FOR
    assert keys.edges_typed("a", 1.01) == ()
    assert keys.due(1.5) == (Edge(1, Button.DONE, False, 1.0 + PRESSED_FOR),)
    assert keys.edges_typed("k", 1.6) == ()
    assert keys.due(9.0) == (Edge(2, Button.CALL, False, 1.0 + HELD_FOR),)
    assert keys.deadline is None


@pytest.mark.parametrize("typed", ["", "x1?!\n", "\x1b[A", "\x1bOD", "\x1b[1;5D", "\x1b[15~", "\x1b", "\x1ba", "ä"])
def test_what_is_no_button_is_let_pass(typed):
    assert Keys().edges_typed(typed, 1.0) == ()


@pytest.fixture
def keyboard(monkeypatch):
    """A terminal in which this program is in the foreground: the end that types, and the end that is read."""
    far, near = pty.openpty()
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp())
    with open(near, buffering=1) as typed:  # noqa: PTH123
        yield far, typed
    os.close(far)


def typing_panel(typed, handle):
    console = Console(file=io.StringIO(), force_terminal=True, _environ={})
    ticks = iter(range(1000))
    return TerminalPanel(handle, lambda: float(next(ticks)), console, typed)


def test_keys_are_read_as_they_are_typed(keyboard):
    far, typed = keyboard
    edge_queue = queue.Queue()
    with typing_panel(typed, edge_queue.put):
        os.write(far, b"l")
        edges = [edge_queue.get(timeout=PATIENCE_S) for _ in range(2)]
    assert [(edge.side, edge.button, edge.down) for edge in edges] == [
        (2, Button.SCORE, True),
        (2, Button.SCORE, False),
    ]


def test_the_terminal_is_given_back(keyboard):
    _, typed = keyboard
    before = termios.tcgetattr(typed)
    with typing_panel(typed, print) as panel:
        assert not termios.tcgetattr(typed)[3] & (termios.ICANON | termios.ECHO)
        assert termios.tcgetattr(typed)[3] & termios.ISIG
    assert termios.tcgetattr(typed) == before
    panel.close()


def test_a_terminal_that_goes_away_ends_only_the_listening(keyboard):
    far, typed = keyboard
    with typing_panel(typed, print), open(os.devnull, "rb") as nothing:  # noqa: PTH123
        (listening,) = (one for one in threading.enumerate() if one.name == "keyboard")
        os.dup2(nothing.fileno(), far)
        listening.join(PATIENCE_S)
        assert not listening.is_alive()


class ClosedTerminal(io.StringIO):
    tried = 0

    def write(self, _):
        self.tried += 1
        raise OSError("Input/output error")


@pytest.mark.parametrize("interactive", [True, False])
def test_a_terminal_that_cannot_be_written_to_is_left_alone(interactive):
    screen, file = Screen(interactive), ClosedTerminal()
    screen.panel._console.file = file
    screen.panel.show(EVERYTHING)
    screen.panel.say("Black played D4.")
    screen.panel.sound(Sound.HEARD)
    assert file.tried == 1
    screen.panel.close()


def test_in_the_background_no_keys_are_asked_for(keyboard, monkeypatch):
    _, typed = keyboard
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp() + 1)
    before = termios.tcgetattr(typed)
    with typing_panel(typed, print):
        assert termios.tcgetattr(typed) == before


def test_plain_words():
    assert lamps_in_words(Signal()) == "side 1 off, side 2 off, table off"
