"""The lights of the rim at a drawn table: from the box to the picture that its own camera gets."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from device.panel.rim import DARK, Frame, frame_of
from device.panel.rim_driver import open_rim
from device.settings import RimSettings
from device.simulator.hub import Hub, listen_at
from device.simulator.link import Seat, SimulatedLights
from device.simulator.messages import LONGEST_QUESTION, read_rim, write_rim
from tests.support.waiting import PATIENCE_S
from tests.support.web.snapshots import begun_table, superko, take_snapshot
from vision.render.looks import club_look
from vision.render.scene import Glow, Scene
from vision.render.table import Table

RED, WHITE = (255, 0, 0), (255, 255, 255)
EMPTY = ("." * 9,) * 9


def comes(true: Callable[[], bool], hub: Hub) -> bool:
    """Return whether it becomes true soon."""
    with hub.changed:
        return hub.changed.wait_for(true, PATIENCE_S)


def test_what_is_lit_is_told_and_read_again():
    frame = Frame((DARK, RED, DARK), (WHITE, DARK, DARK))
    assert read_rim(write_rim(frame, ("bottom", "left"))) == (
        Glow("bottom", 0.5, (0.0, 0.0, 1.0)),
        Glow("left", 0.0, (1.0, 1.0, 1.0)),
    )
    assert read_rim(write_rim(Frame((DARK,) * 3, (DARK,) * 3), ("top", "left"))) == ()
    full = Frame((WHITE,) * 25, (WHITE,) * 25)
    assert len(write_rim(full, ("top", "left"))) < LONGEST_QUESTION


@pytest.mark.parametrize("said", [b"next", b'{"lamps":["off","off"],"table":"off"}'])
def test_other_words_of_a_box_are_none_of_the_rims(said):
    assert read_rim(said) is None


@pytest.mark.parametrize("said", [b"rim {", b"rim 7", b'rim [["middle",0,"ff0000"]]', b'rim [["top",0,"ff"]]'])
def test_lights_that_cannot_be_are_refused(said):
    with pytest.raises(ValueError):
        read_rim(said)


def test_the_rims_lights_go_dark_with_the_box(tmp_path):
    hub = Hub(time.monotonic)
    hub.admit(listen_at(tmp_path / "table"))
    seat = Seat(tmp_path / "table", lambda edge: None)
    assert comes(lambda: not hub.is_empty, hub) and hub.glows == ()
    rim = open_rim(RimSettings("drawn"), SimulatedLights(seat, ("top", "right")), lambda *args: None, lambda: 0.1)
    assert rim is not None
    with rim:
        rim.show(take_snapshot(superko()))
        assert comes(lambda: len(hub.glows) == 2, hub)
        assert [(one.side, one.along, one.colour) for one in hub.glows] == [
            ("top", 2 / 8, (0.0, 0.0, 51 / 255)),
            ("right", 1 / 8, (0.0, 0.0, 51 / 255)),
        ], "C8 in red, at a fifth of its brightness"
        rim.show(take_snapshot(begun_table()))
        assert comes(lambda: hub.glows == (), hub)
    assert not frame_of(take_snapshot(begun_table()), 0.1).is_lit


@pytest.mark.parametrize(("side", "along"), [("top", 0.25), ("right", 1.0), ("bottom", 0.0), ("left", 0.5)])
def test_a_light_is_drawn_beside_the_end_of_its_line(side, along):
    table = Table(club_look(4, 9, 640, 360))
    dark, lit = (
        table.draw(Scene(EMPTY, rim=rim)).pixels.astype(int) for rim in ((), (Glow(side, along, (0, 0, 0.5)),))
    )
    change = (lit - dark).sum(axis=2)
    y, x = np.unravel_index(int(change.argmax()), change.shape)
    at = {"top": (along, 0.0), "bottom": (along, 1.0), "left": (0.0, along), "right": (1.0, along)}[side]
    end = table.view.project_points([*table.view.board_to_world(*at), 0.0])
    cell = table.view.scale_at((0, 0, 0))
    assert 0.6 * cell < np.hypot(x - end[0], y - end[1]) < 1.6 * cell
    assert lit[y, x, 2] > 240 and (lit[y, x, 2] - dark[y, x, 2]) > (lit[y, x, 0] - dark[y, x, 0])
    middle = table.view.project_points([0.0, 0.0, 0.0]).astype(int)
    assert not change[middle[1] - 9 : middle[1] + 9, middle[0] - 9 : middle[0] + 9].any(), "the board is as it was"
