"""Whole games acted out with hands, frame by frame, and watched: every ruling and the result as the script has them."""

import json

import pytest

from device.__main__ import main
from device.simulator.script import read_script
from device.simulator.stage import film_script
from tests.support.examples import SHORT
from tests.support.simulator.watched import film_and_watch
from tests.support.tiers import LONG

pytestmark = pytest.mark.usefixtures("lone_board")


@LONG
@pytest.mark.parametrize(("size", "seed", "refereed"), [(9, 1, False), (13, 2, False), (9, 3, True)])
def test_a_watched_game_is_ruled_as_its_script_has_it(tmp_path, size, seed, refereed):
    watched = film_and_watch(size, seed, tmp_path, refereed)
    assert watched.ruled == watched.wanted
    assert watched.status == 0 and watched.lines[-1]["ended"] and watched.lines[-1]["result"] == watched.game.result
    assert b"RE[0]" in (tmp_path / f"game-{size}-{seed}.sgf").read_bytes()


@LONG
def test_a_film_is_watched_with_the_presses_of_its_players(tmp_path, capsys):
    out = tmp_path / "short"
    film_script(read_script(SHORT), out)
    assert main(["watch", f"{out}.avi", "--presses", f"{out}.presses.jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["status"] for line in lines] == ["legal", "legal"] and lines[-1]["result"] == "B+R"
