"""`shinpan restore`: games brought back from where `shinpan backup` put them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.commands.backup import add_options, data_folder
from device.journal.archive import bring_back
from device.journal.replay import Folder


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `restore` and its options."""
    parser = commands.add_parser("restore", help="bring games back", description=__doc__)
    parser.add_argument("source", type=Path, metavar="FOLDER", help="where they were copied to")
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Copy what is missing here, and say how many; 1 where some could not be believed."""
    folder = Folder(data_folder(args)).path
    copied = bring_back(args.source, folder)
    print(f"{folder}: {len(copied.new)} games brought back, {copied.same} were there already.")
    for sentence in copied.left:
        print(f"shinpan: {sentence} It was left out.", file=sys.stderr)
    return 1 if copied.left else 0
