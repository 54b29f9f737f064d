"""Sentences that something needs Linux, if it is asked for on another system, in every language."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import pytest

from device.__main__ import main
from device.panel import factory, keyboard, rim_driver
from device.panel.factory import NoPins, open_panel
from device.panel.keyboard import NoKeys
from device.panel.rim_driver import BadRim, open_rim
from device.settings import RimSettings
from referee.game.messages import error_message
from tests.support.device.systems import load_system
from tests.support.wording import english
from vision.camera import picamera
from vision.camera.live import CameraConfig, open_live
from vision.errors import CameraLost
from web.language import find_translator
from web.language_traits import CODES


@pytest.fixture(params=["darwin", "win32"])
def elsewhere(request, monkeypatch) -> Iterator[None]:
    """A program that believes to be on another system, as far as devices go."""
    with load_system(request.param) as system:
        for module in (factory, keyboard, rim_driver, picamera):
            monkeypatch.setattr(module, "system", system)
        yield


def pins() -> None:
    open_panel("gpio", print)


def keys() -> None:
    open_panel("keys", print)


def rim() -> None:
    open_rim(RimSettings(kind="spi"), None, lambda *args: None, time.monotonic)


def a_pis_camera() -> None:
    open_live("picamera", CameraConfig(), time.monotonic)


@pytest.mark.parametrize(
    ("asks", "error", "said"),
    [
        (pins, NoPins, "Lamps and buttons cannot be used: pins need Linux, as on a Raspberry Pi."),
        (keys, NoKeys, "Keyboards as buttons need Linux. Phones can be the buttons instead"),
        (rim, BadRim, 'The lights of the rim need Linux. Set kind = "none" in [rim]; the page shows everything.'),
        (a_pis_camera, CameraLost, "picamera is a Raspberry Pi's own camera and needs Linux there."),
    ],
)
def test_what_needs_linux_says_so(elsewhere, asks, error, said):
    with pytest.raises(error) as refused:
        asks()
    assert english(refused.value).startswith(said)
    assert all("Linux" in find_translator(code).sentence(error_message(refused.value)) for code in CODES)


def test_without_a_panel_named_the_terminal_stands_in(elsewhere):
    opened = open_panel("auto", print)
    opened.panel.close()
    (fault,) = opened.faults
    assert english(fault) == (
        "Lamps and buttons cannot be used: pins need Linux, as on a Raspberry Pi. The terminal shows the lamps instead."
    )


@pytest.mark.parametrize("words", [["update", "shinpan"], ["rollback"]])
@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_versions_side_by_side_need_linux(platform, words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", platform)
    assert main(words) == 1
    stderr = capsys.readouterr().err
    assert stderr.startswith("shinpan: Versions are installed side by side under Linux alone; elsewhere pipx install")
