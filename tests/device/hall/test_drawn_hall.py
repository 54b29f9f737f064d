"""`make hall` on a small scale: drawn tables, their boxes, a hall, a round and its results."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from device.hall.drawn_venue import INCIDENTS, SIZE
from device.simulator.games import hall_game
from tests.support.attack.boxes import free_port
from tests.support.tiers import LONG
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.slow
SEED, TURNS = 41, 8
"""Its games are short: Black wins the first, White the second."""


def start_round(results: Path, *options: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "device.hall.drawn_hall",
        "--tables",
        "2",
        "--seed",
        str(SEED),
        "--turns",
        str(TURNS),
    ]
    command += ["--port", str(free_port()), "--speed", "100", "--results", str(results), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@LONG
def test_a_round_is_handed_out_played_and_its_results_stand_in_a_new_file(tmp_path):
    results = tmp_path / "out" / "round-1.xml"
    out, err = start_round(results).communicate(timeout=2 * PATIENCE_S)
    games = {game.get("tableNumber"): game.attrib for game in ElementTree.parse(results).iter("Game")}
    won = {"B": "RESULT_BLACKWINS", "W": "RESULT_WHITEWINS"}
    games_played = {n: hall_game(SIZE, 100 * SEED + n, TURNS, INCIDENTS[n]) for n in (1, 2)}
    wanted = {str(number): won[game.result[0]] for number, game in games_played.items()}
    assert set(wanted.values()) == set(won.values())
    assert {number: game["result"] for number, game in games.items()} == wanted, (out, err)
    assert games["1"]["blackPlayer"] == "ACORNADA" and "Table 2: Cleo Cedar" in out


def test_it_ends_when_it_is_told_to_and_leaves_nothing(tmp_path):
    process = start_round(tmp_path / "results.xml", "--stay")
    assert process.stderr is not None and "boxes are started" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=2 * PATIENCE_S)
    assert process.returncode == 1 and "Traceback" not in err and not (tmp_path / "results.xml").exists()
