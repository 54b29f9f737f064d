"""The directors' authentication: the PIN, sessions, and a limit on failed logins. Time is passed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.device.directed import DirectedTable
from web.auth import LASTS, LIMITS, OF_ALL, Guard, Refused


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DirectedTable]:
    table = DirectedTable(tmp_path)
    yield table
    table.close()


def test_the_right_pin_waits_too():
    clock = [0.0]
    guard = Guard(lambda pin: pin == "1", lambda: "made", lambda: clock[0])
    failures = 0
    for clock[0] in (0.0, 1.0, 2.0, 3.0, 65.0, 66.0, 67.0, 130.0, 131.0, 132.0, 200.0, 201.0):
        try:
            guard.enter("2", "a")
        except Refused as error:
            failures += not error.late
    assert failures == 10
    clock[0] = 300.0
    with pytest.raises(Refused):
        guard.enter("1", "a")
    clock[0] = 3605.0
    assert guard.enter("1", "a").token


def test_a_clock_that_is_set_back_makes_nobody_wait_longer():
    clock = [1e6]
    guard = Guard(lambda pin: pin == "1", lambda: "made", lambda: clock[0])
    assert failing(guard, "a", 4) == 3
    clock[0] = 0.0
    assert failing(guard, "a", 1) == 0
    clock[0] = LIMITS[0][0] + 1
    assert guard.enter("1", "a").token


def failing(guard: Guard, address: str, times: int, here: str = "") -> int:
    """Count how often somebody at this address is told that the PIN is wrong, rather than to wait."""
    tried = 0
    for _ in range(times):
        with pytest.raises(Refused) as refused:
            guard.enter("2", address, here)
        tried += not refused.value.late
    return tried


BOX = "2001:db8:1::10"
"""The box's address in its own network."""


@pytest.mark.parametrize(
    ("guesser", "other", "is_one"),
    [
        ("127.0.0.1", "127.8.9.10", True),
        ("127.0.0.5", "::1", True),
        ("::ffff:127.0.0.5", "127.0.0.1", True),
        ("192.168.1.5", "::ffff:192.168.1.5", True),
        ("192.168.1.5", "192.168.1.6", False),
        ("fe80::1%eth0", "fe80::1", True),
        ("fe80::1%eth0", "fe80::2%eth0", False),
        ("2001:db8:1::5", "2001:db8:1::6", False),
        ("2001:db8:2::5", "2001:db8:2::6", True),
        ("2001:db8:2::5", "2001:db8:3::5", False),
        ("a", "b", False),
    ],
)
def test_who_counts_as_one_who_tries_pins(guesser, other, is_one):
    guard = Guard(lambda pin: pin == "1", lambda: "made", lambda: 0.0)
    assert failing(guard, guesser, 20, BOX) == 3
    if is_one:
        assert failing(guard, other, 1, BOX) == 0
    else:
        assert guard.enter("1", other, BOX).token


def test_a_neighbour_of_many_addresses_shuts_nobody_out():
    guard = Guard(lambda pin: pin == "1", lambda: "made", lambda: 0.0)
    session = guard.enter("1", "2001:db8:1::d", BOX)
    assert sum(failing(guard, f"2001:db8:1::{number:x}", 1, BOX) for number in range(0x100, 0x200)) == OF_ALL
    assert guard.session(session.name) is session and guard.enter("1", "2001:db8:1::d", BOX).token
    with pytest.raises(Refused):
        guard.enter("1", "2001:db8:1::e", BOX)


def test_a_session_ends_by_leaving_by_time_and_by_a_new_pin(table):
    client, headers = table.inside()
    assert client.delete("/director/session", headers=headers).status_code == 200
    assert client.post("/director/acts", json={"act": "pause"}, headers=headers).status_code == 401
    client, headers = table.inside()
    table.pin.make()
    assert client.post("/director/acts", json={"act": "pause"}, headers=headers).status_code == 401
    now, stamp = 0.0, "one"
    guard = Guard(lambda pin: True, lambda: stamp, lambda: now)
    session = guard.enter("1", "a")
    now = LASTS
    assert guard.session(session.name) is session
    now += LASTS + 1
    assert guard.session(session.name) is None
