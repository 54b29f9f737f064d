"""Stones pushed off their points at the virtual table, filmed, and ruled on by what the camera's eye makes of them."""

from __future__ import annotations

import pytest

from device.simulator.script import read_script
from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, table_of
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.table import Table, TableConfig
from tests.support.tiers import sample
from tests.support.wording import english
from vision.camera.frame import Frame
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]

HEAD = "size 9\nlook {look}\n"
SET_RIGHT = """
B play E5; B push E5 {right} {down}; B press done
B push E5 0 0; B press done
W play C3; W press done
"""
HELD = """
B play E5; B press done
W play C3; W push E5 {right} {down}; W press done
B play G7; B press done
"""


def rule_on_script(text: str, refereed: bool) -> list[tuple[int, str, str]]:
    """Return the rulings on a script acted out before a camera: turn, status and sentence."""
    script = read_script(text)
    table = table_of(script, 960, 540)
    performance, photographer = Performance(script, table), Photographer(table)
    observer = BoardTracker(TrackerConfig())
    referee = Table(Setup(rule_set("chinese"), size=(9, 9)).record(), TableConfig(refereed=refereed))
    for number, happening in enumerate(performance.happenings()):
        while refereed and performance.presses and performance.presses[0].t <= happening.t:
            referee.receive(performance.presses.pop(0))
        if isinstance(happening, SimulatedFrame):
            picture = photographer.picture(happening.scene, number)
            observation = observer.see(Frame(picture, happening.t)) or observer.standing
            if observation is not None:
                referee.receive(observation)
    return [(ruling.turn, ruling.status.value, english(ruling)) for ruling in referee.snapshot.rulings]


BESIDE, BELOW = (0.46, 0, "E5 and F5|F5 and E5"), (-0.03, 0.45, "E5 and E4|E4 and E5")
CASES = [(True, *BESIDE), (True, *BELOW), (False, *BESIDE), (False, *BELOW)]


@pytest.mark.parametrize(("refereed", "right", "down", "pair"), sample(CASES, 1))
def test_a_new_stone_between_points_counts_once_it_is_set(refereed, right, down, pair):
    rulings = rule_on_script(HEAD.format(look=4) + SET_RIGHT.format(right=right, down=down), refereed)
    assert [(turn, status) for turn, status, _ in rulings] == [(1, "unfinished"), (1, "legal"), (2, "legal")], rulings
    assert rulings[0][2] in [f"The stone between {names}: please set it on a point." for names in pair.split("|")]


@pytest.mark.long
@pytest.mark.parametrize("refereed", sample([True, False], 1))
def test_a_stone_of_the_game_that_was_pushed_stops_nothing(refereed):
    rulings = rule_on_script(HEAD.format(look=4) + HELD.format(right=0.4, down=0), refereed)
    assert [(turn, status) for turn, status, _ in rulings] == [(1, "legal"), (2, "legal"), (3, "legal")], rulings
