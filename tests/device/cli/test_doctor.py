"""`shinpan doctor`: whether this machine is ready to referee, one check per line."""

import json
from functools import cache

import cv2
import pytest

from device.__main__ import main
from device.machine import checks as parts
from device.machine.checks import Mark
from tests.support import ROOT
from tests.support.vision.pictures import board_picture
from vision.errors import CameraLost

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


@pytest.fixture
def no_camera(monkeypatch):
    """Whatever camera this machine has is left alone."""

    def lost(*_):
        raise CameraLost("There is no camera.")

    monkeypatch.setattr(parts, "open_live", lost)


def doctor(capsys, *options):
    status = main(["doctor", *options])
    lines = capsys.readouterr().out.splitlines()
    return status, {line.split()[1]: line.split()[0] for line in lines[:-1]}, lines


@pytest.mark.slow
def test_a_machine_on_which_all_is_well(box, capsys):
    status, marks, lines = doctor(capsys, "--settings", box())
    wrong = {what for what, mark in marks.items() if mark == "WRONG"} - {"memory", "heat", "disk"}
    assert wrong == set()
    assert {"Python", "settings", "eyes", "data", "disk", "panel", "camera", "page", "clock"} <= set(marks)
    if status == 0:
        assert lines[-1] == "Nothing is wrong."


def test_beside_a_running_box_what_it_holds_is_left_alone(box, capsys, monkeypatch):
    for part in ("check_camera", "check_panel", "check_page"):
        monkeypatch.delattr(parts, part)
    _, marks, _ = doctor(capsys, "--beside", "--settings", box())
    assert {"settings", "eyes", "data"} <= set(marks) and not {"camera", "panel", "page"} & set(marks)


def test_what_is_wrong_is_said_and_counted(box, capsys, tmp_path):
    missing = str(tmp_path / "no_such_camera")
    status, marks, lines = doctor(capsys, "--settings", box(camera={"source": missing}))
    assert status == 1
    assert marks["camera"] == "WRONG"
    assert any(missing in line for line in lines)
    assert lines[-1].endswith("wrong.") and lines[-1] != "Nothing is wrong."


@pytest.mark.parametrize(
    "sections",
    [
        {"game": {"rules": "chess"}},
        {"page": {"port": "eighty"}},
        {"game": {"size": 7}},
        {"radio": {"on": True}},
        {"camera": {"source": "0", "calibration": "/no/such/file.json"}},
    ],
)
def test_settings_that_cannot_be_used_do_not_end_the_checks(box, capsys, no_camera, sections):
    status, marks, _ = doctor(capsys, "--settings", box(**sections))
    assert status == 1
    assert marks["settings"] == "WRONG"
    assert {"eyes", "camera", "clock"} <= set(marks)


def test_a_camera_that_is_named_is_checked_in_place_of_the_settings(box, capsys, tmp_path):
    status, marks, lines = doctor(capsys, "--settings", box(), "--camera", "/dev/video97")
    assert (status, marks["camera"]) == (1, "WRONG")
    assert any("There is no /dev/video97" in line for line in lines)


def test_a_missing_settings_file_is_one_line(tmp_path, capsys, box, no_camera):
    status, marks, _ = doctor(capsys, "--settings", str(tmp_path / "none.toml"))
    assert (status, marks["settings"]) == (1, "WRONG")


def test_the_page_lists_every_check(box, capsys):
    _, marks, _ = doctor(capsys, "--settings", box())
    page = (ROOT / "docs/commands.md").read_text()
    for what in {*marks, "light", "memory", "heat"}:
        assert f"\n| {what} | " in page
