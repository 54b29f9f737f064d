"""`shinpan network`: what the box is connected to, and what to type to change that."""

from __future__ import annotations

from pathlib import Path

from device.commands.declared import Exit, command, settings_option
from device.machine.wifi import HELP, IN_NONE, networks
from device.settings import Page, read_settings


@command(
    "network",
    "Tell which networks the box is in, and how to join one.",
    ("network", "what this machine is connected to"),
    ("network --settings box.toml", "and where these settings serve the page"),
    ("label --access-point --out own.svg", "a label by which phones join the box's own network"),
)
@settings_option
def network_command(settings: Path | None) -> int:
    """Say what the box is connected to, and how that is changed."""
    page = read_settings(settings).page if settings else Page()
    print(*(networks(page) or [IN_NONE]), "", HELP, sep="\n")
    return Exit.DONE
