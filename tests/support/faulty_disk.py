"""Disks that fail under a running program: small ones that become full, and folders whose writes or locks fail."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# A disk that fails under a running program: each write to a folder is EIO, or each lock in it ENOLCK, while asked for.
#
# A few lines of C stand between the program and the system, as in `clock`. Which fault there is says a file in another
# folder, so that it can begin and end in the middle of a game.

SOURCE = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int asked(const char *fault, int file) {
    char name[4096], path[4096];
    const char *folder = getenv("FAULTY_FOLDER"), *faults = getenv("FAULTS");
    if (!folder || !faults) return 0;
    snprintf(name, sizeof name, "%s/%s", faults, fault);
    int count = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_APPEND);
    if (count < 0) return 0;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    int fails = length > 0 && !strncmp(path, folder, strlen(folder));
    if (fails) syscall(SYS_write, count, "!", 1);
    syscall(SYS_close, count);
    return fails;
}
static int control(int file, int what, void *how) {
    if ((what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK) && asked("ENOLCK", file)) {
        errno = ENOLCK;
        return -1;
    }
    return (int)syscall(SYS_fcntl, file, what, how);
}
#define CONTROL(name) int name(int file, int what, ...) { \\
    va_list rest; va_start(rest, what); void *how = va_arg(rest, void *); va_end(rest); \\
    return control(file, what, how); }
CONTROL(fcntl)
CONTROL(fcntl64)
#define FAIL(file) if (asked("EIO", file)) { errno = EIO; return -1; }
ssize_t write(int file, const void *from, size_t size) { FAIL(file) return syscall(SYS_write, file, from, size); }
ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    FAIL(file) return syscall(SYS_pwrite64, file, from, size, at);
}
ssize_t pwrite64(int file, const void *from, size_t size, off_t at) { return pwrite(file, from, size, at); }
int fsync(int file) { FAIL(file) return (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { FAIL(file) return (int)syscall(SYS_fdatasync, file); }
"""
NO_COMPILER = "no C compiler is here to make a disk fail with"


def can_fail() -> bool:
    """Return whether a C compiler is here to make a disk fail with."""
    return shutil.which("cc") is not None


class FaultyDisk:
    """Made for a folder that fails; `environment` is what a program is started with.

    scratch: where it is made; LD_PRELOAD takes no path with a space in it
    """

    def __init__(self, scratch: Path, folder: Path) -> None:
        self._library, self._faults, self._folder = scratch / "disk.so", scratch / "faults", folder
        assert " " not in str(scratch)
        self._faults.mkdir()
        (source := scratch / "disk.c").write_text(SOURCE)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self._library, source], check=True)

    @property
    def environment(self) -> dict[str, str]:
        """The library, its folder, and where it looks for the fault."""
        variables = {"FAULTS": str(self._faults), "FAULTY_FOLDER": str(self._folder)}
        return {"LD_PRELOAD": str(self._library), **variables}

    @contextmanager
    def failing(self, fault: str) -> Iterator[Callable[[], int]]:
        """The disk fails until the end of the block; yield what counts how often it failed.

        fault: EIO for each write and sync, ENOLCK for each lock
        """
        (named := self._faults / fault).touch()
        try:
            yield lambda: named.stat().st_size
        finally:
            named.unlink()


NO_MOUNT = "only an administrator can mount a small file system"


@contextmanager
def small_disk(folder: Path, size: str = "3m") -> Iterator[Path]:
    """A folder on a file system of its own; raises OSError where none can be made."""
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True)
    if mount.returncode:
        raise OSError(NO_MOUNT)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(folder: Path) -> Path:
    """Leave not a byte; the file that takes it all."""
    filler = folder / "filler"
    for size in (65536, 512, 1):
        with suppress(OSError), filler.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(size))
    return filler
