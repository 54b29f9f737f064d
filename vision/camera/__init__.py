"""Cameras and recordings as sources of frames: their control, their health."""
