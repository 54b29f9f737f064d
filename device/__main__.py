"""The command line: `shinpan COMMAND`, each in a module of device/commands, loaded when it is called for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

from referee.errors import RefereeError
from vision.errors import VisionError
from web.errors import WebError
from web.language import english

COMMANDS = {
    **{
        name: name for name in ("run", "demo", "doctor", "calibrate", "look", "watch", "judge", "score", "rules", "gtp")
    },
    **dict.fromkeys(("verify", "bundle", "backup", "restore", "pin"), "folder"),
    **{name: name for name in ("label", "network")},
    **dict.fromkeys(("update", "rollback"), "update"),
}
"""Every command, and its module in device/commands."""
BAD_USE = 2
INTERRUPTED = 130


def parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of these commands and their options."""
    top = argparse.ArgumentParser(prog="shinpan", description="An over-the-board Go referee.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for module in dict.fromkeys(COMMANDS[name] for name in names):
        import_module(f"device.commands.{module}").add_parser(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status. Whatever cannot be used is said in one sentence on stderr."""
    words = sys.argv[1:] if argv is None else argv
    try:
        args = parser(words[:1] if words and words[0] in COMMANDS else COMMANDS).parse_args(words)
    except ImportError as error:
        print(f"shinpan: {_missing(error)}", file=sys.stderr)
        return BAD_USE
    try:
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except (RefereeError, VisionError, WebError) as error:
        print(f"shinpan: {english(error)}", file=sys.stderr)
        return BAD_USE
    except BrokenPipeError:
        # The reader of our output has left (as `head` does); point stdout elsewhere so that leaving is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BAD_USE
    except KeyboardInterrupt:
        return INTERRUPTED


def _missing(error: ImportError) -> str:
    """What to install for a library that cannot be loaded; OpenCV wants some of the system's own."""
    if "lib" in str(error) and ".so" in str(error):
        return f"a system library is missing ({error}); run: sudo apt-get install libgl1 libglib2.0-0 libxcb1"
    return f"a part of shinpan is missing ({error}); run make run, which installs what it needs."


if __name__ == "__main__":
    sys.exit(main())
