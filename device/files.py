"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from referee.errors import BadRecord


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put the bytes in the file so that a reader, or a power cut, meets the old file or the new one, never a part.

    Raises BadRecord with a sentence when the place cannot be written to.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadRecord(f"{path}: cannot be written ({error.strerror}); choose another place.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise BadRecord(f"{path}: cannot be written ({error.strerror}); the record before it is kept.") from error
