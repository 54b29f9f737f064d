"""Errors of the vision package, each with one plain sentence for the person at the table."""

from __future__ import annotations


class VisionError(Exception):
    """A picture, source or calibration that cannot be used; the message says what, where and what to do."""


class UnreadableImage(VisionError):
    """A file that is no picture, or one cut short."""


class BadCalibration(VisionError):
    """A calibration file that does not describe a board."""


class BadSource(VisionError):
    """A video, folder or camera that gives no frames."""


class CameraLost(VisionError):
    """A live camera that is missing or gives no more pictures, or a recording that is over."""


class UnusableNetwork(VisionError):
    """A network's file that cannot be run."""
