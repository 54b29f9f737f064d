"""A program's time of day set back, as on a machine without a battery for its clock.

A few lines of C stand between the program and the system. libfaketime, which does the same and more, makes Python's
`time.sleep` fail at dates far back. Usually nothing but the time of day is changed: the monotonic clock goes on.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

SOURCE = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static time_t back, steady_back;
static void __attribute__((constructor)) begin(void) {
    const char *said = getenv("CLOCK_BACK"), *steady = getenv("STEADY_CLOCK_BACK");
    back = said ? atol(said) : 0;
    steady_back = steady ? atol(steady) : 0;
}
int clock_gettime(clockid_t which, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, which, now);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) now->tv_sec -= back;
    if (!failed && which == CLOCK_MONOTONIC) now->tv_sec -= steady_back;
    return failed;
}
time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval *restrict to, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *to = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
"""
NO_COMPILER = "no C compiler is here to set a program's clock back with"


class SetBack:
    """Made in a folder; `environment` is what a program is started with."""

    def __init__(self, folder: Path) -> None:
        self._library = folder / "clock.so"
        source = folder / "clock.c"
        source.write_text(SOURCE)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self._library, source], check=True)

    def environment(self, seconds: int) -> dict[str, str]:
        """The time of day so many seconds ago."""
        return {"LD_PRELOAD": str(self._library), "CLOCK_BACK": str(seconds)}

    def without_sleep(self) -> dict[str, str]:
        """The monotonic clock before its beginning, so that the system refuses to sleep."""
        return {"LD_PRELOAD": str(self._library), "STEADY_CLOCK_BACK": str(10**9)}

    def to_1970(self) -> dict[str, str]:
        """A few days after the beginning of 1970."""
        return self.environment(int(time.time()) - 3 * 24 * 3600)

    def anywhere(self, rng: random.Random) -> dict[str, str]:
        """Any time of day between 1970 and now."""
        return self.environment(rng.randrange(int(time.time())))


def can_set_back() -> bool:
    """Return whether a C compiler is here to set a clock back with."""
    return shutil.which("cc") is not None
