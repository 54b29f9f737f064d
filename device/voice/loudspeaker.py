"""The loudspeaker: ALSA's aplay, which every Debian has, a process a clip."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import Protocol

from referee.messages import Message, message
from web.voice.sound import Sound

ENDS_WITHIN = 1.0
MESSAGE_KEYS = ("voice.no-player", "voice.no-device")


class Loudspeaker(Protocol):
    """Plays one clip at a time."""

    def play(self, sound: Sound) -> None:
        """Begin it, without waiting for its end."""

    def stop(self) -> None:
        """Break it off, if it is still played."""

    @property
    def plays(self) -> bool:
        """Whether it is still played."""

    @property
    def fault(self) -> Message | None:
        """Why the last clip could not be played; None where it was."""


class Aplay:
    """aplay on a device of ALSA. volume: percent."""

    def __init__(self, device: str, volume: int, program: str = "aplay") -> None:
        self._command, self._device, self._volume = [program, "-q", "-D", device], device, volume
        self._process: subprocess.Popen[bytes] | None = None
        self.fault: Message | None = None

    def play(self, sound: Sound) -> None:
        """Begin it, without waiting for its end; `fault` says afterwards whether it could be."""
        self.stop()
        # In memory: a card is not worn by it, and no pipe fills up.
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
        """Break it off, if it is still played."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                process.kill()
                process.wait(ENDS_WITHIN)  # A driver that hangs holds its program, but not us.

    @property
    def plays(self) -> bool:
        """Whether it is still played; where it ended by itself `fault` is known."""
        if self._process is None:
            return False
        status = self._process.poll()
        if status is None:
            return True
        self.fault = message("voice.no-device", device=self._device) if status else None
        self._process = None
        return False
