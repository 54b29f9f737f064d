"""The part that Linux and macOS share: files, locks, child processes, limits and the terminal."""

from __future__ import annotations

import sys

assert sys.platform != "win32"

import errno
import fcntl
import grp
import os
import resource
import select
import signal
import socket
import subprocess
import termios
import threading
import tty
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from multiprocessing.connection import Connection, Listener

MOST_TYPED = 64
"""Maximum bytes per read of a keyboard."""


# Files


def open_handle(path: Path, flags: int, links: bool = False, mode: int = 0o644) -> int:
    """Open a file or a device without waiting for it; return its descriptor, which no child inherits. Raises OSError.

    links: whether a link at the path itself is followed
    """
    further = os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | (0 if links else os.O_NOFOLLOW)
    return os.open(path, flags | further, mode)


def open_to_write(path: Path, is_new: bool) -> int:
    """Open what is written to directly; a pipe that nobody reads is refused. Raises OSError.

    is_new: whether it is a file, created or emptied, and not through a link
    """
    handle = open_handle(path, os.O_WRONLY | (os.O_CREAT | os.O_TRUNC if is_new else 0), links=not is_new)
    os.set_blocking(handle, True)
    return handle


def write_at(handle: int, data: bytes, offset: int) -> None:
    """Write at an offset; the position of a handle on Windows changes."""
    os.pwrite(handle, data, offset)


def replace_file(draft: Path, path: Path) -> None:
    """Give a draft the name of a file, which is replaced atomically. Raises OSError."""
    draft.replace(path)


def lock_file(file: IO[bytes]) -> None:
    """Lock a file until it is closed, or the process ends. Raises BlockingIOError if it is locked, OSError."""
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_record_locks(file: IO[bytes]) -> None:
    """Raise OSError if the disk of a file gives no locks of the kind that SQLite takes. Nothing stays locked."""
    with suppress(BlockingIOError):  # Another process has the lock, so there are locks.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(file, fcntl.LOCK_UN)


def delete_unlocked(path: Path, file: IO[bytes]) -> None:
    """Delete an open file unless another process has locked it. Raises OSError."""
    lock_file(file)
    path.unlink()


def sync_folder(folder: Path) -> None:
    """Sync the folder's names to the disk: a new name, or one given to another file."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # Some file systems of USB sticks cannot; their names are kept with the file.
            raise
    finally:
        os.close(handle)


def own_file(file: IO[bytes], mode: int, folder: Path) -> None:
    """Set a file's permissions and, as root, give it to the folder's owner. Raises OSError."""
    os.fchmod(file.fileno(), mode)
    if is_administrator():
        owner = folder.stat()
        os.fchown(file.fileno(), owner.st_uid, owner.st_gid)


def is_device_path(path: Path) -> bool:
    """Return True in folders whose links are the system's own, such as /dev/stdout."""
    return path.is_relative_to("/dev") or path.is_relative_to("/proc")


def is_administrator() -> bool:
    """Return True if this process may do everything."""
    return os.geteuid() == 0


def control_device(handle: int, request: int, answer: bytearray) -> None:
    """Ask a device's driver, which fills the answer. Raises OSError."""
    fcntl.ioctl(handle, request, answer)


def group_name(path: Path) -> str:
    """Return the name of the group of a file. Raises OSError and KeyError."""
    return grp.getgrgid(path.stat().st_gid).gr_name


# Processes


def allow_open_files(most: int) -> None:
    """Let this process open so many files and connections, as far as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def most_address_space() -> int | None:
    """Return how many bytes of address space this process may have; None if there is no limit."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if allowed == resource.RLIM_INFINITY else allowed


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
    numbers = [end.fileno() for end in sockets]
    return subprocess.Popen(
        [*command, *map(str, numbers)],
        stdin=subprocess.PIPE if watches else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if is_quiet else None,
        stderr=subprocess.DEVNULL if is_quiet else None,
        pass_fds=numbers,
        env=env,
        process_group=0,
    )


def received_sockets(words: Sequence[str]) -> list[socket.socket]:
    """Return the sockets that `start_child` handed over, in the child: the last arguments."""
    return [socket.socket(fileno=int(word)) for word in words]


class Parent:
    """The process that started this one with `watches`."""

    def wait_for_end(self, timeout_s: float) -> bool:
        """Return True once it has ended, False after so many seconds."""
        # Nothing is ever written there.
        return bool(select.select([sys.stdin], [], [], timeout_s)[0])


def shut_socket(number: int) -> None:
    """Shut down a socket on which another thread waits: closing alone would not wake it. Raises OSError."""
    with socket.socket(fileno=os.dup(number)) as end:
        end.shutdown(socket.SHUT_RDWR)


def stop_main_thread() -> None:
    """Have the main thread handle SIGTERM, whatever it waits for."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


def listen_locally(path: Path, backlog: int) -> Listener:
    """Listen at a path, for this user's own processes; one that nobody listens at any more is taken. Raises OSError."""
    from multiprocessing.connection import Listener

    if path.is_socket() and not _has_listener(path):
        path.unlink()
    mask = os.umask(0o077)
    try:
        return Listener(str(path), family="AF_UNIX", backlog=backlog)
    finally:
        os.umask(mask)


def connect_locally(path: Path) -> Connection[Any, Any]:
    """Connect to the process that listens at a path. Raises OSError."""
    from multiprocessing.connection import Client

    return Client(str(path), family="AF_UNIX")


def _has_listener(path: Path) -> bool:
    try:
        connect_locally(path).close()
    except ConnectionRefusedError:
        return False
    return True


# The terminal


class TerminalKeyboard:
    """Keys that are typed at a terminal, each at once and without an echo."""

    @staticmethod
    def is_at(stream: TextIO) -> bool:
        """Return True if a foreground terminal is attached; the system stops a background program that reads keys."""
        try:
            return stream.isatty() and os.tcgetpgrp(stream.fileno()) == os.getpgrp()
        except (OSError, ValueError):
            return False

    def __init__(self, stream: TextIO) -> None:
        self._typed = stream.fileno()
        self._before = termios.tcgetattr(self._typed)
        tty.setcbreak(self._typed)
        self._end, self._stop = os.pipe()

    def read(self, timeout_s: float | None) -> str | None:
        """Return the typed text: None after so many seconds without any, empty once the terminal has gone or `stop`
        was called.
        """
        ready, _, _ = select.select([self._typed, self._end], [], [], timeout_s)
        if self._typed in ready:
            try:
                return os.read(self._typed, MOST_TYPED).decode(errors="ignore")
            except OSError:
                return ""
        return "" if ready else None

    def stop(self) -> None:
        """End the thread that reads."""
        os.close(self._stop)

    def close(self) -> None:
        """Restore the terminal, if it is still there; nobody reads any more."""
        os.close(self._end)
        with suppress(termios.error):
            termios.tcsetattr(self._typed, termios.TCSADRAIN, self._before)


@contextmanager
def hide_typing(stream: TextIO) -> Iterator[None]:
    """Suppress the echo of keys typed at a terminal within the block, and discard them before a shell reads them."""
    attributes = termios.tcgetattr(stream)
    quiet = [*attributes[:3], attributes[3] & ~termios.ECHO, *attributes[4:]]
    termios.tcsetattr(stream, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        with suppress(termios.error):
            termios.tcsetattr(stream, termios.TCSAFLUSH, attributes)
