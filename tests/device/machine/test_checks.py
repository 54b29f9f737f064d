import json
import re
import socket
import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from gpiozero.exc import PinUnknownPi
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.__main__ import main
from device.machine import checks as machine
from device.machine import checks as parts
from device.machine.checks import Mark, check_field
from device.panel.gpio import PINS
from device.panel.keys import Keyboards
from device.settings import Camera, Page, PanelSettings, RimSettings
from hardware import optics
from referee.game.messages import message
from referee.table.events import Button
from tests.support.panel.keyboards import DrawnBench
from tests.support.tiers import LONG, sample
from tests.support.vision.feeds import ODD
from tests.support.vision.pi import IMX708, install_sensor
from tests.support.vision.pi import Scene as PiScene
from tests.support.vision.pictures import board_picture
from vision.board.field_of_view import measure_coverage
from vision.calibration.model import Grid
from vision.camera.camera_models import find_camera_model
from vision.camera.frame import Frame
from vision.camera.live import driver_name
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

pytestmark = pytest.mark.usefixtures("lone_board")

OK, NOTE, WRONG = Mark


EYES_ONCE = cache(parts.check_eyes)
BOARD = cache(lambda: cv2.imencode(".png", board_picture())[1].tobytes())


@pytest.fixture
def box(tmp_path, monkeypatch):
    """Settings of a box whose camera is a folder of stills, in a folder of its own; the nets are tried once for all."""
    (tmp_path / "stills").mkdir()
    (tmp_path / "stills" / "1.png").write_bytes(BOARD())
    monkeypatch.setattr(parts, "check_eyes", EYES_ONCE)
    monkeypatch.setenv("HOME", str(tmp_path))

    def settings(**sections):
        table_settings = {
            "camera": {"source": str(tmp_path / "stills")},
            "panel": {"kind": "none"},
            "page": {"port": 0},
        }
        table_settings |= {"data": {"folder": str(tmp_path / "games")}} | sections
        path = tmp_path / "box.toml"
        lines = [
            f"[{name}]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in keys.items())
            for name, keys in table_settings.items()
        ]
        path.write_text("".join(lines))
        return str(path)

    return settings


def doctor(capsys, *options):
    status = main(["doctor", *options])
    lines = capsys.readouterr().out.splitlines()
    return status, {line.split()[1]: line.split()[0] for line in lines[:-1]}, lines


# The machine


@pytest.mark.parametrize(("version", "mark"), [((3, 10, 12), WRONG), ((3, 11, 0), OK), ((3, 13, 1), OK), ((4, 0), OK)])
def test_python(version, mark):
    assert machine.check_python(version).mark is mark


def test_a_folder_is_made_and_left_as_it_was(tmp_path):
    folder = tmp_path / "a" / "b"
    checks = list(machine.check_data(folder))
    assert checks[0].mark in (OK, NOTE)
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_to(tmp_path):
    (tmp_path / "file").write_text("")
    (check,) = machine.check_data(tmp_path / "file" / "games")
    assert check.mark is WRONG


@pytest.mark.parametrize(("spent", "is_durable", "mark"), [(0.001, False, WRONG), (0.5, True, NOTE), (0.001, True, OK)])
def test_a_disk_that_is_slow_or_keeps_nothing(tmp_path, monkeypatch, spent, is_durable, mark):
    monkeypatch.setattr(machine, "_time_commit", lambda folder: (spent, is_durable))
    assert next(machine.check_data(tmp_path)).mark is mark


def test_a_database_that_fails_is_one_line(tmp_path, monkeypatch):
    def fail(folder):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(machine, "_time_commit", fail)
    (check,) = machine.check_data(tmp_path)
    assert (check.mark, "disk I/O error" in check.sentence) == (WRONG, True)


@pytest.mark.parametrize(("megabytes", "mark"), [(99, WRONG), (100, NOTE), (999, NOTE), (1000, OK), (64_000, OK)])
def test_space(megabytes, mark):
    assert machine.check_space(megabytes * 1_000_000).mark is mark


def test_a_time_of_day_before_the_program_was_made():
    assert machine.check_clock(0.0).mark is NOTE
    assert machine.check_clock(1e9, built=1e9).mark is OK


@pytest.mark.parametrize(("megabytes", "mark"), [(150, WRONG), (300, NOTE), (3000, OK)])
def test_memory(megabytes, mark):
    assert machine.check_memory(megabytes * 1_000_000).mark is mark


@pytest.mark.parametrize(("degrees", "mark"), [(45, OK), (72, NOTE), (83, WRONG)])
def test_heat(degrees, mark):
    assert machine.check_heat(degrees).mark is mark


# What it is given


def test_the_nets_read_a_drawn_table():
    assert parts.check_eyes().mark is OK


def test_a_net_that_reads_wrong_is_wrong(monkeypatch):
    read = parts.read_frame
    monkeypatch.setattr(parts, "read_frame", lambda image, grid, lids: read(255 - image, grid, lids))
    assert parts.check_eyes().mark is WRONG


def test_a_net_that_does_not_load_is_one_line(monkeypatch):
    def fail(*_):
        raise cv2.error("cannot read")

    monkeypatch.setattr(parts, "read_frame", fail)
    assert parts.check_eyes().mark is WRONG


@pytest.fixture
def factory():
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


@pytest.mark.parametrize("kind", ["auto", "gpio"])
def test_lamps_on_the_pins(factory, kind):
    assert [check.mark for check in parts.check_panel(PanelSettings(kind), Path(), lambda: factory)] == [OK]


@pytest.mark.parametrize(("kind", "mark"), [("auto", NOTE), ("gpio", WRONG), ("terminal", OK), ("none", OK)])
def test_lamps_without_pins(kind, mark):
    def no_pins():
        raise PinUnknownPi("unable to locate Pi revision")

    assert [check.mark for check in parts.check_panel(PanelSettings(kind), Path(), no_pins)] == [mark]


def test_a_button_that_is_down(factory):
    pin = factory.pin(PINS.buttons[1, Button.SCORE])
    pin._set_pull = lambda value: setattr(pin, "_pull", value)
    pin.drive_low()
    checks = list(parts.check_panel(PanelSettings(), Path(), lambda: factory))
    assert [check.mark for check in checks] == [OK, WRONG]
    assert "score of side 1" in checks[1].sentence


@pytest.mark.parametrize(
    ("ports", "down", "marks", "said"),
    [
        ((), None, [WRONG], "No numpad is plugged in"),
        (("usb-1",), None, [Mark.OK], "All keyboards whose keys are buttons are plugged in."),
        (("usb-1",), 79, [Mark.WRONG], "The button done of side 1 has been down from the start"),
        (("usb-1", "usb-2"), None, [Mark.WRONG], "Several keyboards with a numpad"),
    ],
)
def test_keys_as_buttons(ports, down, marks, said, tmp_path):
    bench = DrawnBench()
    for port in ports:
        pad = bench.plug(port=port)
        if down is not None:
            pad.turn(down, True)
    checks = list(parts.check_keys(tmp_path, lambda *args: Keyboards(*args, bench.paths, bench.opened, bench.machine)))
    assert [check.mark for check in checks] == marks and said in checks[0].sentence


def test_keys_that_cannot_be_read(tmp_path):
    (tmp_path / "keys.json").write_text("{}")
    (check,) = parts.check_panel(PanelSettings(kind="keys"), tmp_path)
    assert check.mark is Mark.WRONG and "shinpan panel --learn" in check.sentence


def test_a_camera_that_gives_pictures(tmp_path):
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((48, 64, 3), np.uint8))
    check, _ = parts.check_camera(Camera(str(tmp_path)))
    assert (check.mark, "64 x 48" in check.sentence) == (OK, True)


@pytest.mark.parametrize("source", ["/dev/video_none", "97", "/no/such/video.avi"])
def test_a_camera_that_is_not_there(source):
    check, _ = parts.check_camera(Camera(source))
    assert (check.mark is WRONG and "here" in check.sentence) or "No camera is plugged in" in check.sentence


def test_a_drawn_table_needs_no_camera():
    assert parts.check_camera(Camera("virtual:/tmp/table"))[0].mark is NOTE


class SilentCamera:
    frame = None

    def newest(self, timeout):
        return self.frame

    def close(self):
        self.closed = True


@pytest.mark.parametrize("pixels", ODD.values(), ids=ODD)
def test_a_camera_that_gives_something_odd(monkeypatch, pixels):
    eye = SilentCamera()
    eye.frame = Frame(pixels, 1.0)
    monkeypatch.setattr(parts, "open_live", lambda *_: eye)
    assert parts.check_camera(Camera("0"))[0].mark is WRONG


def test_a_camera_that_gives_no_picture(monkeypatch):
    eye = SilentCamera()
    monkeypatch.setattr(parts, "open_live", lambda *_: eye)
    assert parts.check_camera(Camera("0"))[0].mark is WRONG
    assert eye.closed


def test_a_camera_that_shows_less_than_its_lens_sees(monkeypatch):
    eye = SilentCamera()
    eye.frame = Frame(np.zeros((48, 64, 3), np.uint8), 1.0, note=message("camera.cropped", percent=67))
    monkeypatch.setattr(parts, "open_live", lambda *_: eye)
    check, _ = parts.check_camera(Camera("picamera"))
    assert check.mark is NOTE and "67 percent" in check.sentence


# What the camera sees


def seen_from(high, moved=(0.0, 0.0), size=(1280, 720)):
    """Measure what a camera of 66 degrees sees of the table from that height, mm, so far off the board's middle."""
    per_mm = size[0] / 1280 * 985.0 / high
    corners = (np.array([[-198, -213.3], [198, -213.3], [198, 213.3], [-198, 213.3]]) - moved) * per_mm
    corners += np.array(size) / 2
    return measure_coverage(Grid(19, tuple((float(x), float(y)) for x, y in corners)), (size[1], size[0], 3))


@pytest.mark.parametrize("lens", [view for view in optics.list_views() if view.lens.ask == (1280, 720)], ids=str)
def test_from_the_heights_of_the_page_enough_is_seen(lens):
    """As the page says it, so the checks find it: to the centimetre."""
    high = lens.advised_height(optics.required_field())
    check = check_field(seen_from(high * lens.tangents[0] / (640 / 985)), lens.lens.model)
    assert check.mark is OK and "enough for lids and mat" in check.sentence
    assert not lens.lens.model or f"from {high // 10} cm above it" in check.sentence


def test_a_camera_that_hangs_too_low_or_is_cropped_is_told_how_much():
    check = check_field(seen_from(595), "")
    assert check.mark is NOTE
    assert "shows 77 x 44 cm" in check.sentence and "74 x 45 cm are needed" in check.sentence
    assert "5% higher" in check.sentence and "cuts its picture off" in check.sentence
    assert check_field(seen_from(595 * 1.06), "").mark is OK


def test_a_camera_that_hangs_beside_the_board_is_told_which_way():
    check = check_field(seen_from(700, moved=(120.0, 0.0)), "")
    assert check.mark is NOTE and "move the camera 12 cm towards the left of its picture" in check.sentence


def test_lines_too_near_each_other_are_told():
    check = check_field(seen_from(750, size=(480, 270)), "")
    assert check.mark is NOTE and "only 11 pixels apart" in check.sentence


@pytest.mark.slow
def test_what_is_seen_is_told_and_a_lamp_in_the_board(box, capsys, tmp_path):
    _, marks, lines = doctor(capsys, "--settings", box())
    assert marks["view"] in ("ok", "note") and "light" not in marks
    assert any("The picture shows " in line for line in lines)
    picture = Table(replace(club_look(4, 19, 1280, 720), glare=())).draw(Scene(("." * 19,) * 19))
    x, y = picture.truth.grid.to_pixels(np.array([0.5, 0.5]))
    cv2.circle(picture.pixels, (round(x), round(y)), round(2 * picture.truth.grid.cell()), (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "stills" / "1.png"), picture.pixels)
    _, marks, lines = doctor(capsys, "--settings", box())
    assert marks["light"] == "note" and any("shines in the board near " in line for line in lines)


def draw_view(table, high, sensor=(4608, 2592)):
    """All that a Camera Module 3 sees of a drawn table from that height, mm, at a quarter of its pixels."""
    look = club_look(4, 19, sensor[0] // 4, sensor[1] // 4)
    tangent = find_camera_model("imx708").visible_tangents((16, 9))[0]
    straight = replace(look.camera, tilt=0.0, roll=0.0, turn=0.0, shift=(0.0, 0.0), k1=0.0, distance=high / 22.0)
    straight = replace(straight, focal=look.width / 2 / tangent)
    return Table(replace(look, camera=straight, glare=())).draw(Scene(table)).pixels


@pytest.mark.parametrize("high", sample([650, 800], 1))
def test_of_a_pis_own_camera_it_is_told_how_high_it_hangs(box, capsys, monkeypatch, high):
    install_sensor(monkeypatch, IMX708, PiScene(draw_view(("." * 19,) * 19, high)))
    _, marks, lines = doctor(capsys, "--settings", box(camera={"source": "picamera"}))
    (height,) = (re.search(r"from (\d+) cm above it", line)[1] for line in lines if " view " in line)
    assert marks["camera"] == "ok" and int(height) == pytest.approx(high / 10, abs=4)


@LONG
def test_a_cropped_pi_camera_is_told_with_the_missing_board(box, capsys, monkeypatch):
    install_sensor(monkeypatch, IMX708, PiScene(draw_view(("." * 19,) * 19, 650)), obeys=False)
    _, marks, lines = doctor(capsys, "--settings", box(camera={"source": "picamera"}))
    assert (marks["camera"], marks["view"]) == ("note", "note")
    assert any("67 percent" in line for line in lines) and any("cuts its picture off" in line for line in lines)


@pytest.mark.parametrize("source", ["/dev/null", "/dev/video97", "stills"])
def test_what_tells_no_name_has_none(source):
    assert driver_name(source) == ""


def test_where_no_board_lies_that_is_told(box, capsys, tmp_path):
    cv2.imwrite(str(tmp_path / "stills" / "1.png"), np.full((480, 640, 3), 90, np.uint8))
    _, marks, lines = doctor(capsys, "--settings", box())
    assert marks["view"] == "note" and any("No whole board is seen" in line for line in lines)


@contextmanager
def served(body):
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("body", "mark"), [(b'{"ok": true, "sight": "seen"}', NOTE), (b"{}", WRONG), (b"<html>", WRONG), (b"7", WRONG)]
)
def test_a_port_that_is_taken(body, mark):
    with served(body) as port:
        assert parts.check_page(Page(port=port)).mark is mark


def test_a_port_whose_owner_does_not_speak_the_same_language():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=lambda: listener.accept()[0].close())
        thread.start()
        assert parts.check_page(Page(port=listener.getsockname()[1])).mark is WRONG
        thread.join()


@pytest.mark.parametrize("host", ["192.0.2.1", "x" * 100])
def test_an_address_that_is_not_this_machines(host):
    assert parts.check_page(Page(host=host, port=0)).mark is WRONG


def test_a_free_port():
    assert parts.check_page(Page(port=0)).mark is OK


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (RimSettings("spi", "/dev/spidev98.7"), "The lights of the rim (cannot be reached|need the library spidev)"),
        (RimSettings("spi", edges=["left", "left"]), "share a corner"),
    ],
)
def test_lights_of_the_rim_that_cannot_be_sent_to_are_wrong(settings, said):
    (check,) = machine.check_rim(settings)
    assert check.mark is Mark.WRONG and re.search(said, check.sentence)


@pytest.mark.parametrize("kind", ["none", "drawn"])
def test_a_box_without_strips_has_nothing_to_check_there(kind):
    assert list(machine.check_rim(RimSettings(kind))) == []


def test_phones_are_no_fault_before_they_are_paired(tmp_path):
    check, frame = parts.check_camera(Camera(source="phone"))
    assert (check.mark, frame) == (Mark.NOTE, None)
    assert [check.mark for check in parts.check_panel(PanelSettings("phone"), tmp_path, players=4)] == [Mark.OK]


@pytest.mark.parametrize(
    ("answers", "mark", "words"), [("echo Noto", Mark.OK, "繁體中文"), ("true", Mark.NOTE, "fonts-noto-cjk")]
)
def test_fonts_without_a_language_are_a_note(tmp_path, monkeypatch, answers, mark, words):
    listing = tmp_path / "fc-list"
    listing.write_text(f"#!/bin/sh\n{answers}\n")
    listing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    check = parts.check_fonts()
    assert check is not None and check.mark is mark and words in check.sentence
    monkeypatch.setenv("PATH", "")
    assert parts.check_fonts() is None
