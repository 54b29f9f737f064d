import os
from itertools import count

import gpiozero
import pytest
from gpiozero.exc import BadPinFactory, PinUnknownPi
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.panel.factory import KINDS, NoPins, machine_pins, open_panel
from device.panel.gpio import PINS, GpioPanel
from device.panel.panel import NoPanel, down_from_the_start
from device.panel.signals import Signal, Sound
from device.panel.terminal import TerminalPanel
from device.settings import settings_of
from referee.table.events import Button
from tests.support.wording import english


def fails_with(error):
    def factory():
        raise error

    return factory


@pytest.fixture
def factory():
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class DriverError(Exception):
    """An error of lgpio, which is no kind of OSError."""


NO_PINS = [
    (PinUnknownPi("unable to locate Pi revision"), "this machine is not a Raspberry Pi"),
    (ImportError("lgpio"), "python3-lgpio"),
    (BadPinFactory("Unable to load any default pin factory!"), "Unable to load any default pin factory"),
    (DriverError("GPIO busy"), "another program is using the pins"),
    (DriverError("can not open gpiochip"), "can not open gpiochip"),
    (PermissionError(13, "Permission denied"), "Permission denied"),
    (RuntimeError(), "RuntimeError"),
]


@pytest.mark.parametrize(("error", "cause"), NO_PINS)
def test_without_pins_the_terminal_stands_in_and_one_sentence_says_why(error, cause, capsys):
    opened = open_panel("auto", print, factory=fails_with(error))
    with opened.panel as panel:
        assert isinstance(panel, TerminalPanel)
    (fault,) = opened.faults
    assert cause in english(fault) and english(fault).endswith("The terminal shows the lamps instead.")
    assert cause not in "".join(capsys.readouterr())


@pytest.mark.parametrize(("error", "cause"), NO_PINS)
def test_pins_that_were_asked_for_and_are_not_there_are_one_sentence(error, cause):
    with pytest.raises(NoPins) as none:
        open_panel("gpio", print, factory=fails_with(error))
    assert cause in english(none.value)


@pytest.mark.parametrize("kind", ["auto", "gpio"])
def test_with_pins_the_lamps_are_on_them(kind, factory):
    opened = open_panel(kind, print, factory=lambda: factory)
    with opened.panel as panel:
        assert isinstance(panel, GpioPanel)
    assert opened.faults == ()


def test_pins_that_cannot_dim_are_no_pins_for_lamps():
    factory = MockFactory()
    with open_panel("auto", print, factory=lambda: factory).panel as panel:
        assert isinstance(panel, TerminalPanel)
    factory.reset()


def test_pins_held_by_another_are_named(factory):
    with gpiozero.LED(PINS.buzzer, pin_factory=factory), pytest.raises(NoPins) as none:
        open_panel("gpio", print, factory=lambda: factory)
    assert "another program" in english(none.value)


def test_a_button_that_is_down_from_the_start_is_named(factory):
    for key in ((2, Button.CALL), (0, Button.PAUSE)):
        pin = factory.pin(PINS.buttons[key])
        pin._set_pull = lambda value, pin=pin: setattr(pin, "_pull", value)
        pin.drive_low()
    opened = open_panel("auto", print, factory=lambda: factory)
    opened.panel.close()
    assert opened.faults == ()
    assert [english(down_from_the_start(*key)).split(" has ")[0] for key in opened.held_keys] == [
        "The button call of side 2",
        "The button pause",
    ]


def test_a_box_may_have_neither(capsys):
    opened = open_panel("none", print)
    with opened.panel as panel:
        assert isinstance(panel, NoPanel)
        panel.show(Signal())
        panel.sound(Sound.HEARD)
        panel.say("Black played D4.")
    assert opened.faults == ()
    assert capsys.readouterr() == ("", "")


def test_the_clock_is_the_boxs_own(factory):
    edges, ticks = [], count(7)
    with open_panel("gpio", edges.append, lambda: float(next(ticks)), lambda: factory).panel:
        factory.pin(PINS.buttons[1, Button.DONE]).drive_low()
    assert [edge.t for edge in edges] == [7.0]


def test_the_settings_have_the_same_kinds():
    for kind in KINDS:
        assert settings_of({"panel": {"kind": kind}}).panel.kind == kind
    with pytest.raises(ValueError, match="auto, gpio, keys, phone, terminal, none"):
        open_panel("radio", print)


def test_phones_have_buttons_for_every_side():
    with (opened := open_panel("phone", print)).panel:
        assert opened.lacking(6) is None


def test_no_factory_is_made_for_everyone(monkeypatch):
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    with open_panel("auto", print).panel:
        assert gpiozero.Device.pin_factory is None


def test_the_machines_pins_need_lgpio_and_a_place_for_its_file(monkeypatch, tmp_path):
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr("device.panel.factory.find_spec", lambda _: None)
    with pytest.raises(ImportError):
        machine_pins()
    assert "LG_WD" not in os.environ
    monkeypatch.setattr("device.panel.factory.find_spec", lambda _: True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "gpiozero.pins.lgpio", type("Driver", (), {"LGPIOFactory": dict}))
    assert machine_pins() == {}
    assert os.environ.pop("LG_WD").startswith(str(tmp_path / "shinpan-lgpio-"))
