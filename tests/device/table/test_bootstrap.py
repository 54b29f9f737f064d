"""The composition root of a box: it builds camera, match, journal, panel and page, starts them and stops them."""

from __future__ import annotations

from functools import partial

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.panel.factory import open_panel
from device.settings import settings_of
from device.table import bootstrap
from device.table.bootstrap import Application
from tests.support.wording import english


@pytest.fixture
def pins():
    """Makes the pins of a Raspberry Pi and of its further chips."""
    factories = dict[int | None, MockFactory]()

    def factory(chip: int | None = None) -> MockFactory:
        return factories.setdefault(chip, MockFactory(pin_class=MockPWMPin))

    yield factory
    for one in factories.values():
        one.reset()


@pytest.mark.slow
@pytest.mark.parametrize(("chips", "faults"), [([], 1), ([5], 0)])
def test_a_box_tells_it_from_its_start(chips, faults, pins, tmp_path, monkeypatch):
    monkeypatch.setattr(bootstrap, "open_panel", partial(open_panel, factory=pins))
    box = Application(
        settings_of(
            {
                "game": {"rules": "kee", "players": "BWRG", "size": 9},
                "camera": {"source": "/dev/video99"},
                "panel": {"kind": "gpio", "chips": chips},
                "page": {"port": 0},
                "data": {"folder": str(tmp_path / "games")},
            }
        )
    )
    box.start()
    box.event_loop.settle()
    box.stop()
    messages = [text for text in map(english, box.board.newest.faults) if "have no buttons" in text]
    assert len(messages) == faults
