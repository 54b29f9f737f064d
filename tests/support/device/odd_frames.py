"""Objects that no camera should give instead of a picture."""

from __future__ import annotations

import numpy as np

ODD: dict[str, object] = {
    "one pixel": np.zeros((1, 1, 3), np.uint8),
    "no pixel": np.zeros((0, 0, 3), np.uint8),
    "a line of pixels": np.zeros((1, 4000, 3), np.uint8),
    "a column of pixels": np.zeros((4000, 1, 3), np.uint8),
    "another type": np.zeros((240, 320, 3), np.float64),
    "no numbers": np.full((240, 320, 3), np.nan, np.float32),
    "grey": np.zeros((240, 320), np.uint8),
    "four channels": np.zeros((240, 320, 4), np.uint8),
    "nothing": None,
    "words": np.array(["no", "picture"], object),
}
