"""Time controls as texts, in words, and in game records."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.sgf import Sgf_game, Tree_node

from referee.game.board import Colour
from referee.game.errors import BadRecord, BadSetup
from referee.game.messages import Duration, error_message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.records import read_sgf, write_sgf
from referee.time.clock import Clock
from referee.time.controls import (
    LONGEST,
    Absolute,
    ByoYomi,
    Canadian,
    Fischer,
    IngPurchase,
    TimeLeft,
    as_on_a_clock,
    ms_of,
    read_control,
    read_duration,
    seconds_of,
    write_duration,
)
from referee.time.records import ClockTimes, Times, control_of, control_properties, parse_time_left
from tests.support.oracle.clock import small_control
from tests.support.play import play_turns
from tests.support.tiers import examples
from tests.support.wording import english
from web.language import ENGLISH

B, W = Colour.BLACK, Colour.WHITE
M, H = 60_000, 3_600_000
WRITTEN = {
    "45m": Absolute(45 * M),
    "30m+5x30s": ByoYomi(30 * M, 5, 30_000),
    "30m+20/5m": Canadian(30 * M, 20, 5 * M),
    "3m+15s": Fischer(3 * M, 15_000),
    "ing 3h30m 3x35m": IngPurchase(3 * H + 30 * M, 3, 35 * M),
    "ing 60m 3x10m": IngPurchase(60 * M, 3, 10 * M),
}
NO_CONTROLS = [
    *("", "45", "0m", "soon", "30m+", "30m+5x", "30m+0x30s", "30m+x30s", "30m+5x0s", "0s+15s", "-3m", "30m+5x30s+1m"),
    *("ing", "ing 60m", "ing 60m 3", "ing 0s 3x10m", "ing 60m 0x10m", "1001h", "30m+1000x30s", "1m2h", "5.1234s"),
    *("30m + 5x30", "٣m", "9" * 5000 + "m", "1h" * 9, "30m+" + "9" * 5000 + "x30s", "h", "s+s", "m", "30m/5x3"),
]
times = st.integers(1, LONGEST)
numbers = st.integers(1, 999)
controls = st.one_of(
    st.builds(Absolute, times),
    st.builds(ByoYomi, st.integers(0, LONGEST), numbers, times),
    st.builds(Canadian, st.integers(0, LONGEST), numbers, times),
    st.builds(Fischer, times, times),
    st.builds(IngPurchase, times, numbers, times),
)


@pytest.mark.parametrize(("text", "control"), WRITTEN.items())
def test_controls_are_read_and_written(text, control):
    assert read_control(text) == control
    assert str(control) == text


@examples(30)
@given(control=controls)
def test_what_is_written_is_read_back(control):
    assert read_control(str(control)) == control


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (" 30M + 5 x 30S ", "30m+5x30s"),
        ("ING 3h30m 3 x 35m", "ing 3h30m 3x35m"),
        ("1h", "60m"),
        ("90s", "1m30s"),
        ("0s+5×30s", "0s+5x30s"),
        ("2.5s+0.25s", "2.5s+0.25s"),
        ("1800s+1x0.001s", "30m+1x0.001s"),
    ],
)
def test_other_ways_of_writing_the_same(text, same):
    assert str(read_control(text)) == same


@pytest.mark.parametrize(
    "text",
    NO_CONTROLS,
)
def test_a_text_that_names_no_control_gets_one_sentence(text):
    with pytest.raises(BadSetup) as exc_info:
        read_control(text)
    sentence = english(error_message(exc_info.value))
    assert re.fullmatch(r"The time control .* cannot be read\. Please write it like one of these: .*\.", sentence)
    assert len(sentence) < 200


@examples(30)
@given(text=st.text("0123456789hms+x/. ing", max_size=14))
def test_any_text_is_a_control_or_a_sentence(text):
    try:
        control = read_control(text)
    except BadSetup:
        return
    assert read_control(str(control)) == control


def test_controls_in_words():
    sentences = {text: english(control.describe_fully()) for text, control in WRITTEN.items()}
    assert sentences == {
        "45m": "Each player has 45 minutes for the whole game, and loses when it is used up.",
        "30m+5x30s": "Each player has 30 minutes, then 5 periods of 30 seconds. A turn that ends within a period keeps "
        "it. Whoever uses up the last one loses.",
        "30m+20/5m": "Each player has 30 minutes, then 5 minutes for every 20 turns.",
        "3m+15s": "Each player has 3 minutes, plus 15 seconds at the end of each of their turns.",
        "ing 3h30m 3x35m": "Each player has 3 hours 30 minutes. They can then buy 3 periods of 35 minutes for 2 points "
        "each to the opponent. When time runs out and no more can be bought, the game is lost.",
        "ing 60m 3x10m": "Each player has 60 minutes. They can then buy 3 periods of 10 minutes for 2 points each to "
        "the opponent. When time runs out and no more can be bought, the game is lost.",
    }


def test_durations():
    assert [write_duration(ms) for ms in (0, 1, 30_000, 90_000, H, 2 * H, 2 * H + 1)] == [
        "0s",
        "0.001s",
        "30s",
        "1m30s",
        "60m",
        "2h",
        "2h0.001s",
    ]
    assert [ENGLISH.value(Duration(ms)) for ms in (0, 1_000, M, 90_500, 3 * H)] == [
        "0 seconds",
        "1 second",
        "1 minute",
        "1 minute 30.5 seconds",
        "3 hours",
    ]
    assert [as_on_a_clock(ms) for ms in (0, 1, 59_001, 3_600_000)] == ["0:00", "0:01", "1:00", "1:00:00"]
    assert read_duration("1000h") == LONGEST and read_duration("1000h0.001s") is None


@given(ms=st.integers(0, 10**15))
def test_seconds_and_milliseconds(ms):
    assert ms_of(seconds_of(ms)) == ms


# What is left


def test_what_is_used_exactly_is_used_up():
    assert ByoYomi(10, 2, 5).spend(TimeLeft(10, 5, 2), 10) == TimeLeft(0, 5, 2)
    assert ByoYomi(10, 2, 5).spend(TimeLeft(0, 5, 2), 5) == TimeLeft(0, 5, 1)
    assert ByoYomi(10, 2, 5).spend(TimeLeft(0, 5, 1), 5).has_fallen
    assert IngPurchase(10, 2, 5).spend(TimeLeft(10, 0, 2), 10) == TimeLeft(0, 5, 1)
    assert not IngPurchase(10, 2, 5).spend(TimeLeft(10, 0, 2), 19).has_fallen
    assert IngPurchase(10, 2, 5).spend(TimeLeft(10, 0, 2), 20).has_fallen
    assert Canadian(10, 3, 5).spend(TimeLeft(10, 5, 0, 3), 15).has_fallen
    assert Absolute(10).spend(TimeLeft(10), 10).has_fallen and not Absolute(10).spend(TimeLeft(10), 9).has_fallen


def test_canadian_overtime_counts_the_turn_in_which_it_begins():
    control = Canadian(10, 2, 50)
    left = control.close_turn(control.spend(control.time_at_start(), 12))
    assert left == TimeLeft(0, 48, 0, 1)
    assert control.close_turn(control.spend(left, 40)) == TimeLeft(0, 50, 0, 2)


def test_fischer_adds_after_the_turn_and_not_to_a_fallen_flag():
    control = Fischer(100, 30)
    assert control.close_turn(control.spend(control.time_at_start(), 40)) == TimeLeft(90)
    assert control.close_turn(control.spend(control.time_at_start(), 100)).has_fallen


@examples(30)
@given(seed=st.integers(0, 10**9), parts=st.lists(st.integers(0, 60), max_size=6))
def test_time_used_bit_by_bit_is_time_used_at_once(seed, parts):
    control = small_control(random.Random(seed))
    left = control.time_at_start()
    for part in parts:
        left = control.spend(left, part)
    assert left == control.spend(control.time_at_start(), sum(parts))


# Game records


def read_times(data: bytes) -> Times | None:
    """Return the time control of a game record's main line and the times left after its turns; None if it names none.

    sgfmill reads the record.

    Raises BadRecord for a time that cannot be read.
    """
    root, *nodes = Sgf_game.from_bytes(data).get_main_sequence()
    control = control_of(_text(root, "TM"), _text(root, "OT"))
    if control is None:
        return None
    turns = [(node, player) for node in nodes for player in "BW" if node.has_property(player)]
    lefts = {
        number: parse_time_left(control, _text(node, f"{player}L"), _text(node, f"O{player}"))
        for number, (node, player) in enumerate(turns, 1)
        if node.has_property(f"{player}L")
    }
    return Times(control, lefts)


def _text(node: Tree_node, name: str) -> str:
    return str(node.get_raw(name).decode()) if node.has_property(name) else ""


@pytest.mark.parametrize(
    ("text", "tm", "ot"),
    [
        ("45m", "2700", None),
        ("30m+5x30s", "1800", "5x30 byo-yomi"),
        ("30m+20/5m", "1800", "20/300 Canadian"),
        ("3m+15s", "180", "15 Fischer"),
        ("ing 3h30m 3x35m", "12600", "3x2100 Ing"),
        ("0.5s+2x0.125s", "0.5", "2x0.125 byo-yomi"),
        ("0s+1x10s", "0", "1x10 byo-yomi"),
    ],
)
def test_controls_in_sgf(text, tm, ot):
    properties = control_properties(read_control(text))
    assert properties == ({"TM": tm, "OT": ot} if ot else {"TM": tm})
    assert str(control_of(tm, ot or "")) == text


def test_a_count_that_is_none_gets_a_sentence():
    for seconds, count in [("x", ""), ("", ""), ("3", "x"), ("3", "-1"), ("nan", "1")]:
        with pytest.raises(BadRecord, match=r"^The SGF's [^\n]*\.$"):
            parse_time_left(ByoYomi(10, 2, 5), seconds, count)


@pytest.mark.parametrize("text", [*WRITTEN, "5s+2x3s", "5s+2/3s", "ing 5s 3x2s", "2s"])
def test_a_game_with_its_times_as_sgf(text):
    record = play_turns(
        Setup(rule_set("chinese"), size=(9, 9)).record(), "B D4", "W E5", "B F6", "W C3", "B pass", "W G7", "B H8"
    )
    clock, t = Clock.for_control(read_control(text)).start(0), 0.0
    for number, turn in enumerate(record.turns):
        t += 0.25 + number
        clock = clock.press(t, turn.player)
    data = write_sgf(record, times=ClockTimes().read_times(clock))
    assert read_times(data) == ClockTimes().read_times(clock)
    setup, turns = read_sgf(data)
    assert turns == record.turns and setup.record().start == record.start


def test_times_of_a_record_that_has_none_or_some():
    record = play_turns(Setup(rule_set("chinese"), size=(9, 9)).record(), "B D4", "W E5")
    assert read_times(write_sgf(record)) is None
    some = Times(ByoYomi(10, 2, 5), {2: TimeLeft(0, 3, 1)})
    data = write_sgf(record, times=some)
    assert b"WL[0.003]" in data and b"OW[1]" in data and b"BL" not in data
    assert read_times(data) == some


def test_times_as_a_server_writes_them():
    data = b"(;FF[4]GM[1]SZ[9]RU[Japanese]TM[600]OT[5x30 byo-yomi];B[dd]BL[590.5];W[ee]WL[28.2]OW[4])"
    times = read_times(data)
    assert times is not None and times.lefts == {1: TimeLeft(590_500, 30_000, 5), 2: TimeLeft(0, 28_200, 4)}
    with pytest.raises(BadRecord, match="no number of seconds"):
        read_times(data.replace(b"590.5", b"lots"))


def test_time_given_again_under_fischer_is_one_increment():
    assert Fischer(60_000, 5_000).renew_time(TimeLeft(0)) == TimeLeft(5_000)
