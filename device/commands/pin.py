"""`shinpan pin`: a new PIN for the director."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.journal.replay import Folder
from device.machine.pin import Pin
from device.settings import Data, read_settings


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `pin` and its options."""
    parser = commands.add_parser("pin", help="make a new PIN for the director", description=__doc__)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
    parser.add_argument("--data", metavar="FOLDER", help="where journals and game records are kept")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make it and print it; the old one ends at once, also while the box runs."""
    data = read_settings(args.settings).data if args.settings else Data()
    folder = Folder(Path(args.data or data.folder).expanduser())
    print(f"The director's PIN is {Pin(folder.path).make()}. It is told this once; the one before has ended.")
    return 0
