"""Phones that lose contact, run low or get hot: told of sides that nobody else serves, and ended by themselves."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import count

import pytest

from device.panel.panel import UNHEARD
from device.panel.phone import PhonePresses
from device.phones.pairing import Pairings
from device.phones.phones import AWAY_S, Phones
from referee.game.messages import Message
from referee.umpire.lamps import Light, Tone, table_lamp
from tests.support.web.showings import begun, showing
from web.language import tongue
from web.language_traits import CODES


class Watched:
    """Phones whose contacts are looked at when a test says so, and the faults that are set."""

    def __init__(self, folder) -> None:
        self.faults, self.nonce, self.now = dict[str, Message](), "", time.monotonic()
        numbers = count()
        self.pairings = Pairings(folder, token=lambda: f"token {next(numbers)}")
        presses = PhonePresses("run", 0.0, lambda press, touched: None)
        self.phones = Phones(
            self.pairings, presses, lambda: self.now, lambda: (None, None), self.fault, lambda said: None
        )
        self.phones.close()  # Its own thread would look now and then.

    def fault(self, what: str, said: Message | None) -> None:
        self.faults.pop(what, None)
        if said is not None:
            self.faults[what] = said

    def pair(self, part: str) -> str:
        found = self.phones.phone_pair(self.pairings.codes()[part], "a browser")
        assert found is not None
        return str(found["secret"])

    def contact(self, secret: str, **state: object) -> None:
        """Make contact as a page does, with the newest answer that it has; heard: what it shows instead."""
        told = self.phones.phone_contact(secret, self.now, {"heard": self.nonce, **state})
        assert told is not None
        self.nonce = str(told["nonce"])

    def look(self, after: float = 0.0) -> list[tuple[str, str]]:
        """The faults so many seconds from now: the first word of each name, and the message's key."""
        self.phones.check_contacts(self.now + after)
        return sorted((what.split()[0], said.key) for what, said in self.faults.items())


@pytest.fixture
def watched(tmp_path, monkeypatch) -> Watched:
    """Phones on a clock that stands until the test sets it."""
    made = Watched(tmp_path)
    monkeypatch.setattr(time, "monotonic", lambda: made.now)
    return made


def test_a_clock_without_contact_is_a_fault_that_ends_by_itself(watched):
    secret = watched.pair("clock")
    assert watched.look() == []
    assert watched.look(after=AWAY_S + 1) == [(UNHEARD, "phone.clock-away")]
    watched.contact(secret, hidden=True)
    assert watched.look() == [(UNHEARD, "phone.clock-hidden")]
    watched.contact(secret)
    assert watched.look() == []


def test_the_camera_without_contact_leaves_the_buttons_heard(watched):
    watched.pair("camera")
    assert watched.look(after=AWAY_S + 1) == [("phone", "phone.camera-away")]


def test_a_clock_is_not_missed_where_others_serve_its_sides(watched):
    one, other = watched.pair("side"), watched.pair("side")
    both = watched.pair("clock")
    watched.contact(both, hidden=True)
    assert watched.look() == []
    watched.contact(other, hidden=True)  # Nobody has side 2 now.
    assert watched.look() == [(UNHEARD, "phone.clock-hidden")] * 2
    watched.contact(one, hidden=True)
    watched.contact(both)
    assert watched.look() == []


def test_a_phone_that_is_removed_is_missed_no_more(watched):
    secret = watched.pair("clock")
    number = watched.phones.phone_part(secret)["number"]
    assert watched.look(after=AWAY_S + 1)
    watched.phones.phone_revoke(number)
    assert watched.faults == {}


@pytest.mark.parametrize(
    ("state", "key"),
    [
        ({"hot": True}, "hot"),
        ({"battery": 0.1, "charging": False}, "battery"),
        ({"battery": 0.1, "charging": True}, None),
        ({"hot": "yes", "battery": None}, None),
    ],
)
@pytest.mark.parametrize("part", ["camera", "clock"])
def test_heat_and_low_battery_are_told_in_every_language(watched, part, state, key):
    secret = watched.pair(part)
    watched.contact(secret, **state)
    assert watched.look() == ([("phone", f"phone.{part}-{key}")] if key else [])
    for code in CODES:
        assert all(len(tongue(code).sentence(said)) > 20 for said in watched.faults.values())


def test_the_table_lamp_is_red_while_buttons_are_not_heard():
    now = showing(begun())
    assert table_lamp(now) == Light(Tone.GREEN)
    assert table_lamp(replace(now, unheard=True)) == Light(Tone.RED)
    assert table_lamp(replace(now, unheard=True, unable=True)) == Light(Tone.RED, pulse=True)


@pytest.mark.parametrize("heard", ["", 0, "a guess", None])
def test_a_clock_that_hears_nothing_is_in_no_contact(watched, heard):
    secret = watched.pair("clock")
    watched.contact(secret)
    for _ in range(5):
        watched.now += 1.0
        watched.contact(secret, heard=heard, run="", made=1 << 40)
    assert watched.look() == [(UNHEARD, "phone.clock-away")]


def test_a_clock_that_shows_what_it_hears_stays_in_contact(watched):
    secret = watched.pair("clock")
    for _ in range(6):
        watched.contact(secret)
        watched.now += 1.0
    assert watched.look() == []
