"""`shinpan verify`: is a journal whole and unchanged, and does it lead to the rulings it tells?"""

from __future__ import annotations

import argparse
from pathlib import Path

from device.journal.archive import unpacked
from device.journal.replay import replay
from device.journal.store import JournalError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `verify`."""
    parser = commands.add_parser("verify", help="check a journal", description=__doc__)
    parser.add_argument("journal", type=Path, metavar="JOURNAL", help="a file that ends in .journal, or a bundle")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check the chain and replay the match; raises JournalError for what is not right."""
    with unpacked(args.journal) as journal:
        replayed = replay(journal)
    if replayed.differs is not None:
        raise JournalError(replayed.differs)
    record = replayed.match.record
    result = f"result {record.result}" if record.result else "no result yet"
    print(
        f"{args.journal}: whole and unchanged, {replayed.entries} entries; "
        f"{len(replayed.rulings)} rulings come out the same again; {record.number} turns, {result}."
    )
    return 0
