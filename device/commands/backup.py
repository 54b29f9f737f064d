"""`shinpan backup`: all games copied to another place, such as a USB stick."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.journal.archive import back_up
from device.settings import Data, read_settings


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `backup` and its options."""
    parser = commands.add_parser("backup", help="copy all games to another place", description=__doc__)
    parser.add_argument("to", type=Path, metavar="FOLDER", help="where to: a folder that is there")
    add_options(parser)
    parser.set_defaults(run=run)


def add_options(parser: argparse.ArgumentParser) -> None:
    """How the box's own folder is found."""
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
    parser.add_argument("--data", metavar="DATA", help="where journals and game records are kept")


def data_folder(args: argparse.Namespace) -> Path:
    """The box's own folder."""
    data = read_settings(args.settings).data if args.settings else Data()
    return Path(args.data or data.folder).expanduser()


def run(args: argparse.Namespace) -> int:
    """Copy, and say how many."""
    copied = back_up(data_folder(args), args.to)
    print(f"{args.to}: {len(copied.new)} games copied, {copied.same} were there already.")
    return 0
