"""Starts that fail: counted, told on a page by a service, and in one sentence elsewhere."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from device.__main__ import main
from device.machine import start_counter
from device.machine.start_counter import StartCounter, folder_of
from device.machine.versions import DIED, FAILED_STARTS, STARTS
from tests.support.tiers import LONG, sample
from tests.support.waiting import PATIENCE_S

FAILS = """
import sys
from device.table.controller import TableController
from device.__main__ import main

def broken(box, *_):
    raise RuntimeError("nobody thought of that")

method = sys.argv.pop(1)
assert method == "none" or hasattr(TableController, method), method
setattr(TableController, method, broken)
sys.exit(main())
"""
"""shinpan with one method of the box that fails, or with none."""


def test_failed_starts_are_counted_until_one_runs_well(tmp_path):
    for count in (1, 2):
        begun = StartCounter(tmp_path)
        begun.begin()
        begun.fail("No camera.")
        assert (StartCounter(tmp_path).failed, StartCounter(tmp_path).why) == (count, "No camera.")
    again = StartCounter(tmp_path)
    again.begin()
    again.end()
    assert StartCounter(tmp_path).failed == 2, "a start that was told to stop counts neither way"
    again.begin()
    again.well()
    assert (StartCounter(tmp_path).failed, StartCounter(tmp_path).why) == (0, "")


def test_tries_of_one_start_count_once(tmp_path):
    starts = StartCounter(tmp_path)
    for _ in range(4):
        starts.begin()
        starts.fail("No camera.")
    assert StartCounter(tmp_path).failed == 1


def test_the_count_needs_no_more_room_than_it_has(tmp_path):
    StartCounter(tmp_path).begin()
    first = (tmp_path / STARTS).stat()
    StartCounter(tmp_path).fail("é\udcff" * 5000)
    last = (tmp_path / STARTS).stat()
    assert (first.st_ino, first.st_size) == (last.st_ino, last.st_size)
    assert StartCounter(tmp_path).failed == 2 and StartCounter(tmp_path).why.startswith("é?é?")


def test_another_version_begins_anew(tmp_path, monkeypatch):
    StartCounter(tmp_path).fail("No camera.")
    monkeypatch.setattr("sys.prefix", "/opt/another")
    assert StartCounter(tmp_path).failed == 0


def test_a_box_that_died_is_told_from_a_plug_that_was_pulled(tmp_path, monkeypatch):
    StartCounter(tmp_path).begin()
    assert (StartCounter(tmp_path).failed, StartCounter(tmp_path).why) == (1, DIED)
    monkeypatch.setattr(start_counter.system, "boot_id", lambda: "another boot")
    assert StartCounter(tmp_path).failed == 0


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"failed": "9"}', '{"failed": -1}', "[" * 9999, "\xff\x00"])
def test_a_file_that_is_damaged_counts_nothing(tmp_path, text):
    (tmp_path / STARTS).write_text(text, encoding="latin-1")
    assert StartCounter(tmp_path).failed == 0
    StartCounter(tmp_path / "no folder").begin()


def test_the_folder_is_known_though_the_settings_cannot_be_used(tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[game]\nrules = 5\n[data]\nfolder = "{tmp_path}"\n')
    assert folder_of(settings) == tmp_path and folder_of(settings, "/x") == Path("/x")
    settings.write_text("no TOML")
    assert folder_of(settings) == folder_of(None) == Path("~/.local/share/shinpan").expanduser()


def started(tmp_path: Path, fails: str, *options: str, **more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", FAILS, fails, "run", "--camera", "/dev/video99", "--data", str(tmp_path)]
    return subprocess.Popen(
        [*command, "--port", "0", *options],
        env={**os.environ, **more},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("fails", "what"), sample([("tell_players", "cannot start"), ("tick", "has stopped")], 1))
def test_a_box_that_fails_at_its_start_or_soon_after_says_so_in_a_sentence(tmp_path, fails, what):
    (tmp_path / "s.toml").write_text('[presets.blitz]\nrules = "chinese"\n')
    with started(tmp_path, fails, "--settings", str(tmp_path / "s.toml"), "--preset", "blitz") as box:
        _, err = box.communicate(timeout=PATIENCE_S)
    assert box.returncode == 1 and "Traceback" not in err
    pattern = rf"shinpan: The box {what}.* by a fault in shinpan \(RuntimeError: nobody thought of that\).*"
    assert re.fullmatch(pattern, err.splitlines()[-1]), err
    assert "RuntimeError: nobody thought of that" in (tmp_path / "shinpan.log").read_text()


@LONG
def test_a_service_whose_box_fails_serves_a_page_that_says_so(tmp_path):
    settings = tmp_path / "s.toml"
    settings.write_text("")
    with started(tmp_path, "tick", "--settings", str(settings), NOTIFY_SOCKET="/nowhere/at/all") as box:
        line = next(line for line in box.stderr if "The page says so at" in line)
        url = re.search(r"http://\S+[0-9]", line)[0]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{url}/health", timeout=PATIENCE_S)
        health = json.loads(refused.value.read())
        assert StartCounter(tmp_path).failed == 1
        os.utime(settings, (0, 0))
        box.communicate(timeout=PATIENCE_S)
    assert box.returncode == 1, "it is for systemd to count it and to start it again"
    assert health["phase"] == "safe-mode" and "nobody thought of that" in health["faults"][0]


@LONG
def test_a_service_that_died_again_and_again_says_so_before_it_tries_again(tmp_path):
    for _ in range(FAILED_STARTS):
        StartCounter(tmp_path).fail("The camera's driver ended it.")
    with started(tmp_path, "none", NOTIFY_SOCKET="/nowhere/at/all") as box:
        line = next(line for line in box.stderr if "The page says so at" in line)
        box.send_signal(signal.SIGTERM)
        box.communicate(timeout=PATIENCE_S)
    assert f"each of its last {FAILED_STARTS} starts. The camera's driver ended it." in line


def test_a_home_that_nobody_has_is_told_in_a_sentence(tmp_path, capsys):
    for options in (
        ["--data", "~nobody-here/games"],
        ["--data", str(tmp_path), "--settings", str(tmp_path / "s.toml")],
    ):
        (tmp_path / "s.toml").write_text('[data]\ncopies = "~nobody-here/stick"\n[panel]\nkind = "none"\n')
        assert main(["run", "--camera", "/dev/video99", "--port", "0", *options]) == 2
        assert re.fullmatch(
            r"shinpan: [^\n]*~nobody-here/\w+: nobody here has a home of that name.*\n", capsys.readouterr().err
        )
    assert folder_of(None, "~nobody-here/games") == folder_of(None)
