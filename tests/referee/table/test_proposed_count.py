"""The count that the box proposes: when it stands, what both players' words make of it, and what gives it up."""

from __future__ import annotations

import pytest

from referee.codec import statement_from_json, statement_to_json
from referee.game.actor import Actor
from referee.game.count_result import DeadStoneClaim
from referee.table.events import Agree, Amend, BoxProposal, ChangeKomi, Disagree, Propose, TakeBack
from referee.table.proposed_count import ProposedCount
from referee.table.snapshot import Stage
from tests.support.referee.table import B, PlayedTable, W, begin_table
from tests.support.wording import english

ROWS = (".XO..", ".XO.X", ".XO..", "OXO..", ".XO..")
"""E4 and A2 are dead."""

NEEDS_ANSWER = (
    "...XO....",
    "...XO....",
    "...XOO...",
    "...XXXO..",
    "...X.O.O.",
    "...XXXO..",
    "...XOO...",
    "...XO....",
    "...XO....",
)


def ended(rules: str = "chinese", rows: tuple[str, ...] = ROWS) -> PlayedTable:
    return begin_table(rows, rules=rules, black_side=1, komi=0).play("B pass", "W pass")


def propose(table: PlayedTable, dead: str = "E4 A2", proved: str = "E4", uncertain: str = "") -> str:
    """The box proposes these stones; its answer, empty if it has none."""
    table.t += 1
    answer_count = len(table.referee.answers)
    masks = (table.board.mask(names.split()) for names in (dead, proved, uncertain))
    table.referee.receive(BoxProposal(table.t, table.referee.record.position, *masks))
    return " ".join(map(english, table.referee.answers[answer_count:]))


def details(table: PlayedTable) -> list[str]:
    proposal = standing(table)
    assert proposal is not None
    return [english(message) for message in proposal.details]


def standing(table: PlayedTable) -> ProposedCount | None:
    return table.referee.snapshot.counting.proposal


def test_a_proposal_names_chains_grounds_and_result_in_one_answer() -> None:
    table = ended()
    assert table.referee.snapshot.counting.wants_proposal
    sentence = propose(table)
    assert sentence == "Result if so: W+5, with 2 dead chains. Hold SCORE to refuse."
    counting = table.referee.snapshot.counting
    assert counting.proposal is not None and counting.stage is Stage.CLOSED and not counting.wants_proposal
    assert not counting.named.dead and table.referee.answers[-1].author is Actor.BOX
    assert table.referee.snapshot.result is None


def test_its_details_say_what_is_proved_likely_and_uncertain() -> None:
    table = ended()
    sentence = "Result if so: W+5, with 2 dead chains. 2 chains are uncertain. Hold SCORE to refuse."
    assert propose(table, uncertain="B1 C1") == sentence
    proposal = standing(table)
    assert proposal is not None
    assert details(table) == ["Dead: E4 (proved).", "Dead: A2 (likely).", "Uncertain: B5 and C5."]
    assert proposal.doubts is not None and english(proposal.doubts) == "Uncertain: B5 and C5."


def test_both_agree_to_the_proposal_and_the_ruling_says_so() -> None:
    table = ended()
    propose(table)
    table.say(Propose, B, table.dead("E4", "A2"))
    sentence = table.say(Agree, W)
    assert "that A2 and E4 are dead" in sentence or "that E4 and A2 are dead" in sentence
    assert "As the box proposed, dead: E4 (proved) and A2 (likely)." in sentence
    assert table.referee.snapshot.result == "W+5" and standing(table) is not None


@pytest.mark.parametrize("first", [False, True], ids=["at once", "after the other has proposed it"])
def test_who_refuses_the_proposal_leaves_the_count_to_lifted_stones(first: bool) -> None:
    table = ended()
    propose(table)
    if first:
        table.say(Propose, B, table.dead("E4", "A2"))
    assert "does not accept the box's proposal" in table.say(Disagree, W)
    snapshot = table.referee.snapshot
    assert snapshot.ended and snapshot.counting.proposal is None and not snapshot.counting.wants_proposal
    assert snapshot.counting.stage is Stage.CLOSED and snapshot.counting.may_propose == (B, W)
    assert propose(table) == "", "it is not proposed again"
    assert "no proposal" in table.say(Disagree, W)
    table.say(Propose, B, table.dead("E4"))
    sentence = table.say(Agree, W)
    assert "E4 is dead" in sentence and "box" not in sentence


def test_a_player_who_names_other_stones_gives_it_up() -> None:
    table = ended()
    propose(table)
    table.say(Propose, B, table.dead("E4"))
    assert standing(table) is None
    table.say(Disagree, W)
    assert not table.referee.snapshot.ended, "play is resumed, as without a proposal"


def test_a_player_may_add_dead_stones_to_it() -> None:
    table = ended()
    propose(table, dead="E4")
    table.say(Propose, B, table.dead("E4"))
    table.say(Amend, W, table.dead("E4", "A2"))
    sentence = table.say(Agree, B)
    assert "As the box proposed, dead: E4 (proved)." in sentence and standing(table) is not None
    proposal = standing(table)
    assert proposal is not None
    grounds = proposal.ground_by_point(table.board, table.board.mask(["E4", "A2"]), "agreed")
    assert grounds == {"E4": "proved", "A2": "agreed"}


def test_after_a_change_of_komi_it_is_made_again() -> None:
    table = ended()
    propose(table)
    table.referee.receive(ChangeKomi(table.t, 2.5, Actor.DIRECTOR))
    assert standing(table) is None and table.referee.snapshot.counting.wants_proposal
    assert propose(table) == "Result if so: W+7.5, with 2 dead chains. Hold SCORE to refuse."


def test_a_proposal_that_comes_too_late_says_nothing() -> None:
    table = ended()
    table.say(Propose, B, DeadStoneClaim())
    assert propose(table) == "" and standing(table) is None
    table.say(Agree, W)
    assert propose(table) == "" and table.referee.snapshot.result is not None


def test_turns_taken_back_take_the_proposal_with_them() -> None:
    table = ended()
    propose(table)
    table.t += 1
    table.referee.receive(TakeBack(table.t, 1, Actor.DIRECTOR))
    assert standing(table) is None and not table.referee.snapshot.counting.wants_proposal
    table.play("W pass")
    assert table.referee.snapshot.counting.wants_proposal


@pytest.mark.parametrize("rules", ["ing", "kee", "ultimate", "fundamental"])
def test_under_rules_that_agree_on_nothing_dead_nothing_is_proposed(rules: str) -> None:
    table = begin_table(ROWS, rules=rules, black_side=1)
    for text in ("B pass", "W pass", "B pass") if rules in ("ing", "kee") else ():
        if not table.referee.record.ended:
            table.play(text)
    assert not table.referee.snapshot.counting.wants_proposal and propose(table) == ""


def test_open_points_are_named() -> None:
    table = ended(rows=(".XO..", ".XO..", ".XO..", ".X.O.", ".X.O."))
    assert propose(table, dead="", proved="").startswith("Result if so: W+3, with no dead stones.")
    assert details(table) == ["C2 is still open."]


def test_no_point_of_a_seki_is_named_as_open() -> None:
    table = ended("japanese", rows=(".O.OXX.OOX.X.", ".O.OXX.OOX.X."))
    propose(table, dead="", proved="")
    assert details(table) == []


@pytest.mark.parametrize(("rules", "made"), [("japanese", False), ("chinese", True)])
def test_eyes_in_seki_leave_territory_counts_to_the_players(rules: str, made: bool) -> None:
    """They are nobody's there, and SCORE cannot name a seki."""
    table = ended(rules, rows=(".O.OX.X.O.OX.X.", ".O.OXXX.OOOX.X."))
    assert bool(propose(table, dead="", proved="")) is made
    assert table.referee.snapshot.counting.may_propose == (B, W)


def test_a_stone_that_has_to_be_protected_once_dame_are_filled_is_named() -> None:
    table = ended("japanese", rows=NEEDS_ANSWER)
    propose(table, dead="", proved="")
    assert any("must answer at G5" in sentence for sentence in details(table)), details(table)


def test_a_proposal_is_the_same_read_back_from_a_journal() -> None:
    table = ended()
    masks = (table.board.mask([name]) for name in ("E4", "A2", "B1"))
    proposal = BoxProposal(2.5, table.referee.record.position, *masks)
    body = statement_to_json(proposal, table.board)
    assert statement_from_json(body, 2.5, table.board) == proposal and body["rows"] == list(ROWS)
