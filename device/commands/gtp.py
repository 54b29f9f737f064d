"""`shinpan gtp`: the referee behind the Go Text Protocol, for programs that speak it."""

from __future__ import annotations

import argparse
import sys

from device.gtp import Gtp
from referee.rules.sets import DEFAULT, rule_set
from referee.rules.setup import Setup

LONGEST_LINE = 1 << 16


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `gtp` and its option."""
    parser = commands.add_parser("gtp", help="speak the Go Text Protocol", description=__doc__)
    parser.add_argument("--rules", metavar="NAME", help="rule set (default: ultimate)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer commands from standard input until `quit` or its end."""
    gtp = Gtp(Setup(rule_set(args.rules or DEFAULT)), rules_said=args.rules is not None)
    while not gtp.over and (line := sys.stdin.buffer.readline(LONGEST_LINE)):
        sys.stdout.write(gtp.answer(line.decode("utf-8", "replace")))
        sys.stdout.flush()
    return 0
