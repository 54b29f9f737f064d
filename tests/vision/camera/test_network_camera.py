"""A phone as the camera: its pictures come, and each way in which they do not is told."""

from __future__ import annotations

import base64
import socket
import threading
from contextlib import closing
from itertools import count, islice, repeat

import numpy as np
import pytest

from tests.support.vision.pictures import board_picture
from tests.support.vision.streams import ODD, Dialect, head, phone, yield_grained
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.camera.frame import Frame
from vision.camera.live import CameraConfig, is_camera, open_live
from vision.camera.network_camera import LATENCY_S, NetworkCamera, diagnose_url, public_name
from vision.errors import BadSource, CameraLost

PICTURE = board_picture()


def clock(seconds=count(100)):  # noqa: B008  Each reading is a second later.
    return float(next(seconds))


def test_a_phones_pictures_are_older_than_their_arrival():
    with phone(yield_grained(PICTURE)) as app, closing(open_live(app.address, CameraConfig(rate=30), clock)) as camera:
        frame = camera.newest(PATIENCE_S)
        assert frame.pixels.shape == PICTURE.shape and frame.t % 1 == 1 - LATENCY_S and frame.note is None
        assert np.abs(frame.pixels.astype(int) - PICTURE).mean() < 4
        assert camera.newest(PATIENCE_S) is not None


@pytest.mark.parametrize("name", ODD)
def test_oddly_sent_pictures_are_read_as_browsers_read_them(name):
    with (
        phone(yield_grained(PICTURE), dialect=ODD[name]) as app,
        closing(NetworkCamera(app.address, CameraConfig())) as eye,
    ):
        images = [Frame(eye.look(), 0.0).pixels for _ in range(3)]
    assert all(np.abs(pixels.astype(int) - PICTURE).mean() < 4 for pixels in images)
    assert len({pixels.tobytes() for pixels in images}) == 3, "each once"


def test_pictures_that_stop_are_told_of_an_odd_camera_too():
    odd = ODD["boundaries without dashes"]
    with phone(lambda: islice(yield_grained(PICTURE)(), 3), dialect=odd) as app:
        assert "has stopped sending pictures" in loss_sentence(app.address)


@pytest.mark.parametrize(
    "damage",
    [lambda shot: shot[: len(shot) // 2], lambda shot: shot.replace(b"\xff\xc0", b"\xff\xfe")],
    ids=["cut", "odd"],
)
def test_a_damaged_picture_is_skipped(damage):
    dialect = Dialect(part=lambda number, shot: head(shot) + (damage(shot) if number % 3 == 1 else shot) + b"\r\n")
    with (
        phone(yield_grained(PICTURE), dialect=dialect) as app,
        closing(NetworkCamera(app.address, CameraConfig())) as eye,
    ):
        assert all(np.abs(eye.look().pixels.astype(int) - PICTURE).mean() < 4 for _ in range(4))


def test_an_answer_without_pictures_is_no_stream_of_them():
    with phone(lambda: repeat(b""), dialect=Dialect("video/mp4", lambda *_: b"no picture" * 9999)) as app:
        assert "cannot be read as pictures" in loss_sentence(app.address)


def test_whoever_asks_late_gets_the_newest_picture_and_no_backlog():
    shades = iter(range(10, 250))
    ahead = threading.Semaphore(3)

    def shots():
        for shade in shades:
            yield from islice(yield_grained(np.full((240, 320, 3), shade, np.uint8))(), 1)

    with (
        phone(shots, lambda: ahead.acquire(timeout=PATIENCE_S)) as app,
        closing(NetworkCamera(app.address, CameraConfig())) as eye,
    ):
        ahead.release(20)
        levels = [int(eye.look().grey.mean()) for _ in range(20)]
    assert levels == sorted(levels) and len(set(levels)) == 20, "each once, in their order, and none is kept back"


def test_a_phone_that_stands_upright_is_told():
    upright = np.ascontiguousarray(np.rot90(PICTURE))
    with phone(yield_grained(upright)) as app, closing(open_live(app.address, CameraConfig(rate=30), clock)) as camera:
        assert "Turn the phone on its side" in english(camera.newest(PATIENCE_S).note)


def loss_sentence(address):
    with pytest.raises(CameraLost) as error, closing(NetworkCamera(address, CameraConfig())) as eye:
        while True:
            eye.look()
    return english(error.value)


def test_pictures_that_stop_are_told():
    with phone(lambda: islice(yield_grained(PICTURE)(), 3)) as app:
        assert "has stopped sending pictures" in loss_sentence(app.address)


def test_a_phone_that_falls_asleep_is_told_as_lost_and_may_come_back():
    with phone(yield_grained(PICTURE)) as app, closing(open_live(app.address, CameraConfig(rate=30), clock)) as camera:
        assert camera.newest(PATIENCE_S) is not None
        app.hang_up()
        with pytest.raises(CameraLost):
            while True:
                camera.newest(PATIENCE_S)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/", "is a page about the camera"),
        ("/shot.jpg", "gives one picture and no more"),
        ("/nothing", "has nothing there (it answers 404)"),
        ("/empty", "cannot be read as pictures"),
    ],
)
def test_an_address_that_gives_no_film_is_told_with_what_to_do(path, said):
    with phone(yield_grained(PICTURE)) as app:
        sentence = loss_sentence(app.address.replace("/video", path))
    assert said in sentence and "\n" not in sentence


def test_a_password_is_asked_for_and_never_told_on():
    secret = base64.b64encode(b"anna:hidden").decode()
    with phone(yield_grained(PICTURE), secret=secret) as app:
        assert "wants a password" in loss_sentence(app.address)
        into = app.address.replace("http://", "http://anna:hidden@")
        with closing(NetworkCamera(into, CameraConfig())) as eye:
            assert eye.look().pixels.shape == PICTURE.shape
        assert "hidden" not in loss_sentence(into.replace("/video", "/nothing"))
    assert public_name("http://anna:hidden@phone/video?a=1@2") == "http://phone/video?a=1@2"
    assert public_name("/dev/a@b") == "/dev/a@b"


def test_nobody_there_is_told_by_what_is_wrong(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert "nothing sends pictures there" in loss_sentence(f"http://127.0.0.1:{port}/video")
    assert "nothing sends pictures there" in loss_sentence(f"rtsp://127.0.0.1:{port}/live")
    assert "its name is not known" in english(diagnose_url("http://no-such-phone.invalid/video", "unread"))
    monkeypatch.setattr(socket, "create_connection", lambda *_: (_ for _ in ()).throw(TimeoutError()))
    assert "does not answer" in english(diagnose_url("rtsp://10.255.255.1/live", "unread"))


@pytest.mark.parametrize("source", ["http://192.168.1.20:8080/video", "rtsp://phone:554/live", "https://[::1]/"])
def test_an_address_is_a_camera_that_may_come_back(source):
    assert is_camera(source)


@pytest.mark.parametrize(
    "source", ["ftp://phone/video", "http://", "http://phone:99999/", "http://[half/video", "x://y"]
)
def test_what_can_never_be_an_address_is_one_sentence(source):
    with pytest.raises(BadSource, match="give one like http://") as error:
        is_camera(source)
    assert "\n" not in str(error.value)
