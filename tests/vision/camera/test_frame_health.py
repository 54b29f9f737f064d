"""Faults of a camera are told as what they are; and a table that is well, however it looks, is no fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import cv2
import numpy as np
import pytest

from device.simulator.games import ultimate_game
from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, Tempo, table_of
from tests.support import ROOT
from tests.support.shared import photos
from tests.support.tiers import is_long_run, sample
from tests.support.vision.feeds import SPOILED, Spoil, every_way, noisy
from tests.support.vision.tables import club_table
from vision.camera.frame import Frame, Image, read_image
from vision.camera.frame_health import (
    CLEAR_AFTER_S,
    NEW_SIZE_AFTER_S,
    REPORT_AFTER_S,
    REPORT_FROZEN_AFTER_S,
    RING,
    Fault,
    FrameHealthMonitor,
)
from vision.render.scene import Hand, Scene

WIDTH, HEIGHT, RATE = 480, 270, 10
ROWS = (".........", "..X...O..", "......X..", ".........", "....O....", *4 * (".........",))
STILL, ARM = Scene(ROWS, ((), ())), Scene(ROWS, ((), ()), Hand((0.5, 0.5), "top", 1.0))


@cache
def shots(seed: int, scene: Scene = STILL) -> tuple[Image, ...]:
    """Some pictures of a drawn table, each with noise of its own."""
    table = club_table(seed, 9, WIDTH, HEIGHT)
    return tuple(table.draw(scene, frame).pixels for frame in range(RING + 2))


def known_monitor(seed: int = 1) -> FrameHealthMonitor:
    """A feed that has seen the table, and nothing wrong with it."""
    feed = FrameHealthMonitor()
    for t, pixels in enumerate(shots(seed)):
        assert feed.judge_frame(Frame(pixels, t / RATE)).well
        feed.trust_frame(Frame(pixels, t / RATE))
    return feed


Reports = list[tuple[float, Fault | None]]
WAYS = [pytest.param(fault, spoil, id=f"{fault} {n}") for n, (fault, spoil) in enumerate(every_way())]


def grainy_picture(number: int) -> Image:
    """A small picture without a board, of its own."""
    return noisy(number, 90, 160)


def feed_pictures(
    feed: FrameHealthMonitor, pictures: Iterable[Image], begin: float = 10.0, rate: float = RATE, idle: float = 0.0
) -> Reports:
    """Return what is told, and when, seconds after the first of these; nothing told may be looked at."""
    reports: Reports = []
    for count, pixels in enumerate(pictures):
        judged = feed.judge_frame(Frame(pixels, begin + count / rate), idle)
        assert not (judged.well and judged.fault)
        if judged.fault is not (reports[-1][1] if reports else None):
            reports.append((count / rate, judged.fault))
    return reports


def spoil_pictures(spoil: Spoil, seed: int, many: int) -> Iterator[Image]:
    rng = np.random.default_rng(seed)
    return (spoil(shots(seed)[n % len(shots(seed))], rng) for n in range(many))


@pytest.mark.parametrize("seed", sample([1, 2, 4, 5], 1))
@pytest.mark.parametrize(("fault", "spoil"), WAYS)
def test_what_is_wrong_is_told_within_a_second_or_so_and_over_soon_after(fault, spoil, seed):
    feed = known_monitor(seed)
    ((t, report),) = feed_pictures(feed, spoil_pictures(spoil, seed, 15))
    assert report is fault and t <= REPORT_AFTER_S + 0.1
    well = ((shots(seed)[n % RING].astype(int) ^ 1).astype(np.uint8) for n in range(RING))
    ((t, report),) = feed_pictures(feed, well, 11.5)[1:]
    assert report is None and t <= CLEAR_AFTER_S + 0.1


@pytest.mark.parametrize(("fault", "spoil"), WAYS)
def test_no_frame_with_a_fault_is_looked_at_even_before_it_is_told(fault, spoil):
    feed = known_monitor()
    assert [
        feed.judge_frame(Frame(pixels, 10 + n / 10)).well for n, pixels in enumerate(spoil_pictures(spoil, 1, 5))
    ] == [False] * 5


@pytest.mark.parametrize("buffers", [1, 2, 4, RING])
def test_a_frozen_camera_is_told_after_two_seconds(buffers):
    ((t, report),) = feed_pictures(known_monitor(), (shots(2)[n % buffers] for n in range(40)))
    assert report is Fault.FROZEN and REPORT_FROZEN_AFTER_S - 0.1 <= t <= REPORT_FROZEN_AFTER_S + 1


def test_no_repeated_frame_is_looked_at():
    feed = known_monitor()
    assert feed.judge_frame(Frame(shots(2)[0], 10.0)).well
    assert not any(feed.judge_frame(Frame(shots(2)[0], 10.0 + n / 10)).well for n in range(1, 10))


def test_a_camera_that_repeats_every_second_frame_is_well():
    fresh = (grainy_picture(n // 2) for n in range(200))
    assert feed_pictures(FrameHealthMonitor(), fresh, rate=30) == []


def test_one_frame_a_second_is_too_slow_and_sixty_are_left_out_in_part():
    fresh = [grainy_picture(n) for n in range(120)]
    ((t, report),) = feed_pictures(FrameHealthMonitor(), fresh[:10], rate=1, idle=1.0)
    assert report is Fault.SLOW and t <= 3
    feed = FrameHealthMonitor()
    judged = [feed.judge_frame(Frame(pixels, n / 60)) for n, pixels in enumerate(fresh)]
    assert all(one.well or one.soon for one in judged) and 30 <= sum(one.well for one in judged) <= 60


@pytest.mark.parametrize("late", [0.0, 0.2, 0.3, 0.5, 0.6])
def test_one_frame_a_second_is_reported_with_the_second_frame(late):
    """late: by so much the first of them, for which the box may have read a new picture."""
    feed = FrameHealthMonitor()
    times = [n / RATE for n in range(20)] + [2.0 + 1.0 + late, 2.0 + 2.0, 2.0 + 3.0]
    reports = [(t, feed.judge_frame(Frame(grainy_picture(n), t), idle=0.9).fault) for n, t in enumerate(times)]
    assert min(t for t, fault in reports if fault is Fault.SLOW) <= 4.0


def test_a_pause_of_a_second_is_not_reported_and_ends_soon():
    feed = FrameHealthMonitor()
    times = [n / RATE for n in range(20)] + [3.0 + n / RATE for n in range(20)]
    judged = [feed.judge_frame(Frame(grainy_picture(n), t), idle=0.9) for n, t in enumerate(times)]
    assert not any(one.fault for one in judged) and all(one.well for one in judged[22:])


def test_a_box_that_is_slow_does_not_blame_its_camera():
    feed = FrameHealthMonitor()
    judged = [feed.judge_frame(Frame(grainy_picture(n), float(n)), idle=0.1) for n in range(10)]
    assert all(one.well for one in judged)


def test_some_bad_frames_among_good_ones_are_left_out_and_not_told():
    pictures = (grainy_picture(n) if n % 4 else np.zeros((90, 160, 3), np.uint8) for n in range(80))
    feed = FrameHealthMonitor()
    judged = [feed.judge_frame(Frame(pixels, n / 10)) for n, pixels in enumerate(pictures)]
    assert [one.well for one in judged] == [n % 4 > 0 for n in range(80)] and not any(one.fault for one in judged)


def test_two_of_three_frames_torn_are_told():
    rng, tear = np.random.default_rng(1), SPOILED[Fault.TORN][-1]
    pictures = (tear(grainy_picture(n), rng) if n % 3 else grainy_picture(n) for n in range(40))
    feed = FrameHealthMonitor()
    feed.trust_frame(Frame(grainy_picture(1000), 9.0))
    assert feed_pictures(feed, pictures)[0][1] is Fault.TORN


def test_another_size_is_believed_when_the_camera_was_opened_anew():
    feed, half = known_monitor(), [grainy_picture(n) for n in range(330)]
    feed_pictures(feed, half)
    assert feed.reported_fault is Fault.SIZE and feed.is_outgrown and len(half) / RATE > NEW_SIZE_AFTER_S
    feed.reset()
    assert feed.judge_frame(Frame(half[0], 100.0)).well


def test_a_person_who_says_where_the_board_lies_is_believed():
    feed = known_monitor()
    turned = [np.ascontiguousarray(pixels[::-1, ::-1]) for pixels in shots(1)]
    assert feed_pictures(feed, turned[:2]) == [] and not feed.judge_frame(Frame(turned[2], 20.0)).well
    feed.forget_table()
    assert feed.judge_frame(Frame(turned[3], 30.0)).well


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(1, 9), 1))
def test_hands_a_dim_light_a_bright_one_and_a_knock_are_no_faults(seed):
    knock = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 2.0, 1.0)
    knock[:, 2] += (9, -7)
    for change in (
        lambda pixels: pixels,
        lambda pixels: (pixels * 0.25).astype(np.uint8),
        lambda pixels: np.clip(pixels * 1.5, 0, 255).astype(np.uint8),
        lambda pixels: cv2.warpAffine(pixels, knock, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT),
    ):
        feed = known_monitor(seed)
        for scene in (STILL, ARM):
            judged = [
                feed.judge_frame(Frame(change(pixels ^ 1), 10 + n / 10)) for n, pixels in enumerate(shots(seed, scene))
            ]
            assert all(one.well for one in judged)
            feed = known_monitor(seed)


@pytest.mark.slow
@pytest.mark.parametrize("size", sample([9, 13, 19], 1))
def test_a_game_on_a_drawn_table_has_no_fault_however_fast_it_is_seen(size):
    script = ultimate_game(size, size, refereed=True).script
    table = table_of(script, WIDTH, HEIGHT)
    last = 150 if is_long_run() else 60
    for every in (1, 4):
        feed, photographer, number = FrameHealthMonitor(), Photographer(table), 0
        for happening in Performance(script, table, Tempo(RATE)).happenings():
            number += isinstance(happening, SimulatedFrame)
            if isinstance(happening, SimulatedFrame) and number % every == 0 and number < last:
                frame = Frame(photographer.picture(happening.scene, number), happening.t)
                assert feed.judge_frame(frame).well, happening
                if happening.scene.hand is None:
                    feed.trust_frame(frame)


def test_a_recording_may_repeat_itself_and_pause():
    feed = FrameHealthMonitor(live=False)
    assert all(feed.judge_frame(Frame(shots(1)[0], float(t))).well for t in range(10))
    assert not feed.judge_frame(Frame(np.zeros((HEIGHT, WIDTH, 3), np.uint8), 11.0)).well


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "tests/pictures").glob("*.jpg")))
def test_our_drawn_pictures_have_no_fault(name):
    frame = Frame(read_image(ROOT / "tests/pictures" / name), 1.0)
    feed = FrameHealthMonitor()
    feed.trust_frame(frame)
    assert feed.judge_frame(frame).well


@pytest.mark.parametrize(
    "source", ["fixed-camera-13x13", "angles-13x13", "club-games", "hands-and-bowls", "tagged-board-extra"]
)
def test_photographs_of_tables_have_no_fault(source):
    """Those of the fixed camera one after the other, as that camera gave them."""
    feed = FrameHealthMonitor()
    for count, path in enumerate(sorted(photos(source).glob("*.jp*g"))):
        feed = feed if source.startswith("fixed") else FrameHealthMonitor()
        frame = Frame(read_image(path), count / 2)
        assert feed.judge_frame(frame).well, path
        feed.trust_frame(frame)
