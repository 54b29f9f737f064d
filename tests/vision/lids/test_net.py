"""Asking the lid reader's net: several views of a lid, whose answers lie as the lid does; what is no lid."""

import numpy as np
import pytest

from referee.game.board import Colour
from vision.calibration.model import Box
from vision.lids.net import PLANES, ROOM, SIDE, STEP, _scale_square, ask_around, ask_net, cut_square, make_planes
from vision.render.looks import club_look
from vision.render.scene import LidStone
from vision.training.drawn_lids import draw_lid


def one_stone() -> np.ndarray:
    rng = np.random.default_rng(5)
    pixels, truth = draw_lid((LidStone(0.35, -0.2, 0, Colour.WHITE),), club_look(4, 19, 1280, 720), 220, rng)
    return cut_square(pixels, truth.box)


def test_all_answers_point_to_the_same_stone():
    square = one_stone()
    spots = [np.unravel_index(int(answer.places[1].argmax()), answer.places[1].shape) for answer in ask_around(square)]
    assert len(spots) == 4 and np.ptp(np.array(spots), axis=0).max() <= 2
    y, x = (int(n) * STEP for n in spots[0])
    assert square[y - 3 : y + 4, x - 3 : x + 4].mean() > square.mean() + 30


def test_a_lid_is_told_from_a_bare_table():
    rng = np.random.default_rng(1)
    bare = np.clip(rng.normal((90, 120, 150), 6, (SIDE, SIDE, 3)), 0, 255).astype(np.uint8)
    assert ask_net(one_stone()).missing < 0.5 < ask_net(bare).missing


def test_the_net_sees_ratios_beside_colours():
    square = one_stone()
    dim = (square // 4).astype(np.uint8)
    assert make_planes(square).shape == (PLANES, SIDE, SIDE)
    colours, ratios = (np.abs(make_planes(square)[part] - make_planes(dim)[part]).mean() for part in (slice(3), 3))
    assert colours > 4 * ratios


def test_the_net_sees_plainly_what_differs_by_a_few_levels():
    faint = np.full((SIDE, SIDE, 3), 8, np.uint8)
    faint[50:62, 50:62] += 6
    assert make_planes(faint)[4, 55, 55] > 1 > 0.3 > make_planes(np.full_like(faint, 8))[4].max()


def test_what_the_net_sees_turns_with_the_square():
    square = one_stone()
    turned, mirrored = (
        make_planes(np.ascontiguousarray(view)) for view in (np.rot90(square, 2), square.transpose(1, 0, 2))
    )
    assert np.allclose(turned, np.rot90(make_planes(square), 2, (1, 2)), atol=1e-6)
    assert np.allclose(mirrored, make_planes(square).transpose(0, 2, 1), atol=1e-6)


def test_the_square_is_so_much_wider_than_the_lid():
    picture = np.zeros((300, 300, 3), np.uint8)
    picture[100:200, 100:200] = 255
    square = cut_square(picture, Box(100, 100, 100, 100))
    assert abs((square[SIDE // 2] > 127).any(axis=-1).sum() - SIDE / ROOM) <= 2


def test_a_square_that_was_just_asked_about_is_not_asked_about_again(monkeypatch):
    square = np.random.default_rng(7).integers(0, 255, (SIDE, SIDE, 3), dtype=np.uint8)
    first = ask_net(square)
    monkeypatch.setattr("vision.lids.net._load_shipped_net", lambda: None)
    assert ask_net(square.copy()) is first and not first.places.flags.writeable
    monkeypatch.undo()
    other = square.copy()
    other[0, 0, 0] ^= 1
    assert ask_net(other) is not first


@pytest.mark.parametrize("larger", [0.8, 1.0, 1.25])
def test_a_square_is_scaled_about_its_middle(larger):
    square = np.zeros((SIDE, SIDE), np.float32)
    square[SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4] = 1
    image = _scale_square(square, larger)
    assert np.argwhere(image > 0.5).mean(axis=0) == pytest.approx(np.full(2, (SIDE - 1) / 2), abs=0.1)
    assert image.sum() == pytest.approx(square.sum() * larger**2, rel=0.02)
