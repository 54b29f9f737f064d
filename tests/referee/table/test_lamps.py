"""The lights of the table's and the page's lamps: tables keyed by a player's task and by the table's state."""

from dataclasses import replace

from referee.table.display_state import Sight, State, Task
from referee.table.lamps import LAMPS, SIGHTS, Light, Tone, banner_tone, table_lamp
from tests.support.web.snapshots import running, take_snapshot


def test_every_task_and_every_sight_has_its_light():
    assert set(LAMPS) == set(Task) and set(SIGHTS) == set(Sight)


def test_a_light_says_its_colour_and_that_it_pulses():
    assert [str(Light(Tone.RED)), str(Light(Tone.BLUE, pulse=True))] == ["red", "blue pulsing"]


def test_that_nothing_can_be_judged_comes_before_all_else():
    snapshot = replace(take_snapshot(running("5m").play("B A3")), sight=Sight.SEEN)
    assert table_lamp(snapshot) == SIGHTS[Sight.SEEN]
    assert table_lamp(replace(snapshot, unable=("the eyes",))) == Light(Tone.RED, pulse=True)  # type: ignore[arg-type]


def test_the_banner_has_the_colour_of_who_is_concerned():
    snapshot = take_snapshot(running("5m").play("B A3"))
    assert snapshot.display_state.state is not State.LOST
    assert banner_tone(snapshot) is LAMPS[snapshot.display_state.task].tone
