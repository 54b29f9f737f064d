"""The interface of a panel, and the words for a button that is down from the start."""

from device.panel.panel import ClosesOnExit, NoPanel, button_fault, down_from_the_start
from device.panel.signals import Signal, Sound
from referee.game.messages import message
from referee.table.events import Button


def test_a_panel_is_closed_at_the_end_of_a_block_even_by_an_error():
    class ClosingPanel(ClosesOnExit):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    noted = ClosingPanel()
    try:
        with noted:
            raise KeyError
    except KeyError:
        pass
    assert noted.closed == 1


def test_a_box_without_a_panel_takes_every_signal(capsys):
    with NoPanel() as panel:
        for sound in Sound:
            panel.sound(sound)
        panel.show(Signal())
        panel.say("Black to play.")
    assert capsys.readouterr() == ("", "")


def test_a_stuck_button_is_named_with_its_side():
    assert down_from_the_start(2, Button.DONE) == message("pins.stuck", button="done", side=2)
    assert down_from_the_start(0, Button.PAUSE) == message("pins.stuck-table", button="pause")
    assert button_fault(2, Button.DONE) != button_fault(1, Button.DONE)
