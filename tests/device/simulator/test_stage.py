"""Real-time playing of a script for the boxes that watch (see `serve`), or into a video and a file of presses."""

from device.simulator.script import read_script
from device.simulator.stage import COPIES, Photographer
from device.simulator.table import Performance, SimulatedFrame, table_of
from referee.game.board import Colour

B = Colour.BLACK


HEAD = "size 9\nlook 2\nblack 2\n"


def only_kind(kind, happenings):
    return [happening for happening in happenings if isinstance(happening, kind)]


def test_a_still_table_is_drawn_a_few_times_and_a_changed_one_anew():
    script = read_script(HEAD + "B play E5\n")
    table = table_of(script, 160, 90)
    scenes = [moment.scene for moment in only_kind(SimulatedFrame, Performance(script, table).happenings())]
    photographer = Photographer(table)
    still = [photographer.picture(scenes[0], number) for number in range(3 * COPIES)]
    assert len({(picture >> 1).tobytes() for picture in still}) == COPIES
    assert len({picture.tobytes() for picture in still}) == len(still), "no sensor gives the same picture twice"
    changed = photographer.picture(scenes[-1], 3 * COPIES)
    assert all((changed != picture).any() for picture in still)
    assert (changed == table.draw(scenes[-1], 3 * COPIES).pixels).all()
