"""`shinpan bundle`: all that was kept of one match in one file, for a dispute or a fault report."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.journal.archive import BadBundle, bundle
from device.journal.replay import Folder
from device.journal.store import ENDING
from device.settings import Data, read_settings


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `bundle` and its options."""
    parser = commands.add_parser("bundle", help="one file with all of a match", description=__doc__)
    parser.add_argument("match", nargs="?", metavar="MATCH", help="its name in the data folder (default: the newest)")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where journals and game records are kept")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings to put in, secrets left out")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write (default: MATCH.zip, here)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the bundle and say what is in it."""
    data = read_settings(args.settings).data if args.settings else Data()
    folder = args.data or Path(data.folder).expanduser()
    if not folder.is_dir():
        raise BadBundle(f"{folder}: there is no such folder; name the one where games are kept with --data.")
    name = args.match.removesuffix(ENDING) if args.match else _newest(folder)
    out = args.out or Path(f"{name}.zip")
    names = bundle(folder, name, out, args.settings)
    frames = sum(1 for part in names if part.endswith(".jpg"))
    print(f"{out}: the match {name} with {frames} pictures; shinpan verify {out} checks it.")
    return 0


def _newest(folder: Path) -> str:
    journals = Folder(folder).journals()
    if not journals:
        raise BadBundle(f"{folder}: there is no match yet; name another folder with --data.")
    return journals[-1].stem
