"""The record, and the mapping that remembers its positions."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Position
from referee.game.errors import BadRecord
from referee.game.record import Situation
from referee.game.turns import Delay
from referee.rules.ko.kee import PersistentMap
from tests.support.play import play_turns, reason, start_game


class Key:
    """A key whose hash is chosen, so that many collide."""

    def __init__(self, name: int, digest: int) -> None:
        self.name, self.digest = name, digest

    def __hash__(self) -> int:
        return self.digest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and other.name == self.name


hashes = st.sampled_from([0, 1, 32, 33, 1 << 40, (1 << 40) + 1, 1 << 60, -1, -2])
keys = st.tuples(st.integers(0, 30), hashes)


@given(st.lists(st.tuples(keys, st.integers())))
def test_a_mapping_is_a_dict_that_never_changes(items: list[tuple[tuple[int, int], int]]) -> None:
    digests: dict[int, int] = {}
    plain_items: dict[int, Any] = {}
    mapping: PersistentMap[Key, int] = PersistentMap()
    versions: list[tuple[PersistentMap[Key, int], dict[int, int]]] = []
    for (name, digest), value in items:
        key = Key(name, digests.setdefault(name, digest))
        versions.append((mapping, dict(plain_items)))
        mapping, plain_items = mapping.with_item(key, value), {**plain_items, name: value}
    for version, expected in [*versions, (mapping, plain_items)]:
        assert {n: version.get(Key(n, d)) for n, d in digests.items()} == {n: expected.get(n) for n in digests}
    assert mapping.get(Key(99, 32)) is None


def test_extending_leaves_the_record_as_it_was_and_can_be_taken_back() -> None:
    start = start_game(size=(5, 5))
    one = play_turns(start, "B A1")
    two, other = play_turns(one, "W B2"), play_turns(one, "W C3")
    assert (start.number, one.number, two.number) == (0, 1, 2)
    assert two.taken_back() is one and other.taken_back() is one
    assert two.turns == (*one.turns, two.turn)
    assert [record.number for record in two.iterate_back()] == [2, 1, 0]
    with pytest.raises(BadRecord, match="no turn to take back"):
        start.taken_back()


def test_a_branch_does_not_see_the_positions_of_another() -> None:
    start = start_game("ultimate", ".XO.", "XO.O", ".XO.", "....")
    one = play_turns(start, "B C3", "W D1", "B A1")
    two = play_turns(start, "B A1")
    assert one.first_stood(one.position) == 3
    assert two.first_stood(one.position) is None
    assert (one.first_stood(start.position), two.first_stood(start.position)) == (0, 0)
    assert reason(play_turns(one, "W delay", "B delay"), "W B3") is None


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 15)), max_size=60), st.booleans())
def test_what_stood_is_what_stood_in_the_line_of_play_alone(plays: list[tuple[int, int]], deep: bool) -> None:
    """Records are extended again and again from any record there is, most branches from a branch."""
    records = [start_game(size=(2, 2))]
    for parent, stones in plays:
        record = records[-1 - parent % 3 % len(records)] if deep else records[parent % len(records)]
        now = record.situation
        position = Position(now.position.board, (stones & 3, stones & ~3))
        records.append(record.extend(Delay(now.to_play), Situation(position, now.bowls, now.to_play)))
    for record in records:
        for position in {other.position for other in records}:
            expected = [earlier for earlier in record.iterate_back() if earlier.position == position]
            assert list(record.earlier_with(position)) == expected[::-1]
            assert record.first_stood(position) == (expected[-1].number if expected else None)


def test_a_very_long_game_is_no_trouble() -> None:
    """Longer than the interpreter's recursion limit: nothing walks the game by recursion."""
    record = start_game(size=(1, 1), komi=0, bowls=None)
    for _ in range(3 * sys.getrecursionlimit()):
        record = record.extend(Delay(record.to_play), record.situation)
    assert len(record.turns) == record.number == 3 * sys.getrecursionlimit()
    assert record.first_stood(record.position) == 0
    assert "3000 turns" in repr(record)


def test_the_records_since_a_turn_come_in_the_order_of_play() -> None:
    game = play_turns(start_game(size=(5, 5)), "B A1", "W B2", "B C3")
    assert [record.number for record in game.records_since(1)] == [2, 3] and game.records_since(2) == (game,)
    assert game.records_since(3) == () and [record.number for record in game.records_since(-1)] == [0, 1, 2, 3]
