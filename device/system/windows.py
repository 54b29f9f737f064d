"""Windows: its own files, locks, child processes and console.

Written from the documentation of Python and Windows: tests run it over fakes of the few calls that are its own, and
nobody has run it on Windows yet.
"""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import _thread
import base64
import ctypes
import errno
import json
import msvcrt
import os
import secrets
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TextIO

if TYPE_CHECKING:
    from multiprocessing.connection import Connection, Listener

SQLITE_PRAGMAS: tuple[str, ...] = ()
"""What makes SQLite's syncs reach the disk here, for each connection that writes."""
HAS_LINUX_DEVICES = False
"""Whether cameras, pins, keyboards and SPI are files below /dev, for which there are libraries for Linux alone."""
CAMERA_INTERFACES: tuple[str, ...] = ("MSMF", "DSHOW")
"""OpenCV's names for the system's interfaces to cameras, the first to be tried first."""
REPLACED_WITHIN_S, AGAIN_S = 2.0, 0.05
"""Seconds for which a file that another program holds is tried again, and between two tries."""
LOCKED_BYTE = 1 << 30
"""The position of the one byte that is locked: a lock keeps others from reading, so it lies behind all content."""
HANDED = "-"
"""The argument that stands for a socket."""
LONGEST_KEY_S = 0.02
"""Seconds between two looks at the console."""
BELOW_NORMAL, IDLE = 0x4000, 0x40
"""Priority classes (SetPriorityClass)."""


# Files


def open_handle(path: Path, flags: int, links: bool = False, mode: int = 0o644) -> int:
    """Open a file; return its descriptor, which no child inherits. Raises OSError.

    links: whether a link at the path itself is followed
    """
    if not links and path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return os.open(path, flags | os.O_BINARY | os.O_NOINHERIT, mode)


def open_to_write(path: Path, is_new: bool) -> int:
    """Open what is written to directly. Raises OSError.

    is_new: whether it is a file, created or emptied, and not through a link
    """
    return open_handle(path, os.O_WRONLY | (os.O_CREAT | os.O_TRUNC if is_new else 0), links=not is_new)


def write_at(handle: int, data: bytes, offset: int) -> None:
    """Write at an offset; the position of a handle on Windows changes."""
    os.lseek(handle, offset, os.SEEK_SET)
    os.write(handle, data)


def replace_file(draft: Path, path: Path) -> None:
    """Give a draft the name of a file, which is replaced atomically. Raises OSError."""
    until = time.monotonic() + REPLACED_WITHIN_S
    while True:
        try:
            draft.replace(path)
        except PermissionError:
            if path.is_dir() or time.monotonic() >= until:
                raise
            time.sleep(AGAIN_S)
        else:
            return


def lock_file(file: IO[bytes]) -> None:
    """Lock a file until it is closed, or the process ends. Raises BlockingIOError if it is locked, OSError."""
    _lock(file.fileno(), msvcrt.LK_NBLCK)


def check_record_locks(file: IO[bytes]) -> None:
    """Raise OSError if the disk of a file gives no locks of the kind that SQLite takes. Nothing stays locked."""
    with suppress(BlockingIOError):  # Another process has the lock, so there are locks.
        _lock(file.fileno(), msvcrt.LK_NBLCK)
        _lock(file.fileno(), msvcrt.LK_UNLCK)


def _lock(handle: int, way: int) -> None:
    position = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(handle, way, 1)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EDEADLOCK):
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
        raise
    finally:
        os.lseek(handle, position, os.SEEK_SET)


def delete_unlocked(path: Path, file: IO[bytes]) -> None:
    """Delete an open file unless another process holds it: Windows deletes none that is open. Raises OSError."""
    file.close()
    path.unlink()


def sync_file(handle: int) -> None:
    """Return when all of a file is on the disk. Raises OSError."""
    os.fsync(handle)


def sync_data(handle: int) -> None:
    """Return when a file's content is on the disk. Raises OSError."""
    os.fsync(handle)


def begin_sync(handle: int, size: int) -> None:
    """Do nothing: the system cannot be asked for it."""


def sync_folder(folder: Path) -> None:
    """Do nothing: NTFS keeps names in a log of its own, and a folder cannot be synced."""


def own_file(file: IO[bytes], mode: int, folder: Path) -> None:
    """Do nothing: a file has the permissions of its folder."""


def is_device_path(path: Path) -> bool:
    """Return False: no links lead to devices."""
    return False


def is_administrator() -> bool:
    """Return False: no command here is for an administrator."""
    return False


def open_in_memory(name: str) -> BinaryIO:
    """Open a file that is deleted when it is closed."""
    return tempfile.TemporaryFile(prefix=name)  # type: ignore[return-value]


def control_device(handle: int, request: int, answer: bytearray) -> None:
    """Raise OSError: devices have no such requests."""
    raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))


def group_name(path: Path) -> str:
    """Raise KeyError: files have no such groups."""
    raise KeyError(str(path))


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


# Processes


def allow_open_files(most: int) -> None:
    """Do nothing: connections are not limited."""


def most_address_space() -> int | None:
    """Return None: there is no limit."""
    return None


def lower_priority(nicer: int, first_to_go: int | None = None) -> None:
    """Let other processes go first. first_to_go: not known here."""
    kernel = ctypes.windll.kernel32
    kernel.SetPriorityClass(kernel.GetCurrentProcess(), BELOW_NORMAL if nicer < 19 else IDLE)


def return_freed_memory() -> None:
    """Do nothing: the C library returns memory by itself."""


def notify_service(address: str, state: str) -> None:
    """Do nothing: there is no systemd."""


def processor_time(thread: threading.Thread) -> float:
    """Return 0: only systemd wants to know."""
    return 0.0


def select_monotonic_clock(handle: int) -> None:
    """Do nothing: there are no evdev keyboards."""


def start_child(
    command: Sequence[str],
    sockets: Sequence[socket.socket],
    env: Mapping[str, str],
    watches: bool = False,
    is_quiet: bool = False,
) -> subprocess.Popen[bytes]:
    """Start a program that is handed sockets, each as one more argument; see `received_sockets`. Raises OSError.

    It has a process group of its own, because Ctrl-C is for its parent, which ends it.

    watches: whether it sees the end of this process, as `Parent`
    is_quiet: whether its output is discarded
    """
    child = subprocess.Popen(
        [*command, *(HANDED for _ in sockets)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL if is_quiet else None,
        stderr=subprocess.DEVNULL if is_quiet else None,
        env=env,
        creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
    )
    assert child.stdin is not None
    with suppress(OSError):  # It has ended already, which whoever waits for it sees.
        for end in sockets:
            child.stdin.write(base64.b64encode(end.share(child.pid)) + b"\n")
        child.stdin.flush()
    return child


def received_sockets(words: Sequence[str]) -> list[socket.socket]:
    """Return the sockets that `start_child` handed over, in the child: the last arguments."""
    return [socket.fromshare(base64.b64decode(sys.stdin.buffer.readline())) for _ in words]


class Parent:
    """The process that started this one with `watches`."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        threading.Thread(target=self._read, name="parent", daemon=True).start()

    def wait_for_end(self, timeout_s: float) -> bool:
        """Return True once it has ended, False after so many seconds."""
        return self._ended.wait(timeout_s)

    def _read(self) -> None:
        sys.stdin.buffer.read()  # Nothing more is ever written there.
        self._ended.set()


def shut_socket(number: int) -> None:
    """Shut down a socket on which another thread waits: closing alone would not wake it. Raises OSError."""
    end = socket.socket(fileno=number)
    try:
        end.shutdown(socket.SHUT_RDWR)
    finally:
        end.detach()


def stop_main_thread() -> None:
    """Have the main thread handle SIGTERM, once it does not wait."""
    _thread.interrupt_main(signal.SIGTERM)


def listen_locally(path: Path, backlog: int) -> Listener:
    """Listen at this machine's own address; the file at the path names the port and the key. Raises OSError."""
    from multiprocessing.connection import Listener

    if path.exists():
        _check_abandoned(path)
    key = secrets.token_hex(16)
    listener = Listener(("127.0.0.1", 0), backlog=backlog, authkey=key.encode())
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(json.dumps([listener.address[1], key]), encoding="ascii")
    replace_file(draft, path)
    return listener


def _check_abandoned(path: Path) -> None:
    """Raise OSError if there is another file, or a process that listens."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
    with suppress(ConnectionRefusedError):
        connect_locally(path).close()
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def connect_locally(path: Path) -> Connection[Any, Any]:
    """Connect to the process that listens at a path. Raises OSError."""
    from multiprocessing.connection import Client, Connection

    try:
        port, key = json.loads(path.read_text(encoding="ascii"))
        address, secret = ("127.0.0.1", int(port)), str(key).encode()
    except (ValueError, TypeError) as error:
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE)) from error
    connection = Client(address, authkey=secret)
    assert isinstance(connection, Connection)
    return connection


# The console


class TerminalKeyboard:
    """Keys that are typed at the console, each at once and without an echo."""

    @staticmethod
    def is_at(stream: TextIO) -> bool:
        """Return True if a console is attached."""
        try:
            return stream.isatty()
        except ValueError:
            return False

    def __init__(self, stream: TextIO) -> None:
        self._stopped = threading.Event()

    def read(self, timeout_s: float | None) -> str | None:
        """Return the typed text: None after so many seconds without any, empty once `stop` was called."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._stopped.wait(LONGEST_KEY_S):
            if msvcrt.kbhit():
                return _typed_key()
            if until is not None and time.monotonic() >= until:
                return None
        return ""

    def stop(self) -> None:
        """End the thread that reads."""
        self._stopped.set()

    def close(self) -> None:
        """Do nothing: the console was not changed."""


def _typed_key() -> str | None:
    """Return the key that waits; None for an arrow or a function key, which is two."""
    key = msvcrt.getwch()
    if key in ("\0", "\xe0"):
        msvcrt.getwch()
        return None
    if key == "\x03":  # The console hands Ctrl-C over as a key while one is read.
        _thread.interrupt_main()
        return None
    return key


@contextmanager
def hide_typing(stream: TextIO) -> Iterator[None]:
    """Discard the keys that were typed at the console within the block."""
    try:
        yield
    finally:
        while msvcrt.kbhit():
            msvcrt.getwch()
