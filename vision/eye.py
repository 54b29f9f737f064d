"""What takes pictures, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from vision.frame import Image


@dataclass(frozen=True)
class Wanted:
    """What is asked of a camera; it gives what comes nearest. rate: frames a second. hold: it holds its exposure, white
    balance and focus while the light stays. mains: hertz of the current that lights the room."""

    width: int = 1280
    height: int = 720
    rate: float = 10.0
    hold: bool = True
    mains: Literal[50, 60] = 50


class Eye(Protocol):
    """What takes pictures, one after the other."""

    def look(self) -> Image:
        """Wait for the next picture; raises CameraLost when there will be no more."""

    def hold(self, held: bool) -> None:
        """Hold exposure and white balance as they are, and the focus for good, or adapt to the light; a camera that
        cannot goes on as it does."""

    def close(self) -> None:
        """Give the camera back."""


class Lens(Protocol):
    """A lens that can be moved, or one that cannot and does nothing then."""

    def position(self) -> float | None:
        """Where the lens stands, in the camera's own unit; None where that cannot be known or changed."""

    def seek(self) -> None:
        """Look for the focus anew, once."""

    def move(self, position: float) -> None:
        """Stay there from now on."""
