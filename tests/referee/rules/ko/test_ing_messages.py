"""Messages about Ing's refusals: the class of ko that was applied, and the reason."""

from __future__ import annotations

from referee.game.record import GameRecord
from referee.rules import ruling_messages
from referee.rules.ko.ing_messages import OUR_READING
from tests.support.oracle.ing import LONG_LIFE, TWO_DOUBLE_KOS
from tests.support.play import play_turns, reason, start_game, try_turn, turn_of
from tests.support.wording import english

TRIPLE_KO_WITH_EYES = ("O.OOOOO", "OOOOOOO", "O.O.OXO", "XOXOX.X", "XXXXXXX", "XXX.XXX")


EXTERNAL_KO = ("OOOOOOOXX.", "OOOOOOOX..", "O.OXOO.OX.", "XOX.XOOX..", "XXXXXOOX..", "X.XXXOOXX.")


def refusal_sentence(record: GameRecord, text: str) -> str:
    """The sentence of a refusal."""
    prohibition = try_turn(record, text).prohibition
    assert prohibition is not None, f"{text} is legal"
    return english(ruling_messages.refusal_message(record, turn_of(text, record.position.board), prohibition))


def test_double_hot_stones_of_a_long_life():
    record = play_turns(start_game("ing", *LONG_LIFE), "B F1", "W D1")
    assert "C1 and D1 are hot, because they captured at D1 (double hot stones)." in refusal_sentence(record, "B E1")
    assert english(OUR_READING) not in refusal_sentence(record, "B E1")


def test_a_cycle_through_two_double_kos_is_begun_only_once():
    turns = ("B D11", "W B10", "B D3", "W B4", "B B11", "W D10", "B B3", "W D4")
    record = play_turns(start_game("ing", *TWO_DOUBLE_KOS), *turns)
    assert "Black began the cycle of turns 1 to 8 and may not begin it again (cycle)." in refusal_sentence(
        record, "B D11"
    )
    record = play_turns(record, "B pass", "W B7")
    assert refusal_sentence(record, "B D3").endswith(
        f"may not begin it again, at D11 or elsewhere (cycle). {english(OUR_READING)} Please take the stone back."
    )
    assert reason(play_turns(record, "B pass"), "W B10") is None


def test_what_the_text_leaves_open_is_named_as_our_reading():
    record = play_turns(start_game("ing", *TRIPLE_KO_WITH_EYES), "B D4")
    assert refusal_sentence(record, "W F3").endswith(f"{english(OUR_READING)} Please take the stone back.")


def test_an_external_ko_is_left_out_and_the_ruling_says_so():
    """White's kos with the group in the corner would be balanced if the ko at G4 counted as her liberty."""
    record = play_turns(start_game("ing", *EXTERNAL_KO), "B G4", "W D3")
    assert english(ruling_messages.accepted_turn_message(record, 0)).endswith(
        f"a ko with a third group is left out. {english(OUR_READING)}"
    )
    assert reason(record, "B B4") is None
