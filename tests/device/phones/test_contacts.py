"""Phones that lose contact, run low or get hot: told of sides that nobody else serves, and ended by themselves."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import count

import pytest

from device.panel.panel import UNHEARD
from device.panel.phone_presses import PhonePresses
from device.phones.pairing import Pairings
from device.phones.phones import AWAY_S, Phones
from referee.game.messages import Message
from referee.table.lamps import Light, Tone, table_lamp
from tests.support.web.snapshots import begun_table, take_snapshot
from web.language import find_translator
from web.language_traits import CODES


class WatchedPhones:
    """Phones whose contacts are looked at when a test says so, and the faults that are set."""

    def __init__(self, folder) -> None:
        self.faults, self.nonce, self.now = dict[str, Message](), "", time.monotonic()
        numbers = count()
        self.pairings = Pairings(folder, token=lambda: f"token {next(numbers)}")
        presses = PhonePresses("run", 0.0, lambda press, touched: None)
        self.phones = Phones(
            self.pairings, presses, lambda: self.now, lambda: (None, None), self.fault, lambda message: None
        )
        self.phones.close()  # Its own thread would look now and then.

    def fault(self, what: str, message: Message | None) -> None:
        self.faults.pop(what, None)
        if message is not None:
            self.faults[what] = message

    def pair(self, part: str) -> str:
        pairing = self.phones.phone_pair(self.pairings.codes()[part], "a browser")
        assert pairing is not None
        return str(pairing["secret"])

    def contact(self, secret: str, **state: object) -> None:
        """Make contact as a page does, with the newest answer that it has; heard: what it shows instead."""
        answer = self.phones.phone_contact(secret, self.now, {"heard": self.nonce, **state})
        assert answer is not None
        self.nonce = str(answer["nonce"])

    def look(self, after: float = 0.0) -> list[tuple[str, str]]:
        """The faults so many seconds from now: the first word of each name, and the message's key."""
        self.phones.check_contacts(self.now + after)
        return sorted((what.split()[0], message.key) for what, message in self.faults.items())


@pytest.fixture
def watched_phones(tmp_path, monkeypatch) -> WatchedPhones:
    """Phones on a clock that stands until the test sets it."""
    phones = WatchedPhones(tmp_path)
    monkeypatch.setattr(time, "monotonic", lambda: phones.now)
    return phones


def test_a_clock_without_contact_is_a_fault_that_ends_by_itself(watched_phones):
    secret = watched_phones.pair("clock")
    assert watched_phones.look() == []
    assert watched_phones.look(after=AWAY_S + 1) == [(UNHEARD, "phone.clock-away")]
    watched_phones.contact(secret, hidden=True)
    assert watched_phones.look() == [(UNHEARD, "phone.clock-hidden")]
    watched_phones.contact(secret)
    assert watched_phones.look() == []


def test_the_camera_without_contact_leaves_the_buttons_heard(watched_phones):
    watched_phones.pair("camera")
    assert watched_phones.look(after=AWAY_S + 1) == [("phone", "phone.camera-away")]


def test_a_clock_is_not_missed_where_others_serve_its_sides(watched_phones):
    one, other = watched_phones.pair("side"), watched_phones.pair("side")
    both = watched_phones.pair("clock")
    watched_phones.contact(both, hidden=True)
    assert watched_phones.look() == []
    watched_phones.contact(other, hidden=True)  # Nobody has side 2 now.
    assert watched_phones.look() == [(UNHEARD, "phone.clock-hidden")] * 2
    watched_phones.contact(one, hidden=True)
    watched_phones.contact(both)
    assert watched_phones.look() == []


def test_a_phone_that_is_removed_is_missed_no_more(watched_phones):
    secret = watched_phones.pair("clock")
    number = watched_phones.phones.phone_part(secret)["number"]
    assert watched_phones.look(after=AWAY_S + 1)
    watched_phones.phones.phone_revoke(number)
    assert watched_phones.faults == {}


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
def test_heat_and_low_battery_are_told_in_every_language(watched_phones, part, state, key):
    secret = watched_phones.pair(part)
    watched_phones.contact(secret, **state)
    assert watched_phones.look() == ([("phone", f"phone.{part}-{key}")] if key else [])
    for code in CODES:
        assert all(len(find_translator(code).sentence(message)) > 20 for message in watched_phones.faults.values())


def test_the_table_lamp_is_red_while_buttons_are_not_heard():
    now = take_snapshot(begun_table())
    assert table_lamp(now) == Light(Tone.GREEN)
    assert table_lamp(replace(now, unheard=True)) == Light(Tone.RED)
    assert table_lamp(replace(now, unheard=True, unable=True)) == Light(Tone.RED, pulse=True)


@pytest.mark.parametrize("heard", ["", 0, "a guess", None])
def test_a_clock_that_hears_nothing_is_in_no_contact(watched_phones, heard):
    secret = watched_phones.pair("clock")
    watched_phones.contact(secret)
    for _ in range(5):
        watched_phones.now += 1.0
        watched_phones.contact(secret, heard=heard, run="", made=1 << 40)
    assert watched_phones.look() == [(UNHEARD, "phone.clock-away")]


def test_a_clock_that_shows_what_it_hears_stays_in_contact(watched_phones):
    secret = watched_phones.pair("clock")
    for _ in range(6):
        watched_phones.contact(secret)
        watched_phones.now += 1.0
    assert watched_phones.look() == []
