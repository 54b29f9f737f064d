"""The C library's handling of freed memory."""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""The parameters in the GNU C library's <malloc.h>."""
LARGE_BYTES = 3 << 20
"""The size from which memory goes back to the machine when it is freed. A colour picture of 1280x720 is smaller: to
fetch it anew each time would take a sixth more processor time.
"""


def return_freed_memory() -> None:
    """Have the GNU C library return large pieces of memory. By itself it soon keeps them; another does as it likes."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for parameter in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
            library.mallopt(parameter, LARGE_BYTES)
