"""The rules of a record that names none: taken from what else it says, and never Ultimate Go."""

import pytest

from referee.sgf.dialects import Komi
from referee.sgf.unnamed_rules import take_rules


def take_rules_and_reason(
    komi: float | None = None, handicap: int = 0, in_stones: bool = False, **root: str
) -> tuple[str, str]:
    """The rule set, and the key of the reason."""
    choice = take_rules(lambda name: root.get(name, ""), None if komi is None else Komi(komi, "", in_stones), handicap)
    return choice.name, choice.why.key.removeprefix("unnamed.why-")


@pytest.mark.parametrize(
    ("komi", "rules"), [(6.5, "japanese"), (5.5, "japanese"), (7.5, "chinese"), (7.0, "chinese"), (8.0, "ing")]
)
def test_komi_tells_the_counting(komi, rules):
    assert take_rules_and_reason(komi) == (rules, "komi")


def test_what_is_counted_in_stones_is_chinese_whatever_else_is_said():
    assert take_rules_and_reason(7.5, KM="3.75", in_stones=True, PB="井山裕太ゆうた") == ("chinese", "stones")


def test_half_a_point_is_a_handicap_games_komi():
    assert (
        take_rules_and_reason(0.5, handicap=3) == ("japanese", "handicap")
        and take_rules_and_reason(0.5)[1] != "handicap"
    )


def test_a_server_of_area_rules_and_a_language_tell_too():
    assert take_rules_and_reason(AP="foxwq") == ("chinese", "program")
    assert take_rules_and_reason(PB="ひらがな") == ("japanese", "japanese") and take_rules_and_reason(PB="신진서") == (
        "japanese",
        "korean",
    )
    assert take_rules_and_reason(PB="马晓春") == ("chinese", "chinese")


def test_a_record_that_says_nothing_is_of_japanese_rules():
    assert take_rules_and_reason(PB="Ada") == ("japanese", "nothing")
