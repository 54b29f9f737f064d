"""The camera's own marks on a picture: tone, blur, noise and JPEG."""

from dataclasses import replace

import numpy as np

from vision.render.looks import club_look
from vision.render.sensor import Finisher

LOOK = club_look(3, 9, 160, 120)
GREY = np.full((120, 160, 3), 128, np.uint8)


PERFECT = {"blur": 0.0, "motion": (0.0, 0.0), "noise": 0.0, "quality": 100, "contrast": 0.0}


def finish_picture(frame: int = 0, picture: np.ndarray = GREY, **finish: object) -> np.ndarray:
    look = replace(LOOK, finish=replace(LOOK.finish, **(PERFECT | finish)))  # type: ignore[arg-type]
    return Finisher(look)(picture, frame)


def test_a_perfect_camera_changes_nothing():
    assert np.array_equal(finish_picture(), GREY)


def test_noise_is_as_strong_as_its_look_and_new_each_frame():
    one, two = finish_picture(0, noise=4.0).astype(float), finish_picture(1, noise=4.0).astype(float)
    assert 2 < one.std() < 8 and abs(one.mean() - 128) < 1 and not np.array_equal(one, two)
    assert np.array_equal(finish_picture(0, noise=4.0), one)


def test_blur_and_motion_spread_an_edge():
    edge = np.zeros((120, 160, 3), np.uint8)
    edge[:, 80:] = 200
    for change in ({"blur": 3.0}, {"motion": (9.0, 0.0)}):
        row = finish_picture(picture=edge, **change)[60, :, 0]
        assert len(np.unique(row)) > 3 and (np.diff(row.astype(int)) >= 0).all()
