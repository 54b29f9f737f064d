from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from device.panel.debouncer import BOUNCE, HELD, Presses
from device.panel.panel import Edge
from referee.table.events import Button, Pressed

DONE, CALL, PAUSE = Button.DONE, Button.CALL, Button.PAUSE


def feed_edges(edges, side=1, button=DONE, due_times=()):
    """Feed (t, down) in the order given, asking at some times before and at every deadline afterwards."""
    presses = Presses()
    result = []
    for t, down in edges:
        for when in [a for a in due_times if a <= t]:
            result += presses.due(when)
        result += presses.edge(Edge(side, button, down, t))
    return result + drain(presses)


def drain(presses):
    result = []
    while (deadline := presses.deadline) is not None:
        result += presses.due(deadline)
        assert presses.deadline is None or presses.deadline > deadline
    return result


def press_at(t, is_held=False, side=1, button=DONE):
    return Pressed(t, side, button, is_held)


@pytest.mark.parametrize(
    ("edges", "presses"),
    [
        ([(1.0, True), (1.2, False)], [press_at(1.2)]),
        ([(1.0, True), (1.01, False), (1.015, True), (1.2, False)], [press_at(1.2)]),
        ([(1.0, True), (1.2, False), (1.205, True), (1.21, False)], [press_at(1.21)]),
        ([(1.0, True), (1.2, False), (1.205, True), (1.21, False), (1.4, True), (1.5, False)], [1.21, 1.5]),
        ([(1.0, True), (1.5, False), (1.502, True), (1.8, False)], [press_at(1.8)]),
        ([(1.0, True), (1.005, False)], []),
        ([(1.0, True), (1.1, True), (1.2, False), (1.3, False)], [press_at(1.2)]),
        ([(1.2, False), (1.3, False)], []),
        ([(1.0, True)], [press_at(3.0, is_held=True)]),
        ([(1.0, True), (3.5, False)], [press_at(3.0, is_held=True)]),
        ([(1.0, True), (2.0, False), (2.01, True), (3.5, False)], [press_at(3.0, is_held=True)]),
        ([(1.0, True), (36000.0, False), (36000.01, True), (36000.02, False)], [press_at(3.0, is_held=True)]),
        ([(1.0, True), (2.99, False)], [press_at(2.99)]),
        ([(0.5, True), (0.6, False), (1.2, False), (1.1, True)], [0.6, 1.2]),
        ([(0.5, True), (0.6, False), (2.0, True), (2.1, False), (0.7, True)], [0.6, 2.1]),
    ],
)
def test_edges_to_presses(edges, presses):
    assert feed_edges(edges) == [press_at(one) if isinstance(one, float) else one for one in presses]


def test_a_hold_is_told_while_the_button_is_down_and_not_again():
    presses = Presses()
    assert presses.edge(Edge(1, CALL, True, 5.0)) == ()
    assert presses.deadline == 5.0 + BOUNCE
    assert presses.due(5.0 + BOUNCE) == ()
    assert presses.deadline == 5.0 + HELD
    assert presses.due(6.99) == ()
    assert presses.due(7.0) == (press_at(7.0, is_held=True, button=CALL),)
    assert presses.deadline is None
    assert presses.edge(Edge(1, CALL, False, 9.0)) == ()
    assert drain(presses) == []


def test_nothing_is_under_way_at_first():
    assert Presses().deadline is None
    assert Presses().due(100.0) == ()


@pytest.mark.parametrize("bounces", [(), (True, False), (True, False, True, False)])
def test_a_button_down_from_the_start_counts_once_it_has_been_up(bounces):
    edges = [(4.0, False), *((4.0 + 0.004 * n, down) for n, down in enumerate(bounces, 1))]
    assert feed_edges([*edges, (8.0, True), (8.1, False)]) == [press_at(8.1)]


def test_a_wire_that_touches_ground_from_the_start_holds_nothing():
    assert feed_edges([(4.0, False), (4.005, True)]) == []


def test_buttons_do_not_mind_each_other():
    presses = Presses()
    edges = [Edge(side, button, True, 1.0) for side, button in ((1, DONE), (2, DONE), (2, CALL), (0, PAUSE))]
    edges += [Edge(1, DONE, False, 1.2), Edge(2, DONE, False, 1.2), Edge(2, CALL, False, 1.1)]
    result = [press for edge in edges for press in presses.edge(edge)] + drain(presses)
    assert result == [
        press_at(1.1, side=2, button=CALL),
        press_at(1.2, side=1),
        press_at(1.2, side=2),
        press_at(3.0, side=0, button=PAUSE, is_held=True),
    ]


def test_the_owner_may_ask_late_or_with_a_clock_that_stands():
    presses = Presses()
    presses.edge(Edge(1, DONE, True, 1.0))
    assert presses.edge(Edge(2, DONE, True, 9.0)) == (press_at(3.0, is_held=True),)
    assert presses.due(0.0) == ()


@dataclass(frozen=True)
class Touch:
    """A finger on the button for `long` seconds after a `pause`, and how the contact bounces at either end."""

    pause: float
    long: float
    make: tuple[float, ...]
    leave: tuple[float, ...]


def bounce():
    """Moments at which a contact springs back, an even number of them, over by 19 ms."""
    moments = st.lists(st.floats(0.0005, 0.019), max_size=6, unique=True)
    return moments.map(lambda times: tuple(sorted(times[: len(times) // 2 * 2])))


touches = st.lists(
    st.builds(Touch, st.floats(0.05, 3.0), st.floats(0.05, 5.0), bounce(), bounce()), min_size=1, max_size=8
)


def contact(touches, start=1.0):
    """The edges of those touches, and when each began and ended."""
    t, edges, truth = start, [], []
    for touch in touches:
        down, up = t + touch.pause, t + touch.pause + touch.long
        for moment, level in ((down, True), (up, False)):
            springs = touch.make if level else touch.leave
            edges += [(moment, level), *((moment + s, level ^ (n % 2 == 0)) for n, s in enumerate(springs))]
        truth.append((down, up))
        # The next touch begins after the last bounce.
        t = up + 0.019
    return edges, truth


@given(touches)
def test_every_touch_is_one_press_however_it_bounces(played):
    edges, truth = contact(played)
    result = feed_edges(edges)
    assert len(result) == len(truth)
    for press, (down, up) in zip(result, truth, strict=True):
        if press.is_held:
            assert down + HELD <= press.t <= down + HELD + BOUNCE
            assert up + BOUNCE >= down + HELD
        else:
            assert up <= press.t <= up + BOUNCE
            assert up - down <= HELD + BOUNCE


@given(touches, st.lists(st.floats(0, 60), max_size=10))
def test_when_it_is_asked_changes_nothing(played, asked):
    edges, _ = contact(played)
    assert feed_edges(edges, due_times=sorted(asked)) == feed_edges(edges)


@given(touches, st.randoms(use_true_random=False))
def test_edges_that_overtake_one_another_on_their_way_change_nothing(played, random):
    """Each arrives up to 8 ms late, once a first one has told the level; any other order is held by the next test."""
    edges, _ = contact([Touch(0.5, 0.5, (), ()), *played])
    assume(len({t for t, _ in edges}) == len(edges))  # Of two at one instant only their coming says which was first.
    late = sorted(edges, key=lambda edge: edge[0] + random.uniform(0, 0.008))
    assert feed_edges(late) == feed_edges(edges)


@given(st.lists(st.tuples(st.floats(0, 20), st.booleans()), max_size=40))
def test_there_are_never_more_presses_than_downs(edges):
    assert len(feed_edges(edges)) <= sum(down for _, down in edges)
    rises = [(t, down) for t, down in sorted(edges)]
    assert len(feed_edges(rises)) <= sum(down for _, down in edges)


@given(touches, st.lists(st.integers(0, 200), max_size=20))
def test_doubled_edges_change_nothing(played, doubled):
    edges, _ = contact(played)
    twice = [edge for n, edge in enumerate(edges) for _ in range(1 + (n in doubled))]
    assert feed_edges(twice) == feed_edges(edges)
