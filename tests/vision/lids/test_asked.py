"""The number of times the net is asked about a lid: twice if it is plainly empty, else in all ways."""

from functools import cache

import numpy as np
import pytest

from referee import Colour
from tests.support.tiers import is_long_run
from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.lids import net
from vision.lids.confidence import count_stones, is_plainly_empty, is_sure
from vision.lids.count import LidReading, read_lid
from vision.lids.net import TWO, WAYS, ask_around, ask_twice, cut_square
from vision.render.looks import club_look
from vision.render.scene import LID_STONE, LidStone
from vision.training.drawn_lids import draw_lid

ONE = (LidStone(0.35, -0.2, 0, Colour.BLACK),)


@cache
def draw_stones(*stones: LidStone, seed: int = 4) -> tuple[Image, Box, float]:
    """A lid with those stones, its box and a stone's width."""
    pixels, truth = draw_lid(stones, club_look(seed, 19, 1280, 720), 220, np.random.default_rng(seed))
    return pixels, truth.box, LID_STONE * max(truth.box.w, truth.box.h)


@pytest.fixture
def asked_ways(monkeypatch: pytest.MonkeyPatch) -> list[net.Way]:
    """The ways in which the net is asked from here on; it remembers nothing."""
    ways: list[net.Way] = []

    def remembered(pixels: bytes, shape: tuple[int, ...], way: net.Way) -> net.Answer:
        ways.append(way)
        return net._compute_answer(pixels, shape, way, net._load_shipped_net())

    monkeypatch.setattr(net, "_cached_answer", remembered)
    return ways


@pytest.mark.parametrize("seed", [4, 7, 9])
def test_a_plainly_empty_lid_is_asked_about_twice(asked_ways, seed):
    pixels, box, stone = draw_stones(seed=seed)
    assert read_lid(pixels, box, stone) == LidReading(box, 0, 0, (0, 0), (0, 0), True, True)
    assert asked_ways == list(TWO)


@pytest.mark.parametrize("colour", [Colour.BLACK, Colour.WHITE])
def test_a_lid_with_a_stone_is_asked_about_in_all_ways(asked_ways, colour):
    lid = read_lid(*draw_stones(LidStone(0.35, -0.2, 0, colour)))
    assert (lid.black, lid.white) == (colour is Colour.BLACK, colour is Colour.WHITE)
    assert set(asked_ways) == set(WAYS)


def test_an_empty_lid_at_the_edge_is_examined_fully_and_not_sure(asked_ways):
    pixels, box, stone = draw_stones()
    left = int(box.x)
    cut_off = np.ascontiguousarray(pixels[:, left:])
    assert not read_lid(cut_off, Box(box.x - left, box.y, box.w, box.h), stone).sure
    assert set(asked_ways) == set(WAYS)


def test_what_two_answers_call_plainly_empty_four_are_sure_of():
    for seed in range(12 if is_long_run() else 4):
        pixels, box, _ = draw_stones(*(ONE if seed % 2 else ()), seed=seed)
        square = cut_square(pixels, box)
        two, four = (count_stones(answers, box.w, box.h, square) for answers in (ask_twice(square), ask_around(square)))
        assert is_plainly_empty(two) <= (is_sure(four) and four.colour_counts() == (0, 0) and not seed % 2)


@pytest.mark.parametrize("trouble", ["hand", "pile", "no lid", "doubt", "dark"])
def test_a_lid_with_any_trouble_is_not_plainly_empty(trouble):
    pixels, box, _ = draw_stones()
    square = cut_square(pixels, box)
    answers = ask_twice(square)
    assert is_plainly_empty(count_stones(answers, box.w, box.h, square))
    worse = {
        "hand": lambda one: {"covered": 0.03},
        "pile": lambda one: {"single": 0.97},
        "no lid": lambda one: {"missing": 0.03},
        "doubt": lambda one: {"places": np.maximum(one.places, 0.25)},
    }
    if trouble == "dark":
        square = (square // 3).astype(np.uint8)
    else:
        answers = tuple(type(one)(**{**vars(one), **worse[trouble](one)}) for one in answers)
    assert not is_plainly_empty(count_stones(answers, box.w, box.h, square))
