"""Standard output and errors, made fit for whatever is to be said."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def ready_streams() -> None:
    """Let no letter be one that cannot be written."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # As on stderr: a file's name may be any bytes.
