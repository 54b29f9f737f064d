"""A journal whose end is damaged: the sound entries before it are kept, and the file as it is set aside for a look."""

from __future__ import annotations

from pathlib import Path

from device.journal import Entry, Journal, JournalError, last_alive, sound_entries

DAMAGED = ".damaged"
BESIDE = ("", "-wal", "-shm")
"""What SQLite keeps beside a file belongs to it, and must not meet another of its name."""


def salvage(path: Path) -> list[Entry]:
    """Set a damaged journal aside, and leave its sound entries at its path, where there are any."""
    entries, alive = sound_entries(path), last_alive(path)
    if not entries:
        set_aside(path)
        return []
    draft = path.with_name(f".{path.name}")
    remove(draft)
    journal = Journal(draft)
    journal.write(entries)
    if alive is not None:
        journal.alive(alive)
    journal.close()
    set_aside(path)
    draft.rename(path)
    return entries


def set_aside(path: Path) -> Path:
    """Give the journal another name, under which nobody takes it up; returns it."""
    aside, count = path.with_suffix(DAMAGED), 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.stem}_{count}{DAMAGED}")
    try:
        for ending in BESIDE:
            part = path.with_name(path.name + ending)
            if part.exists():
                part.rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise JournalError(f"{path}: it is damaged and cannot be set aside ({error.strerror}).") from error
    return aside


def remove(path: Path) -> None:
    """Take a journal away that holds nothing."""
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
