"""`shinpan rules`: the list of rule sets, or one of them piece by piece."""

from __future__ import annotations

import json

import pytest

from device.__main__ import main
from referee.rules.sets import RULESETS
from tests.support.device.judging import assert_one_sentence


def test_every_rule_set_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(RULESETS)


def test_one_rule_set_is_told_piece_by_piece(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chinese"]) == 0
    assert "two-passes" in capsys.readouterr().out


def test_programs_get_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "ultimate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ko"] == "positional"
    assert main(["rules", "--json"]) == 0
    assert [rules["name"] for rules in json.loads(capsys.readouterr().out)] == list(RULESETS)


def test_unknown_rules_are_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "tibetan"]) == 2
    assert_one_sentence(capsys.readouterr().err)
