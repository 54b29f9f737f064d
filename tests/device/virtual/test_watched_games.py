"""Whole games acted out with hands, frame by frame, and watched: every ruling and the result as the script has them."""

import json

import pytest

from device.__main__ import main
from device.virtual.__main__ import film
from device.virtual.games import Expected, ultimate_game


def said(line: dict[str, object]) -> tuple[object, ...]:
    what = line.get("place") or ("delay" if "delay" in line else "draw" if "draw" in line else None)
    unsure = line["status"] == "unexplained"
    points = tuple(line["points"]) if unsure or line["status"] == "unfinished" else ()
    return (
        line["status"],
        line["turn"],
        None if unsure else line["player"],
        what,
        line["reason"],
        line["repeats"],
        points,
    )


def wanted(expected: Expected) -> tuple[object, ...]:
    reason = expected.reason.value if expected.reason else None
    player = expected.player.value if expected.player else None
    return (expected.status.value, expected.turn, player, expected.what, reason, expected.repeats, expected.points)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seed"), [(9, 1), (13, 2)])
def test_a_watched_game_is_ruled_as_its_script_has_it(tmp_path, capsys, size, seed):
    game = ultimate_game(size, seed)
    out = tmp_path / "game"
    film(tuple(game.steps), size, seed, out)
    status = main(["watch", f"{out}.avi", "--presses", f"{out}.presses.jsonl", "--sgf", f"{out}.sgf"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 0
    assert [said(line) for line in lines] == [wanted(expected) for expected in game.expected]
    assert lines[-1]["ended"] and lines[-1]["result"] == game.result
    assert b"RE[0]" in (tmp_path / "game.sgf").read_bytes()
