"""NetworkManager, asked through its own command `nmcli`: rows of fields come back, or one sentence says why not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

from referee.errors import RefereeError

PATIENCE = 60
"""Seconds in which NetworkManager has to do what it is asked; joining a network takes it about ten."""
_SLACK = 10


class NoNetwork(RefereeError):
    """The network cannot be told or changed; one sentence says why and what to do."""


class UnknownConnection(NoNetwork):
    """NetworkManager has no such connection."""


class WrongPassword(NoNetwork):
    """The network did not take the password."""


class OutOfReach(NoNetwork):
    """No such network is in the air here."""


class NotThere(NoNetwork):
    """There is no NetworkManager on this machine, or it does not run."""


NOT_ALLOWED = "Only an administrator may do this; run the same command with sudo."
NO_WIFI = "This machine has no Wi-Fi that NetworkManager can use; plug in a cable or a Wi-Fi stick."
_MEANINGS: tuple[tuple[str, type[NoNetwork], str], ...] = (
    (
        "is not running|could not create nmclient",
        NotThere,
        "NetworkManager does not run; start it: sudo systemctl start NetworkManager.",
    ),
    ("not authorized|access denied|insufficient privileges|permission denied", NoNetwork, NOT_ALLOWED),
    ("secrets were required", WrongPassword, "The network did not take the password; ask its owner how it is written."),
    ("network could not be found", OutOfReach, "No network of this name is in reach; check the name, or go nearer."),
    ("no suitable device|no wi-fi device", NoNetwork, NO_WIFI),
    ("no such connection|unknown connection", UnknownConnection, "NetworkManager knows no such connection."),
    ("timeout|took too long", NoNetwork, "The network did not answer in time; go nearer to it and try again."),
)


def fields(line: str) -> list[str]:
    """The fields of one terse line, colons between them; a colon or backslash within one has a backslash before it."""
    return [re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|:)((?:\\.|[^:\\])*)", line)]


def nmcli(*words: str, wait: int = PATIENCE) -> list[list[str]]:
    """What nmcli answers to these words, a row a line. wait: seconds. Raises NoNetwork."""
    program = shutil.which("nmcli")
    if program is None:
        raise NotThere("There is no NetworkManager here (nmcli is missing); join networks in the system's own way.")
    # Its answers are read, so they must be in English; names of networks may be in any language.
    spoken = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    command = [program, "--wait", str(wait), *words]
    try:
        told = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=spoken, timeout=wait + _SLACK, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoNetwork("NetworkManager does not answer; try again, or start the machine anew.") from error
    # A file that it cannot load it only complains of.
    if told.returncode or told.stderr.startswith("Could not load"):
        raise _meaning(told.returncode, told.stderr)
    return [fields(line) for line in told.stdout.splitlines()]


def _meaning(status: int, said: str) -> NoNetwork:
    for pattern, kind, sentence in _MEANINGS:
        if re.search(pattern, said, re.IGNORECASE):
            return kind(sentence)
    lines = [line.removeprefix("Error: ") for line in said.splitlines() if line.startswith(("Error: ", "Could not"))]
    why = lines[0].rstrip(". ") if lines else f"it ended with {status}"
    return NoNetwork(f"NetworkManager refuses: {why}; see: journalctl -u NetworkManager -e.")
