"""The points that a player receives besides those counted on the board: komi, handicap compensation, penalties."""

from __future__ import annotations

from referee.game.board import Colour
from referee.game.count_result import lead_of
from referee.game.penalties import Offence, Penalty
from referee.score.methods import count, white_receives
from tests.support.play import play_turns, start_game
from tests.support.wording import english

SETTLED = ("..XO.", ".XXO.", "XX.OO", ".OXXO", "..XO.")


ENDED = ("B pass", "W pass")


def test_time_penalties_enter_the_count() -> None:
    record = play_turns(start_game("chinese", *SETTLED), *ENDED)
    fine = Penalty(Colour.WHITE, 2, Offence.TIME)
    fined, plain = count(record.with_penalties((fine,))), count(record)
    assert lead_of(fined.result) == lead_of(plain.result) + 2
    assert [english(step) for step in fined.steps[-3:-1]] == [
        "White receives 7.5 points as komi.",
        "Black receives 2 points for time that White bought.",
    ]
    assert white_receives(record.with_penalties((fine,)), "area") == 5.5
    assert fined.counts["to_white"] == 5.5 and fined.counts["penalties"] == -2
