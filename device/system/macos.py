"""macOS: what it shares with Linux, and its own way to the disk; it has no systemd, evdev or Video4Linux."""

from __future__ import annotations

import sys

assert sys.platform == "darwin"

import fcntl
import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from device.system.posix import (
    Parent,
    TerminalKeyboard,
    allow_open_files,
    check_record_locks,
    connect_locally,
    control_device,
    delete_unlocked,
    group_name,
    hide_typing,
    is_administrator,
    is_device_path,
    listen_locally,
    lock_file,
    most_address_space,
    open_handle,
    open_to_write,
    own_file,
    received_sockets,
    replace_file,
    shut_socket,
    start_child,
    stop_main_thread,
    sync_folder,
    write_at,
)

SQLITE_PRAGMAS: tuple[str, ...] = ("PRAGMA fullfsync=ON",)
"""What makes SQLite's syncs reach the disk here, for each connection that writes."""
HAS_LINUX_DEVICES = False
"""Whether cameras, pins, keyboards and SPI are files below /dev, for which there are libraries for Linux alone."""
CAMERA_INTERFACES: tuple[str, ...] = ("AVFOUNDATION",)
"""OpenCV's names for the system's interfaces to cameras, the first to be tried first."""


def sync_file(handle: int) -> None:
    """Return when all of a file is on the disk. Raises OSError."""
    try:
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)  # fsync leaves it in the drive's own memory (fsync(2)).
    except OSError:  # Not every file system has it, as a network drive.
        os.fsync(handle)


def sync_data(handle: int) -> None:
    """Return when a file's content is on the disk. Raises OSError."""
    sync_file(handle)


def begin_sync(handle: int, size: int) -> None:
    """Do nothing: the system cannot be asked for it."""


def open_in_memory(name: str) -> BinaryIO:
    """Open a file without a name."""
    return tempfile.TemporaryFile(prefix=name)


def lower_priority(nicer: int, first_to_go: int | None = None) -> None:
    """Let other processes go first, as far as the system allows. first_to_go: not known here."""
    with suppress(OSError):
        os.nice(nicer)


def return_freed_memory() -> None:
    """Do nothing: the C library returns memory by itself."""


def notify_service(address: str, state: str) -> None:
    """Do nothing: there is no systemd."""


def processor_time(thread: threading.Thread) -> float:
    """Return 0: only systemd wants to know."""
    return 0.0


def select_monotonic_clock(handle: int) -> None:
    """Do nothing: there are no evdev keyboards."""


def boot_id() -> str:
    """Return nothing: after a power cut during a start the box counts a failed one."""
    return ""


def free_memory() -> int | None:
    """Return None: the system is not asked."""
    return None


def hottest_degrees() -> float | None:
    """Return None: the system is not asked."""
    return None


def file_users(path: Path) -> list[str]:
    """Return none: the system does not say."""
    return []
