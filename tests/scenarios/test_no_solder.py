"""A table without solder, from its page alone: what it costs, and a whole game through a phone's stream."""

from __future__ import annotations

import csv
import re
from contextlib import closing

import pytest

from device.simulator.script import open_script
from tests.support import ROOT
from tests.support.device.no_solder import PAGE, Film, Players, Program, command, settings
from tests.support.panel.keyboards import KernelBench
from tests.support.tiers import LONG
from tests.support.vision.streams import phone
from tests.support.waiting import until
from vision.camera.network_camera import MESSAGE_KEYS
from web.language import ENGLISH

MOST = 60
"""Euros, without the computer."""
TOURNAMENT = (ROOT / "docs/tournament.md").read_text()
LIST = ROOT / "hardware/BOM-no-solder.csv"


@pytest.mark.parametrize("choice", ["phone", "webcam"])
def test_it_costs_less_than_sixty_euros_and_the_page_says_how_much(choice):
    with LIST.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["choice"] in ("", choice)]
    low, high = (sum(float(row[key]) * int(row["quantity"]) for row in rows) for key in ("eur from", "eur to"))
    assert high < MOST and f"{low:g} to {high:g}" in PAGE
    end = {
        "phone": f"| {low:g} to N euros | {low * 10:g} to N euros |",
        "webcam": f"N to {high:g} euros | N to {high * 10:g}",
    }
    assert re.search(re.escape(end[choice]).replace("N", r"\d+"), TOURNAMENT)
    assert all(f"`{row['id']}`" in PAGE for row in rows)


def test_every_fault_of_the_phone_stands_on_the_page():
    table = PAGE.partition("| it says | do |")[2].partition("\n\n")[0]
    told = [part for row in re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, re.M) for part in row.split(", ")]
    said = [ENGLISH(key, camera="It", code=404) for key in (*MESSAGE_KEYS, "stream.upright", "feed.slow")]
    for part in told:
        assert sum(part.lower() in sentence.lower() for sentence in said) == 1, part
    assert len(told) == len(said)


@LONG
def test_a_whole_game_from_the_page_alone(tmp_path):
    film, script = Film(), open_script(ROOT / "device/simulator/rehearsal.script")
    with phone(film.shots) as app:
        (tmp_path / "club.toml").write_text(settings(app.address))
        with closing(Program(command("run"), tmp_path)) as program:
            Players(script, program, film).play()
            status, record = program.status, program.ask("/game.sgf")
    assert (status["phase"], status["result"]) == ("final", "W+R")
    assert [one["reason"] for one in status["rulings"] if one["status"] == "illegal"] == ["ko"]
    # The refused turn is a variation, which stands after the game.
    assert " ".join(played(record)) == "F2 E2 G3 D3 F4 E4 H8 F3 E3 A7 F3"


@pytest.mark.slow
def test_the_program_hears_a_numpad_of_the_kernels_and_the_page_says_when_it_is_unplugged(tmp_path):
    (tmp_path / "club.toml").write_text(settings("http://127.0.0.1:9/video"))
    with closing(KernelBench()) as bench:
        pad = bench.plug()
        with closing(Program(command("run"), tmp_path)) as program:

            def comes_true(is_so):
                until(lambda: is_so(program.status), lambda: (program.status, program.said), again=0.2)

            comes_true(lambda status: any("nothing sends pictures there" in fault for fault in faults_of(status)))
            pad.turn(76, True)
            bench.wait(0.2)
            pad.turn(76, False)
            comes_true(lambda status: status["notice"] is not None)
            bench.unplug(pad)
            comes_true(lambda status: any("No numpad is plugged in" in fault for fault in faults_of(status)))
            pad = bench.plug()
            comes_true(lambda status: not any("No numpad" in fault for fault in faults_of(status)))


def faults_of(status):
    """List the faults that the page reports, in the headline too."""
    return [*status["faults"], status["headline"]]


def played(record: str) -> list[str]:
    """The points of a game record on 9 lines, in the order in which they stand there."""
    points = re.findall(r"(?<![A-Z])[BW]\[(\w)(\w)\]", record)
    return ["ABCDEFGHJ"[ord(col) - ord("a")] + str(9 - (ord(row) - ord("a"))) for col, row in points]
