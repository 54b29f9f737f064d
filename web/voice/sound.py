"""Audio samples: read from and written as WAV, trimmed and measured."""

from __future__ import annotations

import io
import math
import sys
import wave
from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

QUIET = 250
"""The amplitude, of 32767, below which samples at a clip's ends are silence."""
KEPT = 0.03
"""The seconds of silence kept at the ends."""
Reader = Callable[[Path, int], bytes]
"""The reading of a file found in a folder, of at most so many bytes. Raises OSError, also for a link or a pipe."""
LARGEST = 4 << 20
"""Bytes of a clip's file; the longest has a quarter of it, at any usual rate."""


@dataclass(frozen=True)
class Sound:
    """One channel of 16-bit samples.

    rate: samples a second
    """

    samples: array[int]
    rate: int

    @classmethod
    def parse(cls, data: bytes) -> Sound:
        """Parse a WAV file; raise ValueError for other data, and for anything but one channel of 16 bits."""
        try:
            with wave.open(io.BytesIO(data)) as file:
                if file.getnchannels() != 1 or file.getsampwidth() != 2:
                    raise ValueError("not one channel of 16 bits")
                return cls.of(file.readframes(file.getnframes()), file.getframerate())
        except (wave.Error, EOFError) as error:
            raise ValueError(str(error) or "no WAV file") from error

    @classmethod
    def of(cls, frames: bytes, rate: int) -> Sound:
        """Build it from bytes, two a sample, little-endian."""
        samples = array("h", frames[: len(frames) // 2 * 2])
        if sys.byteorder == "big":
            samples.byteswap()
        return cls(samples, rate)

    @property
    def seconds(self) -> float:
        """Return its duration."""
        return len(self.samples) / self.rate

    @cached_property
    def loudness(self) -> float:
        """Return the root mean square of its samples, 0 to 32767."""
        return math.sqrt(sum(sample * sample for sample in self.samples) / max(len(self.samples), 1))

    @property
    def wav(self) -> bytes:
        """Return it as a WAV file."""
        out, samples = io.BytesIO(), self.samples
        if sys.byteorder == "big":
            samples = array("h", samples)
            samples.byteswap()
        with wave.open(out, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self.rate)
            file.writeframes(samples.tobytes())
        return out.getvalue()

    def trim(self) -> Sound:
        """Return it without the silence at its ends, except for KEPT seconds."""
        loud = [index for index, sample in enumerate(self.samples) if abs(sample) > QUIET]
        if not loud:
            return self
        breath = int(KEPT * self.rate)
        return replace(self, samples=self.samples[max(loud[0] - breath, 0) : loud[-1] + breath])

    def at_volume(self, percent: int) -> Sound:
        """Return it at a lower volume, in percent: 100 is unchanged."""
        if percent == 100:
            return self
        return replace(self, samples=array("h", (sample * percent // 100 for sample in self.samples)))

    def then(self, other: Sound) -> Sound:
        """Append another sound of the same rate; raise ValueError for another rate."""
        if other.rate != self.rate:
            raise ValueError("clips of different rates")
        return Sound(self.samples + other.samples, self.rate)
