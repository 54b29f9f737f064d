"""The proofs of the search, each for the histories that it holds for."""

from referee.analysis.search import Answers, Proof

ONE, TWO, THREE = (1, 0), (0, 1), (1, 2)


def test_a_proof_holds_where_its_boards_stood_and_others_did_not():
    proof = Proof(0, 3, needed=frozenset({ONE}), avoided=frozenset({TWO}))
    assert proof.is_valid_for({ONE, THREE})
    assert not proof.is_valid_for({THREE}) and not proof.is_valid_for({ONE, TWO})


def test_answers_join_the_conditions_of_every_proof():
    answers = Answers()
    answers.add_proof(Proof(1, 0, needed=frozenset({ONE, TWO}), avoided=frozenset({THREE})), after=TWO)
    answers.needed.add(THREE)
    joined = answers.make_proof(1, 0, stones=THREE)
    assert joined == Proof(1, 0, frozenset({ONE}), frozenset({THREE}))
