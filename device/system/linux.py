"""Linux: what it shares with macOS, and its own syncs, priorities, service and devices."""

from __future__ import annotations

import sys

assert sys.platform == "linux"

import ctypes
import fcntl
import os
import socket
import struct
import threading
import time
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

SQLITE_PRAGMAS: tuple[str, ...] = ()
"""What makes SQLite's syncs reach the disk here, for each connection that writes."""
HAS_LINUX_DEVICES = True
"""Whether cameras, pins, keyboards and SPI are files below /dev, for which there are libraries for Linux alone."""
CAMERA_INTERFACES: tuple[str, ...] = ("V4L2",)
"""OpenCV's names for the system's interfaces to cameras, the first to be tried first."""
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
MEMORY = Path("/proc/meminfo")
THERMAL_ZONES = Path("/sys/class/thermal")
SET_CLOCK = 0x400445A0
"""EVIOCSCLOCKID, which selects the clock of the kernel's timestamps."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""The parameters in the GNU C library's <malloc.h>."""
LARGE_BYTES = 3 << 20
"""The size from which memory goes back to the machine when it is freed. A colour picture of 1280x720 is smaller: to
fetch it anew each time would take a sixth more processor time.
"""


def sync_file(handle: int) -> None:
    """Return when all of a file is on the disk. Raises OSError."""
    os.fsync(handle)


def sync_data(handle: int) -> None:
    """Return when a file's content is on the disk. Raises OSError."""
    os.fdatasync(handle)


def begin_sync(handle: int, size: int) -> None:
    """Start writing the first bytes of a file to the disk, without waiting for it. Raises OSError."""
    os.posix_fadvise(handle, 0, size, os.POSIX_FADV_DONTNEED)


def open_in_memory(name: str) -> BinaryIO:
    """Open a file that is nowhere: it wears no SD card."""
    return os.fdopen(os.memfd_create(name), "w+b")


def lower_priority(nicer: int, first_to_go: int | None = None) -> None:
    """Let other processes go first, as far as the system allows.

    nicer: the added niceness
    first_to_go: the OOM score: if memory is scarce the highest is killed first
    """
    with suppress(OSError):
        if first_to_go is not None:
            Path("/proc/self/oom_score_adj").write_text(str(first_to_go), encoding="ascii")
        os.nice(nicer)


def return_freed_memory() -> None:
    """Have the GNU C library return large pieces of memory. By itself it soon keeps them; another does as it likes."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for parameter in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
            library.mallopt(parameter, LARGE_BYTES)


def notify_service(address: str, state: str) -> None:
    """Send systemd a state, as far as it listens."""
    address = "\0" + address[1:] if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
        to.sendto(state.encode(), address)


def processor_time(thread: threading.Thread) -> float:
    """Return the seconds of processor time that a running thread has taken."""
    assert thread.ident is not None
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


def select_monotonic_clock(handle: int) -> None:
    """Have the kernel stamp a keyboard's events with its monotonic clock. Raises OSError."""
    fcntl.ioctl(handle, SET_CLOCK, struct.pack("i", time.CLOCK_MONOTONIC))


def boot_id() -> str:
    """Return the id of the machine's start; empty if the system gives none."""
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def free_memory() -> int | None:
    """Return how many bytes programs can still have; None if the system does not say."""
    lines = MEMORY.read_text().splitlines() if MEMORY.exists() else []
    sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    return sizes.get("MemAvailable")


def hottest_degrees() -> float | None:
    """Return the temperature of the machine's hottest part in °C; None if the system does not say."""
    readings = [_number(path) for path in THERMAL_ZONES.glob("thermal_zone*/temp")]
    return max((value / 1000 for value in readings if value is not None), default=None)


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def file_users(path: Path) -> list[str]:
    """Return the names of other programs that hold this file, as far as this user may see them."""
    file, names = os.path.realpath(path), set[str]()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if link.readlink() == Path(file) and link.parts[2] != str(os.getpid()):
                names.add((link.parents[1] / "comm").read_text().strip())
    return sorted(names)
