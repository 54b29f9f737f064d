"""Standings on the wall: by what the pairing program has, and by nothing else."""

from __future__ import annotations

import pytest

from device.hall.pairing import Ended, Pairing, Score, split_name
from device.hall.standings import standings_of
from tests.support.device.venues import pages, tile_of
from web.hall.tiles import Standing

ADA, BEN, CLEO, DAN = "Ada Example", "Sample, Ben", "Cleo", "Dan"


def game(round_name: str, black: str, white: str, score: Score) -> Pairing:
    return Pairing(round_name, "1", black, white, ended=Ended(score))


def show_standings(pairings: list[Pairing], round_name: str) -> dict[str, str]:
    standings = standings_of(pairings)
    return {
        name: str(standings[round_name, split_name(name)])
        for name in (ADA, BEN, CLEO, DAN)
        if (round_name, split_name(name)) in standings
    }


ROUNDS = [
    game("10", CLEO, "Ben Sample", Score.OPEN),
    game("10", DAN, ADA, Score.OPEN),
    game("9", BEN, ADA, Score.DRAW),
    game("9", CLEO, DAN, Score.WHITE),
    game("2", "example ADA", CLEO, Score.BLACK),
    game("2", "Ben Sample", DAN, Score.BOTH_LOSE),
    game("1", ADA, BEN, Score.VOID),
]


@pytest.mark.parametrize(
    ("played", "wanted"),
    [
        ("1", {}),
        ("2", {}),  # A game that was called off counts for nobody.
        ("9", {ADA: "1–0", BEN: "0–1", CLEO: "0–1", DAN: "0–1"}),
        ("10", {ADA: "1½–½", BEN: "½–1½", CLEO: "0–2", DAN: "1–1"}),
        ("11", {}),
    ],
)
def test_a_player_has_what_was_won_and_lost_before_the_round(played, wanted):
    assert show_standings(ROUNDS, played) == wanted


def test_two_players_of_one_name_have_none():
    assert show_standings([*ROUNDS, game("10", "Example Ada", "Eve", Score.OPEN)], "10").keys() == {BEN, CLEO, DAN}


@pytest.mark.parametrize(("won", "lost", "text"), [(0, 0.5, "0–½"), (2.5, 0, "2½–0"), (12, 3, "12–3")])
def test_halves_are_written_as_in_a_table(won, lost, text):
    assert str(Standing(won, lost)) == text


def test_the_wall_has_them_and_follows_the_file(venues, tmp_path):
    cup = tmp_path / "cup.csv"
    cup.write_text("round,table,black,white,result\n1,7,Ada,Cleo,B\n1,8,Dan,Ben,\n2,7,Ada,Ben,\n")
    venues.box.act("set-up", rules="chinese", black="Ada", white="Ben", event="", round="2", table="7")
    hall = venues.hall(csv=str(cup))
    tile = tile_of(hall, lambda one: bool(one.standings))
    assert tile.standings == (Standing(1, 0), None)
    client, _ = pages(venues, hall)
    tile_html = client.get("/tiles").get_json()["tiles"]["7"]
    assert tile_html.count('class="standing"') == 1 and ">1–0</small>" in tile_html
    cup.write_text(cup.read_text().replace("Dan,Ben,", "Dan,Ben,B"))
    hall.entering()
    tile_of(hall, lambda one: one.standings == (Standing(1, 0), Standing(0, 1)))
