"""The pin map, the harness, the board and the list of parts say the same."""

from __future__ import annotations

from collections import Counter

import pytest
from gpiozero.pins.pi import PiBoardInfo

from device.panel.gpio import KEPT_FREE, PINS, RIM_PINS
from hardware import board
from referee.table.events import Button
from tests.support.bom import expand_pins, find_reached_pins, label, parts, wires

PI_5 = 0xC04170
NAMES = {Button.DONE: "DONE", Button.CALL: "CALL", Button.SCORE: "SCORE", Button.PAUSE: "PAUSE"}
SOCKETS = ("X1", "X2", "J2", "J4")
"""The connectors on the board at which the wires of the harness begin."""
PN = "pn"


def one(part):
    """A part of the board."""
    return next(candidate for candidate in board.list_parts() if candidate.part == part)


def wanted_wires():
    """By GPIO number: the part and its leg that the pin map means."""
    wires = {PINS.buzzer: ("BUZZER", "-")}
    for name, lamp in zip(("LAMP1", "LAMP2", "TABLE"), (*PINS.sides, PINS.table), strict=True):
        wires |= {lamp.red: (name, "red"), lamp.green: (name, "green"), lamp.blue: (name, "blue")}
    for side, pin in enumerate(PINS.ultimate, 1):
        wires[pin] = (f"STONE{side}", "-")
    for (side, button), pin in PINS.buttons.items():
        wires[pin] = (f"{NAMES[button]}{side or ''}", "contact")
    return wires | dict(zip(RIM_PINS, (("RIM1", "DI"), ("RIM1", "CI")), strict=True))


def through(part, net):
    """The nets that a signal goes on to through a part: a resistor's other end, a driver's output."""
    if part.kind == "resistor" and board.NONE not in part.nets and "3V3" not in part.nets:
        return {other for other in part.nets if other != net}
    if part.value == "TBD62083":
        return {part.nets[17 - n] for n, own in enumerate(part.nets[:8]) if own == net and net != "GND"}
    if part.value == "74AHCT125":
        gates = ((2, 3), (5, 6), (9, 8), (12, 11))
        return {part.nets[out - 1] for into, out in gates if part.nets[into - 1] == net and net != "GND"}
    return set()


def ends(net):
    """The sockets' pins that a net of the board leads to, however many parts lie between."""
    nets, open_ = set(), [net]
    while open_:
        here = open_.pop()
        nets.add(here)
        open_ += [
            on for part in board.list_parts() if here in part.nets for on in through(part, here) if on not in nets
        ]
    return {(name, str(n)) for name in SOCKETS for n, own in enumerate(one(name).nets[:9], 1) if own in nets}


def actual_wires():
    """By GPIO number: the parts and legs at the far ends of its wires."""
    numbers = [net for net in one("J1").nets if net.startswith("GPIO")]
    wires = {
        int(net[4:]): {(end, label((end, pin))) for start in ends(net) for end, pin in find_reached_pins(start)}
        for net in numbers
    }
    return {number: far for number, far in wires.items() if far}


def test_every_mapped_pin_ends_at_its_part_and_no_other_is_wired():
    assert actual_wires() == {pin: {end} for pin, end in wanted_wires().items()}
    assert not set(actual_wires()) & set(KEPT_FREE)


def test_what_is_kept_free_goes_nowhere_but_to_where_it_is_kept_for():
    elsewhere = {
        net: {pad.part for pad in pads} - {"J1"} for net, pads in board.collect_nets().items() if net.startswith("GPIO")
    }
    connections = {number: elsewhere.get(f"GPIO{number}", set()) for number in KEPT_FREE}
    assert connections == {0: set(), 1: set(), 2: {"J3"}, 3: {"J3"}, 4: {"J3"}, 14: set(), 15: {"J3"}}


def test_the_header_is_the_pis():
    pins = PiBoardInfo.from_revision(PI_5).headers["J8"].pins
    for number, net in enumerate(one("J1").nets, 1):
        assert net in (pins[number].name, {"5V": "PI5V"}.get(pins[number].name), board.NONE), number
        assert net != board.NONE or int(pins[number].name.removeprefix("GPIO")) in KEPT_FREE


def test_the_sockets_of_the_harness_are_those_of_the_board():
    for name in SOCKETS:
        labels = board.build_harness()["connectors"][name]["pinlabels"]
        nets = one(name).nets
        side = {"X1": "1", "X2": "2", "J2": "0", "J4": ""}[name]
        assert [net.removesuffix(side) for net in nets[: len(labels)]] == labels, name
        assert nets[len(labels) :] == ("GND",) * (2 if name in ("X1", "X2") else 0), "the shell"


def test_every_leg_of_every_part_is_wired():
    wired_ends = {pin for start, _, other in wires() for pin in (start, other)}
    for name, connector in board.build_harness()["connectors"].items():
        pins = range(1, len(connector["pinlabels"]) + 1)
        assert {str(pin) for pin in pins} == {pin for at, pin in wired_ends if at == name}, name


def test_no_core_of_a_cable_is_used_twice_or_left_over():
    used = Counter(core for _, core, _ in wires())
    assert max(used.values()) == 1
    for name, cable in board.build_harness()["cables"].items():
        count = cable.get("wirecount") or len(cable["colors"])
        assert {pin for at, pin in used if at == name} == {str(n) for n in range(1, count + 1)}, name


@pytest.mark.parametrize("side", [1, 2])
def test_a_panel_gets_plus_and_ground_where_its_parts_want_them(side):
    far = {(end[0], label(end)) for net in ("5V", "GND") for start in ends(net) for end in find_reached_pins(start)}
    assert {(f"LAMP{side}", "+"), (f"STONE{side}", "+")} <= far
    assert {(f"{name}{side}", "GND") for name in ("DONE", "CALL", "SCORE")} <= far


def test_plus_and_ground_never_meet():
    plus, ground = ({end for start in ends(net) for end in find_reached_pins(start)} for net in ("5V", "GND"))
    assert plus and ground and not plus & ground
    assert {label(end) for end in plus} == {"+"} and {label(end) for end in ground} == {"GND"}


def test_the_second_strip_goes_on_where_the_first_ends():
    far = {label(end): label(other) for end, _, other in wires() if end[0] == "RIM1"}
    assert far == {"5V on": "5V", "DO": "DI", "CO": "CI", "GND on": "GND"}
    power = {(end[0], label(end)) for net in ("5VL", "GND") for start in ends(net) for end in find_reached_pins(start)}
    assert {("RIM1", "5V"), ("RIM1", "GND")} <= power


# The board


@pytest.mark.parametrize("chip", ["U1", "U2"])
def test_the_drivers_have_ground_at_pin_9_and_plus_at_pin_10(chip):
    """Pin 10, COMMON, leads the outputs' diodes to plus; a ULN2803A has the same pins."""
    assert (one(chip).nets[8], one(chip).nets[9]) == ("GND", "5V")


def test_a_button_has_a_resistor_a_pull_up_and_a_capacitor():
    for name, pin in {(f"{button.value}{side or ''}", f"GPIO{pin}") for (side, button), pin in PINS.buttons.items()}:
        beside = {
            frozenset(part.nets): part.value for part in board.list_parts() if pin in part.nets and part.part != "J1"
        }
        assert beside == {frozenset((name, pin)): "1k", frozenset(("3V3", pin)): "10k", frozenset(("GND", pin)): "100n"}


def test_every_lamp_has_a_resistor_on_the_board_before_it_leaves_it():
    for name in SOCKETS:
        for net in set(one(name).nets) - {"5V", "5VL", "GND", board.NONE}:
            (resistor,) = [part for part in board.list_parts() if net in part.nets and part.part != name]
            assert resistor.kind == "resistor" or (net, resistor.part) == ("buzzer", "U2"), net


def test_a_fuse_stands_between_the_pi_and_all_that_gets_five_volts():
    fuses = {part.nets for part in board.list_parts() if part.kind == "fuse"}
    assert fuses == {("PI5V", "5V"), ("PI5V", "5VL")}
    assert {pad.part for pad in board.collect_nets()["PI5V"]} - {"J1", "F1", "F2"} == set()
    assert "J3" in {pad.part for pad in board.collect_nets()["5V"]}, "the lamps of sides 3 to 6 are behind the fuse too"


# The list of parts


def count_uses():
    """Count how often harness and board use each part of the list; what is both is counted once."""
    used = Counter(part.bom for part in board.list_parts() if part.bom != board.NONE)
    connectors, cables = board.build_harness()["connectors"], board.build_harness()["cables"]
    used.update(entry[PN] for name, entry in (*connectors.items(), *cables.items()) if name not in SOCKETS)
    return used


def test_everything_wired_is_in_the_list_as_often_as_it_is_used():
    listed = parts()
    for name, count in count_uses().items():
        assert listed[name]["unit"] == "set" or int(listed[name]["quantity"]) == count, name


def test_every_row_of_the_list_is_whole():
    for name, row in parts().items():
        assert None not in row and None not in row.values(), name
        assert int(row["quantity"]) > 0 and row["unit"] in ("pcs", "set", "printed") and row["purpose"], name
        assert row["unit"] == "printed" or 0 < float(row["eur from"]) <= float(row["eur to"]), name


def test_every_chip_has_its_socket():
    assert parts()["ic-socket"]["quantity"] == parts()["driver"]["quantity"]
    assert parts()["ic-socket-14"]["quantity"] == parts()["level"]["quantity"]


def test_a_range_of_pins_is_spelled_out():
    assert expand_pins(["1-3", 7, "+"]) == ["1", "2", "3", "7", "+"]
