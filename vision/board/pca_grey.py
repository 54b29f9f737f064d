"""A picture in coloured light as the grey in which most of it differs, for board detection.

The usual luma is mostly green; a blue lamp leaves hardly any of that, and the rest is noise.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image

# Chosen by hand, on photographs under simulated lamps (docs/vision.md).
LEAST_SHARE = 0.33
"""The share below which any of the first component's three shares means coloured light: the 167 labelled photographs
have none below 0.35, under simulated saturated lamps hardly one has all above 0.30.
"""
STEP = 4
"""The sampling step for the component, in pixels across and down."""
DARKEST, BRIGHTEST = 1.0, 99.0
"""The percentiles that become black and white."""


def in_one_grey(image: Image) -> Image | None:
    """Return the picture along the first principal component of its colours (Pearson 1901), stretched.

    It is the same in all three channels; None in white light, in which that is hardly another grey.
    """
    few = image[::STEP, ::STEP].reshape(-1, 3).astype(np.float32)
    component = np.linalg.eigh(_covariance(few))[1][:, -1]
    component *= np.sign(component.sum())
    if component.min() >= LEAST_SHARE:
        return None
    dark, bright = np.percentile(few @ component, (DARKEST, BRIGHTEST))
    gain = 255 / max(float(bright - dark), 1.0)
    row = np.append(component * gain, -float(dark) * gain)
    grey = cv2.transform(image.astype(np.float32), np.tile(row, (3, 1)))
    return np.asarray(np.clip(grey, 0, 255), np.uint8)


def _covariance(few: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Return the covariance of three channels, shape (n, 3), except for a factor: 3x3."""
    return np.asarray(cv2.calcCovarMatrix(few, np.empty((1, 3)), cv2.COVAR_NORMAL | cv2.COVAR_ROWS)[0], np.float64)
