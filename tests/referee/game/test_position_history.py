"""An index of the earlier positions of a game, and of the turns after which they stood."""

from referee.game.position_history import DEEPEST, PositionHistory

A, B, C = (1, 0), (1, 2), (5, 2)


def test_a_position_is_found_at_each_turn_after_which_it_stood():
    line = PositionHistory.from_positions([A, B, A, C])
    assert line.find_turns(A, 9) == (0, 2) and line.find_turns(A, 2) == (0,) and line.find_turns((0, 0), 9) == ()


def test_a_line_grows_and_a_branch_leaves_it_as_it_was():
    line = PositionHistory.from_positions([A, B])
    assert line.extend_line(2, C) is line
    branch = line.extend_line(2, A)
    assert branch is not None and branch is not line
    assert branch.find_turns(A, 9) == (0, 2) and branch.find_turns(C, 9) == ()
    assert line.find_turns(A, 9) == (0,) and line.find_turns(C, 9) == (2,)


def test_too_many_branches_are_written_out_anew():
    line: PositionHistory | None = PositionHistory.from_positions([A, B])
    for _ in range(DEEPEST):
        assert line is not None
        line = line.extend_line(1, C)
    assert line is not None and line.extend_line(1, B) is None


def test_stones_that_stood_until_an_agreement_count_too():
    line = PositionHistory.from_positions([A, B])
    line.add_before_settlement(1, C)
    assert line.find_turns(C, 9) == line.find_turns(B, 9) == (1,)
