"""Reading of files that pairing programs and rating lists wrote; a failure becomes one sentence in every language."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

from device.file_errors import reason_for
from device.hall.pairing import BadProgram
from referee.game.messages import Message, message
from vision.input_files import open_regular, read_limited


@dataclass(frozen=True)
class InputFile:
    """A kind of file, which must be a regular one.

    wanted: the file to give
    most: the size limit, in bytes
    """

    wanted: Message
    most: int

    def error_for(self, path: Path, reason: Message) -> BadProgram:
        """Return the error that says why this file cannot be used."""
        return BadProgram(message("hall.file", file=str(path), why=reason, wanted=self.wanted))

    def bytes_of(self, path: Path) -> bytes:
        """Return the file's content; raises BadProgram."""
        try:
            with open_regular(path) as file:
                return read_limited(path, file, self.most)
        except (OSError, ValueError) as error:
            raise self.error_for(path, self._reason_for(error)) from error

    def _reason_for(self, error: OSError | ValueError) -> Message:
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            return message("hall.file.large", size=self.most >> 20)
        return reason_for(error)
