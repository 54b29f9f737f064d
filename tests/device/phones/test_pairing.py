"""Codes that are used once, and the browsers that used them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.phones.pairing import FILE, MOST, Pairings
from tests.support.web.snapshots import begun_table, take_snapshot
from web.backend import CAMERA, CLOCK, SIDE

EMPTY, BEGUN = take_snapshot(begun_table(), 1), take_snapshot(begun_table().play("B E5"), 2)


def snapshot_of_match(match: str, is_played: bool = False):
    return replace(BEGUN if is_played else EMPTY, match=match)


@pytest.fixture
def pairings(tmp_path) -> Pairings:
    pairings = Pairings(tmp_path)
    pairings.follow(snapshot_of_match("one"))
    return pairings


def pair(pairings: Pairings, part: str) -> str:
    pairing = pairings.pair(pairings.codes()[part], "a phone")
    assert pairing is not None
    return pairing[0]


def test_a_code_works_once(pairings):
    code = pairings.codes()[CLOCK]
    assert pairings.pair(code, "a phone") is not None
    assert pairings.pair(code, "another") is None


def test_a_code_is_for_its_part(pairings):
    secret = pair(pairings, CAMERA)
    assert pairings.allow(secret).part == CAMERA and pairings.allow(secret).sides == ()


def test_the_code_for_one_side_is_for_the_first_without_a_clock(pairings):
    sides = [pairings.allow(pair(pairings, SIDE)).sides for _ in range(2)]
    assert sides == [(1,), (2,)]


def test_nobody_is_let_in_by_another_secret(pairings):
    pair(pairings, CLOCK)
    assert pairings.allow("") is None and pairings.allow("schlüssel\udcff") is None


def test_clocks_give_way_and_the_camera_stays(pairings):
    camera, clocks = pair(pairings, CAMERA), [pair(pairings, CLOCK) for _ in range(MOST + 3)]
    assert pairings.allow(camera) is not None and len(pairings.listed()) == MOST
    assert [pairings.allow(clock) is not None for clock in clocks] == [False] * 4 + [True] * (MOST - 1)


def test_a_clock_of_an_earlier_match_gives_way_first(pairings):
    pairings.follow(snapshot_of_match("one", is_played=True))
    early = [pair(pairings, CLOCK) for _ in range(2)]
    pairings.keep()
    pairings.follow(snapshot_of_match("two"))
    now = [pair(pairings, CLOCK) for _ in range(MOST)]
    assert all(pairings.allow(clock) for clock in now) and not any(pairings.allow(clock) for clock in early)


def test_a_phone_is_revoked(pairings):
    secret = pair(pairings, CLOCK)
    pairings.revoke(pairings.allow(secret).number)
    assert pairings.allow(secret) is None and pairings.listed() == ()


def test_nothing_is_written_if_no_phone_was_revoked(pairings, tmp_path):
    pair(pairings, CLOCK)
    (tmp_path / FILE).unlink()
    assert pairings.revoke(99) is None
    assert not (tmp_path / FILE).exists()


def test_a_clock_and_a_code_are_for_their_match_alone(pairings):
    secret, code = pair(pairings, CLOCK), pairings.codes()[CLOCK]
    pairings.follow(snapshot_of_match("one", is_played=True))
    pairings.follow(snapshot_of_match("two"))
    assert pairings.allow(secret) is None
    assert pairings.pair(code, "late") is None
    pairings.keep()
    assert pairings.allow(secret) is not None


def test_a_match_without_a_turn_hands_its_clocks_and_codes_on(pairings):
    secret, code = pair(pairings, CLOCK), pairings.codes()[SIDE]
    pairings.follow(snapshot_of_match("two"))
    assert pairings.allow(secret) is not None and pairings.pair(code, "a phone") is not None


def test_clocks_of_a_match_before_the_last_are_not_handed_on(pairings):
    secret = pair(pairings, CLOCK)
    pairings.follow(snapshot_of_match("one", is_played=True))
    pairings.follow(snapshot_of_match("two"))
    pairings.follow(snapshot_of_match("three"))
    assert pairings.allow(secret) is None


def test_a_camera_stays(pairings):
    secret = pair(pairings, CAMERA)
    pairings.follow(snapshot_of_match("one", is_played=True))
    pairings.follow(snapshot_of_match("two"))
    assert pairings.allow(secret) is not None


def test_there_is_one_camera(pairings):
    first, second = pair(pairings, CAMERA), pair(pairings, CAMERA)
    assert pairings.allow(first) is None and pairings.allow(second) is not None


def test_a_box_that_starts_again_knows_its_phones(pairings, tmp_path):
    secret = pair(pairings, CLOCK)
    pairings.follow(snapshot_of_match("one", is_played=True))
    again = Pairings(tmp_path)
    again.follow(snapshot_of_match("one", is_played=True))
    assert again.allow(secret) is not None
    assert secret not in (tmp_path / FILE).read_text()


@pytest.mark.parametrize("damage", ["", "[", "{}", '{"match": 1, "begun": 2, "last": "x", "paired": 3}'])
def test_a_damaged_file_lets_nobody_in(pairings, tmp_path, damage):
    secret = pair(pairings, CLOCK)
    (tmp_path / FILE).write_text(damage)
    assert Pairings(tmp_path).allow(secret) is None


def test_the_oldest_gives_way(pairings):
    secrets = [pair(pairings, CLOCK) for _ in range(MOST + 1)]
    assert pairings.allow(secrets[0]) is None and pairings.allow(secrets[1]) is not None
