"""The command line `shinpan COMMAND`; each command is a module of device/cli, imported on demand."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import shell_complete

from device.installation import find_shadowed

try:
    from device.cli.options import COMPLETE, Exit, print_aside, print_note
    from device.files import unwritable_sentence
    from device.machine.service import Service
    from device.streams import repair_stdio
    from device.system import system
    from referee.game.errors import RefereeError
    from vision.errors import VisionError
    from web.errors import WebError
    from web.language import to_english
except ImportError as error:
    sys.exit(f"shinpan: {next(find_shadowed(), error)}")

COMMANDS = {
    **{
        name: name
        for name in ("run", "demo", "doctor", "calibrate", "look", "watch", "judge", "score", "analyse", "rules", "gtp")
    },
    **dict.fromkeys(("verify", "bundle", "backup", "restore", "forget", "pin"), "archive"),
    **{name: name for name in ("panel", "label", "poster", "rehearse", "voice", "network", "hall", "gallery")},
    **dict.fromkeys(("update", "rollback"), "update"),
    "completion": "completion",
}
"""Every command, with its module in device/cli."""
LIGHT = frozenset({"judge", "rules", "gtp", "network", "update", "rollback", "completion"})
"""The commands that load no library for pictures."""
WITH_PAGE = frozenset({"run", "demo", "rehearse", "hall", "gallery"})
ROOM, ROOM_WITH_PAGE = 800 << 20, 2000 << 20
"""The least address space in bytes, measured on two cores: with less the libraries for pictures crash as they load, or
the page's threads do not start."""


class Shinpan(click.Group):
    """The click group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names, in the order in which a box is set up and used."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        _check_room(cmd_name)
        command: click.Command = getattr(
            import_module(f".cli.{COMMANDS[cmd_name]}", __package__), f"{cmd_name}_command"
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the command; if there is none, raise NoSuchCommand with the names that may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None


@click.group(cls=Shinpan, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shinpan", prog_name="shinpan", message="%(prog)s %(version)s")
def shinpan() -> None:
    # Printed by --help, so it names the program.
    """An over-the-board Go referee: it watches a real board and both prisoner bowls, and judges every move."""  # noqa: D401


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; print any unusable input as one sentence on stderr."""
    words = sys.argv[1:] if argv is None else argv
    repair_stdio()
    try:
        if COMPLETE in os.environ:
            return shell_complete(shinpan, {}, "shinpan", COMPLETE, os.environ[COMPLETE])
        service = Service()
        service.extend_start()
        with shinpan.make_context("shinpan", list(words), obj=service) as context:
            status: int = shinpan.invoke(context)
        sys.stdout.flush()
        return status
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        _report_usage_error(error)
        return Exit.BAD_USE
    except MemoryError:
        print_note("there is not enough memory for this; end other programs, or use another machine.")
        return Exit.BAD_USE
    except ImportError as error:
        print_note(_describe_missing(error))
        return Exit.BAD_USE
    except (RefereeError, VisionError, WebError) as error:
        print_note(to_english(error))
        return Exit.BAD_USE
    except OSError as error:
        # Input files that cannot be used are reported where they are read; this error is about our own output.
        cannot_be_said = error.errno in (errno.ENOSPC, errno.EBADF) and error.filename is None
        if not cannot_be_said and not isinstance(error, BrokenPipeError):
            raise
        # The reader of our output has left (as `head` does); point stdout elsewhere so that the exit is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if cannot_be_said:
            print_note(unwritable_sentence(Path("standard output"), error))
        return Exit.BAD_USE
    except (KeyboardInterrupt, click.Abort):
        return Exit.INTERRUPTED


def _report_usage_error(error: click.ClickException) -> None:
    """Print what is wrong with the command line, and the command's usage."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None and isinstance(error, click.exceptions.NoArgsIsHelpError):
        print_aside(context.get_help())
        return
    if context is not None:
        print_aside(f"{context.get_usage()}  (more: {context.command_path} --help)")
    if isinstance(error, click.exceptions.NoSuchOption | click.exceptions.NoSuchCommand) and error.possibilities:
        del error.possibilities[1:]  # The closest comes first; Click would list them all, by the alphabet.
    sentence = error.format_message().replace("\n\t", " ")  # Click lists the choices in indented lines.
    print_note(sentence if sentence.endswith((".", "?")) else f"{sentence}.")


def _check_room(command: str) -> None:
    """Raise ClickException if this process may not have the address space that a command needs."""
    allowed = system.most_address_space()
    needed = 0 if command in LIGHT else ROOM_WITH_PAGE if command in WITH_PAGE else ROOM
    if allowed is not None and allowed < needed:
        raise click.ClickException(
            f"shinpan {command} needs {needed >> 20} MiB of address space, and only {allowed >> 20} MiB are allowed"
            " here (ulimit -v); raise the limit."
        )


def _describe_missing(error: ImportError) -> str:
    """Return what to install for a library that cannot be loaded; OpenCV needs some system libraries."""
    if "lib" in str(error) and ".so" in str(error):
        return f"a system library is missing ({error}); run: sudo apt-get install libgl1 libglib2.0-0 libxcb1"
    return f"a part of shinpan is missing ({error}); run make run, which installs what it needs."


if __name__ == "__main__":
    sys.exit(main())
