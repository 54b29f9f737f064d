"""Setups that cannot be, and rule sets put together by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.board import COLOURS, Colour
from referee.game.errors import BadSetup
from referee.game.turns import Placement
from referee.rules import sets
from referee.rules.legality import judge
from referee.rules.sets import RULESETS, non_default_options, rule_set
from referee.rules.setup import Setup

ULTIMATE, CHINESE = RULESETS["ultimate"], RULESETS["chinese"]


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ({"size": (0, 9)}, "0x9"),
        ({"size": (26, 9)}, "26x9"),
        ({"size": (10**400, 9)}, "cannot be"),
        ({"players": "B"}, "players"),
        ({"players": "WB"}, "players"),
        ({"players": "BWR"}, "BW"),
        ({"to_play": Colour.RED}, "R cannot be to play"),
        ({"komi": float("nan")}, "Komi"),
        ({"komi": float("inf")}, "Komi"),
        ({"komi": 10**400}, "Komi"),
        ({"komi": 0.3}, "half"),
        ({"handicap": -1}, "handicap"),
        ({"handicap": 362}, "handicap"),
        ({"board": ()}, "rows"),
        ({"board": ("..", "...")}, "rows"),
        ({"board": ("." * 26,)}, "rows"),
        ({"board": (".?.",)}, "'?'"),
        ({"board": (".R.",)}, "no player"),
        ({"board": ("...",), "size": (4, 1)}, "3x1"),
        ({"board": ("XO.", "OX.")}, "A2"),
    ],
)
def test_a_start_that_cannot_be_is_refused_in_one_sentence(start: dict[str, object], says: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        Setup(ULTIMATE, **start).record()  # type: ignore[arg-type]
    assert says in str(refusal.value)
    assert str(refusal.value).count("\n") == 0 and len(str(refusal.value)) < 160


@pytest.mark.parametrize("size", [(1, 1), (25, 25), (1, 25), (7, 3)])
def test_every_size_from_1_to_25_is_a_board(size: tuple[int, int]) -> None:
    board = Setup(ULTIMATE, size=size).record().position.board
    assert (board.cols, board.rows) == size
    assert Setup(ULTIMATE).with_size(*size).record().position.board is board


def test_pieces_are_exchanged_by_name() -> None:
    rules = rule_set("chinese", {"ko": "positional", "compensation": 3})
    assert (rules.ko.name, rules.compensation, rules.scoring) == ("positional", 3, CHINESE.scoring)
    assert non_default_options(rules) == {"ko": "positional", "compensation": 3}
    assert rule_set("chinese", non_default_options(rules)) == rules
    assert non_default_options(CHINESE) == {}


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("nonsense", {}, "There is no rule set 'nonsense'; shinpan rules lists all (--rules NAME)."),
        (
            "chinesse",
            {},
            "There is no rule set 'chinesse'; chinese may be meant, and shinpan rules lists all (--rules NAME).",
        ),
        ("chinese", {"ko": "eternal"}, "simple, positional, situational"),
        ("chinese", {"ko": 5}, "simple, positional, situational"),
        ("chinese", {"ko": ["simple"]}, "simple, positional, situational"),
        ("chinese", {"kko": "simple"}, "ko, suicide, ending, scoring"),
        ("chinese", {"compensation": True}, "number"),
        ("chinese", {"compensation": float("nan")}, "number"),
        ("chinese", {"ko": "x" * 5000}, "..."),
    ],
)
def test_what_there_is_not_is_answered_with_what_there_is(name: str, options: dict[str, object], says: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        rule_set(name, options)
    assert says in str(refusal.value) and len(str(refusal.value)) < 200


def test_a_refusal_does_not_grow_with_the_rule_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = []
    for _ in range(2):
        with pytest.raises(BadSetup) as refusal:
            rule_set("chinesse")
        refusals.append(str(refusal.value))
        monkeypatch.setattr(sets, "RULESETS", RULESETS | {f"other-{n}": CHINESE for n in range(100)})
    assert refusals[0] == refusals[1]


def test_more_players_need_only_a_rule_set_that_takes_them() -> None:
    """The record, the bowls and whose turn it is are not written for two."""
    record = Setup(replace(CHINESE, most_players=6), players="BWR", size=(5, 5)).record()
    for point, colour in enumerate((*COLOURS[:3], *COLOURS[:3])):
        after = judge(record, Placement(colour, point)).after
        assert after is not None
        record = after
    assert record.to_play is Colour.BLACK
    assert record.position.stones_of(Colour.RED) == 0b100100
