"""The pin map, the harness, the driver board and the list of parts say the same."""

from __future__ import annotations

from collections import Counter

import pytest
from gpiozero.pins.pi import PiBoardInfo

from device.panel.gpio import KEPT_FREE, PINS
from hardware import board
from referee.events import Button
from tests.support.bom import expanded, label, parts, reached, wires

PI_5 = 0xC04170
NAMES = {Button.DONE: "DONE", Button.CALL: "CALL", Button.SCORE: "SCORE", Button.PAUSE: "PAUSE"}
SUPPLY = {"3V3", "5V", "GND"}
PN = "pn"


def wanted():
    """By GPIO number: the part and its leg that the pin map means."""
    found = {PINS.buzzer: ("BUZZER", "-")}
    for name, lamp in zip(("LAMP1", "LAMP2", "TABLE"), (*PINS.sides, PINS.table), strict=True):
        found |= {lamp.red: (name, "red"), lamp.green: (name, "green"), lamp.blue: (name, "blue")}
    for side, pin in enumerate(PINS.ultimate, 1):
        found[pin] = (f"STONE{side}", "-")
    for (side, button), pin in PINS.buttons.items():
        found[pin] = (f"{NAMES[button]}{side or ''}", "contact")
    return found


def wired():
    """By GPIO number: the parts and legs at the far ends of its wires."""
    starts = {one for one, _, _ in wires() if one[0] == "PI" and label(one) not in SUPPLY}
    return {int(label(one).removeprefix("GPIO")): {(end[0], label(end)) for end in reached(one)} for one in starts}


def test_every_pin_of_the_pin_map_ends_at_its_part_and_no_other_pin_is_wired():
    assert wired() == {pin: {end} for pin, end in wanted().items()}
    assert not set(wired()) & set(KEPT_FREE)


def test_no_pin_of_the_header_has_two_wires():
    assert max(Counter(one for one, _, _ in wires() if one[0] == "PI").values()) == 1


def test_the_header_is_drawn_as_it_is():
    pins = PiBoardInfo.from_revision(PI_5).headers["J8"].pins
    assert board.harness()["connectors"]["PI"]["pinlabels"] == [pins[n].name for n in range(1, 41)]


def test_every_leg_of_every_part_is_wired():
    ends = {pin for one, _, other in wires() for pin in (one, other)}
    for name, connector in board.harness()["connectors"].items():
        if name != "PI":
            pins = connector.get("pins", range(1, len(connector["pinlabels"]) + 1))
            assert {str(pin) for pin in pins} == {pin for at, pin in ends if at == name}, name


def test_no_core_of_a_cable_is_used_twice_or_left_over():
    used = Counter(core for _, core, _ in wires())
    assert max(used.values()) == 1
    for name, cable in board.harness()["cables"].items():
        count = cable.get("wirecount") or len(cable["colors"])
        assert {pin for at, pin in used if at == name} == {str(n) for n in range(1, count + 1)}, name


@pytest.mark.parametrize("side", [1, 2])
def test_a_panel_gets_plus_and_ground_where_its_parts_want_them(side):
    ends = {(end[0], label(end)) for row in ("R+", "R-") for end in reached(("BOARD", row))}
    assert {(f"LAMP{side}", "+"), (f"STONE{side}", "+")} <= ends
    assert {(f"{name}{side}", "GND") for name in ("DONE", "CALL", "SCORE")} <= ends


def test_plus_and_ground_never_meet():
    plus, ground = reached(("BOARD", "R+")), reached(("BOARD", "R-"))
    assert plus and ground and not plus & ground
    assert {label(end) for end in plus} == {"+"} and {label(end) for end in ground} == {"GND"}


# The driver board


def rows():
    """The board's rows that get a wire from a GPIO pin, with what they are for."""
    return {int(end[1]): label(end) for one, _, end in wires() if one[0] == "PI" and label(one) not in SUPPLY}


def test_the_boards_words_are_those_of_the_parts():
    for row, words in rows().items():
        ((end, leg),) = {(at, label((at, pin))) for at, pin in reached(("BOARD", str(row)))}
        told = {"-": "", "contact": ""}.get(leg, f" {leg}")
        assert words == (f"{end[:-1].lower()} {end[-1]}" if end[-1].isdigit() else end.lower()) + told


def chip_rows():
    chips = [one for one in board.fitted() if one.kind == "ULN2803A"]
    return [range(board.place(one.start)[1], board.place(one.end)[1] + 1) for one in chips]


def test_lamps_and_buzzer_go_through_a_chip_and_buttons_through_their_resistors():
    drivers = {row for rows in chip_rows() for row in rows[:-1]}
    pulls = {board.place(one.start)[1] for one in board.fitted() if one.kind == "10 kΩ" and one.end == "L+"}
    series = {board.place(one.start)[1] for one in board.fitted() if one.kind == "1 kΩ"}
    buttons = {row for row, words in rows().items() if words.split()[0] in ("done", "call", "score", "pause")}
    assert pulls == series == buttons
    assert set(rows()) - buttons <= drivers


def test_the_chips_have_nine_rows_and_their_last_row_ground_and_plus():
    links = {(one.start, one.end) for one in board.fitted() if one.kind == "link"}
    assert [len(rows) for rows in chip_rows()] == [9, 9]
    assert links == {link for rows in chip_rows() for link in ((f"a{rows[-1]}", "L-"), (f"j{rows[-1]}", "R+"))}


def test_no_hole_takes_two_things():
    holes = [end for one in board.fitted() for end in (one.start, one.end) if board.place(end)[1]]
    holes += [f"a{row}" for row in rows()] + [f"j{row}" for row in rows()] + ["j30"]
    assert max(Counter(holes).values()) == 1
    assert all(1 <= board.place(hole)[1] <= board.ROWS for hole in holes)


def test_a_fuse_stands_between_the_pi_and_all_that_gets_five_volts():
    (fuse,) = [one for one in board.fitted() if one.kind == "fuse"]
    assert (fuse.start, fuse.end) == ("i30", "R+")
    assert [end for one, _, end in wires() if one[0] == "PI" and label(one) == "5V"] == [("BOARD", "30")]


# The list of parts


def counted():
    """How often harness and driver board use each part of the list."""
    used = Counter(one.bom for one in board.fitted())
    connectors, cables = board.harness()["connectors"], board.harness()["cables"]
    used.update(one[PN] for one in (*connectors.values(), *cables.values()))
    for one in connectors.values():
        for small in one.get("additional_components", ()):
            used[small[PN]] += small["qty"]
    return used


def test_everything_wired_is_in_the_list_as_often_as_it_is_used():
    listed = parts()
    for name, count in counted().items():
        assert listed[name]["unit"] == "set" or int(listed[name]["quantity"]) == count, name


def test_every_row_of_the_list_is_whole():
    for name, row in parts().items():
        assert None not in row and None not in row.values(), name
        assert int(row["quantity"]) > 0 and row["unit"] in ("pcs", "set", "printed") and row["purpose"], name
        assert row["unit"] == "printed" or 0 < float(row["eur from"]) <= float(row["eur to"]), name


def test_every_chip_has_its_socket():
    assert parts()["ic-socket"]["quantity"] == parts()["driver"]["quantity"]


def test_a_range_of_pins_is_spelled_out():
    assert expanded(["1-3", 7, "R+"]) == ["1", "2", "3", "7", "R+"]
