"""The loudspeaker: ALSA's aplay, which every Debian has, one process per clip."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import Protocol

from referee.game.messages import Message, message
from web.voice.sound import Sound

ENDS_WITHIN = 1.0
MESSAGE_KEYS = ("voice.no-player", "voice.no-device")


class Loudspeaker(Protocol):
    """A player of one clip at a time."""

    def play(self, sound: Sound) -> None:
        """Start a clip, without waiting for its end."""

    def stop(self) -> None:
        """Stop the clip, if it is still playing."""

    @property
    def plays(self) -> bool:
        """Return True if the clip is still playing."""

    @property
    def fault(self) -> Message | None:
        """Return why the last clip could not be played; None if it was."""


class Aplay:
    """aplay on an ALSA device.

    device: its name
    volume: percent
    program: the command
    """

    def __init__(self, device: str, volume: int, program: str = "aplay") -> None:
        self._command, self._device, self._volume = [program, "-q", "-D", device], device, volume
        self._process: subprocess.Popen[bytes] | None = None
        self.fault: Message | None = None

    def play(self, sound: Sound) -> None:
        """Start a clip, without waiting for its end; `fault` says afterwards whether it failed."""
        self.stop()
        # In memory: this wears no SD card, and no pipe fills up.
        with os.fdopen(os.memfd_create("clip"), "w+b") as clip:
            clip.write(sound.at_volume(self._volume).wav)
            clip.seek(0)
            try:
                self._process = subprocess.Popen(
                    self._command, stdin=clip, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
                )
            except OSError:
                self.fault = message("voice.no-player")

    def stop(self) -> None:
        """Stop the clip, if it is still playing."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                process.kill()
                process.wait(ENDS_WITHIN)  # A hanging driver blocks its program, but not us.

    @property
    def plays(self) -> bool:
        """Return True if the clip is still playing; once it has ended by itself `fault` is known."""
        if self._process is None:
            return False
        status = self._process.poll()
        if status is None:
            return True
        self.fault = message("voice.no-device", device=self._device) if status else None
        self._process = None
        return False
