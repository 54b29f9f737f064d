"""The demo as everybody runs it: one command plays a whole refereed game on the drawn table."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from device.__main__ import main
from device.cli import demo as rehearsal
from device.cli.demo import AFTER_THE_END
from device.journal.replay import replay_journal
from device.journal.store import Journal
from device.settings import Data
from device.simulator.games import ultimate_game
from device.table.bootstrap import Application
from referee.codec import ruling_to_json
from tests.support import ROOT
from tests.support.device.started import StartedCommand
from tests.support.examples import SHORT
from tests.support.simulator.watched import said_of, wanted_of
from tests.support.tiers import LONG
from tests.support.waiting import until

pytestmark = pytest.mark.slow

FAST = ("demo", "--speed", "20")
GAME = ultimate_game(9, 3, refereed=True)
"""The game that demo.script holds (test_games checks that it does)."""


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def journal_in(data):
    (journal,) = data.glob("*.journal")
    return journal


@LONG
def test_a_whole_game_is_ruled_shown_and_kept_as_its_script_has_it(data, capsys):
    with StartedCommand(*FAST, "--rules", "ultimate", "--stay", "--panel", "--data", data) as box:
        followed = []
        for status in box.statuses():
            followed.append(status)
            if status["phase"] == "final":
                break
        code, page = box.ask("/")
        final_status = json.loads(box.ask("/status.json")[1])
        children = box.children
        ended, out, err = box.end(signal.SIGINT)
    wanted = [wanted_of(expected) for expected in GAME.expected]
    assert [said_of(ruling) for ruling in reversed(final_status["rulings"])] == wanted
    assert (final_status["phase"], final_status["result"], final_status["agreed"], final_status["faults"]) == (
        "final",
        GAME.result,
        [1, 2],
        [],
    )
    assert code == 200 and "Draw, agreed by both players." in page
    assert {status["tone"] for status in followed} >= {"green", "amber", "red", "white"}

    assert ended == 0 and len(children) == 2 and not any(Path(f"/proc/{child}").exists() for child in children)
    assert out == f"The game is drawn (result Draw) after 33 turns, agreed by both players; {len(wanted)} rulings.\n"
    assert "side 1 green" in err and "Traceback" not in err

    replayed = replay_journal(journal_in(data))
    board = replayed.table.record.position.board
    assert [said_of(ruling_to_json(ruling, board)) for ruling in replayed.rulings] == wanted
    assert main(["verify", str(journal_in(data))]) == 0
    assert f"{len(wanted)} rulings come out the same again; 33 turns, result Draw." in capsys.readouterr().out
    assert b"RE[0]" in journal_in(data).with_suffix(".sgf").read_bytes()


def script_of(folder, text):
    (folder / "script").write_text(text)
    return folder / "script"


@LONG
def test_a_slow_disk_does_not_lose_the_agreement(tmp_path, capsys, monkeypatch):
    """The players agree; their presses wait for the disk until more than the last look at the table is over."""
    begun, write = [], Journal.write

    class TrackedApplication(Application):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            begun.append(self)
            self.stopping = False

        def stop(self):
            self.stopping = True
            super().stop()

    def late(journal, entries):
        running = begun[0]
        if running.board.newest.game.result is not None:
            until(lambda: running.table.is_over or running.stopping)
            over = running.clock.now()
            until(lambda: running.clock.now() >= over + AFTER_THE_END + 10 or running.stopping)
        write(journal, entries)

    monkeypatch.setattr("device.cli.demo.Application", TrackedApplication)
    monkeypatch.setattr(Journal, "write", late)
    ended = main(["demo", "--speed", "1000", "--port", "0", "--script", str(script_of(tmp_path, SHORT))])
    assert (ended, "agreed by both players;" in capsys.readouterr().out) == (0, True)


@LONG
def test_a_result_that_nobody_agrees_to_is_no_good_end(tmp_path):
    with StartedCommand(*FAST, "--script", script_of(tmp_path, SHORT.rpartition("B press done")[0])) as box:
        ended, out, _ = box.wait()
    assert ended == 1 and "not agreed by both players yet" in out


@LONG
@pytest.mark.parametrize(("stay", "number", "status"), [([], signal.SIGTERM, 1), (["--stay"], signal.SIGINT, 0)])
def test_whoever_ends_it_in_the_middle_leaves_nothing_behind(tmp_path, stay, number, status):
    with StartedCommand(
        *FAST, *stay, "--script", script_of(tmp_path, SHORT.partition("W hold")[0] + "wait 600\n")
    ) as box:
        next(status for status in box.statuses() if status["turn"] == 1)
        table, page = box.children
        ended, out, err = box.end(number)
    assert (ended, out) == (status, "The game was broken off after turn 1, without a result.\n")
    assert "Traceback" not in err and not any(Path(f"/proc/{child}").exists() for child in (table, page))


@LONG
def test_the_rehearsal_of_a_new_version_is_ruled_as_it_must_be():
    with StartedCommand("demo", "--rehearsal") as box:
        ended, out, _ = box.wait()
    assert (ended, out) == (
        0,
        "White wins by resignation (result W+R) after 11 turns, agreed by both players; 12 rulings.\n",
    )


@LONG
def test_a_rehearsal_that_comes_to_another_result_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(rehearsal, "REHEARSAL", script_of(tmp_path, SHORT))
    assert main(["demo", "--rehearsal", "--port", "0"]) == 1
    assert "result B+R" in capsys.readouterr().out


@LONG
def test_a_script_without_an_end_comes_to_no_result(tmp_path):
    with StartedCommand("demo", "--speed", "1000", "--script", script_of(tmp_path, "size 9\nwait 1\n")) as box:
        assert box.wait()[:2] == (1, "The game was broken off after turn 0, without a result.\n")


def test_make_run_plays_it_and_stays_on_the_port_that_is_named():
    result = subprocess.run(["make", "-n", "run", "PORT=8001"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "demo --stay --port 8001" in result.stdout


def test_the_demo_ends_once_both_agree_and_keeps_its_files(data, tmp_path):
    page = (ROOT / "docs/installing.md").read_text().partition("## Where things lie")[2]
    where, _, what = page.partition("`--data`")
    assert f"`{Data().folder}`" in where
    with StartedCommand(*FAST, "--script", script_of(tmp_path, SHORT), "--data", data) as box:
        ended, out, _ = box.wait()
    assert (ended, out) == (
        0,
        "Black wins by resignation (result B+R) after 2 turns, agreed by both players; 2 rulings.\n",
    )
    assert replay_journal(journal_in(data)).table.record.result == "B+R"
    file_names = {path.suffix if path.name[0].isdigit() else path.name for path in data.iterdir()}
    named = set(re.findall(r"`([a-z.]+)`", what))
    assert named <= file_names and file_names - named == {"lock", "matches", "identity.public", ".journal-head"}


@LONG
def test_the_usual_game_is_played_to_its_count():
    with StartedCommand("demo", "--speed", "1000") as box:
        ended, out, err = box.wait()
    assert (ended, out) == (
        0,
        "White wins by 14.5 points (result W+14.5) after 31 turns, agreed by both players; 35 rulings.\n",
    )
    assert err == ""  # Nothing scrolls the address away.


def test_rules_are_named_for_the_own_game_alone(tmp_path, capsys):
    assert main(["demo", "--rules", "chinese", "--script", str(script_of(tmp_path, SHORT))]) == 2
    assert "leave it out beside --script" in capsys.readouterr().err


SLOW_PAGE = """import sys, time
from pathlib import Path
while "web" in sys.orig_argv and not Path(__file__).with_name("ready").exists():
    time.sleep(0.05)
"""


@LONG
def test_the_address_is_told_when_the_page_answers(data, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(SLOW_PAGE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    command = [sys.executable, "-m", "device", *FAST, "--port", "0", "--data", str(data)]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        until(lambda: any(data.glob("*.journal")) or started.poll() is not None)
        assert started.poll() is None
        assert b"the page is at" not in os.read(started.stderr.fileno(), 65536)
        (tmp_path / "ready").touch()
        assert any(b"the page is at" in line for line in started.stderr)
    finally:
        started.kill()
        started.communicate()
