from dataclasses import replace
from itertools import product

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from device.panel.debouncer import Presses
from device.panel.gpio import BEEPS, EXPANDED, KEPT_FREE, MIX, PINS, RIM_PINS, GpioPanel
from device.panel.panel import Edge
from device.panel.signals import Signal, Sound, signal_of
from referee.table.events import Button
from referee.table.lamps import OFF, Light, Tone
from tests.device.panel.gpio import FADE, WatchedPin, await_light, lamp_pins, panel_on_pins, signal_on
from tests.support.panel.tables import TABLES

SIGNALS = sorted({signal_of(snapshot) for _, _, snapshot in TABLES.values()}, key=str)
"""Of every state."""
LIGHTS = [OFF, *(Light(colour, pulse) for colour, pulse in product(Tone, (False, True)) if colour != Tone.OFF)]


@pytest.fixture
def table():
    with panel_on_pins() as opened:
        yield opened


def read_back(panel, factory, signal):
    """Show the signal, and read from the pins what is shown."""
    panel.show(signal)
    for pin in factory.pins.values():
        pin.clear_states()
    for lamp, light in zip((*PINS.sides, PINS.table), (*signal.sides, signal.table), strict=True):
        await_light(factory, lamp, light)
    return signal_on(factory)


@pytest.mark.parametrize("light", LIGHTS, ids=str)
def test_every_lamp_can_show_every_light(table, light):
    panel, factory, _ = table
    for signal in (Signal((light, OFF)), Signal((OFF, light)), Signal(table=light)):
        assert read_back(panel, factory, signal) == signal


@pytest.mark.slow
def test_every_state_is_lit_one_after_the_other(table):
    panel, factory, _ = table
    for signal in (*SIGNALS, Signal()):
        assert read_back(panel, factory, signal) == signal


@pytest.mark.parametrize("ultimate", [(True, False), (False, True), (False, False)])
def test_the_ultimate_lamps(table, ultimate):
    panel, factory, _ = table
    panel.show(Signal(ultimate=(True, True)))
    panel.show(Signal(ultimate=ultimate))
    assert signal_on(factory).ultimate == ultimate


def test_the_same_signal_again_does_not_begin_the_pulse_anew(table):
    panel, factory, _ = table
    signal = Signal((Light(Tone.RED, pulse=True), OFF))
    assert read_back(panel, factory, signal) == signal
    before = factory.pin(PINS.sides[1].red).states[:]
    panel.show(replace(signal, table=Light(Tone.GREEN)))
    assert factory.pin(PINS.sides[1].red).states == before
    assert factory.pin(PINS.sides[0].red).shines(1)


@pytest.mark.parametrize("key", PINS.buttons, ids=str)
def test_every_button_tells_its_edges(table, key):
    _, factory, edges = table
    pin = factory.pin(PINS.buttons[key])
    assert pin.pull == "up"
    pin.drive_low()
    pin.drive_high()
    assert edges == [Edge(*key, down=True, t=0.0), Edge(*key, down=False, t=1.0)]


def test_buttons_at_once_are_told_apart(table):
    _, factory, edges = table
    for pin in PINS.buttons.values():
        factory.pin(pin).drive_low()
    assert [(edge.side, edge.button) for edge in edges] == list(PINS.buttons)


def test_a_button_down_from_the_start_is_named_and_counts_once_it_was_up():
    factory, edges, presses = MockFactory(pin_class=WatchedPin), [], Presses()
    key = (2, Button.CALL)
    pin = factory.pin(PINS.buttons[key])
    pin._set_pull = lambda value: setattr(pin, "_pull", value)
    pin.drive_low()
    with GpioPanel(edges.append, lambda: 5.0, factory) as panel:
        assert panel.stuck == (key,)
        assert edges == []
        pin.drive_high()
    assert [presses.edge(edge) + presses.due(9.0) for edge in edges] == [()]


@pytest.mark.slow
@pytest.mark.parametrize("sound", Sound)
def test_every_sound_has_its_rhythm(table, sound):
    panel, factory, _ = table
    buzzer = factory.pin(PINS.buzzer)
    panel.sound(sound)
    assert buzzer.shines(1) and buzzer.shines(0)
    assert len({BEEPS[one] for one in Sound}) == len(Sound)


def test_a_closed_panel_is_dark_and_its_pins_are_free():
    with panel_on_pins() as (panel, factory, _):
        pins = [factory.pin(pin) for pin in PINS.pins_in_use()]
        panel.show(Signal((Light(Tone.WHITE), Light(Tone.AMBER, pulse=True)), (True, True), Light(Tone.BLUE)))
        panel.sound(Sound.CALLED)
        panel.close()
        panel.close()
        assert {pin.function for pin in pins} == {"input"}
        assert [
            device for devices in factory._reservations.values() for device in devices if device() is not None
        ] == []
        with gpiozero.LED(PINS.ultimate[0], pin_factory=factory) as led:
            assert not led.is_lit


def test_a_panel_that_cannot_have_a_pin_leaves_none_open():
    factory = MockFactory(pin_class=WatchedPin)
    with gpiozero.LED(PINS.buzzer, pin_factory=factory), pytest.raises(gpiozero.GPIOPinInUse):
        GpioPanel(print, lambda: 0.0, factory)
    assert all(device() is None or device().closed for devices in factory._reservations.values() for device in devices)
    factory.reset()


def test_the_global_factory_is_left_alone(table):
    assert gpiozero.Device.pin_factory is None


def test_every_pin_of_the_header_has_one_use():
    assert sorted((*PINS.pins_in_use(), *RIM_PINS, *KEPT_FREE)) == list(range(28))


def test_colours_differ_on_the_pins():
    assert len(set(MIX.values())) == len(Tone) == len(MIX)


@pytest.fixture
def six_sides():
    """A panel of six sides on the header and two further chips, the chips' factories, and the edges it tells."""
    factories, edges = [MockFactory(pin_class=WatchedPin) for _ in range(3)], []
    panel = GpioPanel(edges.append, lambda: 1.0, factories[0], fade=FADE, more=factories[1:])
    yield panel, factories[1:], edges
    panel.close()
    for factory in factories:
        factory.reset()


def lit_on(chip, pins):
    return tuple(bool(pin.state) for pin in lamp_pins(chip, pins.lamp))


def test_sides_three_to_six_have_lamps_on_chips_of_their_own(six_sides):
    panel, chips, _ = six_sides
    tones = [Light(Tone.GREEN), OFF, Light(Tone.AMBER), Light(Tone.RED), Light(Tone.BLUE), Light(Tone.WHITE)]
    panel.show(Signal(tuple(tones), (False,) * 6, OFF))
    lit = [lit_on(chip, pins) for chip in chips for pins in EXPANDED]
    assert lit == [(True, True, False), (True, False, False), (False, False, True), (True, True, True)]
    panel.show(Signal((OFF,) * 6, (False,) * 6, OFF))
    assert not any(any(lit_on(chip, pins)) for chip in chips for pins in EXPANDED)


def test_a_lamp_that_cannot_be_dimmed_goes_on_and_off_for_a_pulse(six_sides):
    panel, chips, _ = six_sides
    panel.show(Signal((OFF, OFF, Light(Tone.BLUE, pulse=True), OFF, OFF, OFF), (False,) * 6, OFF))
    blue = chips[0].pin(EXPANDED[0].lamp.blue)
    assert blue.shines(1) and blue.shines(0) and blue.shines(1)


def test_the_buttons_of_all_six_sides_tell_their_edges(six_sides):
    _, chips, edges = six_sides
    for number, chip in enumerate(chips):
        for side, pins in enumerate(EXPANDED, 2 * number + 3):
            for button, pin in pins.buttons().items():
                chip.pin(pin).drive_low()
                assert (edges[-1].side, edges[-1].button, edges[-1].down) == (side, button, True)
                chip.pin(pin).drive_high()
                assert (edges[-1].side, edges[-1].down) == (side, False)


def test_a_chips_pins_are_used_once_and_those_that_only_give_are_left_free():
    used = [
        pin for side in EXPANDED for pin in (side.lamp.red, side.lamp.green, side.lamp.blue, *side.buttons().values())
    ]
    assert len(set(used)) == len(used) == 12 and not {7, 15} & set(used) and set(used) <= set(range(16))
