"""The known figures of a situation, exact or bounds."""

from __future__ import annotations

from device.match.game_files import read_setup, read_turn
from referee.analysis.figures import NOT_KNOWN, Worth
from referee.analysis.review import HOPELESS, Review, review_record
from referee.game.record import GameRecord
from referee.rules.legality import judge


def game(*turns: dict[str, object], **start: object) -> GameRecord:
    record = read_setup({"rules": "fundamental", **start}).record()
    for turn in turns:
        after = judge(record, read_turn(turn, record.position.board, 2)).after
        assert after is not None
        record = after
    return record


def test_it_is_given_up_where_nothing_is_found_any_more():
    tried = []

    def nothing(record: GameRecord) -> Worth:
        tried.append(record.number)
        return NOT_KNOWN

    turns = [{"player": "BW"[n % 2], "place": f"{'ABCDEFGHJ'[n]}5"} for n in range(9)]
    reviewed = review_record(game(*turns, size=9), nothing)
    assert tried == list(range(9, 9 - HOPELESS, -1)) and reviewed == Review((None,) * 10) and not reviewed.is_known
