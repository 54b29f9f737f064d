"""What is done with the folder of games: `shinpan verify`, `bundle`, `backup`, `restore` and `pin`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from device.journal.archive import BadBundle, Copied, back_up, bring_back, bundle, unpacked
from device.journal.keyframes import FRAMES, damaged_pictures
from device.journal.replay import Folder, check_record, replay
from device.journal.store import ENDING, JournalError, sealed
from device.machine.identity import short_form
from device.machine.pin import Pin
from device.settings import Data, expanded, read_settings
from referee.messages import message
from web.language import english

INSTALLED = Path("/etc/shinpan/settings.toml")
"""The settings of a box that `install.sh` set up."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add all of them and their options."""

    def add(name: str, summary: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        parser = commands.add_parser(name, help=summary, description=run.__doc__)
        parser.set_defaults(run=run)
        return parser

    journal = add("verify", "check a journal", run_verify)
    journal.add_argument(
        "journal",
        nargs="?",
        type=Path,
        metavar="JOURNAL",
        help="a file that ends in .journal, a bundle, or a folder of games (default: the newest match)",
    )
    journal.add_argument("--key", metavar="KEY", help="the public key of the box that must have signed it, or its file")
    journal.add_argument("--seal", metavar="SEAL", help="a seal that was noted, which must be this journal's")
    match = add("bundle", "one file with all of a match", run_bundle)
    match.add_argument("match", nargs="?", metavar="MATCH", help="its name in the data folder (default: the newest)")
    match.add_argument("--out", type=Path, metavar="FILE", help="the file to write (default: MATCH.zip, here)")
    to = add("backup", "copy all games to another place", run_backup)
    to.add_argument("to", type=Path, metavar="FOLDER", help="where to: a folder that is there")
    source = add("restore", "bring games back", run_restore)
    source.add_argument("source", type=Path, metavar="FOLDER", help="where they were copied to")
    for parser in (journal, match, to, source, add("pin", "make a new PIN for the director", run_pin)):
        parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
        parser.add_argument("--data", metavar="FOLDER", help="where journals and game records are kept")


def run_verify(args: argparse.Namespace) -> int:
    """Check that a journal is whole and unchanged, and leads to the rulings in it when it is replayed."""
    where = args.journal or newest_in(folder_of(args))
    key = _public_key(args.key) if args.key else None
    if not where.is_dir():
        print(_verified(where, key, args.seal))
        return 0
    wrong = 0
    for journal in Folder(where).journals():
        try:
            print(_verified(journal, key, args.seal))
        except JournalError as error:
            wrong += 1
            print(f"shinpan: {english(error)}", file=sys.stderr)
    return 2 if wrong else 0


def _verified(where: Path, key: str | None, seal: str | None) -> str:
    """What is found about a journal or a bundle; raises JournalError where something is wrong."""
    with unpacked(where) as journal:
        replayed = replay(journal)
        check_record(journal)
        pictures = damaged_pictures(journal.with_suffix(FRAMES))
        sealed_at = sealed(journal, seal.strip().upper()) if seal is not None else None
    head = replayed.head
    if replayed.differs is not None:
        raise JournalError(replayed.differs)
    if pictures:
        raise JournalError(message("journal.other-picture", picture=str(pictures[0])))
    if key is not None and (head is None or head.key != key):
        raise JournalError(message("journal.other-key", journal=str(where)))
    if seal is not None and sealed_at is None:
        raise JournalError(message("journal.other-seal", journal=str(where), seal=seal))
    signed = f"signed by the box {short_form(head.key)}" if head is not None and head.key else "not signed"
    gaps = "".join(f" Entries after entry {gap} were lost, and it went on from there." for gap in replayed.gaps)
    noted = f" The seal is that of entry {sealed_at}." if sealed_at is not None else ""
    record = replayed.match.record
    result = f"result {record.result}" if record.result else "no result yet"
    return (
        f"{where}: whole and unchanged, {replayed.entries} entries, {signed}; "
        f"{len(replayed.rulings)} rulings come out the same again; {record.number} turns, {result}.{noted}{gaps}"
    )


def _public_key(given: str) -> str:
    """The key itself, or what is in its file."""
    try:
        text = Path(given).read_text(encoding="ascii") if Path(given).is_file() else given
        return bytes.fromhex(text).hex()
    except (OSError, ValueError) as error:
        raise JournalError(f"{given}: this is no public key; give its 64 digits, or a file that holds them.") from error


def run_bundle(args: argparse.Namespace) -> int:
    """Put all that was kept of one match in one file, for a dispute or a fault report; no secrets are in it."""
    folder = folder_of(args)
    if not folder.is_dir():
        raise BadBundle(f"{folder}: there is no such folder; name the one where games are kept with --data.")
    name = args.match.removesuffix(ENDING) if args.match else newest_in(folder).stem
    out = args.out or Path(f"{name}.zip")
    names = bundle(folder, name, out, args.settings)
    frames = sum(1 for part in names if part.endswith(".jpg"))
    print(f"{out}: the match {name} with {frames} pictures; shinpan verify {out} checks it.")
    return 0


def run_backup(args: argparse.Namespace) -> int:
    """Copy all games to another place, such as a USB stick; exit 1 where some could not be."""
    copied = back_up(folder_of(args), args.to)
    print(f"{args.to}: {len(copied.new)} games copied, {copied.same} were there already.")
    return _left_out(copied)


def run_restore(args: argparse.Namespace) -> int:
    """Bring games back from where a backup put them; exit 1 where some could not be believed."""
    folder = Folder(folder_of(args))
    before = folder.journals()[-1:]
    copied = bring_back(args.source, folder.path)
    print(f"{folder.path}: {len(copied.new)} games brought back, {copied.same} were there already.")
    if before and folder.journals()[-1:] != before:
        print(f"The newest match is now {folder.journals()[-1].stem}: the next start goes on with it.")
    return _left_out(copied)


def _left_out(copied: Copied) -> int:
    for sentence in copied.left:
        print(f"shinpan: {sentence} It was left out.", file=sys.stderr)
    return 1 if copied.left else 0


def run_pin(args: argparse.Namespace) -> int:
    """Make a new PIN for the director and print it; the old one ends at once, also while the box runs."""
    pin = Pin(Folder(folder_of(args)).path).make()
    print(f"The director's PIN is {pin}. It is shown only once; the one before has ended.")
    return 0


def folder_of(args: argparse.Namespace) -> Path:
    """The box's own folder; to an administrator that of the box which is set up here, unless another is named."""
    set_up = os.geteuid() == 0 and not args.data and INSTALLED.is_file()
    settings = args.settings or (INSTALLED if set_up else None)
    data = read_settings(settings).data if settings else Data()
    return expanded(args.data or data.folder)


def newest_in(folder: Path) -> Path:
    journals = Folder(folder).journals()
    if not journals:
        raise BadBundle(f"{folder}: there is no match yet; name another folder with --data.")
    return journals[-1]
