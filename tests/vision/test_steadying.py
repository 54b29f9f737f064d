"""A camera adapts, holds, and adapts again in another light: told by brightness and time alone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.live import TRIES, Steadying, level_of


def asked(levels: list[tuple[float, float]], steadying: Steadying | None = None) -> list[tuple[float, bool]]:
    """What the camera is told, and when, at these times and brightnesses."""
    steadying = steadying or Steadying()
    told = [(t, steadying.told(level, t)) for t, level in levels]
    return [(t, hold) for t, hold in told if hold is not None]


def steady(level: float, begin: float, end: float) -> list[tuple[float, float]]:
    """Ten pictures a second of one brightness."""
    return [(begin + count / 10, level) for count in range(round(10 * (end - begin)))]


def test_it_adapts_for_three_seconds_and_then_holds() -> None:
    assert asked(steady(100, 10, 30)) == [(13.0, True)]


def test_a_hand_for_two_seconds_changes_nothing() -> None:
    assert asked([*steady(100, 0, 10), *steady(60, 10, 12), *steady(100, 12, 30)]) == [(3.0, True)]


@pytest.mark.parametrize("level", [60.0, 140.0])
def test_in_another_light_it_adapts_again_and_holds_that(level: float) -> None:
    pictures = [*steady(100, 0, 10), *steady(level, 10, 30)]
    assert asked(pictures) == [(3.0, True), (13.0, False), (16.0, True)]


def test_a_light_that_changes_slowly_by_a_fifth_is_the_same_light() -> None:
    pictures = [(t / 10, 100 - 0.02 * t) for t in range(1000)]
    assert asked(pictures) == [(3.0, True)]


def test_a_camera_that_jumps_as_it_holds_is_left_adapting_after_three_tries() -> None:
    steadying, holds = Steadying(), False
    told = []
    for count in range(600):
        hold = steadying.told(30.0 if holds else 100.0, count / 10)
        holds = holds if hold is None else hold
        told += [] if hold is None else [hold]
    assert told == [True, False] * TRIES and steadying.has_given_up


def test_a_black_picture_is_no_trouble() -> None:
    assert asked(steady(0, 0, 10)) == [(3.0, True)]


def test_brightness_is_the_mean() -> None:
    picture = np.zeros((64, 64, 3), np.uint8)
    picture[:, 32:] = 200
    assert level_of(picture) == 100
