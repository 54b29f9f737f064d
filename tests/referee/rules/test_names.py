"""The names that people and programs have for the rule sets: found case-blind, with or without "rules" or a year."""

import pytest

from referee.rules.names import find_closest_name, find_rules
from referee.rules.sets import RULESETS


@pytest.mark.parametrize(
    ("name", "rules"),
    [("Chinese", "chinese"), ("Japanese Rules 1989", "japanese"), ("日本ルール", "japanese"), ("AGA", "aga"),
     ("NZ", "new-zealand"), ("Goe", "ing"), ("tromp-taylor", "positional"), ("Korean", "japanese"), ("jp", "japanese")],
)  # fmt: skip
def test_every_usual_name_is_understood(name, rules):
    rule_set = find_rules(name, RULESETS)
    assert rule_set is not None and rule_set.name == rules


def test_it_is_told_what_other_rules_were_read_as():
    korean = find_rules("Korean", RULESETS)
    assert korean is not None and "Japanese" in korean.assumption
    assert find_rules("Tibetan", RULESETS) is None


@pytest.mark.parametrize(("name", "rules"), [("japanees", "japanese"), ("chinesse rules", "chinese"), ("xyz", None)])
def test_a_misspelt_name_is_likest_to_one_or_to_none(name, rules):
    assert find_closest_name(name, RULESETS) == rules
