"""The time of each picture of a film, from its time stamps."""

import math
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.tiers import examples
from vision.camera.film_clock import MOST_NOTES, FilmClock, Sampler, clock_text


def times_of(stamps, rate=30.0, slower=1.0):
    clock = FilmClock(rate, slower)
    times, keys = [], []
    for stamp in stamps:
        times.append(clock.time_of(stamp))
        while (note := clock.take_note()) is not None:
            keys.append(note.key)
    return times, keys


EVERY_33 = [33.0 * n for n in range(40)]


@pytest.mark.parametrize("start", [0, -66, 3_600_000])
@pytest.mark.parametrize("rate", [30, 1000.0, 0, math.nan, math.inf, -1])
def test_uneven_stamps_are_the_times_whatever_the_rate_and_the_first_stamp(start, rate):
    stamps = [0, 33, 66, 166, 500, 507]
    times, notes = times_of([start + stamp for stamp in stamps], rate)
    assert times == pytest.approx([stamp / 1000 for stamp in stamps]) and notes == []


@pytest.mark.parametrize(("rate", "step"), [(50, 0.02), (1000.0, 0.04), (0, 0.04), (math.nan, 0.04)])
@pytest.mark.parametrize("stamp", [0.0, math.nan, -math.inf])
def test_without_stamps_time_goes_by_the_rate_if_there_is_one(rate, step, stamp):
    times, notes = times_of([stamp] * 200, rate)
    assert times == pytest.approx([step * n for n in range(200)]) and notes == []


def test_stamps_twice_or_a_little_out_of_order_hold_the_time():
    assert times_of([0, 33, 33, 100, 66, 133])[0] == pytest.approx([0, 0.033, 0.033, 0.1, 0.1, 0.133])


def test_joined_films_go_on_from_where_the_stamps_go_back():
    times, notes = times_of([*EVERY_33, *EVERY_33])
    assert times[40] == pytest.approx(times[39] + 1 / 30) and times[79] - times[40] == pytest.approx(times[39])
    assert notes == ["camera.film-back"]


def test_a_cut_is_as_long_as_its_stamps_say_and_told():
    times, notes = times_of([*EVERY_33, 61_287, 61_320])
    assert times[40:] == pytest.approx([61.287, 61.32]) and notes == ["camera.film-gap"]


def test_a_film_with_a_picture_every_ten_seconds_is_not_all_gaps():
    assert times_of([10_000 * n for n in range(20)], rate=0.1)[1] == []
    assert times_of([10_000 * n for n in range(20)], rate=30)[1] == ["camera.film-gap"] * 2


def test_stamps_that_end_are_told_and_time_goes_on():
    times, notes = times_of([*EVERY_33, *[1287.0] * 90])
    assert notes == ["camera.film-stands"] and times[-1] == pytest.approx(1.287 + 60 / 30, abs=0.05)


def test_of_many_cuts_the_first_are_told_one_by_one():
    notes = times_of([20_000 * (n // 10) + 33 * n for n in range(200)])[1]
    assert notes == ["camera.film-gap"] * MOST_NOTES + ["camera.film-more"]


def test_slow_motion_is_told_in_the_time_of_the_table():
    times, _ = times_of([1000 / 30 * n for n in range(240)], 30, slower=8)
    assert times[-1] == pytest.approx(239 / 240)


@given(st.lists(st.floats(-1e9, 1e9) | st.just(math.nan), max_size=60), st.floats())
@examples(25, 1000)
def test_time_never_goes_back(stamps, rate):
    times, _ = times_of(stamps, rate)
    assert all(math.isfinite(t) for t in times) and all(before <= after for before, after in pairwise(times))


@pytest.mark.parametrize("at", [1, 17, 50])
def test_a_clock_resumed_goes_on_alike(at):
    stamps = list(accumulate([33, 36, 22, 100, 41] * 20))
    whole, _ = times_of(stamps)
    clock = FilmClock(30)
    clock.resume_after(stamps[at], whole[at])
    assert [clock.time_of(stamp) for stamp in stamps[at + 1 :]] == whole[at + 1 :]


@pytest.mark.parametrize("rate", [1, 5, 8, 10, 24, 25, 29.97, 30, 50, 59.94, 60, 90, 120, 144, 239.76, 240])
@pytest.mark.parametrize("wanted", [8.0, 29.0])
def test_as_few_pictures_are_taken_as_lie_near_enough(rate, wanted):
    sampler = Sampler(1 / wanted)
    times = [n / rate for n in range(int(rate * 4)) if sampler.is_due(n / rate)]
    steps = [after - before for before, after in pairwise(times)]
    assert steps == pytest.approx([max(1, int(rate / wanted + 1e-6)) / rate] * len(steps))


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.9, "0:00:00"), (61, "0:01:01"), (3723.4, "1:02:03"), (36000, "10:00:00")]
)
def test_seconds_are_read_as_on_a_clock(seconds, text):
    assert clock_text(seconds) == text
