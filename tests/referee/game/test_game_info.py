"""The information about a game: event, round, table and place, as in SGF's game information."""

from referee.game.game_info import NO_GAME_INFO, GameInfo


def test_every_part_comes_back():
    info = GameInfo("Club evening", "3", "7", "Kyoto")
    assert GameInfo.from_json(info.to_json()) == info


def test_other_keys_are_left_aside_and_missing_parts_are_empty():
    assert GameInfo.from_json({"round": 2, "komi": 7}) == GameInfo(round="2")
    assert GameInfo.from_json({}) == NO_GAME_INFO
