"""`shinpan run` on a machine that lacks camera and pins: the page is served and says so."""

import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys

import pytest

from device.__main__ import main
from device.cli.run import ask_rules
from device.machine.pin import Pin
from tests.support import ROOT
from tests.support.device.started import StartedCommand
from tests.support.simulator.adjourned_games import adjourned_text
from tests.support.simulator.game_scripts import self_play
from tests.support.terminal import seen_at, terminal
from tests.support.tiers import LONG, sample

pytestmark = pytest.mark.slow

NO_CAMERA = re.compile(r"There is no /dev/video99(, and no other camera here|; cameras here: [^.]+)\. [^<\n]+")


@pytest.fixture
def box(tmp_path):
    with StartedCommand("run", "--camera", "/dev/video99", "--data", tmp_path / "data") as running:
        next(status for status in running.statuses() if status["sight"] == "lost")
        yield running


@pytest.mark.long
def test_missing_camera_and_pins_are_told_everywhere(box):
    code, health = box.ask("/health")
    report = json.loads(health)
    assert (code, report["ok"], report["sight"]) == (503, False, "lost")
    assert any(map(NO_CAMERA.fullmatch, report["faults"]))
    code, page = box.ask("/")
    assert code == 200 and re.search(f"<h1[^>]*>{NO_CAMERA.pattern}</h1>", page)
    assert not re.search(f"<li>{NO_CAMERA.pattern}</li>", page), "it is said once"
    assert box.ask("/frame.jpg") == (404, "There is no camera picture right now.\n")
    missing = [fault for fault in report["faults"] if not NO_CAMERA.fullmatch(fault)]
    for fault in missing:
        assert re.fullmatch(r"Lamps and buttons cannot be used: .*\. The terminal shows the lamps instead\.", fault)
    ended, out, err = box.end(signal.SIGTERM)
    assert (ended, out) == (0, "") and "Traceback" not in err
    assert len(re.findall(f"^shinpan: {NO_CAMERA.pattern}$", err, re.MULTILINE)) == 1, "said in the terminal, once"
    assert "side 1 blue pulsing, side 2 blue pulsing, table red\n" in err or not missing


@pytest.mark.long
def test_a_second_box_in_the_same_folder_is_not_well(box, tmp_path, capsys):
    assert main(["run", "--camera", "/dev/video99", "--port", "0", "--data", str(tmp_path / "data")]) == 2
    assert re.fullmatch(r"shinpan: [^\n]*another box uses this folder[^\n]*\n", capsys.readouterr().err)
    shutil.rmtree(tmp_path / "data")
    code, health = box.ask("/health")
    assert code == 503 and f"{tmp_path / 'data'}: games cannot be kept there" in health


@LONG
def test_what_is_said_on_the_command_line_is_played_and_told(tmp_path):
    options = ("--rules", "chinese", "--size", "13", "--komi", "5.5", "--handicap", "2", "--time", "3m+15s")
    names = ("--names", "Anna", "Ben", "--host", "127.0.0.2")
    with StartedCommand("run", "--camera", "/dev/video99", "--data", tmp_path / "data", *options, *names) as box:
        assert box.url.startswith("http://127.0.0.2:")
        page = box.ask("/")[1]
        err = box.end(signal.SIGTERM)[2]
    assert "Anna" in page and "Ben" in page and "Chinese rules" in page
    assert "The rules: Chinese rules; 13 lines, komi 5.5 and handicap 2. For others: --rules NAME" in err


@pytest.mark.long
@pytest.mark.parametrize(("host", "others"), sample([("0.0.0.0", True), ("127.0.0.2", False)], 1))
def test_the_wall_leads_phones_to_the_page_where_they_are_let_in(host, others, tmp_path):
    with StartedCommand("run", "--camera", "/dev/video99", "--data", tmp_path / "data", "--host", host) as box:
        page = box.ask("/wall")[1]
        assert (f"{socket.gethostname()}.local:{box.url.rpartition(':')[2]}" in page) is others
        assert ('class="qr"' in page) is others


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rules", "chess"], "There is no rule set 'chess'"),
        (["--size", "7"], "size cannot be 7: the camera finds boards of 9, 13, 19 lines"),
        (["--time", "soon"], 'The time control "soon" cannot be read'),
        (["--handicap", "100", "--size", "9", "--rules", "japanese"], "A handicap of 100 cannot be on this board"),
        (["--names", "Anna", "a\x07b"], "names cannot be kept"),
    ],
)
def test_a_match_that_cannot_be_played_is_told_in_a_sentence(options, said, tmp_path, capsys):
    assert main(["run", "--camera", "/dev/video99", "--port", "0", "--data", str(tmp_path / "data"), *options]) == 2
    stderr = capsys.readouterr().err
    assert re.fullmatch(r"shinpan: [^\n]*\n", stderr) and said in stderr
    assert not (tmp_path / "data").exists()


def test_a_port_in_use_is_told_and_nothing_starts(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        for command in (["run", "--camera", "/dev/video99", "--data", str(tmp_path)], ["demo"]):
            assert main([*command, "--port", port]) == 2
            stderr = capsys.readouterr().err
            assert re.fullmatch(rf"shinpan: [^\n]*port {port}: another program uses that port[^\n]*\n", stderr)
    assert Pin(tmp_path).stamp is None, "a PIN that nobody was shown would have to be made anew"


@LONG
def test_an_adjourned_game_goes_on_here_and_after_a_second_start(tmp_path):
    code = tmp_path / "adjourned.txt"
    code.write_text(adjourned_text(tmp_path / "first", self_play(9, 5, 20), rules="ultimate"))
    command = ("run", "--camera", "/dev/video99", "--data", tmp_path / "data", "--take-up", code)
    for _ in range(2):
        with StartedCommand(*command) as box:
            status = json.loads(box.ask("/status.json")[1])
            assert (status["turn"], status["phase"]) == (20, "start")
            assert "Aoki Ume" in box.ask("/")[1]
            assert box.end(signal.SIGTERM)[0] == 0
    assert len(list((tmp_path / "data").glob("*.journal"))) == 1


@pytest.mark.parametrize("text", ["", "no code", "SHINPAN1:AAAA"])
def test_what_is_no_adjourned_game_is_told_in_a_sentence(text, tmp_path, capsys):
    (tmp_path / "code.txt").write_text(text)
    command = ["run", "--camera", "/dev/video99", "--port", "0", "--data", str(tmp_path / "data")]
    assert main([*command, "--take-up", str(tmp_path / "code.txt")]) == 2
    stderr = capsys.readouterr().err
    assert re.fullmatch(r"shinpan: [^\n]*\n", stderr) and ("code" in stderr)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("typed", "rules"),
    sample([("0\n9\naga\n", "aga"), ("\n", "ultimate"), ("2\n", "japanese"), ("Chines\nChinese\n", "Chinese")], 1),
)
def test_a_person_at_a_terminal_is_asked_for_rules(typed: str, rules: str) -> None:
    script = "from device.cli.run import ask_rules; print('took', ask_rules())"
    ours, theirs = terminal()
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT
    ) as process:
        os.close(theirs)
        os.write(ours, typed.encode())
        screen = seen_at(ours)
    assert process.returncode == 0 and f"took {rules}" in screen
    assert "1 ultimate, 2 japanese, 3 chinese" in screen and "Which rules [ultimate]" in screen
    assert ("There is no rule set" in screen) is (typed.count("\n") > 1)


def test_nobody_is_asked_for_rules_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("chinese\n"))
    assert ask_rules() is None
