"""`shinpan doctor`: whether this machine is ready to referee, one check per line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import click

from device.cli.console import count_in_words
from device.cli.options import Exit, camera_option, declare_command, settings_option
from device.machine import checks
from device.machine.checks import Check, Mark, check_view
from device.settings import Settings, expand_home, override_from_cli
from device.system import system
from device.table.match_config import most_enrolling_players, most_players, read_checked_settings
from referee.game.errors import RefereeError
from vision.camera.live import driver_name
from web.language import ENGLISH, to_english


@declare_command(
    "doctor",
    "Check that this machine is ready to referee.",
    ("doctor", "check it as it stands"),
    ("doctor --settings club.toml", "check what these settings want"),
    ("doctor --camera 2", "check another camera"),
    ("doctor --beside", "while a box runs here"),
    looks=True,
)
@camera_option
@settings_option
@click.option("--beside", is_flag=True, help="Leave out what a running box holds.")
def doctor_command(camera: str | None, settings: Path | None, beside: bool) -> int:
    """Run every check; return 0 if nothing is wrong, else 1."""
    wrong = 0
    for check in every_check(settings, beside, camera):
        print(f"{check.mark:5}  {check.what:8}  {check.sentence}", flush=True)
        wrong += check.mark is Mark.WRONG
    print(count_in_words("wrong", wrong) if wrong else "Nothing is wrong.")
    return Exit.NOT_WELL if wrong else Exit.DONE


def every_check(path: Path | None, beside: bool = False, camera: str | None = None) -> Iterator[Check]:
    """Yield every check, in the order in which a machine is put right.

    path: the settings file, None for the defaults.
    beside: True to leave out what a running box holds.
    camera: the camera to check in place of the settings'.
    """
    yield checks.check_python()
    yield from checks.check_packages()
    yield from checks.check_version()
    settings = Settings()
    if path is not None:
        settings, check = _read_settings(path)
        yield check
    settings = override_from_cli(settings, {"camera": camera})
    yield checks.check_eyes()
    yield from checks.check_data(expand_home(settings.data.folder))
    if not beside:
        yield from checks.check_panel(settings.panel, expand_home(settings.data.folder), players=most_players(settings))
        yield from checks.check_rim(settings.rim)
        check, frame = checks.check_camera(settings.camera)
        yield check
        yield from checks.check_stones(most_enrolling_players(settings))
        if frame is not None:
            yield from check_view(frame.pixels, driver_name(settings.camera.source))
        yield checks.check_page(settings.page)
    yield checks.check_network(settings.page)
    yield checks.check_clock(time.time())
    yield from _check_machine()


def _check_machine() -> Iterator[Check]:
    """Check the machine as far as the system says."""
    if (free := system.free_memory()) is not None:
        yield checks.check_memory(free)
    if (degrees := system.hottest_degrees()) is not None:
        yield checks.check_heat(degrees)
    if (fonts := checks.check_fonts()) is not None:
        yield fonts


def _read_settings(path: Path) -> tuple[Settings, Check]:
    """Read the settings in the file; the default ones if it cannot be used."""
    try:
        settings = read_checked_settings(path)
    except RefereeError as error:
        return Settings(), Check(Mark.WRONG, "settings", f"{to_english(error)} What follows is checked without them.")
    presets = f"; presets: {', '.join(settings.presets)}" if settings.presets else ""
    rules = settings.game.rules
    if rules is None:
        sentence = f"{path}: no rules are named{presets}; write rules under [game], as docs/settings.md has it."
        return settings, Check(Mark.NOTE, "settings", sentence)
    return settings, Check(Mark.OK, "settings", f"{path}: {ENGLISH(f'title.{rules}')}{presets}.")
