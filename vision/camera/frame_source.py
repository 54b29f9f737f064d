"""Camera and lens protocols, and the camera settings asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from vision.camera.frame import Picture


@dataclass(frozen=True)
class CameraConfig:
    """The settings asked of a camera, which gives the nearest it can.

    `width`, `height`: the picture's size, in pixels.
    `rate`: frames a second.
    `hold`: lock exposure, white balance and focus while the light stays.
    `mains`: the frequency of the mains current that lights the room, in hertz.
    """

    width: int = 1280
    height: int = 720
    rate: float = 10.0
    hold: bool = True
    mains: Literal[50, 60] = 50


class FrameSource(Protocol):
    """A source of pictures, one after the other."""

    def look(self) -> Picture:
        """Wait for the next picture; raise CameraLost if there will be no more."""

    def hold(self, lock: bool) -> None:
        """Lock exposure and white balance, and the focus for good, or adapt to the light; ignored if not supported."""

    def close(self) -> None:
        """Release the camera."""


class Lens(Protocol):
    """A lens that can be moved, or one that cannot and ignores the calls."""

    def position(self) -> float | None:
        """Return the lens position, in the camera's own unit; None if it cannot be read or changed."""

    def seek(self) -> None:
        """Search for the focus again, once."""

    def move(self, position: float) -> None:
        """Move to this position and stay there."""
