"""An index of the earlier positions of a game, and of the turns after which they stood."""

from referee.game.position_history import DEEPEST, PositionHistory

A, B, C = (1, 0), (1, 2), (5, 2)


def test_a_position_is_found_at_each_turn_after_which_it_stood():
    line = PositionHistory.whole([A, B, A, C])
    assert line.numbers(A, 9) == (0, 2) and line.numbers(A, 2) == (0,) and line.numbers((0, 0), 9) == ()


def test_a_line_grows_and_a_branch_leaves_it_as_it_was():
    line = PositionHistory.whole([A, B])
    assert line.grown(2, C) is line
    branch = line.grown(2, A)
    assert branch is not None and branch is not line
    assert branch.numbers(A, 9) == (0, 2) and branch.numbers(C, 9) == ()
    assert line.numbers(A, 9) == (0,) and line.numbers(C, 9) == (2,)


def test_too_many_branches_are_written_out_anew():
    line: PositionHistory | None = PositionHistory.whole([A, B])
    for _ in range(DEEPEST):
        assert line is not None
        line = line.grown(1, C)
    assert line is not None and line.grown(1, B) is None


def test_stones_that_stood_until_an_agreement_count_too():
    line = PositionHistory.whole([A, B])
    line.also(1, C)
    assert line.numbers(C, 9) == line.numbers(B, 9) == (1,)
