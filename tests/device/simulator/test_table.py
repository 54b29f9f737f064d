"""A script acted out without drawing it: what happens, and when."""

import pytest

from device.panel.panel import Edge
from device.simulator.script import read_script
from device.simulator.table import Performance, SimulatedFrame, StepTruth, Tempo, table_of
from device.simulator.world import least_gap
from referee.game.board import Colour
from referee.game.errors import BadRecord
from referee.table.events import Button, Pressed
from vision.render.scene import LID_STONE

B = Colour.BLACK

HEAD = "size 9\nlook 2\nblack 2\n"
ACTS = "B play A1\nW play A2; W press done\nW hold call\nwait 3\nB press pause\nB play B1 leaving A1\n"


def performed(text, tempo=None):
    script = read_script(HEAD + text)
    performance = Performance(script, table_of(script, 160, 90), tempo)
    return performance, list(performance.happenings())


def of(kind, happenings):
    return [happening for happening in happenings if isinstance(happening, kind)]


@pytest.mark.parametrize("rate", [5, 10, 24])
def test_all_happens_in_the_order_of_time_and_frames_come_at_their_rate(rate):
    _, happenings = performed(ACTS, Tempo(rate))
    frames = of(SimulatedFrame, happenings)
    assert [frame.t for frame in frames] == [number / rate for number in range(len(frames))]
    times = [happening.t for happening in happenings]
    assert times == sorted(times)


@pytest.mark.parametrize("rate", [5, 10, 24])
def test_a_press_is_short_and_a_hold_is_long_and_pause_is_the_tables(rate):
    edges = of(Edge, performed(ACTS, Tempo(rate))[1])
    presses = [(edge.side, edge.button, edge.down) for edge in edges]
    buttons = ((1, Button.DONE), (1, Button.CALL), (0, Button.PAUSE))
    assert presses == [(side, button, down) for side, button in buttons for down in (True, False)]
    lasts = [up.t - down.t for down, up in zip(edges[::2], edges[1::2], strict=True)]
    assert lasts == pytest.approx([0.15, 2.4, 0.15], abs=1e-5)


def test_recorded_presses_are_of_the_two_sides_and_say_which_were_held():
    performance, happenings = performed(ACTS)
    down = of(Edge, happenings)[2].t
    assert performance.presses[1] == Pressed(down + 2.0, 1, Button.CALL, is_held=True)
    assert [press.button for press in performance.presses] == [Button.DONE, Button.CALL]


def test_what_is_true_is_told_after_every_step_with_its_presses():
    truths = of(StepTruth, performed(ACTS)[1])
    assert [one.step for one in truths] == list(range(7))
    assert [len(one.presses) for one in truths] == [0, 0, 2, 2, 0, 2, 0]
    assert truths[0].lids == {"B": {"W": 1}, "W": {"B": 1}}
    assert truths[2].rows[-2:] == ("O........", "X........")
    assert truths[-1].rows[-2:] == ("O........", "XX.......")
    assert all(edge.t < one.t for one in truths for edge in one.presses)


def test_the_players_rest_between_steps_as_long_as_they_are_told():
    ends = [of(SimulatedFrame, performed(ACTS, Tempo(rest=rest))[1])[-1].t for rest in (1.0, 2.0)]
    assert ends[1] - ends[0] == pytest.approx(6 + 3)


def test_stones_out_of_the_bowls_lie_in_the_own_lid():
    performance, happenings = performed("B drop BWW\n")
    assert performance.world.counts() == {"B": {"B": 1, "W": 3}, "W": {"B": 1}}
    assert len({moment.scene.lids for moment in of(SimulatedFrame, happenings)}) == 4, "one after the other"


def test_players_spread_their_lid_while_the_page_asks_them_to():
    script = read_script(HEAD + "B drop BWW\nwait 1\n")
    players_asked = iter([None, B, B])
    performance = Performance(script, table_of(script, 160, 90), spreads=lambda: next(players_asked, None))
    lids = [moment.scene.lids for moment in of(SimulatedFrame, performance.happenings())]
    assert len(set(lids)) == 4 + 2
    assert least_gap(performance.world.lids[1]) > 1.5 * 2 * LID_STONE
    assert performance.world.counts()["B"] == {"B": 1, "W": 3}


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("B put W A1", "a stone stands on A1 already"),
        ("W play A1", "a stone stands on A1 already"),
        ("B lift C3 own", "no stone stands on C3"),
        ("B push C3 0.1 0", "no stone stands on C3"),
        ("B give B supply", "lid 2 holds no stone of B"),
    ],
)
def test_a_step_that_cannot_be_made_is_named(act, said):
    with pytest.raises(BadRecord) as raised:
        performed(f"B play A1\n{act}\n")
    assert str(raised.value) == f"step 2 of the script, {act!r}, cannot be made: {said}."
