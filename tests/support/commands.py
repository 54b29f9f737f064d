"""Command lines, parsed but not run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from device.__main__ import shinpan


def parsed(words: Sequence[str], group: click.Group = shinpan, path: str = "shinpan") -> dict[str, Any]:
    """Return the values of a command line, after `shinpan`; raise ClickException for one that cannot be used."""
    with group.make_context(path, list(words[:1])) as context:
        command = group.get_command(context, words[0])
    assert command is not None, f"there is no {path} {words[0]}"
    if isinstance(command, click.Group) and len(words) > 1 and words[1] in command.commands:
        return parsed(words[1:], command, f"{path} {words[0]}")
    with command.make_context(words[0], list(words[1:])) as context:
        return context.params
