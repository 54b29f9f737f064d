"""A checkpoint of the tracker as bytes, so that a recording can be resumed as if never interrupted.

It is pickled. Unpickling bytes made by somebody else could call any code: so only classes of `vision` and `referee` are
loaded, and those that numpy builds its arrays with (Python's documentation of pickle, "Restricting Globals"). What the
installed program kept, in whose wheel `vision` is `shinpan.vision`, is read in the project's folder too, and the other
way round.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from vision.errors import BadSource
from vision.tracking.multi_board_tracker import MultiBoardTracker

OURS = ("vision.", "referee.")
WHEEL = "shinpan."
HERE = __name__.removesuffix("vision.tracking.checkpoint")
"""What comes before the names of our packages: nothing in the project's folder."""
NUMPY = frozenset({"_reconstruct", "ndarray", "dtype", "scalar", "_frombuffer"})


class _RestrictedUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return the class; raise UnpicklingError for one that does not belong in a checkpoint."""
        is_numpy, inner = module.split(".")[0] == "numpy" and name in NUMPY, module.removeprefix(WHEEL)
        is_ours = inner.startswith(OURS) and "." not in name
        loaded = super().find_class(HERE + inner if is_ours else module, name) if is_numpy or is_ours else None
        if loaded is None or not (is_numpy or isinstance(loaded, type)):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a tracker")
        return loaded


def to_bytes(tracker: MultiBoardTracker) -> bytes:
    """Return the tracker's current state as bytes."""
    return pickle.dumps(tracker, protocol=5)


def from_bytes(data: bytes) -> MultiBoardTracker:
    """Return the tracker restored from a checkpoint; raise BadSource for bytes that are none."""
    try:
        tracker = _RestrictedUnpickler(io.BytesIO(data)).load()
    except Exception as error:
        raise BadSource(f"what was kept of the film cannot be read ({error}).") from error
    if not isinstance(tracker, MultiBoardTracker):
        raise BadSource("what was kept of the film cannot be read.")
    return tracker
