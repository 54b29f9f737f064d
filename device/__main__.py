"""The command line: `shinpan COMMAND`, one module a command in device/commands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from device.commands import demo, doctor, judge, look, rules, run, score, verify, watch
from referee.errors import RefereeError
from vision.errors import VisionError
from web.errors import WebError

COMMANDS = (run, demo, doctor, look, watch, judge, score, rules, verify)
BAD_USE = 2
INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """The parser of all commands and their options."""
    top = argparse.ArgumentParser(prog="shinpan", description="An over-the-board Go referee.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status. Whatever cannot be used is said in one sentence on stderr."""
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except (RefereeError, VisionError, WebError) as error:
        print(f"shinpan: {error}", file=sys.stderr)
        return BAD_USE
    except BrokenPipeError:
        # The reader of our output has left (as `head` does); point stdout elsewhere so that leaving is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BAD_USE
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
