"""The lock of a camera's settings: exposure and white balance while the light stays, and the focus."""

from __future__ import annotations

import numpy as np

from vision.camera.camera_control import TRIES, ExposureLock, mean_brightness


def picture(value):
    return np.full((48, 64, 3), value, np.uint8)


def test_a_jumping_camera_is_left_adapting_after_three_tries() -> None:
    lock, holds = ExposureLock(), False
    told_holds = []
    for count in range(600):
        hold = lock.update(30.0 if holds else 100.0, count / 10)
        holds = holds if hold is None else hold
        told_holds += [] if hold is None else [hold]
    assert told_holds == [True, False] * TRIES and lock.has_given_up


def test_jumps_between_calm_times_do_not_add_up() -> None:
    """In a long dusk the camera adapts often, and now and then a sleeve comes in just as it begins to hold."""
    lock, held_at, holds, jumped = ExposureLock(), 0.0, 0, 0
    for count in range(4000):
        t = count / 10
        sleeve = holds % 2 == 1 and t - held_at < 1
        hold = lock.update(130.0 if sleeve else 100.0, t, 0.9 if t - held_at > 10 else 1.0)
        jumped += hold is False and sleeve
        holds, held_at = (holds + 1, t) if hold else (holds, held_at)
    assert jumped > TRIES and not lock.has_given_up


def test_brightness_is_the_mean() -> None:
    picture = np.zeros((64, 64, 3), np.uint8)
    picture[:, 32:] = 200
    assert mean_brightness(picture) == 100
