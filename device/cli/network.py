"""`shinpan network`: the box's network connections, and the commands to change them."""

from __future__ import annotations

from pathlib import Path

from device.cli.options import Exit, declare_command, settings_option
from device.machine.wifi import HELP, IN_NONE, describe_networks
from device.settings import Page, read_settings


@declare_command(
    "network",
    "Tell which networks the box is in, and how to join one.",
    ("network", "what this machine is connected to"),
    ("network --settings box.toml", "and where these settings serve the page"),
    ("label --access-point --out own.svg", "a label by which phones join the box's own network"),
)
@settings_option
def network_command(settings: Path | None) -> int:
    """Print the box's connections, and how to change them."""
    page = read_settings(settings).page if settings else Page()
    print(*(describe_networks(page) or [IN_NONE]), "", HELP, sep="\n")
    return Exit.DONE
