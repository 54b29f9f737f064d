from __future__ import annotations

import re
import sys
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from hardware.optics import find_view, list_views
from tests.support import ROOT
from tests.support.vision.pi import IMX219, IMX477, IMX708, OV5647, USB, Scene, Sensor, install_sensor
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.board.detect import find_board
from vision.camera.camera_control import FOCUS_PAUSES_S
from vision.camera.frame_source import CameraConfig
from vision.camera.live import LatestFrameReader, open_live
from vision.camera.picamera import PiCamera, choose_full_field_mode, flicker_period
from vision.errors import CameraLost
from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene as Drawn
from vision.render.table import Table

WANTED = CameraConfig()
PAGE = (ROOT / "docs/camera-pi.md").read_text()
SMALL = CameraConfig(320, 180)


def grey_scene(levels=100):
    return Scene(np.full((243, 432, 3), levels, np.uint8))


def table_scene():
    """A board of 19 lines that fills most of what the sensor sees, as from the height that hardware/ advises."""
    look = frame_board(club_look(3, 19, 1152, 648), 0.85, 0.85)
    return Scene(np.asarray(Table(look).draw(Drawn(("." * 19,) * 19)).pixels, np.uint8))


def open_camera(monkeypatch, sensor, wanted=WANTED, scene=None, obeys=True):
    """The eye, and the picamera2 beneath it."""
    scene = scene or grey_scene()
    install_sensor(monkeypatch, sensor, scene, obeys)
    eye = PiCamera(wanted)
    return eye, scene.opened[-1]


# The field of view


@pytest.mark.parametrize(
    ("sensor", "chosen"),
    [(IMX708, (2304, 1296)), (IMX219, (1640, 1232)), (IMX477, (2028, 1520)), (OV5647, (1296, 972))],
    ids=lambda value: getattr(value, "name", None),
)
def test_the_mode_that_shows_all_is_named(monkeypatch, sensor, chosen):
    eye, camera = open_camera(monkeypatch, sensor)
    assert camera.mode["size"] == chosen
    assert camera.mode["bit_depth"] == max(bits for bits, size, *_ in sensor.modes if size == chosen)
    assert eye.look().shape == (720, 1280, 3) and eye.note is None


@pytest.mark.parametrize(
    ("sensor", "chosen", "percent"),
    [
        (IMX708, (1536, 864), 67),
        (replace(IMX708, tells_areas=False), (1536, 864), 67),
        (IMX219, (1920, 1080), 59),
        (IMX477, (2028, 1080), 95),
        (OV5647, (1920, 1080), 74),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_left_to_itself_picamera2_chooses_a_mode_that_shows_less(monkeypatch, sensor, chosen, percent):
    """The reason for choosing a mode; and the sentence if the driver does not do what it is asked."""
    eye, camera = open_camera(monkeypatch, sensor, obeys=False)
    assert camera.mode["size"] == chosen
    eye.look()
    assert english(eye.note).startswith(f"The camera shows only {percent} percent ")


@pytest.mark.parametrize(
    ("sensor", "wanted", "chosen"),
    [
        (IMX708, CameraConfig(1920, 1080), (2304, 1296)),
        (IMX708, CameraConfig(2560, 1440), (4608, 2592)),
        (IMX708, CameraConfig(1280, 720, rate=100), (2304, 1296)),
        (IMX219, CameraConfig(1920, 1080), (3280, 2464)),
        (IMX477, CameraConfig(2560, 1440, rate=30), (4056, 3040)),
        (OV5647, CameraConfig(640, 480), (1296, 972)),
        (OV5647, CameraConfig(7680, 4320), (2592, 1944)),
    ],
)
def test_the_smallest_mode_that_suffices_and_shows_all_is_chosen(sensor, wanted, chosen):
    mode = choose_full_field_mode(sensor.described(), wanted)
    assert mode is not None and mode["size"] == chosen and mode["crop_limits"][2:] == sensor.array


def test_a_camera_that_tells_nothing_of_its_modes_is_asked_for_none(monkeypatch):
    eye, camera = open_camera(monkeypatch, USB)
    assert camera.mode is None and choose_full_field_mode([{"format": "MJPEG"}], WANTED) is None
    assert eye.look().shape == (720, 1280, 3) and eye.note is None


@pytest.mark.long
def test_a_whole_board_is_found_and_a_cut_off_one_is_reported(monkeypatch):
    scene = table_scene()
    eye, _ = open_camera(monkeypatch, IMX708, scene=scene)
    assert find_board(eye.look(), 19) is not None
    cut, _ = open_camera(monkeypatch, IMX708, scene=scene, obeys=False)
    assert find_board(cut.look(), 19) is None and cut.note is not None


def test_the_page_has_what_is_chosen_and_what_is_named(monkeypatch):
    rows = re.findall(r"\((imx\d+|ov\d+)\) \| (\d+)x(\d+) .*?\| (\d+) % \| (\d+)x(\d+) \|", PAGE)
    assert len(rows) == 4
    for name, *values in rows:
        sensor = next(one for one in (IMX708, IMX219, IMX477, OV5647) if one.name == name)
        left, chosen = open_camera(monkeypatch, sensor, obeys=False)
        left.look()
        named = open_camera(monkeypatch, sensor)[1].mode["size"]
        percent = int(re.search(r"only (\d+) percent", english(left.note))[1])
        assert [*map(int, values)] == [*chosen.mode["size"], percent, *named]


@pytest.mark.parametrize("lens", [view.lens for view in list_views() if view.lens.modes], ids=lambda lens: lens.name)
def test_the_heights_in_hardware_reckon_with_the_mode_that_is_named(monkeypatch, lens):
    """Whatever the program makes the sensor do is what the page's heights are made from."""
    sensor = Sensor(lens.name, lens.array, lens.modes)
    _, camera = open_camera(monkeypatch, sensor, CameraConfig(*lens.ask))
    assert camera.mode["size"] == find_view(lens).mode


def test_what_is_wrong_with_its_picture_comes_with_each_frame(monkeypatch):
    install_sensor(monkeypatch, IMX708, grey_scene(), obeys=False)
    camera = open_live("picamera", SMALL, lambda: 1.0)
    frame = camera.newest(PATIENCE_S)
    camera.close()
    assert frame is not None and english(frame.note).startswith("The camera shows only 67 percent")


# Flicker


@pytest.mark.parametrize(("mains", "period"), [(50, 10000), (60, 8333)])
def test_exposures_are_whole_flickers_of_the_lamps(monkeypatch, mains, period):
    eye, camera = open_camera(monkeypatch, IMX708, replace(SMALL, mains=mains))
    eye.look()
    eye.hold(True)
    eye.look()
    assert flicker_period(mains) == period == camera.set["AeFlickerPeriod"]
    assert camera.exposure >= period and camera.exposure % period == 0


def test_a_camera_that_knows_nothing_of_flicker_or_focus_is_not_asked(monkeypatch):
    eye, camera = open_camera(monkeypatch, replace(OV5647, knows_flicker=False))
    assert not {"AeFlickerMode", "AfMode"} & camera.set.keys()
    assert eye.position() is None


# Holding


def test_it_focuses_from_the_start_and_holds_what_it_found(monkeypatch):
    """picamera2 by itself leaves the lens where the tuning file has it."""
    scene = grey_scene()
    eye, camera = open_camera(monkeypatch, IMX708, scene=scene)
    assert camera.lens == scene.table
    eye.hold(True)
    scene.dioptres = 3.0
    eye.hold(False)
    eye.look()
    assert camera.lens == scene.table and camera.set["AeEnable"]


def test_what_was_measured_is_held(monkeypatch):
    scene = grey_scene(80)
    eye, _ = open_camera(monkeypatch, IMX708, scene=scene)
    before = eye.look().mean()
    eye.hold(True)
    scene.light = 0.5
    assert eye.look().mean() == pytest.approx(before / 2, abs=1)
    eye.hold(False)
    assert eye.look().mean() == pytest.approx(before, abs=1)


def test_a_camera_that_is_not_there_is_told(monkeypatch):
    install_sensor(monkeypatch, IMX708, grey_scene())

    def none(self):
        raise RuntimeError("Camera(s) not found")

    monkeypatch.setattr(sys.modules["picamera2"].Picamera2, "start", none)
    with pytest.raises(CameraLost) as exc_info:
        PiCamera(WANTED)
    assert "ribbon cable" in english(exc_info.value)


# With the thread that watches it


class PlayedCamera:
    """A Pi's camera whose pictures come when the clock says so: one a step of so many seconds."""

    def __init__(self, monkeypatch, scene, step=0.5):
        install_sensor(monkeypatch, IMX708, scene)
        self.scene, self.t, self.script, self.levels = scene, 0.0, {}, []
        self.step, self.eye = step, PiCamera(SMALL)
        self.camera = scene.opened[-1]

    def look(self):
        if not self.script:
            raise CameraLost("over")
        at = min(self.script)
        if self.t >= at:
            self.script.pop(at)()
        self.t += self.step
        pixels = self.eye.look()
        self.levels.append(float(pixels.mean()))
        return pixels

    def hold(self, held):
        self.eye.hold(held)

    def close(self):
        self.eye.close()

    def until(self, end):
        self.script[end] = lambda: None
        watched = LatestFrameReader(self, lambda: self.t, SMALL, self.eye)
        with pytest.raises(CameraLost):
            while watched.newest(PATIENCE_S) is not None:
                pass


@pytest.fixture(scope="module")
def table_pixels():
    look = club_look(5, 19, 640, 360)
    return np.asarray(Table(look).draw(Drawn(("." * 19,) * 19)).pixels, np.uint8)


def with_arm(pixels):
    """A sleeve over a fifth of the picture."""
    arm = pixels.copy()
    cv2.rectangle(arm, (0, 120), (400, 230), (215, 225, 230), -1)
    return arm


def test_a_focus_found_on_an_arm_is_searched_again_without_it(monkeypatch, table_pixels):
    scene = Scene(with_arm(table_pixels), dioptres=2.6)
    playback = PlayedCamera(monkeypatch, scene)
    blurred = []

    def goes():
        blurred.append(playback.camera.lens)
        scene.pixels, scene.dioptres = table_pixels, scene.table

    playback.script[20.0] = goes
    playback.until(40.0)
    assert blurred == [2.6] and playback.camera.lens == scene.table and playback.camera.set["AfMode"] == 0


@pytest.mark.long
def test_an_arm_that_comes_later_does_not_take_the_focus_away(monkeypatch, table_pixels):
    scene = Scene(table_pixels)
    playback = PlayedCamera(monkeypatch, scene)
    stood = set()

    def comes():
        scene.pixels, scene.dioptres = with_arm(table_pixels), 2.6

    def goes():
        stood.add(playback.camera.lens)
        scene.pixels, scene.dioptres = table_pixels, scene.table

    for start in range(20, 200, 40):
        playback.script |= {float(start): comes, float(start + 20): goes}
    playback.until(240.0)
    assert stood == {scene.table} == {playback.camera.lens}
    assert 1 <= playback.camera.triggers <= len(FOCUS_PAUSES_S)


@pytest.mark.slow
def test_dusk_is_followed_in_small_steps(monkeypatch, table_pixels):
    """Light falls to a quarter within an hour: no picture is far from the first."""
    scene = Scene(table_pixels)
    playback = PlayedCamera(monkeypatch, scene, step=10.0)

    def darker():
        scene.light *= 0.25 ** (1 / 360)

    playback.script |= {10.0 + 10 * k: darker for k in range(360)}
    playback.until(3700.0)
    first = playback.levels[0]
    assert scene.light < 0.26
    assert all(abs(level / first - 1) < 0.1 for level in playback.levels)
    assert all(abs(now / before - 1) < 0.09 for before, now in pairwise(playback.levels))
    assert not playback.camera.set["AeEnable"]


def test_a_slightly_darker_lock_does_not_adapt_for_ever(monkeypatch, table_pixels):
    playback = PlayedCamera(monkeypatch, Scene(table_pixels))
    holds = []

    def hold(is_held):
        holds.append(is_held)
        playback.eye.hold(is_held)
        playback.camera.set["ExposureTime"] = playback.camera.exposure * 0.92

    playback.hold = hold
    playback.until(60.0)
    assert holds == [True] and playback.levels[-1] < 0.95 * playback.levels[0]


def test_a_sleeve_that_rests_on_the_table_changes_no_exposure(monkeypatch, table_pixels):
    scene = Scene(table_pixels)
    playback = PlayedCamera(monkeypatch, scene)
    exposures = []
    playback.script[10.0] = lambda: exposures.append(playback.camera.exposure)
    playback.script[20.0] = lambda: setattr(scene, "pixels", with_arm(table_pixels))
    playback.until(60.0)
    assert exposures == [playback.camera.exposure]
