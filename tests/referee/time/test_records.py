"""Time in game records: SGF's TM and OT (the control), BL, WL, OB and OW (the time left after a turn)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour
from referee.game.errors import BadRecord
from referee.time.controls import (
    LONGEST,
    Absolute,
    ByoYomi,
    Canadian,
    Fischer,
    IngPurchase,
    read_control,
)
from referee.time.records import control_of, control_properties, left_properties, parse_time_left
from tests.support.oracle.clock import small_control
from tests.support.tiers import examples

B, W = Colour.BLACK, Colour.WHITE


times = st.integers(1, LONGEST)


numbers = st.integers(1, 999)


controls = st.one_of(
    st.builds(Absolute, times),
    st.builds(ByoYomi, st.integers(0, LONGEST), numbers, times),
    st.builds(Canadian, st.integers(0, LONGEST), numbers, times),
    st.builds(Fischer, times, times),
    st.builds(IngPurchase, times, numbers, times),
)


@examples(30)
@given(control=controls)
def test_controls_in_sgf_are_read_back(control):
    properties = control_properties(control)
    assert control_of(properties["TM"], properties.get("OT", "")) == control


@pytest.mark.parametrize(
    ("tm", "ot", "text"),
    [
        ("1800", "3x60 byo-yomi", "30m+3x60s"),
        ("600.0", "25/600 Canadian", "10m+25/10m"),
        ("259200", "86400 fischer", "72h+24h"),
        ("1800", "fischer 30", "30m+30s"),
        ("600", "5x30", "10m+5x30s"),
        ("600", "5x30s byoyomi", "10m+5x30s"),
        ("", "5x30 byo-yomi", "0s+5x30s"),
    ],
)
def test_controls_as_other_programs_write_them(tm, ot, text):
    assert control_of(tm, ot) == read_control(text)


def test_no_control_and_none_that_can_be_read():
    assert control_of("", "") is None and control_of("0", "") is None
    for tm, ot in [("1800", "by the moon"), ("soon", ""), ("1" * 40, ""), ("1800", "0x30 byo-yomi"), ("60", "3x1.2.3")]:
        with pytest.raises(BadRecord, match=r"^The SGF's [^\n]*\.$"):
            control_of(tm, ot)


@examples(30)
@given(seed=st.integers(0, 10**9), used=st.lists(st.integers(0, 60), max_size=8))
def test_what_is_left_is_read_back(seed, used):
    control = small_control(random.Random(seed))
    left = control.time_at_start()
    for ms in used:
        left = control.close_turn(control.spend(left, ms))
        properties = left_properties(control, W, left)
        assert set(properties) <= {"WL", "OW"}
        assert parse_time_left(control, properties["WL"], properties.get("OW", "")) == left
