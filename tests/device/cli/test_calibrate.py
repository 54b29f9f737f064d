"""`shinpan calibrate`: found, checked, corrected and kept, a sentence for each thing wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main
from tests.support.tiers import sample
from tests.support.vision.pi import IMX708, Scene, install_sensor
from tests.support.vision.pictures import drawn_board

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "table.png"
    cv2.imwrite(str(path), drawn_board(13, 2).pixels)
    return path


def read_output(capsys: pytest.CaptureFixture[str]) -> tuple[dict, str]:
    out, err = capsys.readouterr()
    return json.loads(out), err


def test_what_is_found_is_written_shown_and_can_be_used(table, capsys, tmp_path):
    path, overlay = tmp_path / "kept.json", tmp_path / "shown.png"
    assert main(["calibrate", str(table), "--write", str(path), "--overlay", str(overlay)]) == 0
    calibration, err = read_output(capsys)
    assert calibration == json.loads(path.read_text()) and err == "" and overlay.exists()
    assert calibration["size"] == 13 and len(calibration["lids"]) == 2
    assert main(["calibrate", str(table), "--calibration", str(path)]) == 0
    assert main(["look", str(table), "--json", "--calibration", str(path)]) == 0


@pytest.mark.parametrize("obeys", sample([False, True], 1))
def test_whoever_hangs_a_pi_camera_is_told_what_it_does_not_show(table, monkeypatch, capsys, obeys):
    pixels = cv2.copyMakeBorder(cv2.imread(str(table)), 120, 120, 213, 213, cv2.BORDER_REPLICATE)
    install_sensor(monkeypatch, IMX708, Scene(pixels), obeys)
    main(["calibrate", "picamera"])
    assert ("only 67 percent" in capsys.readouterr().err) != obeys


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--camera", "97"], "There is no /dev/video97"),
        (["97"], "There is no /dev/video97"),
        (["--camera", "/dev/null"], "/dev/null is no camera."),
        (["--camera", ""], "No camera is named"),
        ([""], "No camera is named"),
        (["0", "--camera", "0"], "--camera names what SOURCE names; leave one of the two out."),
    ],
)
def test_a_camera_that_cannot_be_used_is_told_in_a_sentence(options, said, capsys):
    assert main(["calibrate", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.splitlines()[-1].startswith(f"shinpan: {said}")


def test_a_recording_can_be_named_as_the_camera(table, capsys):
    assert main(["calibrate", "--camera", str(table)]) == 0
    assert read_output(capsys)[0]["size"] == 13


def test_corrections_are_taken(table, capsys):
    main(["calibrate", str(table)])
    calibration, _ = read_output(capsys)
    corners = [f"{x + 5},{y - 4}" for x, y in calibration["corners"]]
    options = [
        "--size",
        "13",
        "--corners",
        *corners,
        "--lids",
        "10,20,90,95",
        "200,20,90,95",
        "--swap-lids",
        "--up",
        "left",
    ]
    main(["calibrate", str(table), *options])
    corrected, _ = read_output(capsys)
    assert np.abs(np.array(corrected["corners"]) - np.roll(calibration["corners"], -3, axis=0)).max() < 1
    assert corrected["lids"] == [[200, 20, 90, 95], [10, 20, 90, 95]]


def test_a_calibration_a_line_off_is_told_and_exits_1(table, capsys, tmp_path):
    main(["calibrate", str(table)])
    calibration, _ = read_output(capsys)
    (x, y), (u, v) = calibration["corners"][:2]
    step = np.array([u - x, v - y]) / 12
    path = tmp_path / "off.json"
    path.write_text(json.dumps({**calibration, "corners": (np.array(calibration["corners"]) + step).tolist()}))
    assert main(["calibrate", str(table), "--calibration", str(path)]) == 1
    assert "1 line too far to the right" in read_output(capsys)[1]


def test_a_picture_without_a_board_exits_3(capsys, tmp_path):
    cv2.imwrite(str(tmp_path / "none.png"), np.full((400, 600, 3), 90, np.uint8))
    assert main(["calibrate", str(tmp_path / "none.png")]) == 3
    assert "no board found" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--corners", "1,2", "3,4", "5,6", "7,8"],
        ["--size", "13", "--corners", "1,2", "3,4", "5,6", "x,8"],
        ["--size", "13", "--corners", "1,1", "100,100", "100,1", "1,100"],
        ["--lids", "1,2,3", "4,5,6,7"],
        ["--calibration", "nowhere.json"],
    ],
)
def test_what_cannot_be_used_gets_one_sentence_and_2(table, capsys, options):
    assert main(["calibrate", str(table), *options]) == 2
    err = re.sub(r"^Usage: .*\n", "", capsys.readouterr().err)
    assert err.count("\n") == 1 and err.startswith("shinpan: ") and err.rstrip().endswith(".")


def test_a_mirrored_calibration_is_told_by_look(table, capsys, tmp_path):
    main(["calibrate", str(table)])
    calibration, _ = read_output(capsys)
    path = tmp_path / "mirrored.json"
    path.write_text(json.dumps({**calibration, "corners": calibration["corners"][::-1]}))
    assert main(["look", str(table), "--calibration", str(path)]) == 0
    assert "anticlockwise" in capsys.readouterr().err
