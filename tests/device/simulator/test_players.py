"""The scripted hands look at the lamps: they wait in the dark, and say that they are ready after a power cut."""

from itertools import islice

from device.panel.panel import Edge
from device.panel.signals import Signal
from device.simulator.messages import DARK, Lamps, read_lamps, write_lamps
from device.simulator.players import (
    AGAIN_AFTER,
    MOST_AGAIN,
    PATIENCE,
    UNHEARD_AFTER,
    WAIT,
    NextAction,
    SimulatedPlayers,
)
from device.simulator.script import read_script
from device.simulator.table import Performance, SimulatedFrame, table_of
from device.simulator.world import least_gap
from referee.game.board import Colour as Player
from referee.table.lamps import Light, Tone

GREEN, OFF, READY, WAITING = "green", "off", "blue pulsing", "white pulsing"
EITHER = Lamps((GREEN, GREEN), GREEN)
SCRIPT = read_script("size 9\nblack 1\nB play E5; B press done\nW play C3; W press done\n")


class ScriptedLamps:
    """Lamps that show one thing after the other; the last for ever."""

    def __init__(self, *lamps):
        self.shown = list(lamps)

    def __call__(self):
        return self.shown.pop(0) if len(self.shown) > 1 else self.shown[0]


def play(number):
    return Lamps((GREEN, OFF) if number == 1 else (OFF, GREEN), GREEN)


def restored(*sides):
    return Lamps(tuple(READY if side in sides else "blue" for side in (1, 2)), READY)


def edges_of(performance, most=2000):
    return [happening for happening in islice(performance.happenings(), most) if isinstance(happening, Edge)]


def presses(lamps):
    """The sides of the presses that come of a short script with these lamps."""
    return [edge.side for edge in edges_of(Performance(SCRIPT, table_of(SCRIPT, 160, 90), lamps=lamps))[::2]]


def test_without_lamps_only_the_script_is_played():
    assert SimulatedPlayers(lambda: None).next() is None
    assert presses(lambda: None) == [1, 2]


def test_in_the_dark_nobody_goes_on():
    assert SimulatedPlayers(lambda: DARK).next() == WAIT
    performance = Performance(SCRIPT, table_of(SCRIPT, 160, 90), lamps=lambda: DARK)
    assert all(isinstance(happening, SimulatedFrame) for happening in islice(performance.happenings(), 31, 500))


def test_whose_lamp_asks_for_it_presses_done_first():
    lamps = ScriptedLamps(restored(1, 2))
    manners = SimulatedPlayers(lamps)
    assert manners.next() == NextAction(1)
    lamps.shown = [restored(2)]
    assert manners.next() == NextAction(2)
    lamps.shown = [play(1)]
    assert manners.next() is None


def test_nobody_begins_before_the_start_check_is_over():
    lamps = ScriptedLamps(Lamps((READY, READY), "amber"))
    manners = SimulatedPlayers(lamps)
    assert manners.next() == WAIT and manners.next() == WAIT
    lamps.shown = [play(1)]
    assert manners.next() is None


def test_a_start_check_that_does_not_end_is_waited_for_only_so_long():
    manners = SimulatedPlayers(lambda: Lamps((READY, READY), "amber"))
    assert [manners.next() for _ in range(PATIENCE)] == [WAIT] * (PATIENCE - 1) + [None]


def test_the_start_check_asks_for_no_press_once_something_was_done():
    manners = SimulatedPlayers(lambda: Lamps((READY, READY), "amber"))
    manners.note_act()
    assert manners.next() is None


def test_a_press_that_was_not_heard_is_made_again_once():
    lamps = ScriptedLamps(play(1))
    manners = SimulatedPlayers(lamps)
    manners.closed(1)
    assert manners.next() is None
    lamps.shown = [DARK]
    assert manners.next() == WAIT
    lamps.shown = [play(1)]
    assert manners.next() == NextAction(1)
    assert manners.next() is None


def test_lamps_of_a_box_just_started_say_nothing_about_a_press():
    lamps = ScriptedLamps(DARK)
    manners = SimulatedPlayers(lamps)
    manners.note_act()
    manners.closed(1)
    assert manners.next() == WAIT
    lamps.shown = [Lamps((READY, READY), "amber")]
    assert manners.next() is None
    lamps.shown = [play(1)]
    assert manners.next() == NextAction(1)


def test_a_press_that_was_heard_is_not_made_again():
    lamps = ScriptedLamps(DARK)
    manners = SimulatedPlayers(lamps)
    manners.closed(1)
    assert manners.next() == WAIT
    lamps.shown = [play(2)]
    assert manners.next() is None


def test_after_a_power_cut_both_press_before_the_script_goes_on():
    lamps = iter([DARK] * 3 + [restored(1, 2)] * 2 + [restored(2)] * 8)
    assert presses(lambda: next(lamps, EITHER)) == [1, 2, 1, 2]


def test_a_press_that_says_ready_closes_no_turn():
    lamps = iter([play(1)] * 2 + [DARK] * 3 + [restored(1)] * 2)
    assert presses(lambda: next(lamps, EITHER)) == [1, 1, 1, 2], "done, ready, done again for it was not heard, done"


def test_nobody_touches_the_table_before_her_lamp_says_so():
    lamps = ScriptedLamps(play(1))
    manners = SimulatedPlayers(lamps)
    assert manners.next(1) is None and manners.next(2) is None, "nobody has closed a turn yet"
    manners.closed(1)
    lamps.shown = [Lamps((WAITING, OFF), GREEN)]
    assert [manners.next(2) for _ in range(50)] == [WAIT] * 50 and manners.next(None) is None
    lamps.shown = [play(2)]
    assert manners.next(2) is None


def test_who_closed_the_turn_may_put_it_right():
    manners = SimulatedPlayers(ScriptedLamps(Lamps(("red", OFF), GREEN)))
    manners.closed(1)
    assert manners.next(1) is None and manners.next(2) == WAIT


def test_an_uncounted_turn_is_closed_again_and_stones_are_spread():
    for lamp, spread, after in (
        ("green", False, UNHEARD_AFTER),
        ("amber", True, AGAIN_AFTER),
        ("red", False, AGAIN_AFTER),
    ):
        manners = SimulatedPlayers(ScriptedLamps(Lamps((lamp, OFF), GREEN)))
        manners.closed(1)
        done = [manners.next(2) for _ in range(after)]
        assert done == [WAIT] * (after - 1) + [NextAction(1, spread)]


def test_a_turn_is_waited_for_only_so_long():
    manners = SimulatedPlayers(ScriptedLamps(Lamps(("amber", OFF), GREEN)))
    manners.closed(1)
    done = [manners.next(2) for _ in range(PATIENCE + 1)]
    assert done.count(NextAction(1, True)) == MOST_AGAIN and done[-1] is None
    assert manners.next(2) is None, "it has been in vain once"


def test_stones_are_spread_by_a_hand_and_stay_the_same_stones():
    script = read_script("size 9\nblack 1\nB play E5; B press done\nW play C3; W press done\n")
    lamps = iter([play(1)] * 40)
    table = Performance(script, table_of(script, 160, 90), lamps=lambda: next(lamps, Lamps(("amber", OFF), GREEN)))
    for colour in (Player.BLACK, Player.WHITE, Player.WHITE):
        table.world.drop(1, colour)
    before, counts = table.world.lids[0], table.world.counts()
    hands = [event.scene.hand for event in islice(table.happenings(), 400) if isinstance(event, SimulatedFrame)]
    assert table.world.counts() == counts and table.world.lids[0] != before and any(hands)
    assert least_gap(table.world.lids[0]) >= least_gap(before)


def test_lamps_are_said_as_they_are_shown():
    signal = Signal((Light(Tone.BLUE, True), Light(Tone.OFF)), table=Light(Tone.GREEN))
    assert read_lamps(write_lamps(signal)) == Lamps((READY, OFF), GREEN)
    assert read_lamps(b"next") is None
