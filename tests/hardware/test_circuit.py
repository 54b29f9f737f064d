"""The currents of the assembly page are the computed ones, and nothing is asked for more than it may give."""

from __future__ import annotations

import re

import pytest

from device.panel.gpio import PINS, RIM_PINS
from device.panel.rim_driver import Chain
from device.settings import RimSettings
from hardware import board, circuit
from hardware.circuit import LAMPS, TBD62083APG, ULN2803A
from hardware.drawings import HERE
from tests.support.bom import parts

PAGE = (HERE / "ASSEMBLY.md").read_text()


def test_a_current_is_what_ohm_says():
    assert circuit.lamp_current(TBD62083APG, 5.0, 2.0, 298.0) == pytest.approx(0.01)
    assert circuit.lamp_current(ULN2803A, 5.0, 3.2, 330.0, 1) == pytest.approx(0.9 / 330)
    assert circuit.lamp_current(ULN2803A, 4.4, 3.6, 330.0, 1) == 0, "a lamp that stays dark takes nothing"


@pytest.mark.parametrize("lamp", LAMPS, ids=lambda lamp: lamp.name)
def test_a_lamp_is_lit_at_the_worst_and_spared_at_the_best(lamp):
    low, high = circuit.current_range(TBD62083APG, lamp)
    assert 0.0025 < low < circuit.typical_current(TBD62083APG, lamp) < high < 0.015, "20 mA is the most a lamp may get"
    assert high / low < 3


@pytest.mark.parametrize("lamp", LAMPS[1:], ids=lambda lamp: lamp.name)
def test_the_older_driver_leaves_blue_green_and_white_to_chance(lamp):
    low, high = circuit.current_range(ULN2803A, lamp)
    assert high / low > 9, "the page says tenfold"


def test_the_colours_of_a_lamp_are_balanced():
    """Red and green alike, so that amber (MIX) is amber; blue has the share that it has in white."""
    shares = circuit.colour_shares(TBD62083APG)
    sentence = f"red {shares['red']:.0%}, green {shares['green']:.0%} and blue {shares['blue']:.0%}"
    assert sentence in PAGE
    assert shares["red"] == pytest.approx(shares["green"], rel=0.2) and 0.05 < shares["blue"] < 0.15


@pytest.mark.parametrize("driver", [TBD62083APG, ULN2803A], ids=lambda driver: driver.name)
def test_no_pin_of_the_pi_gives_more_than_it_may(driver):
    lamps = [pin for rgb in (*PINS.sides, PINS.table) for pin in (rgb.red, rgb.green, rgb.blue)]
    outputs = len(lamps) + len(PINS.ultimate) + 1
    assert driver.on < circuit.LOGIC * 0.95, "with the supply of the pins 5% low"
    assert driver.pull < circuit.PIN and outputs * driver.pull < circuit.PINS_TOGETHER


def test_a_pressed_button_is_read_as_low_and_an_open_one_as_high():
    ohms = {
        name: {float(one.value[:-1]) * 1000 for one in board.list_parts() if one.bom == name}
        for name in ("r-1k", "r-10k")
    }
    ((series,), (pull,)) = ohms["r-1k"], ohms["r-10k"]
    assert circuit.LOGIC * series / (series + pull) < 0.8
    assert series * 100e-9 < 0.001, "a press is seen within a thousandth of a second"


def test_the_fuse_carries_all_lamps_and_the_buzzer():
    hold = 0.5
    assert "0.5 A" in parts()["fuse"]["part"] and circuit.total_current(TBD62083APG) < hold / 2
    seven = circuit.total_current(TBD62083APG, 7)
    assert seven < hold / 2 and f"take {seven * 1000:.0f} mA" in PAGE, "with the lamps of four more sides"


def test_the_lights_of_the_rim_are_limited_by_software_and_by_their_fuse():
    assert circuit.rim_current(1) == pytest.approx(38 * 0.06 + 83 * 0.001, abs=0.001)
    settings, hold = RimSettings(), 0.5
    assert "0.5 A" in parts()["fuse-lights"]["part"] and settings.milliamps / 1000 < hold
    assert circuit.rim_current(circuit.rim_share()) <= settings.milliamps / 1000 + 0.004
    lines = circuit.rim_current(1) - 83 * 0.001
    assert f"take {lines:.1f} A in full white" in PAGE and f"({settings.milliamps / 1000:.2f} A)" in PAGE
    assert f"is {circuit.rim_share():.0%} of full white" in PAGE


def test_the_strips_of_the_list_are_those_of_the_usual_settings():
    columns, rows = Chain().lights
    assert f"cut to {columns} and {rows} lights" in parts()["strip"]["part"]
    assert Chain().length / 144 <= 1, "a strip of one metre is enough"
    assert RIM_PINS == (10, 11) and {f"GPIO{pin}" for pin in RIM_PINS} < set(board.collect_nets())


def test_a_chip_on_the_pins_of_spi_is_told_of_nowhere():
    """The interrupt of the second chip of further panels once was at GPIO10, which the lights of the rim need."""
    interrupts = [int(pin) for pin in re.findall(r"dtoverlay=mcp23017,addr=0x2\d,gpiopin=(\d+)", PAGE)]
    assert interrupts == [4, 15] and "dtoverlay=spi0-0cs,no_miso" in PAGE
    (header,) = [one for one in board.list_parts() if one.part == "J3"]
    assert {f"GPIO{pin}" for pin in interrupts} < set(header.nets)
