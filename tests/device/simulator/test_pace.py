"""The pace of the virtual world. Wall time is given; the world's frames come ten a second."""

import pytest

from device.simulator.hub import ATTENTION, CATCH_UP, Pace, Watcher

START = 100.0


def had(asked=START):
    return Watcher(True, asked)


def not_had(asked=START):
    return Watcher(False, asked)


@pytest.mark.parametrize("watcher", [None, had(), not_had()])
@pytest.mark.parametrize("speed", [0.5, 1.0, 3.0])
def test_a_slow_world_goes_by_the_wall_clock_whoever_watches(speed, watcher):
    assert Pace(speed, START).wait(0.6, START, watcher) == pytest.approx(0.6 / speed)


def test_a_fast_world_waits_for_the_box_that_watches():
    pace = Pace(20.0, START)
    assert pace.wait(0.1, START + 1, not_had()) == pytest.approx(ATTENTION - 1)
    assert pace.wait(0.1, START + 1, had()) <= 0


def test_a_fast_world_is_no_faster_than_its_speed():
    assert Pace(20.0, START).wait(0.1, START, had()) == pytest.approx(0.005)


@pytest.mark.parametrize("watcher", [None, had(START - ATTENTION), not_had(START - ATTENTION)])
def test_a_fast_unwatched_world_keeps_the_wall_clock_at_speed_3(watcher):
    assert Pace(20.0, START).wait(0.6, START, watcher) == pytest.approx(0.2)


def test_a_world_that_is_a_little_late_makes_up_for_it():
    pace = Pace(1.0, START)
    pace.note_time(0.1, START + 0.1 + CATCH_UP / 2)
    assert pace.wait(0.2, START + 0.15, None) == pytest.approx(0.05)


def test_a_world_that_is_very_late_does_not():
    pace = Pace(1.0, START)
    pace.note_time(0.1, START + 50)
    assert pace.wait(0.1 + CATCH_UP + 0.5, START + 50, None) == pytest.approx(0.5)
