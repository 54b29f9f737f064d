"""Differences of the rule sets: suicide, passes that hand over stones, endings, handicaps; and pieces that clash."""

from __future__ import annotations

from itertools import product

import pytest

from referee.game.board import Board, Colour
from referee.game.diagram import rows_of
from referee.game.errors import BadSetup
from referee.game.record import GameRecord
from referee.game.turns import Delay, Pass, Placement, Resign
from referee.rules import ruling_messages
from referee.rules.legality import judge, may_pass
from referee.rules.sets import ENDINGS, KO_RULES, RULESETS, SCORINGS, SUICIDES, non_default_options, rule_set
from referee.rules.setup import Setup
from tests.support.play import assert_board, play_turns, reason, start_game, try_turn
from tests.support.wording import english


def optional(rules: str, *rows: str, **options: object) -> GameRecord:
    """A game under these rules with pieces exchanged."""
    return Setup(rule_set(rules, options), size=(5, 5) if not rows else None, board=rows or None).record()


TWO_IN_THE_CORNER = ("X.O", "OO.", "...")
ONE_IN_THE_CORNER = (".O.", "O..", "...")


class TestSuicide:
    """A chain that its own side leaves without a liberty."""

    @pytest.mark.parametrize(
        ("suicide", "one", "two"),
        [
            ("none", "surrounded", "surrounded"),
            ("multi", "surrounded", None),
            ("any", None, None),
            ("single-is-pass", None, None),
        ],
    )
    def test_by_its_name(self, suicide: str, one: str | None, two: str | None) -> None:
        assert reason(optional("simple", *ONE_IN_THE_CORNER, suicide=suicide), "B A3") == one
        assert reason(optional("simple", *TWO_IN_THE_CORNER, suicide=suicide), "B B3") == two

    def test_the_stones_are_taken_off_and_are_the_opponents_prisoners(self) -> None:
        record = optional("new-zealand", *TWO_IN_THE_CORNER)
        verdict = try_turn(record, "B B3")
        assert verdict.after is not None
        assert_board(verdict.after, "..O", "OO.", "...")
        assert verdict.after.position.board.names(verdict.captured) == ["A3", "B3"]
        assert verdict.after.bowls.as_dict() == {"B": {}, "W": {"B": 2}}
        assert verdict.after.to_play is Colour.WHITE
        sentence = english(ruling_messages.accepted_turn_message(verdict.after, verdict.captured))
        assert sentence == "Black played B3, a suicide that took A3 and B3 off the board."

    def test_capturing_comes_first(self) -> None:
        assert_board(play_turns(optional("new-zealand", ".OX", "OX.", "X.."), "B A3"), "X.X", ".X.", "X..")

    def test_a_single_stone_that_is_a_pass_counts_as_one_and_is_no_prisoner(self) -> None:
        record = play_turns(optional("simple", *ONE_IN_THE_CORNER, suicide="single-is-pass"), "B A3")
        assert (record.bowls.as_dict(), record.ended) == ({"B": {}, "W": {}}, False)
        assert play_turns(record, "W pass").ended
        assert play_turns(record, "W C1", "B A3", "W pass").ended

    def test_a_single_stone_that_is_no_pass_does_not_end_the_game(self) -> None:
        record = play_turns(optional("simple", *ONE_IN_THE_CORNER, suicide="any"), "B A3", "W pass")
        assert (record.ended, record.bowls.as_dict()) == (False, {"B": {}, "W": {"B": 1}})

    def test_a_stone_alone_on_a_board_of_one_point(self) -> None:
        record = Setup(RULESETS["new-zealand"], size=(1, 1)).record()
        record = play_turns(record, "B A1")
        assert reason(record, "W A1") == "superko"
        assert reason(Setup(RULESETS["aga"], size=(1, 1)).record(), "B A1") == "surrounded"

    def test_in_ultimate_go_it_keeps_the_count_of_stones(self) -> None:
        record = play_turns(optional("ultimate", *TWO_IN_THE_CORNER, suicide="multi"), "B B3")
        assert record.bowls.as_dict() == {"B": {"W": 1}, "W": {"B": 3}}


class TestAga:
    """A pass hands over a stone, and White's is the last."""

    def test_each_pass_hands_over_a_stone(self) -> None:
        record = play_turns(start_game("aga", size=(5, 5)), "B pass", "W pass")
        assert record.bowls.as_dict() == {"B": {"W": 1}, "W": {"B": 1}}
        assert (record.ended, record.result) == (True, None)

    def test_white_passes_last(self) -> None:
        record = play_turns(start_game("aga", size=(5, 5)), "B C3", "W pass", "B pass")
        assert not record.ended and may_pass(record)
        assert english(ruling_messages.accepted_turn_message(record, 0)).endswith(
            "White passes once more, because White passes last."
        )
        record = play_turns(record, "W pass")
        assert record.ended
        assert record.bowls.as_dict() == {"B": {"W": 2}, "W": {"B": 1}}

    def test_white_may_play_on_instead(self) -> None:
        record = play_turns(start_game("aga", size=(5, 5)), "B C3", "W pass", "B pass", "W D4", "B pass")
        assert not record.ended
        assert play_turns(record, "W pass").ended

    def test_a_resignation_hands_over_nothing(self) -> None:
        record = start_game("aga", size=(5, 5))
        after = judge(record, Resign(Colour.BLACK)).after
        assert after is not None and (after.result, after.bowls) == ("W+R", record.bowls)

    def test_komi(self) -> None:
        assert (start_game("aga").komi, start_game("aga", handicap=4).komi) == (7.5, 0.5)
        assert (start_game("japanese").komi, start_game("japanese", handicap=4).komi) == (6.5, 0)
        assert (start_game("new-zealand").komi, start_game("positional").komi) == (7, 0)


class TestRepeatedPass:
    """Spight: two passes in a row, or one player's second pass in one position."""

    def test_two_in_a_row(self) -> None:
        assert play_turns(start_game("spight", size=(5, 5)), "B pass", "W pass").ended

    def sent(self, *turns: str) -> GameRecord:
        """White sends two and Black takes them, round after round, which needs a ko rule that lets it."""
        rules = rule_set("spight", {"ko": "simple"})
        start = Setup(rules, board=(".XO.", "XXO.", "XXO.", ".O.O"), to_play=Colour.WHITE).record()
        return play_turns(start, *turns)

    def test_a_second_pass_of_a_player_in_the_same_position(self) -> None:
        round_ = ("W A1", "B C1", "W B1", "B pass")
        assert not self.sent(*round_).ended
        assert self.sent(*round_, *round_).ended

    def test_a_second_pass_in_another_position(self) -> None:
        assert not self.sent("W A1", "B C1", "W B1", "B pass", "W A1", "B pass").ended


TRADITIONAL = {
    2: "D4 Q16",
    3: "D4 Q16 Q4",
    5: "D4 Q16 Q4 D16 K10",
    6: "D4 Q16 Q4 D16 D10 Q10",
    7: "D4 Q16 Q4 D16 D10 Q10 K10",
    8: "D4 Q16 Q4 D16 D10 Q10 K4 K16",
    9: "D4 Q16 Q4 D16 D10 Q10 K4 K16 K10",
}


class TestHandicap:
    """Free placement, or the traditional points as an option."""

    @pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new-zealand", "spight", "kee"])
    def test_placed_freely_where_nothing_is_said(self, rules: str) -> None:
        record = play_turns(start_game(rules, size=(9, 9), handicap=2), "B C3", "B G7")
        assert record.to_play is Colour.WHITE

    @pytest.mark.parametrize("handicap", TRADITIONAL)
    def test_traditional_points(self, handicap: int) -> None:
        record = Setup(rule_set("japanese", {"handicap": "traditional"}), handicap=handicap).record()
        board = record.position.board
        assert set(board.names(record.position.stones_of(Colour.BLACK))) == set(TRADITIONAL[handicap].split())
        assert (record.to_play, record.komi) == (Colour.WHITE, 0)
        assert reason(record, "W C3") is None

    @pytest.mark.parametrize(
        ("size", "handicap", "points"),
        [((9, 9), 5, "C3 G7 G3 C7 E5"), ((13, 13), 2, "D4 K10"), ((8, 8), 2, "C3 F6"), ((13, 9), 3, "D3 K7 K3")],
    )
    def test_on_other_boards(self, size: tuple[int, int], handicap: int, points: str) -> None:
        record = Setup(rule_set("aga", {"handicap": "traditional"}), size=size, handicap=handicap).record()
        assert set(record.position.board.names(record.position.stones_of(Colour.BLACK))) == set(points.split())

    @pytest.mark.parametrize(
        ("size", "handicap", "says"),
        [((19, 19), 10, "2 to 9"), ((8, 8), 5, "2 to 4"), ((5, 5), 2, "no trad"), ((19, 6), 2, "no trad")],
    )
    def test_more_than_there_are(self, size: tuple[int, int], handicap: int, says: str) -> None:
        with pytest.raises(BadSetup, match=says):
            Setup(rule_set("aga", {"handicap": "traditional"}), size=size, handicap=handicap).record()

    def test_a_handicap_of_one_is_only_the_first_turn(self) -> None:
        record = Setup(rule_set("aga", {"handicap": "traditional"}), handicap=1).record()
        assert (record.to_play, record.position.occupied) == (Colour.BLACK, 0)

    def test_a_board_that_is_drawn_has_its_stones(self) -> None:
        rules = rule_set("aga", {"handicap": "traditional"})
        record = Setup(rules, board=("X.X", "...", "..."), handicap=2).record()
        assert record.position.board.names(record.position.occupied) == ["A3", "C3"]


class TestPieces:
    """Any piece can be exchanged; those that contradict each other are refused in one sentence."""

    @pytest.mark.parametrize(("ko", "suicide"), list(product(KO_RULES, SUICIDES)))
    def test_every_ko_rule_goes_with_every_suicide(self, ko: str, suicide: str) -> None:
        rules = rule_set("chinese", {"ko": ko, "suicide": suicide})
        assert rule_set("chinese", non_default_options(rules)) == rules
        assert play_turns(Setup(rules, size=(3, 2)).record(), "B A1", "W pass", "B C1").number == 3

    @pytest.mark.parametrize("ending", [name for name in ENDINGS if name != "none"])
    @pytest.mark.parametrize("scoring", [name for name in SCORINGS if name != "none"])
    def test_every_ending_goes_with_every_count(self, ending: str, scoring: str) -> None:
        assert rule_set("japanese", {"ending": ending, "scoring": scoring}).ending.name == ending

    @pytest.mark.parametrize(
        ("rules", "options", "says"),
        [
            ("chinese", {"ending": "none"}, "ending none contradicts the scoring area"),
            ("chinese", {"scoring": "none"}, "contradicts"),
            ("ultimate", {"ending": "two-passes"}, "ending of ultimate is none and cannot be exchanged"),
            ("ultimate", {"ending": "two-passes", "scoring": "area"}, "ending of ultimate"),
            ("fundamental", {"scoring": "area"}, "scoring of fundamental"),
            ("ultimate", {"handicap": "free"}, "handicap of ultimate"),
            ("ultimate-original", {"compensation": 3}, "compensation of ultimate-original"),
            ("ultimate", {"suicide": "single-is-pass"}, "needs passes"),
        ],
    )
    def test_contradictions(self, rules: str, options: dict[str, object], says: str) -> None:
        with pytest.raises(BadSetup) as refusal:
            rule_set(rules, options)
        assert says in str(refusal.value) and len(str(refusal.value)) < 160 and "\n" not in str(refusal.value)

    @pytest.mark.parametrize("options", [{"scoring": "territory"}, {"ending": "pass-stones"}])
    def test_three_players_have_only_what_three_can_use(self, options: dict[str, object]) -> None:
        with pytest.raises(BadSetup, match="Only two players"):
            Setup(rule_set("kee", options), players="BWR").record()

    def test_both_none_is_a_game_played_to_resignation(self) -> None:
        record = optional("positional", ending="none", scoring="none")
        assert reason(record, "B pass") == "pass-not-available"

    @pytest.mark.parametrize("name", RULESETS)
    def test_every_set_takes_every_board(self, name: str) -> None:
        for cols, rows in ((1, 1), (25, 25), (1, 25), (25, 1), (2, 3), (7, 19)):
            record = Setup(RULESETS[name], size=(cols, rows)).record()
            assert record.position.board == Board(cols, rows)
            for turn in (Placement(Colour.BLACK, 0), Delay(Colour.BLACK), Pass(Colour.BLACK)):
                judge(record, turn)

    @pytest.mark.parametrize("name", RULESETS)
    def test_every_set_refuses_in_words(self, name: str) -> None:
        record = Setup(RULESETS[name], size=(5, 5)).record()
        for turn in (Placement(Colour.WHITE, 0), Placement(Colour.BLACK, 30), Delay(Colour.BLACK, ultimate=True)):
            prohibition = judge(record, turn).prohibition
            if prohibition is not None:
                assert english(ruling_messages.refusal_message(record, turn, prohibition)).startswith(
                    ("Black may not", "White may not")
                )


class TestSuicideAsAPass:
    """A turn that counts as a pass counts so whatever a pass does."""

    def test_it_hands_over_a_stone_where_passes_do(self) -> None:
        record = play_turns(optional("aga", *ONE_IN_THE_CORNER, suicide="single-is-pass"), "B A3")
        assert record.bowls.as_dict() == {"B": {}, "W": {"B": 1}}
        assert play_turns(record, "W pass").ended

    @pytest.mark.parametrize(("first", "second"), list(product(("W pass", "W A1"), repeat=2)))
    def test_it_ends_the_game_where_the_player_passed_on_the_same_board(self, first: str, second: str) -> None:
        start = Setup(rule_set("spight", {"suicide": "single-is-pass"}), board=(".X.",), to_play=Colour.WHITE).record()
        record = play_turns(start, first, "B A1", "W pass", "B C1", "W C1", "B B1")
        assert rows_of(record.position) == (".X.",) and not record.ended
        assert play_turns(record, second).ended


def test_an_option_that_is_nested_too_deep_is_refused_in_words():
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(BadSetup, match="cannot be what is nested too deep"):
        rule_set("chinese", {"ko": nested})
