"""`shinpan update` and `shinpan rollback`: another version of the program, tried before it is trusted."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from device.machine.versions import CannotUpdate, Versions, tell

FAILED = 1


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both and their options."""
    update = commands.add_parser("update", help="install another version", description=run_update.__doc__)
    update.add_argument("source", type=Path, metavar="SOURCE", help="a folder with the project, or a wheel")
    update.add_argument("--other-rulings", action="store_true", help="even if it rules kept games otherwise")
    update.set_defaults(run=run_update)
    rollback = commands.add_parser("rollback", help="go back a version", description=run_rollback.__doc__)
    rollback.set_defaults(run=run_rollback)


def run_update(args: argparse.Namespace) -> int:
    """Install another version beside the one that runs, try it, switch to it; where anything fails, nothing changes."""
    try:
        made = _versions().update(args.source.resolve(), other_rulings=args.other_rulings)
    except (CannotUpdate, OSError) as error:
        print(f"shinpan: {error}\nshinpan: nothing was changed.", file=sys.stderr)
        return FAILED
    tell(f"{made.name} runs; sudo shinpan rollback takes the version before it back")
    return 0


def run_rollback(args: argparse.Namespace) -> int:
    """Go back to the version before; games and settings stay as they are."""
    try:
        tell(f"{_versions().roll_back().name} runs again")
    except (CannotUpdate, OSError) as error:
        print(f"shinpan: {error}", file=sys.stderr)
        return FAILED
    return 0


def _versions() -> Versions:
    root = Path(os.environ.get("SHINPAN_ROOT", "/"))
    if root == Path("/") and os.geteuid() != 0:
        raise CannotUpdate("This changes the system; run it with sudo.")
    return Versions(root)
