"""`shinpan update` and `shinpan rollback`: another version of the program, tried before it is trusted."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from device.cli.options import FILE, Exit, declare_command, print_aside, print_note
from device.machine.versions import NOT_HERE, CannotUpdate, Versions
from device.system import system
from vision.input_files import os_error_text


@declare_command(
    "update",
    "Install another version. It is tried beside the one that runs before it is switched to; where anything fails, "
    "nothing changes.",
    ("update /media/stick/shinpan", "from a folder with the project"),
    ("update shinpan-0.4.0-py3-none-any.whl", "from a wheel"),
    ("update NEW --other-rulings", "even if it rules kept games otherwise"),
)
@click.argument("source", type=FILE)
@click.option("--other-rulings", is_flag=True, help="Even if it rules kept games otherwise.")
def update_command(source: Path, other_rulings: bool) -> int:
    """Install the version; return 1 if nothing was changed."""
    try:
        version = _find_versions().update(source.resolve(), other_rulings=other_rulings)
    except (CannotUpdate, OSError) as error:
        return _report_refusal(error, "; nothing was changed.")
    print_note(f"{version.name} runs; sudo shinpan rollback takes the version before it back")
    return Exit.DONE


@declare_command(
    "rollback",
    "Go back to the version before. Games and settings stay as they are.",
    ("rollback", "take back the last update"),
    ("doctor", "see which version runs"),
    ("update FOLDER", "go forward again"),
)
def rollback_command() -> int:
    """Switch to the version before; return 1 if there is none."""
    try:
        print_note(f"{_find_versions().roll_back().name} runs again")
    except (CannotUpdate, OSError) as error:
        return _report_refusal(error, ".")
    return Exit.DONE


def _report_refusal(error: Exception, then: str) -> int:
    """Print the reason, in a sentence with this ending, after the output of the program that failed."""
    sentence, _, output = _describe_error(error).partition("\n")
    if output:
        print_aside(output)
    print_note(f"{sentence.rstrip('.:')}{then}")
    return Exit.NOT_WELL


def _describe_error(error: Exception) -> str:
    return f"{error.filename or 'the system'}: {os_error_text(error)}" if isinstance(error, OSError) else str(error)


def _find_versions() -> Versions:
    if sys.platform != "linux":
        raise CannotUpdate(NOT_HERE)
    root = Path(os.environ.get("SHINPAN_ROOT", "/"))
    if root == Path("/") and not system.is_administrator():
        raise CannotUpdate("This changes the system; run it with sudo.")
    return Versions(root)
