"""A terminal that a person would sit at: what a program writes there is read as it was written."""

from __future__ import annotations

import os
import pty
import termios
from collections.abc import Sequence
from typing import Any

import click

from device.__main__ import shinpan

# Command lines, parsed but not run.


def parse_command_line(words: Sequence[str], group: click.Group = shinpan, path: str = "shinpan") -> dict[str, Any]:
    """Return the values of a command line, after `shinpan`; raise ClickException for one that cannot be used."""
    with group.make_context(path, list(words[:1])) as context:
        command = group.get_command(context, words[0])
    assert command is not None, f"there is no {path} {words[0]}"
    if isinstance(command, click.Group) and len(words) > 1 and words[1] in command.commands:
        return parse_command_line(words[1:], command, f"{path} {words[0]}")
    with command.make_context(words[0], list(words[1:])) as context:
        return context.params


def terminal() -> tuple[int, int]:
    """Our end and the program's, which changes no ends of lines."""
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(theirs)
    modes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    return ours, theirs


def seen_at(ours: int) -> str:
    """All that is written there until nobody holds the other end any more."""
    output = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    return output


def _read(end: int) -> bytes:
    try:
        return os.read(end, 65536)
    except OSError:
        return b""
