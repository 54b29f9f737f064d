"""Sentences about the stones that a count takes as dead."""

from __future__ import annotations

from device.cli.dead_stones import DeadStones, propose_dead_stones
from referee.analysis.proposal import FateGround, Proposal
from referee.game.diagram import position_of
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.methods import may_agree, may_propose

TERRITORIES = (".X.XO.O", "XXXXOOO", ".OXXO.O", "..XXOOO", "XXXXO..", "...XO..", "...XO..")


def test_a_proposal_names_each_chain_with_its_ground() -> None:
    position = position_of(TERRITORIES)
    dead_stones = propose_dead_stones(position)
    assert list(dead_stones.sentences(position)) == ["assumed dead: B5 (proved)."]
    assert dead_stones.by_point(position.board, dead_stones.dead) == {"B5": "proved"}


def test_named_stones_are_given_and_nothing_is_said_of_them() -> None:
    position = position_of(TERRITORIES)
    dead_stones = DeadStones(position.board.mask(["B5"]), FateGround.AGREED)
    assert list(dead_stones.sentences(position)) == []
    assert dead_stones.by_point(position.board, dead_stones.dead) == {"B5": "agreed"}


def test_stones_in_seki_are_not_proposed() -> None:
    position = position_of(TERRITORIES)
    assert propose_dead_stones(position, position.board.mask(["B5"])).dead == 0


def test_an_open_board_is_named_and_chains_show_their_stones() -> None:
    position = position_of((".....", "..XO.", "..XOO", "...X.", "....."))
    sentences = list(propose_dead_stones(position).sentences(position))
    assert sentences[0] == "play seems not to have ended, so only what is proved is taken as dead."
    assert "D4 with 2 more (taken as alive)" in sentences[1]


def test_a_living_chain_in_atari_is_still_open() -> None:
    position = position_of(("XO.", "...", "..."))
    dead_stones = DeadStones(0, FateGround.LIKELY, Proposal(0, position.occupied, 0, ()))
    assert list(dead_stones.sentences(position)) == ["still open: a chain is in atari at A2."]


def test_dead_stones_are_proposed_where_points_are_counted_after_passes() -> None:
    may = {
        name: may_propose(Setup(rule_set(name)).record())
        for name in ("chinese", "japanese", "aga", "ing", "kee", "ultimate")
    }
    assert may == {"chinese": True, "japanese": True, "aga": True, "ing": False, "kee": False, "ultimate": False}
    assert may_agree(Setup(rule_set("ing")).record())
