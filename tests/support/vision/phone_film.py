"""Pictures as a phone films them: sharpened, smoothed, swaying, and coded coarsely."""

from __future__ import annotations

import cv2
import numpy as np

from tests.support.vision.troubles import DenoisingWebcam, SharpeningWebcam, Sway
from vision.camera.frame import Image

SMALL, BEST, WORST, KEY = 0.5, 60, 20, 30
"""The picture is kept at half its size, by JPEG of the one quality every so many frames and of the other between."""


class Phone:
    """A phone that sways in its own way."""

    def __init__(self, seed: int) -> None:
        self._steps = (SharpeningWebcam(0.8), DenoisingWebcam(0.6), Sway(seed, 0.5, 1.5))

    def film(self, picture: Image, t: float, number: int) -> Image:
        """Return a frame as the film has it. t: its time, in seconds; number: its place in the film."""
        for step in self._steps:
            picture = step.over(picture, t)
        return _keep(picture, t, number)


def _keep(picture: Image, t: float, number: int) -> Image:
    """As a phone keeps it: small, noisy, its exposure drifting, coded better in key frames than between them."""
    light = 1 + 0.04 * np.sin(3 * t)
    small = cv2.resize(picture, None, fx=SMALL, fy=SMALL, interpolation=cv2.INTER_AREA) * light
    noisy = np.clip(small + np.random.default_rng(number).normal(0, 4, small.shape), 0, 255).astype(np.uint8)
    quality = WORST if number % KEY else BEST
    _, coded = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return np.asarray(cv2.resize(back, (picture.shape[1], picture.shape[0])), np.uint8)
