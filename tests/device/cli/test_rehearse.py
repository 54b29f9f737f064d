"""`shinpan rehearse`: the script of a drawn table that does all that the box asks for."""

from device.cli.rehearse import script_of
from device.simulator.script import Give, Press, Wait
from device.table.rehearsal import plan_acts
from referee.table.events import Button


def test_the_lids_are_emptied_before_the_box_begins():
    script = script_of(9, 1, 8.0)
    assert [type(step[0]) for step in script.steps[:3]] == [Give, Give, Wait]
    assert script.steps[2] == (Wait(8.0),)


def test_every_act_that_is_asked_for_is_made():
    script = script_of(9, 1, 8.0)
    dones = [act for step in script.steps for act in step if isinstance(act, Press) and act.button is Button.DONE]
    players = [act.player for act in plan_acts(9)]
    assert len(dones) >= len(players) - 1 and {done.player for done in dones} == set(players)
