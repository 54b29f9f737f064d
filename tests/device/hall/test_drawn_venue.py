"""Drawn tables with their boxes, and the tournament that they play."""

from xml.etree import ElementTree

from device.hall.drawn_venue import PLAYERS, DrawnTable, tournament_of


def test_every_table_has_two_players_of_its_own(tmp_path):
    tables = [DrawnTable(tmp_path / str(number), number, 1, 4) for number in range(1, 5)]
    names = [name for table in tables for name in (table.black, table.white)]
    assert len(set(names)) == 8 and set(names) <= set(PLAYERS)


def test_the_tournaments_first_round_pairs_them_and_is_not_played(tmp_path):
    tables = [DrawnTable(tmp_path / str(number), number, 1, 4) for number in (1, 2)]
    root = ElementTree.fromstring(tournament_of(tables))
    games = [game.attrib for game in root.iter("Game")]
    assert [game["tableNumber"] for game in games] == ["1", "2"]
    assert {game["result"] for game in games} == {"RESULT_UNKNOWN"}
    keys = {f"{player.get('name')}{player.get('firstName')}".upper() for player in root.iter("Player")}
    assert all({game["blackPlayer"], game["whitePlayer"]} <= keys for game in games)
