"""The commands on the folder of games: `shinpan verify`, `bundle`, `backup`, `restore` and `pin`."""

from __future__ import annotations

import re
import stat
from contextlib import ExitStack
from pathlib import Path

import click

from device.cli.console import count_in_words, show_progress, with_progress
from device.cli.options import FILE, FOLDER, TEXT, Exit, data_option, declare_command, print_note, settings_option
from device.files import LOCK, check_folder, check_place, dead_link, lock_folder
from device.journal.archive import BadBundle, CannotCopy, CopyResult, back_up, bring_back, open_unpacked, write_bundle
from device.journal.keyframes import FRAMES, damaged_pictures
from device.journal.names import by_age
from device.journal.removal import NOT_REACHED, BadName, Name, find_name, folders_with_names, remove_name
from device.journal.replay import Folder, check_record, replay_journal
from device.journal.store import ENDING, JournalError, find_seal
from device.machine.identity import short_form
from device.machine.pin import Pin
from device.settings import Data, expand_home, read_settings
from device.system import system
from referee.game.coordinates import Coordinates
from referee.game.messages import message
from vision.input_files import InputFileSpec, file_mode, os_error_text
from web.language import ENGLISH, to_english

KEY = InputFileSpec("the key's 64 digits, or a file that holds them", 1 << 10, JournalError)
INSTALLED = Path("/etc/shinpan/settings.toml")
"""The settings of a box that `install.sh` set up."""


@declare_command(
    "verify",
    "Check that a journal is whole and unchanged. JOURNAL: a file, a bundle, or a folder of games.",
    ("verify", "the newest match"),
    ("verify match.zip", "a bundle"),
    ("verify /media/stick/games", "all games in a folder"),
)
@click.argument("journal", required=False, type=FILE, metavar="[JOURNAL]")
@click.option(
    "--key", type=TEXT, metavar="KEY", help="The public key of the box that must have signed it, or its file."
)
@click.option("--seal", type=TEXT, metavar="SEAL", help="A seal that was noted, which must be this journal's.")
@settings_option
@data_option
def verify_command(
    journal: Path | None, key: str | None, seal: str | None, settings: Path | None, data: str | None
) -> int:
    """Check one journal, a bundle, or all in a folder; return 2 if one of them cannot be trusted."""
    where = journal or match_in(folder_of(settings, data), None)
    signer = _public_key(key) if key else None
    if not stat.S_ISDIR(file_mode(where)):
        with show_progress("checking"):
            verdict = _verify_file(where, signer, seal)
        print(verdict)
        return Exit.DONE
    wrong = 0
    journals = by_age(where.glob(f"*{ENDING}"))
    if not journals:
        raise BadBundle(f"{where}: there is no journal in this folder; name one with games, or a journal.")
    for path in with_progress(journals, "checking", len(journals)):
        try:
            print(_verify_file(path, signer, seal))
        except JournalError as error:
            wrong += 1
            print_note(to_english(error))
    return Exit.BAD_USE if wrong else Exit.DONE


def _verify_file(where: Path, key: str | None, seal: str | None) -> str:
    """Check a journal or a bundle and return the report; raise JournalError if something is wrong."""
    with open_unpacked(where) as contents:
        journal = contents.journal
        replayed = replay_journal(journal)
        check_record(journal)
        pictures = damaged_pictures(journal.with_suffix(FRAMES))
        sealed_at = find_seal(journal, seal.strip().upper()) if seal is not None else None
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
    seal_note = f" The seal is that of entry {sealed_at}." if sealed_at is not None else ""
    record = replayed.table.record
    result = f"result {ENGLISH.outcome(record.result)}" if record.result else "no result yet"
    same, turns = count_in_words("same", len(replayed.rulings)), count_in_words("turns", record.number)
    other = f" Other sentences than this version's are in {', '.join(contents.reworded)}." if contents.reworded else ""
    kinds = dict.fromkeys(part.partition("/")[0] for part in contents.unsigned)
    unsigned = f" Nothing vouches for {', '.join(kinds)}: no journal holds them." if kinds else ""
    numbers = ", ".join(map(str, replayed.removed))
    removed = f" Names were removed by this box; entries that lost one: {numbers}." if numbers else ""
    whole = f"{where}: whole and unchanged, {count_in_words('entries', replayed.entries)}, {signed}"
    return f"{whole}; {same}; {turns}, {result}.{seal_note}{removed}{gaps}{other}{unsigned}"


def _public_key(key: str) -> str:
    """Return the key itself, or the one in its file."""
    text = KEY.text_of(Path(key)) if file_mode(Path(key)) else key
    if not re.fullmatch("[0-9a-fA-F]{64}", text.strip()):
        raise KEY.error_for(Path(key), "this is no public key")
    return text.strip().lower()


@declare_command(
    "bundle",
    "Put all that was kept of one match in one file. It is for a dispute or a fault report; no secrets are in it.",
    ("bundle", "the newest match, as MATCH.zip here"),
    ("bundle 00012_20261122T093000Z", "that match"),
    ("bundle --out /media/stick/dispute.zip", "into this file"),
)
@click.argument("match", required=False, type=TEXT)
@click.option("--out", type=FILE, metavar="FILE", help="The file to write (default: MATCH.zip, here).")
@settings_option
@data_option
def bundle_command(match: str | None, out: Path | None, settings: Path | None, data: str | None) -> int:
    """Write the bundle and print its contents."""
    folder = folder_of(settings, data)
    name = match_in(folder, match).stem
    out = out or Path(f"{name}.zip")
    check_place(out, settings, *folder.glob(f"{name}*"))
    with show_progress("packing"):
        names = write_bundle(folder, name, out, settings)
    frames = sum(1 for part in names if part.endswith(".jpg"))
    print(f"{out}: the match {name} with {count_in_words('pictures', frames)}; shinpan verify {out} checks it.")
    return Exit.DONE


@declare_command(
    "backup",
    "Copy all games to another place.",
    ("backup /media/stick/games", "those of the box or the user here"),
    ("backup /media/stick/games --data games", "those in this folder"),
    ("restore /media/stick/games", "bring them back"),
)
@click.argument("to", type=FOLDER, metavar="FOLDER")
@settings_option
@data_option
def backup_command(to: Path, settings: Path | None, data: str | None) -> int:
    """Copy the games; return 1 if some could not be copied."""
    folder = folder_of(settings, data)
    if file_mode(to):  # `back_up` reports it if the target is absent.
        matches_in(folder)
    _check_apart(to, folder)
    with show_progress("copying"):
        copied = back_up(folder, to)
    print(f"{to}: {count_in_words('games', len(copied.new))} copied, {copied.same} there already.")
    return _report_left_out(copied)


@declare_command(
    "restore",
    "Bring games back from a backup.",
    ("restore /media/stick/games", "into the folder of the box or the user here"),
    ("restore /media/stick/games --data games", "into this folder"),
    ("verify games", "check them afterwards"),
)
@click.argument("source", type=FOLDER, metavar="FOLDER")
@settings_option
@data_option
def restore_command(source: Path, settings: Path | None, data: str | None) -> int:
    """Bring the games back; return 1 if some could not be trusted."""
    if stat.S_ISDIR(file_mode(source)):  # `bring_back` reports what else is wrong with it.
        matches_in(source, "name one to which games were copied")
    to = folder_of(settings, data)
    _check_apart(source, to)
    check_folder(to, "games")
    folder = Folder(to)
    before = folder.list_journals()[-1:]
    with show_progress("copying"):
        copied = bring_back(source, folder.path)
    print(f"{folder.path}: {count_in_words('games', len(copied.new))} brought back, {copied.same} there already.")
    if before and folder.list_journals()[-1:] != before:
        print(f"The newest match is now {folder.list_journals()[-1].stem}: the next start goes on with it.")
    return _report_left_out(copied)


@declare_command(
    "forget",
    "Remove a person's name from all that was kept here. NAME: as the records have it.",
    ('forget "Ada Example"', "from the games of the box or the user here"),
    ('forget "Ada Example" --also ~/.local/share/shinpan-hall', "also from the hall's folder; stop the hall first"),
    ('forget "Ada Example" --also /media/stick/games', "also from a backup"),
    ('forget "Ada Example" --dry-run', "only say where it is"),
)
@click.argument("name", type=TEXT)
@click.option("--also", type=FOLDER, multiple=True, metavar="FOLDER", help="Another folder: the hall's, a backup.")
@click.option("--dry-run", is_flag=True, help="Only say where it is; remove nothing.")
@settings_option
@data_option
def forget_command(name: str, also: tuple[Path, ...], dry_run: bool, settings: Path | None, data: str | None) -> int:
    """Remove the name and say where it was; return 1 if something could not be rewritten."""
    wanted, folder = Name(name), Folder(folder_of(settings, data))
    for one in also:
        if not stat.S_ISDIR(file_mode(one)):
            raise BadName(f"{one}: there is no such folder; name the hall's folder or a backup.")
    folders = [folder.path, *(_folders_besides(settings) if data is None else ()), *also]
    with ExitStack() as stack, show_progress("looking" if dry_run else "removing"):
        for one in folders if not dry_run else ():
            if (one / LOCK).exists():
                stack.callback(lock_folder(one, "box or hall").close)
        removed = (find_name if dry_run else remove_name)(wanted, folders, folder.identity)
    for path, _ in removed.changed:
        print(f"{path}: the name is {'there' if dry_run else 'removed'}.")
    if not removed.changed and not removed.left:
        print(f"{', '.join(map(str, folders))}: the name is in no file.")
    for sentence in (NOT_REACHED, *removed.left):
        print_note(ENGLISH.sentence(sentence))
    return Exit.NOT_WELL if removed.left else Exit.DONE


def _folders_besides(settings: Path | None) -> list[Path]:
    """Return the folders besides the box's own in which it keeps games."""
    path = _find_settings(settings, None)
    return folders_with_names(read_settings(path).data if path else Data())[1:]


def _report_left_out(copied: CopyResult) -> int:
    for sentence in copied.left:
        print_note(f"{sentence} It was left out.")
    return Exit.NOT_WELL if copied.left else Exit.DONE


@declare_command(
    "pin",
    "Make a new PIN for the director. The old one ends at once, also while the box runs.",
    ("pin", "for the box or the user here"),
    ("pin --settings club.toml", "for the box with these settings"),
    ("pin --data games", "for the box that keeps its games there"),
)
@settings_option
@data_option
def pin_command(settings: Path | None, data: str | None) -> int:
    """Make a new PIN and print it."""
    pin = Pin(Folder(folder_of(settings, data)).path).make()
    print(f"The director's PIN is {pin}. It is shown only once; the one before has ended.")
    return Exit.DONE


def folder_of(settings: Path | None, data: str | None) -> Path:
    """Return the box's own folder; for root that of the box installed here, unless another is named."""
    path = _find_settings(settings, data)
    data_settings = read_settings(path).data if path else Data()
    return expand_home(data or data_settings.folder)


def coordinates_in(settings: Path | None, data: str | None) -> Coordinates:
    """Return the way in which the box of that folder names intersections to people."""
    path = _find_settings(settings, data)
    return Coordinates(read_settings(path).table.coordinates if path else Coordinates.LETTERS)


def _find_settings(settings: Path | None, data: str | None) -> Path | None:
    """Return the settings that are read: for root those of the box installed here, unless others are named."""
    is_installed = system.is_administrator() and not data and INSTALLED.is_file()
    return settings or (INSTALLED if is_installed else None)


def _check_apart(folder: Path, games: Path) -> None:
    if file_mode(folder) and file_mode(games) and folder.samefile(games):
        raise CannotCopy(f"{folder}: games are kept there already; name another folder.")


def matches_in(folder: Path, then: str = "name the one where games are kept with --data") -> list[Path]:
    """Return the journals in a folder, oldest first; raise BadBundle if there are none. then: what to do."""
    try:
        journals = by_age(path for path in folder.iterdir() if re.fullmatch(rf"[0-9].*\{ENDING}", path.name))
    except NotADirectoryError as error:
        raise BadBundle(f"{folder}: this is a file, and no folder of games; {then}.") from error
    except OSError as error:
        reason = dead_link(folder) or os_error_text(error).replace("file", "folder")
        raise BadBundle(f"{folder}: {reason}; {then}.") from error
    if not journals:
        raise BadBundle(f"{folder}: there is no match in this folder; {then}.")
    return journals


def match_in(folder: Path, name: str | None) -> Path:
    """Return the journal of the match of this name, or of the newest; raise BadBundle if there is none."""
    journals = matches_in(folder)
    if not name:
        return journals[-1]
    matches = [path for path in journals if path.stem == name.removesuffix(ENDING)]
    if not matches:
        raise BadBundle(f"{folder}: there is no match {name:.60} there; the newest is {journals[-1].stem}.")
    return matches[0]
