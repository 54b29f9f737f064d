"""`shinpan run` on a machine that lacks camera and pins: the page is served and says so."""

import json
import re
import shutil
import signal
import socket

import pytest

from device.__main__ import main
from tests.support.device.started import Started

pytestmark = pytest.mark.slow

NO_CAMERA = "/dev/video99: there is no such camera. Plug it in, or name another with --camera."


@pytest.fixture
def box(tmp_path):
    with Started("run", "--camera", "/dev/video99", "--data", tmp_path / "data") as running:
        next(status for status in running.statuses() if status["sight"] == "lost")
        yield running


def test_without_a_camera_page_and_health_say_what_is_missing_in_a_sentence(box):
    code, health = box.ask("/health")
    said = json.loads(health)
    assert (code, said["ok"], said["sight"]) == (503, False, "lost")
    assert NO_CAMERA in said["faults"]
    code, page = box.ask("/")
    assert code == 200 and f"<li>{NO_CAMERA}</li>" in page
    assert "<h1>The camera sends no pictures that can be used. Please check it.</h1>" in page
    assert box.ask("/frame.jpg") == (404, "There is no camera picture right now.\n")


def test_a_box_that_cannot_keep_the_game_is_not_well(box, tmp_path):
    shutil.rmtree(tmp_path / "data")
    code, health = box.ask("/health")
    assert code == 503 and f"{tmp_path / 'data'}: games cannot be kept there" in health


def test_without_pins_the_terminal_shows_the_lamps_and_the_page_says_why(box):
    missing = [fault for fault in json.loads(box.ask("/health")[1])["faults"] if fault != NO_CAMERA]
    for fault in missing:
        assert re.fullmatch(r"Lamps and buttons cannot be used: .*\. The terminal shows the lamps instead\.", fault)
    ended, out, err = box.end(signal.SIGTERM)
    assert (ended, out) == (0, "") and "Traceback" not in err
    assert "side 1 blue pulsing, side 2 blue pulsing, table red\n" in err or not missing


def test_a_second_box_on_the_same_folder_is_refused_in_a_sentence(box, tmp_path, capsys):
    assert main(["run", "--camera", "/dev/video99", "--port", "0", "--data", str(tmp_path / "data")]) == 2
    assert re.fullmatch(r"shinpan: [^\n]*another box uses this folder[^\n]*\n", capsys.readouterr().err)


def test_a_port_that_another_program_has_is_told_in_a_sentence_and_nothing_starts(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        for command in (["run", "--camera", "/dev/video99", "--data", str(tmp_path)], ["demo"]):
            assert main([*command, "--port", port]) == 2
            said = capsys.readouterr().err
            assert re.fullmatch(rf"shinpan: [^\n]*port {port}: another program uses that port[^\n]*\n", said)
